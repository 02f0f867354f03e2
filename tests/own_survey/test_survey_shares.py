"""Intervals of groups of agents are those of the survey behind them, not of the number of agents."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from own_people import PRICE, known, people, usual

import voxpop as vp
from voxpop.errors import UsageError


def crowd(ages: range, size: int, gender: str = "female", country: str = "USA") -> pd.DataFrame:
    draw = np.random.default_rng(3)
    return pd.DataFrame({"age": draw.choice(list(ages), size), "gender": gender, "country": country})


def test_without_agents_they_are_the_weighted_answers_of_the_respondents() -> None:
    frame = people()
    told = usual().shares("switch", by="gender").long().set_index(["group", "answer"])
    for name in ("Female", "Male"):
        own = frame[(frame["sex"] == name) & frame["switch"].notna()]
        yes = own["w"][own["switch"] == "Yes"].sum() / own["w"].sum()
        row = told.loc[name.lower(), "Yes"]
        assert row["estimate"] == pytest.approx(yes)
        assert row["low"] < yes < row["high"]
        assert row["donors"] == pytest.approx(own["w"].sum() ** 2 / (own["w"] ** 2).sum())


def test_more_agents_do_not_make_it_surer_and_more_respondents_do() -> None:
    few, many = crowd(range(30, 50), 100), pd.concat([crowd(range(30, 50), 100)] * 20)
    widths = [
        float(know.shares("switch", group).long().eval("high - low").iloc[0])
        for know, group in ((usual(), few), (usual(), many), (known(people(2_000)), many))
    ]
    assert widths[0] == pytest.approx(widths[1])
    assert widths[2] < 0.75 * widths[1]


def test_cohorts_beyond_the_survey_have_wider_intervals_and_farther_ones_none() -> None:
    know = known(people(800, oldest=64))
    groups = {"near": range(50, 60), "beyond": range(65, 75), "far": range(90, 95)}
    told = {name: know.shares("switch", crowd(ages, 200)).long().iloc[0] for name, ages in groups.items()}
    near, beyond, far = told.values()
    assert (near["beyond"], beyond["beyond"], far["reached"]) == (0, 200, 0)
    assert beyond["high"] - beyond["low"] > near["high"] - near["low"]
    assert np.isnan(far["estimate"])
    abroad = know.shares("switch", crowd(range(50, 60), 50, country="France"))
    assert "not reached" in repr(abroad)
    assert abroad.long()["reached"].tolist() == [0, 0]


def test_groups_may_be_by_a_column_that_the_survey_does_not_have() -> None:
    group = crowd(range(30, 70), 300).assign(bmi_class=["normal", "obese_1", None] * 100)
    told = usual().shares("switch", group, by="bmi_class")
    assert told.long()["group"].unique().tolist() == ["normal", "obese_1", "unknown"]
    assert "published" in repr(told)
    assert "<caption>" in told._repr_html_()


def test_a_number_has_a_mean() -> None:
    frame = people()
    told = usual().shares(PRICE).long().iloc[0]
    assert told["estimate"] == pytest.approx(np.average(frame["price"], weights=frame["w"]))


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    truth = people(60_000, seed=99)
    cohorts = [(range(25, 40), "Female"), (range(60, 80), "Male")]
    covered = []
    for seed in range(20):
        know = known(people(400, seed), questions={"switch": "Would you switch?"})
        for ages, gender in cohorts:
            inside = truth[truth["age"].isin(list(ages)) & (truth["sex"] == gender)]
            own = (inside["switch"][inside["switch"].notna()] == "Yes").mean()
            told = know.shares("switch", crowd(ages, 300, gender.lower())).long()
            row = told.set_index("answer").loc["Yes"]
            covered.append(row["low"] <= own <= row["high"])
    assert np.mean(covered) >= 0.9


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"question": "swich"}, "did you mean switch"),
        ({"question": "switch", "by": "state"}, "by: snacks has no field 'state'; it has age, gender"),
        ({"question": "switch", "people": pd.DataFrame({"age": [40]})}, "no column 'gender'"),
        ({"question": "switch", "level": 95}, "level must lie between 0 and 1"),
    ],
)
def test_a_wrong_argument_is_named(given: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        usual().shares(**given)


def test_the_service_keeps_answers_and_no_record_of_people(tmp_path) -> None:
    know = usual()
    with vp.local(agents=1_000, knowledge=know, data=tmp_path / "data") as client:
        group = vp.recruit(client, vp.where(country="USA"), size=60)
        study = vp.Study.create(client, group, title="Snacks")
        told = study.preview(know.survey.asked[0].wording, type="yes_no")
        study.ask(know.survey.asked[0].wording, key="switch", type="yes_no")
        study.complete()
        store = vp.Store(tmp_path / "snacks.duckdb")
        study.pull(into=store)
        frame = store.respondents(study).df()
    assert {one.basis for one in told.bases} <= {"published", "modelled", "none"}
    assert frame["switch"].notna().sum() >= 55
    own = know.shares("switch", frame, by="gender").long()
    assert own["agents"].sum() == 2 * 60
    held = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert held
    assert not [one for one in held if b"panelist-" in one or b"Because of reason" in one]
