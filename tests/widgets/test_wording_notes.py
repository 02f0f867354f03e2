"""Wording notes: what a methodologist would criticise, and what not."""

from __future__ import annotations

import pytest

from voxpop.widgets.wording_notes import wording_notes

# Of the kinds that questionnaire textbooks warn of: double-barrelled, leading, negated, absolute.
REMARKED = {
    "How satisfied are you with the price and quality?": "Two things",
    "Is the app easy and useful?": "Two things",
    "How likely are you to trust or recommend us?": "Two things",
    "Do you smoke? Do you drink?": "More than one question mark",
    "Don't you think that taxes are too high?": "leads to an answer",
    "Wouldn't you agree that snacks are too sweet?": "leads to an answer",
    "How amazing was your stay?": "leads to an answer",
    "Most doctors say that sugar is bad. Do you eat less of it?": "leads to an answer",
    "You would switch, wouldn't you?": "leads to an answer",
    "Do you not agree that people should not smoke?": "negations",
    "Do you always read the label?": "Few can say yes",
    "Tell me about your day and what you": "End it as a question",
}
EVEN = (
    "How satisfied are you with the price?",
    "Would you switch to a lower-sugar snack?",
    "How much would you pay for a box of 12, in dollars?",
    "What would make you switch, and why?",
    "How satisfied or dissatisfied are you with your doctor?",
    "How likely are you to recommend it to friends or family?",
    "Do you own a dog?",
    "Have you ever smoked?",
)


@pytest.mark.parametrize("text", REMARKED)
def test_it_is_remarked(text: str) -> None:
    assert any(REMARKED[text] in note for note in wording_notes(text)), wording_notes(text)


@pytest.mark.parametrize("text", EVEN)
def test_even_wording_is_left_alone(text: str) -> None:
    assert wording_notes(text) == []


def test_open_questions_and_given_options_may_join_things() -> None:
    assert wording_notes("What is important to you in price and quality?", type="open") == []
    assert wording_notes("Which do you trust: brand and shop?", options=["brand", "shop"]) == []


def test_long_questions_and_options_that_fit_not_everybody() -> None:
    assert any("shorter" in note for note in wording_notes("word " * 40 + "?"))
    five = ["a", "b", "c", "d", "e"]
    assert any("Other" in note for note in wording_notes("Which one?", type="single_choice", options=five))
    assert wording_notes("Which one?", type="single_choice", options=[*five, "Other"]) == []


def test_options_that_tell_two_things_apart_join_nothing() -> None:
    judged = ("Very satisfied", "Satisfied", "Not satisfied", "Other")
    assert any("Two things" in note for note in wording_notes("Is the app easy and useful?", options=judged))
    which = "Which matters more to you, price or quality: how satisfied are you with each?"
    assert wording_notes(which, type="single_choice", options=("Price", "Quality")) == []
