"""Blocks of agents: the part of a population that is drawn at once.

A block depends on nothing but the seed and its number. The first agents of a larger population are therefore
the agents of a smaller one, and a population of any size needs the memory of a few blocks. Countries are
mixed in random order, so the first agents are a random sample too.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import columns as c
from voxpop.population.abroad import draw_columns_abroad
from voxpop.population.countries import parts
from voxpop.population.draw import Streams
from voxpop.population.drawing import drawn
from voxpop.population.reference import Floats
from voxpop.population.usa import draw_columns_usa

BLOCK = 10_000
"""Number of agents of a block."""

_COUNTRIES = 100


@cache
def _countries() -> Floats:
    """Return the cumulative shares of the countries, the USA first."""
    abroad = list(parts().values())
    return np.cumsum([1 - sum(abroad), *abroad])


def draw_countries(streams: Streams) -> npt.NDArray[np.int16]:
    """Draw the countries of the agents of a block: 0 for the USA, then as in ``countries.ABROAD``.

    A block has the share of each country, rounded up or down.
    """
    rng = streams.stage(_COUNTRIES)
    upto = np.floor(_countries() * BLOCK + rng.random())
    upto[-1] = BLOCK
    counts = np.diff(upto, prepend=0).astype(np.int64)
    return rng.permutation(np.repeat(np.arange(counts.size, dtype=np.int16), counts))


def draw_block(seed: int, number: int) -> dict[str, c.Column]:
    """Draw all columns of a block except ``id`` and ``uuid``.

    Parameters
    ----------
    seed : int
        Seed of the population.
    number : int
        Number of the block, from 0.
    """
    streams = Streams(seed, number)
    country = draw_countries(streams)
    at = np.flatnonzero(country)
    usa = draw_columns_usa(streams, BLOCK - at.size)
    abroad = draw_columns_abroad(streams, country[at] - np.int16(1))
    found = {name: c.placed(column, abroad.get(name), at, BLOCK) for name, column in usa.items()}
    return drawn(streams, found)
