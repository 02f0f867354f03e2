"""An open question read whole: the sentence that asks, what is said before it, and what it is like."""

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
"""Below this share of known words a question is answered in general terms."""
IN_PART = 0.5
"""Below this share whoever asks is told so; how such questions fare stands in docs/simulator.md."""
_OWN_KIND = ("reply", "who", "when", "sources", "more", "words", "know", "audience", "versus")
"""Forms whose answers are of the right kind whatever the question is about."""
_CHANCE = 0.175
"""Below this share a topic is hardly ever the question's own."""
_OF_A_KIND = 0.5
"""The least that is grasped of something described of which the kind is known."""
_WORD = Pattern(r"[a-z'-]+")
_OF_BRANDS = "brand of "
_BRANDS_TOO = ("brand", "shopping", "service")
"""What the lines about a trade's brands speak of, too."""


@lru_cache(maxsize=2048)
def understood(text: str, sentence: str, turned: bool) -> AskedSubject:
    """Return what an open question asks for.

    Parameters
    ----------
    text : str
        The whole question.
    sentence : str
        Its sentence that asks.
    turned : bool
        Whether a yes would speak against what it is about.

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
    """Return a question that is hardly understood as what it asks of anything: what one does, or why.

    Where next to nothing is known of it, its topic is a chance hit: what is offered before it is an idea like
    any other, and the rest gets lines that claim nothing.
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
    """Return whether a question is answered by what kind of thing it is about, or whose brand it names."""
    return found.topic.startswith(_OF_BRANDS) or found.topic in (*CLASSES, UNKNOWN, IDEA)


@cache
def _general() -> tuple[tuple[str, Pattern], ...]:
    return patterns_of("general")


_NOTHING_KNOWN = (UNKNOWN, MATTER, ANYTHING)


@lru_cache(maxsize=2048)
def grasp(text: str, found: AskedSubject) -> float:
    """Return how much of what a question speaks of the bank knows that answers it, from 0 to 1.

    It is the share of the question's words, each weighed by how few banks know it, that the patterns and
    examples of the bank hold, or that say what kind of thing it is about. A question that speaks of nothing
    ("What would you change?") is grasped. Of something described before the question, or of a thing to buy,
    it is enough to know what kind of thing it is.

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
