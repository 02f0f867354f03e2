"""One cell of a table: the respondents that it counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from voxpop.analysis.cohort import Chooser, Mask, chosen, columns_of
from voxpop.analysis.columns import Bools, align, arrow_columns, open_data
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.rounding import one_decimal
from voxpop.errors import UsageError
from voxpop.survey.bands import Bands
from voxpop.survey.frame_columns import is_frame, plain_data
from voxpop.survey.relations import relation_of
from voxpop.survey.survey import Survey
from voxpop.vocabulary.nearest import did_you_mean, nearest

TOTAL = "Total"
_ROW = "row of the data"
_BATCH = 250_000
"""Rows of a DuckDB relation that are read at a time."""


@dataclass(frozen=True, eq=False, slots=True)
class Origin:
    """The data of a table, and its columns in terms of the data.

    Attributes
    ----------
    data : Survey, pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per respondent.
    items : tuple of str
        The columns of the question.
    read : callable
        Reads the question from a frame of these columns.
    where : Chooser, mask or None
        The selected rows.
    by : tuple of str or Bands
        The attributes that form groups of columns.
    cohorts : dict of str to Chooser
        The named filters that form a group of columns, if any.
    """

    data: Any
    items: tuple[str, ...]
    read: Callable[[Frame], Variable]
    where: Chooser | Mask | None
    by: tuple[str | Bands, ...] = ()
    cohorts: Mapping[str, Chooser] | None = None

    def metadata(self) -> dict[str, str]:
        """Return the descriptions of the columns, as metadata of an Arrow schema."""
        _, about, source = open_data(self.data)
        return {"voxpop": json.dumps({"columns": about, "source": source}, default=str, sort_keys=True)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the data behind when a table is pickled or copied deeply."""
        return type(None), ()

    @property
    def keys(self) -> list[Any]:
        """Return the columns that decide who is in a cell of the table, without duplicates."""
        named = [key for one in (self.cohorts or {}).values() for key in columns_of(one)]
        return list(dict.fromkeys([*self.items, *self.by, *columns_of(self.where), *named]))


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Cell:
    """The result of :meth:`Table.at`: one figure of a table, and its respondents.

    Attributes
    ----------
    question : str
        The question's column.
    row, group, column : str
        The row, the group of columns and the column, as labelled in the table.
    count, base : int
        The respondents of the cell and of its percentage's base, unweighted.
    percent : float
        The percentage shown in the table, from 0 to 100.
    """

    question: str
    row: str
    group: str
    column: str
    count: int
    base: int
    percent: float
    levels: tuple[str, ...] | None
    origin: Origin

    def people(self) -> Any:
        """Return the respondents of the cell, all columns, in the order of the data.

        Returns
        -------
        Survey, pandas.DataFrame or pyarrow.Table
            A survey or a DataFrame if the table was made from one, otherwise an Arrow table with the
            descriptions of the columns.

        Examples
        --------
        >>> import pandas as pd
        >>> from voxpop.analysis import crosstab
        >>> asked = pd.DataFrame({"switch": ["yes", "no", "yes"], "arm": ["a", "a", "b"]})
        >>> crosstab(asked, "switch", by="arm").at("yes", "a").people()
          switch arm
        0    yes   a
        """
        data = self.origin.data
        if isinstance(data, Survey):
            rows = relation_of(pa.concat_tables(self._parts(data.relation)))
            return data.with_rows(rows, f"Rows behind a figure: {self.words()}.")
        if isinstance(data, duckdb.DuckDBPyRelation):
            return pa.concat_tables(self._parts(data))
        data = plain_data(data)
        inside = self.inside(arrow_columns(data, self.columns()))
        return data[inside] if is_frame(data) else data.filter(pa.array(inside))

    def columns(self) -> list[str]:
        """Return the names of the columns that decide who is in the cell."""
        keys = self.origin.keys
        return list(dict.fromkeys(key if isinstance(key, str) else key.column for key in keys))

    def inside(self, table: pa.Table, first: int = 0, told: Mapping[str, str] | None = None) -> Bools:
        """Return whether each row of the data, or of a part of them, is in the cell.

        Parameters
        ----------
        table : pyarrow.Table
            Rows with at least the columns of the cell, in the order of the data.
        first : int, default 0
            Position of the first of these rows in the data.
        told : dict, optional
            The metadata of the data, if already known.
        """
        held = table.select(self.columns()).append_column(_ROW, pa.array(np.arange(table.num_rows)))
        frame = Frame(held.replace_schema_metadata(told or self.origin.metadata()), [*self.origin.keys, _ROW])
        taken = np.zeros(table.num_rows, dtype=np.bool_)
        rows = self._answered(frame) & self._column(frame) & chosen(frame, self.origin.where)
        taken[frame.numbers(_ROW)[rows].astype(np.intp)] = True
        where = self.origin.where
        if where is None or isinstance(where, Chooser):
            return taken
        return taken & align(where, self.origin.data, len(where))[first : first + taken.size]

    def words(self) -> str:
        """Return the cell in words, with the filter of its table.

        Examples
        --------
        >>> import pandas as pd
        >>> from voxpop.analysis import crosstab
        >>> asked = pd.DataFrame({"switch": ["yes", "no"], "arm": ["a", "b"]})
        >>> crosstab(asked, "switch", by="arm").at("yes", "a").words()
        'switch yes, arm a'
        """
        who = [] if self.group == TOTAL else [f"{self.group} {self.column}"]
        where = self.origin.where
        if isinstance(where, Chooser):
            who.append(where.data.words)
        elif where is not None:
            who.append(f"of {int(np.sum(where)):,} rows chosen by a mask")
        return ", ".join([f"{self.question} {self.row}", *who])

    def __repr__(self) -> str:
        figure = "no base" if np.isnan(self.percent) else f"{one_decimal(self.percent)} %"
        return f"{self.words()}: {self.count:,} of {self.base:,} ({figure})"

    def _parts(self, data: duckdb.DuckDBPyRelation) -> Iterator[pa.Table]:
        """Read a relation once, in parts, and keep the rows of the cell."""
        told = self.origin.metadata()  # asked before the relation is read: a connection answers one at a time
        reader = data.to_arrow_reader(_BATCH)
        schema = reader.schema.with_metadata(told)
        yield schema.empty_table()
        first = 0
        for batch in reader:
            part = pa.Table.from_batches([batch])
            inside = self.inside(arrow_columns(part, self.columns()), first, told)
            first += part.num_rows
            if inside.any():
                yield part.filter(pa.array(inside)).cast(schema)

    def _answered(self, frame: Frame) -> Bools:
        question = self.origin.read(frame)
        if self.levels is None:
            return ~question.answered if question.unasked is None else ~question.answered & ~question.unasked
        return _holding(question, self.levels)

    def _column(self, frame: Frame) -> Bools:
        everybody = np.ones(frame.rows, dtype=np.bool_)
        if self.origin.cohorts is not None:
            named = self.origin.cohorts
            return everybody if self.group == TOTAL else chosen(frame, named[self.column])
        across = [frame.attribute(key).with_not_assigned() for key in self.origin.by]
        if self.group == TOTAL:
            shown = [variable.answered for variable in across]
            return np.asarray(np.logical_or.reduce(shown)) if shown else everybody
        return _holding(next(one for one in across if one.name == self.group), (self.column,))


def _holding(variable: Variable, levels: Sequence[str]) -> Bools:
    """Return whether each row has at least one of the levels."""
    wanted = np.isin(np.array(variable.levels, dtype=object), np.array(levels, dtype=object))
    held = np.zeros(variable.answered.size, dtype=np.bool_)
    held[variable.agents[wanted[variable.codes]]] = True
    return held


def find_label(given: Any, labels: Sequence[str], what: str) -> str:
    """Return a label of a table; raise :class:`UsageError` with the nearest ones if it has none like it."""
    label = {True: "yes", False: "no"}[given] if isinstance(given, bool) else str(given)
    if label in labels:
        return label
    near = did_you_mean(nearest(label, labels)) or f"; it has {', '.join(labels[:40])}"
    raise UsageError(f"The table has no {what} {label!r}{near}")
