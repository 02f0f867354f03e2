"""The data dictionary: every table, view and column of a store with type, key, unit, levels and meaning.

DuckDB's DDL, the Arrow schemas, the codebook of an export and the printed dictionary are generated from it.
Fields of the vocabulary with fixed levels are ENUM columns that keep the order of the levels. If a service
knows more levels than this version, the store widens the ENUM, so that no value is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from voxpop.survey.provenance import PROVENANCE_COLUMN
from voxpop.tables.columns import Column, Kind, TableSchema, ViewSchema, enum, literal, quote
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import QUESTION_TYPES, is_open

__all__ = [
    "HEALTH_FIELDS",
    "KEYS",
    "PROFILE_FIELDS",
    "PROVENANCE_COLUMN",
    "PROVENANCE_FIELDS",
    "RATES",
    "RESPONSE_STATUS",
    "SCHEMA_VERSION",
    "TABLES",
    "VIEWS",
    "Column",
    "TableSchema",
    "enum",
    "literal",
    "quote",
]

SCHEMA_VERSION = 6
"""Schema version, raised with each change of a table; older stores are migrated, newer ones refused."""

_OPEN = ", ".join(literal(name) for name in QUESTION_TYPES if is_open(name))
RESPONSE_STATUS = ("answered", "no_value", "failed", "outstanding", "not_asked", "unknown")
"""States of an agent with respect to a question; the view ``responses`` explains them."""
JOB_STATUS = ("started", "finished", "failed")
_BASIS = (  # without levels, so that a kind of a later service is kept
    Column(
        "basis",
        "level",
        "What the answer rests on: profile (the agent's record), published (figures with a source), modelled "
        "(a language model or a fitted model), none (a placeholder: no figure is known). Missing: recorded "
        "before bases were kept.",
    ),
    Column("basis_note", "text", "One sentence on the basis, with source and year where there is one."),
)


def _field(name: str) -> Column:
    field = FIELDS[name]
    kinds: Mapping[str, Kind] = {"category": "level", "boolean": "boolean", "list": "texts"}
    kind = kinds.get(field.kind) or ("integer" if field.integer else "number")
    return Column(name, kind, field.meaning, tuple(field.levels), field.unit)


_HEALTH = tuple(name for name, field in FIELDS.items() if field.in_health_profile)
_PROFILE = tuple(name for name, field in FIELDS.items() if not field.in_health_profile)

KEYS = {name: field.record_key for name, field in FIELDS.items() if field.record_key != name}
"""Fields whose key in an agent record differs from their column name."""

_STUDIES = TableSchema(
    "studies",
    "One row per study, with the service and the population it came from.",
    ("study_uuid",),
    (
        Column("study_uuid", "text", "The study's UUID."),
        Column("study_id", "integer", "The study's number at its service."),
        Column("title", "text", "The study's title."),
        Column("objective", "text", "What the study should find out."),
        Column("stage", "text", "Stage at the last pull: active, completing or completed."),
        Column("research_group_uuid", "text", "The group that is asked."),
        Column("agent_count", "integer", "Agents in the study, without removed ones.", unit="agents"),
        Column("question_count", "integer", "Questions asked so far.", unit="questions"),
        Column("created_at", "time", "When it was created, UTC."),
        Column("completed_at", "time", "When it was completed, UTC; missing until then."),
        Column("service_url", "text", "The service's address, without keys."),
        Column("service_version", "text", "The service's version."),
        Column("population", "text", "Name or version of the population the agents come from."),
        Column("wave", "integer", "Number of the wave in its panel, from 1; missing from older services."),
        Column("panel_uuid", "text", "UUID of the panel's first study, which all its waves share."),
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
        Column("key", "text", "The variable's name; q1, q2, … if the service has none."),
        Column("text", "text", "The question's words."),
        Column("type", "level", "The question type.", tuple(QUESTION_TYPES)),
        Column("options", "texts", "Options to choose from or rank, in order."),
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
        Column("notice", "text", "A caution to read before using the answers; missing if there is none."),
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
        Column("job_id", "text", "The job that produced it."),
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
        Column("engine", "text", "The engine that produced it."),
        *_BASIS,
    ),
    indexed=False,
)
_AGENTS = TableSchema(
    "agents",
    "One row per agent, with its profile.",
    ("agent_uuid",),
    (
        Column("agent_uuid", "text", "The agent's UUID."),
        Column("agent_id", "integer", "The agent's number in its population."),
        Column("name", "text", "An invented name."),
        Column("city", "text", "City, if the service gives one."),
        *(_field(name) for name in _PROFILE),
        Column("summary", "text", "A description of the agent in one or two sentences."),
        Column("profile_provenance", "text", "Provenance of these fields: figures, years and method."),
    ),
)
_HEALTH_PROFILES = TableSchema(
    "health_profiles",
    "One row per agent with health data. Without a row, conditions are unknown, not absent.",
    ("agent_uuid",),
    (
        Column("agent_uuid", "text", "The agent."),
        *(_field(name) for name in _HEALTH),
        Column("source", "text", "Provenance: the source of the figures."),
        Column("method_version", "text", "Provenance: the method that assigned the values."),
        Column("calibration_version", "text", "Provenance: the figures that the values are calibrated to."),
        Column("reference_version", "text", "Provenance: the edition of the reference figures."),
    ),
)
_WEIGHTS = (
    Column(
        "inclusion_probability",
        "number",
        "The probability with which the agent was drawn into the group; missing if it is not known.",
    ),
    Column(
        "design_weight",
        "number",
        "1 / inclusion probability, scaled so that a group's weights sum to the agents that could be drawn.",
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
        *_WEIGHTS,
        Column("arm", "text", "Arm of an experiment that the agent is assigned to; missing without one."),
    ),
)
_ASKED = (
    *("text", "type", "options", "scale_min", "scale_max", "scale_min_label", "scale_max_label"),
    *("unit", "shuffle_options", "notice"),
)
_GIVEN = (
    *("answer_id", "response_text", "value_text", "value_number", "value_list", "option_order"),
    *("answered_at", "engine", "basis", "basis_note"),
)

_GROUPS = TableSchema(
    "groups",
    "One row per recruited group.",
    ("group_uuid",),
    (
        Column("group_uuid", "text", "The group's UUID."),
        Column("group_id", "integer", "The group's number at its service."),
        Column("name", "text", "The group's name."),
        Column("description", "text", "The requested audience, in words."),
        Column("agent_count", "integer", "Agents in the group.", unit="agents"),
        Column("filters", "text", "The filter it was recruited with, as JSON."),
        Column("sample_method", "text", "How the agents were drawn."),
        Column("seed", "integer", "The seed of the draw."),
        Column("shortfall", "integer", "Agents missing because too few matched.", unit="agents"),
        Column("sampling", "text", "Quotas, boosts and what the weights describe, as JSON."),
        Column("archived", "boolean", "Whether it is archived."),
        Column("created_at", "time", "When it was recruited, UTC."),
        Column("service_url", "text", "The service's address, without keys."),
    ),
)
_GROUP_MEMBERS = TableSchema(
    "group_members",
    "One row per group and agent that is or was in it.",
    ("group_uuid", "agent_uuid"),
    (
        Column("group_uuid", "text", "The group."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("position", "integer", "Place in the group, from 1."),
        Column("removed", "boolean", "Whether the agent has left the group since an earlier pull."),
        *_WEIGHTS,
        Column("replaces", "integer", "Number of the agent that it was drawn to replace."),
    ),
)
_DIRECT_QUESTIONS = TableSchema(
    "direct_questions",
    "One row per question that was put to an agent or a group without a study.",
    ("question_uuid",),
    (
        Column("question_uuid", "text", "The question's UUID."),
        Column("question_id", "integer", "The question's number at its service."),
        *(_QUESTIONS[name] for name in _ASKED),
        Column("status", "text", "Status at the last pull: running, completed or failed."),
        Column("asked_of", "text", "Who was asked: agent or group."),
        Column("group_uuid", "text", "The group that was asked; missing for a single agent."),
        *(_QUESTIONS[name] for name in ("asked_count", "answer_count", "failed_count", "created_at")),
        Column("summary", "text", "The service's summary of the answers."),
        Column("summary_answer_ids", "integers", "Numbers of the answers behind the summary."),
        Column("service_url", "text", "The service's address, without keys."),
    ),
)
_DIRECT_ANSWERS = TableSchema(
    "direct_answers",
    "One row per direct question and agent that was asked, with the answer or the reason for its absence.",
    ("question_uuid", "agent_uuid"),
    (
        Column("question_uuid", "text", "The direct question."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("position", "integer", "Position among the agents asked, from 1."),
        Column("job_id", "text", "The job of the answer."),
        Column("status", "level", "Status of the job at the last pull.", JOB_STATUS),
        *(_ANSWERS[name] for name in _GIVEN),
        Column("error_code", "text", "The kind of failure; missing if it did not fail."),
        Column("error_message", "text", "The error message, one sentence."),
    ),
)
_JOBS = TableSchema(
    "jobs",
    "One row per question job that had failed or was still running at the last pull. "
    "The row of an answer names its job.",
    ("job_id",),
    (
        Column("job_id", "text", "The job's id."),
        Column("kind", "text", "The kind of job."),
        Column("status", "level", "Status at the last pull.", JOB_STATUS),
        Column("study_uuid", "text", "The study."),
        Column("question_uuid", "text", "The question."),
        Column("agent_uuid", "text", "The agent that was asked."),
        Column("agent_id", "integer", "The agent's number."),
        Column("error_code", "text", "The kind of failure; missing if it did not fail."),
        Column("error_message", "text", "The error message, one sentence."),
        Column("finished_at", "time", "When it ended, UTC."),
    ),
)
_ATTACHMENTS = TableSchema(
    "attachments",
    "One row per question and attached file.",
    ("question_uuid", "attachment_uuid"),
    (
        Column("question_uuid", "text", "The question, of a study or direct."),
        Column("attachment_uuid", "text", "The media asset's UUID."),
        Column("attachment_id", "integer", "The media asset's number at its service."),
        Column("position", "integer", "Place among the question's files, from 1."),
        Column("filename", "text", "The file's name."),
        Column("mime", "text", "The file's media type."),
        Column("bytes", "integer", "The file's size.", unit="bytes"),
        Column("sha256", "text", "SHA-256 of its bytes; missing if the service does not give it."),
        Column("content", "bytes", "Its bytes; missing unless they were pulled too."),
    ),
)
_SURVEYS = TableSchema(
    "surveys",
    "One row per zeitgeist survey.",
    ("survey_uuid",),
    (
        Column("survey_uuid", "text", "The survey's UUID."),
        Column("survey_id", "integer", "The survey's number at its service."),
        Column("title", "text", "The survey's title."),
        Column("question", "text", "The question's words."),
        Column("answer_options", "texts", "Options to choose from, in order."),
        Column("group_uuid", "text", "The group that is asked."),
        Column("status", "text", "Status at the last pull: running, completed or failed."),
        Column("job_id", "text", "Its job."),
        *(_QUESTIONS[name] for name in ("asked_count", "answer_count", "failed_count")),
        Column("created_at", "time", "When it was made, UTC."),
        Column("service_url", "text", "The service's address, without keys."),
    ),
)
_SURVEY_ANSWERS = TableSchema(
    "survey_answers",
    "One row per survey and agent that answered.",
    ("survey_uuid", "agent_id"),
    (
        Column("survey_uuid", "text", "The survey."),
        Column("agent_id", "integer", "The agent's number."),
        Column("answer_id", "integer", "The answer's number at its service."),
        Column("job_id", "text", "The job that produced it."),
        Column("response_text", "text", "The answer in the agent's words."),
        Column("value_text", "text", "The chosen option; missing if none was chosen."),
        Column("answered_at", "time", "When it was given, UTC."),
        Column("engine", "text", "The engine that produced it."),
        *_BASIS,
    ),
)
_USAGE = TableSchema(
    "usage",
    "One row per service, organization and quota cycle, as of the last pull.",
    ("service_url", "organization_id", "cycle_start"),
    (
        Column("service_url", "text", "The service's address, without keys."),
        Column("organization_id", "text", "The organization."),
        Column("cycle_start", "time", "When the quota cycle began, UTC."),
        Column("cycle_end", "time", "When it ends, UTC."),
        Column("quota_limit", "integer", "Answers allowed in the cycle.", unit="answers"),
        Column("quota_used", "integer", "Answers used in the cycle.", unit="answers"),
        Column("pending_event_count", "integer", "Usage that is reserved but not committed.", unit="events"),
        Column("rate_limit", "integer", "Calls allowed in a minute.", unit="calls"),
    ),
)
_PULLS = TableSchema(
    "pulls",
    "One row per study or organization that was pulled from a service.",
    ("what", "uuid"),
    (
        Column("what", "level", "What was pulled.", ("study", "organization")),
        Column("uuid", "text", "The study's UUID; for an organization, the service's address."),
        Column("service_url", "text", "The service's address, without keys."),
        Column("service_version", "text", "The service's version."),
        Column("voxpop_version", "text", "The version of voxpop that pulled."),
        Column("first_pulled_at", "time", "Time of the first pull, UTC."),
        Column("pulled_at", "time", "Time of the last pull, UTC."),
        Column("answers", "integer", "Answers in the store after the last pull.", unit="answers"),
        Column("last_answer_id", "integer", "The highest answer number at the last pull."),
        Column(
            "attestation",
            "text",
            "The service's signed statement at the last pull, as JSON; missing if none.",
        ),
    ),
)

TABLES: Mapping[str, TableSchema] = MappingProxyType(
    {
        table.name: table
        for table in (
            *(_STUDIES, _QUESTIONS, _ANSWERS, _AGENTS, _HEALTH_PROFILES, _STUDY_AGENTS),
            *(_GROUPS, _GROUP_MEMBERS, _DIRECT_QUESTIONS, _DIRECT_ANSWERS, _JOBS, _ATTACHMENTS),
            *(_SURVEYS, _SURVEY_ANSWERS, _USAGE, _PULLS),
        )
    }
)
"""Every table of a store by its name."""

_CONDITIONS = ViewSchema(
    "agent_conditions",
    "One row per agent and condition. Agents without conditions or without health data have none.",
    (
        Column("agent_uuid", "text", "The agent."),
        Column("condition", "text", "The condition's slug."),
    ),
    "SELECT agent_uuid, unnest(health_conditions) AS condition FROM health_profiles",
)
_DRUG_CLASSES = ViewSchema(
    "agent_drug_classes",
    "One row per agent and drug class. Agents without medicines or without health data have none.",
    (
        Column("agent_uuid", "text", "The agent."),
        Column("drug_class", "text", "The drug class's slug."),
    ),
    "SELECT agent_uuid, unnest(health_drug_classes) AS drug_class FROM health_profiles",
)
_RESPONSES = ViewSchema(
    "responses",
    "One row per question and agent of its study: answered, no_value (answered without a coded answer), "
    "failed, outstanding, not_asked, or unknown if the service does not say which of these.",
    (
        Column("study_uuid", "text", "The study."),
        Column("question_uuid", "text", "The question."),
        Column("position", "integer", "Order of asking, from 1."),
        Column("key", "text", "The question's key."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("removed", "boolean", "Whether the agent was removed from the study since."),
        Column("status", "level", "Status of the agent's answer.", RESPONSE_STATUS),
        Column("error_code", "text", "The kind of failure; missing if it did not fail."),
        Column("error_message", "text", "The error message, one sentence."),
    ),
    f"""
    WITH told AS (
        SELECT question_uuid, count(*) AS failures FROM jobs WHERE status = 'failed' GROUP BY ALL
    ), asked AS (
        SELECT q.*, greatest(failed_count - coalesce(failures, 0), 0) AS lost,
            greatest(asked_count - answer_count - failed_count, 0) AS open
        FROM questions q LEFT JOIN told USING (question_uuid)
    )
    SELECT q.study_uuid, q.question_uuid, q.position, q.key, s.agent_uuid, s.agent_id, s.removed,
        (CASE
            WHEN a.agent_uuid IS NOT NULL THEN
                CASE WHEN q.type::VARCHAR IN ({_OPEN}) OR a.has_value THEN 'answered' ELSE 'no_value' END
            WHEN j.status = 'failed' THEN 'failed'
            WHEN j.status = 'started' THEN 'outstanding'
            WHEN lost IS NULL OR open IS NULL THEN 'unknown'
            WHEN lost = 0 AND open = 0 THEN 'not_asked'
            WHEN s.removed OR (lost > 0 AND open > 0) THEN 'unknown'
            WHEN lost > 0 THEN 'failed'
            ELSE 'outstanding'
        END)::{enum(RESPONSE_STATUS)} AS status,
        CASE WHEN a.agent_uuid IS NULL THEN j.error_code END AS error_code,
        CASE WHEN a.agent_uuid IS NULL THEN j.error_message END AS error_message
    FROM asked q JOIN study_agents s USING (study_uuid)
    LEFT JOIN (
        SELECT question_uuid, agent_uuid,
            coalesce(value_text, value_number::VARCHAR, value_list::VARCHAR) IS NOT NULL AS has_value
        FROM answers
    ) a USING (question_uuid, agent_uuid)
    LEFT JOIN (
        SELECT DISTINCT ON (question_uuid, agent_uuid) question_uuid, agent_uuid, status, error_code,
            error_message
        FROM jobs ORDER BY status DESC, job_id
    ) j ON j.question_uuid = q.question_uuid AND j.agent_uuid = s.agent_uuid
    """,
)
RATES = """count(*) FILTER (status IN ('answered', 'no_value', 'failed', 'outstanding')) AS asked,
    count(*) FILTER (status IN ('answered', 'no_value')) AS answered,
    count(*) FILTER (status = 'no_value') AS no_value,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'outstanding') AS outstanding,
    count(*) FILTER (status = 'not_asked') AS not_asked,
    count(*) FILTER (status = 'unknown') AS unknown,
    count(*) FILTER (removed) AS removed,
    CASE WHEN asked > 0 THEN answered / asked END AS response_rate"""
"""Columns of ``response_rates``, counted from ``responses``."""

_RATES = ViewSchema(
    "response_rates",
    "One row per question: how many agents were asked, answered, failed, were not asked or removed.",
    (
        Column("study_uuid", "text", "The study."),
        Column("position", "integer", "Order of asking, from 1."),
        Column("key", "text", "The question's key."),
        Column("asked", "integer", "Agents that answered, failed or are outstanding.", unit="agents"),
        Column("answered", "integer", "Agents that answered, with or without a coded answer.", unit="agents"),
        Column("no_value", "integer", "Agents that answered without a coded answer.", unit="agents"),
        Column("failed", "integer", "Agents that failed to answer.", unit="agents"),
        Column("outstanding", "integer", "Agents whose answer had not arrived.", unit="agents"),
        Column("not_asked", "integer", "Agents not asked because they had been removed.", unit="agents"),
        Column("unknown", "integer", "Agents whose status the service does not give.", unit="agents"),
        Column("removed", "integer", "Agents removed since, whatever their status.", unit="agents"),
        Column("response_rate", "number", "Answered divided by asked, 0 to 1; missing if nobody was asked."),
    ),
    f"SELECT study_uuid, position, key, {RATES} FROM responses GROUP BY ALL ORDER BY ALL",
)

VIEWS: Mapping[str, ViewSchema] = MappingProxyType(
    {view.name: view for view in (_CONDITIONS, _DRUG_CLASSES, _RESPONSES, _RATES)}
)
"""Every view of a store by its name; each may use those before it."""

PROFILE_FIELDS = _PROFILE
HEALTH_FIELDS = _HEALTH
PROVENANCE_FIELDS = ("source", "method_version", "calibration_version", "reference_version")
