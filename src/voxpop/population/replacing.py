"""Replacements of agents of a sample by others from the same cell.

Agents of a cell are interchangeable in the draw. If it does not depend on an agent's answers who is replaced,
a sample with replacements therefore has the inclusion probabilities of the sample before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from voxpop.population import sampling
from voxpop.population.designs import Source, codes_of
from voxpop.population.quotas import Design
from voxpop.vocabulary.filters import Filter

Pick = Callable[[list[int], int], list[int]]
"""Returns up to a number of agents out of some, which come in random order."""

_TAG = 18  # keeps these draws apart from those of samples


def first_of(pool: list[int], wanted: int) -> list[int]:
    """Return the first agents of a pool."""
    return pool[:wanted]


def replacements(
    source: Source,
    filter: Filter,
    agents: Sequence[int],
    *,
    method: str,
    design: Design,
    without: Sequence[int],
    seed: int,
    description: str | None = None,
    pick: Pick = first_of,
) -> dict[int, int | str]:
    """Draw, for each agent of a sample, another one from the same cell.

    Parameters
    ----------
    source : Source
    filter, method, design, description
        As for the sample. With a description, agents that were equally likely to be drawn are a cell.
    agents : sequence of int
        Agents to replace.
    without : sequence of int
        Agents not to draw.
    seed : int
    pick : callable
        Chooses from the agents of a cell in random order, for example those that pass a screening.

    Returns
    -------
    dict
        By agent, the id of the replacement; or ``"not_drawn"`` for an agent outside the audience, and
        ``"no_replacement"`` if the cell has no other agent.
    """
    if not agents:
        return {}
    method = method if method in sampling.METHODS else "random"
    ids, code = codes_of(source, filter, method, design, description, len(agents))
    rng = np.random.default_rng([seed & (2**64 - 1), _TAG, ids.size])
    free = ~np.isin(ids, sampling.as_ids(without))
    found: dict[int, int | str] = {}
    by_cell: dict[int, list[int]] = {}
    for agent in agents:
        place = int(np.searchsorted(ids, agent))
        if place == ids.size or ids[place] != agent:
            found[agent] = "not_drawn"
        else:
            by_cell.setdefault(int(code[place]), []).append(agent)
    for cell, leaving in by_cell.items():
        pool = rng.permutation(ids[free & (code == cell)]).tolist()
        drawn = pick(pool, len(leaving))
        found |= dict(zip(leaving, drawn, strict=False))
        found |= dict.fromkeys(leaving[len(drawn) :], "no_replacement")
    return {agent: found[agent] for agent in agents}
