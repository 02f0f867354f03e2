"""A concept test is answered from one view of the offer: words, wish to buy, price and recommendation agree.

The rules do not know the engine: what was offered is named in words of its description, nothing is both liked
and disliked, and words for or against the offer go with the coded answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from interviewing import interview

from voxpop.engines import Question
from voxpop.engines.agents import Agent
from voxpop.engines.question import Scale

INTENT = (
    "Definitely would not",
    "Probably would not",
    "Might or might not",
    "Probably would",
    "Definitely would",
)
CONCEPTS = (
    (
        "Imagine Velvet Oat, a new oat milk ice cream with sea salt caramel, no dairy and 30 % less sugar,"
        " sold in a pint for $6.99.",
        "Velvet Oat",
        ("sea salt caramel", "no dairy", "30 % less sugar"),
    ),
    (
        "Suppose a company launches a smart lamp with a wooden base that dims itself at night and costs $49.",
        "the smart lamp",
        ("wooden base", "dims itself"),
    ),
    (
        "Imagine a new app that tracks your sleep, with no password and a weekly report, for $4 a month.",
        "the app",
        ("tracks my sleep", "no password", "weekly report"),
    ),
    (
        "Nordrun is a new running shoe with a carbon plate, made of recycled nylon. It costs $120.",
        "Nordrun",
        ("carbon plate", "recycled nylon"),
    ),
)
NAMES = ("react", "like", "dislike", "intent", "why", "buy", "worth", "recommend", "why recommend")
Answers = dict[str, object]


def questions(offer: str) -> list[Question]:
    """A concept test: words before codes, as most questionnaires have it."""
    return [
        Question(f"{offer} What do you think of this concept?", "open"),
        Question("What, if anything, do you like about it?", "open"),
        Question("What, if anything, do you dislike about it?", "open"),
        Question("How likely would you be to buy it?", "single_choice", options=INTENT),
        Question("Why?", "open"),
        Question("Would you buy it for $9.99?", "yes_no"),
        Question("How much would you be willing to pay for it, in dollars?", "number", unit="USD"),
        Question("How likely are you to recommend it to a friend?", "scale", scale=Scale(0, 10)),
        Question("Why?", "open"),
    ]


@pytest.fixture(scope="module", params=CONCEPTS, ids=[name for _, name, _ in CONCEPTS])
def concept(
    request: pytest.FixtureRequest, panel_of_the_usa: list[Agent]
) -> tuple[str, tuple[str, ...], list[Answers]]:
    offer, name, attributes = request.param
    told = interview(panel_of_the_usa[:150], questions(offer))
    coded = [[reply.text if reply.value is None else reply.value for reply in each] for each in told]
    return name, attributes, [dict(zip(NAMES, row, strict=True)) for row in zip(*coded, strict=True)]


def words(row: Answers, *names: str) -> Iterator[tuple[str, str]]:
    return ((name, str(row[name])) for name in names)


def test_every_reaction_names_the_offer_and_nearly_all_what_it_has(
    concept: tuple[str, tuple[str, ...], list[Answers]],
) -> None:
    name, attributes, rows = concept
    said = [text for row in rows for _, text in words(row, "react", "like", "dislike")]
    assert [text for text in said if name.lower() not in text.lower()] == []
    about = re.compile("|".join((*attributes, "price")), re.I)
    assert sum(bool(about.search(text)) for text in said) >= 0.9 * len(said)


def test_nothing_is_both_liked_and_disliked(concept: tuple[str, tuple[str, ...], list[Answers]]) -> None:
    _, attributes, rows = concept
    assert [
        row for row in rows for each in attributes if each in str(row["like"]) and each in str(row["dislike"])
    ] == []


def test_words_for_and_against_it_agree_with_the_codes(
    concept: tuple[str, tuple[str, ...], list[Answers]],
) -> None:
    name, _, rows = concept
    favour = re.compile(rf"\bI (?:really )?(?:like|have nothing against|am fine with) {name}", re.I)
    against = re.compile(rf"\b(?:not|can't say I'm) (?:crazy about|a fan of|sold on|keen on) {name}", re.I)
    for row in rows:
        said = " ".join(text for _, text in words(row, "react", "like", "dislike", "why"))
        if row["intent"] in INTENT[:2]:
            assert not favour.search(said), row
        elif row["intent"] in INTENT[3:]:
            assert not against.search(said), row
        score = row["recommend"]
        if isinstance(score, int) and score <= 4:
            assert not favour.search(str(row["why recommend"])), row
        elif isinstance(score, int) and score >= 7:
            assert not against.search(str(row["why recommend"])), row
    everything = " ".join(text for row in rows for _, text in words(row, "react", "why", "why recommend"))
    assert len(favour.findall(everything)) > 10
    assert len(against.findall(everything)) > 10


def test_wish_price_and_recommendation_agree(concept: tuple[str, tuple[str, ...], list[Answers]]) -> None:
    _, _, rows = concept
    for row in rows:
        buys, worth, score = row["buy"], row["worth"], row["recommend"]
        if isinstance(buys, bool) and isinstance(worth, int | float):
            assert buys is (worth >= 9.99), row
        if isinstance(score, int):
            assert not (row["intent"] == INTENT[0] and score >= 7), row
            assert not (row["intent"] == INTENT[-1] and score <= 3), row
    means = [
        sum(scores) / len(scores)
        for option in INTENT
        if (
            scores := [row["recommend"] for row in rows if row["intent"] == option and row["recommend"] != ""]
        )
        and all(isinstance(score, int) for score in scores)
    ]
    assert all(low < high for low, high in pairwise(means))


def test_answers_of_different_agents_differ(concept: tuple[str, tuple[str, ...], list[Answers]]) -> None:
    _, _, rows = concept
    assert len({row["react"] for row in rows}) >= 0.97 * len(rows)


def test_nobody_has_bought_what_was_described_as_new(panel_of_the_usa: list[Agent]) -> None:
    offer, name, _ = CONCEPTS[0]
    often = ("Never", "Less than once a month", "Once a month or more")
    asked = [
        Question(f"{offer} What do you think of it?", "open"),
        Question(f"Have you ever bought {name}?", "yes_no"),
        Question(f"How often do you buy {name}?", "single_choice", options=often),
        Question("Have you ever bought Oatly?", "yes_no"),
    ]
    _, bought, rate, oatly = interview(panel_of_the_usa[:100], asked)
    assert {reply.value for reply in bought} == {False}
    assert {reply.value for reply in rate} == {"Never"}
    assert {reply.value for reply in oatly} == {True, False}
