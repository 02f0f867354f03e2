"""Groups: recruited sets of agents, in the order they were recruited."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records.database import in_turn, now
from voxpop.records.inserting import insert
from voxpop.records.references import find, missing, new_uuid
from voxpop.records.schema import group_departures, group_members, groups


@dataclass(frozen=True, slots=True)
class Group:
    """A stored group; read its agents with :func:`member_ids`."""

    id: int
    uuid: str
    name: str
    description: str | None
    agent_count: int
    filters: dict[str, Any]
    sample_method: str
    seed: int | None
    shortfall: int
    created_at: datetime
    archived: bool
    sampling: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """An agent of a group, with its weight if the group is a probability sample."""

    agent_id: int
    inclusion_probability: float | None = None
    design_weight: float | None = None
    replaces: int | None = None

    def row(self) -> dict[str, Any]:
        """Return the columns by name."""
        return {
            "agent_id": self.agent_id,
            "inclusion_probability": self.inclusion_probability,
            "design_weight": self.design_weight,
            "replaces": self.replaces,
        }


_COLUMNS = [groups.c[name] for name in Group.__dataclass_fields__]


def create(
    c: sa.Connection,
    organization_id: int,
    *,
    name: str,
    description: str | None,
    filters: Mapping[str, Any],
    sample_method: str,
    seed: int | None,
    shortfall: int,
    agent_ids: Iterable[int | Member],
    sampling: Mapping[str, Any] | None = None,
) -> Group:
    """Store a group with its agents, given by id or with their weights; duplicate ids are stored once."""
    members = _distinct(agent_ids)
    number = insert(
        c,
        groups,
        uuid=new_uuid(),
        organization_id=organization_id,
        name=name,
        description=description,
        agent_count=len(members),
        filters=dict(filters),
        sample_method=sample_method,
        seed=seed,
        shortfall=shortfall,
        created_at=now(c),
        archived=False,
        sampling=None if sampling is None else dict(sampling),
    )
    _insert_members(c, number, members, 0)
    return get(c, organization_id, number)


def get(c: sa.Connection, organization_id: int, reference: int | str) -> Group:
    """Return one group by number or UUID, archived ones too; :class:`NotFound` when there is none."""
    condition = find(groups, organization_id, reference, noun="group")
    row = c.execute(sa.select(*_COLUMNS).where(condition)).first()
    if row is None:
        raise missing("group", reference)
    return Group(*row)


def hold(c: sa.Connection, organization_id: int, reference: int | str) -> Group:
    """Return a group that is not archived, and lock it until this transaction ends.

    Raises
    ------
    NotFound
        There is no such group.
    Conflict
        The group is archived.
    """
    condition = find(groups, organization_id, reference, noun="group")
    row = c.execute(sa.select(*_COLUMNS).where(condition).with_for_update()).first()
    if row is None:
        raise missing("group", reference)
    group = Group(*row)
    if group.archived:
        raise Conflict(
            f"Group {group.id} is archived; use another group, or make a new one.",
            details={"status": "archived"},
        )
    return group


def list_(
    c: sa.Connection, organization_id: int, *, limit: int, offset: int, archived: bool = False
) -> tuple[int, list[Group]]:
    """Return how many groups there are and one page of them, newest first.

    Parameters
    ----------
    c, organization_id
        Where, and whose.
    limit, offset
        How many at most, and how many to leave out before.
    archived
        Whether archived groups are in the list too.
    """
    condition = groups.c.organization_id == organization_id
    if not archived:
        condition = sa.and_(condition, groups.c.archived.is_(False))
    total = c.execute(sa.select(sa.func.count()).select_from(groups).where(condition)).scalar_one()
    page = sa.select(*_COLUMNS).where(condition).order_by(groups.c.id.desc()).limit(limit).offset(offset)
    return total, [Group(*row) for row in c.execute(page)]


def member_ids(c: sa.Connection, organization_id: int, group_id: int) -> list[int]:
    """Return the agents of a group in the order they were added."""
    statement = (
        sa.select(group_members.c.agent_id)
        .join(groups, groups.c.id == group_members.c.group_id)
        .where(groups.c.id == group_id, groups.c.organization_id == organization_id)
        .order_by(group_members.c.position)
    )
    return list(c.execute(statement).scalars())


def members(c: sa.Connection, organization_id: int, group_id: int) -> list[Member]:
    """Return the agents of a group with their weights, in the order they were added."""
    columns = [group_members.c[name] for name in Member.__dataclass_fields__]
    statement = (
        sa.select(*columns)
        .join(groups, groups.c.id == group_members.c.group_id)
        .where(groups.c.id == group_id, groups.c.organization_id == organization_id)
        .order_by(group_members.c.position)
    )
    return [Member(*row) for row in c.execute(statement)]


def member_ids_of(c: sa.Connection, organization_id: int, references: Iterable[int | str]) -> list[int]:
    """Return the agents of several groups, given by number or UUID."""
    found: dict[int, None] = {}
    for reference in references:
        group = get(c, organization_id, reference)
        found.update(dict.fromkeys(member_ids(c, organization_id, group.id)))
    return list(found)


def departed(c: sa.Connection, group_id: int) -> dict[int, Member]:
    """Return the agents that left a group, with the weights they had."""
    columns = [group_departures.c[name] for name in ("agent_id", "inclusion_probability", "design_weight")]
    rows = c.execute(sa.select(*columns).where(group_departures.c.group_id == group_id))
    return {row[0]: Member(*row) for row in rows}


def add_members(
    c: sa.Connection, organization_id: int, group_id: int, agents: Iterable[int | Member]
) -> list[int]:
    """Append agents to a group and return the ones that were new."""
    present = set(member_ids(c, organization_id, get(c, organization_id, group_id).id))
    new = [one for one in _distinct(agents) if one.agent_id not in present]
    _insert_members(c, group_id, new, _next_position(c, group_id))
    _count(c, group_id, len(new))
    for one in new:
        if one.replaces is not None:
            left = (group_departures.c.group_id == group_id, group_departures.c.agent_id == one.replaces)
            c.execute(group_departures.update().where(*left).values(replaced_by=one.agent_id))
    return [one.agent_id for one in new]


def weigh(c: sa.Connection, group_id: int, share: float | None, weight: float | None) -> None:
    """Give all members of a group the same probability and weight, or none."""
    c.execute(
        group_members.update()
        .where(group_members.c.group_id == group_id)
        .values(inclusion_probability=share, design_weight=weight)
    )


def set_sampling(c: sa.Connection, group_id: int, sampling: Mapping[str, Any]) -> None:
    """Store how a group was drawn."""
    c.execute(groups.update().where(groups.c.id == group_id).values(sampling=dict(sampling)))


def remove_members(
    c: sa.Connection, organization_id: int, group_id: int, agent_ids: Iterable[int]
) -> list[int]:
    """Remove agents from a group and return the ones removed; studies of the group keep them."""
    get(c, organization_id, group_id)
    present = {one.agent_id: one for one in members(c, organization_id, group_id)}
    leaving = [agent for agent in dict.fromkeys(agent_ids) if agent in present]
    if leaving:
        left = sa.and_(
            group_departures.c.group_id == group_id, group_departures.c.agent_id == sa.bindparam("leaving")
        )
        c.execute(group_departures.delete().where(left), [{"leaving": agent} for agent in leaving])
        moment = now(c)
        c.execute(
            group_departures.insert(),
            [
                {
                    "group_id": group_id,
                    "agent_id": agent,
                    "left_at": moment,
                    "inclusion_probability": present[agent].inclusion_probability,
                    "design_weight": present[agent].design_weight,
                }
                for agent in leaving
            ],
        )
        c.execute(
            group_members.delete().where(
                group_members.c.group_id == group_id, group_members.c.agent_id == sa.bindparam("leaving")
            ),
            [{"leaving": agent} for agent in leaving],
        )
    _count(c, group_id, -len(leaving))
    return leaving


def update(
    c: sa.Connection, organization_id: int, group_id: int, *, name: str, description: str | None
) -> Group:
    """Set name and description of a group; without a description, clear it."""
    group = get(c, organization_id, group_id)
    c.execute(groups.update().where(groups.c.id == group.id).values(name=name, description=description))
    return get(c, organization_id, group_id)


def archive(c: sa.Connection, organization_id: int, group_id: int) -> Group:
    """Archive a group: it leaves the lists and new studies, but stays readable."""
    group = get(c, organization_id, group_id)
    c.execute(groups.update().where(groups.c.id == group.id).values(archived=True))
    return get(c, organization_id, group_id)


def next_seed(c: sa.Connection, service_seed: int, group_id: int | None = None) -> int:
    """Return the seed for the next group or the next append, 0 to 2³¹-1.

    A service with the same history draws the same seed. A lock keeps other transactions from drawing for a
    new group until this one ends.
    """
    if group_id is None:
        return seed_of(service_seed, count_in_turn(c))
    return _seed(f"group {service_seed} {group_id} from {_next_position(c, group_id)}")


def seed_of(service_seed: int, number: int) -> int:
    """Return the seed of the n-th group, 0 to 2³¹-1."""
    return _seed(f"group {service_seed} {number}")


def count_all(c: sa.Connection) -> int:
    """Return the number of groups of all organizations."""
    return int(c.execute(sa.select(sa.func.count()).select_from(groups)).scalar_one())


def count_in_turn(c: sa.Connection) -> int:
    """Return the number of groups, and lock the drawing of new seeds until this transaction ends."""
    in_turn(c, "seed of the next group")
    return count_all(c)


def _seed(drawn_for: str) -> int:
    drawn = hashlib.blake2b(drawn_for.encode(), digest_size=4).digest()
    return int.from_bytes(drawn) & 0x7FFF_FFFF


def _next_position(c: sa.Connection, group_id: int) -> int:
    last = sa.select(sa.func.coalesce(sa.func.max(group_members.c.position), -1))
    return int(c.execute(last.where(group_members.c.group_id == group_id)).scalar_one()) + 1


def _distinct(agents: Iterable[int | Member]) -> list[Member]:
    given = [one if isinstance(one, Member) else Member(one) for one in agents]
    found: dict[int, Member] = {}
    for one in given:
        found.setdefault(one.agent_id, one)
    return list(found.values())


def _insert_members(c: sa.Connection, group_id: int, added: Sequence[Member], first: int) -> None:
    rows = [
        {"group_id": group_id, "position": place, **member.row()} for place, member in enumerate(added, first)
    ]
    if rows:
        c.execute(group_members.insert(), rows)


def _count(c: sa.Connection, group_id: int, change: int) -> None:
    c.execute(
        groups.update().where(groups.c.id == group_id).values(agent_count=groups.c.agent_count + change)
    )
