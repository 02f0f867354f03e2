"""Agents: search and find by filter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from voxpop.client.checks import checked_filter, warn_of_unknown, whole_number
from voxpop.client.filters import Filters
from voxpop.client.pagination import by_page
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.vocabulary import Filter
from voxpop.wire.agents import Agent, AgentPage, AgentResponse


class Agents:
    """``client.agents``: the synthetic participants of the population."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._live = Filters(transport).values_in_use

    def search(self, filters: Filter | dict[str, Any], *, limit: int | None = None) -> Iterator[Agent]:
        """Iterate over the agents that match a filter, ordered by id; pages are read on demand.

        Parameters
        ----------
        filters : Filter or dict
            The filter; it is validated before the first agent is read.
        limit : int, optional
            Maximum number of agents.

        Raises
        ------
        FilterError
            An unknown field or value; the message names the nearest.
        """
        most = None if limit is None else whole_number("limit", limit, 0)
        asked = checked_filter(filters, self._live)
        query = asked.to_query()

        def fetch(page: int, per_page: int) -> tuple[Sequence[Agent], int | None]:
            params = [*query, ("page", str(page)), ("per_page", str(per_page))]
            found = read(AgentPage, self._transport.get("/agents/search", params))
            if page == 1:
                warn_of_unknown(found, asked)
            return found.agents or (), found.pages

        every = by_page(fetch, per_page=200 if most is None else max(1, min(200, most)))
        return every if most is None else islice(every, most)

    def find(self, filters: Filter | dict[str, Any]) -> Agent:
        """Return one agent that matches a filter.

        Raises
        ------
        NotFound
            No agent matches.
        FilterError
            An unknown field or value; the message names the nearest.
        """
        asked = checked_filter(filters, self._live)
        found = self._transport.post("/agents/find", asked.to_json(), safe=True)
        if not isinstance(found, dict) or "agent" not in found:
            return read(Agent, found)
        answer = read(AgentResponse, found)
        warn_of_unknown(answer, asked)
        return answer.agent
