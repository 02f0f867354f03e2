"""The reach of a survey: agents like its respondents, agents a step beyond them, and all others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from voxpop.engines.basis import MODELLED, NONE, PUBLISHED
from voxpop.engines.donors import Profile
from voxpop.engines.human_survey import OUTSIDE, UNKNOWN, Axis, HumanSurvey
from voxpop.vocabulary.fields import FIELDS

FEWEST, OWN = 20, 5
"""Least number of respondents at a level; on a scale 5, if there are 20 with those of both neighbours."""

EXPECTED, PART = 8, 8
"""A pair of levels is missing if at least 8 respondents would have both by the margins and an eighth do."""

_FARTHEST = 3
"""An ordered level may be extrapolated over a third of the levels that the survey covers."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether a survey reaches people with a profile.

    Attributes
    ----------
    kind : str
        ``published`` within the survey's reach, ``modelled`` a step beyond it, ``none`` farther away.
    beyond : str
        Fields in which the profile is beyond the reach, in words; empty within it.
    cut : tuple of (tuple of int, tuple of int)
        The axes and levels beyond the reach.
    """

    kind: str
    beyond: str = ""
    cut: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


class Reach:
    """The reach of the respondents who answered a question.

    Parameters
    ----------
    survey
        The survey.
    answered
        Whether each respondent answered.
    """

    def __init__(self, survey: HumanSurvey, answered: npt.NDArray[np.bool_]) -> None:
        self._axes = survey.axes
        self._places = [axis.places[answered] for axis in survey.axes]
        self._counts = [
            _counted(axis, np.bincount(places[places >= 0], minlength=len(axis.levels)))
            for axis, places in zip(survey.axes, self._places, strict=True)
        ]
        self._size = int(answered.sum())
        self._pair = lru_cache(maxsize=None)(self._is_hole)
        self.of = lru_cache(maxsize=65_536)(self._of)

    def _of(self, profile: Profile) -> Reached:
        beyond: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        covered: list[int] = []
        for at, place in enumerate(profile):
            if place == UNKNOWN:
                continue
            if place != OUTSIDE and self._counts[at][place] >= FEWEST:
                covered.append(at)
                continue
            beyond.append(((at,), (place,)))
            if not self._is_near(at, place):
                return Reached(NONE, self._named(beyond), tuple(beyond))
        for number, one in enumerate(covered):
            for other in covered[number + 1 :]:
                if self._pair(one, profile[one], other, profile[other]):
                    beyond.append(((one, other), (profile[one], profile[other])))
        if len(beyond) > 1 and not _is_one_field(beyond):
            return Reached(NONE, self._named(beyond), tuple(beyond))
        return Reached(MODELLED, self._named(beyond), tuple(beyond)) if beyond else Reached(PUBLISHED)

    def _is_near(self, at: int, place: int) -> bool:
        """Return whether a level without respondents may be answered from others."""
        axis, counts = self._axes[at], self._counts[at]
        covered = np.flatnonzero(counts >= FEWEST)
        if axis.field == "country" or covered.size < 2:
            return False
        if not axis.ordered:
            return True
        return place != OUTSIDE and int(np.abs(covered - place).min()) <= max(1, covered.size // _FARTHEST)

    def _is_hole(self, one: int, here: int, other: int, there: int) -> bool:
        first, second = self._axes[one], self._axes[other]
        a = _member(first, self._places[one], here)
        b = _member(second, self._places[other], there)
        known = (self._places[one] >= 0) & (self._places[other] >= 0)
        expected = float((a & known).sum()) * float((b & known).sum()) / max(1, int(known.sum()))
        return expected >= EXPECTED and int((a & b).sum()) * PART <= expected

    def _named(self, beyond: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> str:
        told = []
        for axes, _ in beyond:
            labels = [FIELDS[self._axes[at].field].label.lower() for at in axes]
            told.append(" and ".join(labels) + (" together" if len(labels) > 1 else ""))
        return ", ".join(dict.fromkeys(told))


def _is_one_field(beyond: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> bool:
    """Return whether all holes share a field, so that one missing cohort explains them."""
    return bool(set.intersection(*(set(axes) for axes, _ in beyond)))


def _counted(axis: Axis, counts: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the respondents at each level: with its neighbours on a scale, or of its parent."""
    if axis.ordered:
        return np.where(counts >= OWN, np.convolve(counts, [1, 1, 1], "same"), counts)
    if not axis.parents:
        return counts
    sums = np.bincount(axis.parents, weights=counts).astype(np.intp)
    return sums[list(axis.parents)]


def _member(axis: Axis, places: npt.NDArray[np.int16], place: int) -> npt.NDArray[np.bool_]:
    """Return whether respondents are at a level, or at one of the same parent."""
    parents = np.array([*(axis.parents or range(len(axis.levels))), -1])
    inside: npt.NDArray[np.bool_] = np.equal(parents[places], parents[place])
    return inside
