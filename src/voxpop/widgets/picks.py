"""Edits of one condition of a filter: toggle a value, set a bound, choose the visible values."""

from __future__ import annotations

from voxpop.errors import UsageError
from voxpop.vocabulary import AllOf, AnyOf, Between, Condition
from voxpop.vocabulary.fields import Field
from voxpop.widgets.labels import Found, search
from voxpop.widgets.live_counts import LiveCounts

SHORT = 8
"""Number of values that a list shows initially."""

LONG = 60
"""Maximum number of values that a list shows; others are found by typing."""


def chosen_values(condition: Condition | None) -> tuple[str | bool, ...]:
    """Return the values listed in a condition."""
    return condition.values if isinstance(condition, AnyOf | AllOf) else ()


def pick(condition: Condition | None, value: str | bool, wanted: bool) -> Condition | None:
    """Return a condition with one value toggled; None if no value is left.

    Examples
    --------
    >>> pick(AnyOf(("CA",)), "TX", True)
    vp.any_of("CA", "TX")
    >>> pick(AnyOf(("CA",)), "CA", False)
    """
    held = chosen_values(condition)
    if wanted and value not in held:
        held = (*held, value)
    elif not wanted:
        held = tuple(one for one in held if one != value)
    kind = AllOf if isinstance(condition, AllOf) else AnyOf
    return kind(held) if held else None


def with_bound(field: Field, condition: Between | None, side: str, typed: str) -> tuple[Between | None, str]:
    """Return a range with one bound changed, and a note if the other bound was moved.

    Bounds never cross: the typed bound takes precedence and moves the other one.

    Examples
    --------
    >>> from voxpop.vocabulary import field
    >>> with_bound(field("age"), Between(25, 64), "min", "70")
    (vp.between(70, 70), 'The upper end moved to 70, too.')
    """
    bounds = {"min": condition.min if condition else None, "max": condition.max if condition else None}
    bounds[side] = _number(field, typed)
    low, high = bounds["min"], bounds["max"]
    note = ""
    if low is not None and high is not None and low > high:
        moved, end = ("max", "upper") if side == "min" else ("min", "lower")
        bounds[moved] = bounds[side]
        note = f"The {end} end moved to {bounds[side]:g}, too."
    if bounds["min"] is None and bounds["max"] is None:
        return None, ""
    return Between(bounds["min"], bounds["max"]), note


def _number(field: Field, typed: str) -> float | None:
    text = typed.strip().replace(",", "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        raise UsageError(f"{field.label}: {typed.strip()!r} is not a number.") from None
    if not abs(number) < 1e9:
        raise UsageError(f"{field.label}: {typed.strip()!r} is too large.")
    if number != int(number):
        if field.integer:
            raise UsageError(f"{field.label} takes whole numbers.")
        return number
    return int(number)


def shown_values(
    name: str, condition: Condition | None, counts: LiveCounts, typed: str, whole: bool
) -> tuple[list[Found], int]:
    """Return the visible values of a field, always including selected ones, and the number of hidden ones."""
    chosen = chosen_values(condition)
    options = counts.options(name, chosen)
    if typed.strip():
        found = list(search(name, typed, map(str, options)))
        return found[:LONG], max(0, len(found) - LONG)
    most = LONG if whole else SHORT
    if len(options) <= SHORT + 2:
        most = SHORT + 2
    kept = options[:most]
    kept += [value for value in chosen if value not in kept]
    return [Found(value) for value in kept], len(options) - len(kept)  # type: ignore[arg-type]
