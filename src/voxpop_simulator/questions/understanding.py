"""Complete interpretation of an open question: its sentence, its context, and similar examples."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from voxpop_simulator.questions.brands import without_brands
from voxpop_simulator.questions.context import OFFER_MADE, in_context
from voxpop_simulator.questions.likeness import knows_of, likened, spoken_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject, asked
from voxpop_simulator.questions.subjects import FAMILIES
from voxpop_simulator.questions.things import ANYTHING, CLASSES, IDEA, MATTER, UNKNOWN, WARES, class_of
from voxpop_simulator.questions.wordlists import patterns_of

HARDLY = 0.3
"""Share of known words below which a question is answered in general terms."""
IN_PART = 0.5
"""Share of known words below which the caller gets a caution; docs/simulator.md has the evaluation."""
_OWN_KIND = ("reply", "who", "when", "sources", "more", "words", "know", "audience", "versus")
"""Forms whose answers fit questions on any subject."""
_CHANCE = 0.175
"""Share below which a topic is rarely correct."""
_OF_A_KIND = 0.5
"""Minimum understanding of a described thing of known class."""
_WORD = Pattern(r"[a-z'-]+")
_OF_BRANDS = "brand of "
_BRANDS_TOO = ("brand", "shopping", "service")
"""Subjects that lines about the brands of a trade also cover."""


@lru_cache(maxsize=2048)
def understood(text: str, sentence: str, turned: bool) -> AskedSubject:
    """Return the interpretation of an open question.

    Parameters
    ----------
    text : str
        The complete question.
    sentence : str
        The sentence that asks.
    turned : bool
        Whether a yes is a vote against the subject.

    Examples
    --------
    >>> text = "Imagine a sparkling tea made from old bread. What do you think of it?"
    >>> found = understood(text, "What do you think of it?", False)
    >>> found.form, found.topic
    ('think', 'a new drink')
    """
    found = asked(sentence, turned)
    before = text.partition(sentence)[0].strip()
    found = likened(in_context(found, before) if before else found, text)
    known = grasp(text, found)
    return found if known >= HARDLY else _in_general(found, known, before)


def _in_general(found: AskedSubject, known: float, before: str) -> AskedSubject:
    """Return a barely understood question as a general one on behaviour or reasons.

    If almost nothing is known, the topic is a chance match: a described offer becomes a generic idea, and all
    others get lines that claim nothing.
    """
    for bank, asks in _general():
        if asks.search(found.source) and not (bank == "why_so" and found.topic not in _NOTHING_KNOWN):
            return replace(found, form="reply", topic=bank, families=FAMILIES.get(bank, ()), name=None)
    if known >= _CHANCE or found.form in _OWN_KIND or found.name or _by_kind(found):
        return found
    if OFFER_MADE.search(before):
        return replace(found, topic=UNKNOWN, subject="the idea", plural=False, families=())
    return replace(found, form="else", topic=ANYTHING, families=FAMILIES.get(ANYTHING, ()))


def _by_kind(found: AskedSubject) -> bool:
    """Return whether a question is answered by the class of its subject or the brand it names."""
    return found.topic.startswith(_OF_BRANDS) or found.topic in (*CLASSES, UNKNOWN, IDEA)


@cache
def _general() -> tuple[tuple[str, Pattern], ...]:
    return patterns_of("general")


_NOTHING_KNOWN = (UNKNOWN, MATTER, ANYTHING)


@lru_cache(maxsize=2048)
def grasp(text: str, found: AskedSubject) -> float:
    """Return the share of a question's subject words known to its answer bank, from 0 to 1.

    Words are weighted by their rarity among banks, and count as known if the patterns and examples of the
    bank contain them or if they identify the class of the subject. A question without subject words ("What
    would you change?") counts as understood. For something described before the question, or for a thing to
    buy, knowing its class is enough.

    Examples
    --------
    >>> text = "What do you think about coffee?"
    >>> grasp(text, understood(text, text, False))
    1.0
    >>> text = "What do you do with the hubcaps of your grandfather's tractor?"
    >>> grasp(text, understood(text, text, False)) < HARDLY
    True
    """
    trade = found.topic.startswith(_OF_BRANDS)
    words = spoken_of(without_brands(text) if trade else found.source if found.topic in CLASSES else text)
    every = sum(words.values())
    if not every:
        return 1.0
    if found.topic == ANYTHING:
        return 0.0
    known = set(knows_of(found.topic, words))
    if trade:
        known.update(each for topic in _BRANDS_TOO for each in knows_of(topic, words))
    if found.topic in CLASSES or found.topic in (UNKNOWN, IDEA):
        kinds = (found.topic, CLASSES.get(found.topic))
        named = [each for each in _WORD.findall(text.lower()) if class_of(each) in kinds]
        known.update(spoken_of(" ".join((found.subject or "", *named))))
    share = sum(weight for each, weight in words.items() if each in known) / every
    described = found.topic in (*CLASSES, UNKNOWN) and found.source not in ("", text)
    ware = found.subject is not None and (found.topic in WARES or CLASSES.get(found.topic) in WARES)
    return max(share, _OF_A_KIND) if described or ware else share
