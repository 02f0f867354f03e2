"""The table of agent fields: one row per field, from which all other definitions are derived."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType

from voxpop.errors import FilterError, UsageError
from voxpop.vocabulary.demographic_fields import DEMOGRAPHIC
from voxpop.vocabulary.health_fields import HEALTH
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.professional_fields import PROFESSIONAL
from voxpop.vocabulary.row import Field, Group, Kind, Sent

__all__ = ["FIELDS", "Field", "Group", "Kind", "Sent", "add", "field", "find_field", "in_records"]

_rows: dict[str, Field] = {}
_by_any_name: dict[str, Field] = {}
_hints: dict[str, str] = {}

FIELDS: Mapping[str, Field] = MappingProxyType(_rows)
"""All fields by canonical name, in display order."""

_UNDERIVED = ("voxpop.vocabulary", "voxpop.errors", "voxpop.version")


def add(row: Field) -> None:
    """Add a field to the table of this process.

    Columns, models and tool arguments are derived when their modules are imported, so add fields before
    importing any other part of voxpop. :mod:`voxpop.population.drawing` registers the code that draws the
    values.

    Raises
    ------
    UsageError
        The name is taken, or something was already derived from the table.
    """
    derived = sorted(
        name for name in sys.modules if name.startswith("voxpop.") and not name.startswith(_UNDERIVED)
    )
    if derived:
        raise UsageError(
            f"The field {row.name!r} cannot be added after {derived[0]} was imported. "
            "Add fields before importing anything but voxpop.vocabulary."
        )
    _add(row)


def _add(row: Field) -> None:
    for name in (row.name, *row.aliases):
        if name in _by_any_name:
            raise UsageError(f"{name!r} is already a name of the field {_by_any_name[name].name!r}.")
    _rows[row.name] = row
    _by_any_name.update(dict.fromkeys((row.name, *row.aliases), row))
    _hints.update(dict.fromkeys(row.hints, row.name))


for _row in (*DEMOGRAPHIC, *PROFESSIONAL, *HEALTH):
    _add(_row)


def in_records(*, health: bool) -> tuple[Field, ...]:
    """Return the fields in the order of an agent record or of its ``health_profile``.

    Examples
    --------
    >>> [field.name for field in in_records(health=False)][:4]
    ['age', 'gender', 'country', 'state']
    """
    inside = [row for row in FIELDS.values() if row.in_health_profile == health]
    placed = sorted((row for row in inside if row.record_place is not None), key=_place)
    return (*placed, *(row for row in inside if row.record_place is None))


def _place(row: Field) -> int:
    return row.record_place or 0


def find_field(name: str) -> Field | None:
    """Return the field with a name or alias, or None. Case is ignored."""
    return _by_any_name.get(name.strip().casefold())


def unknown_field(name: str) -> str:
    """Return the error message for an unknown field name, with the nearest fields or all of them.

    Examples
    --------
    >>> unknown_field("gendr")
    'unknown field; did you mean gender?'
    >>> unknown_field("diet")
    'unknown field; did you mean diet_quality?'
    >>> unknown_field("bmi_min")
    'unknown field; bmi takes {"min": ..., "max": ...}'
    """
    word = name.strip().casefold()
    bounded = find_field(word[:-4]) if word.endswith(("_min", "_max")) else None
    if bounded is not None and bounded.kind == "range":
        return f'unknown field; {bounded.name} takes {{"min": ..., "max": ...}}'
    found = [_hints[word]] if word in _hints else []
    found += [known.name for spelling, known in _by_any_name.items() if word in spelling.split("_")]
    found += [_by_any_name[near].name for near in nearest(word, _by_any_name, n=len(_by_any_name))]
    found = list(dict.fromkeys(found))[:3]
    if found:
        return "unknown field" + did_you_mean(found)
    return f"unknown field; the fields are {', '.join(FIELDS)}"


def field(name: str) -> Field:
    """Return the field with a name or alias.

    Parameters
    ----------
    name : str
        A canonical name or an alias, in any case.

    Raises
    ------
    FilterError
        There is no such field; the message names the nearest ones.

    Examples
    --------
    >>> field("drug_class").name
    'health_drug_classes'
    """
    found = find_field(name)
    if found is None:
        raise FilterError({name: [unknown_field(name)]})
    return found
