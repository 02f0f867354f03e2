"""Metadata that a store attaches to its respondents: question wordings, source, and who was not asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from voxpop.survey.sql import literal, quote

_VIEW = "respondents_"
_NEEDED = ("questions", "responses", "study_agents")
_COUNTED = (
    "SELECT count(DISTINCT name) FROM (SELECT view_name AS name FROM duckdb_views() "
    f"UNION SELECT table_name FROM duckdb_tables()) WHERE name IN {_NEEDED!r}"
)


def comments(data: duckdb.DuckDBPyRelation) -> tuple[dict[str, Any], str]:
    """Return the metadata of the columns of a store's view, and the source of the data.

    Other relations have no metadata.
    """
    view = "'" + data.alias.replace("'", "''") + "'"
    nothing = data.limit(0)
    columns = _ask(
        nothing,
        f"SELECT column_name, comment FROM duckdb_columns() WHERE table_name = {view} AND comment LIKE '{{%'",
    )
    notes = _ask(
        nothing, f"SELECT comment FROM duckdb_views() WHERE view_name = {view} AND comment IS NOT NULL"
    )
    return {name: json.loads(comment) for name, comment in columns}, notes[0][0] if notes else ""


def with_words(data: duckdb.DuckDBPyRelation) -> pa.Table:
    """Return a relation as an Arrow table with the store's metadata in its schema."""
    columns, source = comments(data)
    table = data.to_arrow_table()
    if not (columns or source):
        return table
    told = json.dumps({"columns": columns, "source": source}, ensure_ascii=False, sort_keys=True)
    return table.replace_schema_metadata({**(table.schema.metadata or {}), b"voxpop": told.encode()})


def mark_unasked(data: Any, names: Sequence[str]) -> tuple[Any, Mapping[str, str]]:
    """Add a column to a store's respondents for each question that some were not asked.

    Parameters
    ----------
    data : DuckDB relation or anything else
        ``store.respondents(study)``, or a selection of its rows; other data are returned unchanged.
    names : sequence of str
        The columns needed by a table.

    Returns
    -------
    data, columns
        The data, and per question the name of the column that is true for those not asked.
    """
    if not isinstance(data, duckdb.DuckDBPyRelation) or not data.alias.startswith(_VIEW):
        return data, {}
    if "agent_uuid" not in data.columns or _ask(data, _COUNTED)[0][0] < len(_NEEDED):
        return data, {}
    study = f"replace(study_uuid, '-', '') = {literal(data.alias.split('_')[1])}"
    told = _ask(
        data,
        f"SELECT key FROM questions WHERE {study} AND asked_count < "
        f"(SELECT count(*) FROM study_agents WHERE {study}) ORDER BY position",
    )
    keys = {name: key for (key,) in told for name in (key, f"{key}_answer") if name in names}
    if not keys:
        return data, {}
    marked = {name: f"{name}: not asked" for name in keys}
    added = [
        f"agent_uuid IN (SELECT agent_uuid FROM responses WHERE {study} AND key = {literal(key)} "
        f"AND status = 'not_asked') AS {quote(marked[name])}"
        for name, key in keys.items()
    ]
    return data.project(", ".join(["*", *added])), marked


def _ask(data: duckdb.DuckDBPyRelation, query: str) -> list[Any]:
    """Run a query on the database of a relation."""
    answer = data.limit(0).query("voxpop_nothing", query)
    return [] if answer is None else answer.fetchall()
