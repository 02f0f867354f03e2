"""The tables of the service's state, their keys and their indexes."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in time: aware in Python, UTC in the database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware datetime into UTC; a naive one is refused, because nobody knows its zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"A time without a zone cannot be stored: {value!r}.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give an aware UTC datetime, also where the database keeps no zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# SQLite numbers rows only in a column declared INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")
Json = JSON(none_as_null=True)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

organizations = Table(
    "organizations",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("created_at", UtcDateTime, nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("prefix", String(16), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("kind", String(8), nullable=False),
    Column("scopes", Json, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("revoked_at", UtcDateTime),
)

service_facts = Table(
    "service_facts",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

groups = Table(
    "groups",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("agent_count", Integer, nullable=False),
    Column("filters", Json, nullable=False),
    Column("sample_method", String(32), nullable=False),
    Column("seed", BigInteger),
    Column("shortfall", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("archived", Boolean, nullable=False),
)

group_members = Table(
    "group_members",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
)

studies = Table(
    "studies",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("group_id", ForeignKey("groups.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("objective", Text),
    Column("stage", String(16), nullable=False),
    Column("agent_count", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("completed_at", UtcDateTime),
    # In clear, unlike keys: the owner is shown the link again at every read of the share state.
    Column("share_token", String(64), unique=True),
)

study_agents = Table(
    "study_agents",
    metadata,
    Column("study_id", ForeignKey("studies.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
    Column("removed_at", UtcDateTime),
)

study_steps = Table(
    "study_steps",
    metadata,
    Column("study_id", ForeignKey("studies.id"), primary_key=True),
    Column("step", String(64), primary_key=True),
    Column("result", Json, nullable=False),
    Column("saved_at", UtcDateTime, nullable=False),
    # The study's data version that the step has seen; null until its job has ended.
    Column("data_version", String(64)),
)

questions = Table(
    "questions",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("study_id", ForeignKey("studies.id"), nullable=False),
    Column("key", String(64)),
    Column("text", Text, nullable=False),
    Column("type", String(16), nullable=False),
    Column("options", Json, nullable=False),
    Column("scale", Json),
    Column("unit", String(32)),
    Column("shuffle_options", Boolean, nullable=False),
    Column("asked_count", Integer, nullable=False),
    Column("answer_count", Integer, nullable=False),
    Column("failed_count", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("study_id", "key"),
)

work_items = Table(
    "work_items",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("study_id", ForeignKey("studies.id")),
    Column("question_id", ForeignKey("questions.id")),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_until", UtcDateTime),
    Column("started_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Index(None, "state", "id"),
    Index(None, "study_id", "state", "question_id"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("item_id", ForeignKey("work_items.id"), nullable=False, index=True),
    Column("status", String(8), nullable=False),
    # Of question jobs: whom to ask. What they answered stands in answers and nowhere else.
    Column("agent_id", BigInteger),
    # Of other jobs: what to do, how far it is, and what came out.
    Column("detail", Json),
    Column("done", Integer),
    Column("total", Integer),
    Column("result", Json),
    Column("error", Json),
    Column("finished_at", UtcDateTime),
)

answers = Table(
    "answers",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("study_id", ForeignKey("studies.id"), nullable=False),
    Column("question_id", ForeignKey("questions.id"), nullable=False),
    Column("agent_id", BigInteger, nullable=False),
    Column("job_id", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("value", Json),
    Column("option_order", Json),
    Column("answered_at", UtcDateTime, nullable=False),
    Column("engine", String(64), nullable=False),
    UniqueConstraint("question_id", "agent_id"),
    Index(None, "study_id", "id"),
)

research_group_requests = Table(
    "research_group_requests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("status", String(32), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("progress_message", Text, nullable=False),
    Column("request_text", Text, nullable=False),
    Column("group_size", Integer, nullable=False),
    Column("filters", Json),
    Column("screening", Json, nullable=False),
    Column("clarification", Json),
    Column("review", Json),
    Column("refusal", Json),
    Column("answers", Json, nullable=False),
    Column("seed", BigInteger),
    # How many candidates were asked and who of them stays: a screening that is broken off goes on here.
    Column("screened", Integer),
    Column("kept", Json, nullable=False),
    Column("group_id", ForeignKey("groups.id")),
    Column("job_id", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)
