"""Errors of a survey for cohorts left out of it: how far answers from the others are off."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.engines.donors import Donors
from voxpop.engines.human_survey import Axis, Floats, HumanSurvey, effective
from voxpop.engines.reach import FEWEST

Cut = tuple[tuple[int, ...], tuple[int, ...]]
"""Axes and their levels beyond the reach of a survey."""

Mask = npt.NDArray[np.bool_]


def errors_of(
    survey: HumanSurvey, donors: Donors, there: Mask, values: Floats, cut: Cut
) -> tuple[float, float]:
    """Return the variance of the error of extrapolating to a cohort, and its degrees of freedom.

    Each cohort that the survey reaches is left out in turn, in the way in which the cohort in question is
    missing: one level of a field without order; on a scale, all levels as far beyond the rest or farther; a
    pair of levels. From the squared errors the sampling of the cohort itself is taken off. On a scale their
    mean counts; otherwise the largest, because the cohorts that surveys miss are seldom the usual ones.

    Parameters
    ----------
    survey, donors
        The survey, and its respondents as donors.
    there, values
        Whether each respondent answered, and the answers.
    cut
        What is beyond the reach.
    """
    found = []
    for cohort, left in _trials(survey, there, cut):
        rest = there & ~left
        if int((cohort & there).sum()) < FEWEST or int(rest.sum()) < FEWEST:
            continue
        own = np.where(cohort & there, survey.weights, 0.0)
        own /= own.sum()
        direct = float(own @ values)
        noise = float(((own * (values - direct)) ** 2).sum())
        predicted = _predicted(survey, donors, np.flatnonzero(cohort & there), rest, values)
        found.append((predicted - direct) ** 2 - noise)
    if not found:
        return float(np.var(values[there])) if there.any() else 0.0, 1
    on_scale = len(cut[0]) == 1 and survey.axes[cut[0][0]].ordered
    return max(0.0, float(np.mean(found) if on_scale else np.max(found))), len(found) if on_scale else np.inf


def _trials(survey: HumanSurvey, there: Mask, cut: Cut) -> list[tuple[Mask, Mask]]:
    """Return cohorts, with the respondents to leave out for each."""
    axes = [survey.axes[at] for at in cut[0]]
    if len(axes) == 2:
        first, second = (_groups(axis) for axis in axes)
        cells = [first == a for a in np.unique(first[first >= 0])]
        others = [second == b for b in np.unique(second[second >= 0])]
        return [(a & b, a & b) for a in cells for b in others]
    axis, place = axes[0], cut[1][0]
    places = _groups(axis)
    levels = np.unique(places[there & (places >= 0)])
    if not axis.ordered or place < 0:
        return [(places == level, places == level) for level in levels]
    covered = [level for level in levels if int((places[there] == level).sum()) >= FEWEST]
    if covered and place > max(covered):
        gap = place - max(covered)
        return [(places == level, places > level - gap) for level in levels if (places <= level - gap).any()]
    if covered and place < min(covered):
        gap = min(covered) - place
        return [
            (places == level, (places >= 0) & (places < level + gap))
            for level in levels
            if (places >= level + gap).any()
        ]
    return [(places == level, places == level) for level in levels]


def _groups(axis: Axis) -> npt.NDArray[np.intp]:
    places = axis.places.astype(np.intp)
    if not axis.parents:
        return places
    return np.array([*axis.parents, -1])[places]


def _predicted(
    survey: HumanSurvey, donors: Donors, rows: npt.NDArray[np.intp], rest: Mask, values: Floats
) -> float:
    """Return the mean over people of the weighted answers of the respondents left in who are near them."""
    total = 0.0
    profiles = list(zip(*(axis.places[rows].tolist() for axis in survey.axes), strict=True))
    for profile, weight in zip(profiles, survey.weights[rows].tolist(), strict=True):
        own = np.where(rest, donors.weights(profile), 0.0)
        if effective(own) > 0:
            total += weight * float(own @ values) / float(own.sum())
        else:
            total += weight * float(survey.weights[rest] @ values[rest]) / float(survey.weights[rest].sum())
    return total / float(survey.weights[rows].sum())
