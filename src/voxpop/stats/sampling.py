"""Samples drawn in stages: weights, strata, clusters and sampled fractions, and the variance they imply.

The variance of a total is estimated stage by stage: within each stratum the totals of its units are compared,
``n/(n - 1) (1 - n/N) Σ (t - t̄)²``, and the variance within the units of a stage counts with the fraction that
this stage has drawn. Sources: W. G. Cochran, *Sampling Techniques* (1977), section 11; D. R. Bellhouse,
*Survey Methodology* 11 (1985), for the recursion; R: ``survey::svyrecvar``. Statistics that are no totals are
replaced by the total of their scores (D. A. Binder, *Int. Stat. Rev.* 51, 1983).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.stats.bases import exact_sum, group_sums

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
Projection = Callable[[Floats], Floats]
Scores = Callable[[], Floats]
Again = Callable[[Floats], Floats]

_SAMPLED = 1e-7
"""A stratum with less than this fraction unsampled has no variance (as in R)."""


class SampleProblem(UsageError):
    """Columns of a design that contradict each other.

    Attributes
    ----------
    kind : {"nested", "small", "varying"}
        A cluster in several strata; a finite population below the sample; several sizes of one stratum.
    stage, row : int
        The stage, from 0, and a row concerned.
    told, drawn : float
        The size of the population, and of the sample.
    """

    def __init__(
        self, message: str, kind: str, stage: int, row: int, told: float = 0.0, drawn: float = 0.0
    ) -> None:
        self.kind, self.stage, self.row, self.told, self.drawn = kind, stage, row, told, drawn
        super().__init__(message)


@dataclass(frozen=True, eq=False, slots=True)
class Stage:
    """One stage of sampling.

    Attributes
    ----------
    clusters : array of int
        The unit of each row.
    strata : array of int
        The stratum of each unit.
    parents : array of int
        The unit of the stage before that holds each unit.
    units : array of float
        How many equal units each unit stands for.
    sampled : array of float
        Units drawn per stratum.
    unsampled : array of float
        Per unit, the fraction of its stratum that was not drawn; 1 if drawn with replacement.
    """

    clusters: Codes
    strata: Codes
    parents: Codes
    units: Floats
    sampled: Floats
    unsampled: Floats

    @property
    def lonely(self) -> Codes:
        """Return the strata of which one unit was drawn and others were not."""
        left = np.zeros(self.sampled.size)
        np.maximum.at(left, self.strata, self.unsampled)
        return np.flatnonzero((self.sampled == 1) & (left >= _SAMPLED))


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """A sample drawn in stages, with its weights.

    Attributes
    ----------
    weights : array of float
        The weight of each row; the sum of weights if a row stands for several respondents.
    counts : array of float
        Respondents with a weight above 0 that each row stands for.
    stages : tuple of Stage
        The stages, the first one first.
    single_psu : {"fail", "remove", "adjust", "average", "certainty"}
        The treatment of strata with one unit.
    projections : tuple of callable
        What calibration does to scores: each returns their residuals.
    """

    weights: Floats
    counts: Floats
    stages: tuple[Stage, ...]
    single_psu: str = "fail"
    projections: tuple[Projection, ...] = ()

    @property
    def is_replicated(self) -> bool:
        """Return whether the variance rests on replicate weights."""
        return False

    def degrees(self, inside: npt.NDArray[np.bool_] | None = None) -> float:
        """Return the degrees of freedom: first-stage units with a weight minus their strata.

        Parameters
        ----------
        inside : array of bool, optional
            The rows of a subpopulation.
        """
        held = self.weights > 0
        held = held if inside is None else held & inside
        first = self.stages[0]
        units = np.unique(first.clusters[held])
        return float(first.units[units].sum() - np.unique(first.strata[units]).size)

    def covariance(
        self, scores: Scores, again: Again, values: Floats, codes: Codes | None = None, groups: int = 1
    ) -> Floats:
        """Return the covariance of statistics, from the scores of the rows.

        Parameters
        ----------
        scores : callable
            Returns the scores: rows by statistics, each times the weight of its row.
        again, values
            Only used by samples with replicate weights.
        codes : array of int, optional
            The group of each row, -1 for none; statistics are then those of each group, and a row has a
            score of 0 in all groups but its own.
        groups : int
            How many groups there are.

        Returns
        -------
        array (statistics, statistics)
            With groups: first all statistics of the first group.
        """
        given = scores()
        place = np.zeros(self.weights.size, dtype=np.intp) if codes is None else codes
        if self.projections:
            given, place, groups = self._projected(given, place, groups), np.zeros_like(place), 1
        return stage_covariance(self, given, place, groups)

    def _projected(self, scores: Floats, codes: Codes, groups: int) -> Floats:
        """Return the residuals of scores, with columns for every group."""
        wide = np.zeros((scores.shape[0], groups * scores.shape[1]))
        for group in range(groups):
            own = codes == group
            wide[own, group * scores.shape[1] : (group + 1) * scores.shape[1]] = scores[own]
        for projection in self.projections:
            wide = projection(wide)
        return wide

    def calibrated(self, weights: Floats, projection: Projection) -> Sample:
        """Return the sample with calibrated weights."""
        return replace(self, weights=weights, projections=(*self.projections, projection))


def sample_of(
    weights: npt.ArrayLike,
    strata: Sequence[npt.ArrayLike] = (),
    clusters: Sequence[npt.ArrayLike] = (),
    *,
    fpc: Sequence[npt.ArrayLike] = (),
    counts: npt.ArrayLike | None = None,
    weighted: npt.ArrayLike | None = None,
    nest: bool = False,
    single_psu: str = "fail",
) -> Sample:
    """Describe a sample by the codes of its strata and clusters, stage by stage.

    Parameters
    ----------
    weights : array_like of float
        Weights, at least 0.
    strata, clusters : sequence of array_like of int
        Per stage, the stratum and the cluster of each row. Without clusters each row is a unit.
    fpc : sequence of array_like of float
        Per stage, units in the population of the stratum or, if all are at most 1, the fraction drawn.
    counts : array_like of float, optional
        Respondents that each row stands for; 1 each by default.
    weighted : array_like of float, optional
        How many of them have a weight above 0; by default all or none.
    nest : bool
        Whether clusters are numbered anew in each stratum.
    single_psu : {"fail", "remove", "adjust", "average", "certainty"}
        The treatment of strata with one unit.

    Examples
    --------
    >>> made = sample_of([2.0, 2.0, 1.0, 1.0], [[0, 0, 1, 1]])
    >>> made.degrees()
    2.0
    """
    held = np.asarray(weights, dtype=np.float64)
    many = np.ones(held.size) if counts is None else np.asarray(counts, dtype=np.float64)
    strata_codes = [np.asarray(code, dtype=np.intp) for code in strata]
    cluster_codes = [np.asarray(code, dtype=np.intp) for code in clusters]
    sizes = [np.asarray(size, dtype=np.float64) for size in fpc]
    fractions = bool(sizes) and all(bool((size <= 1).all()) for size in sizes)
    stages: list[Stage] = []
    parent = np.zeros(held.size, dtype=np.intp)
    for place in range(max(len(cluster_codes), 1)):
        own = strata_codes[min(place, len(strata_codes) - 1)] if strata_codes else np.zeros_like(parent)
        stratum = _joined(own, parent) if place else _joined(own)
        unit = _units(cluster_codes, place, parent, stratum if nest else None)
        alone = unit is None
        unit = np.arange(held.size) if unit is None else unit
        size = sizes[place] if place < len(sizes) else None
        stages.append(
            _stage(place, stratum, unit, parent, many if alone else None, size=size, fractions=fractions)
        )
        parent = unit
        if not sizes:  # units drawn with replacement hold the variance of all later stages
            break
    positive = np.where(held > 0, many, 0.0) if weighted is None else np.asarray(weighted, dtype=np.float64)
    return Sample(held, positive, tuple(stages), single_psu)


def _joined(*codes: Codes) -> Codes:
    """Return one code per combination of codes, from 0."""
    made = codes[0]
    for code in codes[1:]:
        made = made * (int(code.max(initial=0)) + 1) + code
    size = int(made.max(initial=0)) + 1
    if size > 8 * made.size + 1024:
        return np.asarray(np.unique(made, return_inverse=True)[1], dtype=np.intp)
    used = np.zeros(size, dtype=np.intp)
    used[made] = 1
    return (np.cumsum(used) - 1)[made]


def _units(clusters: Sequence[Codes], place: int, parent: Codes, stratum: Codes | None) -> Codes | None:
    """Return the unit of each row at a stage, distinct over the units of the stage before."""
    if not clusters:
        return None
    parts = [*([] if stratum is None else [stratum]), clusters[place], *([parent] if place else [])]
    return _joined(*parts)


def _stage(
    number: int,
    stratum: Codes,
    unit: Codes,
    parent: Codes,
    units: Floats | None,
    *,
    size: Floats | None,
    fractions: bool,
) -> Stage:
    """Describe a stage by its units."""
    many = int(unit.max(initial=-1)) + 1
    strata, parents = np.zeros(many, dtype=np.intp), np.zeros(many, dtype=np.intp)
    strata[unit], parents[unit] = stratum, parent
    if (apart := strata[unit] != stratum).any():
        raise SampleProblem(
            "Some clusters lie in several strata; use nest=True if clusters are numbered within strata.",
            "nested",
            number,
            int(np.flatnonzero(apart)[0]),
        )
    held = np.ones(many) if units is None else units
    sampled: Floats = np.bincount(strata, weights=held, minlength=int(stratum.max(initial=-1)) + 1).astype(
        np.float64
    )
    left = np.ones(many)
    if size is not None:
        left = _unsampled(number, stratum, unit, sampled, size, fractions)[_row_of(unit, many)]
    return Stage(unit, strata, parents, held, sampled, left)


def _row_of(unit: Codes, many: int) -> Codes:
    """Return a row of each unit."""
    made = np.zeros(many, dtype=np.intp)
    made[unit] = np.arange(unit.size)
    return made


def _unsampled(
    number: int, stratum: Codes, unit: Codes, sampled: Floats, size: Floats, fractions: bool
) -> Floats:
    """Return the fraction of the stratum that was not drawn, row by row."""
    drawn = sampled[stratum]
    population = drawn / size if fractions else size
    if (small := population < drawn * (1 - 1e-12)).any():
        row = int(np.flatnonzero(small)[0])
        raise SampleProblem(
            "The finite population is smaller than the sample in some strata.",
            "small",
            number,
            row,
            float(population[row]),
            float(drawn[row]),
        )
    first = size[_row_of(unit if fractions else stratum, int((unit if fractions else stratum).max()) + 1)]
    if (apart := first[unit if fractions else stratum] != size).any():
        raise SampleProblem(
            "The finite population varies within a stratum.", "varying", number, int(np.flatnonzero(apart)[0])
        )
    left = np.where(np.isinf(population), 1.0, (population - drawn) / population)
    return np.maximum(left, 0.0)


def stage_covariance(sample: Sample, scores: Floats, codes: Codes, groups: int) -> Floats:
    """Return the covariance of the totals of scores, over all stages."""
    width = groups * scores.shape[1]
    made = np.zeros((width, width))
    multiple = np.ones(1)
    for number, stage in enumerate(sample.stages):
        factors = _factors(stage, sample.single_psu, number) * multiple[stage.parents]
        if _is_plain(stage, scores.shape[0]):
            made += _of_rows(stage, scores, codes, groups, factors)
        else:
            made += _of_units(stage, scores, codes, groups, factors, single_psu=sample.single_psu)
        multiple = multiple[stage.parents] * (1 - stage.unsampled)
    return made


def _factors(stage: Stage, single_psu: str, number: int) -> Floats:
    """Return the factor of the squared deviation of each unit."""
    drawn = stage.sampled[stage.strata]
    factors = stage.unsampled * np.where(drawn > 1, drawn / np.maximum(drawn - 1, 1), 1.0)
    lonely = stage.lonely
    if lonely.size and single_psu == "fail":
        raise UsageError(
            f"{lonely.size:,} strata have one sampling unit only at stage {number + 1}; choose single_psu="
            "'remove', 'adjust', 'average' or 'certainty', or combine strata."
        )
    return factors


def _averaged(stage: Stage, codes: Codes, groups: int) -> Floats:
    """Return what the variance of each unit is multiplied by, per group, for that of lonely strata.

    Strata count that hold rows of the group (as in R).
    """
    parent = np.zeros(stage.sampled.size, dtype=np.intp)
    parent[stage.strata] = stage.parents
    parents = int(parent.max(initial=0)) + 1
    alone = np.isin(np.arange(parent.size), stage.lonely)
    made = np.ones((parents, groups))
    row_strata = stage.strata[stage.clusters]
    for group in range(groups):
        present = np.bincount(row_strata[codes == group], minlength=parent.size) > 0
        every = np.bincount(parent[present], minlength=parents)
        usable = np.bincount(parent[present & ~alone], minlength=parents)
        if ((usable == 0) & (every > 0)).any():
            raise UsageError(
                "single_psu='average' takes the variance from strata with two sampling units, and there is "
                "none; choose 'adjust' or combine strata."
            )
        made[:, group] = every / np.maximum(usable, 1)
    return made[stage.parents]


def _is_plain(stage: Stage, rows: int) -> bool:
    """Return whether each row is a unit of its own, and fractions are those of strata."""
    if stage.strata.size != rows or not np.array_equal(stage.clusters, np.arange(rows)):
        return False
    lowest = np.ones(stage.sampled.size)
    np.minimum.at(lowest, stage.strata, stage.unsampled)
    return bool((lowest[stage.strata] == stage.unsampled).all() and not (stage.sampled == 1).any())


def _of_units(
    stage: Stage, scores: Floats, codes: Codes, groups: int, factors: Floats, *, single_psu: str
) -> Floats:
    """Return the covariance of one stage from the totals of its units."""
    units, width = stage.strata.size, scores.shape[1]
    inside = codes >= 0
    place = (stage.clusters * groups + codes)[inside]
    totals = np.empty((units, groups, width))
    for k in range(width):
        own = scores[inside, k]
        totals[:, :, k] = group_sums(own, place, units * groups).reshape(units, groups)
    flat = totals.reshape(units, groups * width) / stage.units[:, None]
    strata = stage.sampled.size
    apart = np.empty_like(flat)
    for k in range(flat.shape[1]):
        mean = group_sums(flat[:, k] * stage.units, stage.strata, strata) / stage.sampled
        if single_psu == "adjust":
            mean[stage.lonely] = 0.0
        apart[:, k] = flat[:, k] - mean[stage.strata]
    if single_psu == "average" and stage.lonely.size:
        apart *= np.sqrt(np.repeat(_averaged(stage, codes, groups), width, axis=1))
    return _crossed(apart, factors * stage.units)


def _crossed(apart: Floats, factors: Floats) -> Floats:
    """Return ``Σ f d d'``, each sum rounded once."""
    width = apart.shape[1]
    made = np.zeros((width, width))
    for i in range(width):
        scaled = apart[:, i] * factors
        for j in range(i + 1):
            made[i, j] = made[j, i] = exact_sum(scaled * apart[:, j])
    return made


def _of_rows(stage: Stage, scores: Floats, codes: Codes, groups: int, factors: Floats) -> Floats:
    """Return the covariance of one stage whose units are rows, within and between cells.

    A cell is a stratum of a group. Deviations within cells concern one group only; those between cells are
    few.
    """
    strata, width = stage.sampled.size, scores.shape[1]
    rows = np.flatnonzero(codes >= 0)
    cell = stage.strata[rows] * groups + codes[rows]
    units = stage.units[rows]
    factor = np.zeros(strata)
    factor[stage.strata] = factors
    held: Floats = np.bincount(cell, weights=units, minlength=strata * groups).astype(np.float64)
    means = np.zeros((strata * groups, width))
    made = np.zeros((groups, width, groups, width))
    apart = []
    for k in range(width):
        np.divide(group_sums(scores[rows, k], cell, held.size), held, out=means[:, k], where=held > 0)
        apart.append(scores[rows, k] / units - means[cell, k])
    for k in range(width):
        scaled = apart[k] * factor[stage.strata[rows]] * units
        for other in range(k + 1):
            own = group_sums(scaled * apart[other], codes[rows], groups)
            for group in range(groups):
                made[group, k, group, other] = made[group, other, group, k] = own[group]
    between = _between(means, held, stage.sampled, factor, groups)
    return made.reshape(groups * width, groups * width) + between


def _between(means: Floats, held: Floats, sampled: Floats, factor: Floats, groups: int) -> Floats:
    """Return the covariance between cells; the rows of a stratum in no group are one more cell, of zeros."""
    strata, width = sampled.size, means.shape[1]
    inside = held.reshape(strata, groups)
    units = np.column_stack((inside, sampled - inside.sum(axis=1)))
    apart = np.zeros((strata, groups + 1, groups, width))
    for group in range(groups):
        apart[:, group, group] = means.reshape(strata, groups, width)[:, group]
    overall = np.einsum("sg,sgk->sgk", inside, means.reshape(strata, groups, width)) / sampled[:, None, None]
    apart -= overall[:, None]
    weights = (units * factor[:, None]).ravel()
    return _crossed(apart.reshape(strata * (groups + 1), groups * width), weights)
