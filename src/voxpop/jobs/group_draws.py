"""Draws of groups as records: excluded groups, weights of members, appends and replacements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.errors import InvalidRequest, NotFound
from voxpop.population.quotas import Design, read_design
from voxpop.population.replacing import Pick, first_of
from voxpop.records import groups
from voxpop.records.groups import Group, Member
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse

if TYPE_CHECKING:
    from voxpop.population.designs import Drawn
    from voxpop.population.file import Population

LARGEST = 10_000
"""Maximum number of agents in one draw, boosts included."""

APPENDED = (
    "Agents were appended by a draw of another kind, so that the probability of being in this group is not "
    "known; its members have no weights."
)
BY_HAND = "Some agents were added by hand and have no weight; the weights describe the others."
REMOVED = (
    "Some agents were removed by hand. Those that were not replaced took their weight with them, so that the "
    "weights sum to fewer agents."
)
REPLACED = (
    "Some agents were replaced from the same cell of the sample. A replacement has the weight of the agent "
    "it replaces, which is right if leaving has nothing to do with what is studied."
)
SCREENED = (
    "Members passed a screening. All agents that would pass had the same chance, but their number is not "
    "known; the members need no weights among themselves."
)


def design_of(quotas: Any, boosts: Any, size: int) -> Design:
    """Return the quotas and boosts of a request; refuse more agents than one draw may have."""
    design = read_design(quotas, boosts, size)
    total = size + sum(boost.size for boost in design.boosts)
    if total > LARGEST:
        problem = (
            f"group_size and boosts have the sum {total:,}; at most {LARGEST:,} agents are drawn at once"
        )
        raise InvalidRequest(f"{problem}.", details={"fields": {"boosts": [problem]}})
    return design


def excluded(
    c: sa.Connection, organization_id: int, references: Sequence[int | str] | None
) -> tuple[list[int], list[int]]:
    """Return the ids of the groups to exclude, and those of their members."""
    numbers, agents = [], dict[int, None]()
    for reference in references or ():
        try:
            group = groups.get(c, organization_id, reference)
        except NotFound as error:
            problem = f"there is no group {str(reference)[:80]!r}"
            raise InvalidRequest(
                f"exclude_group_ids: {problem}.", details={"fields": {"exclude_group_ids": [problem]}}
            ) from error
        numbers.append(group.id)
        agents.update(dict.fromkeys(groups.member_ids(c, organization_id, group.id)))
    return numbers, list(agents)


def members_of(drawn: Drawn) -> list[Member]:
    """Return the agents of a draw with their weights."""
    if drawn.probability is None or drawn.weight is None:
        return [Member(agent) for agent in drawn.ids]
    return [Member(*one) for one in zip(drawn.ids, drawn.probability, drawn.weight, strict=True)]


def sampling_of(drawn: Drawn, design: Design, excluded: Sequence[int], *, near: str | None) -> dict[str, Any]:
    """Return how a group was drawn, as it is stored; ``near`` is the description of likelier agents."""
    return {
        "population": drawn.matching,
        "covered": drawn.covered,
        "note": drawn.note,
        "quotas": design.quotas_json(),
        "boosts": [boost.to_json() for boost in design.boosts] or None,
        "cells": drawn.cells,
        "excluded": list(excluded),
        "described": bool(near),
        "near": near or None,
    }


def note(c: sa.Connection, group: Group, text: str) -> None:
    """Add a sentence on the weights of a group, once."""
    if group.sampling is not None and text not in (group.sampling.get("note") or ""):
        told = " ".join(filter(None, (group.sampling.get("note"), text)))
        groups.set_sampling(c, group.id, group.sampling | {"note": told})


def reweigh(
    c: sa.Connection,
    group: Group,
    before: Sequence[Member],
    drawn: Drawn,
    *,
    alike: bool,
    excluded: list[int],
) -> None:
    """Recompute the weights after an append, or mark them as unknown.

    Two simple random samples from the same agents, the second without the members of the first, are one
    simple random sample of both sizes. For any other two draws the weights are removed.

    Parameters
    ----------
    c, group, before
        A write connection, the group and its members before the append.
    drawn
        The draw that was appended.
    alike
        Whether the append was a simple random draw with the group's own filter.
    excluded
        Groups excluded from the append.
    """
    first = group.sampling
    if first is None or not drawn.ids:
        return
    many = drawn.matching + len(before)
    plain = not (first["note"] or first["quotas"] or first["boosts"] or first["described"])
    whole = all(one.inclusion_probability is not None for one in before) and not groups.departed(c, group.id)
    if alike and plain and whole and first["excluded"] == excluded and first["population"] == many:
        share = (len(before) + len(drawn.ids)) / many
        groups.weigh(c, group.id, float(f"{share:.12g}"), float(f"{1 / share:.12g}"))
    else:
        groups.weigh(c, group.id, None, None)
        note(c, group, APPENDED)


def replacements(
    c: sa.Connection,
    population: Population,
    organization_id: int,
    group: Group,
    agent_ids: Sequence[int],
    seed: int,
) -> tuple[list[Member], dict[int, str]]:
    """Return a replacement from the same cell for each agent, and a reason for each without one.

    Parameters
    ----------
    c, population, organization_id, group
        A write connection, the agents, the organization and the group.
    agent_ids
        Members of the group, or agents that left it.
    seed
        The same seed and group give the same replacements.
    """
    present = groups.members(c, organization_id, group.id)
    gone = groups.departed(c, group.id)
    known = gone | {one.agent_id: one for one in present}
    reasons = {agent: "not_in_group" for agent in agent_ids if agent not in known}
    sampling = group.sampling
    if sampling is None or sampling.get("screened"):
        return [], reasons | {agent: "not_drawn" for agent in agent_ids if agent in known}
    leaving = [agent for agent in agent_ids if agent in known]
    found = others(c, population, organization_id, group, leaving, seed, without=known)
    made = []
    for agent, drawn in found.items():
        if isinstance(drawn, str):
            reasons[agent] = drawn
        else:
            left = known[agent]
            made.append(Member(drawn, left.inclusion_probability, left.design_weight, agent))
    return made, reasons


def others(
    c: sa.Connection,
    population: Population,
    organization_id: int,
    group: Group,
    leaving: Sequence[int],
    seed: int,
    *,
    without: Iterable[int],
    pick: Pick = first_of,
) -> dict[int, int | str]:
    """Return, for each agent, another one from its cell, by the group's own filter, quotas and description.

    Parameters
    ----------
    c, population, organization_id, group
        A connection, the agents, the organization and a group that was drawn.
    leaving
        Agents to replace.
    seed
        The same seed and group give the same agents.
    without
        Agents not to draw, besides those of excluded groups.
    pick
        Chooses from the agents of a cell in random order.
    """
    sampling = group.sampling or {"quotas": None, "boosts": None, "excluded": []}
    _, taken = excluded(c, organization_id, sampling["excluded"])
    return population.replacements(
        parse(group.filters),
        leaving,
        method=group.sample_method,
        design=_design(sampling, group),
        without=[*without, *taken],
        seed=seed,
        description=(sampling.get("near") or group.description) if sampling.get("described") else None,
        pick=pick,
    )


def _design(sampling: dict[str, Any], group: Group) -> Design:
    quotas = sampling["quotas"]
    total = sum(cell["size"] for cell in quotas) if isinstance(quotas, list) else group.agent_count
    return read_design(quotas, sampling["boosts"], total)


def same_audience(group: Group, audience: Filter) -> bool:
    """Return whether a filter is the one that a group was recruited with."""
    return parse(group.filters) == audience
