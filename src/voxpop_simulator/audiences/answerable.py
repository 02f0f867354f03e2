"""Whether a screening question asks for what its figures say, and for nothing else."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.engines.question import Question
from voxpop.vocabulary import FIELDS
from voxpop_simulator.questions.topics import stem
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.stances.life_facts import SCREENS
from voxpop_simulator.stances.stance import plan_of

_ASKING = word_set(
    "do did does are is am have has you your yourself a an the any at on in of to or own keep use got get "
    "drive drink "
    "wear visit watch member belong currently now home household account been be with from as live i"
)

_COUNT = re.compile(r"\b(?:\d+|two|three|four|five|use to|or more|at least|more than)\b", re.I)
"""Amounts and past habits, which a figure on having or doing something says nothing about."""


@lru_cache(maxsize=2048)
def stray_words(question: str) -> tuple[str, ...]:
    """Return the words of a yes/no question that the profile field or figure behind its answers is not about.

    A question that rests on neither has none: it cannot be answered at all, and is refused where it is asked.

    Examples
    --------
    >>> stray_words("Do you own a dog?"), stray_words("Do you own two dogs?")
    ((), ('amount',))
    >>> stray_words("Do you drink coffee every day?"), stray_words("Do you own a dog every day?")
    ((), ('every', 'day'))
    >>> stray_words("Do you have 10+ years of experience?")
    ('10', 'years', 'experience')
    """
    plan = plan_of(Question(question, "yes_no"))
    if plan.fact is not None and _COUNT.search(question):
        return ("amount",)
    if plan.fact is not None:
        screen = next((one for one in SCREENS if one.name == plan.fact.name), None)
        if screen is None:
            return ()
        return _beyond(question, frozenset((*_named(screen.pattern), *_told(screen.source))))
    if plan.profile is None:
        return ()
    return _beyond(question, _words_of_field(plan.profile.field))


@lru_cache(maxsize=2048)
def rests_on_profile(question: str) -> bool:
    """Return whether agents answer a yes/no question from their profile.

    Examples
    --------
    >>> rests_on_profile("Do you have ADHD?"), rests_on_profile("Do you bake bread?")
    (True, False)
    """
    return plan_of(Question(question, "yes_no")).profile is not None


@lru_cache(maxsize=2048)
def is_figured(question: str) -> bool:
    """Return whether the answers to a yes/no question rest on the profile or on a published figure.

    Examples
    --------
    >>> is_figured("Are you pregnant?"), is_figured("Do you bake bread?")
    (True, False)
    """
    plan = plan_of(Question(question, "yes_no"))
    return plan.profile is not None or plan.fact is not None


def _named(pattern: str) -> list[str]:
    """Return the words in a figure's pattern, joined where a space may be missing ("tik ?tok")."""
    plain = re.sub(r"\\[a-z]", " ", pattern)
    return re.findall(r"[a-z]+", f"{plain} {plain.replace(' ?', '')}")


def _told(source: str) -> list[str]:
    """Return the words of a figure's source; what happened "in the past day" is done every day."""
    words = re.findall(r"[a-z]+", source.lower())
    return [*words, "every"] if "day" in words else words


def _beyond(question: str, known: frozenset[str]) -> tuple[str, ...]:
    stems = {stem(word) for word in known} | known
    said = re.findall(r"[a-z0-9]+", question.lower().replace("'s", ""))
    return tuple(
        word for word in said if word not in _ASKING and word not in stems and stem(word) not in stems
    )


@lru_cache(maxsize=128)
def _words_of_field(name: str) -> frozenset[str]:
    one = FIELDS.get(name)
    if one is None:
        return frozenset(name.replace("_", " ").split())
    told = [
        one.name,
        one.label,
        *one.levels,
        *one.aliases,
        *one.hints,
        *one.names,
        *(one.words or {}).values(),
    ]
    return frozenset(word for text in told for word in re.findall(r"[a-z0-9]+", str(text).lower()))
