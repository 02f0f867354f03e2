"""No step of a study shows placeholders as findings; what is left out is said in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import made_study
from voxpop.engines.basis import Basis
from voxpop.jobs.artifacts import summary
from voxpop.jobs.completing import STEPS
from voxpop.jobs.evidence import Evidence, gather
from voxpop.jobs.placeholders import NOTHING_KNOWN

PLACEHOLDER = Basis("none", "No figure is known.")
PUBLISHED = Basis("published", "Our survey, 2025.")


def study(placeholder: Callable[[int, int], bool]) -> Evidence:
    """Return the made study; ``placeholder`` chooses by question and agent what has no figure."""
    questions, answers, agents = made_study.study()
    rest = [
        replace(one, basis=PLACEHOLDER if placeholder(one.question_id, one.agent_id) else PUBLISHED)
        for one in answers
    ]
    return gather(questions, rest, agents)


def cited(made: dict[str, Any]) -> set[int]:
    return {number for line in made["claims"] for number in line["question_ids"]}


@pytest.mark.parametrize("step", STEPS)
def test_a_question_of_placeholders_is_in_no_claim(step: str) -> None:
    whole = STEPS[step](study(lambda question, agent: False))
    assert not any("Placeholders" in note for note in whole["notes"])
    made = STEPS[step](study(lambda question, agent: question in (1, 3)))
    assert cited(made) & {1, 3} == set()
    assert cited(made), "the other questions are still told of"
    (told,) = [note for note in made["notes"] if note.startswith("Placeholders")]
    assert "all answers to “Would you switch to a lower-sugar snack?”" in told


@pytest.mark.parametrize("step", STEPS)
def test_placeholders_among_other_answers_are_left_out_and_counted(step: str) -> None:
    evidence = study(lambda question, agent: question == 1 and agent % 4 == 0)
    lost = {one.id for one in evidence.columns[0].answers if one is not None and one.basis == PLACEHOLDER}
    made = STEPS[step](evidence)
    for line in made["claims"]:
        assert not lost & {*line["answer_ids"], *line.get("others", {}).get("answer_ids", ())}
    assert any("60 of 240 answers to “Would you switch" in note for note in made["notes"])


@pytest.mark.parametrize("step", STEPS)
def test_with_nothing_but_placeholders_the_step_says_just_that(step: str) -> None:
    made = STEPS[step](study(lambda question, agent: True))
    assert made["claims"] == []
    assert made["notes"][0] == NOTHING_KNOWN
    if step != "stats":
        assert made["notes"] == [NOTHING_KNOWN]
    if step == "overall_summary":
        assert made["text"] == NOTHING_KNOWN


def test_a_study_without_bases_is_read_as_before() -> None:
    questions, answers, agents = made_study.study()
    plain = gather(questions, answers, agents)
    known = study(lambda question, agent: False)
    for step, run in STEPS.items():
        if step != "stats":
            assert run(plain) == run(known)


def test_figures_tell_what_they_rest_on() -> None:
    made = STEPS["stats"](study(lambda question, agent: question == 1 and agent % 4 == 0))
    first, second, *_ = made["questions"]
    assert [(one["kind"], one["answers"]) for one in first["bases"]] == [("published", 180), ("none", 60)]
    assert first["placeholders"].startswith("Placeholders: no figure is known for 60 of 240 answers")
    assert second["placeholders"] is None


def test_the_summary_of_a_direct_question_leaves_them_out() -> None:
    questions, answers, agents = made_study.study()
    asked = replace(questions[0], uuid="20000000-0000-0000-0000-000000000001")
    given = [
        replace(one, basis=PLACEHOLDER if one.agent_id % 2 else PUBLISHED)
        for one in answers
        if one.question_id == 1
    ]
    made = summary(asked, given, agents)
    assert made is not None
    assert "120 of 240 answers" in made["text"]
    assert {number % 2 for number in made["answer_ids"]} == {0}
    nothing = [replace(one, basis=PLACEHOLDER) for one in given]
    other = replace(asked, uuid="20000000-0000-0000-0000-000000000002")
    assert summary(other, nothing, agents) == {"kind": "summary", "text": NOTHING_KNOWN, "answer_ids": []}
