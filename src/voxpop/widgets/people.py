"""The people that an explorer looks at: their columns, and counts by value under a filter, at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from voxpop.analysis.store_view import comments
from voxpop.errors import UsageError
from voxpop.tables import Store, open_export
from voxpop.tables.schema import literal, quote
from voxpop.vocabulary import FIELDS, AllOf, Between, Condition, Filter
from voxpop.vocabulary.fields import Field
from voxpop.vocabulary.values import levels_of
from voxpop.widgets.live_counts import LiveCounts

MOST_LEVELS = 60
"""How many values a column may have that is offered as a question or to compare by."""

MOST_ENUM = 5_000
"""How many values a category may have that is held as an ENUM."""

_PROVENANCE = ("source", "method_version", "calibration_version", "reference_version", "population_version")
_OF_AGENTS = frozenset(
    {"agent_uuid", "agent_id", "study_uuid", "uuid", "id", "name", "summary", "city", "position", "removed"}
    | {f"{prefix}{name}" for prefix in ("", "health_") for name in _PROVENANCE}
)


class People:
    """One row per agent, held in memory, with what is known of its columns.

    Parameters
    ----------
    data : Store, path of an export, DuckDB relation, Arrow table or DataFrame
        What is looked at. It is copied, and not changed.
    study : study, its UUID, number or title, optional
        Which study of a store; it need not be named where there is one only.
    """

    def __init__(self, data: Any, study: Any = None) -> None:
        self.table = _table(data, study)
        told = json.loads((self.table.schema.metadata or {}).get(b"voxpop", b"{}"))
        self.about: Mapping[str, Any] = told.get("columns", {})
        self._lock = threading.Lock()
        self._values: dict[str, list[str]] = {}
        self._database = duckdb.connect()
        held = self._database.from_arrow(self.table.replace_schema_metadata(None))
        kinds = dict(zip(held.columns, map(str, held.types), strict=True))
        self._database.execute(f"CREATE TABLE people AS SELECT * {_as_enums(held, kinds)} FROM held")
        self.fields: tuple[Field, ...] = tuple(one for name, one in FIELDS.items() if name in kinds)
        asked = [name for name in kinds if name not in FIELDS and name not in _OF_AGENTS]
        self.questions = {name: self.words(name) for name in asked if self._is_coded(name, kinds[name])}
        self.open = {
            name: self.words(name)
            for name in asked
            if name not in self.questions and kinds[name] == "VARCHAR"
        }

    def words(self, name: str) -> str:
        """Return the words of a question, or its column's name."""
        known = self.about.get(name) or {}
        return str(known.get("text") or known.get("question") or known.get("label") or name)

    def count(self, filters: Filter, names: Sequence[str]) -> LiveCounts:
        """Count the agents of a filter, and the values of fields under the conditions on all others."""
        with self._lock:
            total = self._one(f"SELECT count(*) FROM people WHERE {condition_sql(filters, self._stored)}")
            values: dict[str, dict[str, int]] = {}
            ranges: dict[str, tuple[float | None, float | None]] = {}
            for name in names:
                others = filters.replace(name, None) if filters.match == "all" else Filter()
                where, column = condition_sql(others, self._stored), quote(name)
                if FIELDS[name].kind == "range":
                    found = self._rows(f"SELECT min({column}), max({column}) FROM people WHERE {where}")
                    ranges[name] = found[0]
                    continue
                held = f"unnest({column})" if FIELDS[name].kind == "list" else column
                rows = self._rows(f"SELECT {held} AS v, count(*) FROM people WHERE {where} GROUP BY v")
                counted = {_text(value): number for value, number in rows if value is not None}
                values[name] = dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))
        return LiveCounts(filters, total, values, ranges)

    def answers(
        self, question: str, filters: Filter, typed: str, limit: int
    ) -> tuple[int, list[dict[str, Any]]]:
        """Return how many answers to an open question hold what was typed, and some of them."""
        column = quote(question)
        where = f"{condition_sql(filters, self._stored)} AND {column} IS NOT NULL"
        if typed.strip():
            where += f" AND contains(lower({column}), lower({literal(typed.strip())}))"
        there = self.table.column_names
        names = [one for one in ("age", "gender", "state", "country", "occupation") if one in there]
        order = next((one for one in ("agent_id", "agent_uuid") if one in there), question)
        with self._lock:
            total = self._one(f"SELECT count(*) FROM people WHERE {where}")
            chosen = ", ".join([f"{column} AS answer", *map(quote, names)])
            found = self._rows(
                f"SELECT {chosen} FROM people WHERE {where} ORDER BY {quote(order)} LIMIT {limit}"
            )
        return total, [dict(zip(["answer", *names], row, strict=True)) for row in found]

    def close(self) -> None:
        """Let the rows go."""
        with self._lock:
            self._database.close()

    def _is_coded(self, name: str, kind: str) -> bool:
        if kind.startswith("ENUM") or kind.endswith("[]") or kind in ("BOOLEAN",):
            return True
        if (self.about.get(name) or {}).get("type") == "open":
            return False
        levels = self._one(f"SELECT count(DISTINCT {quote(name)}) FROM people")
        return bool(0 < levels <= MOST_LEVELS and not kind.startswith(("TIMESTAMP", "DATE")))

    def _stored(self, name: str) -> list[str]:
        """Return the values that a column holds; they do not change, so they are read once."""
        if name not in self._values:
            held = f"unnest({quote(name)})" if FIELDS[name].kind == "list" else quote(name)
            rows = self._rows(f"SELECT DISTINCT CAST({held} AS VARCHAR) AS v FROM people ORDER BY v")
            self._values[name] = [value for (value,) in rows if value is not None]
        return self._values[name]

    def _rows(self, text: str) -> list[tuple[Any, ...]]:
        return self._database.execute(text).fetchall()

    def _one(self, text: str) -> int:
        return int(self._rows(text)[0][0])


def _as_enums(held: duckdb.DuckDBPyRelation, kinds: Mapping[str, str]) -> str:
    """Return the clause that turns categories into ENUMs, which are counted several times as fast as text."""
    made = []
    for name, kind in kinds.items():
        if name in FIELDS and kind == "VARCHAR":
            column = quote(name)
            levels = (
                held.filter(f"{column} IS NOT NULL")
                .project(f"{column} AS v")
                .distinct()
                .order("v")
                .fetchall()
            )
            if 0 < len(levels) <= MOST_ENUM:
                kind = f"ENUM({', '.join(literal(level) for (level,) in levels)})"
                made.append(f"CAST({column} AS {kind}) AS {column}")
    return f"REPLACE ({', '.join(made)})" if made else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def condition_sql(filters: Filter, stored: Callable[[str], Iterable[str]]) -> str:
    """Return a filter as a condition on the columns of people.

    Parameters
    ----------
    filters : Filter
        The filter.
    stored : callable
        Gives the values that a column holds: they are compared as they are, which is quick.

    Examples
    --------
    >>> from voxpop.vocabulary import where
    >>> print(condition_sql(where(gender="Female"), lambda name: ["male", "female"]))
    ((coalesce("gender" IN ('female'), false)))
    """
    join = " AND " if filters.match == "all" else " OR "
    parts = [_condition(name, condition, stored) for name, condition in filters.conditions]
    return f"({join.join(parts)})" if parts else "true"


def _condition(name: str, condition: Condition, stored: Callable[[str], Iterable[str]]) -> str:
    field, column = FIELDS[name], quote(name)
    if isinstance(condition, Between):
        ends = ((">=", condition.min), ("<=", condition.max))
        return f"({' AND '.join(f'{column} {sign} {bound!r}' for sign, bound in ends if bound is not None)})"
    hits = []
    for value in condition.values:
        if isinstance(value, bool):
            hits.append(f"{column} = {str(value).lower()}")
            continue
        wanted = {level.casefold() for level in levels_of(field, value)}
        levels = ", ".join(literal(one) for one in stored(name) if one.casefold() in wanted)
        if not levels:
            hits.append("false")
        elif field.kind == "list":
            hits.append(f"list_has_any(CAST({column} AS VARCHAR[]), [{levels}])")
        else:
            hits.append(f"{column} IN ({levels})")
    join = " AND " if isinstance(condition, AllOf) else " OR "
    return f"(coalesce({join.join(hits)}, false))"


def _table(data: Any, study: Any) -> pa.Table:
    """Return the people as an Arrow table whose metadata say what is known of the columns."""
    if isinstance(data, str | Path):
        with open_export(data) as export:
            return _table(export, study)
    if isinstance(data, Store):
        data = data.respondents(study)
    if isinstance(data, duckdb.DuckDBPyRelation):
        about, note = comments(data)
        told = json.dumps({"columns": about, "source": note}).encode()
        return data.to_arrow_table().replace_schema_metadata({b"voxpop": told})
    if isinstance(data, pa.Table):
        return data
    if hasattr(data, "attrs") and hasattr(data, "columns"):
        told = json.dumps(data.attrs.get("voxpop") or {}).encode()
        return pa.Table.from_pandas(data, preserve_index=False).replace_schema_metadata({b"voxpop": told})
    raise UsageError(
        "people must be a store, the folder of an export, a DuckDB relation, an Arrow table or a DataFrame, "
        f"not {type(data).__name__}."
    )
