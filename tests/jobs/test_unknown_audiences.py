"""An audience that needs an unknown field becomes a question, whose answers lead to one that is known."""

from __future__ import annotations

import pytest

from voxpop.jobs.unknown_audiences import WITHOUT, question_of, settled
from voxpop.vocabulary import Filter, between, where
from voxpop.vocabulary.unknown_fields import unknown_fields

VETERANS = where(country="Japan", veteran=True, age=between(60))


def test_a_known_audience_raises_no_question() -> None:
    assert question_of(where(country="USA", veteran=True), unknown_fields) is None
    assert question_of(where(veteran=True), unknown_fields) is None


def test_the_question_names_what_is_unknown_and_answers_that_help() -> None:
    asked = question_of(VETERANS, unknown_fields)
    assert asked is not None
    assert asked.question == (
        '"Veteran" is unknown for agents in Japan, which does not mean that none matches: there are no '
        "figures for Japan. Should it be left out, or which other country is meant?"
    )
    assert asked.missing == ("veteran",)
    assert asked.options == (WITHOUT, "USA")


@pytest.mark.parametrize(
    ("answer", "audience"),
    [
        ("leave it out", where(country="Japan", age=between(60))),
        ("Leave it out.", where(country="Japan", age=between(60))),
        ("USA", where(veteran=True, age=between(60), country="USA")),
        ("in the United States", where(veteran=True, age=between(60), country="USA")),
        ("India", VETERANS),  # it is unknown there too
        ("perhaps", VETERANS),
    ],
)
def test_an_answer_leads_to_a_known_audience_or_to_the_question_again(answer: str, audience: Filter) -> None:
    asked = question_of(VETERANS, unknown_fields)
    assert asked is not None
    found = settled(VETERANS, [("Which age?", "60"), (asked.question, answer)], unknown_fields)
    assert dict(found.conditions) == dict(audience.conditions)
    assert (question_of(found, unknown_fields) is None) == (audience is not VETERANS)


def test_several_unknown_fields_are_one_question() -> None:
    both = where(country="UK", veteran=True, religion="hindu")
    asked = question_of(both, unknown_fields)
    assert asked is not None
    assert asked.missing == ("religion", "veteran") or asked.missing == ("veteran", "religion")
    assert "Should they be left out" in asked.question
    assert settled(both, [(asked.question, WITHOUT)], unknown_fields) == where(country="UK")


def test_what_is_left_out_is_left_out_of_groups_too() -> None:
    asked = where(country="Japan", age=between(60)) & ~where(health_conditions="asthma")
    open_ = question_of(asked, unknown_fields)
    assert open_ is not None
    found = settled(asked, [(open_.question, WITHOUT)], unknown_fields)
    assert found == where(country="Japan", age=between(60))
    assert question_of(found, unknown_fields) is None
