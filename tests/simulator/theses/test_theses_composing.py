"""Invariants of compositions: repeatable, with agents in every panel, and with valid questions."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_theses_corpus import CASES, LABELS, plan

from voxpop.engines.question import Exchange
from voxpop.jobs.panel_storage import panel_from_json, panel_to_json
from voxpop.population.corpus import corpus
from voxpop.population.file import open_population
from voxpop.vocabulary import FIELDS, parse
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.theses.catalogue import entries
from voxpop_simulator.theses.thesis_panels import compose
from voxpop_simulator.theses.thesis_questions import CHANGES, panel_questions, trade_of
from voxpop_simulator.theses.thesis_text import Measured, Thesis
from voxpop_simulator.theses.trades import ACTIVITIES, TRADES

WORDS = sorted({word for case in CASES for word in case["text"].split()})
COMPOSED = [case["text"] for case in CASES if "panels" in case and "answers" not in case]
ENTRIES = sorted({entry.name: entry for entry in entries().values()}.values(), key=lambda entry: entry.name)


@pytest.fixture(scope="module")
def people(home):
    found = open_population(20_000, 7, home=home)
    yield found
    found.close()


@pytest.fixture(scope="module")
def labels(people):
    return {name: people.labels(name) for name, field in FIELDS.items() if field.kind in ("category", "list")}


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=2))
def test_arbitrary_text_and_answers_never_raise(text, answers):
    found = plan(text, answers)
    assert found.panels or found.clarification or found.refusal


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.sampled_from([case["text"] for case in CASES]),
)
def test_shuffled_words_of_theses_never_raise(text, answer):
    found = plan(text, [answer])
    assert bool(found.panels) == (found.clarification is None and found.refusal is None)


@pytest.mark.parametrize("text", COMPOSED)
def test_the_composition_is_the_same_every_time(text):
    assert plan(text) == plan(text)


@pytest.mark.parametrize("size", [5, 25, 500])
def test_every_panel_has_agents(people, labels, size):
    for text in COMPOSED:
        found = compose(text, panel_size=size, count=people.count, labels=labels, titles=corpus())
        if found.clarification is not None:
            assert "people" in found.clarification.missing, text
            continue
        assert 1 <= len(found.panels) <= 3, text
        assert found.panels[0].kind == "channel_check"
        for panel in found.panels:
            assert people.count(panel.filters) >= (panel.size if panel.kind == "expert_call" else 1), text
            assert panel.size == size or panel.kind == "expert_call"
            assert panel.size >= min(size, 5)
            assert people.unknown_values(panel.filters) == []
            assert parse(panel.filters.to_json()) == panel.filters


def test_an_audience_that_nobody_matches_is_asked_back():
    found = plan("Women in Texas are leaving Netflix", count=lambda filter: 0)
    assert found.panels == ()
    assert found.clarification.missing == ("people",)
    again = plan(
        "Women in Texas are leaving Netflix",
        ["adults in the USA"],
        count=lambda one: 100 * (len(one.conditions) == 1),
    )
    assert again.panels[0].audience_text == "US adults"


def test_every_option_of_a_clarification_is_understood():
    for case in CASES:
        answers = case.get("answers", [])
        asked = plan(case["text"], answers).clarification
        for option in asked.options if asked else ():
            assert plan(case["text"], [*answers, option]).panels, (case["text"], option)


def test_an_answer_does_not_get_around_a_refusal():
    assert plan("Sales will fall", ["my neighbour's shop"]).refusal is not None
    assert plan("Starbucks", ["It is losing high schoolers"]).refusal is not None


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("future", [False, True])
def test_questions_on_everything_in_the_catalogue_can_be_asked(expert, future):
    for entry in ENTRIES:
        one = Measured(entry, "down")
        questions, _ = panel_questions(
            Thesis("", (one,), reasons=("price",), future=future), one, expert=expert
        )
        keys = [question.key for question in questions]
        assert 3 <= len(questions) <= 5
        assert len(set(keys)) == len(keys)
        assert {"change", "why", "reason"} <= set(keys)
        assert "outlook" in keys
        for question in questions:
            made = read_question(
                question.text,
                type=question.type,
                options=question.options or None,
                shuffle_options=question.shuffle_options,
                key=question.key,
            )
            assert made == question
            assert question.text[0].isupper()
            assert question.text.endswith("?")
            assert question.text.count("?") == 1
            assert not re.search(r"[{}]|  |\bthe the\b|\ba [aeio]|\ban [^aeiouAEIOU8]", question.text), (
                question.text
            )


def test_the_thesis_is_not_told_and_the_answers_are_balanced():
    found = plan("Starbucks is losing afternoon traffic to energy drinks among Gen Z because of price")
    customers, _ = found.panels
    assert [question.key for question in customers.questions] == [
        "usage",
        "change",
        "why",
        "reason",
        "rival_change",
    ]
    said = " ".join(question.text for panel in found.panels for question in panel.questions).lower()
    assert not re.search(r"\blos(?:e|ing)\b|\bless\b|\blower\b|\bprices?\b|gen z|decline|thesis", said)
    change = customers.questions[1]
    assert change.options == CHANGES
    reason = customers.questions[3]
    assert reason.shuffle_options
    assert "Prices" in reason.options
    assert reason.options[-2:] == ("Something else", "Nothing in particular")


def test_the_claim_says_what_would_have_to_be_answered():
    found = plan("Starbucks is losing Gen Z because of price")
    assert found.falsifiable_claim == (
        "Among US adults aged 18 to 29, more people say that the amount they spend at Starbucks is lower "
        "than 12 months ago than say that it is higher, and the 95% interval of their share among all "
        "who see a change lies wholly above 50%. Among US adults working as Food Service Managers or "
        "First-Line Supervisors of Food Preparation and Serving Workers, the same holds for customer "
        "traffic at coffee shops such as Starbucks. "
        'The reason given most often is "Prices".'
    )


def test_panels_survive_being_kept_as_json():
    for text in COMPOSED:
        for panel in plan(text).panels:
            assert panel_from_json(json.loads(json.dumps(panel_to_json(panel)))) == panel


def test_the_embedded_respondent_answers_every_question_of_every_kind(agents):
    respondent = EmbeddedRespondent()
    for entry in {entry.trade: entry for entry in ENTRIES}.values():
        one = Measured(entry, "up")
        for expert in (False, True):
            questions, _ = panel_questions(Thesis("", (one,), future=False), one, expert=expert)
            past = {}
            for question in questions:
                for reply in respondent.answer(agents[:20], question, past, seed=3):
                    past.setdefault(reply.agent_id, []).append(Exchange(question, reply.text, reply.value))
            for exchanges in past.values():
                values = {exchange.question.key: exchange.value for exchange in exchanges}
                assert values["change"] in (*CHANGES, None)
                assert values["outlook"] in (*CHANGES, None)
                assert next(each.text for each in exchanges if each.question.key == "why")


def test_every_occupation_that_is_asked_as_an_expert_is_live():
    live = set(LABELS["occupation"])
    for trade in (*TRADES.values(), *ACTIVITIES.values()):
        assert set(trade.experts) <= live


def test_every_entry_has_a_trade_and_every_trade_is_used():
    assert {entry.trade for entry in ENTRIES if not entry.employer} | {"thing", "firm"} == set(TRADES)
    assert {entry.trade for entry in ENTRIES if entry.employer} == set(ACTIVITIES)
    assert all(trade_of(entry) for entry in ENTRIES)
