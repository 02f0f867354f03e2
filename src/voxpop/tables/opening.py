"""Reading an export back: a store in memory, without a service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.errors import StoreError
from voxpop.tables import manifest
from voxpop.tables.layout import PARQUET
from voxpop.tables.rows import Row, moment, table_of
from voxpop.tables.schema import TABLES
from voxpop.tables.store import Store


def open_export(directory: str | Path) -> Store:
    """Open an export as a store in memory: the same tables, no service needed.

    Parameters
    ----------
    directory : str or Path
        Folder of an export. It is not checked here; :func:`voxpop.tables.verify` does that.

    Raises
    ------
    StoreError
        When the folder is no export, was made by a newer version, or cannot be read.
    """
    folder = Path(directory)
    manifest.read(folder)
    try:
        provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        data = {table.name: pq.read_table(folder / table.path) for table in PARQUET}
        rows = _rows(provenance, data)
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise StoreError(
            f"The export {folder} cannot be read: {error}. voxpop verify names what differs."
        ) from error
    store = Store()
    for name, held in rows.items():
        store.fill(name, held)
    return store


def _rows(provenance: Mapping[str, Any], data: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    study = {name: _timed(name, value) for name, value in provenance["study"].items()}
    belongs = {"study_uuid": study["study_uuid"]}
    asked = {item["key"]: item for item in provenance["questions"]}
    questions = [_question(row, asked[row["key"]]) | belongs for row in data["questions"].to_pylist()]
    uuids = {row["key"]: row["question_uuid"] for row in questions}
    runs = {(row["key"], row["agent_uuid"]): row for row in data["runs"].to_pylist()}
    answers = [
        row | runs.get((row["key"], row["agent_uuid"]), {}) | belongs | {"question_uuid": uuids[row["key"]]}
        for row in data["answers"].to_pylist()
    ]
    agents = data["agents"].to_pylist()
    made: dict[str, list[Row]] = {
        "studies": [study],
        "questions": questions,
        "answers": answers,
        "agents": agents,
        "health_profiles": [row for row in agents if row["has_health"]],
        "study_agents": [row | belongs for row in agents],
    }
    return {name: table_of(TABLES[name], held) for name, held in made.items()}


def _question(row: Row, origin: Mapping[str, Any]) -> Row:
    return row | {
        name: _timed(name, origin.get(name)) for name in ("question_uuid", "question_id", "created_at")
    }


def _timed(name: str, value: Any) -> Any:
    return moment(value) if name.endswith("_at") else value
