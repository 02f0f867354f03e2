"""Layout of an export: the published tables with their columns, keys and queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.tables.schema import (
    HEALTH_FIELDS,
    PROVENANCE_FIELDS,
    RESPONSE_STATUS,
    TABLES,
    Column,
    literal,
    quote,
)

FORMAT = "voxpop-export"
FORMAT_VERSION = 2
FILES_VERSION = 2
"""Version of the files made of the data; raised when the same data give other files, such as more labels."""
ROW_GROUP = 131_072
"""Rows per Parquet row group, and the maximum held in memory during an export."""

_AGENT = "agent_id"
_SORTED = 2 * ROW_GROUP
"""Maximum number of rows to sort at once."""


@dataclass(frozen=True, slots=True)
class Published:
    """One Parquet file of an export: its columns in order, and the unique key by which it is sorted.

    A ``wide`` file is sorted question by question, so that only the texts of one question are in memory.
    """

    name: str
    path: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    source: str
    wide: bool = False

    @property
    def arrow(self) -> pa.Schema:
        """Arrow schema of the rows."""
        return pa.schema([pa.field(column.name, column.arrow) for column in self.columns])

    def read(self, cursor: DuckDBPyConnection, study_uuid: str) -> Iterator[pa.Table]:
        """Yield the rows of a study from a store, in key order, ``ROW_GROUP`` at once; at least one part.

        Each part is one contiguous piece of memory, because chunk boundaries would change the bytes of a
        Parquet file.
        """
        held: list[pa.RecordBatch] = []
        for batch in self._batches(cursor, study_uuid):
            held.append(batch)
            while sum(part.num_rows for part in held) >= ROW_GROUP:
                whole = pa.Table.from_batches(held)
                yield whole.slice(0, ROW_GROUP).cast(self.arrow).combine_chunks()
                held = whole.slice(ROW_GROUP).to_batches()
        rest = pa.Table.from_batches(held) if held else self.arrow.empty_table()
        yield rest.cast(self.arrow).combine_chunks()

    def _batches(self, cursor: DuckDBPyConnection, study_uuid: str) -> Iterator[pa.RecordBatch]:
        columns = ", ".join(f"{_plain(column)} AS {quote(column.name)}" for column in self.columns)
        order = ", ".join(f"{quote(name)} NULLS FIRST" for name in self.key)
        parts = [""]
        if self.wide:
            asked = cursor.execute(
                "SELECT question_uuid FROM questions WHERE study_uuid = ? ORDER BY key", [study_uuid]
            ).fetchall()
            parts = [f" AND question_uuid = {literal(uuid)}" for (uuid,) in asked]
        for part in parts:
            source = self.source.format(study=literal(study_uuid), only=part)
            for stretch in self._stretches(cursor, source):
                rows = cursor.sql(f"SELECT {columns} FROM ({source}) WHERE {stretch} ORDER BY {order}")
                yield from rows.to_arrow_reader(ROW_GROUP)

    def _stretches(self, cursor: DuckDBPyConnection, source: str) -> list[str]:
        """Return conditions that split the agents into consecutive ranges, so that each sort stays small."""
        if not self.wide and self.key[0] != _AGENT:
            return ["true"]
        held = cursor.sql(f"SELECT {_AGENT} FROM ({source}) WHERE {_AGENT} IS NOT NULL").to_arrow_table()
        ends = np.sort(held[_AGENT].to_numpy())[_SORTED::_SORTED].tolist()
        if not ends:
            return ["true"]
        between = [f"{_AGENT} > {low} AND {_AGENT} <= {high}" for low, high in pairwise(ends) if low < high]
        return [f"({_AGENT} IS NULL OR {_AGENT} <= {ends[0]})", *between, f"{_AGENT} > {ends[-1]}"]


def _plain(column: Column) -> str:
    return f"{quote(column.name)}::VARCHAR" if column.kind == "level" else quote(column.name)


def _columns(table: str, *without: str) -> tuple[Column, ...]:
    return tuple(column for column in TABLES[table].columns if column.name not in without)


_KEY = Column("key", "text", "The question's key, as in questions.")
_ANSWER_KEY = (_KEY, TABLES["answers"]["agent_id"], TABLES["answers"]["agent_uuid"])
_ANSWERS = (
    "SELECT q.key, a.* FROM answers a JOIN questions q USING (question_uuid, study_uuid) "
    "WHERE a.study_uuid = {study}{only}"
)

AGENTS = Published(
    "agents",
    "data/agents.parquet",
    "One row per agent that is or was in the study, with its health data.",
    ("agent_id", "agent_uuid"),
    (
        TABLES["agents"]["agent_id"],
        *_columns("agents", "agent_id"),
        Column(
            "has_health",
            "boolean",
            "Whether the agent has health data; if not, all health columns are missing.",
        ),
        *(TABLES["health_profiles"][name] for name in (*HEALTH_FIELDS, *PROVENANCE_FIELDS)),
        TABLES["study_agents"]["position"],
        TABLES["study_agents"]["removed"],
        TABLES["study_agents"]["inclusion_probability"],
        TABLES["study_agents"]["design_weight"],
        TABLES["study_agents"]["arm"],
    ),
    "SELECT a.*, h.agent_uuid IS NOT NULL AS has_health, h.* EXCLUDE (agent_uuid), s.position, s.removed, "
    "s.inclusion_probability, s.design_weight, s.arm "
    "FROM study_agents s JOIN agents a USING (agent_uuid) LEFT JOIN health_profiles h USING (agent_uuid) "
    "WHERE s.study_uuid = {study}",
)
QUESTIONS = Published(
    "questions",
    "data/questions.parquet",
    "One row per question, in the order asked.",
    ("position", "key"),
    _columns("questions", "question_uuid", "study_uuid", "question_id", "created_at"),
    "SELECT * FROM questions WHERE study_uuid = {study}",
)
ANSWERS = Published(
    "answers",
    "data/answers.parquet",
    TABLES["answers"].meaning,
    ("key", "agent_id", "agent_uuid"),
    (
        *_ANSWER_KEY,
        *_columns(
            "answers",
            *("question_uuid", "study_uuid", "agent_id", "agent_uuid", "answer_id", "job_id", "answered_at"),
        ),
    ),
    _ANSWERS,
    wide=True,
)
UNANSWERED = Published(
    "unanswered",
    "data/unanswered.parquet",
    "One row per question and agent without an answer: failed, outstanding, not_asked or unknown.",
    ("key", "agent_id", "agent_uuid"),
    (
        *_ANSWER_KEY,
        Column("status", "level", "Status of the agent's answer.", RESPONSE_STATUS),
        Column("error_code", "text", "The kind of failure; missing if it did not fail."),
        Column("error_message", "text", "The error message, one sentence."),
    ),
    "SELECT * FROM responses WHERE study_uuid = {study}{only} AND status NOT IN ('answered', 'no_value')",
    wide=True,
)
RUNS = Published(
    "runs",
    "provenance/answers.parquet",
    "Ids and times of answers and failures at the service. Another run of the study gives other values.",
    ("key", "agent_id", "agent_uuid"),
    (*_ANSWER_KEY, *(TABLES["answers"][name] for name in ("answer_id", "job_id", "answered_at"))),
    f"SELECT key, agent_id, agent_uuid, answer_id, job_id, answered_at FROM ({_ANSWERS}) UNION ALL "
    "SELECT q.key, j.agent_id, j.agent_uuid, NULL, j.job_id, j.finished_at FROM jobs j "
    "JOIN questions q USING (question_uuid, study_uuid) WHERE j.study_uuid = {study}{only} "
    "AND NOT EXISTS (FROM answers a WHERE a.question_uuid = j.question_uuid "
    "AND a.agent_uuid = j.agent_uuid{only}) "
    "QUALIFY row_number() OVER (PARTITION BY q.key, j.agent_uuid ORDER BY j.status DESC, j.job_id) = 1",
    wide=True,
)

DATA = (AGENTS, ANSWERS, QUESTIONS, UNANSWERED)
"""The data tables of a study."""

FOREIGN = {
    "answers": {"key": "questions", "agent_uuid": "agents"},
    "unanswered": {"key": "questions", "agent_uuid": "agents"},
}
"""Columns that refer to rows of another table, which has a column of the same name."""

PARQUET = (*DATA, RUNS)
