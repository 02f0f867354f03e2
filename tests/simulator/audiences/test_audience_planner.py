"""Invariants of the embedded planner for any text: no exception, the same plan, valid filters."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_audience_corpus import CASES, LABELS, plan

from voxpop.population.corpus import corpus
from voxpop.vocabulary import at_least, parse, where
from voxpop_simulator.audiences.audience_words import BIRTH_YEARS, REFERENCE_YEAR, generation
from voxpop_simulator.audiences.planner import EmbeddedPlanner

WORDS = sorted({word for case in CASES for word in case["text"].split()})


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=2))
def test_arbitrary_text_and_answers_never_raise(text, answers):
    found = plan(text, answers)
    assert parse(found.filters.to_json()) == found.filters


@settings(deadline=None, max_examples=250)
@given(
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), st.sampled_from([c["text"] for c in CASES])
)
def test_shuffled_audience_words_never_raise(text, answer):
    found = plan(text, [answer])
    assert parse(found.filters.to_json()) == found.filters


def test_the_plan_is_the_same_for_every_planner_and_every_time():
    texts = [case["text"] for case in CASES]
    random.Random(1).shuffle(texts)
    other = EmbeddedPlanner()
    assert [plan(text) for text in texts] == [other.plan(t, labels=LABELS, titles=corpus()) for t in texts]


def test_a_refusal_says_nothing_else():
    found = plan("teenagers 13-17 in Texas with asthma")
    assert (found.filters.conditions, found.screening, found.clarification) == ((), (), None)
    assert "13-17" in found.refusal.reason
    assert "parents" in found.refusal.hint


def test_every_word_of_a_text_is_accounted_for():
    text = "Please find 40  women in Texas over 65 who own a dog, for a taste test"
    found = plan(text)
    assert [(one.span, one.role, one.value) for one in found.understood] == [
        ("Please find", "glue", None),
        ("40", "size", 40),
        ("women", "filter", {"gender": "female"}),
        ("in", "glue", None),
        ("Texas", "filter", {"state": "TX"}),
        ("over 65", "filter", {"age": {"min": 66}}),
        ("who", "glue", None),
        ("own a dog", "screen", "Do you own a dog?"),
        ("for a taste test", "purpose", None),
    ]
    assert all(text[one.start :].startswith(one.span) for one in found.understood)


def test_spans_are_of_the_text_as_written_even_where_its_spelling_is_corrected():
    text = "nurces in califonia betwen 30 and 40 yrs"
    found = plan(text).understood
    assert [(one.start, one.span) for one in found if one.role == "filter"] == [
        (0, "nurces"),
        (10, "califonia"),
        (20, "betwen 30 and 40"),
    ]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("US adults who cook at home", "Do you cook at home?"),
        ("US adults who often paint", "Do you often paint?"),
        ("US people who guard their privacy", "Do you guard your privacy?"),
        ("US adults who nurse a sick parent", "Do you nurse a sick parent?"),
    ],
)
def test_what_anybody_does_is_no_job(text, question):
    found = plan(text)
    assert "occupation" not in found.filters.to_json()["filters"]
    assert [screen.question for screen in found.screening] == [question]


@pytest.mark.parametrize("name", BIRTH_YEARS)
def test_generations_are_adults_of_the_reference_year(name):
    ages = generation(name)
    assert ages.min >= 18
    assert REFERENCE_YEAR - ages.max == BIRTH_YEARS[name][0]


def test_without_labels_and_titles_the_rest_is_still_understood():
    found = EmbeddedPlanner().plan("women in Texas with asthma", labels={}, titles={})
    assert found.filters.to_json()["filters"] == {
        "country": "USA",
        "state": "TX",
        "gender": "female",
        "health_conditions": "asthma",
    }


def test_alternatives_are_a_group_beside_the_country():
    labels = {**LABELS, "country": ("USA", "Canada")}
    text = "smokers or people with diabetes in the US"
    found = EmbeddedPlanner().plan(text, labels=labels, titles=corpus())
    assert found.clarification is None
    assert found.filters == where(country="USA") & (
        where(smoking_status="current") | where(health_conditions="diabetes_t2")
    )


def test_where_the_country_is_open_exclusions_keep_only_agents_with_data():
    found = EmbeddedPlanner().plan("adults anywhere without asthma", labels={}, titles={})
    assert found.filters == where(health_conditions=at_least(0)) & ~where(health_conditions="asthma")


def test_a_text_that_is_not_read_whole_is_refused() -> None:
    text = "US adults who drink coffee. " * 200 + "Only nurses."
    plan = EmbeddedPlanner().plan(text, labels={}, titles={})
    assert plan.refusal is not None
    assert "5,612 characters" in plan.refusal.reason
