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
from voxpop.records.schema import group_members, groups


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
    agent_ids: Iterable[int],
) -> Group:
    """Store a group with its agents; duplicate ids are stored once."""
    members = list(dict.fromkeys(agent_ids))
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


def add_members(c: sa.Connection, organization_id: int, group_id: int, agent_ids: Iterable[int]) -> list[int]:
    """Append agents to a group and return the ones that were new."""
    present = set(member_ids(c, organization_id, get(c, organization_id, group_id).id))
    new = [agent for agent in dict.fromkeys(agent_ids) if agent not in present]
    _insert_members(c, group_id, new, _next_position(c, group_id))
    _count(c, group_id, len(new))
    return new


def remove_members(
    c: sa.Connection, organization_id: int, group_id: int, agent_ids: Iterable[int]
) -> list[int]:
    """Remove agents from a group and return the ones removed; studies of the group keep them."""
    present = set(member_ids(c, organization_id, get(c, organization_id, group_id).id))
    leaving = [agent for agent in dict.fromkeys(agent_ids) if agent in present]
    if leaving:
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


def _insert_members(c: sa.Connection, group_id: int, agent_ids: Sequence[int], first: int) -> None:
    rows = [
        {"group_id": group_id, "agent_id": agent, "position": place}
        for place, agent in enumerate(agent_ids, first)
    ]
    if rows:
        c.execute(group_members.insert(), rows)


def _count(c: sa.Connection, group_id: int, change: int) -> None:
    c.execute(
        groups.update().where(groups.c.id == group_id).values(agent_count=groups.c.agent_count + change)
    )
