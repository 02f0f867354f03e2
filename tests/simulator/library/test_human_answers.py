"""The library of human answers finds what people were asked, and answers as people like an agent did."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from voxpop.engines.agents import Agent
from voxpop.engines.question import Question, Scale
from voxpop_simulator.library.answers import Match, library
from voxpop_simulator.library.items import items

_MOST = "Several times a day"
BY_NAME = {item.name: item for item in items()}


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    return panel_of_the_usa[:4_000]


def yes_no(text: str) -> Match | None:
    return library().find(Question(text, "yes_no"))


def choice(text: str, *options: str) -> Match | None:
    return library().find(Question(text, "single_choice", options=options))


def asked_as(name: str) -> Match:
    """An item with its own answers, and put to everybody."""
    item = replace(BY_NAME[name], asked="everybody")
    question = Question(item.wording, "single_choice", options=item.options)
    return Match(question, item, tuple((place,) for place in range(len(item.options))))


def test_the_opposite_question_has_the_opposite_answer(people: list[Agent]) -> None:
    legal, illegal = yes_no("Should marijuana be legal?"), yes_no("Do you think cannabis should be illegal?")
    assert legal is not None
    assert illegal is not None
    assert [not value for value in legal.answers(people)] == illegal.answers(people)


@pytest.mark.parametrize(
    ("text", "options", "places"),
    [
        (
            "How often do you pray?",
            ("Never", "Less than once a week", "Once a week", "Several times a week", "Once a day", _MOST),
            ((5,), (4,), (3,), (2,), (1,), (0,)),
        ),
        (
            "The social benefits from the government make people lazy.",
            ("Agree", "Neither", "Disagree"),
            ((0, 1), (2,), (3, 4)),
        ),
        (
            "Do you support or oppose legalizing marijuana?",
            ("Oppose", "Support", "Don't know"),
            ((1,), (0,), ()),
        ),
    ],
)
def test_answers_map_by_meaning_in_any_order(
    text: str, options: tuple[str, ...], places: tuple[tuple[int, ...], ...]
) -> None:
    match = choice(text, *options)
    assert match is not None
    assert match.places == places


@pytest.mark.parametrize(
    "options",
    [
        ("Once a day", "Never"),
        ("Often", "Sometimes", "Rarely", "Never"),
        ("At home", "At church", "At work", "Elsewhere", "Online", "Never"),
    ],
)
def test_another_set_of_answers_is_no_match(options: tuple[str, ...]) -> None:
    assert choice("How often do you pray?", *options) is None


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("Should government spending on the environment be more?", None),
        ("Should government spend more on the environment?", (0, 1)),
        ("Are taxes too high for those with high incomes?", (0, 1)),
        ("Is sex before marriage always wrong?", (0,)),
        ("Is your physical health very good?", None),
        ("Are you dissatisfied with your life as a whole?", (4, 5, 6)),
        ("Shouldn't marijuana be legal?", (0,)),
        ("Do you not believe in heaven?", None),
        ("Are differences in income in America not too large?", None),
        ("Do you oppose less government regulation of business?", (3, 4)),
        ("Should protest marches and demonstrations against the government be allowed?", (0, 1)),
    ],
)
def test_yes_counts_the_answers_that_say_as_much_or_there_is_no_match(
    text: str, yes: tuple[int, ...] | None
) -> None:
    match = yes_no(text)
    assert (None if match is None else match.places[0]) == yes


def test_a_scale_of_as_many_points_follows_its_labels() -> None:
    text = "How would you rate your physical health?"
    up = library().find(Question(text, "scale", scale=Scale(1, 5, "Poor", "Excellent")))
    down = library().find(Question(text, "scale", scale=Scale(1, 5, "Excellent", "Poor")))
    assert up is not None
    assert down is not None
    assert up.places == down.places[::-1] == ((4,), (3,), (2,), (1,), (0,))
    assert library().find(Question(text, "scale", scale=Scale(1, 7, "Poor", "Excellent"))) is None
    assert library().find(Question(text, "scale", scale=Scale(1, 5))) is None


@pytest.mark.parametrize("kind", ["open", "number", "ranking", "multi_choice"])
def test_only_questions_with_one_answer_of_a_list_are_matched(kind: str) -> None:
    options = ("Yes", "No") if kind in ("ranking", "multi_choice") else ()
    assert library().find(Question("Should marijuana be legal?", kind, options=options)) is None


def test_agents_abroad_and_children_have_no_answer(people: list[Agent]) -> None:
    match = yes_no("Should marijuana be legal?")
    assert match is not None
    abroad, child = replace(people[0], country="CAN"), replace(people[0], age=17)
    assert match.answers([people[0], abroad, child])[1:] == [None, None]
    assert match.answer(people[0]) is not None


def test_questions_on_work_are_for_people_with_a_job(people: list[Agent]) -> None:
    match = choice(
        "How often do you find your work stressful?", "Always", "Often", "Sometimes", "Hardly ever", "Never"
    )
    assert match is not None
    assert {agent.labour_status for agent in people if match.is_for(agent)} == {"employed"}
    assert "people with a job" in match.basis.note


def test_every_item_has_the_shares_of_the_survey_among_us_adults(people: list[Agent]) -> None:
    errors = []
    for item in list(items())[::12]:
        values = asked_as(item.name).answers(people)
        given = [values.count(option) / len(people) for option in item.options]
        errors += [abs(one - other) for one, other in zip(given, item.shares, strict=True)]
    assert 100 * sum(errors) / len(errors) < 1.5
    assert 100 * max(errors) < 6


def test_shares_depend_on_the_profile_and_an_unknown_field_is_averaged_over(people: list[Agent]) -> None:
    match = yes_no("Should marijuana be legal?")
    assert match is not None
    young, old = replace(people[0], age=25), replace(people[0], age=75)
    unknown = replace(people[0], education=None)
    by_level = [match.shares(replace(people[0], education=level))[0] for level in _EDUCATION]
    assert match.shares(young)[0] > match.shares(old)[0]
    assert min(by_level) < match.shares(unknown)[0] < max(by_level)
    assert sum(match.shares(unknown)) == pytest.approx(1)


_EDUCATION = ("Less than 9th grade", "High school graduate/GED", "College graduate or above")


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("heaven", "hell", 0.5),
        ("abany", "abpoor", 0.6),
        ("conbus", "confinan", 0.2),
        ("spkhomo", "colhomo", 0.3),
    ],
)
def test_answers_to_related_questions_go_together(
    one: str, other: str, least: float, people: list[Agent]
) -> None:
    first, second = (_coded(name, people) for name in (one, other))
    assert np.corrcoef(first, second)[0, 1] > least


def _coded(name: str, people: list[Agent]) -> list[int]:
    return [BY_NAME[name].options.index(value) for value in asked_as(name).answers(people)]


def test_answers_that_nearly_no_person_combines_are_as_rare_among_agents(people: list[Agent]) -> None:
    orders = (("abany", "abrape"), ("abany", "abhlth"), ("suicide4", "suicide1"), ("polabuse", "polattak"))
    for strict, easy in orders:
        both = zip(asked_as(strict).answers(people), asked_as(easy).answers(people), strict=True)
        odd = sum(one == "yes" and other == "no" for one, other in both)
        assert odd <= 0.03 * len(people), (strict, easy)


def test_answers_are_the_same_in_every_call_and_order(people: list[Agent]) -> None:
    some = people[:200]
    once = yes_no("Do you believe in heaven?")
    again = yes_no("do you believe in heaven")
    assert once is not None
    assert again is not None
    assert once.answers(some) == again.answers(some[::-1])[::-1]


def test_two_forms_of_one_answer_agree(people: list[Agent]) -> None:
    broad = yes_no("Do you believe in heaven?")
    fine = choice(
        "Do you believe in heaven?",
        "Yes, definitely",
        "Yes, probably",
        "No, probably not",
        "No, definitely not",
    )
    assert broad is not None
    assert fine is not None
    assert broad.answers(people) == [value.startswith("Yes") for value in fine.answers(people)]


def test_merged_answers_are_named_in_the_basis() -> None:
    broad, exact = yes_no("Do you believe in heaven?"), yes_no("Should marijuana be legal?")
    assert broad is not None
    assert exact is not None
    assert broad.basis.kind == exact.basis.kind == "published"
    assert broad.merged
    assert broad.basis.note.endswith("by the agent's profile, with answers merged.")
    assert not exact.merged


def test_items_are_told_whole() -> None:
    assert len(items()) == 424
    for item in items():
        assert sum(item.shares) == pytest.approx(1)
        assert item.core
    assert [one.name for one, other in pairwise(items()) if one.name >= other.name] == []


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Should the use of marijuana be legal or illegal?", ("Legal", "Illegal")),
        ("Should marijuana be made legal?", ("Legal", "Illegal")),
        ("Do you think marijuana should not be legal?", ("Should be legal", "Should not be legal")),
    ],
)
def test_answers_that_name_what_they_are_for_keep_their_direction(
    text: str, options: tuple[str, ...]
) -> None:
    match = library().find(Question(text, "single_choice", options=options))
    assert match is not None
    assert match.places == ((0,), (1,))


def test_answers_that_name_another_claim_than_the_item_are_not_mapped() -> None:
    asked = Question("Should marijuana be illegal?", "single_choice", options=("Legal", "Illegal"))
    assert library().find(asked) is None
