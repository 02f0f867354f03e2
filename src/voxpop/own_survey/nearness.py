"""How near respondents must be to an agent: one weight per field, fitted to the survey's own answers.

Each field's weight is the one with which respondents best predict the answers of a respondent left out, over
all questions (leave-one-out cross-validation; P. Hall, J. Racine and Q. Li, *JASA* 99, 2004, show that fields
without a bearing on the answers get the weight 1). The result is squared, because with the least squared
error the differences between groups are still too flat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from voxpop.engines.human_survey import CATEGORY, NUMBER, Axis, Floats, HumanSurvey

_GRID = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
_START = 0.65
_SWEEPS = 2
_MOST_PEOPLE, _MOST_COLUMNS = 600, 120


def fitted(survey: HumanSurvey) -> HumanSurvey:
    """Return the survey with the fitted nearness of each field."""
    if not survey.axes or not survey.asked:
        return survey
    rows = _spread(survey.people, _MOST_PEOPLE)
    answers = _answers(survey, rows)
    weights = survey.weights[rows]
    steps = [_steps(axis, rows) for axis in survey.axes]
    chosen = [_START] * len(steps)
    kernels = [_kernel(_START, own) for own in steps]
    for _ in range(_SWEEPS):
        for at, own in enumerate(steps):
            others = np.ones((rows.size, rows.size))
            for number, other in enumerate(kernels):
                if number != at:
                    others *= other
            np.fill_diagonal(others, 0.0)
            errors = [
                (round(_error(others * _kernel(nearness, own), weights, answers), 7), -nearness)
                for nearness in _GRID
            ]
            chosen[at] = -min(errors)[1]
            kernels[at] = _kernel(chosen[at], own)
    axes = [
        replace(axis, nearness=round(nearness * nearness, 4))
        for axis, nearness in zip(survey.axes, chosen, strict=True)
    ]
    return replace(survey, axes=tuple(axes))


def columns_of(survey: HumanSurvey, name: str) -> Mapping[str, Floats]:
    """Return the answers to a question as columns: 1 and 0 per option, or the number as ``mean``."""
    one = next(one for one in survey.asked if one.name == name)
    if one.kind == NUMBER:
        return {"mean": one.values}
    if one.kind == CATEGORY:
        missing = np.isnan(one.values)
        return {
            option: np.where(missing, np.nan, one.values == place) for place, option in enumerate(one.options)
        }
    return dict(zip(one.options, one.values.T, strict=True))


def _spread(size: int, most: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return at most so many places, evenly spread."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).round().astype(np.intp))


def _answers(survey: HumanSurvey, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    """Return columns of answers, numbers standardized."""
    found: list[Floats] = []
    for one in survey.asked:
        for column in columns_of(survey, one.name).values():
            held = column[rows]
            spread = float(np.nanstd(held)) if one.kind == NUMBER and (~np.isnan(held)).any() else 0.5
            found.append((held - np.nanmean(held)) / (2 * spread) if one.kind == NUMBER and spread else held)
    table = np.column_stack(found)
    return np.asarray(table[:, _spread(table.shape[1], _MOST_COLUMNS)])


def _steps(
    axis: Axis, rows: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    size = len(axis.levels)
    table = np.zeros((size + 1, size + 1), dtype=np.intp)
    for one in range(size):
        for other in range(size):
            table[one, other] = axis.steps(one, other)
    table[:size, size] = 1  # a respondent without a level is one level from everybody
    places = axis.places[rows]
    return np.asarray(table[places][:, places])


def _kernel(nearness: float, steps: np.ndarray[tuple[int, int], np.dtype[np.intp]]) -> Floats:
    return np.asarray(np.cumprod([1.0, *[nearness] * int(steps.max(initial=0))])[steps])


def _error(kernel: Floats, weights: Floats, answers: Floats) -> float:
    """Return the mean squared error with which others predict the answers of each respondent."""
    there = ~np.isnan(answers)
    given = np.where(there, answers, 0.0)
    near = kernel * weights
    sums = near @ there.astype(np.float64)
    whole = (weights @ given) / np.maximum(weights @ there, 1e-12)
    predicted = np.where(sums > 1e-12, (near @ given) / np.maximum(sums, 1e-12), whole)
    counted = np.where(there, weights[:, None], 0.0)
    return float((counted * (given - predicted) ** 2).sum() / counted.sum())
