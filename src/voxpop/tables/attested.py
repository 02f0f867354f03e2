"""Attestations of studies: kept in a store, and compared with the data of an export."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from voxpop.errors import StoreError
from voxpop.tables.layout import AGENTS, ANSWERS, QUESTIONS, RUNS
from voxpop.tables.rows import record
from voxpop.tables.schema import KEYS
from voxpop.wire.attestations import FORMAT, FORMAT_VERSION, holds, key_bytes
from voxpop.wire.canonical import AnswersHasher, agents_content, question_sha256

NAME = "attestation.json"
"""Path of the attestation in an export."""

_SIGNED = ("statement", "signature", "public_key")
_WIRE = {"agent_id": "id", "agent_uuid": "uuid", "removed": "agent_removed", **KEYS}


def keep(cursor: DuckDBPyConnection, study_uuid: str, attestation: Any) -> bool:
    """Keep the attestation of a study with its last pull, until the study is saved again.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        Inside a transaction.
    study_uuid : str
    attestation : wire model or dict

    Returns
    -------
    bool
        Whether it was kept; false if its answers, questions or number of agents differ from the store.

    Raises
    ------
    StoreError
        The attestation is malformed, or its signature is invalid.
    """
    try:
        return _keep(cursor, study_uuid, record(attestation))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"The attestation cannot be read: {error!r}.") from error


def _keep(cursor: DuckDBPyConnection, study_uuid: str, attestation: Mapping[str, Any]) -> bool:
    signed = {name: attestation[name] for name in _SIGNED}
    statement = read_statement(signed)
    public = key_bytes(signed["public_key"])
    if not holds(signed["statement"], signed["signature"], public):
        raise StoreError("The service's signature of the study is invalid.")
    if statement is None or not _fits(cursor, study_uuid, statement):
        return False
    text = json.dumps(signed, ensure_ascii=False, sort_keys=True)
    query = "UPDATE pulls SET attestation = ? WHERE what = 'study' AND uuid = ? RETURNING uuid"
    return bool(cursor.execute(query, [text, study_uuid]).fetchall())


@dataclass(frozen=True, slots=True)
class Kept:
    """Attestation of a study in a store; ``pulled`` is false if it came with an export."""

    signed: dict[str, str]
    pulled: bool


def kept(cursor: DuckDBPyConnection, study_uuid: str) -> Kept | None:
    """Return the attestation of a study as it was kept."""
    query = (
        "SELECT attestation, pulled_at IS NOT NULL FROM pulls "
        "WHERE what = 'study' AND uuid = ? AND attestation IS NOT NULL"
    )
    found = cursor.execute(query, [study_uuid]).fetchall()
    return Kept(json.loads(found[0][0]), found[0][1]) if found else None


def read_statement(signed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the signed statement, or None if this version does not know its format.

    Raises
    ------
    StoreError
        The statement is malformed.
    """
    try:
        held = json.loads(signed["statement"])
        if held["format"] != FORMAT:
            raise ValueError(f"its format is {held['format']!r}")
        return dict(held) if held["format_version"] <= FORMAT_VERSION else None
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"The signed statement cannot be read: {error}.") from error


def differences(folder: Path, statement: Mapping[str, Any]) -> Iterator[str]:
    """Return the differences between an export and the statement signed by its service."""
    told = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))["study"]
    for name in ("uuid", "title", "objective"):
        held = told["study_uuid" if name == "uuid" else name]
        if held != statement["study"][name]:
            yield f"the {name} of the study is {held!r}; signed is {statement['study'][name]!r}"
    asked = pq.read_table(folder / QUESTIONS.path).sort_by("position").to_pylist()
    yield from _question_differences(asked, statement["questions"])
    keys = [question["key"] for question in asked]
    found = _answers(folder, keys)
    for key, signed in zip(keys, statement["questions"], strict=False):
        yield from _answer_differences(key, found[key].told, signed)
    if agents_of(folder) != statement["agents"]:
        yield f"{AGENTS.path}: the agents are not those that were signed"
    total = sum(one.told["answers"] for one in found.values())
    if total != statement["answers"]["count"]:
        yield f"{ANSWERS.path}: {total:,} answers; signed are {statement['answers']['count']:,}"


def agents_of(folder: Path) -> dict[str, Any]:
    """Return the digest of the agents of an export."""
    table = pq.read_table(folder / AGENTS.path).sort_by("agent_id")
    said = agents_content([table.rename_columns([_WIRE.get(name, name) for name in table.column_names])])
    return {"count": said.rows, "sha256": said.sha256}


def _fits(cursor: DuckDBPyConnection, study_uuid: str, statement: Mapping[str, Any]) -> bool:
    """Compare what is fast to compare; answers with the same id count as equal.

    The agent records are digested when an export is written, because a pull would have to wait for it.
    """
    query = "SELECT count(*), coalesce(max(answer_id), 0) FROM answers WHERE study_uuid = ?"
    held = cursor.execute(query, [study_uuid]).fetchall()[0]
    if held != (statement["answers"]["count"], statement["answers"]["last_id"]):
        return False
    query = "SELECT count(*) FROM study_agents WHERE study_uuid = ?"
    if cursor.execute(query, [study_uuid]).fetchall()[0][0] != statement["agents"]["count"]:
        return False
    asked = pa.concat_tables(QUESTIONS.read(cursor, study_uuid)).sort_by("position").to_pylist()
    return not list(_question_differences(asked, statement["questions"]))


def _question_differences(
    asked: Sequence[Mapping[str, Any]], signed: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    if len(asked) != len(signed):
        yield f"{QUESTIONS.path}: {len(asked)} questions; signed are {len(signed)}"
    for held, told in zip(asked, signed, strict=False):
        if told["key"] is not None and held["key"] != told["key"]:
            place, key = told["position"], told["key"]
            yield f"{QUESTIONS.path}: question {place} is {held['key']!r}; signed is {key!r}"
        elif question_sha256(held) != told["question_sha256"]:
            yield f"{QUESTIONS.path}: the words of {held['key']!r} are not those that were signed"


def _answer_differences(key: str, held: Mapping[str, Any], signed: Mapping[str, Any]) -> Iterator[str]:
    if held["answers"] != signed["answers"]:
        yield f"{ANSWERS.path}: {held['answers']:,} answers to {key!r}; signed are {signed['answers']:,}"
    elif held["answers_sha256"] != signed["answers_sha256"]:
        yield f"{ANSWERS.path}: the answers to {key!r} are not those that were signed"
    if held["runs_sha256"] != signed["runs_sha256"]:
        yield f"{RUNS.path}: numbers, jobs or times of the answers to {key!r} are not those that were signed"


def _answers(folder: Path, keys: Sequence[str]) -> dict[str, AnswersHasher]:
    """Return the digests of the answers by question, read in row groups."""
    hashers = {key: AnswersHasher() for key in keys}
    for key, rows in _by_key(folder / ANSWERS.path):
        hashers.setdefault(key, AnswersHasher()).add_answers(rows)
    for key, rows in _by_key(folder / RUNS.path):
        hashers.setdefault(key, AnswersHasher()).add_runs(rows.filter(rows["answer_id"].is_valid()))
    return hashers


def _by_key(path: Path) -> Iterator[tuple[str, pa.Table]]:
    """Yield the rows of a file in pieces of one question each, in file order."""
    with pq.ParquetFile(path) as file:
        for place in range(file.num_row_groups):
            rows = file.read_row_group(place)
            if rows.num_rows == 0:
                continue
            codes = rows["key"].combine_chunks().dictionary_encode()
            codes = codes.chunk(0) if isinstance(codes, pa.ChunkedArray) else codes
            changes = np.flatnonzero(np.diff(codes.indices.to_numpy())) + 1
            for first, end in pairwise([0, *changes.tolist(), rows.num_rows]):
                yield rows["key"][first].as_py(), rows.slice(first, end - first)
