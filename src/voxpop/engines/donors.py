"""Donors: respondents weighted by their nearness to an agent's profile, and the draw of one of them.

The weight of a respondent is the survey weight times, for each field, the nearness of that field to the power
of the levels between agent and respondent: the kernels of Q. Li and J. Racine, *Journal of Multivariate
Analysis* 86, 2003. An agent draws whole respondents, so answers to several questions go together as in the
survey.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from voxpop.engines.agents import Agent
from voxpop.engines.draws import draws
from voxpop.engines.human_survey import OUTSIDE, UNKNOWN, Axis, Floats, HumanSurvey, effective
from voxpop.vocabulary.fields import FIELDS

FEWEST_DONORS = 10
"""Least effective number of donors of an agent; with fewer, more distant respondents count more."""

_TRIES = 10
_KEPT = 4_000_000
_WIDENINGS = 8

Profile = tuple[int, ...]
"""The level of an agent on each axis of a survey."""


class Donors:
    """The respondents of a survey as donors of answers.

    Parameters
    ----------
    survey
        The survey.

    Attributes
    ----------
    weights : callable
        Returns the weight of each respondent as a donor for agents with a profile; they sum to 1.
    """

    def __init__(self, survey: HumanSurvey) -> None:
        self.survey = survey
        self._tables = [_table(axis) for axis in survey.axes]
        self._columns = [axis.places.astype(np.intp) for axis in survey.axes]
        most = max(16, _KEPT // survey.people)
        self.weights = lru_cache(maxsize=most)(self._weights)
        self._cumulated = lru_cache(maxsize=most)(self._sums)
        self._salt = survey.digest.encode()
        rows = [(FIELDS[axis.field], axis.place) for axis in survey.axes]
        self._read = [(row.in_health_profile, row.record_key, place) for row, place in rows]

    def profile(self, agent: Agent) -> Profile:
        """Return the level of an agent on each axis."""
        health = agent.health_profile
        return tuple(
            place(getattr(health if of_health else agent, key, None)) for of_health, key, place in self._read
        )

    def _weights(self, profile: Profile) -> Floats:
        near = np.ones(self.survey.people)
        for place, table, column in zip(profile, self._tables, self._columns, strict=True):
            near *= table[place][column]
        made = near * self.survey.weights
        for _ in range(_WIDENINGS):
            if effective(made) >= min(FEWEST_DONORS, self.survey.people / 2):
                break
            near = np.sqrt(near)
            made = near * self.survey.weights
        return np.asarray(made / made.sum())

    def _sums(self, profile: Profile) -> Floats:
        return np.cumsum(self.weights(profile))

    def draw(self, agent: Agent, answered: Sequence[bool] | Any) -> int:
        """Return the first respondent in the agent's own sequence of donors who answered a question.

        The sequence depends on nothing but the agent's UUID and the survey: an agent answers all questions as
        the same respondent, except those that the respondent did not answer. The chance of each respondent is
        proportional to the weight among those who answered.
        """
        profile = self.profile(agent)
        sums = self._cumulated(profile)
        for share in _shares(agent.uuid.encode(), self._salt):
            found = min(int(sums.searchsorted(share * sums[-1], "right")), sums.size - 1)
            if answered[found]:
                return found
        among = np.cumsum(np.where(answered, self.weights(profile), 0.0))
        share = _shares(agent.uuid.encode(), self._salt, b"rest")[0]
        return min(int(np.searchsorted(among, share * among[-1], side="right")), sums.size - 1)


def _shares(*parts: bytes) -> list[float]:
    """Return independent numbers from 0 up to 1."""
    block = draws(*parts)
    return [
        (block[at] << 32 | block[at + 1] << 16 | block[at + 2]) / (1 << 48) for at in range(0, 3 * _TRIES, 3)
    ]


def _table(axis: Axis) -> Floats:
    """Return the nearness of each level to each other one; the last column is that of unknown levels.

    Rows -1 and -2 are those of agents whose level is unknown or outside.
    """
    size = len(axis.levels)
    made = np.ones((size + 2, size + 1))
    for one in range(size):
        for other in range(size):
            made[one, other] = _power(axis.nearness, axis.steps(one, other))
        made[one, size] = axis.nearness
    assert (UNKNOWN, OUTSIDE) == (-1, -2)
    return made


def _power(base: float, times: int) -> float:
    """Return a power by multiplication, which is the same on every machine."""
    made = 1.0
    for _ in range(times):
        made *= base
    return made
