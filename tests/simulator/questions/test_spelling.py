"""Carelessly typed questions are read and answered like well-formed ones."""

from __future__ import annotations

import pytest

from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.spelling import spelled_out

PAIRS = [
    ("whats the worst part of flying", "what's the worst part of flying"),
    ("do u own a dog", "do you own a dog"),
    ("how old r u", "how old are you"),
    ("tell me abt ur last dr visit", "tell me about your last doctor visit"),
    ("how many times a wk do u exercise", "how many times a week do you exercise"),
    ("Why'd u cancel?", "Why did you cancel?"),
    ("What do u have for bfast w/o coffee?", "What do you have for breakfast without coffee?"),
    ("Why dont ppl vote?", "Why don't people vote?"),
]


@pytest.mark.parametrize(("typed", "meant"), PAIRS)
def test_a_question_typed_short_gets_the_answers_of_the_one_that_is_meant(crowd, typed, meant) -> None:
    engine = EmbeddedRespondent()
    one, other = read_question(typed), read_question(meant)
    assert (one.type, one.options, one.scale) == (other.type, other.options, other.scale)
    assert list(engine.answer(crowd[:60], one, {}, seed=7)) == list(
        engine.answer(crowd[:60], other, {}, seed=7)
    )


@pytest.mark.parametrize("typed", [typed for typed, _ in PAIRS])
def test_the_question_stays_as_it_was_typed(typed) -> None:
    assert read_question(typed).text == typed


@pytest.mark.parametrize(
    "text",
    [
        "Do you drink Dr Pepper?",
        "Did Dr. Smith listen to you?",
        "Do you use R or Python?",
        "Is it made in the U.S.?",
        "Write to u@example.org.",
        "The U-turn, the w/h ratio and the B&W film.",
    ],
)
def test_names_and_signs_are_no_short_words(text) -> None:
    assert spelled_out(text) == text
