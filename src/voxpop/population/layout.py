"""Compatibility checks for population files of other versions.

Versions share one layout, so that the agents of a service survive an upgrade of voxpop. Anything that changes
its meaning in a later version gets another name, type or level, which these checks detect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxpop.population.columns import bits_of
from voxpop.vocabulary.fields import FIELDS

TYPES = """
    SELECT column_name, CASE WHEN data_type LIKE 'ENUM(%)[]' THEN 'ENUM[]' WHEN data_type LIKE 'ENUM(%)'
    THEN 'ENUM' ELSE data_type END FROM duckdb_columns() WHERE table_name = 'agents' AND NOT internal
"""
"""Query for the columns of the table of agents with their types, without labels."""

_WHOLE = ("UTINYINT", "USMALLINT", "UINTEGER", "TINYINT", "SMALLINT", "INTEGER")


def unreadable(types: Mapping[str, str]) -> list[str]:
    """Return the problems of the columns of a table of agents as text; extra columns are allowed.

    Examples
    --------
    >>> unreadable({"id": "INTEGER", "uuid": "UUID", "given_name": "VARCHAR"})[:2]
    ['given_name is VARCHAR, not ENUM', 'surname is missing']
    """
    wanted: dict[str, tuple[str, ...]] = {"id": ("INTEGER",), "uuid": ("UUID",)}
    wanted |= {"given_name": ("ENUM",), "surname": ("ENUM",)}
    for name, field in FIELDS.items():
        wanted[name] = _WHOLE if field.integer else (field.stored,)
        if field.kind == "list":
            wanted[bits_of(name)] = ("UBIGINT",)
    found = []
    for name, allowed in wanted.items():
        if name not in types:
            found.append(f"{name} is missing")
        elif types[name] not in allowed:
            found.append(f"{name} is {types[name]}, not {allowed[0]}")
    return found


def unknown_levels(labels: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the levels that this version does not know, as text.

    Examples
    --------
    >>> unknown_levels({"gender": ["male", "female", "unsaid"], "occupation": ["Pirates"]})
    ["gender has the level 'unsaid', which is not known"]
    """
    return [
        f"{name} has the level {label!r}, which is not known"
        for name, given in labels.items()
        for label in given
        if FIELDS[name].levels and label not in FIELDS[name].levels
    ]
