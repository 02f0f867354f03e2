"""Comparison of two versions of a table, naming differing cells and rows with both values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from voxpop.tables.columns import quote

NAMED = 5
"""Maximum number of differences of one kind that are listed."""


def differences(now: pa.Table, then: pa.Table, key: Sequence[str]) -> Iterator[str]:
    """Return the columns, rows and cells in which two versions of a table differ.

    Parameters
    ----------
    now, then : pa.Table
        The current and the earlier version.
    key : sequence of str
        Columns of the unique key.
    """
    found = [*_columns(now, then)]
    yield from found
    kept = [name for name in then.column_names if name in now.column_names]
    if 2 * len(kept) < len(then.column_names) or not set(key) <= set(kept):
        return  # different tables: comparing rows is pointless
    alike = [name for name in kept if _base(now[name].type) == _base(then[name].type)]
    if set(key) <= set(alike):
        rows = [*_Pair(now, then, key).differences([name for name in alike if name not in key])]
        yield from rows if rows or found else ["the same rows in another order"]


def _columns(now: pa.Table, then: pa.Table) -> Iterator[str]:
    held, kept = now.column_names, then.column_names
    for told, names in (
        ("missing", [name for name in kept if name not in held]),
        ("not expected", [name for name in held if name not in kept]),
    ):
        if names:
            yield f"columns {told}: {', '.join(names)}"
    both = [name for name in kept if name in held]
    if both != [name for name in held if name in kept]:
        yield "columns in another order"
    for name in both:
        if (found := _base(now[name].type)) != (was := _base(then[name].type)):
            yield f"column {name}: {found}, was {was}"


def _base(kind: pa.DataType) -> pa.DataType:
    """Return the value type, ignoring dictionary encoding."""
    if pa.types.is_dictionary(kind):
        return _base(kind.value_type)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(_base(kind.value_type))
    return pa.timestamp("us") if pa.types.is_timestamp(kind) else kind


class _Pair:
    """Both tables in an in-memory database."""

    def __init__(self, now: pa.Table, then: pa.Table, key: Sequence[str]) -> None:
        self.now, self.then, self.key = now, then, list(key)
        self.same = " AND ".join(f"n.{quote(name)} IS NOT DISTINCT FROM t.{quote(name)}" for name in key)

    def differences(self, names: Sequence[str]) -> Iterator[str]:
        with duckdb.connect() as database:
            database.register("now", self.now)
            database.register("was", self.then)
            yield from self._rows(database)
            yield from self._cells(database, names)

    def _rows(self, database: duckdb.DuckDBPyConnection) -> Iterator[str]:
        keys = {side: ", ".join(f"{side}.{quote(name)}" for name in self.key) for side in "nt"}
        for verb, columns, lacking in (
            ("missing", keys["t"], f"was t ANTI JOIN now n ON {self.same}"),
            ("not expected", keys["n"], f"now n ANTI JOIN was t ON {self.same}"),
        ):
            rows = database.execute(f"SELECT {columns} FROM {lacking} ORDER BY ALL").fetchall()
            for row in rows[:NAMED]:
                yield f"row ({self._named(row)}) {verb}"
            if len(rows) > NAMED:
                yield f"{len(rows) - NAMED:,} more rows {verb}"
        twice = database.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM now n GROUP BY {keys['n']} HAVING count(*) > 1)"
        ).fetchall()[0][0]
        if twice:
            yield f"{twice:,} rows repeat the key of another"

    def _cells(self, database: duckdb.DuckDBPyConnection, names: Sequence[str]) -> Iterator[str]:
        keys = ", ".join(f"t.{quote(name)}" for name in self.key)
        for name in names:
            column = quote(name)
            joined = f"FROM now n JOIN was t ON {self.same} WHERE n.{column} IS DISTINCT FROM t.{column}"
            many = database.execute(f"SELECT count(*) {joined}").fetchall()[0][0]
            query = f"SELECT {keys}, n.{column}, t.{column} {joined} ORDER BY ALL LIMIT {NAMED}"
            for *row, found, expected in database.execute(query).fetchall() if many else ():
                yield f"row ({self._named(row)}), column {name}: {shown(found)}, was {shown(expected)}"
            if many > NAMED:
                yield f"column {name}: {many - NAMED:,} more cells differ"

    def _named(self, row: Sequence[Any]) -> str:
        return ", ".join(f"{name} {value}" for name, value in zip(self.key, row, strict=True))


def shown(value: Any, most: int = 120) -> str:
    """Format a value for a message; None is "missing".

    Examples
    --------
    >>> shown("Oat"), shown(None), shown("x" * 200, 10)
    ("'Oat'", 'missing', "'xxxxxxxx…")
    """
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"
