"""The cohorts that key segments are looked for in: the levels of some attributes, named as people would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.engines.agents import Agent
from voxpop.jobs.evidence import Mask
from voxpop.vocabulary import field

AGE_BANDS = ((18, 24), (25, 34), (35, 44), (45, 54), (55, 64), (65, 120))

_OF_AGENT = ("gender", "is_parent", "education", "household_income", "urban_rural", "labour_status")
_OF_HEALTH = (
    "bmi_class",
    "smoking_status",
    "alcohol_use",
    "physical_activity_level",
    "sleep_quality",
    "diet_quality",
    "phq9_severity",
)

_NOUNS: dict[str, Callable[[str], str]] = {
    "gender": lambda level: {"male": "men", "female": "women"}.get(level, "non-binary agents"),
    "is_parent": lambda level: "parents" if level == "yes" else "agents who are not parents",
    "education": lambda level: f"agents with the education level “{level}”",
    "household_income": lambda level: f"agents with a household income of {level[:1].lower() + level[1:]}",
    "urban_rural": lambda level: f"{level} agents",
    "labour_status": lambda level: {
        "student": "students",
        "homemaker": "homemakers",
        "other_not_in_labour_force": "agents out of the labour force for other reasons",
    }.get(level, f"{level} agents"),
    "bmi_class": lambda level: f"agents in the BMI class “{level.replace('_', ' ')}”",
    "smoking_status": lambda level: "agents who never smoked" if level == "never" else f"{level} smokers",
    "alcohol_use": lambda level: "agents who do not drink" if level == "none" else f"{level} drinkers",
    "physical_activity_level": lambda level: f"agents with {level} physical activity",
    "sleep_quality": lambda level: f"agents with {level} sleep",
    "diet_quality": lambda level: f"agents with a {level} diet",
    "phq9_severity": lambda level: f"agents with {level.replace('_', ' ')} PHQ-9 severity",
}


@dataclass(frozen=True, slots=True)
class Cohort:
    """The agents at one level of an attribute, and the others whose level is known."""

    attribute: str
    level: str
    noun: str
    members: Mask
    others: Mask


def cohorts(agents: Sequence[Agent]) -> list[Cohort]:
    """Return the cohorts that the agents fall into, by attribute and level.

    Agents without a value (no health data) are in no cohort of that attribute and not among its "others".
    Of an attribute with two levels only the first is given, because the other one is its mirror.
    """
    found = _of_attribute(
        "age", [_age_band(agent.age) for agent in agents], [_band_name(b) for b in AGE_BANDS]
    )
    for name in _OF_AGENT:
        given = [_text(getattr(agent, name)) for agent in agents]
        found += _of_attribute(name, given, _levels(name))
    for name in _OF_HEALTH:
        given = [_text(getattr(agent.health_profile, name, None)) for agent in agents]
        found += _of_attribute(name, given, _levels(name))
    return found


def _levels(name: str) -> Sequence[str]:
    return ("yes", "no") if field(name).kind == "boolean" else field(name).levels


def _text(value: bool | str | None) -> str | None:
    return value if value is None or isinstance(value, str) else ("yes" if value else "no")


def _age_band(age: int) -> str:
    return next(_band_name(band) for band in AGE_BANDS if age <= band[1])


def _band_name(band: tuple[int, int]) -> str:
    return f"{band[0]} to {band[1]}" if band != AGE_BANDS[-1] else f"{band[0]} and over"


def _of_attribute(name: str, given: Sequence[str | None], levels: Sequence[str]) -> list[Cohort]:
    known = np.fromiter((level is not None for level in given), np.bool_, len(given))
    found = []
    for level in levels:
        members = np.fromiter((value == level for value in given), np.bool_, len(given))
        if members.any() and not members.all():
            noun = f"agents aged {level}" if name == "age" else _NOUNS[name](level)
            found.append(Cohort(name, level, noun, members, known & ~members))
    return found[:1] if len(found) == 2 else found
