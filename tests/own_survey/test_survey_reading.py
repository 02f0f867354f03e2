"""Surveys from files and frames: what is read, what is mapped, and what does not fit."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from own_people import EAT, OFTEN_OPTIONS, QUESTIONS, SWITCH, known, people, usual

import voxpop as vp
from voxpop.engines.human_survey import CATEGORY, NUMBER, SEVERAL
from voxpop.errors import UsageError


def test_a_frame_tells_what_was_mapped_and_what_is_not_used() -> None:
    know = usual()
    told = repr(know)
    assert "snacks: 400 people in USA, effective" in told
    assert "Fields: Age (age), Gender (sex)" in told
    assert "Not used (no wording): id, why" in told
    kinds = {one.name: (one.kind, one.options) for one in know.survey.asked}
    assert kinds["switch"] == (CATEGORY, ("Yes", "No"))
    assert kinds["often"] == (CATEGORY, OFTEN_OPTIONS)
    assert kinds["price"] == kinds["like"] == (NUMBER, ())
    assert kinds["apple+crisps"] == (SEVERAL, ("apple", "crisps"))
    assert "<table>" in know._repr_html_()
    assert "array" not in repr(know.survey)


@pytest.mark.parametrize("kind", ["parquet", "csv", "arrow"])
def test_files_and_tables_hold_the_same_survey(kind: str, tmp_path: Path) -> None:
    frame = people(100)
    frame["often"] = frame["often"].astype(str)
    path = tmp_path / f"snacks.{kind}"
    data: Any = path
    if kind == "arrow":
        data = pa.Table.from_pandas(frame)
    elif kind == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    assert known(data).survey.digest == known(frame).survey.digest


def test_labels_of_spss_and_stata_files_are_wordings_and_options(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = people(200)[["age", "sex", "w", "switch", "like"]]
    codes = frame.assign(
        sex=frame["sex"].map({"Male": 1.0, "Female": 2.0}),
        switch=frame["switch"].map({"Yes": 1.0, "No": 2.0}).fillna(9.0),
    )
    labels = {"switch": SWITCH, "sex": "Gender", "like": "How much do you like snacks, 0-10?"}
    values = {"sex": {1.0: "Male", 2.0: "Female"}, "switch": {1.0: "Yes", 2.0: "No", 9.0: "Don't know"}}
    pyreadstat.write_sav(codes, tmp_path / "wave 1.sav", column_labels=labels, variable_value_labels=values)
    spss = vp.knowledge(tmp_path / "wave 1.sav", weights="w")
    frame.assign(switch=pd.Categorical(frame["switch"], categories=["Yes", "No"])).to_stata(
        tmp_path / "wave.dta", write_index=False, variable_labels=labels
    )
    stata = vp.knowledge(tmp_path / "wave.dta", weights="w")
    for know in (spss, stata):
        assert [(axis.field, axis.column) for axis in know.survey.axes] == [("age", "age"), ("gender", "sex")]
        switch = know.survey.asked[0]
        assert (switch.wording, switch.options) == (SWITCH, ("Yes", "No"))
        assert int(switch.answered.sum()) == int(frame["switch"].notna().sum())
    assert spss.survey.name == "wave 1"


def test_a_set_of_an_spss_file_is_one_question_of_its_counted_value(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = people(200)
    path = tmp_path / "sets.sav"
    coded = frame[["age"]].assign(
        apple=2.0 - frame["apple"], crisps=2.0 - frame["crisps"]
    )  # 1 is ticked, 2 not
    pyreadstat.write_sav(coded, path, column_labels={"apple": "Apple", "crisps": "Crisps"})
    told = f"$eat=D1 1 {len(EAT)} {EAT} apple crisps\n".encode()
    end = struct.pack("<2i", 999, 0)  # the record that ends the dictionary; that of the sets goes before it
    path.write_bytes(path.read_bytes().replace(end, struct.pack("<4i", 7, 7, 1, len(told)) + told + end, 1))
    (asked,) = vp.knowledge(path).survey.asked
    assert (asked.kind, asked.wording, asked.options) == (SEVERAL, EAT, ("Apple", "Crisps"))
    assert asked.values.tolist() == frame[["apple", "crisps"]].astype(float).to_numpy().tolist()


def test_levels_of_another_wording_are_mapped_by_the_user() -> None:
    frame = people(200)
    frame["school"] = np.where(frame["age"] > 40, "Master", "Abitur")
    wanted = {"Master": "College graduate or above", "Abitur": "High school graduate/GED"}
    know = known(frame, profile={"education": ("school", wanted)})
    (axis,) = know.survey.axes
    held = [axis.levels[place] for place in axis.places[:5]]
    assert held == [wanted[one] for one in frame["school"][:5]]
    with pytest.raises(UsageError, match=r"profile=\{'education': \('school', \{value: level\}\)\}"):
        known(frame, profile={"education": "school"})


def test_bands_of_a_survey_hold_the_agents_in_them() -> None:
    frame = people(300)
    frame["age"] = pd.cut(frame["age"], [17, 34, 54, 99], labels=["18-34", "35-54", "55 and over"])
    frame["pay"] = ["Under $50k", "$50k to $100k", "$100,000 or more"] * 100
    know = known(frame, profile={"age": "age", "household_income": "pay"})
    age, income = know.survey.axes
    assert [age.levels[age.place(years)] for years in (18, 34, 35, 80)] == [
        *("18-34", "18-34", "35-54", "55 and over")
    ]
    placed = {band: income.levels[place] for band, place in income.held.items()}
    assert placed["Under $15,000"] == placed["$35,000-$49,999"] == "Under $50k"
    assert placed["$75,000-$99,999"] == "$50k to $100k"
    assert placed["$200,000 and over"] == "$100,000 or more"


def test_levels_that_a_survey_does_not_tell_apart_are_one() -> None:
    frame = people(300)
    frame["party"] = ["democrats", "republicans", "independent"] * 100
    frame["region"] = ["Northeast", "South", "West"] * 100
    know = known(frame, profile={"party_id": "party", "state": "region"})
    party, state = know.survey.axes
    assert party.place("strong_democrat") == party.place("democrat") == party.places[0]
    assert state.place("NY") == state.place("MA") == state.places[0]
    assert state.place("NY") != state.place("TX")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"weights": "wgt"}, "weights: snacks has no column 'wgt'"),
        ({"weights": "sex"}, "weights: row 0 of 'sex' holds"),
        ({"profile": {"gendr": "sex"}}, "did you mean gender"),
        ({"profile": {"gender": "sexx"}}, "did you mean sex"),
        ({"questions": {"why": "Why?"}}, "open text is not kept"),
        ({"questions": {"id": "Who are you?"}}, "open text is not kept"),
        ({"questions": None}, "no column with a question"),
        ({"country": "Germny"}, "did you mean Germany"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_can(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        known(**given)


def test_numbers_that_tell_people_apart_are_no_question() -> None:
    frame = people(100).assign(number=range(7_000, 7_100))
    with pytest.raises(UsageError, match="identify people"):
        known(frame, questions={"number": "What is your number?"})


def test_a_saved_survey_is_the_same_and_holds_no_identities(tmp_path: Path) -> None:
    know = usual()
    path = know.save(tmp_path / "our.knowledge")
    assert vp.knowledge(path).survey.digest == know.survey.digest
    assert repr(vp.knowledge(path)).splitlines()[:3] == repr(know).splitlines()[:3]
    assert path.stat().st_mode & 0o077 == 0
    assert b"panelist" not in path.read_bytes()
    assert b"reason" not in path.read_bytes()
    with pytest.raises(UsageError, match=r"ending \.knowledge"):
        know.save(tmp_path / "our.parquet")
    with pytest.raises(UsageError, match="is complete"):
        vp.knowledge(path, questions=QUESTIONS)
    people(5).to_parquet(tmp_path / "other.knowledge")
    with pytest.raises(UsageError, match="not a saved survey"):
        vp.knowledge(tmp_path / "other.knowledge")
    assert EAT in repr(know)
