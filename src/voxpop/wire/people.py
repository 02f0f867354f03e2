"""People of one's own: profiles from a table become a group of agents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from voxpop.wire.agents import Agent
from voxpop.wire.base import In, Out, Words
from voxpop.wire.groups import Group


class MorePeopleIn(In):
    """Body of ``POST /v1/research-groups/{group_id}/people``."""

    columns: dict[str, list[Any]] = Field(
        min_length=1,
        description="Values by field of the vocabulary, one per person in the same order; null where a value "
        "is not recorded. A group takes 10,000 people, and a body 50,000 values: add the others in further "
        "calls. age, gender and country must be known, unless fill draws them.",
    )
    fill: Literal["population"] | None = Field(
        default=None,
        description="population draws what is not recorded from agents of the population that are alike (hot "
        "deck), and marks it; without it, it stays unknown.",
    )
    seed: int = Field(default=0, ge=0, lt=2**63, description="Seed of the draws of fill.")


class BringIn(MorePeopleIn):
    """Body of ``POST /v1/research-groups/bring``."""

    name: Words = Field(min_length=1, max_length=300, description="A name for the group.")
    description: str | None = Field(default=None, max_length=10_000, description="Who is in it, in words.")


class Unread(Out):
    """A value that could not be used, and how many people have it."""

    field: str = Field(description="The field.")
    value: str = Field(description="The value.")
    people: int = Field(description="How many people have it; their field is unknown.")


class BringResponse(Out):
    """Response of bring, and of adding people."""

    group: Group = Field(description="The group.")
    recruited_agents: list[Agent] = Field(
        default_factory=list, description="The agents of this call, in the order given."
    )
    filled: dict[str, int] = Field(
        default_factory=dict, description="Number of values drawn from the population, by field."
    )
    unread: list[Unread] = Field(
        default_factory=list, description="Occupations and industries that the service does not know."
    )


class DeletePeopleResponse(Out):
    """Response of deleting the profiles of a group."""

    group: Group = Field(description="The group, archived.")
    deleted_agent_ids: list[int] = Field(description="The agents whose profiles are gone.")
