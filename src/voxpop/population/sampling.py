"""Seeded probability samples of the matching agents, without replacement.

``random`` without weights is a simple random sample: every set of agents is equally likely. With weights it
is an unequal-probability sample by successive draws (Efraimidis and Spirakis, 2006, "Weighted random
sampling with a reservoir"): each place in the order goes to one of the agents that are left, with a
probability in proportion to its weight. ``stratified`` divides the size over the strata in proportion, with
random rounding, so that every agent has the same inclusion probability, size / matching. ``balanced`` divides
it equally, so that agents of small strata are likelier. Inside a stratum both draw as ``random`` does.

The draw depends on the seed, the method and the ids of the candidates, and is made in the order of the ids:
the same call gives the same agents in the same order everywhere, and draws from two different sets of
candidates are independent of each other even under one seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.integer]
"""Numbers in whatever width they come: a million narrow ones are moved faster."""
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

METHODS = ("random", "stratified", "balanced")

AGE_BANDS = (25, 35, 45, 55, 65)
"""The ages at which the age bands after the first begin."""

STRATA: dict[str, tuple[str, ...]] = {
    "random": (),
    "stratified": ("age", "gender", "state"),
    "balanced": ("age", "gender"),
}
"""The fields whose values make up the strata of each method; age counts in bands."""

_GENDERS, _STATES = 4, 512


@dataclass(frozen=True, slots=True)
class Candidates:
    """The agents to draw from.

    Attributes
    ----------
    ids : array
        Each id once.
    strata : array, optional
        The stratum of each agent, from 0 and below 65,536; needed by "stratified" and "balanced".
    weight : array, optional
        How likely each agent is to be drawn next, relative to the others; above 0.
    """

    ids: Codes
    strata: Codes | None = None
    weight: Floats | None = None

    def in_order(self) -> Candidates:
        """Return the same candidates in the order of their ids."""
        if self.ids.size < 2 or bool((np.diff(self.ids) > 0).all()):
            return self
        return self._at(np.argsort(self.ids, kind="stable"))

    def without(self, ids: Ints) -> Candidates:
        """Return the candidates that are not among some ids."""
        return self._at(np.flatnonzero(~np.isin(self.ids, ids)))

    def _at(self, at: Ints) -> Candidates:
        strata = None if self.strata is None else self.strata[at]
        return Candidates(self.ids[at], strata, None if self.weight is None else self.weight[at])


def strata_of(age: Codes, gender: Codes, state: Codes | None = None) -> Codes:
    """Return the stratum of each agent: age band and gender, and the state where it is given.

    Parameters
    ----------
    age : array
        In years.
    gender, state : array
        Codes of labels; -1 is no value.
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
        In the order of their ids.
    size : int
        Agents wanted; with fewer candidates all of them are drawn.
    seed : int
        Not negative.
    method : {"random", "stratified", "balanced"}
        Free draws, or the size divided over the strata in proportion or equally.

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
    chosen = _first_of(candidates.strata[order], divide(rng, sizes, wanted))
    return [int(number) for number in ids[order[chosen]]]


def proportional(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Divide a number in proportion to the sizes of strata, each share rounded up or down at random.

    Systematic sampling over the strata in random order: each quota has its exact share as expected value and
    is less than 1 away from it, so it never exceeds its stratum. All in whole numbers, hence exact.

    Parameters
    ----------
    rng : numpy.random.Generator
    sizes : array of int
        Agents in each stratum.
    wanted : int
        At most the sum of the sizes.
    """
    total = int(sizes.sum())
    if not total:
        return np.zeros_like(sizes)
    mixed = rng.permutation(sizes.size)
    start = int(rng.integers(total))
    # Python's whole numbers, which have no largest one: there are a few hundred strata
    upto = [0, *((int(end) * wanted + start) // total for end in np.cumsum(sizes[mixed]))]
    quota = np.zeros_like(sizes)
    quota[mixed] = np.diff(upto)
    return quota


def equal(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Divide a number equally over strata, none above its size; which strata get one more is random.

    Parameters
    ----------
    rng : numpy.random.Generator
    sizes : array of int
        Agents in each stratum.
    wanted : int
        At most the sum of the sizes.
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
    """Return ids as a sorted array, each once."""
    return np.unique(np.asarray(list(numbers), dtype=np.int64))


def _order(rng: np.random.Generator, candidates: Candidates) -> Ints:
    """Return the candidates in random order, by successive draws in proportion to their weights."""
    if candidates.weight is None:
        return rng.permutation(candidates.ids.size)
    # the first of several independent exponential arrivals is each one with a chance in proportion to its
    # rate, and what is left behaves in the same way
    arrival = rng.standard_exponential(candidates.ids.size) / candidates.weight
    return np.argsort(arrival, kind="stable")


def _first_of(stratum: Codes, quota: Ints) -> Ints:
    """Return the positions of the first agents of each stratum, as many as its quota, in the order drawn."""
    line = np.argsort(stratum.astype(np.uint16), kind="stable")
    sizes = np.bincount(stratum)
    rank = np.arange(int(quota.sum())) - np.repeat(np.cumsum(quota) - quota, quota)
    return np.sort(line[np.repeat(np.cumsum(sizes) - sizes, quota) + rank])
