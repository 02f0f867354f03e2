"""Numeric answers meet published means and medians, and published shares of zero."""

from __future__ import annotations

from statistics import mean, median

import pytest

from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.amounts import amount_of
from voxpop_simulator.stances.numbers import numbers

# question, what the source tells, its figure (docs/simulator.md names the sources)
PUBLISHED = [
    ("How many hours a day do you spend on social media?", mean, 2.27),
    ("How many hours per week do you spend on social media?", mean, 15.9),
    ("How many hours of TV do you watch per day?", mean, 2.78),
    ("How many hours do you spend on your phone per day?", mean, 4.5),
    ("How many hours of screen time do you have a day?", mean, 6.97),
    ("How many hours do you sleep per night?", mean, 6.8),
    ("How many hours do you work per week?", mean, 38.7),
    ("How many minutes is your commute?", mean, 26.8),
    ("How many steps do you walk per day?", mean, 5_117),
    ("How many cups of coffee do you drink per day?", mean, 0.64 * 2.7),
    ("How many alcoholic drinks do you have per week?", mean, 0.62 * 4.0),
    ("How many books did you read in the past year?", mean, 12.6),
    ("How many times did you visit a doctor in the past year?", mean, 3.2),
    ("How many streaming subscriptions do you have?", mean, 3.3),
    ("How many credit cards do you have?", mean, 2.6),
    ("How many people live in your household?", mean, 2.5),
    ("How many cars does your household have?", mean, 1.8),
    ("How many TVs do you have at home?", mean, 2.3),
    ("How many miles do you drive per year?", mean, 13_476),
    ("How much do you spend on groceries per week?", mean, 116),
    ("How much do you spend on eating out per month?", mean, 328),
    ("How much do you spend on gas per week?", mean, 52),
    ("How much do you spend on holiday gifts?", mean, 1_012),
    ("What is your monthly rent?", median, 1_406),
    ("How many years have you worked at your current job?", median, 3.9),
    ("How much do you have in savings?", median, 8_000),
]  # fmt: skip


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    return panel_of_the_usa[:2_000]


def said(agents: list[Agent], text: str) -> list[float]:
    replies = EmbeddedRespondent().answer(agents, read_question(text), {}, seed=7)
    return [reply.value for reply in replies if reply.value is not None]


@pytest.mark.parametrize(("text", "of", "figure"), PUBLISHED, ids=[text for text, _, _ in PUBLISHED])
def test_the_usual_number_is_near_the_published_one(people, text, of, figure) -> None:
    assert of(said(people, text)) == pytest.approx(figure, rel=0.4)


@pytest.mark.parametrize(
    ("text", "none"),
    [
        ("How many flights did you take in the past year?", 0.56),
        ("How many dogs do you have?", 0.545),
        ("How many tattoos do you have?", 0.68),
        ("How many times a week do you go to the gym?", 0.66),
        ("How many people live in your household?", 0.0),
    ],
)
def test_as_many_say_none_as_have_none(people, text, none) -> None:
    answers = said(people, text)
    assert sum(answer == 0 for answer in answers) / len(answers) == pytest.approx(none, abs=0.06)


def test_a_week_has_seven_days_and_a_year_twelve_months() -> None:
    day = amount_of(read_question("How many hours a day do you spend on social media?")).usual
    assert amount_of(
        read_question("How many hours a week do you spend on social media?")
    ).usual == pytest.approx(7 * day, rel=0.01)
    month = amount_of(read_question("How much do you spend on clothes per month?")).usual
    year = amount_of(read_question("How much do you spend on clothes per year?")).usual
    assert year == pytest.approx(12 * month)


def test_what_one_would_pay_is_a_price_and_what_one_pays_is_a_bill() -> None:
    would = amount_of(read_question("How much would you pay for a cup of coffee?")).usual
    spends = amount_of(read_question("How much do you spend on coffee per week?")).usual
    assert would < 6 < spends


@pytest.mark.parametrize("section", numbers())
def test_the_table_has_sense(section) -> None:
    for line in numbers()[section]:
        assert line.seen == "ours" or line.source != "ours", line.name
        assert 0 < line.usual < line.most
        assert 0 <= line.none < 0.75
        assert 0.1 < line.spread < 2.1
