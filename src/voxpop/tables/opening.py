"""Opening an export as a store in memory, without a service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import StoreError
from voxpop.tables import attested, manifest
from voxpop.tables.layout import AGENTS, ANSWERS, QUESTIONS, RUNS, UNANSWERED
from voxpop.tables.people import WEIGHT_COLUMNS
from voxpop.tables.rows import Row, moment, table_of
from voxpop.tables.schema import TABLES, literal, quote
from voxpop.tables.store import Store
from voxpop.vocabulary.fields import FIELDS

_LATER = ("basis", "basis_note")
"""Columns of answers that exports of earlier versions lack."""


def open_export(directory: str | Path) -> Store:
    """Open an export as a store in memory, with the same tables and without a service.

    Parameters
    ----------
    directory : str or Path
        Folder of an export. It is not checked here; use :func:`voxpop.tables.verify`.

    Raises
    ------
    StoreError
        The folder is not an export, was created by a newer version, or cannot be read.

    Examples
    --------
    >>> open_export("nowhere")
    Traceback (most recent call last):
    voxpop.errors.StoreError: nowhere is not a voxpop export: it has no manifest.json.
    """
    folder = Path(directory)
    manifest.read(folder)
    store = Store()
    try:
        provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        for name, held in _tables(folder, provenance):
            store.fill(name, held)
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException, duckdb.Error) as error:
        store.close()
        raise StoreError(
            f"The export {folder} cannot be read: {error}. voxpop verify names what differs."
        ) from error
    return store


def _tables(folder: Path, provenance: Mapping[str, Any]) -> Iterator[tuple[str, pa.Table]]:
    study = {name: _timed(name, value) for name, value in provenance["study"].items()}
    belongs = {"study_uuid": study["study_uuid"]}
    asked = {item["key"]: item for item in provenance["questions"]}
    listed = pq.read_table(folder / QUESTIONS.path).to_pylist()
    questions = [_question(row, asked[row["key"]]) | belongs for row in listed]
    yield "studies", table_of(TABLES["studies"], [study])
    yield "questions", table_of(TABLES["questions"], questions)
    agents = pq.read_table(folder / AGENTS.path)
    agents = agents.append_column("study_uuid", _repeated(study["study_uuid"], agents.num_rows))
    yield "agents", _shaped(agents, "agents")
    yield "health_profiles", _shaped(agents.filter(agents["has_health"]), "health_profiles")
    yield "study_agents", _shaped(agents, "study_agents")
    with duckdb.connect() as database:
        names = [{name: row[name] for name in ("key", "question_uuid")} for row in questions]
        shape = pa.schema([("key", pa.string()), ("question_uuid", pa.string())])
        database.register("asked", pa.Table.from_pylist(names, schema=shape))
        yield "answers", _answers(database, folder, study["study_uuid"])
        yield "jobs", _jobs(database, folder, study["study_uuid"])
    if (folder / attested.NAME).is_file():
        signed = json.loads((folder / attested.NAME).read_text(encoding="utf-8"))
        text = json.dumps(signed, ensure_ascii=False, sort_keys=True)
        pulled = {"what": "study", "uuid": study["study_uuid"], "attestation": text}
        yield "pulls", table_of(TABLES["pulls"], [pulled])
    if group := provenance.get("group"):
        yield "groups", table_of(TABLES["groups"], [_group(group)])
    keys = {row["key"]: row["question_uuid"] for row in questions}
    files = [{**one, "question_uuid": keys[one["key"]]} for one in provenance.get("attachments", ())]
    yield "attachments", table_of(TABLES["attachments"], [_with_bytes(folder, one) for one in files])


def _group(told: Mapping[str, Any]) -> Row:
    filters = told.get("filters")
    text = None if filters is None else json.dumps(filters, ensure_ascii=False, sort_keys=True)
    return {name: _timed(name, value) for name, value in told.items()} | {"filters": text}


def _with_bytes(folder: Path, told: Row) -> Row:
    """Load an attached file, with its bytes if the export has them."""
    if re.fullmatch("[0-9a-f]{64}", str(told.get("sha256"))):  # any other path might lead outside the export
        for path in (folder / "attachments").glob(f"{told['sha256'][:16]}*"):
            return told | {"content": path.read_bytes()}
    return told


def _answers(database: DuckDBPyConnection, folder: Path, study_uuid: str) -> pa.Table:
    """Join the answers with their origin and their questions."""
    origin = {"question_uuid": "q.question_uuid", "study_uuid": literal(study_uuid)}
    held = pq.read_schema(folder / ANSWERS.path).names
    origin |= {name: "NULL" for name in _LATER if name not in held}
    columns = [
        f"{origin.get(name) or _side(name) + quote(name)} AS {quote(name)}"
        for name in TABLES["answers"].names
    ]
    joined = database.sql(
        f"SELECT {', '.join(columns)} FROM {_file(folder, ANSWERS.path)} a "
        f"LEFT JOIN {_file(folder, RUNS.path)} r USING (key, agent_uuid) LEFT JOIN asked q USING (key)"
    )
    return _shaped(joined.to_arrow_table(), "answers")


def _jobs(database: DuckDBPyConnection, folder: Path, study_uuid: str) -> pa.Table:
    """Rebuild the jobs without an answer from the reasons in the export."""
    if not (folder / UNANSWERED.path).exists():  # as written by the first versions
        return TABLES["jobs"].arrow.empty_table()
    found = database.sql(
        f"SELECT r.job_id, 'question' AS kind, CASE u.status WHEN 'failed' THEN 'failed' ELSE 'started' END "
        f"AS status, {literal(study_uuid)} AS study_uuid, q.question_uuid, u.agent_uuid, u.agent_id, "
        "u.error_code, u.error_message, r.answered_at AS finished_at "
        f"FROM {_file(folder, UNANSWERED.path)} u JOIN {_file(folder, RUNS.path)} r USING (key, agent_uuid) "
        "JOIN asked q USING (key)"
    )
    return _shaped(found.to_arrow_table(), "jobs")


def _side(name: str) -> str:
    return "r." if name in ("answer_id", "job_id", "answered_at") else "a."


def _file(folder: Path, path: str) -> str:
    return f"read_parquet({literal(str(folder / path))})"


def _shaped(table: pa.Table, name: str) -> pa.Table:
    schema = TABLES[name].arrow
    for field in schema:
        later = field.name in FIELDS or field.name in ("profile_provenance", *WEIGHT_COLUMNS)
        if later and field.name not in table.column_names:  # unknown to an older version
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)


def _repeated(text: str, times: int) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), times)


def _question(row: Row, origin: Mapping[str, Any]) -> Row:
    return row | {
        name: _timed(name, origin.get(name)) for name in ("question_uuid", "question_id", "created_at")
    }


def _timed(name: str, value: Any) -> Any:
    return moment(value) if name.endswith("_at") else value
