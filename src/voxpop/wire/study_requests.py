"""Study requests: an audience and its questions in one call become a finished study."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from voxpop.wire.base import In, Out, Texts, Words
from voxpop.wire.groups import Group
from voxpop.wire.operations import Accepted, WaitSeconds
from voxpop.wire.questions import KEY_PATTERN, QuestionType, ScaleIn
from voxpop.wire.requests import LARGEST_GROUP, LONGEST_TEXT, Clarification, Refusal, RequestStatus, Review
from voxpop.wire.studies import Study

MOST_QUESTIONS = 50
"""The most questions that one request may ask."""

PLANNED_QUESTIONS = 5
"""How many questions are drawn up where the request has none."""


class StudyQuestionIn(In):
    """A question of the study. What its words do not say, the other fields do."""

    question: Words = Field(
        min_length=1, max_length=10_000, description="The question's words, 1 to 10,000 characters."
    )
    key: str | None = Field(
        default=None,
        pattern=KEY_PATTERN,
        max_length=63,
        description="The variable's name in tables: small letters, digits and _; unique in the study.",
    )
    type: QuestionType | None = Field(default=None, description="Read from the question's words without it.")
    options: Texts | None = Field(default=None, max_length=100, description="What can be chosen or ranked.")
    scale: ScaleIn | None = Field(default=None, description="The ends of a scale question.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent sees the options in its own order."
    )


def _as_object(given: object) -> object:
    return {"question": given} if isinstance(given, str) else given


AskedQuestion = Annotated[
    StudyQuestionIn, BeforeValidator(_as_object, json_schema_input_type=str | StudyQuestionIn)
]
"""A question of the study, or its words alone."""


class StudyRequestIn(In):
    """The body of ``POST /v1/research-study-requests``."""

    request_text: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="Who is wanted, in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="How many agents to recruit, 1 to 10,000.")
    title: Words | None = Field(
        default=None, min_length=1, max_length=300, description="The study's title; the text without it."
    )
    objective: Words | None = Field(
        default=None, min_length=1, max_length=10_000, description="What the study is to find out."
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
        default=None, description="How long to hold the answer for the end of the job; 60 at most."
    )


class StudyRequest(Out):
    """A study request. Only a completed one has a finished study."""

    id: str = Field(description="The request's id.")
    status: RequestStatus | str = Field(
        description="queued, running, completed, needs_clarification, awaiting_review, refused or failed."
    )
    phase: str | None = Field(default=None, description="Where it is: recruiting, asking or done.")
    progress_message: str | None = Field(default=None, description="How far it is, as one sentence.")
    notice: str | None = Field(
        default=None, description="What to know of its questions, such as a text that was read in part."
    )
    clarification: Clarification | None = Field(
        default=None, description="What has to be answered; null unless it needs clarification."
    )
    review: Review | None = Field(
        default=None, description="What has to be approved; null unless it awaits review."
    )
    refusal: Refusal | None = Field(default=None, description="Why it was refused; null unless it was.")
    group_request_id: str | None = Field(
        default=None, description="The recruitment request for its audience."
    )
    created_at: datetime | None = Field(default=None, description="When it was made, UTC.")
    updated_at: datetime | None = Field(default=None, description="When it last changed, UTC.")


class StudyRequestAnswer(Out):
    """The answer of reading and answering a study request."""

    request: StudyRequest = Field(description="The request.")
    job_id: str | None = Field(default=None, description="The job that works on it, or did last.")
    group: Group | None = Field(default=None, description="The group, once it is recruited.")
    study: Study | None = Field(default=None, description="The study, once there is one.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask again; null when it waits for nothing."
    )


class StudyRequestAccepted(Accepted):
    """The answer of making a study request."""

    request: StudyRequest = Field(description="The request.")
    group: Group | None = Field(default=None, description="The group, once it is recruited.")
    study: Study | None = Field(default=None, description="The study, once there is one.")
