"""What answers rest on: human records, an extrapolation that says so, the profile, or the engine behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest
from own_people import SWITCH, agents, known, people

from voxpop.engines import Agent, Basis, Exchange, Failure, Question, Reply
from voxpop.engines.engine import Engine
from voxpop.engines.informed import Informed, informed
from voxpop.engines.registry import default_engine
from voxpop.engines.testing import check_engine

ASKED = Question(SWITCH, "yes_no")


class Model:
    """An engine that says how many earlier answers it was told of."""

    name = "model-1"

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        for agent in agents:
            basis = Basis("modelled", "A model.")
            yield Reply(agent.id, f"{len(history.get(agent.id, ()))}", None, None, self.name, basis=basis)


@pytest.fixture(scope="module")
def engine() -> Informed:
    found = informed(default_engine(), known(people(600, oldest=64), fielded="March 2026").survey).respondent
    assert isinstance(found, Informed)
    return found


def bases(engine: Informed, ages: list[int], gender: str = "male", **where: str) -> list[Basis]:
    return list(engine.basis(ASKED, agents(ages, [gender] * len(ages), **where)))


def test_it_is_an_engine_as_any_other(engine: Informed) -> None:
    check_engine(engine)


def test_answers_within_reach_are_human_records_with_their_source(engine: Informed) -> None:
    (basis,) = bases(engine, [40])
    assert basis.kind == "published"
    assert basis.note.startswith("Human records: snacks (n = 5")
    assert "March 2026" in basis.note
    assert "column switch, of respondents near the agent in age, gender." in basis.note


def test_beyond_the_survey_answers_are_modelled_and_farther_away_placeholders(engine: Informed) -> None:
    kinds = [basis.kind for basis in bases(engine, [64, 70, 79, 95])]
    assert kinds == ["published", "modelled", "modelled", "none"]
    assert "hardly reaches people like the agent in age" in bases(engine, [70])[0].note
    assert "does not reach people like the agent (age)" in bases(engine, [95])[0].note
    assert bases(engine, [40], country="France")[0].note.startswith(
        "snacks does not reach people like the agent"
    )


def test_a_level_nobody_holds_is_not_answered_from_the_only_other_one() -> None:
    frame = people(400)
    women = informed(default_engine(), known(frame[frame["sex"] == "Female"], weights=None).survey).respondent
    kinds = [next(iter(women.basis(ASKED, agents([40], [gender])))).kind for gender in ("female", "male")]
    assert kinds == ["published", "none"]


def test_a_missing_combination_is_beyond_the_reach() -> None:
    frame = people(800)
    without = frame[(frame["sex"] == "Male") | (frame["age"] < 63)]
    found = informed(default_engine(), known(without).survey).respondent
    told = [next(iter(found.basis(ASKED, agents([70], [gender])))) for gender in ("male", "female")]
    assert [basis.kind for basis in told] == ["published", "modelled"]
    assert "age and gender together" in told[1].note


def test_a_question_of_some_people_only_is_not_put_to_others() -> None:
    frame = people(600)
    frame.loc[frame["sex"] == "Male", "switch"] = None
    found = informed(default_engine(), known(frame).survey).respondent
    kinds = [next(iter(found.basis(ASKED, agents([40], [gender])))).kind for gender in ("female", "male")]
    assert kinds == ["published", "none"]


def test_the_profile_decides_what_it_holds() -> None:
    frame = people(400)
    frame["kids"] = ["Yes", "No"] * 200
    question = "Are you a parent of a child under 18?"
    own = known(frame, questions={"kids": question})
    found = informed(default_engine(), own.survey).respondent
    (basis,) = found.basis(Question(question, "yes_no"), agents([40], ["male"]))
    assert basis.kind == "profile"


@pytest.mark.parametrize(
    "asked",
    [
        Question("Would you switch to a cheaper snack?", "yes_no"),
        Question("Did you switch to a lower-sugar snack?", "yes_no"),
        Question("Would your children switch to a lower-sugar snack?", "yes_no"),
        Question("Why would you switch to a lower-sugar snack?", "open"),
    ],
)
def test_another_question_goes_to_the_engine_behind(asked: Question, engine: Informed) -> None:
    assert {basis.kind for basis in engine.basis(asked, agents([40], ["male"]))} == {"none"}


@pytest.mark.parametrize("text", ["Do you think you would switch to lower-sugar snacks?", SWITCH.upper()])
def test_the_same_question_in_other_words_is_found(text: str, engine: Informed) -> None:
    group = agents([40] * 50, ["male"] * 50)
    reworded = [one.value for one in engine.answer(group, Question(text, "yes_no"), {}, seed=1)]
    assert reworded == [one.value for one in engine.answer(group, ASKED, {}, seed=2)]


def test_a_model_behind_answers_the_rest_and_whoever_is_out_of_reach() -> None:
    found = informed(Engine(Model(), default_engine), known(people(600, oldest=64)).survey).respondent
    group = agents([40, 99, 50], ["male"] * 3)
    said = list(found.answer(group, ASKED, {1: [Exchange(ASKED, "Yes.", True)]}, seed=1))
    assert [one.agent_id for one in said] == [1, 2, 3]
    assert [one.basis.kind for one in said] == ["published", "modelled", "published"]
    assert said[1].basis.note == "A model."
    assert {one.engine for one in said} == {found.name}
    other = list(found.answer(group, Question("Why?", "open"), {1: [Exchange(ASKED, "Yes.", True)]}, seed=1))
    assert [one.text for one in other] == ["1", "0", "0"]
