"""Answers to questions about the profile, as coded values and in words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.draws import draws, key
from voxpop.engines.option_order import OTHER
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, CATEGORY, INTEGER, NUMBER, RANKING
from voxpop_simulator.questions.how_often import USUAL, frequencies, habit_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_words import main_sentence
from voxpop_simulator.stances.profile_options import (
    LEVELS,
    escape_option,
    field_of,
    place_of,
    tests_for,
)
from voxpop_simulator.stances.profile_reading import combined, value_field, yes_no_test
from voxpop_simulator.stances.profile_speech import HEALTH_FIELDS, NOT_KNOWN, NOT_SAID, held, say
from voxpop_simulator.stances.profile_tests import ProfileTest, band_middle

Answered = tuple[Any, str]
_YES = Pattern(r"^(?:yes|true|agree|y$|i do|i am|i have)", re.I)
_NO = Pattern(r"^(?:no\b|false|disagree|n$|i don'?t|i'm not|i am not)", re.I)


@dataclass(frozen=True, slots=True)
class ProfileAnswer:
    """A profile answer to one question: ``answer(agent)`` returns the value and the words."""

    field: str
    answer: Callable[[Agent], Answered]
    decides: Callable[[Agent], bool | None] | None = None

    def is_for(self, agent: Agent) -> bool:
        """Return whether the profile answers for an agent.

        It does not for an opinion on one's own health that the profile lacks: everybody has one. Nor does it
        for what it decides only for some, such as a pregnancy.
        """
        if self.decides is not None:
            return self.decides(agent) is not None
        return self.field != "self_rated_health" or held(agent, self.field) is not None


@lru_cache(maxsize=1024)
def profile_answer(question: Question) -> ProfileAnswer | None:
    """Return the profile answer to a question, or None if the profile lacks the attribute.

    Examples
    --------
    >>> profile_answer(Question("Do you take a GLP-1 medicine?", "yes_no")).field
    'health_drug_classes'
    >>> profile_answer(Question("Would you take a GLP-1 medicine?", "yes_no")) is None
    True
    """
    sentence = main_sentence(question.text)
    if question.shape is RANKING:
        return None
    test = yes_no_test(sentence)
    if question.shape is BOOLEAN:
        return ProfileAnswer(test.field, _yes_no(test), test.holds if test.some else None) if test else None
    field = value_field(sentence)
    if field is None and question.text != sentence:
        field = value_field(question.text)
    if field is None and question.shape is CATEGORY and not _NOT_SELF.search(question.text):
        field = field_of(question.options)
    if question.shape is CATEGORY and _PHQ_ITEM.search(question.text):
        return _phq_item(question)
    if question.shape in (CATEGORY, CATEGORIES):
        return _by_options(question, field, test)
    if field is None:
        return ProfileAnswer(test.field, _in_words(test)) if test and not question.shape.coded else None
    if question.shape is NUMBER:
        return _number(field)
    if question.shape is INTEGER:
        return _scaled(question, field)
    return ProfileAnswer(field, lambda agent: (held(agent, field), say(agent, field)))


_PHQ_ITEM = Pattern(r"\b(?:last|past) (?:2|two) weeks\b.*\bbothered by\b", re.I)


def _phq_item(question: Question) -> ProfileAnswer | None:
    """Answer one of the nine items of the PHQ-9, 0 to 3, so that the expected sum is the profile's score.

    Kroenke, Spitzer & Williams 2001, Journal of General Internal Medicine 16:606.
    """
    levels = tuple(option for option in question.options if not escape_option([option]))
    if len(levels) != 4:
        return None
    levels = levels if _NOT_AT_ALL.match(levels[0]) else levels[::-1]
    item, unknown = key("phq item", question.text), escape_option(question.options)

    def answer(agent: Agent) -> Answered:
        score = held(agent, "phq9_score")
        if score is None:
            return unknown, unknown or NOT_KNOWN
        chosen = levels[min(int(score / 9 + draws(item, agent.uuid.encode())[0] / 65536), 3)]
        return chosen, f"{chosen}."

    return ProfileAnswer("phq9_score", answer)


_NOT_AT_ALL = Pattern(r"not at all|never|none", re.I)


def _yes_no(test: ProfileTest) -> Callable[[Agent], Answered]:
    def answer(agent: Agent) -> Answered:
        holds = test.holds(agent)
        if holds is None:
            return None, unsaid(test.field)
        return holds, f"{'Yes' if holds else 'No'}, {_lower(test.speak(agent))}"

    return answer


def unsaid(field: str) -> str:
    """Return the words of an agent without the attribute."""
    return NOT_KNOWN if field in HEALTH_FIELDS else NOT_SAID


def _in_words(test: ProfileTest) -> Callable[[Agent], Answered]:
    answer = _yes_no(test)
    return lambda agent: (None, answer(agent)[1])


def _lower(sentence: str) -> str:
    return sentence if re.match(r"I\b|I'", sentence) else sentence[0].lower() + sentence[1:]


def _by_options(question: Question, field: str | None, test: ProfileTest | None) -> ProfileAnswer | None:
    options = question.options
    if (
        test is not None
        and any(_YES.match(option) for option in options)
        and any(_NO.match(option) for option in options)
    ):
        return ProfileAnswer(test.field, _yes_no_option(test, options))
    if field in _RANGES:
        real = tuple(option for option in options if not escape_option([option]))
        rates = frequencies(real, habit_of(question.text) or USUAL) if len(real) > 1 else None
        if rates and any(_COUNTED.search(option) for option in real):
            return ProfileAnswer(field, _nearest(field, real, rates, escape_option(options)))
    tests = tests_for(field, options) if field else None
    if tests is None and field is None and test is not None:
        field = test.field
        tests = tests_for(field, options)
    if tests is None and _about_self(question.text):
        tests = _own_words(options)
        field = next((each.field for each in tests if each is not None), None) if tests else None
    if tests is None or field is None:
        return None
    if question.shape is CATEGORIES:
        return ProfileAnswer(field, _many(field, options, tests))
    return ProfileAnswer(field, _one(field, options, tests))


_SELF = Pattern(
    r"\b(?:are you|do you (?:currently )?(?:have|take|live|use)|describes? you\b|apply to you"
    r"|applies to you|you (?:have|take) any|true (?:of|for) you)",
    re.I,
)
_NOT_SELF = Pattern(
    r"\b(?:prefer|like|want|would|worried|concerned|trust|think|important|interested|buy)\b", re.I
)


def _about_self(text: str) -> bool:
    return bool(_SELF.search(text)) and not _NOT_SELF.search(text)


def _own_words(options: Sequence[str]) -> list[ProfileTest | None] | None:
    """Return tests for options that are statements themselves ("Retired", "A parent", "Over 40")."""
    tests = [
        None
        if escape_option([option]) or escape_option([option], none=True) or OTHER.match(option)
        else combined(option)
        for option in options
    ]
    plain = [
        test
        for test, option in zip(tests, options, strict=True)
        if not (escape_option([option]) or escape_option([option], none=True) or OTHER.match(option))
    ]
    return tests if len(plain) >= 2 and all(test is not None for test in plain) else None


def _yes_no_option(test: ProfileTest, options: Sequence[str]) -> Callable[[Agent], Answered]:
    said = {
        holds: [option for option in options if pattern.match(option)]
        for holds, pattern in ((True, _YES), (False, _NO))
    }
    unknown, which = escape_option(options), key("which yes", *options)

    def answer(agent: Agent) -> Answered:
        holds = test.holds(agent)
        if holds is None:
            return unknown, unknown or unsaid(test.field)
        fitting = said[holds]
        chosen = fitting[draws(which, agent.uuid.encode())[0] % len(fitting)]
        return chosen, f"{chosen}, {_lower(test.speak(agent))}"

    return answer


def _one(
    field: str, options: Sequence[str], tests: Sequence[ProfileTest | None]
) -> Callable[[Agent], Answered]:
    unknown = escape_option(options)
    none = escape_option(options, none=True)
    other = next((option for option in options if OTHER.match(option)), None)
    spread = key("profile option", field, *options)

    def answer(agent: Agent) -> Answered:
        true = [
            option
            for option, test in zip(options, tests, strict=True)
            if test is not None and test.holds(agent)
        ]
        if not true:
            if not all(test is None or test.holds(agent) is not None for test in tests):
                return unknown, unknown or unsaid(field)
            chosen = none or other or unknown
            return chosen, f"{chosen}." if chosen else "None of those fits me."
        pick = 0 if len(true) == 1 else draws(spread, agent.uuid.encode())[0] % (2 * len(true))
        chosen = true[pick % len(true) if pick < len(true) else 0]
        return chosen, f"{chosen}. {say(agent, field)}" if field not in (
            "household_income",
        ) else f"{chosen}."

    return answer


def _many(
    field: str, options: Sequence[str], tests: Sequence[ProfileTest | None]
) -> Callable[[Agent], Answered]:
    none = escape_option(options, none=True)

    def answer(agent: Agent) -> Answered:
        if field in HEALTH_FIELDS and (agent.health_profile is None or held(agent, field) is None):
            return None, NOT_KNOWN
        chosen = [
            option
            for option, test in zip(options, tests, strict=True)
            if test is not None and test.holds(agent)
        ]
        if not chosen and any(test is not None and test.holds(agent) is None for test in tests):
            return None, unsaid(field)
        if not chosen:
            return ([none] if none else []), "None of these."
        return chosen, f"{', '.join(chosen)}."

    return answer


def _number(field: str) -> ProfileAnswer | None:
    if field in ("age", "rx_medication_count", "bmi", "phq9_score", *_COUNTS):
        return ProfileAnswer(field, lambda agent: (held(agent, field), say(agent, field)))
    if field == "household_income":
        return ProfileAnswer(field, _income)
    if field in ("physical_activity_level", "alcohol_use"):
        return ProfileAnswer(field, _times(field))
    return None


_COUNTS = ("household_size", "children_count", "youngest_child_age")


def _income(agent: Agent) -> Answered:
    if agent.household_income is None:
        return None, unsaid("household_income")
    amount = int(band_middle(agent.household_income)) // 1000 * 1000
    return amount, f"About ${amount:,} a year."


_RANGES = {
    "physical_activity_level": {"low": (0, 1), "moderate": (2, 4), "high": (5, 7)},
    "alcohol_use": {"none": (0, 0), "light": (1, 3), "moderate": (4, 10), "heavy": (14, 28)},
}


def _times(field: str) -> Callable[[Agent], Answered]:
    spread = key("profile times", field)

    def answer(agent: Agent) -> Answered:
        level = held(agent, field)
        if level is None:
            return None, NOT_KNOWN
        low, high = _RANGES[field][level]
        count = low + draws(spread, agent.uuid.encode())[0] % (high - low + 1)
        return count, f"About {count} a week. {say(agent, field)}" if count else f"None. {say(agent, field)}"

    return answer


_COUNTED = Pattern(r"day|dai|week|month|year|times", re.I)


def _nearest(
    field: str, options: Sequence[str], rates: Sequence[float], unknown: str | None
) -> Callable[[Agent], Answered]:
    """Answer a frequency question with the option nearest to the weekly rate of the profile's level."""
    times = _times(field)
    often = key("profile often", field)

    def answer(agent: Agent) -> Answered:
        count, text = times(agent)
        if count is None:
            return unknown, unknown or text
        if count == 1 and draws(often, agent.uuid.encode())[0] % 2:
            count = 0.3  # once a week as a whole number is often less
        gaps = [abs(math.log10(52 * count + 3) - math.log10(rate + 3)) for rate in rates]
        chosen = options[gaps.index(min(gaps))]
        return chosen, f"{chosen}. {say(agent, field)}"

    return answer


def _scaled(question: Question, field: str) -> ProfileAnswer | None:
    scale = question.scale
    if scale is None or field not in LEVELS:
        return None
    levels = LEVELS[field]
    spread = key("profile scale", field)
    flip = falls(scale.min_label, scale.max_label)

    def answer(agent: Agent) -> Answered:
        level = held(agent, field)
        if level is None:
            return None, unsaid(field)
        at = place_of(levels.index(level), len(levels), scale.points)
        if scale.points > 2 * len(levels):
            at += draws(spread, agent.uuid.encode())[0] % 3 - 1
        at = min(max(at, 0), scale.points - 1)
        value = scale.max - at if flip else scale.min + at
        return value, f"{value}. {say(agent, field)}"

    return ProfileAnswer(field, answer)


_GOOD = Pattern(
    r"\b(?:best|excellent|very good|great|very (?:satisfied|likely|happy|important|well|healthy|active)"
    r"|extremely (?!un|dis)|strongly agree|highest|most|always|perfect|completely (?!un|dis)"
    r"|outstanding|love)",
    re.I,
)
_BAD = Pattern(
    r"\b(?:worst|poor|terrible|awful|bad|very (?:dis\w+|un\w+|poor|bad)|not at all|strongly disagree"
    r"|lowest|least|never|hate|extremely (?:un|dis)\w+)",
    re.I,
)


def falls(min_label: str | None, max_label: str | None) -> bool:
    """Return whether the low end of a scale is its good end ("where 1 is best").

    Examples
    --------
    >>> falls("best", None), falls("not at all", "very much"), falls(None, None)
    (True, False, False)
    """
    low, high = min_label or "", max_label or ""
    return bool(
        (_GOOD.search(low) and not _BAD.search(low)) or (_BAD.search(high) and not _GOOD.search(high))
    )
