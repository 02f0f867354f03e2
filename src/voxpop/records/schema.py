"""The tables of the service's state, their keys and their indexes."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from voxpop.records.append_only import protect
from voxpop.records.columns import BigId, Json, UtcDateTime
from voxpop.records.columns import metadata as metadata  # importing this module fills it with tables

organizations: Table = Table(
    "organizations",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("created_at", UtcDateTime, nullable=False),
)

api_keys: Table = Table(
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

key_minutes: Table = Table(
    "key_minutes",
    metadata,
    Column("key_id", ForeignKey("api_keys.id"), primary_key=True),
    # Minutes since 1970 and the calls in that minute; a new minute overwrites the last one.
    Column("minute", BigInteger, nullable=False),
    Column("used", Integer, nullable=False),
)

service_facts: Table = Table(
    "service_facts",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

groups: Table = Table(
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
    # How the members were drawn, beyond the columns before; null for groups of named agents.
    Column("sampling", Json),
)

group_members: Table = Table(
    "group_members",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
    Column("inclusion_probability", Float),
    Column("design_weight", Float),
    Column("replaces", BigInteger),
)

group_departures: Table = Table(
    "group_departures",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", UtcDateTime, nullable=False),
    Column("inclusion_probability", Float),
    Column("design_weight", Float),
    Column("replaced_by", BigInteger),
)

studies: Table = Table(
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
    # In clear text, unlike keys: reading the share state shows the link again.
    Column("share_token", String(64), unique=True),
    Column("wave", Integer, nullable=False, server_default="1"),
    # UUID of the panel's first study; null in that study itself.
    Column("panel_uuid", String(36), index=True),
    # Highest id of a question of an earlier wave that the agents remember.
    Column("remembers_to", BigInteger),
    # Shares and seed that the wave was made with.
    Column("wave_plan", Json),
)

study_agents: Table = Table(
    "study_agents",
    metadata,
    Column("study_id", ForeignKey("studies.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
    Column("removed_at", UtcDateTime),
    # As in the group when the study was created.
    Column("inclusion_probability", Float),
    Column("design_weight", Float),
    # Arm of an experiment that the agent is assigned to.
    Column("arm", String(64)),
)

wave_departures: Table = Table(
    "wave_departures",
    metadata,
    Column("study_id", ForeignKey("studies.id"), primary_key=True),
    Column("agent_id", BigInteger, primary_key=True, autoincrement=False),
    # "attrition" or "refresh".
    Column("reason", String(16), nullable=False),
)

brought_agents: Table = Table(
    "brought_agents",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("group_id", ForeignKey("groups.id"), nullable=False, index=True),
    # The profile; null once it was deleted.
    Column("record", Json),
    Column("created_at", UtcDateTime, nullable=False),
)

study_steps: Table = Table(
    "study_steps",
    metadata,
    Column("study_id", ForeignKey("studies.id"), primary_key=True),
    Column("step", String(64), primary_key=True),
    Column("result", Json, nullable=False),
    Column("saved_at", UtcDateTime, nullable=False),
    # Data version the step is based on; null until its job has ended.
    Column("data_version", String(64)),
)

questions: Table = Table(
    "questions",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    # Null for direct questions, free questions and surveys.
    Column("study_id", ForeignKey("studies.id")),
    Column("asked_of", String(8), nullable=False, server_default="study"),
    Column("group_id", ForeignKey("groups.id")),
    Column("key", String(64)),
    Column("text", Text, nullable=False),
    Column("type", String(16), nullable=False),
    Column("options", Json, nullable=False),
    Column("scale", Json),
    Column("unit", String(32)),
    Column("shuffle_options", Boolean, nullable=False),
    Column("attachments", Json, nullable=False, server_default="[]"),
    # The engine's caveat about how well it understood the question.
    Column("notice", Text),
    # The engine that was asked for; null for the service's default.
    Column("engine", String(64)),
    Column("asked_count", Integer, nullable=False),
    Column("answer_count", Integer, nullable=False),
    Column("failed_count", Integer, nullable=False),
    Column("usage_event_id", ForeignKey("usage_events.id")),
    Column("share_token", String(64), unique=True),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("study_id", "key"),
    Index(None, "organization_id", "asked_of", "id"),
)

work_items: Table = Table(
    "work_items",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("study_id", ForeignKey("studies.id")),
    Column("question_id", ForeignKey("questions.id")),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    # Attempts that do not count as failures: they had to wait, or their process died.
    Column("waits", Integer, nullable=False, server_default="0"),
    # Number of processes that died while holding the item.
    Column("deaths", Integer, nullable=False, server_default="0"),
    # Whether it waits until all questions of its study have ended.
    Column("after_questions", Boolean, nullable=False, server_default=false()),
    Column("lease_until", UtcDateTime),
    Column("started_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Index(None, "state", "id"),
    Index(None, "study_id", "state", "question_id"),
)
# Partial index over pending items; finished ones are nearly all of the table.
Index(
    "ix_work_items_unfinished",
    work_items.c.organization_id,
    work_items.c.id,
    postgresql_where=work_items.c.state.in_(("queued", "claimed")),
    sqlite_where=work_items.c.state.in_(("queued", "claimed")),
)

jobs: Table = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("item_id", ForeignKey("work_items.id"), nullable=False, index=True),
    Column("status", String(8), nullable=False),
    Column("operation_id", ForeignKey("operations.id"), index=True),
    # Question jobs: the agent to ask. The answer is stored in answers only.
    Column("agent_id", BigInteger),
    # Other jobs: input, progress and result.
    Column("detail", Json),
    Column("done", Integer),
    Column("total", Integer),
    Column("result", Json),
    Column("error", Json),
    Column("finished_at", UtcDateTime),
)

answers: Table = Table(
    "answers",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("study_id", ForeignKey("studies.id")),
    Column("question_id", ForeignKey("questions.id"), nullable=False),
    Column("agent_id", BigInteger, nullable=False),
    Column("job_id", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("value", Json),
    Column("option_order", Json),
    Column("answered_at", UtcDateTime, nullable=False),
    Column("engine", String(64), nullable=False),
    # Number of a row of question_bases; null for answers stored before bases were kept.
    Column("basis_code", BigInteger),
    UniqueConstraint("question_id", "agent_id"),
    Index(None, "study_id", "id"),
)

question_bases: Table = Table(
    "question_bases",
    metadata,
    Column("question_id", ForeignKey("questions.id"), primary_key=True),
    Column("code", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("note", Text, nullable=False),
)

model_calls: Table = Table(
    "model_calls",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    # Purpose of the call: answer, screening, planning or summary.
    Column("purpose", String(16), nullable=False),
    Column("question_id", ForeignKey("questions.id"), index=True),
    Column("agent_id", BigInteger),
    Column("engine", String(64), nullable=False),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    # Null if the price of the model is unknown.
    Column("cost_microdollars", BigInteger),
    Column("cached", Boolean, nullable=False),
    Column("temperature", Float),
    Column("seed", BigInteger),
    # The distribution from which the answer was drawn; null for all other answers.
    Column("probabilities", Json),
    Column("created_at", UtcDateTime, nullable=False),
    Index(None, "organization_id", "created_at"),
)

research_group_requests: Table = Table(
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
    # What each span of the text was understood as; null until it was read, and in older requests.
    Column("understood", Json),
    Column("clarification", Json),
    Column("review", Json),
    Column("refusal", Json),
    Column("answers", Json, nullable=False),
    Column("seed", BigInteger),
    # Candidates asked and kept, so that an interrupted screening can continue.
    Column("screened", Integer),
    Column("kept", Json, nullable=False),
    # Quotas, boosts and excluded groups; null for a plain request.
    Column("sampling", Json),
    Column("group_id", ForeignKey("groups.id")),
    Column("job_id", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

operations: Table = Table(
    "operations",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("idempotency_key", String(255), nullable=False),
    Column("digest", String(64), nullable=False),
    # The job and the rest of the response; both null until the work is stored, in one transaction.
    Column("job_id", String(32)),
    Column("resource_url", Text),
    Column("answer", Json),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("organization_id", "idempotency_key"),
)

idempotency_keys: Table = Table(
    "idempotency_keys",
    metadata,
    Column("organization_id", ForeignKey("organizations.id"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("digest", String(64), nullable=False),
    # The stored response; null for operations, which have their own.
    Column("status", Integer),
    Column("body", LargeBinary),
    Column("created_at", UtcDateTime, nullable=False, index=True),
)

audit_log: Table = Table(
    "audit_log",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    # Kind of actor (key, link, command line or service), and the key if it was one.
    Column("actor", String(16), nullable=False),
    Column("key_id", ForeignKey("api_keys.id")),
    Column("action", String(48), nullable=False),
    Column("object_kind", String(32), nullable=False),
    Column("object_id", String(64)),
    Column("quantity", Integer),
    Column("outcome", String(16), nullable=False),
    Column("request_id", String(40)),
    # PostgreSQL's transaction id, by which a reader knows that no earlier entry is still pending.
    Column("transaction_number", BigInteger, nullable=False),
    Index(None, "organization_id", "id"),
)
protect(audit_log)

usage_cycles: Table = Table(
    "usage_cycles",
    metadata,
    Column("organization_id", ForeignKey("organizations.id"), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("cycle_start", UtcDateTime, primary_key=True),
    Column("used", BigInteger, nullable=False),
)

usage_events: Table = Table(
    "usage_events",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("operation_id", ForeignKey("operations.id"), index=True),
    Column("key_kind", String(8), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("quantity", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("cycle_start", UtcDateTime, nullable=False),
    # For voided parts: the event they belonged to.
    Column("part_of", String(36)),
    Column("created_at", UtcDateTime, nullable=False),
    Column("settled_at", UtcDateTime),
    Index(None, "organization_id", "status"),
)

media_assets: Table = Table(
    "media_assets",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("filename", String(255), nullable=False),
    Column("mime", String(64), nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

surveys: Table = Table(
    "surveys",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("question_id", ForeignKey("questions.id"), nullable=False),
    Column("job_id", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("deleted_at", UtcDateTime),
)

research_study_requests: Table = Table(
    "research_study_requests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("status", String(32), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("progress_message", Text, nullable=False),
    Column("title", Text),
    Column("objective", Text),
    Column("questions", Json, nullable=False),
    # The audience is a separate recruitment request, with its clarification, review and refusal.
    Column("group_request_id", ForeignKey("research_group_requests.id"), nullable=False),
    Column("study_id", ForeignKey("studies.id")),
    Column("operation_id", ForeignKey("operations.id"), nullable=False),
    Column("usage_event_id", ForeignKey("usage_events.id"), nullable=False),
    Column("job_id", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

theses: Table = Table(
    "theses",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("status", String(32), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("progress_message", Text, nullable=False),
    Column("raw_input", Text, nullable=False),
    Column("panel_size", Integer, nullable=False),
    # Subjects, stance, drivers and claim, as far as understood.
    Column("composition", Json),
    Column("clarification", Json),
    Column("review", Json),
    Column("refusal", Json),
    Column("answers", Json, nullable=False),
    Column("verdict", Json),
    Column("operation_id", ForeignKey("operations.id"), nullable=False),
    Column("job_id", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

thesis_panels: Table = Table(
    "thesis_panels",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("thesis_id", ForeignKey("theses.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    # Audience, filters, size and questions as planned.
    Column("plan", Json, nullable=False),
    Column("headline", Text),
    Column("group_id", ForeignKey("groups.id")),
    Column("study_id", ForeignKey("studies.id")),
    Column("usage_event_id", ForeignKey("usage_events.id"), nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("thesis_id", "position"),
)

billing_accounts: Table = Table(
    "billing_accounts",
    metadata,
    Column("organization_id", ForeignKey("organizations.id"), primary_key=True),
    Column("provider", String(16), nullable=False),
    Column("customer_id", String(255)),
    Column("created_at", UtcDateTime, nullable=False),
)

checkouts: Table = Table(
    "checkouts",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("status", String(16), nullable=False),
    Column("success_url", Text, nullable=False),
    Column("cancel_url", Text, nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("provider_id", String(255)),
    Column("created_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

subscriptions: Table = Table(
    "subscriptions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, unique=True),
    Column("status", String(16), nullable=False),
    Column("plan", String(32), nullable=False),
    Column("current_period_start", UtcDateTime, nullable=False),
    Column("current_period_end", UtcDateTime, nullable=False),
    Column("cancel_at_period_end", Boolean, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

invoices: Table = Table(
    "invoices",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("subscription_id", ForeignKey("subscriptions.id"), nullable=False),
    Column("number", String(32), nullable=False),
    Column("status", String(16), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("amount_due", Integer, nullable=False),
    Column("period_start", UtcDateTime, nullable=False),
    Column("period_end", UtcDateTime, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("paid_at", UtcDateTime),
    UniqueConstraint("subscription_id", "period_start"),
)
