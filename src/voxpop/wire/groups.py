"""Research groups: recruit, interview, append, update, archive, read and list."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field, model_validator

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Integers, Out, Page, Words
from voxpop.wire.filters import Unknown
from voxpop.wire.questions import Scale, TypeName

SampleMethod = Literal["random", "stratified", "balanced"]
RawDslMode = Literal["explicit_opt_in", "legacy_grandfathered"]
RejectReason = Literal["unknown_agent", "already_in_group", "not_in_group", "no_replacement", "not_drawn"]


class DrawIn(In):
    """Fields common to recruit, interview and append: the agents to draw."""

    filters: dict[str, Any] = Field(description="A filter, nested or flat; an empty one matches everybody.")
    group_size: int = Field(ge=1, le=10_000, description="How many agents to draw, 1 to 10,000.")
    sample_method: SampleMethod = Field(
        default="random",
        description="A simple random sample; one in proportion to age band, gender and state (stratified); "
        "or one with equal numbers of each age band and gender (balanced).",
    )
    dedupe: bool = Field(
        default=True,
        description="Whether an agent may be in the group once only. It never is there twice, so that false "
        "changes nothing.",
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        lt=2**63,
        description="Same seed, filters and population: same agents in the same order.",
    )
    exclude_group_ids: list[int | str] | None = Field(
        default=None,
        max_length=100,
        description="Groups, by id or UUID, whose members are not drawn, for example [12].",
    )
    quotas: list[dict[str, Any]] | dict[str, Any] | None = Field(
        default=None,
        description='Fixed numbers: cells as [{"filters": {...}, "size": 50}, ...] that sum to group_size, '
        'or {"margins": {"gender": {"female": 0.5, "male": 0.5}, "age": {"18-34": 0.4, "35+": 0.6}}}.',
    )
    boosts: list[dict[str, Any]] | None = Field(
        default=None,
        description='Agents beyond group_size from parts of the audience: [{"filters": {...}, "size": 200}]. '
        "The design weights account for the overlap.",
    )


class RecruitIn(DrawIn):
    """Body of ``POST /v1/research-groups/recruit``."""

    name: Words | None = Field(
        default=None,
        min_length=1,
        max_length=300,
        description="A name for the group; one is made up without it.",
    )
    description: str | None = Field(
        default=None,
        max_length=10_000,
        description="Who is wanted, in words: each word in an agent's profile makes it 4 times likelier to "
        "be drawn next, up to 5 words. Nobody is excluded; the group is an unequal-probability sample.",
    )


class InterviewIn(DrawIn):
    """Body of ``POST /v1/research-groups/interview``."""

    objective: Words = Field(
        min_length=1,
        max_length=10_000,
        description="What the interviews are to find out; the guide is made of its words. It draws nobody.",
    )
    name: Words | None = Field(
        default=None,
        min_length=1,
        max_length=300,
        description="A name for the group; one is made up without it.",
    )


class AppendIn(DrawIn):
    """Body of ``POST …/{group_uuid}/append``. Members are never drawn again."""


class CreateIn(In):
    """Body of ``POST /v1/research-groups/create``."""

    name: Words = Field(min_length=1, max_length=300, description="A name for the group.")
    agent_ids: Integers = Field(
        min_length=1, max_length=10_000, description="Numbers of its agents, in order, for example [17, 42]."
    )
    description: str | None = Field(default=None, max_length=10_000, description="Who is in it, in words.")


class UpdateIn(In):
    """Body of ``POST …/{group_id}/update``: changes the fields given, at least one."""

    name: Words = Field(
        default_factory=str, min_length=1, max_length=300, description="Another name for the group."
    )
    description: str | None = Field(
        default=None, max_length=10_000, description="Another description; null takes it away."
    )

    @model_validator(mode="after")
    def _something(self) -> UpdateIn:
        if not self.model_fields_set:
            raise ValueError("send name, description or both; nothing was given to change")
        return self


class MembersIn(In):
    """Body of ``POST …/agents/add`` and ``POST …/agents/remove``."""

    agent_ids: Integers = Field(
        min_length=1, max_length=10_000, description="Numbers of agents, for example [17, 42]; not UUIDs."
    )


class ReplaceIn(In):
    """Body of ``POST …/agents/replace``."""

    agent_ids: Integers = Field(
        min_length=1,
        max_length=10_000,
        description="Numbers of members, which leave the group, or of agents that left it before.",
    )
    seed: int | None = Field(
        default=None, ge=0, lt=2**63, description="Same seed and group: same replacements."
    )


class Filled(Out):
    """A quota or a boost: what was asked, what is there, and what was drawn."""

    kind: Literal["cell", "margin", "boost"] | str = Field(description="cell, margin or boost.")
    filters: dict[str, Any] | None = Field(default=None, description="The filter of a cell or boost.")
    field: str | None = Field(default=None, description="The field of a margin.")
    level: str | None = Field(default=None, description="The level of a margin.")
    size: int = Field(description="How many agents were asked for; of a boost, beyond the sample.")
    available: int = Field(description="How many agents could be drawn.")
    drawn: int = Field(description="How many members belong to it; of a boost, those of the sample too.")
    screened: int | None = Field(
        default=None, description="How many of the available agents were screened; null without a screening."
    )
    passed: int | None = Field(default=None, description="How many of them passed.")


class Sampling(Out):
    """How a group was drawn, and what its weights describe."""

    population: int | None = Field(default=None, description="How many agents the draw could choose from.")
    covered: int | None = Field(
        default=None, description="How many of them had a chance to be drawn; the weights sum to it."
    )
    note: str | None = Field(default=None, description="Why weights are missing, or what to know of them.")
    quotas: Any = Field(default=None, description="The quotas as given.")
    boosts: Any = Field(default=None, description="The boosts as given.")
    cells: list[Filled] = Field(default_factory=list, description="Each quota and boost, and how it was met.")
    excluded: list[int] = Field(default_factory=list, description="The groups whose members were excluded.")
    described: bool = Field(default=False, description="Whether a description made some agents likelier.")
    near: str | None = Field(default=None, description="The description; null without one.")
    screened: bool = Field(default=False, description="Whether the members passed a screening.")


class Member(Out):
    """A member's place in the sample."""

    agent_id: int = Field(description="The agent's number.")
    inclusion_probability: float | None = Field(
        default=None, description="The probability of being drawn; null if it is not known."
    )
    design_weight: float | None = Field(
        default=None,
        description="1 / probability, scaled so that the weights sum to the agents that could be drawn.",
    )
    replaces: int | None = Field(default=None, description="The agent it was drawn to replace.")


class Group(Out):
    """A recruited set of agents."""

    id: int = Field(description="The group's id.")
    uuid: str = Field(description="The group's UUID; studies are created with it.")
    name: str = Field(description="The group's name.")
    description: str | None = Field(
        default=None, description="Who was wanted, in words; of an interview group its objective."
    )
    agent_count: int = Field(description="How many agents are in the group.")
    url: str | None = Field(default=None, description="Where the group is read.")
    filters: dict[str, Any] = Field(default_factory=dict, description="The filter it was recruited with.")
    sample_method: SampleMethod | str = Field(
        default="random", description="How the agents were drawn; named: the caller gave their numbers."
    )
    seed: int | None = Field(default=None, description="The seed of the draw, given or drawn by the service.")
    shortfall: int = Field(default=0, description="How many agents are missing because too few match.")
    created_at: datetime | None = Field(default=None, description="When it was recruited, UTC.")
    archived: bool = Field(default=False, description="Whether it is archived: readable, but no new study.")
    sampling: Sampling | None = Field(
        default=None, description="How the members were drawn; null for groups of named agents."
    )


class RecruitResponse(Unknown):
    """Response of recruit."""

    group: Group = Field(description="The new group.")
    recruited_agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order drawn.")
    members: list[Member] = Field(default_factory=list, description="Their weights, in the same order.")
    raw_dsl_mode: RawDslMode | str = Field(
        default="legacy_grandfathered", description="explicit_opt_in with the header X-Filter-Raw-DSL: true."
    )


class GuideQuestion(Out):
    """A question of an interview guide, ready to be asked in a study."""

    key: str | None = Field(default=None, description="A variable name, unique in the guide.")
    question: str = Field(description="The question's words.")
    type: TypeName | str = Field(description="The question type.")
    options: list[str] | None = Field(default=None, description="What can be chosen.")
    scale: Scale | None = Field(default=None, description="The ends of a scale question.")


class InterviewResponse(Unknown):
    """Response of interview."""

    group: Group = Field(description="The new group.")
    recruited_agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order drawn.")
    members: list[Member] = Field(default_factory=list, description="Their weights, in the same order.")
    interview_guide: list[GuideQuestion] = Field(
        default_factory=list, description="3 to 7 questions for the objective, in the order to ask them."
    )


class AppendResponse(Unknown):
    """Response of append. The group keeps the filters, seed and shortfall it was recruited with."""

    group: Group = Field(description="The group with its new agents.")
    added_agent_ids: list[int] = Field(description="Numbers of the new agents, in the order drawn.")
    recruited_agents: list[Agent] = Field(default_factory=list, description="The new agents in full.")
    members: list[Member] = Field(
        default_factory=list, description="All members with their weights, which an append changes."
    )
    seed: int | None = Field(default=None, description="The seed of this draw.")
    shortfall: int = Field(
        default=0, description="How many agents this draw is short of because too few others match."
    )


class CreateResponse(Out):
    """Response of create."""

    group: Group = Field(description="The new group.")
    recruited_agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order given.")
    members: list[Member] = Field(
        default_factory=list, description="Their numbers, without weights: they were not drawn."
    )


class GroupChangeResponse(Out):
    """Response of update and of archiving."""

    group: Group = Field(description="The group as it is now.")


class Rejected(Out):
    """An agent that could not be added or removed."""

    agent_id: int = Field(description="The number that was given.")
    reason: RejectReason | str = Field(
        description="unknown_agent, already_in_group (when adding), not_in_group (when removing), not_drawn "
        "(added by hand, so that there is no cell) or no_replacement (the cell is exhausted)."
    )


class AddMembersResponse(Out):
    """Response of ``…/agents/add``. Existing studies keep their agents."""

    added: list[int] = Field(description="Numbers of the agents that are new in the group.")
    rejected: list[Rejected] = Field(default_factory=list, description="The others, each with the reason.")
    group: Group = Field(description="The group as it is now.")


class RemoveMembersResponse(Out):
    """Response of ``…/agents/remove``. Existing studies keep their agents."""

    removed: list[int] = Field(description="Numbers of the agents that left the group.")
    rejected: list[Rejected] = Field(default_factory=list, description="The others, each with the reason.")
    group: Group = Field(description="The group as it is now.")


class Replaced(Out):
    """A replacement: a draw from the same cell of the sample."""

    agent_id: int = Field(description="The agent that was replaced.")
    replacement_id: int = Field(description="The agent drawn in its place.")


class ReplaceResponse(Out):
    """Response of ``…/agents/replace``. Existing studies keep their agents."""

    replaced: list[Replaced] = Field(description="The replacements, in the order given.")
    rejected: list[Rejected] = Field(
        default_factory=list, description="Agents without a replacement, each with the reason."
    )
    members: list[Member] = Field(default_factory=list, description="The new members with their weights.")
    group: Group = Field(description="The group as it is now.")


class GroupResponse(Out):
    """Response of reading one group."""

    group: Group = Field(description="The group.")
    agents: list[Agent] = Field(default_factory=list, description="Its agents, in the order drawn.")
    agent_ids: list[int] | None = Field(
        None, description="Their numbers in the order drawn, where they were asked for without records."
    )
    members: list[Member] = Field(default_factory=list, description="Their weights, in the same order.")


class GroupList(Page):
    """One page of the organization's groups, newest first."""

    groups: list[Group] = Field(description="The groups of this page.")
