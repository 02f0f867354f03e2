"""The data dictionary: every table, view and column of a store with type, key, unit, levels and meaning.

DuckDB's DDL, the Arrow schemas, the codebook of an export and the printed dictionary are generated from it.
Fields of the vocabulary with fixed levels are ENUM columns that keep the order of the levels. If a service
knows more levels than this version, the store widens the ENUM, so that no value is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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

SCHEMA_VERSION = 4
"""Schema version, raised with each change of a table; older stores are migrated, newer ones refused."""

_OPEN = ", ".join(literal(name) for name in QUESTION_TYPES if is_open(name))
RESPONSE_STATUS = ("answered", "no_value", "failed", "outstanding", "not_asked", "unknown")
"""States of an agent with respect to a question; the view ``responses`` explains them."""
JOB_STATUS = ("started", "finished", "failed")


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
        Column("type", "level", "How it is answered.", tuple(QUESTION_TYPES)),
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
        Column("notice", "text", "What to know before the answers are used; missing where nothing is."),
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
        Column("profile_provenance", "text", "Provenance of these fields: figures, years and method."),
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
_ASKED = (
    *("text", "type", "options", "scale_min", "scale_max", "scale_min_label", "scale_max_label"),
    *("unit", "shuffle_options", "notice"),
)
_GIVEN = (
    *("answer_id", "response_text", "value_text", "value_number", "value_list", "option_order"),
    *("answered_at", "engine"),
)

_GROUPS = TableSchema(
    "groups",
    "One row per recruited group.",
    ("group_uuid",),
    (
        Column("group_uuid", "text", "The group's UUID."),
        Column("group_id", "integer", "The group's number at its service."),
        Column("name", "text", "The group's name."),
        Column("description", "text", "Who was wanted, in words."),
        Column("agent_count", "integer", "Agents in the group.", unit="agents"),
        Column("filters", "text", "The filter it was recruited with, as JSON."),
        Column("sample_method", "text", "How the agents were drawn."),
        Column("seed", "integer", "The seed of the draw."),
        Column("shortfall", "integer", "Agents missing because too few match.", unit="agents"),
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
        Column("status", "text", "running, completed or failed, when it was last pulled."),
        Column("asked_of", "text", "agent or group."),
        Column("group_uuid", "text", "The group that was asked; missing when it was one agent."),
        *(_QUESTIONS[name] for name in ("asked_count", "answer_count", "failed_count", "created_at")),
        Column("summary", "text", "The summary that the service made of the answers."),
        Column("summary_answer_ids", "integers", "Numbers of the answers that the summary rests on."),
        Column("service_url", "text", "The service's address, without keys."),
    ),
)
_DIRECT_ANSWERS = TableSchema(
    "direct_answers",
    "One row per direct question and agent that was asked, with the answer or why there is none.",
    ("question_uuid", "agent_uuid"),
    (
        Column("question_uuid", "text", "The direct question."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("position", "integer", "Place among those asked, from 1."),
        Column("job_id", "text", "The job that was to bring the answer."),
        Column("status", "level", "How far the job was when it was last pulled.", JOB_STATUS),
        *(_ANSWERS[name] for name in _GIVEN),
        Column("error_code", "text", "The kind of failure; missing unless it failed."),
        Column("error_message", "text", "Why it failed, in a sentence."),
    ),
)
_JOBS = TableSchema(
    "jobs",
    "One row per question job that failed or was still running when it was last pulled; the job of an "
    "answer is named beside the answer.",
    ("job_id",),
    (
        Column("job_id", "text", "The job's id."),
        Column("kind", "text", "The kind of work."),
        Column("status", "level", "How far it was when it was last pulled.", JOB_STATUS),
        Column("study_uuid", "text", "The study."),
        Column("question_uuid", "text", "The question."),
        Column("agent_uuid", "text", "The agent that was asked."),
        Column("agent_id", "integer", "The agent's number."),
        Column("error_code", "text", "The kind of failure; missing unless it failed."),
        Column("error_message", "text", "Why it failed, in a sentence."),
        Column("finished_at", "time", "When it ended, UTC."),
    ),
)
_ATTACHMENTS = TableSchema(
    "attachments",
    "One row per question and file that went with it.",
    ("question_uuid", "attachment_uuid"),
    (
        Column("question_uuid", "text", "The question, of a study or direct."),
        Column("attachment_uuid", "text", "The media asset's UUID."),
        Column("attachment_id", "integer", "The media asset's number at its service."),
        Column("position", "integer", "Place among the question's files, from 1."),
        Column("filename", "text", "The file's name."),
        Column("mime", "text", "What the file is."),
        Column("bytes", "integer", "The file's size.", unit="bytes"),
        Column("sha256", "text", "The SHA-256 of its bytes; missing where the service does not tell it."),
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
        Column("answer_options", "texts", "What can be chosen, in order."),
        Column("group_uuid", "text", "The group that is asked."),
        Column("status", "text", "running, completed or failed, when it was last pulled."),
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
        Column("job_id", "text", "The job that made it."),
        Column("response_text", "text", "The answer in the agent's words."),
        Column("value_text", "text", "The option chosen; missing when none was."),
        Column("answered_at", "time", "When it was given, UTC."),
        Column("engine", "text", "Which engine made it."),
    ),
)
_USAGE = TableSchema(
    "usage",
    "One row per service, organization and quota cycle, as it was when last pulled.",
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
    "One row per thing that was pulled from a service: when, and how far.",
    ("what", "uuid"),
    (
        Column("what", "level", "What was pulled.", ("study", "organization")),
        Column("uuid", "text", "The study's UUID; of an organization the service's address."),
        Column("service_url", "text", "The service's address, without keys."),
        Column("service_version", "text", "The service's version."),
        Column("voxpop_version", "text", "The version of voxpop that pulled."),
        Column("first_pulled_at", "time", "When it was pulled first, UTC."),
        Column("pulled_at", "time", "When it was pulled last, UTC."),
        Column("answers", "integer", "Answers in the store then.", unit="answers"),
        Column("last_answer_id", "integer", "The highest number of an answer then."),
        Column("attestation", "text", "What the service signed of the study then, as JSON; missing without."),
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
    "One row per agent and condition. An agent without health data has no row, as one without conditions.",
    (
        Column("agent_uuid", "text", "The agent."),
        Column("condition", "text", "The condition's slug."),
    ),
    "SELECT agent_uuid, unnest(health_conditions) AS condition FROM health_profiles",
)
_DRUG_CLASSES = ViewSchema(
    "agent_drug_classes",
    "One row per agent and drug class. An agent without health data has no row, as one without medicines.",
    (
        Column("agent_uuid", "text", "The agent."),
        Column("drug_class", "text", "The drug class's slug."),
    ),
    "SELECT agent_uuid, unnest(health_drug_classes) AS drug_class FROM health_profiles",
)
_RESPONSES = ViewSchema(
    "responses",
    "One row per question and agent of its study: answered, no_value (answered without a coded answer), "
    "failed, outstanding, not_asked, or unknown where the service does not tell which of these.",
    (
        Column("study_uuid", "text", "The study."),
        Column("question_uuid", "text", "The question."),
        Column("position", "integer", "Order of asking, from 1."),
        Column("key", "text", "The question's key."),
        Column("agent_uuid", "text", "The agent."),
        Column("agent_id", "integer", "The agent's number."),
        Column("removed", "boolean", "Whether the agent was removed from the study since."),
        Column("status", "level", "Where the agent stands with the question.", RESPONSE_STATUS),
        Column("error_code", "text", "The kind of failure; missing unless it failed."),
        Column("error_message", "text", "Why it failed, in a sentence."),
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
        Column("asked", "integer", "Agents that answered, failed, or have not ended.", unit="agents"),
        Column("answered", "integer", "Agents that answered, with or without a coded answer.", unit="agents"),
        Column("no_value", "integer", "Of them, those without a coded answer.", unit="agents"),
        Column("failed", "integer", "Agents that failed to answer.", unit="agents"),
        Column("outstanding", "integer", "Agents whose answer was not there yet.", unit="agents"),
        Column("not_asked", "integer", "Agents that were not asked, as removed before.", unit="agents"),
        Column("unknown", "integer", "Agents of which the service does not tell.", unit="agents"),
        Column("removed", "integer", "Agents removed since, however they stand.", unit="agents"),
        Column("response_rate", "number", "Answered of asked, 0 to 1; missing when nobody was asked."),
    ),
    f"SELECT study_uuid, position, key, {RATES} FROM responses GROUP BY ALL ORDER BY ALL",
)

VIEWS: Mapping[str, ViewSchema] = MappingProxyType(
    {view.name: view for view in (_CONDITIONS, _DRUG_CLASSES, _RESPONSES, _RATES)}
)
"""Every view of a store by its name; each may use those before it."""

PROFILE_FIELDS = _PROFILE
HEALTH_FIELDS = _HEALTH
PROVENANCE_COLUMN = "voxpop_provenance"
"""Origin of each row: ``simulated`` in data from a store; other data may say ``human``."""

PROVENANCE_FIELDS = ("source", "method_version", "calibration_version", "reference_version")
