"""Recruitment requests: an audience in plain words, what was understood, and what it waits for."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Out, Words
from voxpop.wire.filters import Unknown
from voxpop.wire.groups import Group
from voxpop.wire.operations import Accepted, WaitSeconds

RequestStatus = Literal["queued", "running", "completed", "needs_clarification", "awaiting_review", "refused"]
ResponseMode = Literal["async", "sync"]

LONGEST_TEXT = 10_000
"""The most characters that a request or an answer to its question may have."""

LARGEST_GROUP = 10_000
"""The most agents that a request may ask for."""


class RequestIn(In):
    """The body of ``POST /v1/research-group-requests``."""

    request_text: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="Who is wanted, in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="How many agents to recruit, 1 to 10,000.")
    response_mode: ResponseMode = Field(
        default="async",
        description="sync waits for the end, up to 60 seconds; async answers as soon as it is queued.",
    )


class RespondIn(In):
    """The body of ``POST …/respond``: ``answer`` to a question, or ``approve`` of a review."""

    answer: Words | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_TEXT,
        description="The answer to the question of a request that needs clarification.",
    )
    approve: bool | None = Field(
        default=None,
        description="Of a request that awaits review: true goes on with the agents there are, false ends it.",
    )
    group_size: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_GROUP,
        description="With approve: true, how many agents are wanted now, 1 to 10,000.",
    )


class DescriptionIn(In):
    """The body of ``POST /v1/research-groups:from-description``."""

    description: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="Who is wanted, in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="How many agents to recruit, 1 to 10,000.")
    wait_seconds: WaitSeconds | None = Field(
        default=None, description="How long to hold the answer for the end of the job; 60 at most."
    )


class Screen(Out):
    """A criterion that no filter covers, found out by asking candidates."""

    criterion: str = Field(description="The words of the request.")
    question: str = Field(description="The question that candidates are asked.")
    keep: str = Field(description="The answer of those who are kept: yes or no.")


class Clarification(Out):
    """What has to be answered before anybody is recruited."""

    question: str = Field(description="One question to whoever made the request.")
    missing: list[str] = Field(default_factory=list, description="What is not known yet.")
    options: list[str] = Field(default_factory=list, description="Answers that are certainly understood.")


class Review(Out):
    """What has to be approved before the group is made."""

    reason: str = Field(description="Why a person should look at it.")
    requested: int = Field(description="How many agents were asked for.")
    available: int = Field(description="How many agents there are.")


class Refusal(Out):
    """Why the request ended without a group."""

    reason: str = Field(description="One sentence that names what caused it.")
    hint: str = Field(description="What to ask for instead.")


class GroupRequest(Unknown):
    """A recruitment request. Only a completed one has a group."""

    id: str = Field(description="The request's id.")
    status: RequestStatus | str = Field(
        description="queued, running, completed, needs_clarification, awaiting_review or refused."
    )
    phase: str | None = Field(
        default=None,
        description="Where it is: waiting, reading, screening, recruiting, answer, review or done.",
    )
    progress_message: str | None = Field(default=None, description="How far it is, as one sentence.")
    request_text: str | None = Field(default=None, description="Who is wanted, in plain words.")
    group_size: int | None = Field(default=None, description="How many agents are wanted.")
    filters: dict[str, Any] | None = Field(
        default=None, description="What the text was understood as; null until it was read."
    )
    screening: list[Screen] = Field(
        default_factory=list, description="Criteria that no filter covers; candidates are asked about them."
    )
    clarification: Clarification | None = Field(
        default=None, description="What has to be answered; null unless it needs clarification."
    )
    review: Review | None = Field(
        default=None, description="What has to be approved; null unless it awaits review."
    )
    refusal: Refusal | None = Field(default=None, description="Why it was refused; null unless it was.")
    created_at: datetime | None = Field(default=None, description="When it was made, UTC.")
    updated_at: datetime | None = Field(default=None, description="When it last changed, UTC.")


class RequestAnswer(Out):
    """The answer of making, reading and answering a request."""

    request: GroupRequest = Field(description="The request.")
    job_id: str | None = Field(default=None, description="The job that works on it, or did last.")
    group: Group | None = Field(default=None, description="The group, once the request is completed.")
    recruited_agents: list[Agent] | None = Field(
        default=None, description="The group's agents in the order drawn, once the request is completed."
    )
    poll_after_s: float | None = Field(
        default=None, description="After how many seconds to ask again; null when it waits for nothing."
    )


class DescribedGroupAccepted(Accepted):
    """The answer of making a group from a description."""

    request: GroupRequest = Field(description="The recruitment request that the description became.")
    group: Group | None = Field(default=None, description="The group, once the request is completed.")
