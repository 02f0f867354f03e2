"""Compatibility checks for population files of other versions.

Versions share one layout, so that the agents of a service survive an upgrade of voxpop. Anything that changes
its meaning in a later version gets another name, type or level, which these checks detect. A field that was
added in a later version is absent from the files of earlier ones: its value is unknown for all their agents.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from voxpop.population.columns import bits_of, quoted
from voxpop.vocabulary.fields import FIELDS

TYPES = """
    SELECT column_name, CASE WHEN data_type LIKE 'ENUM(%)[]' THEN 'ENUM[]' WHEN data_type LIKE 'ENUM(%)'
    THEN 'ENUM' ELSE data_type END FROM duckdb_columns() WHERE table_name = 'agents' AND NOT internal
"""
"""Query for the columns of the table of agents with their types, without labels."""

_WHOLE = ("UTINYINT", "USMALLINT", "UINTEGER", "TINYINT", "SMALLINT", "INTEGER")


def absent(types: Mapping[str, str]) -> frozenset[str]:
    """Return the fields of later versions that a table of agents has no column of.

    Fields of the first version have a place in the record, and all files have their columns.

    Examples
    --------
    >>> "religion" in absent({"id": "INTEGER", "age": "UTINYINT"})
    True
    """
    later = (name for name, field in FIELDS.items() if field.nullable and field.record_place is None)
    return frozenset(name for name in later if name not in types)


def completed(fields: Collection[str], catalog: str) -> str:
    """Return a statement for a view ``agents`` that has the absent fields of the table as nulls.

    Parameters
    ----------
    fields : collection of str
        The absent fields.
    catalog : str
        Name of the open file in the database, without which the view would stand for itself.

    Examples
    --------
    >>> completed(["veteran"], "held")
    'CREATE TEMP VIEW agents AS SELECT *, CAST(NULL AS BOOLEAN) AS veteran FROM "held".main.agents'
    """
    added = []
    for name in (name for name in FIELDS if name in fields):
        field = FIELDS[name]
        kind = field.stored
        if field.kind in ("category", "list"):
            kind = f"ENUM({quoted(field.levels or field.known or ('unknown',))})"
        if field.kind == "list":
            kind = f"{kind}[]"
            added.append(f"CAST(NULL AS UBIGINT) AS {bits_of(name)}")
        added.append(f"CAST(NULL AS {kind}) AS {name}")
    source = '"' + catalog.replace('"', '""') + '".main.agents'
    return f"CREATE TEMP VIEW agents AS SELECT *, {', '.join(added)} FROM {source}"


def unreadable(types: Mapping[str, str]) -> list[str]:
    """Return the problems of the columns of a table of agents as text.

    Extra columns are allowed, and fields of later versions may be absent.

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
    lacking = absent(types)
    for name, allowed in wanted.items():
        if name in lacking or name in {bits_of(field) for field in lacking}:
            continue
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
