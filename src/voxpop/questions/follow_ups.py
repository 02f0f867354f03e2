"""What a question of a study refers to: something offered that an earlier one described, or what it asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from voxpop.questions.asking import asked, names_nothing
from voxpop.questions.context import OFFER_MADE, thing_described
from voxpop.questions.patterns import Pattern
from voxpop.questions.question import Question
from voxpop.questions.reading import FOLLOW_UP, PROBE, main_sentence
from voxpop.questions.topics import content

_POINTS = Pattern(
    r"\b(?:it|its|this|these|those|them|they)\b|\bthat(?=[?.,!]|$| (?:one|idea|product)\b)", re.I
)
_POINTS_AT_NOTHING = Pattern(
    r"\b(?:is|was|be|does|has|find|make|makes|made|take|takes) it (?:\w+ ){0,3}?(?:to|that|when|if)\b"
    r"|\bwhen it comes\b|\bit (?:take|comes?|matter)\b"
    r"|\bth(?:is|ese) (?:days?|week|month|year|summer|winter|spring|fall|morning|time|country|town|city|study"
    r"|survey)\b|\b(?:people|friends|those|others|children|kids|parents) \w+(?: \w+){0,3} (?:they|them)\b",
    re.I,
)
_THE = Pattern(r"\b(?:the|this|that|these|those|our|such an?) (?:new )?((?:[\w'-]+ ){0,2}?[\w'-]+)\b", re.I)
_PRICE = Pattern(r"[$£€¥₹]\s?\d[\d,.]*\d|[$£€¥₹]\s?\d")
_OF_OFFERS = Pattern(
    r"^(?:at |for )?what (?:would be a (?:fair|good) |(?:fair |maximum |highest )?)price\b"
    r"|^how much would (?:you (?:be willing to |expect to )?pay|be)\b"
    r"(?! (?:for|to) (?!a (?:month|year|week)\b))"
    r"|\b(?:unclear|confusing|missing|unique|believable|credible|stands? out|hard to understand)\b"
    r"|\bfirst (?:impression|reaction|thought)s?\b"
    r"|^(?:would you|how (?:likely|interested|willing) (?:are|would) you)(?: be)?(?: (?:to|in))?"
    r" (?:buy|buying|subscrib\w+|sign\w* up|order\w*|try(?:ing)?|us(?:e|ing)|join\w*)(?: today)?\?",
    re.I,
)
"""Questions that are put about something offered and need not name it."""
_ANY_OFFER = frozenset(("product", "idea", "concept", "service", "offer", "proposal"))


def in_study(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions of a study, in their order, each with what it refers to in front of it.

    What an earlier question described as something offered stands before each later one that points at it
    ("Would you buy it?", "What would the box have to cost?") until another subject comes up; a question for
    more of the same stands after the open question that it follows.

    Examples
    --------
    >>> first = Question("Imagine a tea made from old bread. Would you try it?", "yes_no")
    >>> later = Question("What would you change about it?", "open")
    >>> in_study([first, later])[1].text
    'Imagine a tea made from old bread. What would you change about it?'
    >>> own = Question("What do you like about your bank?", "open")
    >>> in_study([first, own, Question("Can you give an example?", "open")])[2].text
    'What do you like about your bank? Can you give an example?'
    """
    made: list[Question] = []
    offers: list[str] = []
    at_hand = opened = ""
    for question in questions:
        text = question.text
        if probes(text):
            text = f"{opened} {text}" if opened and question.type == "open" else text
        elif not FOLLOW_UP.match(text):
            if offer := offer_in(text):
                offers.append(offer)
                at_hand = offer
            else:
                at_hand = _named(text, offers) or (at_hand if _goes_on(question, at_hand) else "")
                text = f"{at_hand} {text}" if at_hand else text
            if question.type != "open" or not _says_nothing(question.text):
                opened = text if question.type == "open" else ""
        made.append(question if text == question.text else replace(question, text=text))
    return tuple(made)


@lru_cache(maxsize=1024)
def offer_in(text: str) -> str:
    """Return what a question describes as something offered before it asks; "" where it does not.

    Examples
    --------
    >>> offer_in("We plan a new bus line. Would you use it?"), offer_in("Do you own a car?")
    ('We plan a new bus line.', '')
    """
    before = " ".join(text.split()).partition(main_sentence(text))[0].strip()
    return before if OFFER_MADE.search(before) else ""


def probes(text: str) -> bool:
    """Return whether a question asks for nothing but more of what was just said.

    Examples
    --------
    >>> probes("How so?"), probes("Could you tell me a bit more about that?"), probes("Why?")
    (True, True, False)
    """
    return bool(PROBE.match(" ".join(text.split())))


@lru_cache(maxsize=1024)
def points_back(question: Question) -> bool:
    """Return whether a question points at something that it does not name.

    Examples
    --------
    >>> points_back(Question("Would you buy it?", "yes_no"))
    True
    >>> points_back(Question("Is it hard to find time for sports?", "yes_no"))
    False
    """
    if _POINTS.search(_POINTS_AT_NOTHING.sub(" ", question.text)):
        return True
    return question.type == "open" and _says_nothing(question.text)


def _goes_on(question: Question, at_hand: str) -> bool:
    """Return whether a question is about what is at hand: it points at it, or asks what offers are asked."""
    priced = set(_PRICE.findall(question.text))
    return points_back(question) or bool(
        _OF_OFFERS.search(question.text) or priced & {*_PRICE.findall(at_hand)}
    )


def _says_nothing(text: str) -> bool:
    return names_nothing(asked(main_sentence(text), False))


def _named(text: str, offers: Sequence[str]) -> str:
    """Return the last offer that a question names with "the", or "" where it names none."""
    nouns = {word for found in _THE.findall(text) for word in content(found)} if offers else set()
    if nouns & _ANY_OFFER:
        return offers[-1]
    return next((offer for offer in reversed(offers) if nouns & content(_head(offer))), "")


def _head(offer: str) -> str:
    """Return the noun of the thing that is offered."""
    return (thing_described(offer) or "").rpartition(" ")[2]
