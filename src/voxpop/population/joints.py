"""The joint report of a population: shares in groups and ratios between groups, against the joint tables.

The surveys behind the joint tables have other levels than the margins of a population: NHANES 2017-2018, for
example, counts treated cases only of many conditions. Two rules keep levels out of the comparison:

- A share is compared with the published share moved in log odds, by one constant for all groups of a
  grouping (of a stratum, if it has strata), so that the groups together have the level of the population.
- A ratio between two groups is compared by its logarithm: 1 means that the population keeps the published
  ratio, 0 that its groups do not differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtr

from voxpop.population.joint_counts import Achieved, count, empty_fields, missing_fields
from voxpop.population.joint_figures import HELD_OUT, SUPERSEDED, USED, Figure, figures
from voxpop.population.queries import Population
from voxpop.population.reference import Floats

SECTIONS = (USED, HELD_OUT, SUPERSEDED)

LARGEST_MEAN_ERROR = 0.02
"""Target for the mean error of two-way shares, 2 percentage points."""

REAL_RATIO = 1.5
"""Smallest published ratio of two groups that counts."""

DRAWN_RATIO = 1.1
"""Smallest published ratio to all groups that is drawn; few states and occupations differ by half."""

KEPT = (0.6, 1.4)
"""Target for the part of a published log ratio that a population keeps."""

SMALLEST_PART = 0.9
"""Target for the part of the ratios within :data:`KEPT`."""

FEW_AGENTS = 100
"""Groups with fewer agents are left out."""

FEW_CASES = 25
"""A ratio is left out if fewer agents than this are expected to have the outcome in one of its groups."""

RELIABLE = 1.96
"""A reliable log ratio is at least this many standard errors from 0, so that it differs from 1 at 95 %."""

SHARP = 5.0
"""A sharp log ratio is at least this many standard errors from 0.

Its standard error is then a fifth of it at most, half of what :data:`KEPT` allows, so that a population with
the true ratio is within the target with a probability of 95 %; with a reliable one it is 57 % at worst.
"""

_LOWEST, _HIGHEST = -12.0, 12.0


@dataclass(frozen=True, slots=True)
class JointCell:
    """A published share and that of the agents.

    Attributes
    ----------
    table, outcome, level, group_by, group : str
        As in the figure.
    section : str
        As in the figure.
    published : float
        The published share.
    expected : float
        The published share at the level of the population.
    achieved : float
        The share of agents.
    base : float
        Agents in the group.
    noise : float
        Mean absolute error of a perfect population, from the sampling of the survey and of the agents;
        without a standard error of the survey, from that of the agents alone.
    stratum : str
        As in the figure.
    ways : int
        2 for an outcome in groups of one field, 3 or 4 in groups of more.
    """

    table: str
    outcome: str
    level: str
    group_by: str
    group: str
    section: str
    published: float
    expected: float
    achieved: float
    base: float
    noise: float
    stratum: str
    ways: int


@dataclass(frozen=True, slots=True)
class JointRatio:
    """A published ratio of the shares of two groups, and that of the agents.

    Ratios of two groups are at least 1.5; those of a group to all groups are at least 1.1, and those below
    1.5 have no part in the summary.

    Attributes
    ----------
    table, outcome, level, group_by : str
        As in the figures.
    first, second : str
        The group with the larger share, and the other one; "all" is all groups together.
    section : str
        As in the figures.
    real, simulated : float
        The ratios; the simulated one is 0 if no agent of the first group has the outcome, and infinite if
        none of the second has it.
    kept : float
        Log of the simulated ratio over the log of the real one.
    kept_odds : float
        The same for odds ratios, which do not depend on levels.
    reliable, sharp : bool
        Whether both groups have enough respondents, and the log ratio is :data:`RELIABLE` or :data:`SHARP`
        standard errors from 0; a ratio from a table without standard errors needs enough people only.
    attainable : float
        Probability that a population with the true ratio keeps 60 to 140 % of the published one, given the
        standard error of the published one; NaN without a standard error.
    ways : int
        As in the cells.
    """

    table: str
    outcome: str
    level: str
    group_by: str
    first: str
    second: str
    section: str
    real: float
    simulated: float
    kept: float
    kept_odds: float
    reliable: bool
    sharp: bool
    attainable: float
    ways: int


@dataclass(frozen=True, slots=True)
class JointLine:
    """Summary of the figures of one table and grouping.

    Attributes
    ----------
    table, group_by : str
        As in the figures; for a summary of a section the table is "all", and the grouping "two-way" or
        "three-way".
    section : str
        As in the figures.
    figures : int
        Number of shares compared.
    few : int
        Number of shares and ratios left out because too few agents are behind them.
    mean, largest : float
        Absolute errors of shares.
    noise : float
        Mean error of a perfect population.
    worst : str
        The share with the largest error.
    ratios, reliable, sharp : int
        Number of ratios compared, of reliable ones and of sharp ones.
    within, reliable_within, sharp_within, odds_within : float
        Part of the ratios, of the reliable ratios, of the sharp ratios and of the reliable odds ratios within
        60 to 140 % of the real log ratio; NaN without any.
    attainable : float
        Mean of ``attainable`` over the reliable ratios with a standard error; NaN without any.
    slope : float
        Slope of simulated on expected log odds over the groups of each outcome, weighted by agents: 1 if
        groups differ as published, 0 if they do not differ; NaN without differences. Shares of 0 and 1 are
        left out.
    """

    table: str
    group_by: str
    section: str
    figures: int
    few: int
    mean: float
    largest: float
    noise: float
    worst: str
    ratios: int
    within: float
    reliable: int
    reliable_within: float
    sharp: int
    sharp_within: float
    odds_within: float
    attainable: float
    slope: float


@dataclass(frozen=True, slots=True)
class Few:
    """A share or a ratio that is left out because too few agents are behind it."""

    table: str
    group_by: str
    section: str
    ways: int


@dataclass(frozen=True, slots=True)
class JointReport:
    """Everything that the joint report found.

    Attributes
    ----------
    cells, ratios : list
        Shares and ratios with enough agents.
    few : list
        Shares and ratios with too few agents.
    left_out : dict of str to int
        Missing fields -> number of figures that need them.
    """

    cells: list[JointCell]
    ratios: list[JointRatio]
    few: list[Few]
    left_out: dict[str, int]


def compare(population: Population) -> JointReport:
    """Compare a population with all joint tables."""
    empty = empty_fields(population)
    usable: list[Figure] = []
    left_out: dict[str, int] = {}
    for figure in figures():
        missing = missing_fields(figure, empty)
        if missing:
            name = ", ".join(missing)
            left_out[name] = left_out.get(name, 0) + 1
        else:
            usable.append(figure)
    return compared(count(population, usable), left_out)


def compared(counted: Iterable[Achieved], left_out: dict[str, int]) -> JointReport:
    """Compare counted figures."""
    report = JointReport([], [], [], left_out)
    together: dict[tuple[str, ...], list[Achieved]] = {}
    for one in counted:
        told = one.figure
        key = told.table, told.outcome, told.level, told.group_by, told.stratum
        together.setdefault(key, []).append(one)
    for group in together.values():
        expected = aligned([one.figure.share for one in group], group)
        for one, share in zip(group, expected.tolist(), strict=True):
            if one.base < FEW_AGENTS:
                _leave_out(report, one.figure)
            else:
                report.cells.append(_cell(one, share))
        report.ratios.extend(_ratios(report, group, expected))
    return report


def aligned(shares: Sequence[float], group: Sequence[Achieved]) -> Floats:
    """Return published shares moved in log odds to the level of the agents of all groups together.

    Parameters
    ----------
    shares : sequence of float
        Published shares, one per group.
    group : sequence of Achieved
        The agents of the groups.

    Returns
    -------
    array
        ``k·s / (1 - s + k·s)`` for each share s, with one k, so that the mean weighted by agents is the
        share of the agents of all groups.
    """
    base = np.array([one.base for one in group])
    cases = sum(one.cases for one in group)
    published = np.array(shares, dtype=np.float64)
    if not base.sum():
        return published
    target = cases / base.sum()

    def moved(step: float) -> Floats:
        odds = math.exp(step) * published
        return np.asarray(odds / (1 - published + odds))

    low, high = _LOWEST, _HIGHEST
    for _ in range(60):
        middle = (low + high) / 2
        if (moved(middle) * base).sum() / base.sum() < target:
            low = middle
        else:
            high = middle
    return moved((low + high) / 2)


def _cell(one: Achieved, expected: float) -> JointCell:
    told = one.figure
    return JointCell(
        told.table,
        told.outcome,
        told.level,
        told.group_by,
        told.group,
        told.section,
        told.share,
        expected,
        one.share,
        one.base,
        _noise(told.se, expected, one.base),
        told.stratum,
        ways(told),
    )


def ways(figure: Figure) -> int:
    """Return the number of fields of a figure: one for the outcome, and those of its groups."""
    return 1 + len(figure.factors)


def _noise(se: float, share: float, base: float) -> float:
    """Return the mean absolute error of a share from sampling; that of a normal error is √(2/π) of its se."""
    survey = 0.0 if math.isnan(se) else se
    return math.sqrt(2 / math.pi * (survey**2 + share * (1 - share) / base))


def _leave_out(report: JointReport, figure: Figure) -> None:
    report.few.append(Few(figure.table, figure.group_by, figure.section, ways(figure)))


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two groups of a ratio."""

    name: str
    published: float
    se: float
    sound: bool
    achieved: float
    enough: bool


def _ratios(report: JointReport, group: Sequence[Achieved], expected: Floats) -> Iterator[JointRatio]:
    sides = [
        _Side(
            one.figure.group,
            one.figure.share,
            one.figure.se,
            one.figure.sound,
            one.share,
            one.base >= FEW_AGENTS and one.base * share >= FEW_CASES,
        )
        for one, share in zip(group, expected.tolist(), strict=True)
    ]
    if group[0].figure.against_all:
        everybody = _everybody(group)
        pairs = [(side, everybody, one.figure) for side, one in zip(sides, group, strict=True)]
    else:
        pairs = [(a, b, group[0].figure) for a, b in combinations(sides, 2)]
    for one, other, figure in pairs:
        first, second = (one, other) if one.published >= other.published else (other, one)
        real = first.published / second.published if second.published else 0.0
        if not (counts(real) or (figure.against_all and real >= DRAWN_RATIO)):
            continue
        if first.enough and second.enough:
            yield ratio(figure, first, second)
        elif counts(real):
            _leave_out(report, figure)


def _everybody(group: Sequence[Achieved]) -> _Side:
    """Return all groups together, weighted by agents in both the published shares and the population."""
    base = sum(one.base for one in group)
    published = sum(one.base * one.figure.share for one in group) / base if base else 0.0
    cases = sum(one.cases for one in group)
    return _Side("all", published, 0.0, True, cases / base if base else math.nan, cases >= FEW_CASES)


def ratio(figure: Figure, first: _Side, second: _Side) -> JointRatio:
    """Compare the ratio of two groups."""
    real = math.log(first.published / second.published)
    error = _error_of_log_ratio(first, second)
    simulated = _log(first.achieved) - _log(second.achieved)
    real_odds = _logit(first.published) - _logit(second.published)
    simulated_odds = _logit(first.achieved) - _logit(second.achieved)
    sound = first.sound and second.sound
    distance = math.inf if math.isnan(error) or not error else real / error
    room = (KEPT[1] - KEPT[0]) / 2
    return JointRatio(
        figure.table,
        figure.outcome,
        figure.level,
        figure.group_by,
        first.name,
        second.name,
        figure.section,
        first.published / second.published,
        math.exp(simulated) if simulated < _HIGHEST else math.inf,
        simulated / real,
        simulated_odds / real_odds,
        sound and distance >= RELIABLE,
        sound and distance >= SHARP,
        float(2 * ndtr(room * real / error) - 1) if error else math.nan,
        ways(figure),
    )


def _error_of_log_ratio(first: _Side, second: _Side) -> float:
    """Return the standard error of a log ratio of independent shares, by the delta method."""
    return math.hypot(first.se / first.published, second.se / second.published)


def _log(share: float) -> float:
    return math.log(share) if share > 0 else -math.inf


def _logit(share: float) -> float:
    return math.inf if share >= 1 else _log(share) - math.log1p(-share)


def counts(real: float) -> bool:
    """Return whether a published ratio counts; 0.3 to 0.2 is 1.5 in spite of rounding.

    Examples
    --------
    >>> 0.3 / 0.2 >= 1.5, counts(0.3 / 0.2)
    (False, True)
    """
    return round(real, 9) >= REAL_RATIO


def is_kept(part: float) -> bool:
    """Return whether a part of a log ratio is within the target."""
    return KEPT[0] <= part <= KEPT[1]


def lines(report: JointReport) -> list[JointLine]:
    """Summarize a report: one line per table and grouping, and two of each section, with "all" as table."""
    cells: dict[_Key, list[JointCell]] = {}
    ratios: dict[_Key, list[JointRatio]] = {}
    few: dict[_Key, int] = {}
    for cell in report.cells:
        for key in _keys(cell):
            cells.setdefault(key, []).append(cell)
    for one in report.ratios:
        for key in _keys(one) if counts(one.real) else ():
            ratios.setdefault(key, []).append(one)
    for figure in report.few:
        for key in _keys(figure):
            few[key] = few.get(key, 0) + 1
    found = [_line(key, held, ratios.get(key, []), few.get(key, 0)) for key, held in cells.items()]
    return sorted(found, key=lambda line: (SECTIONS.index(line.section), line.table == "all"))


_Key = tuple[str, str, str]
"""Table, grouping and section."""


def _keys(one: JointCell | JointRatio | Few) -> tuple[_Key, _Key]:
    kind = "two-way" if one.ways == 2 else "three-way"
    return (one.table, one.group_by, one.section), ("all", kind, one.section)


def _line(key: _Key, cells: Sequence[JointCell], ratios: Sequence[JointRatio], few: int) -> JointLine:
    reliable = [one for one in ratios if one.reliable]
    sharp = [one for one in ratios if one.sharp]
    errors = [abs(one.achieved - one.expected) for one in cells]
    worst = cells[errors.index(max(errors))]
    return JointLine(
        *key,
        len(cells),
        few,
        _mean(errors),
        max(errors),
        _mean([one.noise for one in cells]),
        f"{worst.outcome}={worst.level}, {worst.group}: {worst.achieved:.4g} for {worst.expected:.4g}",
        len(ratios),
        _mean([is_kept(one.kept) for one in ratios]),
        len(reliable),
        _mean([is_kept(one.kept) for one in reliable]),
        len(sharp),
        _mean([is_kept(one.kept) for one in sharp]),
        _mean([is_kept(one.kept_odds) for one in reliable]),
        _mean([one.attainable for one in reliable if not math.isnan(one.attainable)]),
        _slope(cells),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _slope(cells: Sequence[JointCell]) -> float:
    """Return the common slope of simulated on expected log odds within outcomes and strata."""
    together: dict[tuple[str, str, str], list[JointCell]] = {}
    for one in cells:
        if 0 < one.expected < 1 and 0 < one.achieved < 1:
            together.setdefault((one.table + one.group_by, one.outcome + one.level, one.stratum), []).append(
                one
            )
    products = squares = 0.0
    for group in together.values():
        weight = np.array([one.base for one in group])
        expected = np.array([_logit(one.expected) for one in group])
        achieved = np.array([_logit(one.achieved) for one in group])
        expected -= np.average(expected, weights=weight)
        achieved -= np.average(achieved, weights=weight)
        products += float((weight * expected * achieved).sum())
        squares += float((weight * expected**2).sum())
    return products / squares if squares else math.nan


def as_record(found: JointLine | JointCell | JointRatio) -> dict[str, Any]:
    """Return a line, a share or a ratio as JSON values; what is not a finite number becomes null."""
    values = {name: getattr(found, name) for name in type(found).__slots__}
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
