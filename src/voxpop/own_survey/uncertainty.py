"""What a survey says about a group of agents, and how sure that is.

The estimate is the mean over agents of the weighted answers of their donors. Its error has three parts:

- the sampling of respondents: Taylor linearization of the weighted ratio of each profile;
- the smoothing over profiles: how far donors' own answers are from what people near them say;
- the extrapolation beyond the survey's reach: how far off it would have been for cohorts that it does reach,
  had they been left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from voxpop.engines.basis import MODELLED, NONE
from voxpop.engines.donors import Donors, Profile
from voxpop.engines.human_survey import Floats, HumanSurvey, effective
from voxpop.engines.reach import Reach
from voxpop.own_survey.left_out import Cut, errors_of
from voxpop.stats import wilson

Counts = Mapping[Profile | None, int]
"""Profiles of the agents of a group, None for agents of another country, with the number of agents."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a survey says about one answer in a group of agents.

    Attributes
    ----------
    value, low, high : float
        Share or mean, with its interval; NaN if the survey reaches nobody of the group.
    donors : float
        Effective number of respondents behind it.
    agents, reached, beyond : int
        Agents of the group, those that the survey says something about, and those of them a step beyond it.
    """

    value: float
    low: float
    high: float
    donors: float
    agents: int
    reached: int
    beyond: int


class Estimator:
    """Estimates of the answers to one question.

    Parameters
    ----------
    survey, donors
        The survey, and its respondents as donors.
    values : array of float
        One column of answers: 1 and 0 for a share, or numbers for a mean; NaN without an answer.
    is_share : bool
        Whether the values are 1 and 0.
    """

    def __init__(self, survey: HumanSurvey, donors: Donors, values: Floats, *, is_share: bool) -> None:
        self._survey, self._donors, self._is_share = survey, donors, is_share
        self._there = ~np.isnan(values)
        self._values = np.where(self._there, values, 0.0)
        self._reach = Reach(survey, self._there)
        self._variances: dict[Cut, tuple[float, float]] = {}

    def of(self, counts: Counts, level: float) -> Estimate:
        """Return the estimate for a group of agents."""
        agents = sum(counts.values())
        told = {profile: self._reach.of(profile) for profile in counts if profile is not None}
        kept = {profile: counts[profile] for profile in told if told[profile].kind != NONE}
        reached = sum(kept.values())
        beyond: dict[Cut, int] = {}
        for profile, number in kept.items():
            if told[profile].kind == MODELLED:
                for cut in told[profile].cut[:1]:
                    beyond[cut] = beyond.get(cut, 0) + number
        outside = sum(beyond.values())
        if not reached:
            return Estimate(np.nan, np.nan, np.nan, 0.0, agents, 0, 0)
        donated, spread, value = np.zeros(self._survey.people), np.zeros(self._survey.people), 0.0
        for profile, number in kept.items():
            own = self._given(profile)
            mean = float(own @ self._values)
            part = number / reached
            donated += part * own
            spread += part * own * (self._values - mean)
            value += part * mean
        sampled = float((spread**2).sum()) * self._survey.people / max(1, self._survey.people - 1)
        size = effective(donated)
        parts = [(sampled, max(1.0, size - 1.0)), (self._smoothing(donated), np.inf)]
        parts.append(self._extrapolation({cut: number / reached for cut, number in beyond.items()}))
        low, high = self._interval(value, size, parts, level)
        return Estimate(value, low, high, size, agents, reached, outside)

    def direct(self, inside: npt.NDArray[np.bool_], level: float) -> Estimate:
        """Return the weighted answers of a group of respondents."""
        own = np.where(inside & self._there, self._survey.weights, 0.0)
        people = int((own > 0).sum())
        if not people:
            return Estimate(np.nan, np.nan, np.nan, 0.0, 0, 0, 0)
        own = own / own.sum()
        value = float(own @ self._values)
        spread = own * (self._values - value)
        size = effective(own)
        sampled = float((spread**2).sum()) * people / max(1, people - 1)
        low, high = self._interval(value, size, [(sampled, max(1.0, size - 1.0))], level)
        return Estimate(value, low, high, size, people, people, 0)

    def _given(self, profile: Profile) -> Floats:
        own = np.where(self._there, self._donors.weights(profile), 0.0)
        return np.asarray(own / own.sum())

    @cached_property
    def _residuals(self) -> Floats:
        """Answers of respondents minus the answers of people near them, 0 without an answer."""
        made = np.zeros(self._survey.people)
        for profile, rows in self._by_profile.items():
            own = np.where(self._there, self._donors.weights(profile), 0.0)
            total, sums = own.sum(), own @ self._values
            rest = total - own[rows]
            mean = np.where(
                rest > 1e-12, (sums - own[rows] * self._values[rows]) / np.maximum(rest, 1e-12), 0.0
            )
            made[rows] = np.where(self._there[rows] & (rest > 1e-12), self._values[rows] - mean, 0.0)
        return made

    @cached_property
    def _by_profile(self) -> dict[Profile, npt.NDArray[np.intp]]:
        found: dict[Profile, list[int]] = {}
        for row, profile in enumerate(
            zip(*(axis.places.tolist() for axis in self._survey.axes), strict=True)
        ):
            found.setdefault(profile, []).append(row)
        return {profile: np.array(rows) for profile, rows in found.items()}

    def _smoothing(self, donated: Floats) -> float:
        """Return the squared error of smoothing, by what the donors' own answers differ from it."""
        return float(donated @ self._residuals) ** 2

    def _extrapolation(self, parts: Mapping[Cut, float]) -> tuple[float, float]:
        """Return the variance of the answers of agents beyond the reach, and its degrees of freedom."""
        error, least = 0.0, np.inf
        for cut, part in parts.items():
            if cut not in self._variances:
                self._variances[cut] = errors_of(self._survey, self._donors, self._there, self._values, cut)
            variance, freedom = self._variances[cut]
            error += part * float(np.sqrt(variance))
            least = min(least, freedom)
        return error * error, least

    def _interval(
        self, value: float, size: float, parts: list[tuple[float, float]], level: float
    ) -> tuple[float, float]:
        """Return a Wilson interval for a share, with the base that has this variance; else mean ± error."""
        from scipy.stats import norm, t

        variance = sum(own for own, _ in parts)
        freedom = variance**2 / sum(own**2 / free for own, free in parts) if variance > 0 else size - 1
        usual = float(norm.ppf(0.5 + level / 2))
        factor = float(t.ppf(0.5 + level / 2, max(1.0, freedom))) / usual
        if not self._is_share:
            half = usual * factor * float(np.sqrt(variance))
            return value - half, value + half
        share = min(1.0, max(0.0, value))
        room = share * (1 - share)
        base = min(size, room / variance) if variance > 0 and room > 0 else size
        low, high = wilson(share, base / factor**2, level)
        return float(low), float(high)
