"""Fits of a regression: for respondents drawn independently, or for a sampling design."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import Bools, WeightName
from voxpop.analysis.frames import Frame
from voxpop.analysis.model_terms import Terms, separated
from voxpop.analysis.outcomes import Outcome
from voxpop.errors import UsageError
from voxpop.stats.estimates import AnySample
from voxpop.stats.ordinal_regression import ordinal_regression
from voxpop.stats.regression import Covariance, Family, Fitted, Separated, collinear, independent, regression
from voxpop.survey.design import Design
from voxpop.survey.survey import Survey

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class ModelFit:
    """A fitted model with the degrees of freedom of its tests."""

    found: Fitted
    df: float


def model_design(data: Any, weight: WeightName, design: Design | None) -> Design | None:
    """Return the sampling design of a model: the one given, or that of a survey; None for weights alone.

    Raises
    ------
    UsageError
        A weight is given beside a design, or the design is none.
    """
    if design is not None:
        if not isinstance(design, Design):
            raise UsageError(f'design must be vp.Design("weight", strata=..., clusters=...), not {design!r}.')
        if weight is not None:
            raise UsageError("The weight belongs to the design; name it in vp.Design(weight, ...).")
        return design
    if weight is not None or not isinstance(data, Survey):
        return None
    return None if data.design == Design(data.design.weight) else data.design


def fit_plain(outcome: Outcome, model: Terms, frame: Frame, drawn: float) -> ModelFit:
    """Fit a model of respondents drawn independently; ``drawn`` is their number, those left out included."""
    sums, squares = frame.sums[model.rows], frame.squares[model.rows]
    found = _fit(outcome, model, outcome.values, sums, independent(sums, squares, drawn))
    count = int(frame.positive[model.rows].sum())
    return ModelFit(found, count - model.matrix.shape[1] - 1)


def fit_sample(outcome: Outcome, model: Terms, sample: AnySample, inside: Bools) -> ModelFit:
    """Fit a model of a sampling design; rows that are not in the model still belong to the sample."""
    rows, size = model.rows, sample.weights.size
    held = np.zeros(size, dtype=np.bool_)
    held[rows] = True

    def linearised(scores: Floats) -> Floats:
        every = np.zeros((size, scores.shape[1]))
        every[rows] = scores
        return sample.covariance(lambda: every, _never, np.zeros(scores.shape[1]))

    if sample.is_replicated:
        found = _fit(outcome, model, outcome.values, sample.weights[rows], _nothing)
        again = _again(outcome, model, found.values.size)
        found = replace(found, covariance=sample.covariance(_no_scores, again, found.values))
        degrees = sample.degrees(inside)
    else:
        found = _fit(outcome, model, outcome.values, sample.weights[rows], linearised)
        degrees = sample.degrees(None if held.all() else held)
    return ModelFit(found, degrees - model.matrix.shape[1])


def _again(outcome: Outcome, model: Terms, size: int) -> Callable[[Floats], Floats]:
    """Return a function that fits the model with the weights of a replicate."""

    def again(replicate: Floats) -> Floats:
        own = replicate[model.rows]
        used = own > 0
        part = replace(model, matrix=model.matrix[used], rows=model.rows[used])
        values = outcome.values[used]
        lacking = outcome.kind == "ordinal" and np.unique(values).size < len(outcome.levels)
        if lacking or not used.any() or collinear(part.matrix, own[used]) is not None:
            return np.full(size, np.nan)
        try:
            return _values(outcome, part.matrix, values, own[used], _nothing).values
        except Separated:
            return np.full(size, np.nan)

    return again


def _fit(outcome: Outcome, model: Terms, values: Floats, weights: Floats, covariance: Covariance) -> Fitted:
    """Fit the model; name the variables that predict answers with certainty."""
    try:
        return _values(outcome, model.matrix, values, weights, covariance)
    except Separated as problem:
        if outcome.kind == "ordinal":
            values = (values >= np.median(values)).astype(np.float64)
        raise UsageError(separated(model, values, weights, problem.slopes)) from None


def _values(
    outcome: Outcome, matrix: Floats, values: Floats, weights: Floats, covariance: Covariance
) -> Fitted:
    if outcome.kind == "ordinal":
        return ordinal_regression(matrix, values.astype(np.intp), weights, covariance)
    family: Family = "gaussian" if outcome.kind == "linear" else "binomial"
    return regression(matrix, values, weights, family, covariance)


def _nothing(scores: Floats) -> Floats:
    return np.zeros((scores.shape[1], scores.shape[1]))


def _no_scores() -> Floats:
    raise AssertionError("replicates take no scores")


def _never(replicate: Floats) -> Floats:
    raise AssertionError("a linearised variance takes no replicates")
