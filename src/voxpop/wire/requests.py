"""Recruitment requests: an audience in plain words, its interpretation and its state."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Out, Words
from voxpop.wire.filters import Unknown
from voxpop.wire.groups import Group, Member
from voxpop.wire.operations import Accepted, WaitSeconds

RequestStatus = Literal["queued", "running", "completed", "needs_clarification", "awaiting_review", "refused"]
ResponseMode = Literal["async", "sync"]

LONGEST_TEXT = 10_000
"""Maximum number of characters of a request or an answer to its question."""

LARGEST_GROUP = 10_000
"""Maximum number of agents per request."""


class RequestIn(In):
    """Body of ``POST /v1/research-group-requests``."""

    request_text: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="The audience in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="Number of agents to recruit, 1 to 10,000.")
    response_mode: ResponseMode = Field(
        default="async",
        description="sync waits for the end, up to 60 seconds; async answers as soon as it is queued.",
    )
    exclude_group_ids: list[int | str] | None = Field(
        default=None, max_length=100, description="As for recruiting by filters."
    )
    quotas: list[dict[str, Any]] | dict[str, Any] | None = Field(
        default=None, description="As for recruiting by filters, within the audience understood."
    )
    boosts: list[dict[str, Any]] | None = Field(
        default=None, description="As for recruiting by filters, within the audience understood."
    )


class RespondIn(In):
    """Body of ``POST …/respond``: ``answer`` to a question, or ``approve`` of a review."""

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
    """Body of ``POST /v1/research-groups:from-description``."""

    description: Words = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="The audience in plain words, 1 to 10,000 characters.",
    )
    group_size: int = Field(ge=1, le=LARGEST_GROUP, description="Number of agents to recruit, 1 to 10,000.")
    wait_seconds: WaitSeconds | None = Field(
        default=None, description="Seconds to wait for the job to end; at most 60."
    )


class Screen(Out):
    """A criterion that no filter covers and that candidates are asked about."""

    criterion: str = Field(description="The words of the request.")
    question: str = Field(description="The question that candidates are asked.")
    keep: str = Field(description="The answer of those who are kept: yes or no.")
    basis: str | None = Field(
        default=None, description="What the answers rest on: profile, published or modelled."
    )
    basis_note: str | None = Field(default=None, description="Where the answers are from, in a sentence.")
    incidence: float | None = Field(
        default=None,
        description="Share of those who match the filters that is expected to be kept, 0 to 1; null if it is "
        "not known before they are asked.",
    )


class Understood(Out):
    """A span of the request, with what it was understood as."""

    span: str = Field(description="The words, as written.")
    start: int = Field(description="Where they start in the text, in characters.")
    as_: str = Field(
        alias="as",
        description="filter, screen, quota, size, purpose (shown, without effect), glue, unclear (asked "
        "about) or left_out.",
    )
    value: Any = Field(
        default=None, description="The filter, the question or the number; null where there is none."
    )


class Clarification(Out):
    """A question to answer before recruiting can continue."""

    question: str = Field(description="One question to whoever made the request.")
    missing: list[str] = Field(default_factory=list, description="What is not known yet.")
    options: list[str] = Field(default_factory=list, description="Answers that are certainly understood.")


class Review(Out):
    """A decision to approve before the group is created."""

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
    progress_message: str | None = Field(default=None, description="Progress as one sentence.")
    request_text: str | None = Field(default=None, description="Who is wanted, in plain words.")
    group_size: int | None = Field(default=None, description="How many agents are wanted.")
    filters: dict[str, Any] | None = Field(
        default=None, description="What the text was understood as; null until it was read."
    )
    screening: list[Screen] = Field(
        default_factory=list, description="Criteria that no filter covers; candidates are asked about them."
    )
    understood: list[Understood] | None = Field(
        default=None, description="Every span of the text, in order; null until it was read."
    )
    clarification: Clarification | None = Field(
        default=None, description="The pending question; null unless clarification is needed."
    )
    review: Review | None = Field(default=None, description="The pending review; null unless one is awaited.")
    refusal: Refusal | None = Field(default=None, description="Reason of the refusal; null unless refused.")
    created_at: datetime | None = Field(default=None, description="Creation time, UTC.")
    updated_at: datetime | None = Field(default=None, description="Time of the last change, UTC.")


class RequestResponse(Out):
    """Response of creating, reading and responding to a request."""

    request: GroupRequest = Field(description="The request.")
    job_id: str | None = Field(default=None, description="The current or last job.")
    group: Group | None = Field(default=None, description="The group, once the request is completed.")
    recruited_agents: list[Agent] | None = Field(
        default=None, description="The group's agents in the order drawn, once the request is completed."
    )
    members: list[Member] | None = Field(default=None, description="Their weights, in the same order.")
    poll_after_s: float | None = Field(
        default=None,
        description="Suggested seconds until the next poll; null if there is nothing to wait for.",
    )


class DescribedGroupAccepted(Accepted):
    """Response of creating a group from a description."""

    request: GroupRequest = Field(description="The recruitment request that the description became.")
    group: Group | None = Field(default=None, description="The group, once the request is completed.")
