"""Agents answer as respondents near them: margins, joint answers and weights are those of the survey."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from own_people import EAT, LIKE, OFTEN, OFTEN_OPTIONS, PRICE, SWITCH, agents, known, people, usual

from voxpop.engines import Question, Reply, Scale
from voxpop.engines.donors import Donors
from voxpop.engines.informed import informed
from voxpop.engines.registry import default_engine
from voxpop.engines.survey_answers import shared_numbers

MANY = 4_000


def answers(know, group, question):
    engine = informed(default_engine(), know.survey).respondent
    return [one.value for one in engine.answer(group, question, {}, seed=7) if isinstance(one, Reply)]


def like(frame: pd.DataFrame, know, age: int, gender: str) -> pd.Series:
    """The donors' weights for one agent, by the definition."""
    steps = {axis.field: axis.nearness for axis in know.survey.axes}
    bands = [18, 21, *range(25, 100, 5)]
    years = frame["age"].map(lambda one: bisect_right(bands, one)) - bisect_right(bands, age)
    other = (frame["sex"].str.lower() != gender).astype(int)
    return frame["w"] * steps["age"] ** years.abs() * steps["gender"] ** other


@pytest.mark.parametrize("seed", range(3))
def test_a_group_answers_as_the_weighted_respondents_near_its_members(seed: int) -> None:
    frame = people(400, seed)
    know = known(frame)
    draw = np.random.default_rng(seed)
    ages, genders = draw.integers(18, 90, MANY), draw.choice(["male", "female"], MANY)
    given = answers(know, agents(ages.tolist(), genders.tolist()), Question(SWITCH, "yes_no"))
    asked = frame["switch"].notna()
    expected = Counter[str]()
    for (age, gender), count in Counter(zip(ages.tolist(), genders.tolist(), strict=True)).items():
        near = like(frame, know, age, gender)[asked]
        share = near[frame["switch"] == "Yes"].sum() / near.sum()
        expected["all"] += count * share
        expected[gender] += count * share
    for name in ("all", "male", "female"):
        inside = [value for value, gender in zip(given, genders, strict=True) if name in ("all", gender)]
        assert np.mean(inside) == pytest.approx(
            expected[name] / len(inside), abs=4 * 0.5 / len(inside) ** 0.5
        )


def test_answers_go_together_as_those_of_the_respondents() -> None:
    know, frame = usual(), people()
    group = agents([30, 45, 60, 75] * 250, ["male", "female"] * 500)
    often = answers(know, group, Question(OFTEN, "single_choice", OFTEN_OPTIONS))
    liked = answers(know, group, Question(LIKE, "scale", scale=Scale(0, 10)))
    eaten = answers(know, group, Question(EAT, "multi_choice", ("crisps", "apple")))
    pairs = set(zip(frame["often"].astype(str), frame["like"], frame["crisps"], strict=True))
    found = set(zip(often, liked, [int("crisps" in value) for value in eaten], strict=True))
    assert found <= pairs
    assert len(found) > 8


def test_a_respondent_without_an_answer_is_replaced_for_that_question_only() -> None:
    know, frame = usual(), people()
    group = agents([40] * 500, ["female"] * 500)
    assert None not in answers(know, group, Question(SWITCH, "yes_no"))
    donors = Donors(know.survey)
    first = [donors.draw(agent, [True] * 400) for agent in group]
    answered = frame["switch"].notna().tolist()
    second = [donors.draw(agent, answered) for agent in group]
    assert all(one == other for one, other in zip(first, second, strict=True) if answered[one])
    assert all(answered[one] for one in second)


def test_only_a_few_who_answered_are_found_too() -> None:
    donors = Donors(usual().survey)
    rare = np.zeros(400, dtype=bool)
    rare[[3, 77]] = True
    assert {donors.draw(agent, rare) for agent in agents([40] * 60, ["male"] * 60)} == {3, 77}


def test_respondents_without_weight_never_answer() -> None:
    frame = people(400)
    frame.loc[frame["switch"] == "Yes", "w"] = 0.0
    given = answers(known(frame), agents([50] * 300, ["female"] * 300), Question(SWITCH, "yes_no"))
    assert given == [False] * 300


def test_an_agent_has_at_least_ten_donors() -> None:
    know = known(people(60))
    narrow = replace(know.survey, axes=tuple(replace(axis, nearness=0.01) for axis in know.survey.axes))
    own = Donors(narrow).weights((15, 1))
    assert 1 / float((own**2).sum()) >= 10


def test_a_field_without_a_bearing_on_the_answers_counts_for_nothing() -> None:
    frame = people(600)
    frame["state"] = np.random.default_rng(5).choice(["CA", "NY", "TX", "FL"], 600)
    nearness = {axis.field: axis.nearness for axis in known(frame).survey.axes}
    assert nearness["state"] == 1.0
    assert nearness["gender"] < 0.4


def test_numbers_of_single_people_are_not_given_and_the_mean_stays() -> None:
    frame = people(400)
    given = answers(known(frame), agents([50] * 500, ["male"] * 500), Question(PRICE, "number"))
    shared = shared_numbers(frame["price"].to_numpy())
    counts = Counter(shared.tolist())
    assert min(counts.values()) >= 3
    assert shared.mean() == pytest.approx(frame["price"].mean())
    assert set(given) <= set(counts)
