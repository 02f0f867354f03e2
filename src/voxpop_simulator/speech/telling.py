"""Story answers: a morning, an evening, a meal, a trip, plans, and a past job."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from voxpop.engines.agents import Agent
from voxpop_simulator.questions.brands import begins_with_brand
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.speech.tales import EVENLY, Lines, Narrator, lines_of
from voxpop_simulator.speech.texts import sections

_EVENING = Pattern(r"evening|night", re.I)
RARE = 150_000
"""Number of possible wordings below which an answer gets one more sentence, to avoid duplicates."""
NOT_WORKING = ("retired", "student", "homemaker", "unemployed", "disabled", "other_not_in_labour_force")
"""Labour statuses of agents who talk about their last job when asked about their job."""


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    if text[:1] == '"':
        return text[0] + text[1:2].upper() + text[2:]
    if text[1:2].isupper():  # iPhone, eBay
        return text
    return text[:1].upper() + text[1:]


_NEXT = Pattern(r"(?<=[.!?] )[a-z]")


def cased(text: str) -> str:
    """Return a text with a capital letter at the start of each sentence.

    Examples
    --------
    >>> cased("we drove. an aunt slept.")
    'We drove. An aunt slept.'
    """
    text = capital(text)
    return _NEXT.sub(lambda found: found[0].upper(), text) if ". " in text or "? " in text else text


_NAMES = word_set(
    """
    Christmas Thanksgiving Easter Halloween Hanukkah Ramadan Diwali Congress Medicare Medicaid English Spanish
    French German Italian Chinese Japanese Mexican Indian Thai Greek American Americans Africa Asia Europe
    India Japan China Italy Greece Spain France Germany Ireland Iceland Norway Portugal Egypt Kenya Peru
    Brazil Mexico Canada Australia Alaska Hawaii Florida Texas California Arizona Maine
    Paris London Rome Tokyo March May June August
    """
)
"""Names that are not in a word list."""


@cache
def _proper() -> frozenset[str]:
    """Return the words that are always capitalised: names of people, places and days.

    A word that is mostly in lower case ("Great Falls", "a great deal") is excluded.
    """
    known = sections("lexicon")
    count = Counter(_WORD.findall(" ".join(line for lines in known.values() for line in lines)))
    named = {word for word in count if word[0].isupper() and count[word] >= count[word.lower()]}
    people = _WORD.findall(" ".join((*known["her"], *known["him"])))
    return frozenset(named | {word for word in people if word[0].isupper()}) | _NAMES


_WORD = Pattern(r"(?<![\w'])[A-Za-z][\w'-]*")


def small(text: str) -> str:
    """Return a text as the continuation of a sentence, with its first letter in lower case unless a name.

    Examples
    --------
    >>> small("They called."), small("I called."), small("Denise called.")
    ('they called.', 'I called.', 'Denise called.')
    """
    first = text.split(" ", 1)[0].strip(".,!?:")
    if first == "I" or first.startswith("I'") or first[1:2].isupper() or first.removesuffix("s") in _proper():
        return text
    named = first.removesuffix("'s") in _proper() or begins_with_brand(text)
    return text if named else text[:1].lower() + text[1:]


def ended(text: str) -> str:
    """Return a text with a final full stop, unless it is empty."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def short(said: list[str]) -> str:
    """Return the sentences as one text of at most about 45 words."""
    text = " ".join(said)
    while len(said) > 1 and len(text.split()) > 42:
        said.pop(len(said) // 2 if len(said) > 2 else -1)
        text = " ".join(said)
    return text


@cache
def _lines(file: str, heading: str) -> Lines:
    return lines_of(sections(file)[heading], EVENLY if file == "stories" else None)


def from_memory(found: AskedSubject, agent: Agent, narrator: Narrator, side: int) -> str:
    """Return the words of an agent without a job on its job."""
    used: set[int] = set()

    def say(heading: str) -> str:
        return narrator.tell(_lines("life_work", heading), used)

    lead = say(f"not_working {agent.labour_status}")
    alike = {"like": "memory_good", "dislike": "memory_bad"}.get(found.form)
    first = alike or ("memory_bad" if side == 1 else "memory_good")
    second = alike or ("memory_good" if side == 1 else "memory_bad")
    reason = say(first)
    said = [f"{lead} {small(reason)}." if lead.endswith("but") else f"{lead}, {small(reason)}."]
    if narrator.dice.below(10) < 2 or narrator.dice.ways < RARE:
        more = say(second)
        said.append(f"{capital(more)}." if second == first else f"On the other hand, {small(more)}.")
    return short(said)


_SAID_ALIKE = 1_000_000
"""Number of possible wordings below which a story gets one more sentence."""
_HOME = 6
"""Percentage who say that they stayed at home when asked about their last vacation."""
_WHOLE = 7
"""Number out of ten who describe their mornings in one sentence."""


def told(found: AskedSubject, agent: Agent, stance: float, narrator: Narrator) -> str:
    """Return a short story: a meal, a morning, an evening, a trip or plans."""
    used: set[int] = set()

    def say(heading: str) -> str:
        return ended(cased(narrator.tell(_lines("stories", heading), used)))

    first, more = {
        "trip": ("trip", "trip_more"),
        "trip_past": ("trip_past", "trip_past_more"),
        "show": ("show", "show_more"),
        "plans": (f"plans {'+' if stance > 0.3 else '-' if stance < -0.3 else '~'}", "plans_more"),
        "breakfast": ("breakfast", "breakfast_more"),
        "lunch": ("lunch", "lunch_more"),
        "dinner": ("dinner", "dinner_more"),
        "routine": ("evening", "evening_more"),
    }[found.form]
    if found.form == "routine" and not _EVENING.search(found.source):
        return _morning(agent, narrator)
    ways = narrator.dice.ways
    if found.form == "trip_past" and narrator.dice.below(100) < _HOME:
        first, more = "trip_home", "trip_home_more"
    narrator.dice.ways = ways
    said = [say(first)]
    if narrator.dice.ways < _SAID_ALIKE:
        said.append(say(more))
    return short([text for text in said if text])


def _morning(agent: Agent, narrator: Narrator) -> str:
    used: set[int] = set()

    def say(heading: str) -> str:
        return ended(cased(narrator.tell(_lines("stories", heading), used)))

    pick = narrator.dice.below
    if pick(10) < _WHOLE:
        return say("morning")
    early = agent.labour_status == "employed" or agent.is_parent
    said = [say("wake" if early else "wake_late")]
    if pick(10) < 6:
        said.append(say("first"))
    if agent.is_parent and pick(10) < 5:
        said.append(say("kids"))
    elif pick(10) < 3:
        said.append(say("next"))
    after = {"employed": "out", "student": "class"}.get(agent.labour_status, "home")
    if len(said) < 2 or pick(10) < 2:
        said.append(say(after))
    return short([text for text in said if text])
