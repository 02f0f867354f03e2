"""References of a study's questions to earlier ones: to a described offer, or to an earlier subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from voxpop.engines.question import Question
from voxpop_simulator.questions.brands import brands_in
from voxpop_simulator.questions.context import OFFER_MADE, thing_described
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_words import AT_ANOTHER, FOLLOW_UP, PROBE, main_sentence
from voxpop_simulator.questions.subject_asked import asked, names_nothing
from voxpop_simulator.questions.topics import content
from voxpop_simulator.questions.units import PRICE

_POINTS = Pattern(
    r"\b(?:it|its|this|these|those|them|they|their)\b|\bthat(?=[?.,!]|$| (?:one|idea|product)\b)", re.I
)
_POINTS_AT_NOTHING = Pattern(
    r"\b(?:is|was|be|has|find|make|makes|made|take|takes) it (?:\w+ ){0,3}?(?:to|that|when|if)\b"
    r"|\bwhen it comes\b|\bit (?:take|comes?|matter)\b"
    r"|\bth(?:is|ese) (?:days?|week|month|year|summer|winter|spring|fall|morning|time|country|town|city|study"
    r"|survey)\b|\b(?:people|friends|those|others|children|kids|parents) \w+(?: \w+){0,3} (?:they|them)\b",
    re.I,
)
_THE = Pattern(r"\b(?:the|this|that|these|those|our|such an?) (?:new )?((?:[\w'-]+ ){0,2}?[\w'-]+)\b", re.I)
_NUMBER = Pattern(r"\d[\d,.]*\d|\d")
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
"""Questions that are asked about an offer without naming it."""
_THE_BRAND = Pattern(r"\b(?:the|this|that) (?:brand|company|maker)\b", re.I)
_ANY_OFFER = frozenset(("product", "idea", "concept", "service", "offer", "proposal"))


def in_study(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions of a study, in order, each with its references resolved in its text.

    The description of an offer in an earlier question is put before each later question that refers to it
    ("Would you buy it?", "What would the box have to cost?") until the subject changes. A pronoun is replaced
    by the name from the earlier question. A question for more of the same becomes the open question that it
    follows.

    Examples
    --------
    >>> first = Question("Imagine a tea made from old bread. Would you try it?", "yes_no")
    >>> later = Question("What would you change about it?", "open")
    >>> in_study([first, later])[1].text
    'Imagine a tea made from old bread. What would you change about it?'
    >>> own = Question("What do you like about your bank?", "open")
    >>> again = in_study([first, own, Question("How so?", "open"), Question("Do you trust it?", "yes_no")])
    >>> again[2].text, again[3].text
    ('What do you like about your bank?', 'Do you trust your bank?')
    """
    made: list[Question] = []
    offers: list[str] = []
    at_hand = named = opened = ""
    for question in questions:
        text = question.text
        if AT_ANOTHER.match(text):
            text = _at_another(text, made[-1].text) if made else text
        elif probes(text):
            text = opened if opened and not question.shape.coded else text
        elif not FOLLOW_UP.match(text):
            if offer := offer_in(text):
                offers.append(offer)
                at_hand, named = offer, ""
            elif offer := _named(text, offers) or (at_hand if _goes_on(question, at_hand) else ""):
                at_hand, named = offer, ""
                text = f"{offer} {text}"
            elif named and (_points(text) or _THE_BRAND.search(text)):
                text = _spelled(text, named)
            elif not points_back(question):
                at_hand, named = "", _subject(text) or named
            if question.shape.coded or not _says_nothing(question.text):
                opened = text if not question.shape.coded else ""
        made.append(question if text == question.text else replace(question, text=text))
    return tuple(made)


@lru_cache(maxsize=1024)
def offer_in(text: str) -> str:
    """Return the description of an offer at the start of a question, or an empty string.

    Examples
    --------
    >>> offer_in("We plan to open a bus line. Would you use it?"), offer_in("Do you own a car?")
    ('We plan to open a bus line.', '')
    """
    before = " ".join(text.split()).partition(main_sentence(text))[0].strip()
    return before if OFFER_MADE.search(before) else ""


def probes(text: str) -> bool:
    """Return whether a question only asks for more of the previous answer.

    Examples
    --------
    >>> probes("How so?"), probes("Could you tell me a bit more about that?"), probes("Why?")
    (True, True, False)
    """
    return bool(PROBE.match(" ".join(text.split())))


@lru_cache(maxsize=1024)
def points_back(question: Question) -> bool:
    """Return whether a question refers to something that it does not name.

    Examples
    --------
    >>> points_back(Question("Would you buy it?", "yes_no"))
    True
    >>> points_back(Question("Is it hard to find time for sports?", "yes_no"))
    False
    """
    if _points(question.text):
        return True
    return not question.shape.coded and _says_nothing(question.text)


def _at_another(text: str, before: str) -> str:
    """Return an earlier question with the price or the number of a later one.

    Examples
    --------
    >>> _at_another("And for $16?", "Would you buy it for $12 a month?")
    'Would you buy it for $16 a month?'
    >>> _at_another("What about 10 percent?", "Would you take a 5 percent pay cut?")
    'Would you take a 10 percent pay cut?'
    """
    sentence = main_sentence(before)
    number = PRICE.search(text) or _NUMBER.search(text)
    assert number is not None
    kind = PRICE if PRICE.match(number[0]) else _NUMBER
    if kind.search(sentence):
        asks = kind.sub(number[0], sentence)
    elif kind is PRICE:
        asks = f"{sentence.rstrip('?')} for {number[0]}?"
    else:
        return text
    return f"{before.partition(sentence)[0]}{asks}"


def _goes_on(question: Question, at_hand: str) -> bool:
    """Return whether a question is about the current offer: by reference, or by asking a typical question."""
    priced = set(PRICE.findall(question.text))
    return points_back(question) or bool(
        _OF_OFFERS.search(question.text) or priced & {*PRICE.findall(at_hand)}
    )


def _points(text: str) -> bool:
    return bool(_POINTS.search(_POINTS_AT_NOTHING.sub(" ", text)))


@lru_cache(maxsize=1024)
def _subject(text: str) -> str:
    """Return the brand or thing in a question that a later one may refer to, or an empty string.

    Examples
    --------
    >>> _subject("Have you heard of Oatly?"), _subject("What do you like about your bank?")
    ('Oatly', 'your bank')
    """
    name = name_in(text)
    if name or brands_in(text):
        return name
    found = asked(main_sentence(text), False)
    yours = re.match(r"(?:my|our) (?=[\w'-]+$)", found.subject or "")
    return f"your {found.subject[yours.end() :]}" if yours and found.subject else ""


@lru_cache(maxsize=1024)
def name_in(text: str) -> str:
    """Return the single brand or other name in a question; empty for none or several.

    Examples
    --------
    >>> name_in("Have you heard of Oatly?"), name_in("Have you heard of any new snacks?")
    ('Oatly', '')
    """
    brands = brands_in(text)
    if brands:
        return brands[0].name if len(brands) == 1 else ""
    return asked(main_sentence(text), False).name or ""


def _spelled(text: str, named: str) -> str:
    """Return a question with the pronoun replaced by a name."""
    if (found := _THE_BRAND.search(text)) is not None:
        return f"{text[: found.start()]}{named}{text[found.end() :]}"
    hidden = _POINTS_AT_NOTHING.sub(lambda match: "\0" * len(match[0]), text)
    at = _POINTS.search(hidden)
    if at is None:
        return text
    owner = "'s" if at[0].lower() in ("its", "their") else ""
    return f"{text[: at.start()]}{named}{owner}{text[at.end() :]}"


def _says_nothing(text: str) -> bool:
    return names_nothing(asked(main_sentence(text), False))


def _named(text: str, offers: Sequence[str]) -> str:
    """Return the last offer that a question names with "the", or an empty string."""
    nouns = {word for found in _THE.findall(text) for word in content(found)} if offers else set()
    if nouns & _ANY_OFFER:
        return offers[-1]
    return next((offer for offer in reversed(offers) if nouns & content(_head(offer))), "")


def _head(offer: str) -> str:
    """Return the noun of the offer."""
    return (thing_described(offer) or "").rpartition(" ")[2]
