"""Shares of an item's answers for a profile: a logit with main effects of six fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import exp, fsum

from voxpop.engines.agents import Agent
from voxpop_simulator.library.files import rows

FIELDS = ("age", "gender", "education", "household_income", "ethnicity", "party_id")
"""Fields of an agent that the shares depend on; an unknown field is averaged over."""

COUNTRY = "USA"
_BANDS = ((30, "age_18_29"), (45, "age_30_44"), (60, "age_45_59"))
_OLDEST = "age_60plus"
_ADULT = 18

Profile = tuple[str, ...]


def profile_of(agent: Agent) -> Profile:
    """Return the values of the fields that shares depend on; empty if unknown.

    Examples
    --------
    >>> from voxpop.engines.sample_agents import AGENTS
    >>> profile_of(AGENTS[0])[0][:4]
    'age_'
    """
    age = next((name for below, name in _BANDS if agent.age < below), _OLDEST)
    return (
        age,
        agent.gender or "",
        agent.education or "",
        agent.household_income or "",
        agent.ethnicity or "",
        getattr(agent, "party_id", None) or "",
    )


def known(agent: Agent) -> bool:
    """Return whether the library has figures for an agent: US adults."""
    return agent.country == COUNTRY and agent.age >= _ADULT


@cache
def groups() -> tuple[str, ...]:
    """Return the names of the groups in the order of the effects."""
    return tuple(name for name in rows("effects")[0] if name not in ("item", "everybody"))


@cache
def _weights() -> dict[str, dict[str, dict[str, float]]]:
    """Return for each field and value the groups that it belongs to, with their weights."""
    told: dict[str, dict[str, dict[str, float]]] = {name: {} for name in FIELDS}
    for row in rows("profiles"):
        told[row["field"]].setdefault(row["value"], {})[row["group"]] = float(row["weight"])
    return told


@cache
def _effects() -> dict[str, list[dict[str, float]]]:
    """Return for each item the effects on each answer: of everybody, and of the groups."""
    told: dict[str, list[dict[str, float]]] = {}
    for row in rows("effects"):
        effects = {name: float(row[name]) / 1000 for name in ("everybody", *groups())}
        told.setdefault(row["item"], []).append(effects)
    return told


Parts = tuple[tuple[float, ...], tuple[Mapping[str, tuple[float, ...]], ...]]


@lru_cache(maxsize=1024)
def parts(item: str) -> Parts:
    """Return the log odds of an item's answers: of everybody, and by field what each value adds to them."""
    effects = _effects()[item]
    added = tuple(
        {value: tuple(_sum(one, weights) for one in effects) for value, weights in _weights()[name].items()}
        for name in FIELDS
    )
    return tuple(one["everybody"] for one in effects), added


def _sum(effects: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the weighted sum of effects, the same on every machine."""
    return fsum(effects[name] * weight for name, weight in weights.items())


def shares(item: str, profile: Profile) -> list[float]:
    """Return the shares of an item's answers for a profile, in the order of the answers.

    Examples
    --------
    >>> rich, poor = (("", "", "", income, "", "") for income in ("$200,000 and over", "Under $15,000"))
    >>> shares("endsmeet", rich)[0] < shares("endsmeet", poor)[0]
    True
    """
    everybody, added = parts(item)
    told = [field.get(value) or field[""] for field, value in zip(added, profile, strict=True)]
    odds = [exp(sum(scores)) for scores in zip(everybody, *told, strict=True)]
    whole = sum(odds)
    return [one / whole for one in odds]
