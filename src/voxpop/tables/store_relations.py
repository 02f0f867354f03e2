"""Frequently used relations: a study's answers, its response rates, and the data dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation

from voxpop.errors import UsageError
from voxpop.tables.columns import ViewSchema
from voxpop.tables.schema import (
    HEALTH_FIELDS,
    PROFILE_FIELDS,
    RATES,
    TABLES,
    VIEWS,
    TableSchema,
    literal,
    quote,
)
from voxpop.vocabulary import did_you_mean, nearest

_ANSWER = (
    *("response_text", "value_text", "value_number", "value_list", "option_order", "answered_at", "engine"),
    *("basis", "basis_note"),
)


def answers_of(cursor: DuckDBPyConnection, study_uuid: str, key: str | None) -> DuckDBPyRelation:
    """Return the answers of a study, or to one of its questions, by question and agent."""
    asked = [
        name
        for (name,) in cursor.execute(
            "SELECT key FROM questions WHERE study_uuid = ? ORDER BY position", [study_uuid]
        ).fetchall()
    ]
    if key is not None and key not in asked:
        near = did_you_mean(nearest(key, asked, cutoff=0.4)) or "."
        raise UsageError(f"The study has no question {key!r}{near} Its questions are {', '.join(asked)}.")
    only = "" if key is None else f" AND q.key = {literal(key)}"
    columns = ", ".join(f"a.{quote(name)}" for name in _ANSWER)
    return cursor.sql(
        f"SELECT q.key, a.agent_id, a.agent_uuid, {columns}, coalesce(s.removed, false) AS removed "
        "FROM answers a JOIN questions q USING (question_uuid, study_uuid) "
        "LEFT JOIN study_agents s USING (study_uuid, agent_uuid) "
        f"WHERE a.study_uuid = {literal(study_uuid)}{only} ORDER BY q.position, a.agent_id, a.agent_uuid"
    )


def rates_of(cursor: DuckDBPyConnection, study_uuid: str, by: str | Iterable[str]) -> DuckDBPyRelation:
    """Return the response rates of a study's questions, overall or per cohort."""
    fields = [by] if isinstance(by, str) else list(by)
    for name in fields:
        if name not in (*PROFILE_FIELDS, *HEALTH_FIELDS):
            near = did_you_mean(nearest(str(name), (*PROFILE_FIELDS, *HEALTH_FIELDS), cutoff=0.4)) or "."
            raise UsageError(f"by: agents have no field {name!r}{near}")
    cohort = "".join(f"{quote(name)}, " for name in fields)
    joined = "JOIN agents USING (agent_uuid) LEFT JOIN health_profiles USING (agent_uuid) " if fields else ""
    return cursor.sql(
        f"SELECT position, key, {cohort}{RATES} FROM responses {joined}"
        f"WHERE study_uuid = {literal(study_uuid)} GROUP BY ALL ORDER BY ALL"
    )


def dictionary(cursor: DuckDBPyConnection) -> DuckDBPyRelation:
    """Return one row per column of every table and view: type, key, unit, levels, meaning."""
    rows = [
        {
            "table": name,
            "column": column.name,
            "type": column.kind,
            "key": isinstance(schema, TableSchema) and column.name in schema.key,
            "unit": column.unit,
            "levels": list(column.levels) or None,
            "meaning": column.meaning,
        }
        for name, schema in _everything()
        for column in schema.columns
    ]
    names = ("table", "column", "type")
    shape = pa.schema(
        [(name, pa.string()) for name in names]
        + [("key", pa.bool_()), ("unit", pa.string()), ("levels", pa.list_(pa.string()))]
        + [("meaning", pa.string())]
    )
    return cursor.from_arrow(pa.Table.from_pylist(rows, schema=shape))


def _everything() -> Iterator[tuple[str, TableSchema | ViewSchema]]:
    yield from TABLES.items()
    yield from VIEWS.items()
