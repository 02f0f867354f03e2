"""Topics of open questions by their words; the first match counts, narrow topics first."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.topics import content
from voxpop_simulator.questions.wordlists import patterns_of, rows_of

FAMILIES: dict[str, tuple[str, ...]] = {
    topic: tuple(families.split()) for families, topics in rows_of("families") for topic in topics.split(", ")
}
"""Topic -> families of matching sentences about one's own life."""
HEALTHY_TOPICS = frozenset(
    (
        *("indulgence", "healthy_living", "portions", "health_worry", "telehealth", "exercise", "tobacco"),
        *("strain", "medicine", "care", "sleep"),
    )
)
"""Topics in which people talk about their health."""


_KNOWN = r"(?:close )?(?:friends?|family(?: members?)?|colleagues?|relatives?|co-?workers?)"
_LISTENERS = Pattern(
    rf"\bif (?:a|your|an?y?) {_KNOWN} (?:told|asked|said to) you\b"
    rf"|\b(?:to|tell|advise) (?:(?:a|an|your|any|other|some) )?{_KNOWN}"
    rf"(?:(?:, or|, and|,| and| or) (?:(?:a|an|your) )?{_KNOWN})*",
    re.I,
)
"""Recipients of a recommendation of the subject."""


@cache
def topic_patterns() -> tuple[tuple[str, Pattern], ...]:
    """Return the topics with their patterns, narrow ones first."""
    return patterns_of("topics")


@lru_cache(maxsize=2048)
def topic_of(sentence: str) -> str | None:
    """Return the topic of a question, or None if no pattern matches.

    Examples
    --------
    >>> topic_of("What annoys you about grocery shopping?"), topic_of("What about a self-cleaning birdcage?")
    ('groceries', None)
    >>> topic_of("How likely are you to recommend your gym to a friend or colleague?")
    'gym'
    """
    about = _LISTENERS.sub("", sentence)
    return next((name for name, pattern in topic_patterns() if pattern.search(about)), None)


@lru_cache(maxsize=2048)
def beside_topic(sentence: str, topic: str) -> frozenset[str]:
    """Return the content words of a question that do not identify its topic.

    Examples
    --------
    >>> sorted(beside_topic("What do you think about the price of eggs?", "price"))
    ['egg']
    """
    for name, pattern in topic_patterns():
        if name == topic:
            sentence = pattern.sub(" ", sentence)
    return content(sentence)
