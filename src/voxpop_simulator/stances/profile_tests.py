"""Tests of statements about a profile in a question or an option: true, false or unknown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from voxpop.engines.agents import Agent, HealthProfile
from voxpop_simulator.stances.profile_speech import NOT_KNOWN, held, say, say_condition, say_drug

Holds = Callable[[Agent], bool | None]


@dataclass(frozen=True, slots=True)
class ProfileTest:
    """One statement about an agent, with the agent's wording.

    ``some`` marks a statement that the profile decides for some agents only: the others are answered like
    anybody whose profile does not matter.
    """

    field: str
    holds: Holds
    speak: Callable[[Agent], str]
    levels: frozenset[Any] = frozenset()
    some: bool = False


def is_in(field: str, *values: Any) -> ProfileTest:
    """Return the test that an attribute has one of these values."""
    wanted = frozenset(values)

    def holds(agent: Agent) -> bool | None:
        value = held(agent, field)
        if value is None and field == "smoking_status" and wanted == {"current"}:
            return False if agent.health_profile and agent.health_profile.smokes is False else None
        if value is None:
            return False if field in ("occupation", "industry", "occupation_major_group") else None
        return value in wanted

    return ProfileTest(field, holds, lambda agent: say(agent, field), wanted)


def compare(field: str, low: float | None, high: float | None) -> ProfileTest:
    """Return the test that a number is between two inclusive bounds."""

    def holds(agent: Agent) -> bool | None:
        value = held(agent, field)
        if value is None:
            return None
        return (low is None or value >= low) and (high is None or value <= high)

    return ProfileTest(field, holds, lambda agent: say(agent, field))


def _health(
    field: str, holds: Callable[[HealthProfile], bool | None], speak: Callable[[Agent], str]
) -> ProfileTest:
    return ProfileTest(
        field, lambda agent: None if agent.health_profile is None else holds(agent.health_profile), speak
    )


def any_condition(slugs: tuple[str, ...]) -> ProfileTest:
    """Return the test for having any of these conditions, or any condition at all if none is given."""

    def speak(agent: Agent) -> str:
        has = agent.health_profile.conditions if agent.health_profile else ()
        if not slugs:
            return say(agent, "health_conditions")
        own = next((slug for slug in slugs if slug in has), None)
        if own is None and (agent.health_profile is None or agent.health_profile.has(slugs[0]) is None):
            return NOT_KNOWN
        return say_condition(own or slugs[0], has=own is not None)

    if not slugs:
        return _health(
            "health_conditions",
            lambda health: bool(health.conditions) or (None if health.partial else False),
            speak,
        )

    def has_any(health: HealthProfile) -> bool | None:
        found = [health.has(slug) for slug in slugs]
        return True if True in found else None if None in found else False

    return _health("health_conditions", has_any, speak)


def any_drug(slugs: tuple[str, ...]) -> ProfileTest:
    """Return the test for taking any of these drug classes."""

    def speak(agent: Agent) -> str:
        has = (agent.health_profile.drug_classes if agent.health_profile else None) or ()
        own = [slug for slug in slugs if slug in has]
        if not own and len(slugs) > 1:
            return "I take nothing of that kind."
        return say_drug(own[0] if own else slugs[0], has=bool(own))

    return _health(
        "health_drug_classes",
        lambda health: (
            None if health.drug_classes is None else any(slug in health.drug_classes for slug in slugs)
        ),
        speak,
    )


def _may_be_pregnant(agent: Agent) -> bool | None:
    return None if agent.gender == "female" and agent.age <= LAST_PREGNANCY else False


LAST_PREGNANCY = 44
"""Above this age under one birth in a thousand women a year (NCHS, Births: Final Data for 2023)."""
PREGNANT = ProfileTest("gender", _may_be_pregnant, lambda agent: "I'm not pregnant.", some=True)


def negated(test: ProfileTest) -> ProfileTest:
    """Return the negation of a test."""

    def holds(agent: Agent) -> bool | None:
        value = test.holds(agent)
        return None if value is None else not value

    return ProfileTest(test.field, holds, test.speak, some=test.some)


def both(*tests: ProfileTest) -> ProfileTest:
    """Return the conjunction of tests, with the wording of the first."""

    def holds(agent: Agent) -> bool | None:
        values = [test.holds(agent) for test in tests]
        return False if False in values else None if None in values else True

    return ProfileTest(tests[0].field, holds, tests[0].speak)


NUMBER = r"\$?(\d[\d,]*(?:\.\d+)?)\s*(k\b|thousand\b)?"
MORE = r"(?:over|above|older than|more than|greater than|higher than|past|beyond)"
AT_LEAST = r"(?:at least|no less than|not less than|minimum of)"
LESS = r"(?:under|below|younger than|less than|fewer than|lower than)"
AT_MOST = r"(?:at most|up to|no more than|not more than|no older than)"
OR_MORE = r"(?:\s*\+|\s*(?:years? )?(?:and|or) (?:older|over|above|more|up|greater|higher))"
OR_LESS = r"\s*(?:years? )?(?:and|or) (?:younger|under|below|less|fewer|lower)"


def bounds(text: str, *, step: float = 1) -> tuple[float | None, float | None] | None:
    """Return the inclusive bounds of a comparison, or None; ``step`` is the smallest difference.

    Examples
    --------
    >>> bounds("over 40"), bounds("18-24"), bounds("65+"), bounds("under 30")
    ((41, None), (18, 24), (65, None), (None, 29))
    """
    words = text.lower().replace("–", "-").replace("—", "-")
    found = re.search(
        rf"{NUMBER}\s*(?:-|to|and|through)\s*(?:just )?(?:under|less than|below)?\s*{NUMBER}", words
    )
    if found:
        return _value(
            found[1], found[2] or (found[4] if float(found[1].replace(",", "")) < 1000 else None)
        ), _value(found[3], found[4])
    for pattern, make in _COMPARISONS:
        found = re.search(pattern, words)
        if found:
            return make(_value(found[1], found[2]), step)
    found = re.search(NUMBER, words)
    if found:
        exact = _value(found[1], found[2])
        return exact, exact
    return None


def _value(digits: str, thousand: str | None) -> float:
    number = float(digits.replace(",", "")) * (1000 if thousand else 1)
    return int(number) if number == int(number) else number


_COMPARISONS: tuple[tuple[str, Callable[[float, float], tuple[float | None, float | None]]], ...] = (
    (rf"{NUMBER}{OR_MORE}", lambda n, step: (n, None)),
    (rf"{NUMBER}{OR_LESS}", lambda n, step: (None, n)),
    (rf"{AT_LEAST} {NUMBER}", lambda n, step: (n, None)),
    (rf"{AT_MOST} {NUMBER}", lambda n, step: (None, n)),
    (rf"(?<!no ){MORE} (?:the age of |age )?{NUMBER}", lambda n, step: (n + step, None)),
    (rf"{LESS} (?:the age of |age )?{NUMBER}", lambda n, step: (None, n - step)),
)


def income_between(low: float | None, high: float | None) -> ProfileTest:
    """Return the test that the midpoint of the income band is between two amounts in US dollars."""

    def holds(agent: Agent) -> bool | None:
        if agent.household_income is None:
            return None
        middle = band_middle(agent.household_income)
        return (low is None or middle >= low) and (high is None or middle <= high)

    return ProfileTest("household_income", holds, lambda agent: say(agent, "household_income"))


def band_middle(band: str) -> float:
    """Return the midpoint of an income band in US dollars ("$200,000 and over" counts as 260,000).

    Examples
    --------
    >>> band_middle("$50,000-$74,999"), band_middle("Under $15,000")
    (62500, 9000)
    """
    numbers = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", band)]
    if len(numbers) == 2:
        return (numbers[0] + numbers[1] + 1) // 2
    if not numbers:
        return 60_000
    return numbers[0] * 6 // 10 if band.lower().startswith("under") else numbers[0] * 13 // 10
