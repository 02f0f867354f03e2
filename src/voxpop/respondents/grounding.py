"""How an agent brings its own life into an answer: only what its profile holds, where it fits the topic."""

from __future__ import annotations

from functools import lru_cache

from voxpop.population.agents import Agent
from voxpop.respondents import life_health, life_home, life_work
from voxpop.respondents.places import place
from voxpop.respondents.tales import Lines, Narrator, lines_of
from voxpop.respondents.telling import capital

_POOR = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
_MIDDLE = ("$50,000-$74,999", "$75,000-$99,999", "$100,000-$149,999")
_RICH = ("$150,000-$199,999", "$200,000 and over")


@lru_cache(maxsize=4096)
def _fitting(bank: tuple[str, ...], families: tuple[str, ...]) -> Lines:
    """Return the sentences of a bank that fit a topic closely."""
    found = []
    for line in bank:
        names, _, text = line.partition("|")
        if any(name in families for name in names.split()):
            found.append(text.strip())
    return lines_of(found)


def _banks(agent: Agent) -> list[tuple[str, ...]]:
    """Return the banks of sentences that are true of an agent."""
    made: list[tuple[str, ...]] = []
    if agent.occupation_major_group:
        made += [life_work.JOBS.get(agent.occupation_major_group, ())] * 2
    else:
        made += [life_work.STATUSES.get(agent.labour_status, ())] * 2
    if agent.is_parent:
        made.append(life_home.PARENT)
    if agent.urban_rural is not None:
        made.append(life_home.RURAL if agent.urban_rural == "rural" else life_home.URBAN)
    if agent.country == "USA" and agent.state in life_home.DIVISIONS:
        made.append(life_home.REGIONS[life_home.DIVISIONS[agent.state]])
    if agent.household_income in _POOR:
        made.append(life_home.TIGHT)
    elif agent.household_income in _RICH:
        made.append(life_home.COMFORTABLE)
    elif agent.household_income in _MIDDLE:
        made.append(life_home.MIDDLE)
    made.append(next(bank for limit, bank in life_home.AGES if agent.age <= limit))
    return made


def _health_banks(agent: Agent) -> list[tuple[str, ...]]:
    health = agent.health_profile
    if health is None:
        return []
    known = life_health.CONDITIONS
    made = [known[slug] for slug in health.conditions if slug in known]
    return made + [life_health.DRUGS[slug] for slug in health.drug_classes or () if slug in life_health.DRUGS]


def _tobacco_bank(agent: Agent) -> list[tuple[str, ...]]:
    health = agent.health_profile
    banks = {"current": life_health.SMOKER, "former": life_health.EX_SMOKER}
    return [banks[health.smoking_status]] if health and health.smoking_status in banks else []


def detail(narrator: Narrator, topic: str, families: tuple[str, ...], healthy: bool) -> str:
    """Return one sentence of the agent's own life that fits a topic, without a full stop; may be empty.

    Parameters
    ----------
    healthy : bool
        Whether the topic is one where people speak of their health.
    """
    agent = narrator.agent
    banks = _banks(agent)
    if topic == "tobacco":
        banks += _tobacco_bank(agent) * 3
    elif healthy:
        banks += _health_banks(agent) * 2
    start = narrator.dice.below(len(banks))
    for step in range(len(banks)):
        text = narrator.tell(_fitting(banks[(start + step) % len(banks)], families), set())
        if text:
            return capital(text.replace("{state}", place(agent.state)).replace("{age}", str(agent.age)))
    return ""
