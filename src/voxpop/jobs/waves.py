"""The next wave of a study: who stays, who drops out, and fresh agents for those replaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.basis import Basis
from voxpop.errors import Conflict, InvalidRequest
from voxpop.population import sampling
from voxpop.records import groups, jobs, studies, waves
from voxpop.records.groups import Group, Member
from voxpop.records.studies import Study, StudyAgent
from voxpop.vocabulary import parse

if TYPE_CHECKING:
    from voxpop.population.file import Population

REFRESHED = (
    "Fresh agents replaced some of the earlier wave, so that the probability of being in this group is not "
    "known; its members have no weights."
)
THINNED = "Agents dropped out at random since the earlier wave; the weights of the others are raised for it."

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
    if refresh > 0:
        _check_drawn(c, before, old)
    seed = waves.seed_of(population.seed, before) if seed is None else seed
    present = [agent for agent in studies.agents(c, organization_id, before.id) if agent.removed_at is None]
    left, replaced = _leaving([agent.agent_id for agent in present], refresh, attrition, seed)
    gone = {*left, *replaced}
    staying = [agent for agent in present if agent.agent_id not in gone]
    fresh: list[int] = []
    if replaced:
        method, known = old.sample_method, _seen(c, organization_id, before, old)
        fresh = population.sample(parse(old.filters), len(replaced), seed=seed, method=method, exclude=known)
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
        agent_ids=[*_weighed(staying, len(left), refreshed=bool(replaced)), *fresh],
        sampling=_sampled(old.sampling, left, replaced),
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


def _weighed(staying: Sequence[StudyAgent], left: int, *, refreshed: bool) -> list[Member]:
    """Return those who stay with their weights, raised for random dropout; none once others joined."""
    if refreshed or any(agent.inclusion_probability is None for agent in staying):
        return [Member(agent.agent_id) for agent in staying]
    kept = len(staying) / (len(staying) + left)
    return [
        Member(
            agent.agent_id,
            float(f"{(agent.inclusion_probability or 0) * kept:.12g}"),
            float(f"{(agent.design_weight or 0) / kept:.12g}"),
        )
        for agent in staying
    ]


def _sampled(
    before: dict[str, Any] | None, left: Sequence[int], replaced: Sequence[int]
) -> dict[str, Any] | None:
    """Return how the group was drawn, with a sentence on what the change of its agents does to weights."""
    told = REFRESHED if replaced else THINNED if left else None
    if before is None or told is None:
        return before
    return before | {"note": " ".join(filter(None, (before.get("note"), told)))}


def _seen(c: sa.Connection, organization_id: int, before: Study, old: Group) -> list[int]:
    """Return the agents that fresh ones must not be: those of the panel, and of groups that were excluded."""
    seen = dict.fromkeys(waves.all_agents(c, before.panel_uuid))
    for number in (old.sampling or {}).get("excluded") or ():
        seen.update(dict.fromkeys(groups.member_ids(c, organization_id, number)))
    return list(seen)


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


def _has_cells(group: Group) -> bool:
    return any((group.sampling or {}).get(name) for name in ("quotas", "boosts"))


def _check_drawn(c: sa.Connection, before: Study, group: Group) -> None:
    """Refuse fresh agents that could not be drawn the way those of the group were."""
    told = None
    if group.sample_method not in sampling.METHODS:
        told = f"the agents of group {group.id} were not drawn by a filter ({group.sample_method})"
    elif _has_cells(group):
        told = f"the agents of group {group.id} were drawn by quotas or boosts, and fresh ones would not be"
    elif waves.is_screened(c, before.panel_uuid):
        told = f"the agents of group {group.id} were screened by questions, and fresh ones would not be"
    if told is not None:
        told = f"must be 0: {told}; ask the same people again, or recruit the others as a group of their own"
        raise InvalidRequest(f"refresh {told}.", details={"fields": {"refresh": [told]}})
