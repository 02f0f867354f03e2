"""Study requests: one call with audience and questions results in a finished study."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from voxpop.wire.base import In, Out, Texts, Words
from voxpop.wire.groups import Group
from voxpop.wire.operations import Accepted, WaitSeconds
from voxpop.wire.questions import KEY_PATTERN, EngineName, ScaleIn, TypeName
from voxpop.wire.requests import LARGEST_GROUP, LONGEST_TEXT, Clarification, Refusal, RequestStatus, Review
from voxpop.wire.studies import Study

MOST_QUESTIONS = 50
"""Maximum number of questions per request."""

PLANNED_QUESTIONS = 5
"""Number of questions to draft for a request without any."""


class StudyQuestionIn(In):
    """A question of the study. Fields not given are read from its words."""

    question: Words = Field(
        min_length=1, max_length=10_000, description="The question's words, 1 to 10,000 characters."
    )
    key: str | None = Field(
        default=None,
        pattern=KEY_PATTERN,
        max_length=63,
        description="The variable's name in tables: small letters, digits and _; unique in the study.",
    )
    type: TypeName | None = Field(default=None, description="Read from the question's words without it.")
    options: Texts | None = Field(default=None, max_length=100, description="Options to choose from or rank.")
    scale: ScaleIn | None = Field(default=None, description="The ends of a scale question.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent sees the options in its own order."
    )
    engine: EngineName = None


def _as_object(given: object) -> object:
    return {"question": given} if isinstance(given, str) else given


AskedQuestion = Annotated[
    StudyQuestionIn, BeforeValidator(_as_object, json_schema_input_type=str | StudyQuestionIn)
]
"""A question of the study, or only its words."""


class StudyRequestIn(In):
    """Body of ``POST /v1/research-study-requests``."""

    request_text: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="The audience in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="Number of agents to recruit, 1 to 10,000.")
    title: Words | None = Field(
        default=None, min_length=1, max_length=300, description="The study's title; the text without it."
    )
    objective: Words | None = Field(
        default=None, min_length=1, max_length=10_000, description="Objective of the study."
    )
    questions: list[AskedQuestion] | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_QUESTIONS,
        description=(
            "What is asked, in order: texts, or objects as in asking a study. Without them "
            f"{PLANNED_QUESTIONS} questions are drawn up from the objective, or else from the text."
        ),
    )
    wait_seconds: WaitSeconds | None = Field(
        default=None, description="Seconds to wait for the job to end; at most 60."
    )


class StudyRequest(Out):
    """A study request. Only a completed one has a finished study."""

    id: str = Field(description="The request's id.")
    status: RequestStatus | str = Field(
        description="queued, running, completed, needs_clarification, awaiting_review, refused or failed."
    )
    phase: str | None = Field(default=None, description="Where it is: recruiting, asking or done.")
    progress_message: str | None = Field(default=None, description="Progress as one sentence.")
    notice: str | None = Field(
        default=None, description="A caveat about its questions, such as a text that was read in part."
    )
    clarification: Clarification | None = Field(
        default=None, description="The pending question; null unless clarification is needed."
    )
    review: Review | None = Field(default=None, description="The pending review; null unless one is awaited.")
    refusal: Refusal | None = Field(default=None, description="Reason of the refusal; null unless refused.")
    group_request_id: str | None = Field(
        default=None, description="The recruitment request for its audience."
    )
    created_at: datetime | None = Field(default=None, description="Creation time, UTC.")
    updated_at: datetime | None = Field(default=None, description="Time of the last change, UTC.")


class StudyRequestResponse(Out):
    """Response of reading and responding to a study request."""

    request: StudyRequest = Field(description="The request.")
    job_id: str | None = Field(default=None, description="The current or last job.")
    group: Group | None = Field(default=None, description="The group, once recruited.")
    study: Study | None = Field(default=None, description="The study, once it exists.")
    poll_after_s: float | None = Field(
        default=None,
        description="Suggested seconds until the next poll; null if there is nothing to wait for.",
    )


class StudyRequestAccepted(Accepted):
    """Response of creating a study request."""

    request: StudyRequest = Field(description="The request.")
    group: Group | None = Field(default=None, description="The group, once recruited.")
    study: Study | None = Field(default=None, description="The study, once it exists.")
