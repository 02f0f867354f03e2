"""Cohorts considered for key segments: the levels of some attributes, with readable names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.engines.agents import Agent
from voxpop.jobs.evidence import Mask
from voxpop.vocabulary.fields import FIELDS, Field, in_records

AGE_BANDS = ((18, 24), (25, 34), (35, 44), (45, 54), (55, 64), (65, 120))


@dataclass(frozen=True, slots=True)
class Cohort:
    """The agents at one level of an attribute, and the other agents whose level is known."""

    attribute: str
    level: str
    noun: str
    members: Mask
    others: Mask


def cohorts(agents: Sequence[Agent]) -> list[Cohort]:
    """Return the cohorts of the agents, by attribute and level.

    Agents without a value (no health data) are in no cohort of that attribute and not among its "others". For
    an attribute with two levels only the first is returned, because the second is its mirror image.
    """
    found = _of_attribute(
        "age", [_age_band(agent.age) for agent in agents], [_band_name(b) for b in AGE_BANDS]
    )
    for row in (*in_records(health=False), *in_records(health=True)):
        if row.cohort is not None:
            given = [_text(_value_of(agent, row)) for agent in agents]
            found += _of_attribute(row.name, given, _levels(row))
    return found


def _value_of(agent: Agent, row: Field) -> bool | str | None:
    held = agent.health_profile if row.in_health_profile else agent
    value: bool | str | None = getattr(held, row.record_key, None)
    return value


def _levels(row: Field) -> Sequence[str]:
    return ("yes", "no") if row.kind == "boolean" else row.levels


def _noun(row: Field, level: str) -> str:
    """Return the plural noun for the agents at a level."""
    words = level[:1].lower() + level[1:] if row.lower else level.replace("_", " ")
    return row.cohort_words.get(level) or (row.cohort or "{}").format(words)


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
            noun = f"agents aged {level}" if name == "age" else _noun(FIELDS[name], level)
            found.append(Cohort(name, level, noun, members, known & ~members))
    return found[:1] if len(found) == 2 else found
