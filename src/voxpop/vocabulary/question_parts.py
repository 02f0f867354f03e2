"""Validation of the options and the scale of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voxpop.errors import InvalidRequest
from voxpop.vocabulary.shapes import Scale

MAX_OPTIONS = 60
MAX_OPTION_TEXT = 500
MAX_SCALE = 100
"""Default for the maximum distance between the ends of a scale."""

_ENDS = ("min", "max", "min_label", "max_label")


def wrong_part(name: str, message: str) -> InvalidRequest:
    """Return the error for one part of a question."""
    return InvalidRequest(f"{name}: {message}", details={"fields": {name: [message]}})


def checked_options(options: Sequence[str] | None) -> tuple[str, ...]:
    """Return the given options, stripped of white space.

    Raises
    ------
    InvalidRequest
        The options are not strings, too few, too many, too long or not distinct.
    """
    if options is None:
        return ()
    if isinstance(options, str) or not all(isinstance(option, str) for option in options):
        raise wrong_part("options", "must be a list of texts.")
    cleaned = tuple(option.strip() for option in options)
    if not 2 <= len(cleaned) <= MAX_OPTIONS:
        raise wrong_part("options", f"2 to {MAX_OPTIONS} options are allowed, not {len(cleaned)}.")
    if any(not option or len(option) > MAX_OPTION_TEXT for option in cleaned):
        raise wrong_part("options", f"each option must have 1 to {MAX_OPTION_TEXT} characters.")
    seen: set[str] = set()
    for option in cleaned:
        if option.casefold() in seen:
            raise wrong_part("options", f"{option!r} is listed twice.")
        seen.add(option.casefold())
    return cleaned


def checked_scale(scale: Scale | Mapping[str, Any] | None, most: int = MAX_SCALE) -> Scale | None:
    """Return the given scale.

    Parameters
    ----------
    scale : Scale or mapping or None
        The scale, or its parts.
    most : int
        Maximum distance between the ends.

    Raises
    ------
    InvalidRequest
        The ends are not whole numbers, in the wrong order or too far apart.
    """
    if scale is None or isinstance(scale, Scale):
        made = scale
    else:
        unknown = set(scale) - set(_ENDS)
        if unknown:
            told = f"unknown {sorted(unknown)[0]!r}; a scale has min, max, min_label and max_label."
            raise wrong_part("scale", told)
        ends = (scale.get("min"), scale.get("max"))
        if any(isinstance(end, bool) or not isinstance(end, int) for end in ends):
            raise wrong_part("scale", "min and max must be whole numbers.")
        made = Scale(scale["min"], scale["max"], scale.get("min_label"), scale.get("max_label"))
    if made is not None and made.min >= made.max:
        raise wrong_part("scale", f"min must be below max, not {made.min} and {made.max}.")
    if made is not None and made.max - made.min > most:
        raise wrong_part("scale", f"min and max may be at most {most} apart, not {made.max - made.min}.")
    return made
