"""Latent class analysis: segments of respondents within which answers are independent.

Fitted by EM with extrapolated steps; missing answers are missing at random and add nothing. Sources: L. A.
Goodman, *Biometrika* 61 (1974); R. Varadhan, C. Roland, *Scand. J. Stat.* 35 (2008), for the steps;
C. Biernacki and others, *Comput. Stat. Data Anal.* 41 (2003), for short runs from many starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

_SHORT, _LONG, _BEST = 15, 400, 3
_LOW = 1e-11


@dataclass(frozen=True, eq=False, slots=True)
class Classes:
    """A fitted latent class model.

    Attributes
    ----------
    sizes : array (classes)
        Shares of the classes, the largest first.
    shares : array (classes, levels)
        Share of each level of each item within the classes, items one after the other.
    log_likelihood : float
        Of the weights as given.
    certain : array (rows, classes)
        Probability of each class, row by row.
    agreed : int
        Starts, among those run to the end, that reached this likelihood.
    is_settled : bool
        Whether further steps would not raise the likelihood.
    """

    sizes: Floats
    shares: Floats
    log_likelihood: float
    certain: Floats
    agreed: int
    is_settled: bool


def relative_entropy(certain: Floats, weights: Floats) -> float:
    """Return how certain a classification is: 1 if every row has one class, 0 if all classes are alike.

    Examples
    --------
    >>> relative_entropy(np.array([[1.0, 0.0], [0.5, 0.5]]), np.ones(2))
    0.5
    """
    if certain.shape[1] < 2:
        return 1.0
    lost = -(weights @ (certain * np.log(np.maximum(certain, 1e-300)))).sum()
    return float(1 - lost / (weights.sum() * math.log(certain.shape[1])))


class Answers:
    """Answers to items as a sparse matrix of levels.

    Parameters
    ----------
    codes : array (rows, items)
        The level of each answer, -1 if missing.
    levels : sequence of int
        How many levels each item has.
    weights : array of float
        Weights above 0.
    """

    def __init__(self, codes: Codes, levels: Sequence[int], weights: Floats) -> None:
        from scipy.sparse import csr_array  # imported where used

        self.weights = weights
        self.starts = np.concatenate(([0], np.cumsum(levels)))
        self.items = np.repeat(np.arange(len(levels)), levels)
        rows, items = np.nonzero(codes >= 0)
        places = self.starts[items] + codes[rows, items]
        shape = (codes.shape[0], int(self.starts[-1]))
        self.matrix: Any = csr_array((np.ones(rows.size), (rows, places)), shape=shape)
        self.across: Any = self.matrix.T.tocsr()

    def posterior(self, sizes: Floats, shares: Floats) -> tuple[Floats, float]:
        """Return the probability of each class, row by row, and the log-likelihood."""
        joint = self.matrix @ np.log(np.maximum(shares, 1e-300)).T + np.log(np.maximum(sizes, 1e-300))
        top = joint.max(axis=1, keepdims=True)
        held = np.exp(joint - top)
        total = held.sum(axis=1, keepdims=True)
        return held / total, float(self.weights @ (top + np.log(total))[:, 0])

    def estimate(self, certain: Floats) -> tuple[Floats, Floats]:
        """Return sizes and shares, given the probability of each class."""
        own = certain * self.weights[:, None]
        sums = np.asarray(self.across @ own).T
        whole = np.add.reduceat(sums, self.starts[:-1], axis=1)[:, self.items]
        shares = np.divide(sums, whole, out=np.full_like(sums, 0.0), where=whole > 0)
        sizes = own.sum(axis=0)
        return sizes / sizes.sum(), shares

    def settled(self, values: Floats, classes: int) -> tuple[Floats, Floats]:
        """Return sizes and shares from a vector of them that need not add up to 1."""
        held = np.maximum(values, 0.0)
        sizes, shares = held[:classes], held[classes:].reshape(classes, -1)
        whole = np.add.reduceat(shares, self.starts[:-1], axis=1)[:, self.items]
        return sizes / sizes.sum(), shares / np.maximum(whole, 1e-300)


def latent_classes(answers: Answers, classes: int, *, seed: int, starts: int = 20) -> Classes:
    """Fit latent classes from many starts.

    Parameters
    ----------
    answers : Answers
        The answers, rows in an order that does not depend on that of the data.
    classes : int
        How many classes.
    seed, starts : int
        The same seed gives the same classes. Each start runs a few steps; the best ones run to the end.

    Examples
    --------
    >>> codes = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [1, 1]])
    >>> found = latent_classes(Answers(codes, [2, 2], np.ones(5)), 2, seed=1, starts=5)
    >>> found.sizes.round(3).tolist(), round(found.log_likelihood, 3)
    ([0.6, 0.4], -3.365)
    """
    rng = np.random.default_rng([seed, classes])
    begun = []
    for _ in range(starts if classes > 1 else 1):
        certain = rng.dirichlet(np.ones(classes), size=answers.weights.size)
        sizes, shares = answers.estimate(certain)
        for _ in range(_SHORT):
            certain, reached = answers.posterior(sizes, shares)
            sizes, shares = answers.estimate(certain)
        begun.append((reached, sizes, shares))
    begun.sort(key=lambda one: -one[0])
    ended = [_climbed(answers, sizes, shares) for _, sizes, shares in begun[:_BEST]]
    best = max(ended, key=lambda one: one[0])
    agreed = sum(one[0] > best[0] - 1e-4 for one in ended)
    reached, sizes, shares, is_settled = best
    order = np.lexsort((*shares.T[::-1].round(9), -sizes.round(9)))
    sizes, shares = sizes[order], shares[order]
    return Classes(sizes, shares, reached, answers.posterior(sizes, shares)[0], agreed, is_settled)


def _climbed(answers: Answers, sizes: Floats, shares: Floats) -> tuple[float, Floats, Floats, bool]:
    """Return the log-likelihood, sizes and shares at the top, and whether it was reached."""
    classes = sizes.size

    def step(at: tuple[Floats, Floats]) -> tuple[tuple[Floats, Floats], float]:
        certain, reached = answers.posterior(*at)
        return answers.estimate(certain), reached

    def flat(at: tuple[Floats, Floats]) -> Floats:
        return np.concatenate((at[0], at[1].ravel()))

    held = (sizes, shares)
    best = -math.inf
    for _ in range(_LONG):
        first, reached = step(held)
        if reached - best < _LOW * (1 + abs(reached)):
            return reached, *held, True
        best = reached
        second, before = step(first)
        change, bend = flat(first) - flat(held), flat(second) - 2 * flat(first) + flat(held)
        size = float(np.linalg.norm(bend))
        if size < 1e-14:
            held = second
            continue
        stride = -max(float(np.linalg.norm(change)) / size, 1.0)
        leap, _ = step(answers.settled(flat(held) - 2 * stride * change + stride**2 * bend, classes))
        held = leap if answers.posterior(*leap)[1] >= before else second
    return answers.posterior(*held)[1], *held, False


def parameters(levels: Sequence[int], classes: int) -> int:
    """Return how many numbers a model estimates.

    Examples
    --------
    >>> parameters([2, 3], 2)
    7
    """
    return classes - 1 + classes * sum(size - 1 for size in levels)
