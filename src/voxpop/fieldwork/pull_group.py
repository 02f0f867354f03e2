"""Pull of one group: always its record, and its members' records only if the store lacks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from voxpop.client.checks import Ref

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.tables import Store


def pull_group(client: Client, group: Ref, into: Store, source: dict[str, Any], agents: Any = None) -> bool:
    """Pull a group with its members from the service into a store.

    Parameters
    ----------
    client, group, into
        The service, the group and the store.
    source : dict
        Origin of the rows, as in :meth:`voxpop.tables.Store.save_group`.
    agents : Arrow table or sequence of agents, optional
        Agent records read before; members among them are not read again.

    Returns
    -------
    bool
        Whether ``agents`` were exactly the members and were written.
    """
    found = client.groups.read(group, agents=False)
    members: Any = found.agents
    if found.agent_ids is not None:
        if found.group.uuid and found.agent_ids == _held(into, found.group.uuid):
            into.save_group(found.group, None, source, found.members)
            return False
        members = _chosen(agents, found.agent_ids)
        if members is None:
            members = client.groups.agents(group)
    into.save_group(found.group, members, source, found.members)
    return members is not None and members is agents


def _held(into: Store, uuid: str) -> list[int]:
    """Return the ids of the members in the store, in order."""
    held = into.sql(
        "SELECT agent_id FROM group_members WHERE group_uuid = ? AND NOT removed ORDER BY position", [uuid]
    )
    return [number for (number,) in held.fetchall()]


def _chosen(agents: Any, numbers: Sequence[int]) -> Any:
    """Return the agents with these ids, or None unless all of them are present."""
    if agents is None:
        return None
    if isinstance(agents, Sequence):
        known = {agent.id: agent for agent in agents}
        return [known[number] for number in numbers] if known.keys() >= set(numbers) else None
    import pyarrow as pa
    import pyarrow.compute as pc

    if agents["id"].to_pylist() == list(numbers):
        return agents  # the usual case; avoids a copy
    places = pc.index_in(pa.array(numbers, pa.int64()), value_set=agents["id"].combine_chunks())
    return None if places.null_count else agents.take(places)
