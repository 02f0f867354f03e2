"""Understanding of questions: with few known words, the engine says so and claims little."""

from __future__ import annotations

import pytest

from voxpop_simulator.embedded import UNDERSTOOD_IN_PART, EmbeddedRespondent, notice_of
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.understanding import HARDLY, grasp
from voxpop_simulator.speech.answer_wording import asked_for
from voxpop_simulator.stances.stance import plan_of

FAMILIAR = (
    "What do you think about coffee?",
    "How do you feel about rising prices?",
    "What would make you trust a company more?",
    "What do you look for when buying a car?",
    "What do you think about Walmart?",
    "What do you do when you can't fall asleep?",
    "What would you want to know about a new vaccine?",
    "What comes to mind when you hear the word premium?",
    "Imagine a sparkling tea made from old bread. What do you think of it?",
    "What do you think of a self-cleaning birdcage?",
    "Imagine a robot that rolls down the sidewalk with your groceries. What is your first reaction?",
    "What would you change?",
    "Why?",
)
STRANGE = (
    "What do you do with the hubcaps of an old tractor?",
    "Why do you keep the subtitles switched on?",
    "How do you know that a kitchen sponge has had its day?",
    "Write a short obituary for a video store you used to love.",
    "When a recipe calls for an ingredient you don't have, what do you usually do?",
    "What should a lighthouse keeper never forget?",
)


@pytest.mark.parametrize("text", FAMILIAR)
def test_what_it_knows_needs_no_notice(text) -> None:
    assert notice_of(read_question(text)) is None


@pytest.mark.parametrize("text", STRANGE)
def test_what_it_hardly_knows_is_said_to_be_so(text) -> None:
    question = read_question(text)
    assert grasp(text, asked_for(plan_of(question))) < HARDLY
    assert notice_of(question) == UNDERSTOOD_IN_PART


@pytest.mark.parametrize(
    "text", ["How old are you?", "Describe your household income.", "Do you own a tractor with hubcaps?"]
)
def test_profile_and_coded_answers_are_read_otherwise(text) -> None:
    assert notice_of(read_question(text)) is None


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Why do you keep the subtitles switched on?", ("Why what", "didn't get a question")),
        ("When school sends home an email, what do you do with it?", ("My job is",)),
        ("When an app asks you to rate it, what do you usually do?", ("Mondays", "Fridays", "o'clock")),
    ],
)
def test_a_question_hardly_understood_is_answered_by_its_form(crowd, text, never) -> None:
    replies = EmbeddedRespondent().answer(crowd[:120], read_question(text), {}, seed=7)
    said = [reply.text for reply in replies]
    assert len(set(said)) > 100
    assert not [one for one in said if any(words in one for words in never)]
