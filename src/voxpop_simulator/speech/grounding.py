"""Sentences on the agent's own life: only facts of its profile, where they fit the topic."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.engines.agents import Agent
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject
from voxpop_simulator.speech.tags import BITS
from voxpop_simulator.speech.tales import Lines, Narrator, lines_of
from voxpop_simulator.speech.telling import capital
from voxpop_simulator.speech.texts import sections

_POOR = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
_MIDDLE = ("$50,000-$74,999", "$75,000-$99,999", "$100,000-$149,999")
_RICH = ("$150,000-$199,999", "$200,000 and over")
_AGES = (24, 34, 49, 64, 200)
_DIVISIONS: dict[str, str] = {
    code: name
    for name, codes in {
        "New England": "CT ME MA NH RI VT",
        "Mid-Atlantic": "NY NJ PA DE MD DC",
        "Great Lakes": "IL IN MI OH WI",
        "Plains": "IA KS MN MO NE ND SD",
        "South Atlantic": "FL GA NC SC VA",
        "Deep South": "AL KY MS TN WV LA AR",
        "South Central": "OK TX",
        "Mountain": "AZ CO ID MT NV NM UT WY",
        "Pacific": "AK CA HI OR WA",
    }.items()
    for code in codes.split()
}


@lru_cache(maxsize=8192)
def _fitting(file: str, heading: str, families: tuple[str, ...]) -> Lines:
    """Return the sentences of a section that fit a topic closely."""
    found = []
    for line in sections(file).get(heading, ()):
        names, _, text = line.partition("|")
        if any(name in families for name in names.split()):
            found.append(text.strip())
    return lines_of(found)


@lru_cache(maxsize=64)
def _life(families: tuple[str, ...]) -> Lines:
    return lines_of([line for name in families for line in sections("life").get(name, ())])


def _banks(agent: Agent) -> list[tuple[str, str]]:
    """Return the sections of sentences that are true of an agent: (file, heading)."""
    made: list[tuple[str, str]] = []
    if agent.occupation_major_group:
        made += [("life_work", f"jobs {agent.occupation_major_group}"), ("life_work", "any_job")]
    else:
        made += [("life_work", f"statuses {agent.labour_status}")] * 2
    if agent.is_parent:
        made.append(("life_home", "parent"))
    if agent.urban_rural is not None:
        made.append(("life_home", agent.urban_rural))
    if agent.country == "USA" and agent.state in _DIVISIONS:
        made.append(("life_home", f"regions {_DIVISIONS[agent.state]}"))
    for name, bands in (("tight", _POOR), ("comfortable", _RICH), ("middle", _MIDDLE)):
        if agent.household_income in bands:
            made.append(("life_home", name))
    made.append(("life_home", f"ages {next(limit for limit in _AGES if agent.age <= limit)}"))
    return made


def _health_banks(agent: Agent) -> list[tuple[str, str]]:
    health = agent.health_profile
    if health is None:
        return []
    known = sections("life_health")
    names = [f"conditions {slug}" for slug in health.conditions]
    names += [f"drugs {slug}" for slug in health.drug_classes or ()]
    return [("life_health", name) for name in names if name in known]


def _tobacco_bank(agent: Agent) -> list[tuple[str, str]]:
    health = agent.health_profile
    names = {"current": "smoker", "former": "ex_smoker"}
    return (
        [("life_health", names[health.smoking_status])] if health and health.smoking_status in names else []
    )


_GLP1 = (
    r"(?:glp-?1s?\b|ozempic|wegovy|semaglutide|zepbound|mounjaro|tirzepatide"
    r"|weight[- ]?loss (?:drug|medic|shot|inj))"
)
_ON_GLP1 = Pattern(
    r"\b(?:since|after|when|while|before|now that) you(?:'re| are|'ve| have| were)? ?(?:\w+ )?"
    rf"(?:start|beg[ia]n|tak|us|on|go|went)\w* (?:\w+ ){{0,3}}{_GLP1}|\byour (?:\w+ )?{_GLP1}",
    re.I,
)
_YOURS: tuple[tuple[str, str, str, Pattern], ...] = (
    (
        "kids",
        "childless",
        "",
        Pattern(
            r"\byour (?:(?:own|(?:young|old)(?:er|est)) )?"
            r"(?:kids?|child(?:ren)?(?!hood)|sons?|daughters?|baby)\b"
            r"(?! (?:(?:or|and) (?:the|future|grand)|(?:will |are going to )?(?:inherit|grow up in)))",
            re.I,
        ),
    ),
    ("dog", "", "dog", Pattern(r"\byour (?:own )?dogs?\b", re.I)),
    ("cat", "", "cat", Pattern(r"\byour (?:own )?cats?\b", re.I)),
    ("pet", "petless", "", Pattern(r"\byour pets?\b(?! peeve)", re.I)),
    ("smoke", "exsmoker", "", Pattern(r"\byour (?:smoking|cigarettes?)\b|\bwhen you smoke\b", re.I)),
    ("glp1", "!glp1", "", _ON_GLP1),
    ("drink", "dry", "", Pattern(r"\byour (?:drinking|favou?rite (?:beer|wine))\b|\bdrink alcohol\b", re.I)),
)


def lacks(found: AskedSubject, narrator: Narrator) -> str | None:
    """Return the presupposition that the agent does not meet: "kids", "dog", ...; or None."""
    for what, tag, owned in _taken_for_granted(found.source):
        if tag and _lacks(narrator, tag):
            return what
        if owned and narrator.agent.country == "USA" and not narrator.tags(BITS[owned]) & BITS[owned]:
            return what
    return None


def _lacks(narrator: Narrator, tag: str) -> bool:
    """Return whether a tag holds, or a tag after "!" does not."""
    bit = BITS[tag.removeprefix("!")]
    return bool(narrator.tags(bit) & bit) is not tag.startswith("!")


@lru_cache(maxsize=2048)
def _taken_for_granted(source: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((what, tag, owned) for what, tag, owned, pattern in _YOURS if pattern.search(source))


def detail(narrator: Narrator, topic: str, families: tuple[str, ...], healthy: bool, used: set[int]) -> str:
    """Return a sentence on the agent's life that fits a topic, without a full stop; may be empty.

    Parameters
    ----------
    healthy : bool
        Whether people talk about their health in this topic.
    used : set of int
        Lines that the answer already uses.
    """
    agent = narrator.agent
    if narrator.dice.below(10) < 7:
        own = narrator.tell(_life(families or ("any",)), used)
        if own:
            return capital(own)
    banks = _banks(agent)
    if topic == "tobacco":
        banks += _tobacco_bank(agent) * 3
    elif healthy:
        banks += _health_banks(agent) * 2
    start = narrator.dice.below(len(banks))
    for step in range(len(banks)):
        file, heading = banks[(start + step) % len(banks)]
        text = narrator.tell(_fitting(file, heading, families), used)
        if text:
            return capital(text)
    return capital(narrator.tell(_life(("any",)), used))
