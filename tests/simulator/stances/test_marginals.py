"""Distributions of answers resemble those of surveys."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import mean, pstdev

import pytest

from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.leanings import LEANING, traits

BUY = ["Definitely would buy", "Probably would buy", "Might or might not buy", "Probably would not buy",
       "Definitely would not buy"]  # fmt: skip
SATISFIED = ["Very satisfied", "Somewhat satisfied", "Somewhat dissatisfied", "Very dissatisfied"]


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    return panel_of_the_usa[:2_000]


def values(agents: list[Agent], text: str, **fields):
    replies = EmbeddedRespondent().answer(agents, read_question(text, **fields), {}, seed=7)
    return [reply.value for reply in replies]


def shares(agents: list[Agent], text: str, options: list[str] | None = None) -> dict:
    """Percent of those with an answer, by option."""
    said = [value for value in values(agents, text, options=options) if value is not None]
    return {option: 100 * count / len(said) for option, count in Counter(said).items()}


# question, the published percentages (see docs/simulator.md for the sources)
PUBLISHED = [
    (
        "How often, if ever, do you eat at fast food restaurants?",
        {"Every day": 3, "Several times a week": 16, "About once a week": 28, "Once or twice a month": 33,
         "A few times a year": 16, "Never": 4},
    ),
    (
        "How often do you attend religious services?",
        {"Every week": 21, "Almost every week": 9, "About once a month": 11, "Seldom": 25, "Never": 31},
    ),
    (
        "When did you last see a dentist?",
        {"Within the past 6 months": 44, "7-12 months ago": 20, "More than a year ago": 36},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "published"), PUBLISHED, ids=["fast food", "services", "dentist"])
def test_how_often_comes_close_to_the_figures_it_was_fitted_to(people, text, published) -> None:
    found = shares(people, text, list(published))
    off = sum(abs(found.get(option, 0.0) - share) for option, share in published.items()) / 2
    assert off < 12, found


def test_older_adults_rate_their_health_as_nhis_publishes_it(people) -> None:
    """24.9, 28, 28.6, 12.7 and 5.4 % at 40 and over, by the leanings of agents without a rating."""
    published = {"Excellent": 24.9, "Very good": 28, "Good": 28.6, "Fair": 12.7, "Poor": 5.4}
    older = [
        replace(agent, health_profile=replace(agent.health_profile, self_rated_health=None))
        if agent.health_profile
        else agent
        for agent in people
        if agent.age >= 40
    ]
    found = shares(older, "How would you rate your overall health?", list(published))
    assert all(found[option] == pytest.approx(share, abs=7) for option, share in published.items()), found


def test_a_daily_habit_is_daily_and_hardly_anybody_never_snacks(people) -> None:
    found = shares(
        people,
        "How often do you eat snacks between meals?",
        ["Never", "Rarely", "Sometimes", "Often", "Daily"],
    )
    assert found.get("Never", 0) < 5
    assert found["Daily"] > found["Often"]
    assert found["Daily"] > 40


def test_intent_to_buy_has_its_known_shape(people) -> None:
    found = shares(people, "How likely are you to buy this new protein bar?", BUY)
    assert 8 < found[BUY[0]] < 26
    assert 30 < found[BUY[0]] + found[BUY[1]] < 60
    assert found[BUY[4]] < 25


def test_satisfaction_is_skewed_to_the_good_side(people) -> None:
    for text in ("How satisfied are you with your bank?", "How satisfied are you with your phone?"):
        found = shares(people, text, SATISFIED)
        assert found[SATISFIED[0]] + found[SATISFIED[1]] > 65
        assert found[SATISFIED[3]] < found[SATISFIED[2]] < found[SATISFIED[1]]


def test_very_gets_fewer_answers_where_extremely_is_offered_too(people) -> None:
    text = "How important is price when you choose a snack?"
    four = ["Very important", "Somewhat important", "Not too important", "Not at all important"]
    five = ["Extremely important", "Very important", "Moderately important", "Slightly important",
            "Not at all important"]  # fmt: skip
    few, many = shares(people, text, four), shares(people, text, five)
    assert many["Very important"] < few["Very important"]
    assert many["Extremely important"] + many["Very important"] == pytest.approx(
        few["Very important"], abs=12
    )


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("How satisfied are you with your bank?", SATISFIED),
        ("Would you say that prices are getting better or worse?", ["Better", "About the same", "Worse"]),
        ("How often do you shop online?", ["Never", "Rarely", "Monthly", "Weekly", "Daily"]),
    ],
)
def test_the_order_in_which_a_scale_is_listed_changes_nothing(people, text, options) -> None:
    assert shares(people, text, options) == shares(people, text, options[::-1])


def test_statements_are_answered_as_statements_to_agree_with(people) -> None:
    options = ["Strongly agree", "Agree", "Neutral", "Disagree", "Strongly disagree"]
    for text in ("I enjoy cooking at home.", "Snacks are too expensive.", "My diet is healthy."):
        found = shares(people, text, options)
        assert found["Agree"] > found["Disagree"]
        assert max(found.values()) < 45
        assert min(found.values()) > 2


def test_ticked_services_are_those_that_the_agent_uses(people) -> None:
    options = ["Facebook", "Instagram", "YouTube", "None of these"]
    ticked = values(people, "Which of these do you use? Select all that apply.", options=options)
    for service in options[:3]:
        used = values(people, f"Do you use {service}?")
        assert [service in (each or ()) for each in ticked if each is not None] == [
            yes for each, yes in zip(ticked, used, strict=True) if each is not None
        ]


def test_who_does_not_drink_has_no_drinks_and_who_is_not_there_posts_nothing(people) -> None:
    sober = [agent for agent in people if agent.health_profile and agent.health_profile.alcohol_use == "none"]
    assert set(values(sober, "How many alcoholic drinks do you have a week?")) == {0}
    absent = [a for a, yes in zip(people, values(people, "Do you use TikTok?"), strict=True) if not yes]
    often = ["Every day", "Weekly", "Monthly", "Never"]
    assert set(values(absent, "How often do you use TikTok?", options=often)) == {"Never"}


def test_number_bands_follow_what_is_usual_and_what_they_suggest(people) -> None:
    """More say "over 2½ hours" where the bands go higher (Schwarz et al. 1985: 16 % and 38 %)."""
    text = "How many hours a day do you watch TV?"
    low = shares(people, text, ["Up to 30 minutes", "30-60 minutes", "60-90 minutes", "90-120 minutes",
                                "120-150 minutes", "More than 150 minutes"])  # fmt: skip
    high = shares(people, text, ["Up to 150 minutes", "150-180 minutes", "180-210 minutes",
                                 "210-240 minutes", "More than 240 minutes"])  # fmt: skip
    assert low["More than 150 minutes"] < 100 - high["Up to 150 minutes"]


def test_days_of_a_week_are_at_most_seven(people) -> None:
    said = [
        value for value in values(people, "How many days a week do you cook dinner?") if value is not None
    ]
    assert max(said) == 7
    assert 4 < mean(said) < 5.8


def test_leanings_are_distances_from_the_us_average(panel_of_the_usa) -> None:
    known = [(traits(agent), agent.uuid.encode()) for agent in panel_of_the_usa]
    for name, leaning in LEANING.items():
        found = [leaning.of(person, uuid) for person, uuid in known]
        assert mean(found) == pytest.approx(0, abs=0.06), name
        assert pstdev(found) == pytest.approx(1, abs=0.06), name
