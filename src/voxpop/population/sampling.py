"""Choose agents from those that match: at random, stratified or balanced, with no look-alikes.

The choice is a function of the matching ids, their attributes and the seed, worked out in numpy in
the order of the ids; so the same seed gives the same agents in the same order everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.population import draw

Codes = npt.NDArray[np.integer]
"""Numbers as narrow as they come: a million of them are moved about, and narrow ones move faster."""
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

METHODS = ("random", "stratified", "balanced")

AGE_BANDS = (25, 35, 45, 55, 65)
"""Ages at which the strata after the first begin."""

_GENDERS, _STATES, _OCCUPATIONS = 4, 512, 1024

_AHEAD = 32
"""So many times the agents wanted are looked at before all the others."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The matching agents in the order of their ids, with the codes that sampling needs; -1 is no value."""

    ids: Codes
    age: Codes
    gender: Codes
    state: Codes
    occupation: Codes
    weight: Floats | None = None

    def looks(self, at: Ints | slice = slice(None)) -> Ints:
        """Return one number per agent: equal for agents of the same age, gender, state and occupation."""
        code = self.age[at].astype(np.int64) * _GENDERS + self.gender[at] + 1
        code = code * _STATES + self.state[at] + 1
        return np.asarray(code * _OCCUPATIONS + self.occupation[at] + 1)

    def in_order(self) -> Candidates:
        """Return the same candidates in the order of their ids."""
        if self.ids.size < 2 or bool((np.diff(self.ids) > 0).all()):
            return self
        return self._at(np.argsort(self.ids, kind="stable"))

    def without(self, ids: Ints) -> Candidates:
        """Return the candidates that are not among some ids."""
        return self._at(np.flatnonzero(~np.isin(self.ids, ids)))

    def _at(self, at: Ints) -> Candidates:
        weight = None if self.weight is None else self.weight[at]
        return Candidates(
            self.ids[at], self.age[at], self.gender[at], self.state[at], self.occupation[at], weight
        )

    def strata(self, method: str) -> Codes:
        """Return the stratum of each agent: age band and gender, and for "stratified" the state."""
        ages = np.arange(int(self.age.max(initial=0)) + 1)
        bands = np.searchsorted(AGE_BANDS, ages, side="right").astype(
            np.int16
        )  # every stratum is below 2**15
        code = bands[self.age] * _GENDERS + self.gender + 1
        return np.asarray(code * _STATES + self.state + 1 if method == "stratified" else code)


def sample(
    candidates: Candidates,
    size: int,
    *,
    seed: int,
    method: str = "random",
    dedupe: bool = True,
    taken: Ints | None = None,
) -> list[int]:
    """Choose up to ``size`` of the candidates.

    Parameters
    ----------
    candidates : Candidates
    size : int
        Agents wanted; with fewer candidates all of them are chosen.
    seed : int
        Not negative.
    method : {"random", "stratified", "balanced"}
        Free draws; in proportion to age band, gender and state; or equally over age band and gender.
    dedupe : bool
        Look-alikes (same age, gender, state and occupation) only when nobody else is left.
    taken : array, optional
        Looks of agents who are in the group already.

    Returns
    -------
    list of int
        Ids, in the order drawn.
    """
    rng = np.random.default_rng([seed, METHODS.index(method)])
    order = _order(rng, candidates)
    wanted = min(size, order.size)
    if method == "random":
        chosen = order[_first_fresh(candidates, order, wanted, taken)] if dedupe else order[:wanted]
        return [int(number) for number in candidates.ids[chosen]]
    strata = candidates.strata(method)
    divide = _proportional if method == "stratified" else _equal
    quota = divide(rng, np.bincount(strata), wanted)
    if not dedupe:
        chosen = _first_of(strata[order], quota)
    else:
        chosen = _fresh_by_strata(candidates, order, strata, quota, taken)
        if chosen.size < wanted:  # some strata have too few who differ: others make up for it
            stratum, stale = strata[order], _stale(candidates.looks(order), taken)
            fresh = np.flatnonzero(~stale)
            sizes = np.bincount(stratum[fresh], minlength=quota.size)
            quota = divide(rng, sizes, min(wanted, fresh.size))
            rest = np.flatnonzero(stale)[: max(wanted - fresh.size, 0)]
            chosen = np.concatenate([fresh[_first_of(stratum[fresh], quota)], rest])
    return [int(number) for number in candidates.ids[order[chosen]]]


def _lines(stratum: Codes) -> tuple[Ints, Ints]:
    """Return the positions sorted by stratum, in the order drawn inside one, and the size of each stratum."""
    return np.argsort(stratum.astype(np.uint16), kind="stable"), np.bincount(stratum)


def _heads(line: Ints, sizes: Ints, limit: Ints) -> Ints:
    """Return the first positions of each stratum, up to its limit, in the order drawn."""
    taken = np.minimum(limit[: sizes.size], sizes)
    rank = np.arange(int(taken.sum())) - np.repeat(np.cumsum(taken) - taken, taken)
    return np.sort(line[np.repeat(np.cumsum(sizes) - sizes, taken) + rank])


def _first_of(stratum: Codes, quota: Ints) -> Ints:
    """Return the positions of the first of each stratum, in the order drawn."""
    return _heads(*_lines(stratum), quota)


def _fresh_by_strata(
    candidates: Candidates, order: Ints, strata: Codes, quota: Ints, taken: Ints | None
) -> Ints:
    """Return the positions of the first of each stratum who look like nobody before them.

    Most strata are filled from the beginning of a long order; only those that are not are looked for in
    the rest of it.
    """
    near = order[: _AHEAD * int(quota.sum())]
    first = _fresh_heads(candidates, near, strata[near], quota, taken)
    filled = strata[near[first]]
    short = np.bincount(filled, minlength=quota.size) < quota
    if near.size == order.size or not short.any():
        return first
    left = np.flatnonzero(short[strata][order])
    more = _fresh_heads(candidates, order[left], strata[order[left]], np.where(short, quota, 0), taken)
    return np.sort(np.concatenate([first[~short[filled]], left[more]]))


def _fresh_heads(
    candidates: Candidates, order: Ints, stratum: Codes, quota: Ints, taken: Ints | None
) -> Ints:
    """Return the same for candidates and their strata in the order drawn.

    Look-alikes are always in one stratum, and few, so looking at twice as many as wanted mostly does.
    """
    line, sizes = _lines(stratum)
    fresh = line[:0]
    for limit in (np.where(quota > 0, quota * 2 + 8, 0)[: sizes.size], sizes):
        seen = _heads(line, sizes, limit)
        fresh = seen[~_stale(candidates.looks(order[seen]), taken)]
        if bool((np.bincount(stratum[fresh], minlength=quota.size) >= quota).all()):
            break
    return fresh[_first_of(stratum[fresh], quota)]


def _order(rng: np.random.Generator, candidates: Candidates) -> Ints:
    """Return the candidates in random order; heavier ones tend to come earlier."""
    if candidates.weight is None:
        return rng.permutation(candidates.ids.size)
    waiting = rng.standard_exponential(candidates.ids.size) / candidates.weight
    return np.argsort(waiting)


def _stale(looks: Ints, taken: Ints | None) -> npt.NDArray[np.bool_]:
    """Mark those who look like somebody before them or like somebody taken."""
    stale = np.ones(looks.size, dtype=bool)
    stale[np.unique(looks, return_index=True)[1]] = False
    if taken is not None and taken.size:
        stale |= np.isin(looks, taken)
    return stale


def _first_fresh(candidates: Candidates, order: Ints, wanted: int, taken: Ints | None) -> Ints:
    """Return positions in the order: the first who look like nobody before, then if need be the others."""
    reach = min(order.size, 2 * wanted + 64)
    while True:
        stale = _stale(candidates.looks(order[:reach]), taken)
        fresh = np.flatnonzero(~stale)
        if fresh.size >= wanted:
            return fresh[:wanted]
        if reach == order.size:
            return np.concatenate([fresh, np.flatnonzero(stale)[: wanted - fresh.size]])
        reach = min(order.size, reach * 4)


def _proportional(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Divide the wanted number in proportion to the sizes; who gets the parts of one is random."""
    if not sizes.sum():
        return np.zeros_like(sizes)
    mixed = rng.permutation(sizes.size)
    quota = np.zeros_like(sizes)
    shares = (sizes[mixed] / sizes.sum())[None, :]
    quota[mixed] = draw.allot(rng, shares, np.array([wanted]))[0]
    return _within(quota, sizes, wanted)


def _equal(rng: np.random.Generator, sizes: Ints, wanted: int) -> Ints:
    """Divide the wanted number equally, never more than there are; the odd ones go to random strata."""
    quota = np.zeros_like(sizes)
    while wanted > quota.sum():
        open_ = np.flatnonzero(quota < sizes)
        each, odd = divmod(wanted - int(quota.sum()), open_.size)
        more = np.full(open_.size, each)
        more[rng.permutation(open_.size)[:odd]] += 1
        quota[open_] = np.minimum(quota[open_] + more, sizes[open_])
    return quota


def _within(quota: Ints, sizes: Ints, wanted: int) -> Ints:
    """Move what goes beyond a stratum's size to strata with room."""
    quota = np.minimum(quota, sizes)
    for at in np.flatnonzero(quota < sizes):
        missing = wanted - int(quota.sum())
        if missing <= 0:
            break
        quota[at] += min(missing, sizes[at] - quota[at])
    return quota


def as_ids(numbers: Sequence[int]) -> Ints:
    """Return ids as a sorted array without doubles."""
    return np.unique(np.asarray(list(numbers), dtype=np.int64))
