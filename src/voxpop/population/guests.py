"""Agents from outside the population file: profiles that organizations brought, with ids of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from voxpop.engines.agents import Agent, as_record

if TYPE_CHECKING:
    import pyarrow as pa

FIRST = 1_000_000_000
"""Lowest id of a guest, beyond any population."""


class Guests(Protocol):
    """Source of agents from outside the population."""

    def agents(self, ids: Sequence[int]) -> list[Agent]:
        """Return guests by id, in the given order; raise NotFound for an unknown id."""
        ...


def is_guest(number: object) -> bool:
    """Return whether an id is one of a guest.

    Examples
    --------
    >>> is_guest(17), is_guest(1_000_000_017)
    (False, True)
    """
    return isinstance(number, int) and number >= FIRST


def mixed_agents(
    ids: Sequence[int], residents: Callable[[Sequence[int]], list[Agent]], guests: Guests
) -> list[Agent]:
    """Return agents of the population and guests in the given order."""
    others = list(dict.fromkeys(number for number in ids if is_guest(number)))
    own = list(dict.fromkeys(number for number in ids if not is_guest(number)))
    found = {agent.id: agent for agent in [*residents(own), *guests.agents(others)]}
    return [found[number] for number in ids]


def mixed_columns(
    ids: Sequence[int], residents: Callable[[Sequence[int]], pa.Table], guests: Guests
) -> pa.Table:
    """Return agents of the population and guests in the given order, as Arrow columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    own = sorted({number for number in ids if not is_guest(number)})
    others = sorted({number for number in ids if is_guest(number)})
    table = residents(own or [1])
    records = [as_record(agent) for agent in guests.agents(others)]
    brought = pa.Table.from_pylist(records, schema=table.schema)
    joined = pa.concat_tables([table, brought]).combine_chunks()
    return joined.take(pc.index_in(pa.array(ids, pa.int64()), value_set=joined["id"].combine_chunks()))
