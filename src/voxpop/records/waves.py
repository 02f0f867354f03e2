"""Waves of a panel: later studies of the same people, those who left, and what the others remember."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from voxpop.records.groups import Group
from voxpop.records.inserting import insert_many
from voxpop.records.questions import AskedQuestion, list_
from voxpop.records.schema import (
    groups,
    questions,
    research_group_requests,
    studies,
    study_agents,
    wave_departures,
)
from voxpop.records.studies import Study
from voxpop.records.studies import create as create_study
from voxpop.records.studies import get as get_study

ATTRITION = "attrition"
REFRESH = "refresh"

_PLACE = sa.select(studies.c.panel_uuid, studies.c.wave).where(studies.c.id == sa.bindparam("study"))
_MINE = _PLACE.add_columns(studies.c.remembers_to).where(
    studies.c.organization_id == sa.bindparam("organization")
)


@dataclass(frozen=True, slots=True)
class Wave:
    """A study of a panel, and how it differs from the wave before.

    Attributes
    ----------
    study : Study
    refresh, attrition : float
        The shares asked for; 0 in the first wave.
    seed : int or None
        The seed of the draws; None in the first wave.
    stayed : int
        Agents carried over from the wave before.
    left, replaced : list of int
        Agents of the wave before that dropped out, and those that were replaced by fresh ones.
    """

    study: Study
    refresh: float
    attrition: float
    seed: int | None
    stayed: int
    left: list[int]
    replaced: list[int]


def create(
    c: sa.Connection,
    organization_id: int,
    before: Study,
    *,
    group: Group,
    title: str,
    objective: str | None,
    plan: dict[str, Any],
    left: Sequence[int],
    replaced: Sequence[int],
) -> Study:
    """Store the next wave of a study on a group of its own.

    Parameters
    ----------
    c, organization_id
        A write connection and the organization.
    before
        The wave before, held by this transaction.
    group
        The agents that stayed, followed by fresh ones.
    title, objective
        Of the new study.
    plan
        ``refresh``, ``attrition``, ``seed`` and ``stayed``.
    left, replaced
        Agents of the wave before that are not in this one.
    """
    study = create_study(
        c,
        organization_id,
        title=title,
        objective=objective,
        group=group,
        wave=before.wave + 1,
        panel_uuid=before.panel_uuid,
        remembers_to=_last_question(c),
        wave_plan=plan,
    )
    arms = sa.select(study_agents.c.agent_id, study_agents.c.arm).where(
        study_agents.c.study_id == before.id, study_agents.c.arm.is_not(None)
    )
    for agent_id, arm in c.execute(arms).all():
        mine = sa.and_(study_agents.c.study_id == study.id, study_agents.c.agent_id == agent_id)
        c.execute(study_agents.update().where(mine).values(arm=arm))
    gone = [*((agent, ATTRITION) for agent in left), *((agent, REFRESH) for agent in replaced)]
    insert_many(
        c,
        wave_departures,
        [{"study_id": study.id, "agent_id": agent, "reason": reason} for agent, reason in gone],
    )
    return study


def listed(c: sa.Connection, organization_id: int, panel_uuid: str) -> list[Wave]:
    """Return the waves of a panel, first to last."""
    rows = c.execute(
        sa.select(studies.c.id, studies.c.wave_plan)
        .where(studies.c.organization_id == organization_id, _in_panel(panel_uuid))
        .order_by(studies.c.wave)
    ).all()
    return [_wave(c, get_study(c, organization_id, number), plan or {}) for number, plan in rows]


def later(c: sa.Connection, study: Study) -> int | None:
    """Return the id of the wave after a study, or None if it is the last."""
    found = sa.select(studies.c.id).where(
        _in_panel(study.panel_uuid), studies.c.wave == study.wave + 1, studies.c.id != study.id
    )
    number: int | None = c.execute(found).scalar()
    return number


def all_agents(c: sa.Connection, panel_uuid: str) -> list[int]:
    """Return every agent that is or was in a wave of a panel."""
    members = (
        sa.select(study_agents.c.agent_id)
        .join(studies, studies.c.id == study_agents.c.study_id)
        .where(_in_panel(panel_uuid))
        .distinct()
        .order_by(study_agents.c.agent_id)
    )
    return list(c.execute(members).scalars())


def screens(c: sa.Connection, panel_uuid: str) -> list[dict[str, Any]]:
    """Return the screening questions by which the agents of a panel were chosen, besides its filter."""
    found = (
        sa.select(research_group_requests.c.screening)
        .join(groups, groups.c.id == research_group_requests.c.group_id)
        .join(studies, studies.c.group_id == groups.c.id)
        .where(_in_panel(panel_uuid))
        .order_by(studies.c.wave)
    )
    return next((list(one) for one in c.execute(found).scalars() if one), [])


def remembered(c: sa.Connection, organization_id: int, study_id: int) -> list[AskedQuestion]:
    """Return the questions that the agents of a study may remember, in the order asked.

    These are the questions of earlier waves that were asked before this wave began, then its own.
    """
    mine = c.execute(_MINE, {"study": study_id, "organization": organization_id}).one()
    own = list_(c, organization_id, study_id)
    if mine.panel_uuid is None:
        return own
    earlier = c.execute(
        sa.select(studies.c.id).where(_in_panel(mine.panel_uuid), studies.c.wave < mine.wave)
    ).scalars()
    asked = [question for number in earlier.all() for question in list_(c, organization_id, number)]
    before = [question for question in asked if question.id <= (mine.remembers_to or 0)]
    return [*sorted(before, key=lambda question: question.id), *own]


def carried(c: sa.Connection, study_id: int, agent_ids: Sequence[int]) -> tuple[int, set[int]]:
    """Return the number of a wave, and those of some agents that were in an earlier wave."""
    mine = c.execute(_PLACE, {"study": study_id}).one()
    if mine.panel_uuid is None:
        return 1, set()
    found = (
        sa.select(study_agents.c.agent_id)
        .join(studies, studies.c.id == study_agents.c.study_id)
        .where(
            _in_panel(mine.panel_uuid),
            studies.c.wave < mine.wave,
            study_agents.c.agent_id.in_(list(agent_ids)),
        )
    )
    return mine.wave, set(c.execute(found).scalars())


def seed_of(service_seed: int, study: Study) -> int:
    """Return the seed of the wave after a study, 0 to 2³¹-1."""
    drawn = hashlib.blake2b(f"wave {service_seed} {study.id} {study.wave + 1}".encode(), digest_size=4)
    return int.from_bytes(drawn.digest()) & 0x7FFF_FFFF


def _in_panel(panel_uuid: str) -> sa.ColumnElement[bool]:
    return sa.or_(studies.c.uuid == panel_uuid, studies.c.panel_uuid == panel_uuid)


def _last_question(c: sa.Connection) -> int:
    return int(c.execute(sa.select(sa.func.coalesce(sa.func.max(questions.c.id), 0))).scalar_one())


def _wave(c: sa.Connection, study: Study, plan: dict[str, Any]) -> Wave:
    gone = c.execute(
        sa.select(wave_departures.c.agent_id, wave_departures.c.reason)
        .where(wave_departures.c.study_id == study.id)
        .order_by(wave_departures.c.agent_id)
    ).all()
    return Wave(
        study,
        float(plan.get("refresh", 0)),
        float(plan.get("attrition", 0)),
        plan.get("seed"),
        int(plan.get("stayed", 0)),
        [agent for agent, reason in gone if reason == ATTRITION],
        [agent for agent, reason in gone if reason == REFRESH],
    )
