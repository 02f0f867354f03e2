"""The data dictionary: every table and column of a store with type, key, unit, levels and meaning.

DuckDB's DDL, the Arrow schemas, the codebook of an export and the printed dictionary are made from here.
Fields of the vocabulary with fixed levels are ENUM columns that keep the order of the levels. A service may
know more levels than this version; :meth:`voxpop.tables.Store.save_study` then widens the ENUM, so that no
value is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import pyarrow as pa

from voxpop.vocabulary.fields import FIELDS

SCHEMA_VERSION = 1
"""Raised by one when a table changes; a store of a newer version is refused."""

Kind = Literal["text", "level", "boolean", "integer", "number", "time", "texts", "integers"]

QUESTION_TYPES = ("open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking")
YES_NO = ("yes", "no")

_SQL: Mapping[Kind, str] = {
    "text": "VARCHAR",
    "level": "VARCHAR",  # without levels; with them it is an ENUM
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "time": "TIMESTAMP",  # always UTC: plain, so that no session and no time zone library changes it
    "texts": "VARCHAR[]",
    "integers": "BIGINT[]",
}
_ARROW: Mapping[Kind, pa.DataType] = {
    "text": pa.string(),
    "level": pa.string(),
    "boolean": pa.bool_(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "time": pa.timestamp("us"),
    "texts": pa.list_(pa.string()),
    "integers": pa.list_(pa.int64()),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, kind and meaning; ``levels`` in order, ``()`` when they are open."""

    name: str
    kind: Kind
    meaning: str
    levels: tuple[str, ...] = ()
    unit: str | None = None

    @property
    def sql(self) -> str:
        """Return the DuckDB type."""
        return enum(self.levels) if self.kind == "level" and self.levels else _SQL[self.kind]

    @property
    def arrow(self) -> pa.DataType:
        """Return the Arrow type; levels travel as text."""
        return _ARROW[self.kind]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: its columns in order and the ones that tell its rows apart.

    ``indexed`` tables have their key as PRIMARY KEY. The index of millions of answers would take more memory
    than the answers and halve the speed of a pull, so :mod:`voxpop.tables.writing` keeps their keys unique.
    """

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    indexed: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Return the column names in order."""
        return tuple(column.name for column in self.columns)

    @property
    def arrow(self) -> pa.Schema:
        """Return the Arrow schema of the table's rows."""
        return pa.schema([pa.field(column.name, column.arrow) for column in self.columns])

    @property
    def ddl(self) -> str:
        """Return the ``CREATE TABLE`` statement."""
        lines = [f"{quote(column.name)} {column.sql}" for column in self.columns]
        if self.indexed:
            lines.append(f"PRIMARY KEY ({', '.join(map(quote, self.key))})")
        return f"CREATE TABLE {quote(self.name)} ({', '.join(lines)})"

    def __getitem__(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)


def quote(name: str) -> str:
    """Write a name as an SQL identifier.

    Examples
    --------
    >>> quote("age")
    '"age"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Write a text as an SQL literal.

    Examples
    --------
    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def enum(levels: Iterable[str]) -> str:
    """Write the ENUM type of some levels, in their order."""
    return f"ENUM({', '.join(map(literal, levels))})"


def _field(name: str) -> Column:
    field = FIELDS[name]
    kinds: Mapping[str, Kind] = {"category": "level", "boolean": "boolean", "list": "texts"}
    kind = kinds.get(field.kind) or ("integer" if field.integer else "number")
    return Column(name, kind, field.meaning, tuple(field.levels), field.unit)


_HEALTH = tuple(name for name, field in FIELDS.items() if field.group == "health")
_PROFILE = tuple(name for name, field in FIELDS.items() if field.group != "health")

_STUDIES = TableSchema(
    "studies",
    "One row per study, with the service and the population it came from.",
    ("study_uuid",),
    (
        Column("study_uuid", "text", "The study's UUID."),
        Column("study_id", "integer", "The study's number at its service."),
        Column("title", "text", "The study's title."),
        Column("objective", "text", "What the study is to find out."),
        Column("stage", "text", "active, completing or completed, when it was last pulled."),
        Column("research_group_uuid", "text", "The group that is asked."),
        Column("agent_count", "integer", "Agents in the study, without removed ones.", unit="agents"),
        Column("question_count", "integer", "Questions asked so far.", unit="questions"),
        Column("created_at", "time", "When it was created, UTC."),
        Column("completed_at", "time", "When it was completed, UTC; missing before."),
        Column("service_url", "text", "The service's address, without keys."),
        Column("service_version", "text", "The service's version."),
        Column("population", "text", "Name or version of the population the agents come from."),
    ),
)
_QUESTIONS = TableSchema(
    "questions",
    "One row per question of a study.",
    ("question_uuid",),
    (
        Column("question_uuid", "text", "The question's UUID."),
        Column("study_uuid", "text", "The study it belongs to."),
        Column("question_id", "integer", "The question's number at its service."),
        Column("position", "integer", "Order of asking, from 1."),
        Column("key", "text", "The variable's name; q1, q2 … where the service has none."),
        Column("text", "text", "The question's words."),
        Column("type", "level", "How it is answered.", QUESTION_TYPES),
        Column("options", "texts", "What can be chosen or ranked, in order."),
        Column("scale_min", "integer", "Lowest point of a scale."),
        Column("scale_max", "integer", "Highest point of a scale."),
        Column("scale_min_label", "text", "What the lowest point means."),
        Column("scale_max_label", "text", "What the highest point means."),
        Column("unit", "text", "Unit of a number."),
        Column("shuffle_options", "boolean", "Whether each agent saw its own order of options."),
        Column("asked_count", "integer", "Agents asked.", unit="agents"),
        Column("answer_count", "integer", "Agents that answered.", unit="agents"),
        Column("failed_count", "integer", "Agents that failed to answer.", unit="agents"),
        Column("created_at", "time", "When it was asked, UTC."),
    ),
)
_ANSWERS = TableSchema(
    "answers",
    "One row per question and agent that answered. Answers are simulated, not evidence about people.",
    ("question_uuid", "agent_uuid"),
    (
        Column("question_uuid", "text", "The question."),
        Column("agent_uuid", "text", "The agent."),
        Column("study_uuid", "text", "The study."),
        Column("agent_id", "integer", "The agent's number."),
        Column("answer_id", "integer", "The answer's number at its service."),
        Column("job_id", "text", "The job that made it."),
        Column("response_text", "text", "The answer in the agent's words."),
        Column("value_text", "text", "Coded answer of yes/no ('yes', 'no') and single-choice questions."),
        Column(
            "value_number", "number", "Coded answer of scale and number questions, in the question's unit."
        ),
        Column(
            "value_list", "texts", "Coded answer of multi-choice and ranking questions, in the order given."
        ),
        Column("option_order", "integers", "The order in which the agent saw the options, positions from 0."),
        Column("answered_at", "time", "When it was given, UTC."),
        Column("engine", "text", "Which engine made it."),
    ),
    indexed=False,
)
_AGENTS = TableSchema(
    "agents",
    "One row per agent: who it is.",
    ("agent_uuid",),
    (
        Column("agent_uuid", "text", "The agent's UUID."),
        Column("agent_id", "integer", "The agent's number in its population."),
        Column("name", "text", "An invented name."),
        Column("city", "text", "City, where the service tells one."),
        *(_field(name) for name in _PROFILE),
        Column("summary", "text", "Who the agent is, in a sentence or two."),
    ),
)
_HEALTH_PROFILES = TableSchema(
    "health_profiles",
    "One row per agent with health data. An agent without a row has none assigned: never 'no condition'.",
    ("agent_uuid",),
    (
        Column("agent_uuid", "text", "The agent."),
        *(_field(name) for name in _HEALTH),
        Column("source", "text", "Provenance: where the figures come from."),
        Column("method_version", "text", "Provenance: how the values were assigned."),
        Column("calibration_version", "text", "Provenance: which figures they were fitted to."),
        Column("reference_version", "text", "Provenance: which edition of the reference figures."),
    ),
)
_STUDY_AGENTS = TableSchema(
    "study_agents",
    "One row per study and agent that is or was in it.",
    ("study_uuid", "agent_uuid"),
    (
        Column("study_uuid", "text", "The study."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("position", "integer", "Place in the group, from 1."),
        Column("removed", "boolean", "Whether the agent was removed; its earlier answers stay."),
    ),
)

TABLES: Mapping[str, TableSchema] = MappingProxyType(
    {
        table.name: table
        for table in (_STUDIES, _QUESTIONS, _ANSWERS, _AGENTS, _HEALTH_PROFILES, _STUDY_AGENTS)
    }
)
"""Every table of a store by its name."""

PROFILE_FIELDS = _PROFILE
HEALTH_FIELDS = _HEALTH
PROVENANCE_FIELDS = ("source", "method_version", "calibration_version", "reference_version")
