"""Differences between two exports: rows added and removed per table, and cells with both values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.errors import StoreError, UsageError
from voxpop.tables import manifest
from voxpop.tables.columns import literal, quote
from voxpop.tables.comparing import shown
from voxpop.tables.layout import DATA, Published
from voxpop.vocabulary import did_you_mean, nearest

_NAMED = 3


@dataclass(frozen=True, slots=True)
class TableDiff:
    """Differences of one table: rows by key, and changed cells by column.

    Attributes
    ----------
    name : str
        The table.
    added, removed : int
        Number of rows only in the second export, and only in the first.
    changed : dict of str to int
        Number of differing cells by column, in rows present in both.
    columns_added, columns_removed : tuple of str
        Columns only in the second export, and only in the first.
    examples : tuple of str
        Some of the changed cells, in words.
    """

    name: str
    added: int
    removed: int
    changed: dict[str, int]
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    examples: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the tables are equal."""
        return not (self.added or self.removed or self.changed or self.columns_added or self.columns_removed)

    def __str__(self) -> str:
        """Return a one-line summary."""
        if self.same:
            return f"{self.name}: no change"
        parts = [
            f"{number:,} {'row' if number == 1 else 'rows'} {word}"
            for number, word in ((self.added, "added"), (self.removed, "removed"))
            if number
        ]
        parts += [f"{number:,} changed in {column}" for column, number in self.changed.items()]
        parts += [f"column {name} added" for name in self.columns_added]
        parts += [f"column {name} removed" for name in self.columns_removed]
        return f"{self.name}: {', '.join(parts)}"


@dataclass(frozen=True, slots=True, repr=False)
class Diff:
    """Result of :func:`diff`; ``str()`` gives a summary.

    Attributes
    ----------
    before, after : str
        The two exports.
    tables : tuple of TableDiff
        The data tables in the order of an export.
    """

    before: str
    after: str
    tables: tuple[TableDiff, ...]

    @property
    def same(self) -> bool:
        """Whether both exports hold the same data."""
        return all(table.same for table in self.tables)

    def cells(self, table: str, *, limit: int | None = 10_000) -> pd.DataFrame:
        """Return the changed cells of a table: its key, the column, and both values as text.

        Parameters
        ----------
        table : str
            ``agents``, ``answers``, ``questions`` or ``unanswered``.
        limit : int, optional
            Maximum number of cells; None for all.
        """
        published = {one.name: one for one in DATA}
        if table not in published:
            near = did_you_mean(nearest(table, tuple(published))) or f"; there are {', '.join(published)}"
            raise UsageError(f"An export has no table {table!r}{near}")
        with _Two(Path(self.before), Path(self.after), published[table]) as two:
            return two.cells(limit)

    def __repr__(self) -> str:
        return f"<Diff {self}>"

    def __str__(self) -> str:
        """Return a summary: one line for each table, then some of the cells."""
        if self.same:
            return f"{self.before} and {self.after} hold the same data"
        lines = [f"from {self.before} to {self.after}"]
        for table in self.tables:
            lines.append(f"  {table}")
            lines += [f"    {example}" for example in table.examples]
        return "\n".join(lines)


def diff(before: str | Path, after: str | Path) -> Diff:
    """Compare two exports of the same study or of two studies.

    Rows are matched by question key and agent, so that another run of a study can be compared with the first.

    Parameters
    ----------
    before, after : str or Path
        Folders of exports.

    Raises
    ------
    StoreError
        A folder is not an export, or cannot be read.
    """
    one, two = Path(before), Path(after)
    for folder in (one, two):
        manifest.read(folder)
    made = []
    for table in DATA:
        with _Two(one, two, table) as pair:
            made.append(pair.diff())
    return Diff(str(before), str(after), tuple(made))


class _Two:
    """One table of both exports, in an in-memory database that reads the files on demand."""

    def __init__(self, before: Path, after: Path, table: Published) -> None:
        self.table = table
        self.key = (
            [name for name in table.key if name != "agent_id"] if "agent_uuid" in table.key else ["key"]
        )
        self.database = duckdb.connect()
        self.columns = {}
        for side, folder in (("b", before), ("a", after)):
            path = folder / table.path
            try:
                self.columns[side] = pq.read_schema(path).names
                self.database.execute(f"CREATE VIEW {side} AS FROM read_parquet({literal(str(path))})")
            except (OSError, pa.ArrowException, duckdb.Error) as error:
                self.database.close()
                raise StoreError(f"{path} cannot be read: {str(error).splitlines()[0]}.") from error
        self.both = [name for name in self.columns["b"] if name in self.columns["a"] and name not in self.key]
        same = " AND ".join(f"a.{quote(name)} = b.{quote(name)}" for name in self.key)
        self.joined = f"FROM b JOIN a ON {same}"
        self.anti = {side: f"FROM {side} ANTI JOIN {other} ON {same}" for side, other in ("ab", "ba")}

    def __enter__(self) -> _Two:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def diff(self) -> TableDiff:
        counts = self._changed()
        return TableDiff(
            self.table.name,
            added=self._count(self.anti["a"]),
            removed=self._count(self.anti["b"]),
            changed={name: number for name, number in counts.items() if number},
            columns_added=tuple(name for name in self.columns["a"] if name not in self.columns["b"]),
            columns_removed=tuple(name for name in self.columns["b"] if name not in self.columns["a"]),
            examples=tuple(self._examples([name for name, number in counts.items() if number])),
        )

    def cells(self, limit: int | None) -> pd.DataFrame:
        counts = self._changed()
        parts = [self._pairs(name, "::VARCHAR") for name, number in counts.items() if number]
        if not parts:
            return pd.DataFrame(columns=[*self.key, "column", "before", "after"])
        end = "" if limit is None else f" LIMIT {int(limit)}"
        found: pd.DataFrame = self.database.sql(f"{' UNION ALL '.join(parts)} ORDER BY ALL{end}").df()
        return found

    def _pairs(self, name: str, cast: str = "") -> str:
        keys = ", ".join(f"a.{quote(one)}" for one in self.key)
        column = quote(name)
        return (
            f'SELECT {keys}, {literal(name)} AS "column", b.{column}{cast} AS before, '
            f"a.{column}{cast} AS after {self.joined} WHERE {_differs(name)}"
        )

    def _changed(self) -> dict[str, int]:
        counts = ", ".join(f"count(*) FILTER ({_differs(name)})" for name in self.both)
        found = self.database.execute(f"SELECT {counts} {self.joined}").fetchall()[0]
        return dict(zip(self.both, found, strict=True))

    def _examples(self, names: Sequence[str]) -> Iterator[str]:
        for name in names:
            query = f"{self._pairs(name)} ORDER BY ALL LIMIT {_NAMED}"
            for *row, _, was, now in self.database.execute(query).fetchall():
                told = ", ".join(f"{one} {value}" for one, value in zip(self.key, row, strict=True))
                yield f"{told}, {name}: {shown(was)} → {shown(now)}"

    def _count(self, rest: str) -> Any:
        return self.database.execute(f"SELECT count(*) {rest}").fetchall()[0][0]


def _differs(name: str) -> str:
    return f"a.{quote(name)} IS DISTINCT FROM b.{quote(name)}"
