"""The data of an explorer: respondents, their columns and answers, and tables of them."""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.analysis import crosstab, means
from voxpop.analysis.frames import PROVENANCE
from voxpop.analysis.levels import MOST_NUMBERS
from voxpop.analysis.summary import Summary
from voxpop.analysis.table import Table
from voxpop.errors import UsageError
from voxpop.survey.frame_columns import plain_data
from voxpop.survey.provenance import PROVENANCE_COLUMN
from voxpop.survey.store_view import comments
from voxpop.survey.survey import Survey
from voxpop.tables import Store, open_export
from voxpop.tables.people import PANEL_COLUMNS, WEIGHT_COLUMNS
from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Condition, Filter
from voxpop.vocabulary.fields import Field
from voxpop.vocabulary.question_types import QUESTION_TYPES, is_open
from voxpop.widgets.facets import Bools, Facets
from voxpop.widgets.live_counts import Band, LiveCounts

MOST_LEVELS = 60
"""Maximum number of values of a column that is offered as a question."""

_FIRST = 10_000
"""Number of leading rows that are checked first for too many values."""

_PROVENANCE = ("source", "method_version", "calibration_version", "reference_version", "population_version")
_OF_AGENTS = frozenset(
    {"agent_uuid", "agent_id", "study_uuid", "uuid", "id", "name", "summary", "city", "position", "removed"}
    | {PROVENANCE_COLUMN, *WEIGHT_COLUMNS, *PANEL_COLUMNS}
    | {f"{prefix}{name}" for prefix in ("", "health_") for name in _PROVENANCE}
)
_TOLD = ("age", "gender", "state", "country", "occupation")
"""Fields shown beside a quote."""


class People:
    """One row per agent, in memory, with metadata of the columns.

    Parameters
    ----------
    data : Store, path of an export, DuckDB relation, Arrow table or DataFrame
        The data; not modified.
    study : study, its UUID, number or title, optional
        Study of a store; required only if the store has several.
    """

    def __init__(self, data: Any, study: Any = None) -> None:
        self.table: pa.Table = _table(data, study)
        told = json.loads((self.table.schema.metadata or {}).get(b"voxpop", b"{}"))
        self.about: Mapping[str, Any] = told.get("columns", {})
        self._lock = threading.Lock()
        self._facets = Facets(self.table)
        self._lower: dict[str, pa.Array] = {}
        self._hits: tuple[tuple[str, str], Bools] | None = None
        names = self.table.column_names
        self.fields: tuple[Field, ...] = tuple(one for name, one in FIELDS.items() if name in names)
        asked = [name for name in names if name not in FIELDS and name not in _OF_AGENTS]
        self.measured: frozenset[str] = frozenset(name for name in asked if self._is_measured(name))
        self.questions: dict[str, str] = {
            name: self.words(name) for name in asked if name in self.measured or self._is_coded(name)
        }
        self.open: dict[str, str] = {
            name: self.words(name) for name in asked if name not in self.questions and self._is_text(name)
        }

    @property
    def size(self) -> int:
        """Number of respondents."""
        size: int = self._facets.size
        return size

    def words(self, name: str) -> str:
        """Return the wording of a question, or the name of its column."""
        known = self.about.get(name) or {}
        return str(known.get("text") or known.get("question") or known.get("label") or name)

    def count(self, filters: Filter, names: Sequence[str]) -> LiveCounts:
        """Count the agents of a filter, and the values of fields given the conditions on all other fields."""
        with self._lock:
            inside = self._facets.meeting(filters)
            values: dict[str, dict[str, int]] = {}
            ranges: dict[str, tuple[float | None, float | None]] = {}
            bands: dict[str, tuple[Band, ...]] = {}
            for name in names:
                others = filters.replace(name, None) if filters.match == "all" else Filter()
                among = inside if others == filters else self._facets.meeting(others)
                if FIELDS[name].kind == "range":
                    ranges[name] = self._facets.span(name, among)
                    if FIELDS[name].integer:
                        bands[name] = self._facets.bands(name, among)
                else:
                    values[name] = self._facets.counts(name, among)
        total = self.size if inside is None else int(np.count_nonzero(inside))
        return LiveCounts(filters, total, values, ranges, bands=bands)

    def tabulate(self, question: str, by: str | None, filters: Filter) -> Table | Summary:
        """Return the table of a question in a cohort, equal to that of its code, but faster."""
        with self._lock:
            data = self._narrow(question, by, filters)
        where = None if filters.matches_everyone else filters
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # small bases are noted below the table
            if question in self.measured:
                return means(data, question, by=by, where=where, sig=True)
            return crosstab(data, question, by=by, where=where, sig=True)

    def answers(
        self,
        question: str,
        filters: Filter,
        typed: str,
        limit: int,
        beside: Sequence[str] = (),
        among: Bools | None = None,
    ) -> tuple[int, list[dict[str, Any]]]:
        """Return the number of answers to an open question that contain a text, and some of these answers.

        Parameters
        ----------
        question : str
            The open question.
        filters : Filter
            Filter of the agents.
        typed : str
            Text that the answers contain, ignoring case.
        limit : int
            Maximum number of answers to return.
        beside : list of str
            Further columns to return for each answer, as text.
        among : array of bool, optional
            The agents to search, by default everybody.
        """
        with self._lock:
            found = self._holding(question, typed.strip())
            inside = self._facets.meeting(filters)
            found = found if among is None else found & among
            places = np.flatnonzero(found if inside is None else found & inside)
        shown = self.table.take(pa.array(places[:limit]))
        names = [name for name in (*_TOLD, *beside) if name in shown.column_names]
        rows = shown.select(list(dict.fromkeys([question, *names]))).to_pylist()
        return int(places.size), [{"answer": row[question], **{n: row[n] for n in names}} for row in rows]

    def told(self, inside: Bools, limit: int) -> list[dict[str, Any]]:
        """Return what distinguishes the first agents of a selection: id, age, gender, place, occupation."""
        shown = self.table.take(pa.array(np.flatnonzero(inside)[:limit]))
        names = [name for name in ("agent_id", *_TOLD) if name in shown.column_names]
        rows: list[dict[str, Any]] = shown.select(names).to_pylist()
        return rows

    def close(self) -> None:
        """Release the rows."""
        with self._lock:
            self.table = self.table.slice(0, 0)
            self._facets = Facets(self.table)
            self._lower.clear()
            self._hits = None

    def _narrow(self, question: str, by: str | None, filters: Filter) -> pa.Table:
        """Return the columns needed by a table, with filter-only columns reduced to one level or null.

        This makes counting faster without changing the result, as it does not matter which value meets a
        condition. Columns whose levels are shown stay unchanged, because unused levels are shown as well.
        """
        shown = [question, *([by] if by is not None else [])]
        columns = {
            name: self.table[name]
            for name in [*shown, *PROVENANCE, PROVENANCE_COLUMN]
            if name in self.table.column_names
        }
        for inner in filters.nested():
            for name, _ in inner.every_condition():
                if name in self.table.column_names:
                    columns.setdefault(name, self.table[name])
        for name, condition in filters.conditions:
            if name not in columns and name in self.table.column_names:
                columns[name] = self._chosen(name, condition)
        return pa.table(columns).replace_schema_metadata(self.table.schema.metadata)

    def _chosen(self, name: str, condition: Condition) -> Any:
        level = None
        levels: list[Any] = []
        if isinstance(condition, AnyOf | AllOf) and FIELDS[name].kind != "boolean":
            level = self._facets.one_met(name, condition)
            levels = [level, *(value for value in condition.values if value != level)]  # no value is unknown
        if level is None:
            return self.table[name]
        met = self._facets.meets(name, condition)
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(self.size, np.int8), mask=~met), levels)

    def _holding(self, question: str, typed: str) -> Bools:
        """Return whether each agent's answer contains the text; cached for the next cohort."""
        if self._hits is None or self._hits[0] != (question, typed):
            column = self.table[question]
            if typed:
                if question not in self._lower:
                    self._lower = {question: pc.utf8_lower(column)}
                holds = pc.fill_null(pc.match_substring(self._lower[question], typed.lower()), False)
            else:
                holds = column.is_valid()
            self._hits = ((question, typed), np.asarray(holds.to_numpy(zero_copy_only=False), dtype=np.bool_))
        return self._hits[1]

    def _is_measured(self, name: str) -> bool:
        """Return whether a column is numeric but not a scale, so that it has a mean and no levels."""
        kind = self.table[name].type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            return False
        row = QUESTION_TYPES.get((self.about.get(name) or {}).get("type", ""))
        if row is None or row.default_table == "by_values":
            return self._has_more_than(name, MOST_NUMBERS)
        return row.default_table == "means"

    def _is_coded(self, name: str) -> bool:
        kind = self.table[name].type
        if pa.types.is_dictionary(kind) or pa.types.is_list(kind) or pa.types.is_boolean(kind):
            return True
        if is_open((self.about.get(name) or {}).get("type")) or pa.types.is_temporal(kind):
            return False
        return self.table[name].null_count < self.size and not self._has_more_than(name, MOST_LEVELS)

    def _is_text(self, name: str) -> bool:
        kind = self.table[name].type
        return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))

    def _has_more_than(self, name: str, most: int) -> bool:
        column = self.table[name]
        return any(pc.count_distinct(part).as_py() > most for part in (column.slice(0, _FIRST), column))


def _table(data: Any, study: Any) -> pa.Table:
    """Return the data as an Arrow table with the metadata of the columns in its schema."""
    if isinstance(data, str | Path):
        with open_export(data) as export:
            return _table(export, study)
    if isinstance(data, Store):
        data = data.respondents(study)
    if isinstance(data, Survey):
        return _in_order(data.arrow())
    data = plain_data(data)
    if isinstance(data, duckdb.DuckDBPyRelation):
        about, note = comments(data)
        told = json.dumps({"columns": about, "source": note}).encode()
        return _in_order(data.to_arrow_table().replace_schema_metadata({b"voxpop": told}))
    if isinstance(data, pa.Table):
        return _in_order(data)
    if hasattr(data, "attrs") and hasattr(data, "columns"):
        told = json.dumps(data.attrs.get("voxpop") or {}).encode()
        table = pa.Table.from_pandas(data, preserve_index=False)
        return _in_order(table.replace_schema_metadata({b"voxpop": told}))
    raise UsageError(
        "people must be a store, the folder of an export, a DuckDB relation, an Arrow table or a DataFrame, "
        f"not {type(data).__name__}."
    )


def _in_order(table: pa.Table) -> pa.Table:
    """Return the rows in the order of their ids, so that quotes are reproducible."""
    key = next((one for one in ("agent_id", "agent_uuid") if one in table.column_names), None)
    if key is None:
        return table
    held = table[key].combine_chunks()
    if len(held) < 2 or pc.all(pc.less_equal(held[:-1], held[1:])).as_py():
        return table
    return table.take(pc.sort_indices(held))
