"""Inclusion probabilities of the sampling methods, exact for each."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise, product

import numpy as np

from voxpop.population.sampling import Candidates, Floats, Ints

_SURE = 10.0  # standard deviations
_NODES, _PANELS = 16, 24
_MOST_OPEN = 10
"""Maximum number of strata that one round of an equal allocation may or may not exhaust."""

UNKNOWN_WITHIN_STRATA = (
    "The agents were drawn by a description within strata; the probability of such a draw is not known."
)
UNKNOWN_ALLOCATION = (
    "Many strata are almost exhausted, so that the probability of an equal allocation is not known."
)


def probabilities(candidates: Candidates, size: int, method: str) -> tuple[Floats | None, str | None]:
    """Return the inclusion probability of each candidate of :func:`~voxpop.population.sampling.sample`.

    Parameters
    ----------
    candidates : Candidates
    size : int
        Sample size, not more than there are candidates.
    method : {"random", "stratified", "balanced"}

    Returns
    -------
    (array or None, str or None)
        The probabilities; or None and the reason why they are not known.
    """
    many = candidates.ids.size
    if size >= many:
        return np.ones(many), None
    if candidates.weight is not None and method != "random":
        return None, UNKNOWN_WITHIN_STRATA
    if candidates.weight is not None:
        levels, inverse = np.unique(candidates.weight, return_inverse=True)
        return successive(np.bincount(inverse), levels, size)[inverse], None
    if method == "balanced":
        assert candidates.strata is not None
        sizes = np.bincount(candidates.strata)
        expected = expected_equal(tuple(int(one) for one in sizes), size)
        if expected is None:
            return None, UNKNOWN_ALLOCATION
        return (np.array(expected) / np.maximum(sizes, 1))[candidates.strata], None
    return np.full(many, size / many), None


def successive(counts: Ints, weights: Floats, size: int) -> Floats:
    """Return the inclusion probability in each class of a sample by successive draws.

    Agent i arrives at an exponential time with a rate of its weight, and the sample is the first ``size``
    arrivals. The probability is the integral, over the arrival time of the agent, of the probability that
    fewer than ``size`` others arrived before. The number of others is a sum of binomial numbers, whose
    distribution is computed from its generating function.

    Parameters
    ----------
    counts, weights : array (classes,)
        Number of candidates of each class, and their common weight.
    size : int
        Sample size, less than the number of candidates.

    Examples
    --------
    >>> successive(np.array([1, 1]), np.array([1.0, 4.0]), 1).round(9).tolist()
    [0.2, 0.8]
    """
    return np.array(_successive(tuple(counts.tolist()), tuple(weights.tolist()), size))


@lru_cache(256)
def _successive(many: tuple[int, ...], heavy: tuple[float, ...], size: int) -> tuple[float, ...]:
    counts, weights = np.array(many, dtype=np.int64), np.array(heavy)
    if not size:
        return (0.0,) * counts.size
    low, high = _window(counts, weights, size)
    grid = np.linspace(0, 1, 4)[1:] if low > high / 5 else np.geomspace(1e-6, 1, _PANELS)
    edges = np.concatenate([[low], low + (high - low) * grid])
    nodes, shares = np.polynomial.legendre.leggauss(_NODES)
    total = 1 - np.exp(-weights * low)
    for left, right in pairwise(edges):
        for node, share in zip(nodes, shares, strict=True):
            time = left + (right - left) * (node + 1) / 2
            before = _fewer(counts, -np.expm1(-weights * time), size)
            total += share * (right - left) / 2 * weights * np.exp(-weights * time) * before
    return tuple(np.clip(total * (size / float(counts @ total)), 0, 1).tolist())


def _window(counts: Ints, weights: Floats, size: int) -> tuple[float, float]:
    """Return the times before which the sample is surely not full, and after which it surely is."""

    def arrived(time: float) -> tuple[float, float]:
        share = -np.expm1(-weights * time)
        return float(counts @ share), _SURE * math.sqrt(float(counts @ (share * (1 - share)))) + 20

    latest = math.log(1e13 * float(counts.sum())) / float(weights.min())

    def bisected(sign: int) -> float:
        low, high = 0.0, latest
        for _ in range(60):
            middle = (low + high) / 2
            mean, margin = arrived(middle)
            low, high = (middle, high) if mean + sign * margin < size else (low, middle)
        return low if sign > 0 else high

    return bisected(1), bisected(-1)


def _fewer(counts: Ints, share: Floats, size: int) -> Floats:
    """Return, for one more agent of each class, the probability that fewer than ``size`` others arrived."""
    spread = math.sqrt(float(counts @ (share * (1 - share))))
    width = 1 << math.ceil(math.log2(2 * (_SURE + 2) * spread + 64))
    start = math.floor(float(counts @ share) - width / 2)
    angle = np.exp(-2j * np.pi * np.arange(width // 2 + 1) / width)
    steps = 1 - share[:, None] + share[:, None] * angle
    logs = np.log(steps)
    whole = counts @ logs - start * np.log(angle)
    upto = size - start  # positions of the numbers below size
    if upto <= 0:
        return np.zeros(counts.size)
    found = np.fft.irfft(np.exp(whole - logs), width, axis=1)
    return np.asarray(np.clip(found[:, : min(upto, width)].sum(axis=1), 0, 1))


@lru_cache(256)
def expected_equal(sizes: tuple[int, ...], wanted: int) -> tuple[float, ...] | None:
    """Return the expected allocation of :func:`~voxpop.population.sampling.equal` to each stratum.

    Each round gives the open strata the same number, and one more to a random choice of them. What does not
    fit is given in the next round. Strata that cannot be exhausted are exchangeable; all outcomes of the
    others are followed with their probabilities. None if these are too many.

    Examples
    --------
    >>> expected_equal((1, 100, 100), 4)
    (1.0, 1.5, 1.5)
    """
    if wanted >= sum(sizes):
        return tuple(map(float, sizes))
    level = _level(sizes, wanted)
    small = [at for at, size in enumerate(sizes) if 0 < size <= level + _MOST_OPEN]
    large = [size for size in sizes if size > level + _MOST_OPEN]
    expected = [0.0] * len(sizes)
    states = {(wanted, tuple(sizes[at] for at in small), 0): 1.0}
    while states:
        following: dict[tuple[int, tuple[int, ...], int], float] = {}
        for (left, room, given), chance in states.items():
            if not left:
                continue
            each, odd = divmod(left, sum(cap > 0 for cap in room) + len(large))
            if large and given + each + (odd > 0) > min(large):
                return None
            branches = _branches(room, len(large), each, odd)
            if branches is None:
                return None
            for gains, over, share in branches:
                for at, gain in zip(small, gains, strict=True):
                    expected[at] += chance * share * gain
                kept = tuple(cap - gain for cap, gain in zip(room, gains, strict=True))
                key = (over, kept, given + each + (odd > 0))
                following[key] = following.get(key, 0.0) + chance * share
        states = {key: chance for key, chance in following.items() if key[0]}
        if len(states) > 2_000:
            return None
    rest = (wanted - sum(expected)) / len(large) if large else 0.0
    return tuple(rest if size > level + _MOST_OPEN else expected[at] for at, size in enumerate(sizes))


def _branches(
    room: tuple[int, ...], large: int, each: int, odd: int
) -> list[tuple[tuple[int, ...], int, float]] | None:
    """Return the outcomes of one round: gains of the small strata, what is left over, and the probability."""
    full = [at for at, cap in enumerate(room) if 0 < cap <= each]
    free = [at for at, cap in enumerate(room) if cap > each]
    if len(free) > _MOST_OPEN:
        return None
    opened = len(full) + len(free) + large
    ways = math.comb(opened, odd)
    found = []
    for extra in product((0, 1), repeat=len(free)):
        gains = [0] * len(room)
        for at in full:
            gains[at] = room[at]
        for at, more in zip(free, extra, strict=True):
            gains[at] = each + more
        used = sum(extra)
        for on_full in range(len(full) + 1):
            others = odd - used - on_full
            if not 0 <= others <= large:
                continue
            count = math.comb(len(full), on_full) * math.comb(large, others)
            over = sum(each - room[at] for at in full) + on_full
            found.append((tuple(gains), over, count / ways))
    return found


def _level(sizes: tuple[int, ...], wanted: int) -> float:
    """Return the level up to which strata are filled, if the same number is taken of each where possible.

    Examples
    --------
    >>> _level((1, 100, 100), 4)
    1.5
    """
    left, ordered = float(wanted), sorted(size for size in sizes if size)
    for at, size in enumerate(ordered):
        share = left / (len(ordered) - at)
        if size >= share:
            return share
        left -= size
    return float(ordered[-1]) if ordered else 0.0
