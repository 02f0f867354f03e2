"""Rows of a survey with its sampling design: weights, strata, clusters and replicates as arrays.

Rows with equal values are grouped in DuckDB where the design allows it: within clusters sums of weights are
all that the variance needs, and without clusters rows of equal weight and answers are equal units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cohort import Chooser, Mask, check_values, chosen, columns_of, names_of
from voxpop.analysis.columns import Bools, align, take_columns
from voxpop.analysis.design_checks import (
    check_fractions,
    check_lonely,
    check_probabilities,
    check_replicates,
    named_stages,
)
from voxpop.analysis.frames import Frame, Key
from voxpop.analysis.levels import Codes
from voxpop.analysis.weight_calibration import calibrate
from voxpop.errors import UsageError
from voxpop.stats.estimates import AnySample
from voxpop.stats.replication import ReplicateSample, scales_of
from voxpop.stats.resampling import replicated
from voxpop.stats.sampling import Sample, sample_of
from voxpop.survey.design import Design

Floats = npt.NDArray[np.float64]

_FEW_WEIGHTS = 1_000
"""Without clusters, rows are grouped only if they have fewer distinct weights."""


@dataclass(frozen=True, slots=True)
class DesignRows:
    """Rows with their sample.

    Attributes
    ----------
    frame : Frame
        The columns, row by row or grouped.
    sample : Sample or ReplicateSample
        Weights and design of the rows.
    inside : array of bool
        The rows chosen by a filter; the others still belong to the sample.
    design : Design
        The design.
    """

    frame: Frame
    sample: AnySample
    inside: Bools
    design: Design


def open_design(
    data: Any,
    keys: Sequence[Key],
    where: Chooser | Mask | None,
    design: Design,
    measured: str | Sequence[str] | None = None,
    *,
    moments: bool = False,
) -> DesignRows:
    """Read the columns of a question and of a design.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table, DuckDB relation or Survey
        One row per respondent.
    keys : sequence of str or Bands
        The columns besides those of the design.
    where : Chooser, mask or None
        The subpopulation.
    design : Design
        The design.
    measured : str or sequence of str, optional
        Keys that may have very many values.
    moments : bool, default False
        Whether sums and sums of squares of ``measured`` are all that is needed of it.

    Raises
    ------
    UsageError
        If a column of the design is absent, has missing values, or contradicts another one.
    """
    replicates = _replicate_columns(data, design)
    every = [*keys, *columns_of(where), *_design_keys(design), *replicates]
    mask = None if isinstance(where, Chooser) else where
    rowwise = mask is not None or design.replicates is not None or bool(design.calibration)
    if not (rowwise or design.clusters or design.weight is None):
        rowwise = _has_many(data, design.weight)
        every = [*every, design.weight]
    sums = moments and bool(design.clusters) and not design.probabilities
    frame = Frame(data, every, design.weight, None, measured, rowwise=rowwise, moments=sums)
    check_values(frame, where)
    inside = chosen(frame, where) if mask is None else align(mask, data, frame.rows)
    return DesignRows(frame, _sample(frame, design, replicates), inside, design)


def _replicate_columns(data: Any, design: Design) -> tuple[str, ...]:
    if design.replicates is None or not design.replicates.columns:
        return ()
    if design.weight is None:
        raise UsageError("Replicate weights need the weight of the full sample; name it with weight=.")
    return design.replicates.of([str(name) for name in names_of(data)])


def _design_keys(design: Design) -> list[str]:
    held = [*design.probabilities, *design.strata, *design.clusters, *design.fpc]
    return [*held, *(name for step in design.calibration for name in step.columns)]


def _has_many(data: Any, weight: str) -> bool:
    """Return whether a column has many distinct weights."""
    held = take_columns(data, [weight])
    found = held.rows.aggregate(f"approx_count_distinct({held.sql[weight]})").fetchall()
    return int(found[0][0]) > _FEW_WEIGHTS


def _sample(frame: Frame, design: Design, replicates: Sequence[str]) -> AnySample:
    """Return the sample of the rows."""
    if replicates:
        sample: AnySample = _with_replicates(frame, design, replicates)
    else:
        plain = _drawn(frame, design)
        made = design.replicates
        if made is None:
            check_lonely(frame, design, plain)
            sample = plain
        else:
            sample = replicated(
                plain, made.kind, rho=made.rho, times=made.times, seed=made.seed, mse=made.mse
            )
    for step in design.calibration:
        sample = calibrate(frame, sample, step)
    return sample


def _drawn(frame: Frame, design: Design) -> Sample:
    strata, clusters = ([_codes(frame, name) for name in names] for names in (design.strata, design.clusters))
    fpc = [frame.numbers(name) for name in design.fpc]
    check_fractions(frame, design, fpc)
    weights = frame.sums
    if design.weight is None:
        weights = frame.counts * _inverse(frame, design, strata, clusters, fpc)
    with named_stages(frame, design):
        return sample_of(
            weights,
            strata,
            clusters,
            fpc=fpc,
            counts=frame.counts,
            weighted=frame.positive,
            nest=design.nest,
            single_psu=design.single_psu,
        )


def _inverse(
    frame: Frame, design: Design, strata: Sequence[Codes], clusters: Sequence[Codes], fpc: Sequence[Floats]
) -> Floats:
    """Return the weight of a respondent: one over the probability, or over the fractions drawn."""
    made = np.ones(frame.rows)
    for name in design.probabilities:
        numbers = frame.numbers(name)
        check_probabilities(name, numbers)
        made = made / numbers
    if not design.probabilities and fpc:
        with named_stages(frame, design):
            plain = sample_of(
                made,
                strata,
                clusters,
                fpc=fpc,
                counts=frame.counts,
                nest=design.nest,
            )
        for stage in plain.stages[: len(fpc)]:
            made = made / (1 - stage.unsampled)[stage.clusters]
    return made


def _codes(frame: Frame, name: str) -> Codes:
    """Return the place of each row's value in the sorted values of a column of the design."""
    codes, missing = frame.places(name)
    if missing:
        raise UsageError(
            f"{missing:,} rows have no {name!r}, which the design names; exclude them from the data, or give "
            "them a value."
        )
    return codes


def _with_replicates(frame: Frame, design: Design, columns: Sequence[str]) -> ReplicateSample:
    told = design.replicates
    assert told is not None
    held = np.column_stack([frame.numbers(name) for name in columns])
    check_replicates(columns, held, frame.sums, combined=told.combined)
    weights = held if told.combined else held * frame.sums[:, None]
    scale, rscales = scales_of(told.kind, len(columns), rho=told.rho, scale=told.scale, rscales=told.rscales)
    return ReplicateSample(frame.sums, frame.positive, weights, scale, rscales, told.mse)
