"""Replicate weights made from a design: jackknife, balanced half-samples and bootstrap of first-stage units.

Sources: K. M. Wolter, *Introduction to Variance Estimation* (2007), chapters 3 and 4; P. J. McCarthy, *Rev.
Int. Stat. Inst.* 37 (1969), for half-samples; R. E. Fay, *Proc. Survey Research Methods* (1989); J. N. K.
Rao,
C. F. J. Wu, *JASA* 83 (1988), for the bootstrap that draws n - 1 of n units; R: ``survey::as.svrepdesign``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.replication import ReplicateSample
from voxpop.stats.sampling import Sample, Stage

Floats = npt.NDArray[np.float64]
Made = tuple[Floats, float, Floats]
"""Factors (units by replicates), scale and rscales."""


def replicated(
    sample: Sample, kind: str, *, rho: float = 0.0, times: int = 100, seed: int = 0, mse: bool = False
) -> ReplicateSample:
    """Make replicate weights from the first stage of a sample.

    Parameters
    ----------
    sample : Sample
        The sample, not calibrated.
    kind : {"jk1", "jkn", "brr", "fay", "bootstrap"}
        The kind of replicates.
    rho : float
        Fay's factor.
    times, seed : int
        Replicates of a bootstrap, and its seed.
    mse : bool
        Whether deviations are those from the estimate of the full sample.

    Raises
    ------
    UsageError
        If the design does not suit the kind.

    Examples
    --------
    >>> from voxpop.stats.sampling import sample_of
    >>> made = replicated(sample_of([1.0, 1.0, 1.0], clusters=[[0, 1, 2]]), "jk1")
    >>> made.replicates.tolist(), round(made.scale, 4), made.degrees()
    ([[0.0, 1.5, 1.5], [1.5, 0.0, 1.5], [1.5, 1.5, 0.0]], 0.6667, 2.0)
    """
    stage = sample.stages[0]
    if not (stage.units == 1).all():
        raise UsageError("Replicates are made from rows that stand for one respondent each.")
    ways: dict[str, Callable[[], Made]] = {
        "jk1": lambda: _jackknife(stage, stratified=False),
        "jkn": lambda: _jackknife(stage, stratified=True),
        "brr": lambda: _halves(stage, 0.0),
        "fay": lambda: _halves(stage, rho),
        "bootstrap": lambda: _bootstrap(stage, times, seed),
    }
    if kind not in ways:
        raise UsageError(f"Replicates of kind {kind!r} cannot be made; allowed are {', '.join(ways)}.")
    factors, scale, rscales = ways[kind]()
    weights = sample.weights[:, None] * factors[stage.clusters]
    return ReplicateSample(sample.weights, sample.counts, weights, scale, rscales, mse)


def _refuse_lonely(stage: Stage, kind: str) -> None:
    if many := int((stage.sampled < 2).sum()):
        raise UsageError(
            f"{many:,} strata have one sampling unit only; {kind} needs two or more per stratum, so combine "
            "strata."
        )


def _jackknife(stage: Stage, *, stratified: bool) -> Made:
    """Leave out one unit at a time, and weight up the others of its stratum."""
    if not stratified and stage.sampled.size > 1:
        raise UsageError("Replicates of kind 'jk1' suit designs without strata; use 'jkn'.")
    _refuse_lonely(stage, "the jackknife")
    units = stage.strata.size
    drawn = stage.sampled[stage.strata]
    same = stage.strata[:, None] == stage.strata[None, :]
    factors = np.where(same, (drawn / (drawn - 1))[None, :], 1.0)
    np.fill_diagonal(factors, 0.0)
    rscales = stage.unsampled * (drawn - 1) / drawn
    if stratified:
        return factors, 1.0, rscales
    return factors, float(rscales[0]), np.ones(units)


def _halves(stage: Stage, rho: float) -> Made:
    """Take one unit of each stratum, balanced over replicates by a Hadamard matrix."""
    from scipy.linalg import hadamard  # imported where used

    if (stage.sampled != 2).any():
        raise UsageError(
            "Half-samples need exactly two sampling units per stratum; use the jackknife or the bootstrap."
        )
    strata = stage.sampled.size
    size = 1 << strata.bit_length()  # above the number of strata: the first column is constant
    signs = np.asarray(hadamard(size), dtype=np.float64)[:, 1 : strata + 1]
    order = np.argsort(stage.strata, kind="stable")
    first = np.zeros(stage.strata.size)
    first[order] = np.tile([1.0, -1.0], strata)
    taken = first[:, None] * signs[:, stage.strata].T
    factors = 1 + (1 - rho) * taken
    return factors, 1 / (size * (1 - rho) ** 2), np.ones(size)


def _bootstrap(stage: Stage, times: int, seed: int) -> Made:
    """Draw n - 1 of the n units of each stratum with replacement."""
    _refuse_lonely(stage, "the bootstrap")
    if times < 2:
        raise UsageError(f"A bootstrap takes 2 or more replicates, not {times}.")
    draw = np.random.default_rng(seed)
    factors = np.zeros((stage.strata.size, times))
    for stratum in range(stage.sampled.size):
        own = np.flatnonzero(stage.strata == stratum)
        drawn = draw.multinomial(own.size - 1, np.full(own.size, 1 / own.size), size=times)
        factors[own] = drawn.T * (own.size / (own.size - 1))
    return factors, 1 / (times - 1), np.ones(times)
