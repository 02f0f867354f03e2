"""A question of a study is understood with what it refers to: an offer made before, or what was asked."""

from __future__ import annotations

import pytest

from voxpop_simulator.questions.follow_ups import in_study, points_back, probes
from voxpop_simulator.questions.question_words import read_question

APP = "We are developing a new app that plans cheap dinners. It costs $5 a month."
FIRST = f"{APP} What is your first reaction?"


def told(*texts: str) -> list[str]:
    return [question.text for question in in_study([read_question(text) for text in texts])]


@pytest.mark.parametrize(
    "text",
    [
        "What do you like about it?",
        "How appealing is the app to you?",
        "Is $5 a month too much?",
        "At what price would it be too expensive?",
        "How much would you pay a month?",
        "Who do you think this app is for?",
        "What is unclear or confusing?",
        "What would you use instead?",
        "How likely are you to subscribe?",
        "Would you buy the product?",
    ],
)
def test_what_points_at_an_offer_is_asked_about_it(text) -> None:
    assert told(FIRST, text)[1] == f"{APP} {text}"


@pytest.mark.parametrize(
    "text",
    [
        "Do you own a dog?",
        "How often do you cook dinner?",
        "Is it hard to find time for sports?",
        "What do you like about your bank?",
        "How do you feel about prices these days?",
        "Why?",
    ],
)
def test_what_has_a_subject_of_its_own_is_left_alone(text) -> None:
    assert told(FIRST, text)[1] == text


def test_an_offer_is_at_hand_until_another_subject_comes_and_again_when_it_is_named() -> None:
    asked = ("What do you like about it?", "What do you like about your bank?", "Do you trust it?")
    assert told(FIRST, *asked, "Would you pay for the app?") == [
        FIRST,
        f"{APP} {asked[0]}",
        asked[1],
        "Do you trust your bank?",
        f"{APP} Would you pay for the app?",
    ]


@pytest.mark.parametrize(
    ("first", "later", "whole"),
    [
        ("Have you heard of Oatly?", "Have you ever bought it?", "Have you ever bought Oatly?"),
        ("Have you heard of Oatly?", "What could the brand do better?", "What could Oatly do better?"),
        ("Do you use TikTok?", "How does it compare to others?", "How does TikTok compare to others?"),
        ("What do you like about your bank?", "What are its fees like?", "What are your bank's fees like?"),
        ("Have you heard of Zorblix?", "Is it hard to find?", "Is it hard to find?"),
    ],
)
def test_a_name_takes_the_place_of_what_points_at_it(first, later, whole) -> None:
    assert told(first, later)[1] == whole


def test_of_two_offers_the_last_one_is_meant_unless_the_other_is_named() -> None:
    tea = "Imagine a tea made from old bread."
    again = told(FIRST, f"{tea} Would you try it?", "What would it have to cost?", "Would you keep the app?")
    assert again[2:] == [f"{tea} What would it have to cost?", f"{APP} Would you keep the app?"]


@pytest.mark.parametrize(
    "text",
    [
        "How so?",
        "Can you tell me more about that?",
        "Could you give an example?",
        "Please elaborate.",
        "And in what way?",
        "What do you mean by that?",
        "Say a little more.",
    ],
)
def test_a_probe_follows_the_last_open_question(text) -> None:
    opened = "What do you usually eat for breakfast?"
    assert probes(text)
    assert told(opened, text)[1] == opened
    assert told(opened, "Anything else?", text)[2] == opened
    assert told(opened, "Do you own a car?", text)[2] == text, "it follows the coded one"
    assert told(text) == [text]


@pytest.mark.parametrize("text", ["Why?", "What else do you eat?", "How did you learn more about it?"])
def test_what_asks_for_something_is_no_probe(text) -> None:
    assert not probes(text)


def test_people_who_are_named_are_pointed_at_by_no_pronoun() -> None:
    assert not points_back(read_question("Do people care where they live?"))
    assert points_back(read_question("Would you buy them?"))


def test_another_number_stands_in_the_place_of_the_one_before() -> None:
    cut = "Would you take a 5 percent pay cut for it?"
    home = "What do you think about working from home?"
    assert told(home, cut, "And 10 percent?")[2].startswith("Would you take a 10 percent pay cut")
    assert read_question("And 10 percent?").type == read_question("At $16?").type == "yes_no"
