"""Answers that tell a story: a morning, an evening, a trip, plans, and a job of long ago."""

from __future__ import annotations

import re
from functools import cache

from voxpop.population.agents import Agent
from voxpop.respondents import life_work, narratives
from voxpop.respondents.asking import Asked
from voxpop.respondents.tales import Lines, Narrator, lines_of

_FULL_LEAD = re.compile(r"answer for|this is|only know|talk about|remember|can tell|what I do")


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    if text[:1] == '"':
        return text[0] + text[1:2].upper() + text[2:]
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """Return a text with a full stop at its end, unless it is empty."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def short(said: list[str]) -> str:
    """Return the sentences as one text of at most about 45 words."""
    text = " ".join(said)
    while len(said) > 1 and len(text.split()) > 42:
        said.pop(len(said) // 2 if len(said) > 2 else -1)
        text = " ".join(said)
    return text


@cache
def _lines(texts: tuple[str, ...]) -> Lines:
    return lines_of(texts)


def from_memory(found: Asked, agent: Agent, narrator: Narrator, side: int) -> str:
    """Return what an agent without a job says when asked about its job."""
    used: set[int] = set()

    def say(texts: tuple[str, ...]) -> str:
        return narrator.tell(_lines(texts), used)

    good, bad = life_work.MEMORY_GOOD, life_work.MEMORY_BAD
    lead = say(life_work.NOT_WORKING[agent.labour_status])
    alike = {"like": good, "dislike": bad}.get(found.frame)
    first = alike or (bad if side == 1 else good)
    second = alike or (good if side == 1 else bad)
    reason = say(first)
    said = [f"{lead}. {capital(reason)}." if _FULL_LEAD.search(lead) else f"{lead}, {reason}."]
    pick = narrator.dice.below(10)
    if pick < 4:
        more = say(second)
        said.append(f"{capital(more)}." if second is first else f"On the other hand, {more}.")
    return short(said)


def told(found: Asked, agent: Agent, stance: float, narrator: Narrator) -> str:
    """Return a short story: a morning, an evening, a trip or plans."""
    used: set[int] = set()

    def say(texts: tuple[str, ...]) -> str:
        return ended(capital(narrator.tell(_lines(texts), used)))

    if found.frame == "trip":
        first, more = narratives.TRIP, narratives.TRIP_MORE
    elif found.frame == "plans":
        first = narratives.PLANS[0 if stance > 0.3 else 1 if stance < -0.3 else 2]
        more = narratives.PLANS_MORE
    elif re.search(r"evening|night", found.source, re.I):
        first = more = narratives.EVENING
    else:
        return _morning(agent, narrator)
    said = [say(first)]
    pick = narrator.dice.below(10)
    if pick < 6:
        said.append(say(more))
    if pick < 2:
        said.append(say(more))
    return short(said)


def _morning(agent: Agent, narrator: Narrator) -> str:
    used: set[int] = set()

    def say(texts: tuple[str, ...]) -> str:
        return ended(capital(narrator.tell(_lines(texts), used)))

    early = agent.labour_status == "employed" or agent.is_parent
    pick = narrator.dice.below
    said = [say(narratives.WAKE if early else narratives.WAKE_LATE)]
    if pick(10) < 7:
        said.append(say(narratives.FIRST))
    if pick(10) < 4:
        said.append(say(narratives.NEXT))
    if agent.is_parent and pick(10) < 6:
        said.append(say(narratives.KIDS))
    after = {"employed": narratives.OUT, "student": narratives.CLASS}.get(
        agent.labour_status, narratives.HOME
    )
    if len(said) < 2 or pick(10) < 5:
        said.append(say(after))
    return short(said)
