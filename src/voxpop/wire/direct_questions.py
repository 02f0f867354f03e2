"""Direct questions: asked of one agent or a group outside a study, and kept as records."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import Out, Page
from voxpop.wire.jobs import JobError
from voxpop.wire.media import Attachment
from voxpop.wire.operations import Accepted, WaitSeconds
from voxpop.wire.questions import BASIS, BASIS_NOTE, NOTICE, DirectAskIn, Scale, TypeName

RecordStatus = Literal["running", "completed", "failed"]


class AskOnceIn(DirectAskIn):
    """Body of ``POST /v1/research-groups/{group_id}:ask``."""

    wait_seconds: WaitSeconds | None = Field(
        default=None, description="How long to hold the answer for the job's end; more than 60 count as 60."
    )


class DirectAskResponse(Out):
    """Queued work of a direct question."""

    status_url: str | None = Field(
        default=None, description="Where to look how far it is; null when nobody was asked."
    )
    question_id: int = Field(description="The question's id.")
    question_uuid: str = Field(description="The question's UUID.")
    question_url: str | None = Field(default=None, description="Where the record of the question is read.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask for the jobs; null when there are none."
    )
    notice: str | None = Field(default=None, description=NOTICE)


class AgentAskResponse(DirectAskResponse):
    """Response of asking one agent."""

    job_id: str = Field(description="The job that ends with the agent's answer.")


class GroupAskResponse(DirectAskResponse):
    """Response of asking a group."""

    job_ids: list[str] = Field(description="One job per agent, in group order; none of an empty group.")


class AskOnceResponse(Accepted):
    """Response of ``POST /v1/research-groups/{group_id}:ask``."""

    job_ids: list[str] = Field(default_factory=list, description="One job per agent, in group order.")
    question_id: int = Field(description="The question's id.")
    question_uuid: str | None = Field(default=None, description="The question's UUID.")
    question_url: str | None = Field(default=None, description="Where the record of the question is read.")
    notice: str | None = Field(default=None, description=NOTICE)


class DirectAnswer(Out):
    """One agent's answer. It is simulated, not evidence about people."""

    id: int | None = Field(default=None, description="The answer's number, as artifacts name it.")
    response_text: str = Field(description="The answer in the agent's words.")
    value: bool | int | float | str | list[str] | None = Field(
        default=None, description="The coded answer: text, number, boolean or list; null for open ones."
    )
    answered_at: datetime | None = Field(default=None, description="When it was given, UTC.")
    engine: str | None = Field(default=None, description="The engine that produced it.")
    basis: str | None = Field(default=None, description=BASIS)
    basis_note: str | None = Field(default=None, description=BASIS_NOTE)
    option_order: list[int] | None = Field(
        default=None, description="The order in which the agent saw the options, as positions from 0."
    )


class Target(Out):
    """One agent that was asked."""

    agent: Agent = Field(description="The agent's full record.")
    job_id: str = Field(description="The job that ends with the agent's answer.")
    status: str = Field(description="started, finished or failed.")
    answer: DirectAnswer | None = Field(default=None, description="The answer; null until it is there.")
    error: JobError | None = Field(default=None, description="Why there is none; null unless it failed.")


class Artifact(Out):
    """An artifact made from the answers, with the ids of its source answers."""

    kind: str = Field(description="What it is: summary.")
    text: str = Field(description="The text.")
    answer_ids: list[int] = Field(default_factory=list, description="Numbers of the answers it rests on.")


class DirectQuestion(Out):
    """The record of a direct question: its targets and their answers."""

    id: int = Field(description="The question's id.")
    uuid: str = Field(description="The question's UUID.")
    question: str = Field(description="The question's words.")
    type: TypeName | str = Field(default="open", description="The question type.")
    options: list[str] | None = Field(default=None, description="Options to choose from or rank.")
    scale: Scale | None = Field(default=None, description="The ends of a scale question.")
    unit: str | None = Field(default=None, description="The unit of a number question, for example USD.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent saw its own order of options."
    )
    engine: str | None = Field(
        default=None, description="The engine that was asked for; null for the service's default one."
    )
    status: RecordStatus | str = Field(
        description="running until every job has ended, then completed, or failed when nobody answered."
    )
    asked_of: str | None = Field(default=None, description="agent or group.")
    research_group_uuid: str | None = Field(default=None, description="The group, where one was asked.")
    asked_count: int = Field(default=0, description="How many agents were asked.")
    answer_count: int = Field(default=0, description="Number of agents that answered.")
    failed_count: int = Field(default=0, description="Number of agents that failed to answer.")
    targets: list[Target] = Field(default_factory=list, description="Who was asked, in group order.")
    artifacts: list[Artifact] = Field(
        default_factory=list, description="What was made of the answers once every job has ended."
    )
    attachments: list[Attachment] = Field(
        default_factory=list, description="The media assets that go with the question."
    )
    notice: str | None = Field(default=None, description=NOTICE)
    question_url: str | None = Field(default=None, description="Where this record is read.")
    web_url: str | None = Field(default=None, description="A page of it, which needs a key.")
    created_at: datetime | None = Field(default=None, description="When it was asked, UTC.")
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to read again; null when every job has ended."
    )


class DirectQuestionList(Page):
    """One page of the organization's direct questions, newest first."""

    direct_questions: list[DirectQuestion] = Field(description="The records of this page.")
