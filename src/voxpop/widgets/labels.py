"""Display labels of field values, and search by label or alias."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from voxpop.vocabulary import FIELDS
from voxpop.vocabulary.values import fold, levels_of

GROUPS = {"demographic": "About the person", "professional": "Work", "health": "Health"}
"""Headings of the groups of fields."""

_ARTICLES = ("a ", "an ")


@dataclass(frozen=True, slots=True)
class Found:
    """A value that matches a search, and the alias that matched, if any."""

    value: str
    note: str | None = None


def value_label(field: str, value: str | bool) -> str:
    """Format a value for display.

    Examples
    --------
    >>> value_label("health_drug_classes", "glp1_agonist"), value_label("is_parent", True)
    ('GLP-1 medicine', 'Yes')
    >>> value_label("physical_activity_level", "low"), value_label("gender", "non_binary")
    ('Low', 'Non binary')
    """
    if isinstance(value, bool):
        return "Yes" if value else "No"
    words = FIELDS[field].value_labels.get(value)
    if words is None:
        known = FIELDS[field].levels
        words = value.replace("_", " ") if value in known and value == value.lower() else value
    for article in _ARTICLES:
        words = words.removeprefix(article)
    return words if words[1:2].isupper() else words[:1].upper() + words[1:]


def stands_for(field: str, value: str) -> tuple[str, ...]:
    """Return the levels for which a value stands, in order, if it is not a level itself.

    Examples
    --------
    >>> stands_for("bmi_class", "obese"), stands_for("bmi_class", "normal")
    (('obese_1', 'obese_2', 'obese_3'), ())
    """
    meant = levels_of(FIELDS[field], value)
    return tuple(level for level in FIELDS[field].levels if level in meant and meant != {value})


def known_values(field: str) -> list[str]:
    """Return the possible values of a field without counts: its levels, and names for several levels."""
    return [*FIELDS[field].sums, *FIELDS[field].levels]


def search(field: str, typed: str, values: Iterable[str]) -> Iterator[Found]:
    """Yield the values whose label or alias matches the search, best matches first.

    Examples
    --------
    >>> [found] = search("health_drug_classes", "semaglu", ["statin", "glp1_agonist"])
    >>> found
    Found(value='glp1_agonist', note='semaglutide → glp1_agonist')
    """
    wanted = fold(typed)
    others: dict[str, str] = {}
    for other, value in FIELDS[field].names.items():
        if wanted and wanted in fold(other) and (value not in others or fold(other) == wanted):
            others[value] = other
    ranked = []
    for place, value in enumerate(values):
        names = (fold(value), fold(value_label(field, value)))
        if any(wanted in name for name in names):
            ranked.append((not any(name.startswith(wanted) for name in names), place, Found(value)))
        elif value in others:
            ranked.append((True, place, Found(value, f"{others[value]} → {value}")))
    yield from (found for *_, found in sorted(ranked, key=lambda one: one[:2]))
