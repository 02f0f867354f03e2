"""How well the library answers, computed on every run: the figures of docs/human-answers.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_evaluation import Evaluation, evaluated
from library_questions import FAMILIES, in_own_words, paraphrases, set_aside, unanswered

from voxpop.engines.agents import Agent
from voxpop_simulator.library.answers import Library, library
from voxpop_simulator.library.items import items

PAGE = (FAMILIES.parents[2] / "docs" / "human-answers.md").read_text(encoding="utf-8")
SETS = ("development", "final", "fresh")
INDEPENDENT = "independent"


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    return panel_of_the_usa[:2_500]


@pytest.fixture(scope="module")
def reworded(people: list[Agent]) -> Evaluation:
    return evaluated(library(), [one for name in SETS for one in paraphrases(name)], people)


@pytest.mark.parametrize("name", SETS)
def test_questions_in_other_words_are_found_and_none_wrongly(name: str) -> None:
    told = evaluated(library(), paraphrases(name), ())
    assert told.wrongly == ()
    assert told.found >= 0.6 * told.asked
    assert f"| other words, {name} | {told.asked} | {told.found} | 0 |" in PAGE


def test_of_the_questions_of_another_writer_few_are_found_and_none_wrongly() -> None:
    told = evaluated(library(), paraphrases(INDEPENDENT), ())
    assert told.wrongly == ()
    assert f"| other words, another writer | {told.asked} | {told.found} | 0 |" in PAGE
    missed = evaluated(library(), unanswered(INDEPENDENT), ())
    assert missed.wrongly == ()
    assert f"| no item answers it, another writer | {missed.asked} | 0 | 0 |" in PAGE


def test_the_nearest_known_question_is_nearly_always_the_one_meant() -> None:
    family = {item.name: item.family for item in items()}
    asked = [one for name in (*SETS, INDEPENDENT) for one in paraphrases(name)]
    missed = [one for one in asked if library().find(one.question) is None]
    named = [(one, near) for one in missed if (near := library().nearest(one.question)) is not None]
    right = sum(near.family == family[one.item or ""] for one, near in named)
    page = " ".join(PAGE.split())
    assert f"Of {len(missed)} such questions that are not found, {len(named)} get one" in page
    assert f"for {right} of them the one that is meant" in page
    assert right >= 0.95 * len(named)
    others = [one for name in (*SETS, INDEPENDENT) for one in unanswered(name)]
    near = sum(library().nearest(one.question) is not None for one in others)
    assert f"So do {near} of the {len(others)} questions that no item answers" in page


@pytest.mark.parametrize("name", SETS)
def test_no_question_without_an_answer_is_given_one(name: str) -> None:
    told = evaluated(library(), unanswered(name), ())
    assert told.wrongly == ()
    assert f"| no item answers it, {name} | {told.asked} | 0 | 0 |" in PAGE


def test_answers_have_the_shares_and_the_gaps_of_the_survey(reworded: Evaluation) -> None:
    assert reworded.error <= 3 <= 0.6 * reworded.uniform
    assert reworded.gaps > 500
    assert reworded.right >= 0.95 * reworded.gaps


def test_a_question_whose_item_is_left_out_is_left_out() -> None:
    others = Library(without=set_aside())
    own = evaluated(others, in_own_words(set_aside()), ())
    assert own.wrongly == ()
    assert f"| set aside, own wording | {own.asked} | 0 | 0 |" in PAGE
    asked = [one for name in SETS for one in paraphrases(name) if one.item in set_aside()]
    other_words = evaluated(others, asked, ())
    assert other_words.wrongly == ()
    assert f"| set aside, other words | {other_words.asked} | 0 | 0 |" in PAGE


def test_items_in_their_own_wording_are_found_in_their_own_direction() -> None:
    told = evaluated(library(), in_own_words({item.name for item in items()}), ())
    assert told.wrongly == ()
    held = in_own_words({item.name for item in items()} - set_aside())
    others = evaluated(Library(without=set_aside()), held, ())
    assert f"| in the library, own wording | {others.asked} | {others.found} | {others.wrong} |" in PAGE


def test_no_item_answers_for_another_family() -> None:
    by_family: dict[str, set[str]] = {}
    for item in items():
        by_family.setdefault(item.family, set()).add(item.name)
    found = [
        wrong
        for names in list(by_family.values())[::3]
        for wrong in evaluated(Library(without=names), in_own_words(names), ()).wrongly
    ]
    assert found == []


def test_the_set_aside_items_are_those_of_the_digest() -> None:
    assert len(set_aside()) == 109
    assert Path(FAMILIES).read_text(encoding="utf-8").startswith("item,family,set_aside\n")
