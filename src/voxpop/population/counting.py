"""Counts, facets and ranges as SQL; sums are whole numbers, so they are the same on every run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voxpop.population.matching import Sql
from voxpop.vocabulary.fields import FIELDS

if TYPE_CHECKING:
    import duckdb

Facet = list[tuple[Any, int]]
Counted = tuple[str, str, int]
"""Field, value as text, agents."""
Range = dict[str, float | int | None]

FACETS = tuple(name for name, field in FIELDS.items() if field.kind != "range")
RANGES = tuple(name for name, field in FIELDS.items() if field.kind == "range")

_TENTHS = ("bmi",)


def facets_sql(fields: Sequence[str], where: Sql, *, few: bool = False) -> Sql:
    """Return one statement that counts the matching agents per value of each field: (field, value, count).

    Parameters
    ----------
    fields : sequence of str
    where : Sql
    few : bool
        Whether a small part of the agents match. Then they are picked out once; else it is quicker to look
        through the columns one by one.
    """
    text, values = where
    source = "matching" if few else f"agents WHERE {text}"
    parts = []
    for name in fields:
        value = f"unnest({name})" if FIELDS[name].kind == "list" else name
        parts.append(
            f"SELECT '{name}' AS field, CAST(value AS VARCHAR) AS value, n FROM (SELECT value, count(*) AS n "
            f"FROM (SELECT {value} AS value FROM {source}) WHERE value IS NOT NULL GROUP BY value)"
        )
    counted = " UNION ALL ".join(parts)
    if few:
        picked = f"SELECT {', '.join(fields)} FROM agents WHERE {text}"
        return f"WITH matching AS MATERIALIZED ({picked}) {counted}", values
    return counted, values * len(fields)


def rest(whole: Iterable[Counted], part: Iterable[Counted]) -> list[Counted]:
    """Return the counts of those who are not in a part.

    Examples
    --------
    >>> rest([("gender", "female", 5), ("gender", "male", 4)], [("gender", "male", 4)])
    [('gender', 'female', 5)]
    """
    less = {(field, value): n for field, value, n in part}
    left = ((field, value, n - less.get((field, value), 0)) for field, value, n in whole)
    return [row for row in left if row[2]]


def store(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the facets of everybody beside the agents, so that nobody need count them again."""
    text, _ = facets_sql(FACETS, ("TRUE", []))
    connection.execute(f"CREATE TABLE facets AS {text}")


def read_facets(fields: Sequence[str], rows: Iterable[Counted]) -> dict[str, Facet]:
    """Put counted values in order: as the vocabulary has them, else the most frequent first."""
    counted: dict[str, dict[str, int]] = {name: {} for name in fields}
    for name, value, count in rows:
        counted[name][value] = count
    return {name: _ordered(name, counts) for name, counts in counted.items()}


def _ordered(name: str, counts: Mapping[str, int]) -> Facet:
    field = FIELDS[name]
    if field.kind == "boolean":
        return [(value, counts[text]) for value, text in ((True, "true"), (False, "false")) if text in counts]
    if field.levels:
        return [(level, counts[level]) for level in field.levels if level in counts]
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def ranges_sql(fields: Sequence[str], where: Sql) -> Sql:
    """Return one statement that gives least, greatest, sum and number for each field, in one row."""
    text, values = where
    parts = []
    for name in fields:
        whole = f"CAST(round({name} * 10) AS BIGINT)" if name in _TENTHS else name
        parts.append(f"min({name}), max({name}), sum({whole}), count({name})")
    return f"SELECT {', '.join(parts)} FROM agents WHERE {text}", values


def read_ranges(fields: Sequence[str], row: Sequence[Any]) -> dict[str, Range]:
    """Return least, greatest and mean of each field; None where no agent has a value."""
    found: dict[str, Range] = {}
    for at, name in enumerate(fields):
        least, greatest, total, number = row[4 * at : 4 * at + 4]
        scale = 10 if name in _TENTHS else 1
        mean = int(total) / (scale * number) if number else None
        found[name] = {"min": least, "max": greatest, "mean": mean}
    return found
