"""Pulling one group: its record every time, its members' records only where the store lacks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from voxpop.client.checks import Ref

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.tables import Store


def pull_group(client: Client, group: Ref, into: Store, source: dict[str, Any], agents: Any = None) -> bool:
    """Bring a group with its members from the service into a store.

    Parameters
    ----------
    client, group, into
        From where, what, and where to.
    source : dict
        Where it comes from, as :meth:`voxpop.tables.Store.save_group` takes it.
    agents : Arrow table or sequence of agents, optional
        Records that have come already; members among them are not read again.

    Returns
    -------
    bool
        Whether all of ``agents`` were written, being the members.
    """
    found = client.groups.read(group, agents=False)
    members: Any = found.agents
    if found.agent_ids is not None:
        if found.group.uuid and found.agent_ids == _held(into, found.group.uuid):
            into.save_group(found.group, None, source)
            return False
        members = _chosen(agents, found.agent_ids)
        if members is None:
            members = client.groups.agents(group)
    into.save_group(found.group, members, source)
    return members is not None and members is agents


def _held(into: Store, uuid: str) -> list[int]:
    """Return the members that the store knows, in order."""
    held = into.sql(
        "SELECT agent_id FROM group_members WHERE group_uuid = ? AND NOT removed ORDER BY position", [uuid]
    )
    return [number for (number,) in held.fetchall()]


def _chosen(agents: Any, numbers: Sequence[int]) -> Any:
    """Take the agents with these numbers out of some; None unless all of them are there."""
    if agents is None:
        return None
    if isinstance(agents, Sequence):
        known = {agent.id: agent for agent in agents}
        return [known[number] for number in numbers] if known.keys() >= set(numbers) else None
    import pyarrow as pa
    import pyarrow.compute as pc

    if agents["id"].to_pylist() == list(numbers):
        return agents  # as a rule; a copy of very many agents would be felt
    places = pc.index_in(pa.array(numbers, pa.int64()), value_set=agents["id"].combine_chunks())
    return None if places.null_count else agents.take(places)
