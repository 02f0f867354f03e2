"""Research groups: recruiting by explicit filters, reading and listing."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Out, Page, Words

SampleMethod = Literal["random", "stratified", "balanced"]
RawDslMode = Literal["explicit_opt_in", "legacy_grandfathered"]


class RecruitIn(In):
    """The body of ``POST /v1/research-groups/recruit``."""

    name: Words | None = Field(
        default=None,
        min_length=1,
        max_length=300,
        description="A name for the group; one is made up without it.",
    )
    description: str | None = Field(
        default=None,
        max_length=10_000,
        description="Who is wanted, in words: agents with a nearer profile are likelier; it never excludes.",
    )
    filters: dict[str, Any] = Field(description="A filter, nested or flat; an empty one matches everybody.")
    group_size: int = Field(ge=1, le=10_000, description="How many agents to recruit, 1 to 10,000.")
    sample_method: SampleMethod = Field(default="random", description="How agents are drawn.")
    dedupe: bool = Field(
        default=True,
        description="Whether to avoid agents alike in age, gender, state and occupation while others match.",
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        lt=2**63,
        description="Same seed, filters and population: same agents in the same order.",
    )


class Group(Out):
    """A recruited set of agents."""

    id: int = Field(description="The group's number.")
    uuid: str = Field(description="The group's UUID; studies are created with it.")
    name: str = Field(description="The group's name.")
    description: str | None = Field(default=None, description="Who was wanted, in words.")
    agent_count: int = Field(description="How many agents are in the group.")
    url: str | None = Field(default=None, description="Where the group is read.")
    filters: dict[str, Any] = Field(default_factory=dict, description="The filter it was recruited with.")
    sample_method: SampleMethod | str = Field(default="random", description="How the agents were drawn.")
    seed: int | None = Field(default=None, description="The seed of the draw, given or drawn by the service.")
    shortfall: int = Field(default=0, description="How many agents are missing because too few match.")
    created_at: datetime | None = Field(default=None, description="When it was recruited, UTC.")
    archived: bool = Field(default=False, description="Whether it is archived: readable, but no new study.")


class RecruitAnswer(Out):
    """The answer of recruit."""

    group: Group = Field(description="The new group.")
    recruited_agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order drawn.")
    raw_dsl_mode: RawDslMode | str = Field(
        default="legacy_grandfathered", description="explicit_opt_in with the header X-Filter-Raw-DSL: true."
    )


class GroupAnswer(Out):
    """The answer of reading one group."""

    group: Group = Field(description="The group.")
    agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order drawn.")


class GroupList(Page):
    """One page of the organization's groups, newest first."""

    groups: list[Group] = Field(description="The groups of this page.")
