"""Study questions: ask, and read questions and answers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, PlainValidator

from voxpop.vocabulary.question_types import QUESTION_TYPES
from voxpop.wire.base import In, Out, Texts, Words
from voxpop.wire.jobs import JobError
from voxpop.wire.media import ATTACHMENTS, Attachment, References


class _Named:
    """Writes the names of the table, which may grow while the process runs, into JSON schemas."""

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"enum": list(QUESTION_TYPES), "type": "string"}


def _known_type(given: object) -> str:
    if isinstance(given, str) and given in QUESTION_TYPES:
        return given
    *names, last = (repr(name) for name in QUESTION_TYPES)
    shown = str(given).lower() if isinstance(given, bool) else repr(given)
    raise ValueError(f"must be {', '.join(names)} or {last}, not {shown[:80]}")


TypeName = Annotated[str, PlainValidator(_known_type), _Named()]
"""The name of a question type."""

KEY_PATTERN = r"^[a-z][a-z0-9_]*$"
"""Pattern of a question's variable name."""


BASIS = (
    "What the answer rests on: profile (the agent's record), published (figures with a source), modelled "
    "(a language model or a fitted model), none (a placeholder: no figure is known). Null for answers "
    "stored before bases were kept."
)
"""Description of an answer's basis."""

BASIS_NOTE = "One sentence on the basis, with source and year where there is one; null where basis is null."
"""Description of the note on a basis."""

NOTICE = "A caution about the answers: the embedded engine knows few of the words asked. Else null."
"""Description of a question's notice."""


EngineName = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=64,
        description="One of the service's engines by name; its default engine without it.",
    ),
]
"""The name of the engine to ask."""


class ScaleIn(In):
    """The two ends of a scale question."""

    min: int = Field(ge=-1_000_000, le=1_000_000, description="The lowest point.")
    max: int = Field(ge=-1_000_000, le=1_000_000, description="The highest point.")
    min_label: str | None = Field(default=None, max_length=200, description="What the lowest point means.")
    max_label: str | None = Field(default=None, max_length=200, description="What the highest point means.")


class Scale(Out):
    """The two ends of a scale question."""

    min: int = Field(description="The lowest point.")
    max: int = Field(description="The highest point.")
    min_label: str | None = Field(default=None, description="What the lowest point means.")
    max_label: str | None = Field(default=None, description="What the highest point means.")


class DirectAskIn(In):
    """Body of asking an agent or a group. Fields not given are read from the question's words."""

    question: Words = Field(
        min_length=1, max_length=10_000, description="The question's words, 1 to 10,000 characters."
    )
    attachments: References | None = Field(default=None, description=ATTACHMENTS)
    type: TypeName | None = Field(default=None, description="Read from the question's words without it.")
    options: Texts | None = Field(default=None, max_length=100, description="Options to choose from or rank.")
    scale: ScaleIn | None = Field(default=None, description="The ends of a scale question.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent sees the options in its own order."
    )
    engine: EngineName = None


class AskIn(DirectAskIn):
    """Body of ``POST /v1/research-studies/{study_id}/questions``."""

    key: str | None = Field(
        default=None,
        pattern=KEY_PATTERN,
        max_length=63,
        description="The variable's name in tables: small letters, digits and _; unique in the study.",
    )


class Answer(Out):
    """One agent's answer to one question. It is simulated, not evidence about people."""

    id: int = Field(description="The answer's number; later answers have higher ones.")
    agent_id: int = Field(description="The agent's id.")
    question_id: int | None = Field(default=None, description="The question's id.")
    study_id: int | None = Field(default=None, description="The study's id.")
    job_id: str | None = Field(default=None, description="The job that produced it.")
    response_text: str = Field(description="The answer in the agent's words.")
    value: bool | int | float | str | list[str] | None = Field(
        default=None, description="The coded answer: text, number, boolean or list; null for open ones."
    )
    option_order: list[int] | None = Field(
        default=None, description="The order in which the agent saw the options, as positions from 0."
    )
    answered_at: datetime | None = Field(default=None, description="When it was given, UTC.")
    engine: str | None = Field(default=None, description="The engine that produced it.")
    basis: str | None = Field(default=None, description=BASIS)
    basis_note: str | None = Field(default=None, description=BASIS_NOTE)
    agent_removed: bool = Field(default=False, description="Whether the agent was removed from the study.")
    agent_name: str | None = Field(default=None, description="The agent's name.")
    agent_age: int | None = Field(default=None, description="The agent's age.")
    agent_city: str | None = Field(default=None, description="Always null in this version.")
    agent_state: str | None = Field(default=None, description="The agent's state.")
    agent_country: str | None = Field(default=None, description="The agent's country.")
    agent_occupation: str | None = Field(default=None, description="The agent's occupation.")
    agent_summary: str | None = Field(default=None, description="Who the agent is.")


class AnswerBasis(Out):
    """The basis shared by some answers to a question."""

    basis: str = Field(description=BASIS)
    basis_note: str = Field(description=BASIS_NOTE)


class Question(Out):
    """A question of a study, with its answers so far if requested."""

    id: int = Field(description="The question's id.")
    uuid: str = Field(description="The question's UUID.")
    key: str | None = Field(default=None, description="The variable's name in tables.")
    question: str = Field(description="The question's words.")
    type: TypeName | str = Field(description="The question type.")
    options: list[str] | None = Field(default=None, description="Options to choose from or rank.")
    scale: Scale | None = Field(default=None, description="The ends of a scale question.")
    unit: str | None = Field(default=None, description="The unit of a number question, for example USD.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent saw its own order of options."
    )
    asked_count: int = Field(default=0, description="How many agents were asked.")
    answer_count: int = Field(default=0, description="Number of agents that answered.")
    failed_count: int = Field(default=0, description="Number of agents that failed to answer.")
    created_at: datetime | None = Field(default=None, description="When it was asked, UTC.")
    attachments: list[Attachment] = Field(
        default_factory=list, description="The media assets that go with it, in the order named."
    )
    notice: str | None = Field(default=None, description=NOTICE)
    bases: list[AnswerBasis] = Field(
        default_factory=list,
        description="What the answers so far rest on, each basis once and at most 20, the firmest first.",
    )
    engine: str | None = Field(
        default=None, description="The engine that was asked for; null for the service's default."
    )
    answers: list[Answer] = Field(default_factory=list, description="The answers so far, by answer id.")


class AskResponse(Out):
    """Response of asking: one job per agent."""

    job_ids: list[str] = Field(description="One job per agent, in group order.")
    question_id: int = Field(description="The question's id.")
    status: str = Field(default="queued", description="Always queued.")
    question: Question = Field(description="The question as it was read.")
    notice: str | None = Field(default=None, description=NOTICE)
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask for the jobs."
    )


class QuestionList(Out):
    """The questions of a study, in the order asked."""

    study_id: int = Field(description="The study's id.")
    count: int = Field(description="How many questions the study has.")
    questions: list[Question] = Field(description="The questions of this page; all of them without limit.")
    poll_after_s: float | None = Field(
        default=None,
        description="After how many seconds to read again; null when no answer is outstanding.",
    )


class AnswerList(Out):
    """The answers of a study, one row per agent and question, by answer id."""

    answers: list[Answer] = Field(description="The answers.")


class Unanswered(Out):
    """A question job of a study that has failed or is unfinished."""

    job_id: str = Field(description="The job.")
    question_id: int = Field(description="The question's id.")
    agent_id: int = Field(description="The agent's id.")
    status: str = Field(description="started or failed.")
    error: JobError | None = Field(default=None, description="Why it failed; null otherwise.")
    finished_at: datetime | None = Field(default=None, description="When it failed, UTC; null before.")


class UnansweredList(Out):
    """The question jobs of a study without an answer."""

    unanswered: list[Unanswered] = Field(description="The jobs, in the order asked.")
