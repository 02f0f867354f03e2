"""Sentence-completion items are read and answered like questions."""

from __future__ import annotations

import pytest

from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.completion import in_full
from voxpop_simulator.questions.question_words import read_question

PAIRS = [
    ("Occupation?", "What is your occupation?"),
    ("Household income?", "What is your household income?"),
    ("The best thing about summer is ___.", "What is the best thing about summer?"),
    ("A good doctor is one who ...", "What makes a good doctor?"),
    ("Complete the sentence: I would exercise more if…", "What would make you exercise more?"),
    ("When I think of my bank, I think of...", "What comes to mind when you think of your bank?"),
    ("When I shop online, I worry that ____", "What worries you when you shop online?"),
    ("If I could change one thing about my job, it would be ...", "What would you change about your job?"),
    ("My favorite snack is ___", "What is your favorite snack?"),
    ("I don't eat breakfast because ...", "Why don't you eat breakfast?"),
    ('Please finish this sentence: "The ideal vacation is ..."', "What is the ideal vacation?"),
    ("If I won the lottery, I would ...", "What would you do if you won the lottery?"),
    ("Finish the thought: I would like to exercise more, but...", "What keeps you from exercising more?"),
    (
        "Complete this in your own words: People who shop at Walmart are ...",
        "What kind of people shop at Walmart?",
    ),
]


@pytest.mark.parametrize(("begun", "meant"), PAIRS)
def test_a_sentence_to_be_completed_gets_the_answers_of_its_question(crowd, begun, meant) -> None:
    engine = EmbeddedRespondent()
    one, other = read_question(begun), read_question(meant)
    assert (one.type, one.text) == ("open", begun)
    assert list(engine.answer(crowd[:60], one, {}, seed=7)) == list(
        engine.answer(crowd[:60], other, {}, seed=7)
    )


@pytest.mark.parametrize(
    "text",
    [
        "What do you think of tea?",
        "Why?",
        "Which would you buy? Red, green, blue ...",
        "Complete silence: do you like it?",
        "Mondays ...",
    ],
)
def test_any_other_text_stays_as_it_is(text) -> None:
    assert in_full(text) == text
