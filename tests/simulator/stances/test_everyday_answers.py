"""Everyday questions as people type them, options and all, come out near what is published."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from statistics import mean, median

import pytest

from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question


def shares(agents, text):
    """Return the percent of each answer among those who gave one."""
    replies = EmbeddedRespondent().answer(agents, read_question(text), {}, seed=7)
    given = [reply.value for reply in replies if reply.value is not None]
    return {value: 100 * count / len(given) for value, count in Counter(given).items()}


# question, answer, percent, and how far off it may be; the last column says where the percent is from
EVERYDAY = [
    ("How often do you floss? Daily, a few times a week, rarely, never", "Daily", 30, 7, "NHANES 2009-2012"),
    ("How often do you floss? Daily, a few times a week, rarely, never", "never", 32, 7, "NHANES 2009-2012"),
    ("Do you have a smartphone, or not?", True, 91, 3, "Pew Research Center, 2024"),
    ("Do you or anyone in your household own an electric vehicle?", True, 7, 3, "Gallup, March 2024"),
    ("Should the use of marijuana be legal or illegal?", "legal", 68, 5, "Gallup, November 2024"),
    ("Do you favor or oppose the death penalty for murder?", "favor", 53, 5, "Gallup, October 2024"),
    ("Do you have a gym membership?", True, 24, 4, "Health & Fitness Association 2024"),
    ("Do you drive an electric car?", True, 7, 3, "Gallup, March 2024"),
    (
        "How many books did you read in the past 12 months? 0, 1-5, 6-10, 11-20, more than 20",
        *("0", 19, 5, "Gallup, December 2021: 17 % none"),
    ),
    (
        "How much do you tip at a sit-down restaurant? 14% or less, 15-19%, 20% or more",
        *("20% or more", 25, 9, "Pew Research Center, August 2023: 25 % would tip 20 % or more"),
    ),
]


@pytest.mark.parametrize(("text", "answer", "percent", "off", "source"), EVERYDAY)
def test_a_share_is_near_what_is_published(panel_of_the_usa, text, answer, percent, off, source) -> None:
    assert abs(shares(panel_of_the_usa[:1500], text)[answer] - percent) <= off, source


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("How many hours do you sleep on a weekday night?", 6.5, 7.5),
        ("How much did you spend on clothing in the last 12 months?", 500, 1500),
        ("How much would you pay for a 12-ounce bag of coffee?", 8, 16),
        ("How much is your monthly cell phone bill?", 50, 150),
    ],
)
def test_the_middle_of_a_number_is_plausible(panel_of_the_usa, text, least, most) -> None:
    replies = EmbeddedRespondent().answer(panel_of_the_usa[:500], read_question(text), {}, seed=7)
    assert least <= median(reply.value for reply in replies if reply.value is not None) <= most


def test_people_go_to_bed_in_the_evening_and_rise_in_the_morning(panel_of_the_usa) -> None:
    """Most agents are asleep by 11 pm and up by 7 am, as in the American Time Use Survey."""
    bed = shares(
        panel_of_the_usa[:500],
        "When do you go to bed? Before 9pm, 9-10pm, 10-11pm, 11pm-midnight, after midnight",
    )
    up = shares(panel_of_the_usa[:500], "When do you wake up? Before 5am, 5-6am, 6-7am, 7-8am, after 8am")
    assert max(bed, key=bed.__getitem__) == "10-11pm"
    assert max(up, key=up.__getitem__) == "6-7am"
    assert bed["after midnight"] < 25
    assert up["Before 5am"] < 20


def test_who_says_it_owns_its_home_says_so_both_ways(panel_of_the_usa) -> None:
    agents = panel_of_the_usa[:300]
    asked = EmbeddedRespondent().answer(agents, read_question("Do you own your home?"), {}, seed=7)
    chosen = EmbeddedRespondent().answer(agents, read_question("Do you own or rent your home?"), {}, seed=9)
    assert [reply.value for reply in asked] == [reply.value == "own" for reply in chosen]


def test_few_own_a_second_home_though_most_own_their_first(panel_of_the_usa) -> None:
    """Vacation homes are some 3 % of all housing (Census Bureau, American Community Survey)."""
    assert shares(panel_of_the_usa[:1000], "Do you own a second home?")[True] < 10
    own = [agent.housing_tenure == "owner" for agent in panel_of_the_usa[:1000]]
    assert shares(panel_of_the_usa[:1000], "Do you own your home?")[True] == pytest.approx(100 * mean(own))


def test_housing_is_what_most_spend_most_on(panel_of_the_usa) -> None:
    """Housing is the largest item of households (BLS, Consumer Expenditure Survey 2023: 32.9 %)."""
    text = "What is your biggest expense? Housing, food, transportation, childcare, healthcare, debt"
    found = shares(panel_of_the_usa[:500], text)
    assert max(found, key=found.__getitem__) == "Housing"


def answers(agents, text):
    return {
        reply.agent_id: reply.value
        for reply in EmbeddedRespondent().answer(agents, read_question(text), {}, seed=7)
    }


def test_the_four_prices_of_the_price_sensitivity_meter_lie_in_their_order(panel_of_the_usa) -> None:
    people = panel_of_the_usa[:600]
    asked = (
        "At what price would it be too cheap, so that you would doubt the quality?",
        "At what price would you consider it a bargain?",
        "At what price would it start to get expensive, but you would still think about it?",
        "At what price would it be too expensive to consider?",
    )
    given = [answers(people, text) for text in asked]
    middles = [median(price for price in each.values() if price is not None) for each in given]
    assert middles == sorted(middles)
    assert middles[0] < 0.7 * middles[3]
    rising = [
        low[agent.id] <= high[agent.id]
        for agent in people
        for low, high in pairwise(given)
        if low[agent.id] is not None and high[agent.id] is not None
    ]
    assert sum(rising) > 0.75 * len(rising)


def test_a_year_is_a_year(panel_of_the_usa) -> None:
    replies = list(
        EmbeddedRespondent().answer(
            panel_of_the_usa[:300], read_question("In what year did you buy your car?"), {}, seed=7
        )
    )
    years = [reply.value for reply in replies if reply.value]
    assert 2012 <= median(years) <= 2023
    assert min(years) >= 1960
    assert max(years) <= 2025
    assert not any(re.search(r"\d,\d", reply.text) for reply in replies)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("How many of your last ten dinners were cooked at home?", 10),
        ("On how many of the past seven days did you eat breakfast?", 7),
    ],
)
def test_no_more_than_there_are(panel_of_the_usa, text, most) -> None:
    given = [value for value in answers(panel_of_the_usa[:400], text).values() if value is not None]
    assert max(given) <= most
    assert len(set(given)) > 4


def test_when_people_go_to_bed_is_read_beside_midnight(panel_of_the_usa) -> None:
    found = shares(
        panel_of_the_usa[:800],
        "When do you go to bed: before 10, 10 to 11, 11 to midnight, or after midnight?",
    )
    assert all(
        10 < found[each] < 45 for each in ("before 10", "10 to 11", "11 to midnight", "after midnight")
    )


@pytest.mark.parametrize(
    ("text", "good"),
    [
        (
            "How often did nurses treat you with courtesy? Never Sometimes Usually Always",
            ("Usually", "Always"),
        ),
        (
            "How easy was it to do this task? Very easy, easy, difficult, very difficult",
            ("Very easy", "easy"),
        ),
    ],
)
def test_most_say_that_they_were_served_well_and_found_it_easy(panel_of_the_usa, text, good) -> None:
    found = shares(panel_of_the_usa[:800], text)
    assert sum(found.get(each, 0) for each in good) > 60


@pytest.mark.parametrize("text", ["Which ad did you like better, A or B?", "Hot or iced?"])
def test_of_two_things_that_nobody_knows_neither_is_chosen_by_nearly_all(panel_of_the_usa, text) -> None:
    assert max(shares(panel_of_the_usa[:800], text).values()) < 82
