"""Study planning: agents needed to detect a difference, and the cost of asking them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from voxpop.errors import UsageError
from voxpop.stats.power import (
    detectable_difference,
    detectable_share,
    n_for_means,
    n_for_shares,
    power_means,
    power_shares,
)


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """The result of :func:`power`: sample size, detectable difference and cost of a design.

    Attributes
    ----------
    n : int
        Number of agents per cohort.
    power : float
        Probability of detecting the planned difference.
    detectable : float
        Smallest difference that n detects with the requested power: of shares from 0 to 1, or of means.
    agents, answers : int
        Number of agents in all cohorts, and of answers to all questions.
    units : int
        Quota units: one per answer, that is, per agent and question. Recruitment is free.
    """

    measure: str
    n: int
    power: float
    detectable: float
    level: float
    wanted: float
    deff: float
    cohorts: int
    questions: int
    agents: int
    answers: int
    units: int
    tests: int

    def __repr__(self) -> str:
        if math.isnan(self.detectable):
            tells = "no difference can be told for sure"
        elif self.measure == "shares":
            tells = f"differences from {100 * self.detectable:.1f} points"
        else:
            tells = f"differences from {self.detectable:.4g}"
        corrected = f" (Bonferroni over {self.tests} tests)" if self.tests > 1 else ""
        lines = [
            f"{self.n:,} agents in each of {self.cohorts} cohorts: {self.agents:,} agents",
            f"finds {tells} between two {self.measure} with a power of {100 * self.wanted:g} %, "
            f"level {100 * self.level:.4g} %{corrected}",
            f"costs {self.units:,} quota units: {self.answers:,} answers to {self.questions} "
            f"question{'s' if self.questions > 1 else ''}",
            "Agents are simulated: this tells the noise of drawing agents, not evidence about people.",
        ]
        if self.deff != 1:
            lines.insert(1, f"design effect of weighting {self.deff:g}: {self.n / self.deff:,.1f} effective")
        return "\n".join(lines)


def power(  # noqa: PLR0913 (options by keyword)
    share_a: float | None = None,
    share_b: float | None = None,
    *,
    difference: float | None = None,
    sd: float | None = None,
    n: int | None = None,
    level: float = 0.05,
    power: float = 0.8,
    deff: float = 1.0,
    cohorts: int = 2,
    questions: int = 1,
    correct: bool = False,
) -> PowerPlan:
    """Plan the comparison of two shares or two means.

    Parameters
    ----------
    share_a, share_b : float, optional
        Two shares (0 to 1) to compare. With ``n``, ``share_a`` alone returns the detectable difference.
    difference, sd : float, optional
        Difference of two means, and the standard deviation within cohorts. With ``n``, ``sd`` alone returns
        the detectable difference.
    n : int, optional
        Number of agents per cohort; computed if not given.
    level, power : float, default 0.05 and 0.8
        Two-sided significance level, and the probability of detecting the difference.
    deff : float, default 1
        Design effect of weighting (``report["deff"]`` of :func:`rake`); n increases by this factor.
    cohorts, questions : int, default 2 and 1
        Number of cohorts, and of questions per agent, for the cost.
    correct : bool, default False
        Whether to divide the level by the number of pairs of cohorts (Bonferroni).

    Returns
    -------
    PowerPlan
        Agents per cohort, power, detectable difference, agents, answers and quota units.

    Raises
    ------
    UsageError
        If neither two shares nor two means are given, or a number is out of range.

    Examples
    --------
    >>> plan = power(0.3, 0.4, questions=5)
    >>> plan.n, plan.units
    (356, 3560)
    >>> power(sd=2.0, n=100).detectable.__round__(3)
    0.796
    """
    _check(share_a, share_b, sd, level, power, deff)
    tests = cohorts * (cohorts - 1) // 2 if correct else 1
    alpha = level / tests
    needed = _needed(share_a, share_b, difference, sd, alpha, power)
    if n is None and needed is None:
        raise UsageError("power needs the other share, the difference, or n.")
    size = n if n is not None else max(2, math.ceil((needed or 0.0) * deff * (1 - 1e-12)))
    if size < 2 or cohorts < 2 or questions < 1:
        raise UsageError(
            f"n and cohorts must be 2 or more and questions 1 or more, not {size}, {cohorts} and {questions}."
        )
    effective = size / deff
    if effective <= 1:
        raise UsageError(
            f"n={size} with a design effect of {deff:g} is at most one effective agent; increase n."
        )
    reached, smallest = _told((share_a, share_b), (difference, sd), effective, alpha, power)
    answers = size * cohorts * questions
    return PowerPlan(
        measure="means" if share_a is None else "shares",
        n=size,
        power=reached,
        detectable=smallest,
        level=alpha,
        wanted=power,
        deff=deff,
        cohorts=cohorts,
        questions=questions,
        agents=size * cohorts,
        answers=answers,
        units=answers,
        tests=tests,
    )


def _check(
    share_a: float | None, share_b: float | None, sd: float | None, level: float, power: float, deff: float
) -> None:
    for name, share in (("share_a", share_a), ("share_b", share_b)):
        if share is not None and not 0 <= share <= 1:
            raise UsageError(f"{name} must lie between 0 and 1, not {share}; 30 % is 0.3.")
    if share_a is None and share_b is not None:
        raise UsageError("share_b needs share_a.")
    if share_a is not None and sd is not None:
        raise UsageError("power plans shares or means, not both at once.")
    for name, part in (("level", level), ("power", power)):
        if not 0 < part < 1:
            raise UsageError(f"{name} must lie between 0 and 1, not {part}.")
    if sd is not None and not sd > 0:
        raise UsageError(f"sd must be above 0, not {sd}.")
    if not deff >= 1:
        raise UsageError(f"deff must be 1 or more, not {deff}.")


def _needed(
    share_a: float | None,
    share_b: float | None,
    difference: float | None,
    sd: float | None,
    level: float,
    power: float,
) -> float | None:
    """Return the effective number of agents per cohort for the difference; None if no difference is given."""
    if share_a is not None:
        if share_b is None:
            return None
        if share_a == share_b:
            raise UsageError(f"Both shares are {share_a}; they must differ for a test of their difference.")
        return n_for_shares(share_a, share_b, level, power)
    if sd is None:
        raise UsageError("power needs two shares, or the difference of two means and their sd.")
    if difference is None:
        return None
    if difference == 0:
        raise UsageError("difference must not be 0; no sample size can show a difference of 0.")
    return n_for_means(difference, sd, level, power)


def _told(
    shares: tuple[float | None, float | None],
    means: tuple[float | None, float | None],
    n: float,
    level: float,
    power: float,
) -> tuple[float, float]:
    """Return the power of n, and the smallest difference that it detects."""
    (share_a, share_b), (difference, sd) = shares, means
    if share_a is not None:
        reached = math.nan if share_b is None else power_shares(share_a, share_b, n, level)
        return reached, abs(detectable_share(share_a, n, level, power) - share_a)
    spread = 1.0 if sd is None else sd
    reached = math.nan if difference is None else power_means(difference, spread, n, level)
    return reached, detectable_difference(spread, n, level, power)
