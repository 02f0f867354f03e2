"""Joining the variables of two surveys by a key, with a report of rows without a partner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import duckdb
import numpy as np
import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.survey.provenance import PROVENANCE_COLUMN
from voxpop.survey.relations import relation_of
from voxpop.survey.sql import quote
from voxpop.survey.variables import unknown_column
from voxpop.vocabulary.nearest import did_you_mean, nearest

How = Literal["left", "inner"]
HOWS: tuple[str, ...] = get_args(How)


@dataclass(frozen=True, slots=True)
class Joined:
    """The rows, the new name of each added column, and the step in words."""

    rows: duckdb.DuckDBPyRelation
    added: Mapping[str, str]
    step: str


def joined(
    left: duckdb.DuckDBPyRelation,
    right: duckdb.DuckDBPyRelation,
    on: str | Sequence[str],
    how: str,
    suffix: str | None,
    name: str,
) -> Joined:
    """Return the rows of the left side, in their order, with the columns of the right side.

    Raises
    ------
    UsageError
        A key is unknown, repeats on the right, or a column is on both sides.
    """
    keys = [on] if isinstance(on, str) else list(on)
    if how not in HOWS:
        hint = did_you_mean(nearest(str(how), HOWS)) or "."
        raise UsageError(f"how must be left or inner, not {how!r}{hint}")
    for key in keys:
        for side, whose in ((left, "The survey has"), (right, f"{name} has")):
            if key not in side.columns:
                raise UsageError(f"join: {unknown_column(key, side.columns, whose)}")
    added = _names(left.columns, [one for one in right.columns if one not in keys], suffix, name)
    held, other = left.to_arrow_table(), right.to_arrow_table()
    places = _places(held.select(keys), other.select(keys), keys, name)
    found = np.asarray(~np.isnan(places))
    if how == "inner":
        held, places = held.filter(pa.array(found)), places[found]
    taken = other.select(list(added)).take(pa.array(places, pa.float64(), from_pandas=True).cast(pa.int64()))
    for old, new in added.items():
        held = held.append_column(new, taken[old])
    unused = other.num_rows - len(set(places[~np.isnan(places)].tolist()))
    missing = int(np.count_nonzero(~found))
    left_over = "dropped" if how == "inner" else "without its variables"
    noun = "variable" if len(added) == 1 else "variables"
    step = (
        f"Joined {len(added):,} {noun} of {name} by {', '.join(keys)}: {missing:,} of {len(found):,} rows "
        f"have no partner ({left_over}); {unused:,} rows of {name} are not used."
    )
    return Joined(relation_of(held), added, step)


def _names(left: Sequence[str], right: Sequence[str], suffix: str | None, name: str) -> dict[str, str]:
    """Return the new name of each column of the right side."""
    plain = {one.casefold() for one in left}
    right = [one for one in right if one != PROVENANCE_COLUMN]
    both = [one for one in right if one.casefold() in plain]
    if both and suffix is None:
        more = f" and {len(both) - 5} more" if len(both) > 5 else ""
        raise UsageError(
            f"join: both have {', '.join(both[:5])}{more}; take fewer columns of {name}, such as "
            f'other[["id", ...]], or pass suffix="_2".'
        )
    added = {one: f"{one}{suffix}" if one in both else one for one in right}
    if again := next((new for new in added.values() if new.casefold() in plain), None):
        raise UsageError(f"join: the data already have a column {again!r}; pass another suffix.")
    return added


def _places(left: pa.Table, right: pa.Table, keys: Sequence[str], name: str) -> np.ndarray:
    """Return the row of the partner of each row, NaN without one."""
    database = duckdb.connect()
    database.register("a", left.append_column("voxpop row", pa.array(np.arange(left.num_rows))))
    database.register("b", right.append_column("voxpop row", pa.array(np.arange(right.num_rows))))
    listed = ", ".join(quote(key) for key in keys)
    known = " AND ".join(f"{quote(key)} IS NOT NULL" for key in keys)
    twice = database.sql(
        f"SELECT {listed} FROM b WHERE {known} GROUP BY ALL HAVING count(*) > 1 LIMIT 1"
    ).fetchall()
    if twice:
        value = ", ".join(map(str, twice[0]))
        raise UsageError(
            f"join: {', '.join(keys)} {value!r} has several rows in {name}, which would multiply answers; "
            "keep one row each."
        )
    same = " AND ".join(f"{_side('a', key)} = {_side('b', key)}" for key in keys)
    try:
        found = database.sql(
            f'SELECT b."voxpop row"::DOUBLE AS place FROM a LEFT JOIN b ON {same} ORDER BY a."voxpop row"'
        ).to_arrow_table()
    except duckdb.Error as error:
        told = str(error).splitlines()[0]
        raise UsageError(
            f"join: {', '.join(keys)} cannot be compared with those of {name}: {told}"
        ) from error
    return np.asarray(found["place"].to_numpy(), dtype=np.float64)


def _side(side: str, key: str) -> str:
    return f"{side}.{quote(key)}"
