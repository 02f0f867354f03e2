"""The next wave of a study: who stays, who drops out, and fresh agents for those replaced."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.basis import Basis
from voxpop.errors import Conflict, InvalidRequest
from voxpop.jobs import group_draws
from voxpop.population import sampling
from voxpop.population.replacing import first_of
from voxpop.records import groups, jobs, studies, waves
from voxpop.records.groups import Group, Member
from voxpop.records.people import BROUGHT
from voxpop.records.studies import Study, StudyAgent
from voxpop.vocabulary import parse

if TYPE_CHECKING:
    from voxpop.population.file import Population

REFRESHED = (
    "Fresh agents replaced some of the earlier wave at random, each drawn from the cell of the agent that it "
    "replaced and with its weight."
)
UNKNOWN = (
    "Fresh agents replaced some of the earlier wave, but not all of them, or the audience has changed since; "
    "the probability of being in this group is not known, and its members have no weights."
)
THINNED = "Agents dropped out at random since the earlier wave; the weights of the others are raised for it."

Ask = Callable[[Sequence[Mapping[str, Any]], list[int], int], list[int]]
"""Returns up to a number of agents, out of some in random order, that pass the screening questions."""

_NAMED_JOBS = 20
_LONGEST = 300
_SEES_SAME = (
    "The agent was also in an earlier wave and remembers its answers there; "
    "agents do not change by themselves between waves (this is wave {wave})."
)


@dataclass(frozen=True, slots=True)
class NextWave:
    """A new wave with its group, and the agents that are new in it."""

    wave: waves.Wave
    group: Group
    fresh: list[int]


def next_wave(
    c: sa.Connection,
    population: Population,
    organization_id: int,
    study: int | str,
    *,
    refresh: float = 0.0,
    attrition: float = 0.0,
    seed: int | None = None,
    title: str | None = None,
    objective: str | None = None,
    ask: Ask | None = None,
) -> NextWave:
    """Create the study of the next wave, on a group of its own.

    Parameters
    ----------
    c, population, organization_id
        A write connection, the population, and the organization.
    study
        The latest wave so far; agents removed from it do not take part again.
    refresh, attrition
        Shares of its agents that are replaced by fresh ones, and that drop out without replacement.
    seed
        Seed of all draws; by default derived from the service's seed, the study and the wave.
    title, objective
        Of the new study; by default those of the study.
    ask
        Screens fresh agents of a group that was screened; None if that needs a language model.

    Raises
    ------
    Conflict
        The study has a later wave, or its questions are still being answered.
    InvalidRequest
        Fresh agents cannot be drawn the way the others were, or nobody is left.
    """
    before = studies.hold(c, organization_id, studies.get(c, organization_id, study).id)
    _check_last(c, organization_id, before)
    old = groups.get(c, organization_id, before.group_uuid)
    screens = waves.screens(c, before.panel_uuid) if refresh > 0 else []
    if refresh > 0:
        _check_drawn(old, screened=bool(screens), asks=ask is not None)
    seed = waves.seed_of(population.seed, before) if seed is None else seed
    members = studies.agents(c, organization_id, before.id)
    present = [agent for agent in members if agent.removed_at is None]
    left, replaced = _leaving([agent.agent_id for agent in present], refresh, attrition, seed)
    gone = {*left, *replaced}
    staying = [agent for agent in present if agent.agent_id not in gone]
    pick = partial(ask, screens) if ask is not None and screens else first_of
    known = waves.all_agents(c, before.panel_uuid) if replaced else []
    others = group_draws.others(c, population, organization_id, old, replaced, seed, without=known, pick=pick)
    drawn = _fresh(others, present)
    fresh = [one.agent_id for one in drawn]
    same = not replaced or _same(c, population, organization_id, old)
    whole = same and len(fresh) == len(replaced)
    removed = len(present) < len(members)
    notes = {THINNED: left, REFRESHED if whole else UNKNOWN: replaced, group_draws.REMOVED: removed}
    drawing = _noted(old.sampling, [note for note, holds in notes.items() if holds])
    if not staying and not fresh:
        told = "nobody would be left in the next wave; lower attrition, or widen the group"
        raise InvalidRequest(f"{told}.", details={"fields": {"attrition": [told]}})
    group = groups.create(
        c,
        organization_id,
        name=f"{_base(old.name, before.wave)} (wave {before.wave + 1})"[:_LONGEST],
        description=old.description,
        filters=old.filters,
        sample_method=old.sample_method,
        seed=seed,
        shortfall=len(replaced) - len(fresh),
        agent_ids=_weighed([*map(_member, staying), *drawn], len(left), whole=whole),
        sampling=drawing,
    )
    made = waves.create(
        c,
        organization_id,
        before,
        group=group,
        title=title or f"{_base(before.title, before.wave)} (wave {before.wave + 1})"[:_LONGEST],
        objective=objective if objective is not None else before.objective,
        plan={"refresh": refresh, "attrition": attrition, "seed": seed, "stayed": len(staying)},
        left=left,
        replaced=replaced,
    )
    wave = waves.Wave(made, refresh, attrition, seed, len(staying), sorted(left), sorted(replaced))
    return NextWave(wave, group, fresh)


def said_again(basis: Basis, wave: int) -> Basis:
    """Return the basis of an answer by an agent that was in an earlier wave.

    Examples
    --------
    >>> said_again(Basis("profile", "The agent's age."), 2).note
    "The agent's age. The agent was also in an earlier wave and remembers its answers there; ..."
    """
    return Basis(basis.kind, f"{basis.note} {_SEES_SAME.format(wave=wave)}")


def _leaving(
    present: Sequence[int], refresh: float, attrition: float, seed: int
) -> tuple[list[int], list[int]]:
    """Draw those who drop out, then, out of the others, those who are replaced."""
    ids = sampling.as_ids(present)
    out = min(_share(attrition, ids.size), ids.size)
    left = sampling.sample(sampling.Candidates(ids), out, seed=seed)
    rest = sampling.Candidates(ids).without(sampling.as_ids(left))
    away = min(_share(refresh, ids.size), rest.ids.size)
    return left, sampling.sample(rest, away, seed=seed)


def _fresh(others: Mapping[int, int | str], present: Sequence[StudyAgent]) -> list[Member]:
    """Return the fresh agents, each with the weight of the one that it replaces."""
    members = {one.agent_id: one for one in present}
    return [
        Member(fresh, members[agent].inclusion_probability, members[agent].design_weight)
        for agent, fresh in others.items()
        if isinstance(fresh, int)
    ]


def _same(c: sa.Connection, population: Population, organization_id: int, old: Group) -> bool:
    """Return whether the audience of a group is as large as when it was drawn."""
    if old.sampling is None:
        return False
    _, taken = group_draws.excluded(c, organization_id, old.sampling["excluded"])
    now = population.draw(parse(old.filters), 0, seed=0, exclude=taken).matching
    return bool(now == old.sampling["population"])


def _member(agent: StudyAgent) -> Member:
    return Member(agent.agent_id, agent.inclusion_probability, agent.design_weight)


def _weighed(members: Sequence[Member], left: int, *, whole: bool) -> list[Member]:
    """Return members with their weights raised for random dropout; none where they are not known."""
    if not whole or any(one.design_weight is None for one in members):
        return [Member(one.agent_id) for one in members]
    kept = len(members) / (len(members) + left)
    return [
        Member(
            one.agent_id,
            None if one.inclusion_probability is None else _short(one.inclusion_probability * kept),
            _short((one.design_weight or 0) / kept),
        )
        for one in members
    ]


def _short(number: float) -> float:
    return float(f"{number:.12g}")


def _noted(before: dict[str, Any] | None, notes: Sequence[str]) -> dict[str, Any] | None:
    """Return how the group was drawn, with sentences on what the change of its agents does to weights."""
    if before is None:
        return None
    told = before.get("note") or ""
    return before | {
        "note": " ".join(filter(None, [told, *(one for one in notes if one not in told)])) or None
    }


def _share(share: float, size: int) -> int:
    return math.floor(share * size + 0.5)


def _base(name: str, wave: int) -> str:
    return name.removesuffix(f" (wave {wave})")


def _check_last(c: sa.Connection, organization_id: int, before: Study) -> None:
    if (later := waves.later(c, before)) is not None:
        raise Conflict(
            f"Study {before.id} is wave {before.wave} and already has a next wave, study {later}; "
            "take the next wave of the latest one.",
            details={"status": before.stage, "study_id": later},
        )
    running = jobs.open_jobs(c, organization_id, before.id, jobs.QUESTION, limit=_NAMED_JOBS)
    if running:
        raise Conflict(
            f"Questions of study {before.id} are still being answered; the next wave begins once they are.",
            details={"status": before.stage, "job_ids": running},
        )


def _check_drawn(group: Group, *, screened: bool, asks: bool) -> None:
    """Refuse fresh agents that could not be drawn the way those of the group were."""
    told = None
    if group.sample_method == BROUGHT:
        told = f"the people of group {group.id} were brought, and nobody else is known to be like them"
    elif group.sample_method not in sampling.METHODS:
        told = f"the agents of group {group.id} were not drawn by a filter ({group.sample_method})"
    elif group_draws.APPENDED in ((group.sampling or {}).get("note") or ""):
        told = f"the agents of group {group.id} were drawn in different ways, one after the other"
    elif screened and not asks:
        told = (
            f"the agents of group {group.id} were screened, and fresh ones would have to be screened by a "
            "language model first"
        )
    if told is not None:
        told = f"must be 0: {told}; ask the same people again, or recruit the others as a group of their own"
        raise InvalidRequest(f"refresh {told}.", details={"fields": {"refresh": [told]}})
