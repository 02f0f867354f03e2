"""How well the library answers, computed on every run: the figures of docs/human-answers.md."""

from __future__ import annotations

from dataclasses import replace

import pytest

from library_questions import in_own_words, paraphrases, set_aside, unanswered
from voxpop.engines.agents import Agent
from voxpop_simulator.library.answers import Library, library
from voxpop_simulator.library.evaluation import Evaluation, evaluated


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    """Adults; those whom a question on work is put to need a job."""
    return panel_of_the_usa[:2_500]


@pytest.fixture(scope="module")
def final(people: list[Agent]) -> Evaluation:
    return evaluated(library(), paraphrases("final"), people)


def test_half_of_the_questions_in_other_words_are_found_and_none_wrongly(final: Evaluation) -> None:
    print(final)
    assert final.wrong == 0, final.wrongly
    assert final.found >= 0.5 * final.asked


def test_no_question_without_an_answer_is_given_one() -> None:
    told = evaluated(library(), unanswered("final"), ())
    print(told)
    assert told.asked >= 100
    assert told.wrong == 0, told.wrongly


def test_answers_have_the_shares_and_the_gaps_of_the_survey(final: Evaluation) -> None:
    assert final.error <= 10
    assert final.error <= 0.6 * final.uniform
    assert final.right >= 0.75 * final.gaps


def test_questions_that_are_set_aside_are_left_out(people: list[Agent]) -> None:
    aside = set_aside()
    others = Library(without=aside)
    own = evaluated(others, in_own_words(aside), people)
    reworded = [one for name in ("development", "final") for one in paraphrases(name) if one.item in aside]
    asked = evaluated(others, reworded, people)
    print(own, asked)
    assert own.wrong + asked.wrong == 0, (own.wrongly, asked.wrongly)
