"""Agents that an organization brought: profiles of its own, which it can delete."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.errors import NotFound
from voxpop.population.guests import FIRST, is_guest
from voxpop.records.database import Database, now
from voxpop.records.inserting import insert_many
from voxpop.records.schema import brought_agents, group_members, groups, studies, study_agents

BROUGHT = "brought"
"""Sample method of groups of such agents."""

_SPACE = uuid.UUID("6d1b3a50-7f0e-5d4c-9a3e-0c6f2a7f4b11")
_DELETED = "Deleted person"
_AGENT = tuple(name for name in Agent.__dataclass_fields__ if name not in ("id", "uuid"))
_HEALTH = tuple(HealthProfile.__dataclass_fields__)
_AT_ONCE = 500


class BroughtAgents:
    """The source of brought agents for a population, read from the service's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def agents(self, ids: Sequence[int]) -> list[Agent]:
        """Return brought agents by id, in the given order; deleted ones are without a profile."""
        rows: dict[int, tuple[str, dict[str, Any] | None]] = {}
        with self._database.read() as c:
            for start in range(0, len(ids), _AT_ONCE):
                part = [number - FIRST for number in ids[start : start + _AT_ONCE]]
                found = sa.select(brought_agents.c.id, brought_agents.c.uuid, brought_agents.c.record)
                for number, own_uuid, record in c.execute(found.where(brought_agents.c.id.in_(part))):
                    rows[number + FIRST] = own_uuid, record
        unknown = [number for number in ids if number not in rows]
        if unknown:
            raise NotFound(f"There is no agent {unknown[0]!r}.")
        return [_agent(number, *rows[number]) for number in ids]


def save(
    c: sa.Connection,
    organization_id: int,
    group_id: int,
    records: Sequence[Mapping[str, Any]],
    first: int = 1,
) -> list[int]:
    """Store the agents of a group and return their ids, in the given order.

    The UUID of an agent, on which its answers depend, follows from its place in the table and its profile, so
    the same table gives the same answers at a new service. Bringing it again makes other agents. ``first`` is
    the place of the first one in the group.
    """
    texts = [msgspec.json.encode(record, order="sorted").decode() for record in records]
    again = 0
    while True:
        uuids = [
            str(uuid.uuid5(_SPACE, f"{organization_id}/{again}/{place}/{text}"))
            for place, text in enumerate(texts, first)
        ]
        if not _known_uuids(c, uuids):
            break
        again += 1
    moment = now(c)
    insert_many(
        c,
        brought_agents,
        [
            {
                "uuid": own_uuid,
                "organization_id": organization_id,
                "group_id": group_id,
                "record": dict(record),
                "created_at": moment,
            }
            for own_uuid, record in zip(uuids, records, strict=True)
        ],
    )
    stored = c.execute(
        sa.select(brought_agents.c.uuid, brought_agents.c.id).where(brought_agents.c.group_id == group_id)
    )
    numbers = {own_uuid: number + FIRST for own_uuid, number in stored.all()}
    return [numbers[own_uuid] for own_uuid in uuids]


def known(c: sa.Connection, organization_id: int, agent_ids: Iterable[int]) -> set[int]:
    """Return those of some ids that are agents the organization brought and has not deleted."""
    wanted = [number - FIRST for number in agent_ids if is_guest(number)]
    found: set[int] = set()
    for start in range(0, len(wanted), _AT_ONCE):
        there = sa.select(brought_agents.c.id).where(
            brought_agents.c.organization_id == organization_id,
            brought_agents.c.record.is_not(None),
            brought_agents.c.id.in_(wanted[start : start + _AT_ONCE]),
        )
        found |= {number + FIRST for number in c.execute(there).scalars()}
    return found


def id_of(c: sa.Connection, organization_id: int, reference: str) -> int | None:
    """Return the id of the brought agent with a UUID, or None."""
    try:
        wanted = str(uuid.UUID(reference))
    except ValueError:
        return None
    found: int | None = c.execute(
        sa.select(brought_agents.c.id).where(
            brought_agents.c.organization_id == organization_id,
            brought_agents.c.uuid == wanted,
            brought_agents.c.record.is_not(None),
        )
    ).scalar()
    return None if found is None else found + FIRST


def delete(c: sa.Connection, organization_id: int, group_id: int) -> list[int]:
    """Delete the profiles of the agents that came with a group, and return their ids.

    They leave every group and study of the organization. What they answered stays, without their profiles.
    """
    mine = sa.and_(
        brought_agents.c.organization_id == organization_id,
        brought_agents.c.group_id == group_id,
        brought_agents.c.record.is_not(None),
    )
    numbers = [number + FIRST for number in c.execute(sa.select(brought_agents.c.id).where(mine)).scalars()]
    c.execute(brought_agents.update().where(mine).values(record=sa.null()))
    for start in range(0, len(numbers), _AT_ONCE):
        _leave(c, organization_id, numbers[start : start + _AT_ONCE])
    return numbers


def _leave(c: sa.Connection, organization_id: int, numbers: Sequence[int]) -> None:
    """Take agents out of the groups and studies of an organization."""
    own_groups = sa.select(groups.c.id).where(groups.c.organization_id == organization_id)
    inside = sa.and_(group_members.c.group_id.in_(own_groups), group_members.c.agent_id.in_(numbers))
    touched = list(c.execute(sa.select(group_members.c.group_id).where(inside).distinct()).scalars())
    c.execute(group_members.delete().where(inside))
    for number in touched:
        count = sa.select(sa.func.count()).where(group_members.c.group_id == number).scalar_subquery()
        c.execute(groups.update().where(groups.c.id == number).values(agent_count=count))
    own_studies = sa.select(studies.c.id).where(studies.c.organization_id == organization_id)
    present = sa.and_(
        study_agents.c.study_id.in_(own_studies),
        study_agents.c.agent_id.in_(numbers),
        study_agents.c.removed_at.is_(None),
    )
    asked = list(c.execute(sa.select(study_agents.c.study_id).where(present).distinct()).scalars())
    c.execute(study_agents.update().where(present).values(removed_at=now(c)))
    for number in asked:
        left = sa.select(sa.func.count()).where(
            study_agents.c.study_id == number, study_agents.c.removed_at.is_(None)
        )
        c.execute(studies.update().where(studies.c.id == number).values(agent_count=left.scalar_subquery()))


def _known_uuids(c: sa.Connection, uuids: Sequence[str]) -> bool:
    for start in range(0, len(uuids), _AT_ONCE):
        found = sa.select(brought_agents.c.id).where(
            brought_agents.c.uuid.in_(uuids[start : start + _AT_ONCE])
        )
        if c.execute(found.limit(1)).first() is not None:
            return True
    return False


def _agent(number: int, own_uuid: str, record: Mapping[str, Any] | None) -> Agent:
    values: dict[str, Any] = dict.fromkeys(_AGENT)
    if record is None:
        values |= {"name": _DELETED, "summary": f"{_DELETED}."}
        return Agent(id=number, uuid=own_uuid, **values)
    values |= {name: value for name, value in record.items() if name in values}
    health = record.get("health_profile")
    if health is not None:
        told = dict.fromkeys(_HEALTH) | {name: value for name, value in health.items() if name in _HEALTH}
        for name in ("conditions", "drug_classes"):
            told[name] = None if told[name] is None else tuple(told[name])
        values["health_profile"] = HealthProfile(**told)
    return Agent(id=number, uuid=own_uuid, **values)
