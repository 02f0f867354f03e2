"""Replicate weights: variance from the spread of an estimate over many sets of weights.

``V = scale Σ r_k (θ_k - θ̄)²`` with θ̄ the mean of the replicates or, for mean square errors, the estimate of
the full sample. Sources: K. M. Wolter, *Introduction to Variance Estimation* (2007); R: ``survey::svrVar``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.bases import exact_sum
from voxpop.stats.sampling import Again, Scores

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

_TOL = 1e-5
"""A set of weights that others make up to this relative error adds no degree of freedom (as in R)."""


@dataclass(frozen=True, eq=False, slots=True)
class ReplicateSample:
    """A sample with replicate weights.

    Attributes
    ----------
    weights : array of float
        The weight of each row.
    counts : array of float
        Respondents with a weight above 0 that each row stands for.
    replicates : array (rows, replicates)
        The weights of each replicate, not factors of the weight.
    scale : float
        Factor of all squared deviations.
    rscales : array of float
        Factor of the squared deviation of each replicate.
    mse : bool
        Whether deviations are those from the estimate of the full sample.
    fixed_degrees : float, optional
        Degrees of freedom; by default the rank of the replicates minus 1.
    """

    weights: Floats
    counts: Floats
    replicates: Floats
    scale: float
    rscales: Floats
    mse: bool = False
    fixed_degrees: float | None = None

    @property
    def is_replicated(self) -> bool:
        """Return whether the variance rests on replicate weights."""
        return True

    def degrees(self, inside: npt.NDArray[np.bool_] | None = None) -> float:
        """Return the degrees of freedom: the rank of the replicate weights minus 1.

        Parameters
        ----------
        inside : array of bool, optional
            The rows of a subpopulation.
        """
        if self.fixed_degrees is not None and inside is None:
            return self.fixed_degrees
        held = self.replicates if inside is None else self.replicates[inside]
        return float(_rank(held) - 1)

    def covariance(
        self, scores: Scores, again: Again, values: Floats, codes: Codes | None = None, groups: int = 1
    ) -> Floats:
        """Return the covariance of statistics by computing them again with each replicate.

        Parameters
        ----------
        scores, codes, groups
            Only used by linearized samples.
        again : callable
            Returns the statistics for given weights; missing (NaN) where a replicate has nobody.
        values : array of float
            The statistics of the full sample.
        """
        found = np.array([again(self.replicates[:, place]) for place in range(self.replicates.shape[1])])
        return spread(found, values, self.scale, self.rscales, mse=self.mse)

    def calibrated(self, weigh: Callable[[Floats], Floats]) -> ReplicateSample:
        """Return the sample with the full weights and every replicate calibrated."""
        made = [weigh(self.replicates[:, place]) for place in range(self.replicates.shape[1])]
        return replace(
            self, weights=weigh(self.weights), replicates=np.column_stack(made), fixed_degrees=None
        )


def spread(found: Floats, values: Floats, scale: float, rscales: Floats, *, mse: bool) -> Floats:
    """Return the covariance of statistics from their replicates.

    A replicate without a statistic is left out of its variance.

    Parameters
    ----------
    found : array (replicates, statistics)
        The statistics of each replicate.
    values : array of float
        The statistics of the full sample.
    scale, rscales, mse
        As in :class:`ReplicateSample`.

    Examples
    --------
    >>> spread(np.array([[1.0], [3.0]]), np.array([2.5]), 0.5, np.ones(2), mse=False).tolist()
    [[1.0]]
    """
    width = found.shape[1]
    usable = np.isfinite(found)
    apart = np.zeros_like(found)
    for k in range(width):
        held = usable[:, k] & (rscales > 0)
        if not held.any():
            apart[:, k] = math.nan
            continue
        centre = values[k] if mse else exact_sum(found[held, k]) / int(held.sum())
        apart[usable[:, k], k] = found[usable[:, k], k] - centre
    made = np.empty((width, width))
    for i in range(width):
        for j in range(i + 1):
            product = apart[:, i] * apart[:, j] * rscales
            missing = bool(np.isnan(product).any())
            made[i, j] = made[j, i] = math.nan if missing else exact_sum(product) * scale
    return made


def _rank(replicates: Floats) -> int:
    """Return how many replicates are not made up by those before them."""
    held = replicates.astype(np.longdouble)
    gram = held.T @ held
    size = gram.shape[0]
    lower = np.zeros_like(gram)
    kept: list[int] = []
    for place in range(size):
        for number, other in enumerate(kept):
            known = lower[place, :number] @ lower[other, :number]
            lower[place, number] = (gram[place, other] - known) / lower[other, number]
        rest = gram[place, place] - lower[place, : len(kept)] @ lower[place, : len(kept)]
        if rest > _TOL**2 * gram[place, place]:
            lower[place, len(kept)] = np.sqrt(rest)
            kept.append(place)
    return len(kept)


def scales_of(
    kind: str,
    replicates: int,
    *,
    rho: float = 0.0,
    scale: float | None = None,
    rscales: Sequence[float] = (),
) -> tuple[float, Floats]:
    """Return the factors of squared deviations of a kind of replicates.

    Parameters
    ----------
    kind : {"brr", "fay", "jk1", "jkn", "bootstrap", "sdr", "other"}
        The kind.
    replicates : int
        How many replicates there are.
    rho : float
        Fay's factor.
    scale, rscales
        Factors that are given; those of ``brr``, ``fay`` and ``sdr`` are fixed.

    Raises
    ------
    UsageError
        If the number of ``rscales`` is not that of the replicates.

    Examples
    --------
    >>> scales_of("fay", 4, rho=0.5)[0], scales_of("jk1", 4)[0], scales_of("sdr", 80)[0]
    (1.0, 0.75, 0.05)
    """
    usual = {
        "brr": 1 / replicates,
        "fay": 1 / (replicates * (1 - rho) ** 2),
        "jk1": (replicates - 1) / replicates,
        "bootstrap": 1 / (replicates - 1) if replicates > 1 else 1.0,
        "sdr": 4 / replicates,
    }
    chosen = usual.get(kind, 1.0) if scale is None or kind in ("brr", "fay", "sdr") else scale
    if rscales and len(rscales) not in (1, replicates):
        raise UsageError(f"There are {replicates} replicates, but rscales has {len(rscales)} factors.")
    held = np.ones(replicates) if not rscales else np.asarray(rscales, dtype=np.float64)
    return chosen, np.ones(replicates) * held
