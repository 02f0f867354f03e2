"""How an agent brings its own life into an answer: only what its profile holds, where it fits the topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from voxpop.population.agents import Agent
from voxpop.respondents import life_health, life_home, life_work
from voxpop.respondents.banks import variants
from voxpop.respondents.places import place

_AN_LETTERS = frozenset("AEFHILMNORSX")
_POOR = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
_MIDDLE = ("$50,000-$74,999", "$75,000-$99,999", "$100,000-$149,999")
_RICH = ("$150,000-$199,999", "$200,000 and over")


@lru_cache(maxsize=8192)
def job_words(title: str) -> str:
    """Return a job title as it stands in a sentence, with its article.

    Examples
    --------
    >>> job_words("Registered Nurses"), job_words("RN"), job_words("Team Member (Fast Food)")
    ('a registered nurse', 'an RN', 'a team member')
    """
    plain = re.sub(r"\s*\(.*?\)|,.*$", "", title).strip()
    words = " ".join(
        word if len(word.strip("/")) <= 4 and word.isupper() else word.lower() for word in plain.split()
    )
    words = " and ".join(_singular(part) for part in words.split(" and "))
    vowel = words[:1] in _AN_LETTERS if words.split(" ")[0].isupper() else words[:1] in "aeiou"
    return f"{'an' if vowel else 'a'} {words}"


def _singular(name: str) -> str:
    if not name.endswith("s") or name.endswith(
        ("ss", "services", "sales", "operations", "systems", "relations")
    ):
        return name
    return f"{name[:-3]}y" if name.endswith("ies") else name[:-2] if name.endswith("sses") else name[:-1]


@lru_cache(maxsize=4096)
def _fitting(bank: Sequence[str], families: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the sentences of a bank that fit a topic, and whether each fits it closely."""
    found = []
    for line in bank:
        tags, _, text = line.partition("|")
        names = tags.split()
        close = any(name in families for name in names)
        if close or "*" in names:
            found += [(wording, close) for wording in variants(text.strip())]
    return tuple(found)


def _banks(agent: Agent) -> list[Sequence[str]]:
    """Return the banks of sentences that are true of an agent."""
    age = agent.age
    made: list[Sequence[str]] = []
    if agent.occupation_major_group:
        made += [life_work.JOBS.get(agent.occupation_major_group, ())] * 2
        if agent.title_variant or agent.occupation:
            made.append(life_work.ANY_JOB)
    else:
        made += [life_work.STATUSES.get(agent.labour_status, ())] * 2
    if agent.is_parent:
        made.append(life_home.PARENT if age < 60 else life_home.OLDER_PARENT)
    if agent.urban_rural is not None:
        made.append(life_home.RURAL if agent.urban_rural == "rural" else life_home.URBAN)
    if agent.state in life_home.DIVISIONS:
        made.append(life_home.REGIONS[life_home.DIVISIONS[agent.state]])
    if agent.household_income in _POOR:
        made.append(life_home.TIGHT)
    elif agent.household_income in _RICH:
        made.append(life_home.COMFORTABLE)
    elif agent.household_income in _MIDDLE:
        made.append(life_home.MIDDLE)
    made.append(next(bank for limit, bank in life_home.AGES if age <= limit))
    return made


def _health_banks(agent: Agent) -> list[Sequence[str]]:
    health = agent.health_profile
    if health is None:
        return []
    known = life_health.CONDITIONS
    made: list[Sequence[str]] = [known[slug] for slug in health.conditions if slug in known]
    made += [life_health.DRUGS[slug] for slug in health.drug_classes or () if slug in life_health.DRUGS]
    return made


def _tobacco_bank(agent: Agent) -> list[Sequence[str]]:
    health = agent.health_profile
    banks = {"current": life_health.SMOKER, "former": life_health.EX_SMOKER}
    return [banks[health.smoking_status]] if health and health.smoking_status in banks else []


def detail(agent: Agent, topic: str, families: tuple[str, ...], healthy: bool, at: int, pick: int) -> str:
    """Return one sentence of the agent's own life that fits a topic, without a full stop; may be empty.

    Parameters
    ----------
    healthy : bool
        Whether the topic is one where people speak of their health.
    at, pick : int
        Draws, 0 to 65535: which side of life, and which sentence.
    """
    banks = _banks(agent)
    if topic == "tobacco":
        banks += _tobacco_bank(agent) * 3
    elif healthy:
        banks += _health_banks(agent) * 2
    start = at * len(banks) >> 16
    loose: Sequence[tuple[str, bool]] = ()
    for step in range(len(banks)):
        fitting = _fitting(tuple(banks[(start + step) % len(banks)]), families)
        close = [text for text, is_close in fitting if is_close]
        if close and (not loose or pick & 1):
            return _filled(close[pick * len(close) >> 16], agent)
        if fitting and not loose:
            loose = fitting
            if pick & 2:
                break
    if not loose:
        return ""
    return _filled(loose[pick * len(loose) >> 16][0], agent)


def _filled(text: str, agent: Agent) -> str:
    if "{" not in text:
        return text
    title = agent.title_variant or agent.occupation or "worker"
    return (
        text.replace("{job}", job_words(title))
        .replace("{state}", place(agent.state))
        .replace("{age}", str(agent.age))
    )
