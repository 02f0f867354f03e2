"""Well-known brands: known by name, spoken of by trade, chosen from when two are named."""

from __future__ import annotations

import pytest

from voxpop_simulator.questions.brands import brands_in, trades
from voxpop_simulator.questions.context import in_context
from voxpop_simulator.questions.pairs import pair_in
from voxpop_simulator.questions.subject_asked import PAIR, asked
from voxpop_simulator.questions.wordlists import table_sections
from voxpop_simulator.speech.texts import topics

ROWS = [line.split(" | ") for lines in table_sections("brands").values() for line in lines]


def test_every_brand_is_named_once_and_belongs_to_a_topic() -> None:
    names = [name for name, _ in ROWS]
    assert len(names) == len(set(names)) > 300
    assert {topic for _, topic in ROWS} <= set(topics())


def test_every_trade_has_lines_for_and_against() -> None:
    for trade in trades():
        kinds = topics()[trade]
        assert all(len(kinds[side]) >= 6 for side in "+-~"), trade


@pytest.mark.parametrize(
    ("text", "topic", "subject"),
    [
        ("What comes to mind when you think of Nike?", "brand of clothes", "Nike"),
        ("What do you like about McDonald's?", "brand of restaurants", "McDonald's"),
        ("How do you use Facebook?", "social_media", "Facebook"),
        ("What do you think of Apple's privacy policy?", "privacy", "apple's privacy policy"),
    ],
)
def test_a_brand_is_what_a_question_is_about_unless_other_words_say_more(text, topic, subject) -> None:
    found = asked(text, False)
    assert (found.topic, found.subject, found.name) == (topic, subject, None)


def test_ordinary_words_are_no_brands() -> None:
    assert brands_in("What is your target when you visit the gap in the apple market?") == ()


def test_two_brands_are_chosen_from() -> None:
    found = asked("Which do you prefer, Coke or Pepsi, and why?", False)
    assert (found.form, found.subject, found.others) == ("versus", "Coke", ("Pepsi",))
    told = in_context(asked("Tell us what makes you prefer one over the other.", False), "Coke or Pepsi?")
    assert (told.form, told.subject, told.others) == ("versus", "Coke", ("Pepsi",))


def test_two_things_are_chosen_from() -> None:
    found = asked("Do you prefer baths or showers, and why?", False)
    assert (found.form, found.topic, found.others) == ("versus", PAIR, ("showers",))
    assert pair_in("Would you buy it or not?") is None
