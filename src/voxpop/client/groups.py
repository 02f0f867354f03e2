"""Groups: recruiting by an exact filter, reading and listing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from voxpop.client.checks import Ref, checked_filter, identifier, whole_number
from voxpop.client.pagination import by_offset
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import UsageError
from voxpop.vocabulary import Filter, did_you_mean, nearest
from voxpop.wire.agents import Agent
from voxpop.wire.groups import Group, GroupAnswer, GroupList, RecruitIn, SampleMethod

LARGEST = 10_000
"""The most agents that one call recruits."""

METHODS: tuple[str, ...] = get_args(SampleMethod)


class Groups:
    """``client.groups``: recruited sets of agents."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def recruit(
        self,
        name: str,
        *,
        filters: Filter | dict[str, Any],
        size: int,
        sample_method: str = "random",
        seed: int | None = None,
        dedupe: bool = True,
        description: str | None = None,
    ) -> Group:
        """Recruit a group by an exact filter, and return it.

        Parameters
        ----------
        name : str
            A name for the group, 1 to 300 characters.
        filters : Filter or dict
            Who may be in it.
        size : int
            How many agents, 1 to 10,000. When fewer match, all of them come, and ``shortfall`` of the
            group says how many are missing.
        sample_method : {"random", "stratified", "balanced"}
            How they are drawn: at random, in proportion to age band, gender and state, or equally over
            age band and gender.
        seed : int, optional
            Same seed, filter and population: same agents in the same order. Drawn by the service without.
        dedupe : bool
            Whether to avoid agents of the same age, gender, state and occupation while others match.
        description : str, optional
            Who is wanted, in words; agents whose profile is nearer are likelier, none is excluded.

        Raises
        ------
        FilterError
            An unknown field or value; the message names the nearest.
        UsageError
            Another argument is out of its bounds.
        """
        if sample_method not in METHODS:
            near = did_you_mean(nearest(str(sample_method), METHODS, cutoff=0.3)) or "."
            raise UsageError(f"sample_method {sample_method!r} is not known{near} Use {', '.join(METHODS)}.")
        # Additions to the documented body are sent only when asked for: other services may not know them.
        sent = body(
            RecruitIn,
            name=name,
            description=description or None,
            filters=checked_filter(filters).to_json(),
            group_size=whole_number("size", size, 1, LARGEST),
            sample_method=sample_method,
            dedupe=dedupe,
            seed=None if seed is None else whole_number("seed", seed, 0, 2**63 - 1),
        )
        answer = self._transport.post("/research-groups/recruit", sent, headers={"X-Filter-Raw-DSL": "true"})
        return read(Group, answer.get("group") if isinstance(answer, dict) else answer)

    def get(self, group: Ref) -> Group:
        """Read one group."""
        return self._read(group).group

    def agents(self, group: Ref) -> Sequence[Agent]:
        """Read the agents of a group, in the order drawn."""
        return self._read(group).agents

    def list(self, *, archived: bool = False) -> Iterator[Group]:
        """Give the groups of the organization, newest first; with ``archived`` the archived ones."""

        def fetch(limit: int, offset: int) -> tuple[Sequence[Group], int | None]:
            params: dict[str, Any] = {"limit": limit, "offset": offset} | (
                {"archived": "true"} if archived else {}
            )
            page = read(GroupList, self._transport.get("/research-groups", params))
            return page.groups or (), page.total

        return by_offset(fetch)

    def _read(self, group: Ref) -> GroupAnswer:
        return read(GroupAnswer, self._transport.get(f"/research-groups/{identifier(group, 'group')}"))
