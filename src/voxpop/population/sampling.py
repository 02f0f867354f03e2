"""Seeded probability samples of the matching agents, without replacement.

``random`` without weights is a simple random sample: every set of agents is equally likely. With weights it
is an unequal-probability sample by successive draws (Efraimidis and Spirakis, 2006, "Weighted random sampling
with a reservoir"): each draw selects one of the remaining agents with a probability proportional to its
weight. ``stratified`` allocates the size to the strata in proportion, with random rounding, so that every
agent has the same inclusion probability, size / matching. ``balanced`` allocates it equally, so that agents
of small strata are more likely to be selected. Both draw within a stratum as ``random`` does.

The draw depends on the seed, the method and the ids of the candidates, and is made in id order: the same call
gives the same agents in the same order everywhere. Draws from two different sets of candidates are
independent even with the same seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.integer]
"""Integers of any width; narrow ones are faster to move."""
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

METHODS = ("random", "stratified", "balanced")

AGE_BANDS = (25, 35, 45, 55, 65)
"""Start ages of the age bands after the first."""

STRATA: dict[str, tuple[str, ...]] = {
    "random": (),
    "stratified": ("age", "gender", "state"),
    "balanced": ("age", "gender"),
}
"""Fields whose values form the strata of each method; age counts in bands."""

_GENDERS, _STATES = 4, 512


@dataclass(frozen=True, slots=True)
class Candidates:
    """The agents to draw from.

    Attributes
    ----------
    ids : array
        Distinct ids.
    strata : array, optional
        Stratum of each agent, from 0 to 65,535; required for "stratified" and "balanced".
    weight : array, optional
        Positive relative probability of drawing each agent next.
    """

    ids: Codes
    strata: Codes | None = None
    weight: Floats | None = None

    def in_order(self) -> Candidates:
        """Return the same candidates ordered by id."""
        if self.ids.size < 2 or bool((np.diff(self.ids) > 0).all()):
            return self
        return self._at(np.argsort(self.ids, kind="stable"))

    def without(self, ids: Ints) -> Candidates:
        """Return the candidates without those of some ids."""
        return self._at(np.flatnonzero(~np.isin(self.ids, ids)))

    def _at(self, at: Ints) -> Candidates:
        strata = None if self.strata is None else self.strata[at]
        return Candidates(self.ids[at], strata, None if self.weight is None else self.weight[at])


def strata_of(age: Codes, gender: Codes, state: Codes | None = None) -> Codes:
    """Return the stratum of each agent: age band and gender, and state if given.

    Parameters
    ----------
    age : array
        Age in years.
    gender, state : array
        Codes of labels; -1 means missing.
    """
    ages = np.arange(int(age.max(initial=0)) + 1)
    bands = np.searchsorted(AGE_BANDS, ages, side="right").astype(np.int16)  # all strata are below 2**15
    code = bands[age] * _GENDERS + gender + 1
    return np.asarray(code if state is None else code * _STATES + state + 1)


def sample(candidates: Candidates, size: int, *, seed: int, method: str = "random") -> list[int]:
    """Draw up to ``size`` of the candidates.

    Parameters
    ----------
    candidates : Candidates
        The candidates, ordered by id.
    size : int
        Sample size; with fewer candidates all of them are drawn.
    seed : int
        Seed, not negative.
    method : {"random", "stratified", "balanced"}
        Free draws, or proportional or equal allocation to the strata.

    Returns
    -------
    list of int
        Ids in the order drawn. The first n ids of a larger "random" sample are the sample of size n.
    """
    ids = candidates.ids
    if not ids.size:
        return []
    drawn_from = zlib.crc32(np.ascontiguousarray(ids, dtype="<i8").data)
    rng = np.random.default_rng([seed, METHODS.index(method), ids.size, drawn_from])
    order = _order(rng, candidates)
    wanted = min(size, order.size)
    if method == "random":
        return [int(number) for number in ids[order[:wanted]]]
    assert candidates.strata is not None
    sizes = np.bincount(candidates.strata)
    divide = proportional if method == "stratified" else equal
    chosen = first_of(candidates.strata[order], divide(rng, sizes, wanted))
    return [int(number) for number in ids[order[chosen]]]


def proportional(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Allocate a number to strata in proportion to their sizes, with random rounding.

    Systematic sampling over the strata in random order: each quota has its exact share as expected value and
    is less than 1 away from it, so it never exceeds its stratum. Integer arithmetic makes it exact.

    Parameters
    ----------
    rng : numpy.random.Generator
    sizes : array of int
        Number of agents in each stratum.
    wanted : int
        Number to allocate, at most the sum of the sizes.
    """
    total = int(sizes.sum())
    if not total:
        return np.zeros_like(sizes)
    mixed = rng.permutation(sizes.size)
    start = int(rng.integers(total))
    # Python integers, which cannot overflow; there are only a few hundred strata
    upto = [0, *((int(end) * wanted + start) // total for end in np.cumsum(sizes[mixed]))]
    quota = np.zeros_like(sizes)
    quota[mixed] = np.diff(upto)
    return quota


def equal(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Allocate a number equally to strata, up to their sizes, with the remainder assigned at random.

    Parameters
    ----------
    rng : numpy.random.Generator
    sizes : array of int
        Number of agents in each stratum.
    wanted : int
        Number to allocate, at most the sum of the sizes.
    """
    quota = np.zeros_like(sizes)
    while wanted > quota.sum():
        open_ = np.flatnonzero(quota < sizes)
        each, odd = divmod(wanted - int(quota.sum()), open_.size)
        more = np.full(open_.size, each)
        more[rng.permutation(open_.size)[:odd]] += 1
        quota[open_] = np.minimum(quota[open_] + more, sizes[open_])
    return quota


def as_ids(numbers: Sequence[int]) -> Ints:
    """Return ids as a sorted array without duplicates."""
    return np.unique(np.asarray(list(numbers), dtype=np.int64))


def _order(rng: np.random.Generator, candidates: Candidates) -> Ints:
    """Return the candidates in random order, by successive draws in proportion to their weights."""
    if candidates.weight is None:
        return rng.permutation(candidates.ids.size)
    # The first of several independent exponential arrivals has each index with a probability proportional to
    # its rate, and the remaining arrivals behave in the same way.
    arrival = rng.standard_exponential(candidates.ids.size) / candidates.weight
    return np.argsort(arrival, kind="stable")


def first_of(stratum: Codes, quota: Ints) -> Ints:
    """Return the positions of the first agents of each stratum up to its quota, in the order drawn."""
    line = np.argsort(stratum.astype(np.uint16), kind="stable")
    sizes = np.bincount(stratum, minlength=quota.size)
    rank = np.arange(int(quota.sum())) - np.repeat(np.cumsum(quota) - quota, quota)
    return np.sort(line[np.repeat(np.cumsum(sizes) - sizes, quota) + rank])
