"""How an agent brings its own life into an answer: only what its profile holds."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.population.agents import Agent
from voxpop.respondents.medical_words import CONDITIONS, DRUGS
from voxpop.respondents.places import place

_AN_LETTERS = frozenset("AEFHILMNORSX")
_STATUS = {
    "retired": ("now that I'm retired", "as a retiree", "being retired"),
    "student": ("as a student", "being a student", "while I study"),
    "unemployed": ("while I'm out of work", "being between jobs", "as I look for work"),
    "homemaker": ("as a homemaker", "running a home", "being home all day"),
    "disabled": ("living with a disability", "on disability", "since I can't work"),
    "other_not_in_labour_force": ("since I'm not working", "without a job", "being out of the workforce"),
}
_SMOKING = {"former": "as an ex-smoker", "never": "as a non-smoker", "current": "as a smoker"}
_EATING = {
    "healthy": "since I eat healthily",
    "mixed": "with my mixed diet",
    "poor": "given how poorly I eat",
}
_SLEEPING = {"poor": "sleeping as badly as I do", "fair": "with so-so sleep", "good": "as a sound sleeper"}
_MOVING = {"low": "not being very active", "moderate": "being fairly active", "high": "as an active person"}
_DRINKING = {
    "none": "as a non-drinker",
    "light": "as a light drinker",
    "moderate": "as a moderate drinker",
    "heavy": "drinking as I do",
}
_SCHOOL = {
    "High school graduate/GED": "with my high school diploma",
    "Some college or AA degree": "with some college behind me",
    "College graduate or above": "as a college graduate",
}
_POOR = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
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
    words = " ".join(word if len(word) <= 4 and word.isupper() else word.lower() for word in plain.split())
    words = " and ".join(_singular(part) for part in words.split(" and "))
    vowel = words[:1] in _AN_LETTERS if words.split(" ")[0].isupper() else words[:1] in "aeiou"
    return f"{'an' if vowel else 'a'} {words}"


def _singular(name: str) -> str:
    if not name.endswith("s") or name.endswith(
        ("ss", "services", "sales", "operations", "systems", "relations")
    ):
        return name
    return f"{name[:-3]}y" if name.endswith("ies") else name[:-2] if name.endswith("sses") else name[:-1]


def grounds(agent: Agent) -> list[str]:
    """Return the ways this agent can tie an answer to its own life, as phrases without a capital."""
    age, home = agent.age, place(agent.state)
    made = [
        f"at {age}",
        f"at {age} in {home}",
        f"here in {home}",
        f"living in {home}",
        f"being {age}",
        f"aged {age}",
        f"{age} and in {home}",
    ]
    title = agent.title_variant or agent.occupation
    if title:
        words = job_words(title)
        made += [
            f"as {words}",
            f"working as {words}",
            f"being {words}",
            f"as {words} in {home}",
            f"as {words} aged {age}",
        ]
    else:
        made += [f"{words} in {home}" for words in _STATUS.get(agent.labour_status, ())]
        made += list(_STATUS.get(agent.labour_status, ()))
    made += [f"with kids in {home}", f"as a parent of {age}"][: 2 if agent.is_parent else 0]
    made.append("out here in the countryside" if agent.urban_rural == "rural" else f"in a {home} city")
    if agent.education in _SCHOOL:
        made.append(_SCHOOL[agent.education])
    if agent.household_income in _POOR:
        made += ["on a small income", f"on a tight income in {home}"]
    elif agent.household_income in _RICH:
        made += ["with a comfortable income", f"earning well in {home}"]
    return made + (_health(agent) if agent.health_profile is not None else [])


def _health(agent: Agent) -> list[str]:
    health = agent.health_profile
    if health is None:
        return []
    made = [
        f"with {CONDITIONS[slug][0]}"
        for slug in health.conditions
        if slug in CONDITIONS and not CONDITIONS[slug][0].startswith("had ")
    ]
    made += [f"taking {DRUGS[slug][0]}" for slug in health.drug_classes if slug in DRUGS]
    for table, value in (
        (_SMOKING, health.smoking_status),
        (_EATING, health.diet_quality),
        (_SLEEPING, health.sleep_quality),
        (_MOVING, health.physical_activity_level),
        (_DRINKING, health.alcohol_use),
    ):
        if value in table:
            made.append(table[value])
    return made
