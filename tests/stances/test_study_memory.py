"""A study is remembered where answers hang together, and only there: owning a dog is no opinion."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from voxpop.questions.question import Exchange
from voxpop.questions.reading import read_question
from voxpop.respondents import EmbeddedRespondent

HOW_OFTEN = ["Every day", "Weekly", "Monthly", "Less often", "Never"]


def ask(agents, text, history=None, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=7))


def remembered(agents, text, value, **fields):
    """The agents who answered a first question with this value, with that answer as their history."""
    question = read_question(text, **fields)
    replies = EmbeddedRespondent().answer(agents, question, {}, seed=7)
    history = {r.agent_id: [Exchange(question, r.text, r.value)] for r in replies if r.value == value}
    return [agent for agent in agents if agent.id in history], history


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Would you switch to fresh dog food?", {}),
        ("How likely are you to buy fresh dog food, 0-10?", {}),
        ("How often do you buy treats for your dog?", {"options": HOW_OFTEN}),
        ("How satisfied are you with your dog's food, 0-10?", {}),
    ],
)
def test_owning_a_dog_decides_no_later_answer(crowd, text, fields) -> None:
    owners, history = remembered(crowd, "Do you own a dog?", True)
    assert len(owners) > 1_000
    assert [r.value for r in ask(owners, text, history, **fields)] == [
        r.value for r in ask(owners, text, **fields)
    ]


def test_some_owners_never_do_and_some_say_no(crowd) -> None:
    owners, history = remembered(crowd, "Do you own a dog?", True)
    often = Counter(
        r.value for r in ask(owners, "How often do you brush your dog?", history, options=HOW_OFTEN)
    )
    assert 0.03 < often["Never"] / len(owners) < 0.5
    switch = Counter(r.value for r in ask(owners, "Would you switch to fresh dog food?", history))
    assert 0.2 < switch[True] / len(owners) < 0.8


def test_who_has_no_dog_does_nothing_with_one(crowd) -> None:
    others, history = remembered(crowd, "Do you own a dog?", False)
    text = "How often do you buy treats for your dog?"
    said = Counter(r.value for r in ask(others, text, history, options=HOW_OFTEN))
    assert said["Never"] / len(others) > 0.95


def test_who_says_two_of_ten_does_not_say_definitely(crowd) -> None:
    low, history = remembered(crowd, "How likely are you to switch to a lower-sugar snack, 0-10?", 2)
    options = ["Definitely", "Probably", "Probably not", "Definitely not"]
    said = {r.value for r in ask(low, "Would you switch to a lower-sugar snack?", history, options=options)}
    assert len(low) > 100
    assert not said & {"Definitely", "Probably"}


@pytest.mark.parametrize("value", [True, False])
def test_ratings_after_a_yes_or_no_are_spread_out(crowd, value) -> None:
    people, history = remembered(crowd, "Would you switch to a lower-sugar snack?", value)
    text = "How likely are you to switch to a lower-sugar snack, 0-10?"
    said = Counter(r.value for r in ask(people, text, history))
    assert max(said.values()) / len(people) < 0.33
    assert len([1 for count in said.values() if count / len(people) > 0.04]) >= 5
    if value:
        assert sum(said[point] for point in range(5)) == 0
    else:
        assert sum(said[point] for point in range(6, 11)) == 0


def test_the_same_question_gets_the_same_answer_again(crowd) -> None:
    text = "How satisfied are you with your life, 0-10?"
    question = read_question(text)
    first = ask(crowd[:300], text)
    history = {r.agent_id: [Exchange(question, r.text, r.value)] for r in first}
    assert [r.value for r in ask(crowd[:300], text, history)] == [r.value for r in first]


def test_a_question_that_names_nothing_is_about_what_was_asked_before(agents) -> None:
    snack = read_question("Would you switch to a lower-sugar snack?")
    price = read_question("How much would you pay for a box of 12, in dollars?")
    bank = read_question("Do you trust your bank?")
    past = {agent.id: [Exchange(snack, "Yes.", True), Exchange(price, "$9.", 9)] for agent in agents}
    named = ask(agents, "What would make you switch to a lower-sugar snack?", past)
    assert [r.text for r in ask(agents, "What would make you switch?", past)] != [
        r.text for r in ask(agents, "What would make you switch?")
    ]
    food = r"snack|sugar|flavor|taste|calor|sweet|protein|fiber|ingredient|fruit|portion|eat|recipe|label"
    about = [re.search(food, r.text) is not None for r in ask(agents, "What would make you switch?", past)]
    asked = [re.search(food, r.text) is not None for r in named]
    assert sum(about) == pytest.approx(sum(asked), rel=0.15)
    later = {agent.id: [*past[agent.id], Exchange(bank, "No.", False)] for agent in agents}
    still = [re.search(food, r.text) is not None for r in ask(agents, "What would make you switch?", later)]
    assert sum(still) == pytest.approx(sum(asked), rel=0.15)
