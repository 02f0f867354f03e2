"""Studies: create, read, complete, share, and remove agents."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Integers, Out, Page, Texts, Words

Stage = Literal["active", "completing", "completed"]

COMPLETION_STEPS = (
    "stats",
    "overall_summary",
    "key_segments",
    "divergences",
    "shared_mindsets",
    "next_questions",
)
"""The completion steps in their default order."""


class StudyIn(In):
    """Body of ``POST /v1/research-studies``."""

    title: Words = Field(min_length=1, max_length=300, description="The study's title.")
    objective: str | None = Field(default=None, max_length=10_000, description="Objective of the study.")
    research_group_uuid: str = Field(description="The UUID of the group that is asked, not its number.")


class Study(Out):
    """A study: questions asked of one group."""

    id: int = Field(description="The study's id.")
    uuid: str = Field(description="The study's UUID.")
    title: str = Field(description="The study's title.")
    objective: str | None = Field(default=None, description="Objective of the study.")
    stage: Stage | str = Field(default="active", description="active, completing or completed.")
    research_group_uuid: str | None = Field(default=None, description="The UUID of the group that is asked.")
    agent_count: int = Field(default=0, description="How many agents are in the study, without removed ones.")
    question_count: int = Field(default=0, description="How many questions were asked.")
    url: str | None = Field(default=None, description="Where the study is read.")
    created_at: datetime | None = Field(default=None, description="When it was created, UTC.")
    completed_at: datetime | None = Field(
        default=None, description="When it was completed, UTC; null before."
    )


class StudyResponse(Out):
    """One study."""

    study: Study = Field(description="The study.")


class StudyList(Page):
    """One page of the organization's studies, newest first."""

    studies: list[Study] = Field(description="The studies of this page.")


class StudyAgent(Agent):
    """An agent of a study: the full record and whether it was removed."""

    agent_removed: bool = Field(default=False, description="Whether the agent was removed from the study.")
    inclusion_probability: float | None = Field(
        default=None, description="The probability of being drawn into the group; null if it is not known."
    )
    design_weight: float | None = Field(
        default=None, description="1 / probability, scaled to the agents that could be drawn."
    )


class StudyAgents(Out):
    """The agents of a study, removed ones included."""

    agents: list[StudyAgent] = Field(description="The agents, in group order.")


class CompleteIn(In):
    """Body of ``POST …/complete``."""

    force: bool = Field(default=False, description="Whether steps that are done already run again.")
    steps: Texts | None = Field(default=None, description="The steps to run; all six, in order, without it.")


class CompleteResponse(Out):
    """Response of completion."""

    job_id: str | None = Field(default=None, description="The completion job; null when nothing was queued.")
    queued_steps: list[str] = Field(default_factory=list, description="The steps it will run, in order.")
    poll_after_s: float | None = Field(
        default=None, description="Suggested seconds until the next poll of the job."
    )


class ShareIn(In):
    """Body of ``POST …/share``."""

    enabled: bool = Field(description="Whether anybody with the link may read the study's share page.")


class ShareResponse(Out):
    """The sharing state. A share link is a secret."""

    enabled: bool = Field(description="Whether the study is shared.")
    url: str | None = Field(default=None, description="The share link; null when disabled.")
    share_link: str | None = Field(default=None, description="The same link again.")


class RemoveAgentsIn(In):
    """Body of ``DELETE …/agents`` and ``POST …/agents/remove``."""

    agent_ids: Integers = Field(
        min_length=1, max_length=10_000, description="Numbers of the agents to remove, for example [17, 42]."
    )


class RemoveAgentsResponse(Out):
    """The removed agents. Their earlier answers stay, marked as removed."""

    removed: list[int] = Field(description="The agents removed by this call.")
    not_found: list[int] = Field(description="Numbers that are not agents of the study (any more).")
    agent_count: int = Field(description="How many agents are left.")


class Analysis(Out):
    """Results of the completion steps; every claim lists its source answer ids."""

    study_id: int = Field(description="The study's id.")
    stage: Stage | str = Field(default="active", description="active, completing or completed.")
    steps: dict[str, Any] = Field(
        default_factory=dict, description="The result of each finished step by its name."
    )
