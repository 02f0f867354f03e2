"""The form of an open question: likes, reasons, a routine, a story, changes and others."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import patterns_of

DOMAINS = ("life", "food", "money", "tech", "body", "world", "leisure")
"""Parts of life by which questions and answer lines are sorted."""

_REACTION = Pattern(
    r"how would you (?:feel(?! about)|react|respond)|what would you do if"
    r"|what would your reaction",
    re.I,
)
_CLAUSE_FIRST = Pattern(
    r"^(?:when(?:ever)?|once|while|after|before)"
    r" (?!(?:do|does|did|is|are|was|were|have|has|would|will|should|can)\b)[^?]{6,}?,?"
    r" (?=(?:what|how|who|why|which|where)(?:'s)? (?:\w+ )?(?:do|does|did|is|are|was|were|would|will"
    r"|could|should|can|have|has|goes|comes|happens|you|your)\b)",
    re.I,
)
"""A clause before a question: "When an app asks you to rate it, what do you do?"."""
_LOOKED_AT = 600  # characters: some patterns take quadratic time, and 10,000 took twenty seconds
STORIES = frozenset(("routine", "plans", "trip", "trip_past", "show", "breakfast", "lunch", "dinner"))
"""Forms that are answered with a personal story."""


@cache
def _forms() -> tuple[tuple[str, Pattern], ...]:
    return patterns_of("forms")


@cache
def replies() -> tuple[tuple[str, Pattern], ...]:
    """Return the topics of questions with their own answer bank, with their patterns."""
    return tuple(row for domain in DOMAINS for row in patterns_of(f"replies_{domain}"))


@cache
def _reasons() -> tuple[tuple[str, Pattern], ...]:
    return patterns_of("reasons")


def reasons_for(sentence: str) -> str | None:
    """Return the bank that explains an answer to a coded question, or None if its topic does.

    Examples
    --------
    >>> reasons_for("Would you buy this product?"), reasons_for("Do you like your job?")
    ('buy_it', None)
    """
    return next((name for name, pattern in _reasons() if pattern.search(sentence)), None)


@lru_cache(maxsize=2048)
def form_of(sentence: str) -> str:
    """Return the form of a question, or ``else`` if no pattern matches.

    For "When a store asks for your number, what do you do?" it is the form after the clause.

    Examples
    --------
    >>> form_of("What annoys you about parking?"), form_of("Describe your skincare routine.")
    ('dislike', 'habit')
    >>> form_of("How has inflation changed the way you shop?")
    'change'
    """
    asks = _CLAUSE_FIRST.sub("", sentence)
    return next(name for name, pattern in _forms() if pattern.search(asks))


@lru_cache(maxsize=2048)
def reply_of(sentence: str, before: str = "") -> str | None:
    """Return the topic of a question with its own answer bank, or None.

    If several topics match, the one that covers most words is returned. The words ``before`` a question may
    be part of it, as in "This is our logo. What is it trying to say?". Of long texts, the end of the words
    before and the beginning of the question are read.

    Examples
    --------
    >>> reply_of("What are you most proud of?"), reply_of("What do you think of tea?")
    ('proud', None)
    """
    before, sentence = before[-_LOOKED_AT:], sentence[:_LOOKED_AT]
    text = f"{before} {sentence}" if before else sentence
    found = [(match, name) for name, pattern in replies() if (match := pattern.search(text))]
    found = [each for each in found if each[0].end() > len(before) + (1 if before else 0)]
    return max(found, key=lambda each: len(each[0][0]))[1] if found else None


def asks_reaction(sentence: str) -> bool:
    """Return whether a question asks for the reaction to a possible event.

    Examples
    --------
    >>> asks_reaction("How would you feel if the store closed?")
    True
    """
    return bool(_REACTION.search(sentence))
