"""Counts, facets and ranges as SQL; sums are exact integers and hence reproducible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from voxpop.population.columns import bits_of
from voxpop.population.matching import Sql
from voxpop.vocabulary.fields import FIELDS

if TYPE_CHECKING:
    import duckdb

Facet = list[tuple[Any, int]]
Counted = tuple[str, str, int]
"""Field, value as text, and number of agents."""
Range = dict[str, float | int | None]

FACETS = tuple(name for name, field in FIELDS.items() if field.kind != "range")
RANGES = tuple(name for name, field in FIELDS.items() if field.kind == "range")

_MOST_BITS = 12
"""Maximum bits of a combination that is counted in an array; larger ones need a slower hash table."""


def together(fields: Iterable[str], sizes: Mapping[str, int]) -> list[list[str]]:
    """Group fields so that each group is counted in one pass, by the combinations of its values.

    Parameters
    ----------
    fields : iterable of str
        Fields other than list fields.
    sizes : mapping
        Number of labels per field; the default is two.

    Examples
    --------
    >>> together(["state", "gender", "title_variant"], {"state": 250, "title_variant": 4000})
    [['title_variant'], ['state', 'gender']]
    """
    width = {name: (sizes.get(name, 2) + 1).bit_length() for name in fields}  # one more for missing values
    groups: list[list[str]] = []
    for name in sorted(width, key=lambda name: -width[name]):
        fits = (group for group in groups if sum(width[one] for one in group) + width[name] <= _MOST_BITS)
        found = next(fits, None)
        if found is None:
            groups.append([name])
        else:
            found.append(name)
    return groups


def facets_sql(
    fields: Sequence[str], where: Sql, *, sizes: Mapping[str, int] = MappingProxyType({}), few: bool = False
) -> Sql:
    """Return a statement that counts matching agents per value of each field: (field, value, count).

    Parameters
    ----------
    fields : sequence of str
    where : Sql
    sizes : mapping
        Number of labels per field.
    few : bool
        Whether only a small part of the agents matches. These agents are then selected once; otherwise
        scanning the columns one by one is faster.
    """
    text, values = where
    lists = [name for name in fields if FIELDS[name].kind == "list"]
    source = "matching WHERE TRUE" if few else f"agents WHERE ({text})"
    ahead, parts, passes = [], [], len(lists)
    for number, group in enumerate(together([name for name in fields if name not in lists], sizes)):
        passes += 1
        ahead.append(
            f"counted{number} AS MATERIALIZED "
            f"(SELECT {', '.join(group)}, count(*) AS n FROM {source} GROUP BY ALL)"
        )
        parts += [
            f"SELECT '{name}' AS field, CAST({name} AS VARCHAR) AS value, CAST(sum(n) AS BIGINT) AS n "
            f"FROM counted{number} WHERE {name} IS NOT NULL GROUP BY {name}"
            for name in group
        ]
    for name in lists:
        inside = f"SELECT unnest({name}) AS value FROM {source} AND {bits_of(name)} <> 0"
        parts.append(
            f"SELECT '{name}' AS field, CAST(value AS VARCHAR) AS value, count(*) AS n "
            f"FROM ({inside}) GROUP BY ALL"
        )
    if few:
        picked = ", ".join([*fields, *map(bits_of, lists)])
        ahead.insert(0, f"matching AS MATERIALIZED (SELECT {picked} FROM agents WHERE {text})")
    counted = " UNION ALL ".join(parts)
    return f"WITH {', '.join(ahead)} {counted}" if ahead else counted, values * (1 if few else passes)


def rest(whole: Iterable[Counted], part: Iterable[Counted]) -> list[Counted]:
    """Return the counts of the complement of a subset.

    Examples
    --------
    >>> rest([("gender", "female", 5), ("gender", "male", 4)], [("gender", "male", 4)])
    [('gender', 'female', 5)]
    """
    less = {(field, value): n for field, value, n in part}
    left = ((field, value, n - less.get((field, value), 0)) for field, value, n in whole)
    return [row for row in left if row[2]]


def store(connection: duckdb.DuckDBPyConnection) -> None:
    """Store the facets of the whole population next to the agents, to avoid counting them again."""
    text, _ = facets_sql(FACETS, ("TRUE", []))
    connection.execute(f"CREATE TABLE facets AS {text}")


def read_facets(fields: Sequence[str], rows: Iterable[Counted]) -> dict[str, Facet]:
    """Sort counted values in vocabulary order, or else by decreasing frequency."""
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
    """Return a statement for minimum, maximum, sum and count of each field, in one row."""
    text, values = where
    parts = []
    for name in fields:
        scale = _scale(name)
        whole = name if scale == 1 else f"CAST(round({name} * {scale}) AS BIGINT)"
        parts.append(f"min({name}), max({name}), sum({whole}), count({name})")
    return f"SELECT {', '.join(parts)} FROM agents WHERE {text}", values


def read_ranges(fields: Sequence[str], row: Sequence[Any]) -> dict[str, Range]:
    """Return minimum, maximum and mean of each field; None if no agent has a value."""
    found: dict[str, Range] = {}
    for at, name in enumerate(fields):
        least, greatest, total, number = row[4 * at : 4 * at + 4]
        mean = int(total) / (_scale(name) * number) if number else None
        found[name] = {"min": least, "max": greatest, "mean": mean}
    return found


def _scale(name: str) -> int:
    """Return the factor that turns a number into an integer."""
    return int(10 ** FIELDS[name].decimals)
