"""Files of SPSS, Stata, pandas and others as surveys keep labels, order, missing codes, sets and grids."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

import voxpop as vp
from voxpop.errors import UsageError

AGREE = {1: "disagree", 2: "neither", 3: "agree"}


@pytest.fixture(scope="module")
def answers() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "q3": [1, 2, 8, 1, 9, np.nan],
            "nps": [0, 5, 10, 7, 99, 9],
            "region": ["N", "S", "", "N", "S", "N"],
            "b1": [1, 0, 1, 0, 1, np.nan],
            "b2": [0, 0, 1, 1, 1, np.nan],
            "t1": [1, 2, 3, 1, 2, 3],
            "t2": [3, 2, 1, 3, 2, 1],
            "t3": [1, 1, 2, 3, 2, 1],
            "wt": [1.0, 2.0, 0.5, 0.0, 1.0, 1.5],
        }
    )


@pytest.fixture(scope="module")
def sav(answers: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spss") / "wave.sav"
    pyreadstat.write_sav(
        answers,
        str(path),
        column_labels={
            "q3": "Would you switch?",
            "b1": "Brands known: Acme",
            "b2": "Brands known: Bolt",
            "t1": "Trust - the police",
            "t2": "Trust - the courts",
            "t3": "Trust - the press",
        },
        variable_value_labels={
            "q3": {2: "No", 1: "Yes", 8: "Don't know", 9: "Refused"},
            "nps": {0: "not at all", 10: "certainly"},
            "t1": AGREE,
            "t2": AGREE,
            "t3": AGREE,
        },
        missing_ranges={"q3": [8, 9], "nps": [{"lo": 90, "hi": 99}]},
        variable_measure={"t1": "ordinal", "q3": "nominal"},
    )
    return path


def test_spss_labels_are_levels_in_the_order_of_their_codes(sav: Path) -> None:
    people = vp.data(sav)
    held = people.variables["q3"]
    assert (people.name, held.label, held.kind) == ("wave", "Would you switch?", "category")
    assert dict(held.codes) == {1: "Yes", 2: "No"}
    frame = people.df()
    assert frame["q3"].tolist()[:2] == ["Yes", "No"]
    assert frame["q3"].cat.categories.tolist() == ["Yes", "No"]
    assert frame["t1"].cat.ordered
    assert not frame["q3"].cat.ordered


def test_spss_missing_codes_and_ranges_are_no_answers_and_are_counted(sav: Path) -> None:
    people = vp.data(sav)
    assert people["q3"].isna().tolist() == [False, False, True, False, True, True]
    assert dict(people.variables["q3"].missing) == {8: "Don't know", 9: "Refused"}
    assert dict(people.variables["q3"].lost) == {"Don't know": 1, "Refused": 1}
    assert people["nps"].dropna().tolist() == [0, 5, 10, 7, 9]
    assert people["region"].isna().sum() == 1


def test_two_labelled_ends_make_a_scale_and_a_nominal_code_has_no_mean(sav: Path) -> None:
    people = vp.data(sav)
    assert people.variables["nps"].kind == "number"
    assert vp.nps(people, "nps").long()["n"].tolist() == [5]
    assert vp.means(people, "t2").long()["mean"].tolist() == [2.0]
    with pytest.raises(UsageError, match="'q3' must hold numbers"):
        vp.means(people, "q3")


def test_codes_that_are_no_answer_can_be_named(sav: Path) -> None:
    people = vp.data(sav, missing={"t1": 2, "nps": [(0, 4)]})
    assert people.value_counts("t1").to_dict() == {"disagree": 2, "agree": 2}
    assert people["nps"].dropna().tolist() == [5, 10, 7, 9]
    with pytest.raises(UsageError, match=r"missing: .*'t11'; did you mean t1"):
        vp.data(sav, missing={"t11": 2})
    with pytest.raises(UsageError, match=r"missing: 't1' holds .*'two' cannot"):
        vp.data(sav, missing={"t1": "two"})


def test_sets_are_lists_of_options_with_ticking_nothing_as_an_answer(sav: Path) -> None:
    people = vp.data(sav, sets={"brands": ["b1", "b2"]})
    assert people.variables["brands"].levels == ("Acme", "Bolt")
    assert people.variables["b1"].part_of == "brands"
    held = [None if one is None or one is pd.NA else list(one) for one in people["brands"]]
    assert held == [["Acme"], [], ["Acme", "Bolt"], ["Bolt"], ["Acme", "Bolt"], None]
    table = vp.multi(people, "brands").long().set_index("row")
    assert table.loc["Acme", "percent"] == pytest.approx(60)
    with pytest.raises(UsageError, match="which value of 'wt' means chosen"):
        vp.data(sav, sets={"brands": ["b1", "wt"]})


def test_grids_are_found_by_levels_and_stem_and_are_told(sav: Path) -> None:
    people = vp.data(sav)
    assert [people.variables[name].grid for name in ("t1", "t2", "t3", "q3")] == ["Trust"] * 3 + [None]
    assert any("t1 to t3" in note and "'Trust'" in note for note in people.notes)
    with pytest.raises(UsageError, match="'both' have different levels"):
        vp.data(sav, grids={"both": ["t1", "q3"]})


def test_stata_keeps_labels_order_and_tagged_missing_values(tmp_path: Path) -> None:
    path = tmp_path / "wave.dta"
    frame = pd.DataFrame({"q": [2.0, 1.0, 2.0, "a", "b"], "age": [20, 30, 40, 50, 60]})
    pyreadstat.write_dta(
        frame,
        str(path),
        column_labels={"q": "Would you?"},
        variable_value_labels={"q": {1: "Yes", 2: "No", "a": "Refused", "b": "Not asked"}},
        missing_user_values={"q": ["a", "b"]},
    )
    people = vp.data(path)
    assert people.variables["q"].levels == ("Yes", "No")
    assert people["q"].tolist()[:3] == ["No", "Yes", "No"]
    assert people["q"].isna().sum() == 2
    assert dict(people.variables["q"].missing) == {".a": "Refused", ".b": "Not asked"}
    assert dict(people.variables["q"].lost) == {"Refused": 1, "Not asked": 1}


def test_pandas_stata_files_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "wave.dta"
    held = pd.Categorical(["low", "high", None, "low"], ["low", "mid", "high"], ordered=True)
    pd.DataFrame({"level": held}).to_stata(path, write_index=False)
    people = vp.data(path)
    assert people.value_counts("level").to_dict() == {"low": 2, "mid": 0, "high": 1}


def frames() -> dict[str, Any]:
    frame = pd.DataFrame(
        {
            "q": pd.Categorical(["no", "yes", None, "no"], ["yes", "no", "perhaps"]),
            "n": [1.5, None, 3.0, 4.0],
            "tags": [["a"], ["a", "b"], None, []],
        }
    )
    table = pa.Table.from_pandas(frame, preserve_index=False)
    enum = duckdb.connect().from_arrow(table).project("q::ENUM('yes', 'no', 'perhaps') AS q, n, tags")
    return {"pandas": frame, "arrow": table, "relation": enum}


@pytest.mark.parametrize("kind", ["pandas", "arrow", "relation"])
def test_the_order_of_declared_levels_is_kept(kind: str) -> None:
    people = vp.data(frames()[kind])
    assert people.variables["q"].levels == ("yes", "no", "perhaps")
    assert people.value_counts("q").to_dict() == {"yes": 1, "no": 2, "perhaps": 0}
    assert people.value_counts("tags").to_dict() == {"a": 2, "b": 1}


def test_polars_keeps_the_order_of_an_enum() -> None:
    frame = pl.DataFrame({"q": ["b", "a", None]}, schema={"q": pl.Enum(["b", "a", "c"])})
    assert vp.data(frame).variables["q"].levels == ("b", "a", "c")
    assert vp.data(frame.lazy()).variables["q"].levels == ("b", "a", "c")


def test_parquet_keeps_categories_and_what_voxpop_wrote(tmp_path: Path) -> None:
    people = vp.data(frames()["pandas"], labels={"q": "Would you?"}, provenance="human")
    path = tmp_path / "people.parquet"
    pa.parquet.write_table(people.arrow(), path)
    again = vp.data(path)
    assert again.variables["q"].levels == ("yes", "no", "perhaps")
    assert again.variables["q"].label == "Would you?"
    assert again.provenance == "human"


def test_csv_cells_without_a_value_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("q,n,code\nyes,1,007\n,NA,008\nno,3,009\n", encoding="utf-8")
    people = vp.data(path, labels={"n": {1: "one", 3: "three"}})
    assert people["q"].isna().tolist() == [False, True, False]
    assert people.value_counts("n").to_dict() == {"one": 1, "three": 1}


def test_exports_and_stores_are_surveys_of_simulated_agents(tmp_path: Path) -> None:
    question = {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"}
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 20 + n, "gender": "female"} for n in range(4)]
    answers = [{"id": n, "question_id": 1, "agent_id": n, "value": n > 1} for n in range(4)]
    with vp.Store() as store:
        store.save_study({"uuid": "s-1", "id": 1, "title": "Snacks"}, [question], answers, agents)
        folder = store.export("Snacks", tmp_path / "snacks")
        for people in (vp.data(store), vp.data(folder), store.respondents()):
            assert people.provenance == "simulated"
            assert people.variables["switch"].label == "Would you switch?"
            assert people.variables["switch"].levels == ("yes", "no")
            assert people.value_counts("switch").to_dict() == {"yes": 2, "no": 2}
        with vp.Store() as empty, pytest.raises(vp.VoxpopError, match="Which study"):
            vp.data(empty)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.sav", b"PAR1 and more", "it is a Parquet file; name it a.parquet"),
        ("a.csv", b"PK\x03\x04 a workbook", "it is an Excel file"),
        ("a.csv", b"\0\1\2\3", "is no text"),
        ("a.parquet", b"$FL2@(#)", "it is an SPSS file; name it a.sav"),
        ("a.dta", b"nothing like it", "a.dta cannot be read"),
        ("a.sav", b"", "a.sav is empty"),
        ("a.sav", b"SR\0\4 a file of IDL", "it is no .sav file"),
        ("a.txt", b"x", "A survey is read from .sav"),
    ],
)
def test_a_file_that_is_not_what_it_claims_is_refused(
    name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=told):
        vp.data(path)


def test_labels_that_clash_name_variable_and_cure(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1, 2, 3]})
    with pytest.raises(UsageError, match=r"'q' gives the label 'Yes' to the codes 1, 2; .* recode"):
        vp.data(frame, labels={"q": {1: "Yes", 2: "Yes", 3: "No"}})
    path = tmp_path / "clash.sav"
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"q": {1: "Other", 2: "Other", 3: "No"}})
    people = vp.data(path)
    assert people.variables["q"].levels == ("Other (1)", "Other (2)", "No")
    assert any("several codes have the label 'Other'" in note for note in people.notes)


def test_designs_and_names_are_checked() -> None:
    frame = pd.DataFrame({"weight": [1.0, 2.0], "bad": [-1.0, 2.0], "none": [0.0, 0.0], "q": ["a", "b"]})
    for given, told in (
        ({"weight": "wieght"}, "weight: .*'wieght'; did you mean weight"),
        ({"weight": "bad"}, "'bad' has 1 negative weights"),
        ({"weight": "none"}, "'none' is zero in every row"),
        ({"weight": "q"}, "'q' holds .*; a weight is a number"),
        ({"strata": "stratum"}, "strata: .*'stratum'"),
        ({"provenance": "robots"}, "provenance must be simulated, human"),
        ({"sets": {"s": []}}, "'s' has no columns"),
    ):
        with pytest.raises(UsageError, match=told):
            vp.data(frame, **given)
    with pytest.raises(UsageError, match="'Age' and 'age' differ in upper and lower case"):
        vp.data(pd.DataFrame({"Age": [1], "age": [2]}))
    with pytest.raises(UsageError, match="several columns named a"):
        vp.data(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(UsageError, match="not list"):
        vp.data([1, 2])


def test_labels_of_categories_can_be_no_answer() -> None:
    people = vp.data(frames()["pandas"], missing={"q": ["perhaps", "no"]})
    assert people.variables["q"].levels == ("yes",)
    assert people["q"].isna().sum() == 3
    assert people.variables["q"].lost == {"no": 2}


def test_a_survey_opened_again_keeps_what_it_knows(sav: Path) -> None:
    people = vp.data(sav, weight="wt", provenance="human").where(region="N")
    again = vp.data(
        people, sets={"brands": ["b1", "b2"]}, labels={"region": "Region"}, missing={"q3": ["No"]}
    )
    assert again.design.weight == "wt"
    assert (again.provenance, again.steps) == ("human", people.steps)
    assert again.variables["region"].label == "Region"
    assert again.variables["q3"].levels == ("Yes",)
    assert again.variables["t1"] == people.variables["t1"]
    assert again.value_counts("brands").to_dict() == {"Acme": 1, "Bolt": 1}


def with_sets(source: Path, target: Path, told: bytes) -> Path:
    """Write an SPSS file again with multiple-response sets in a record of its own."""
    content = source.read_bytes()
    end = content.index(struct.pack("<ii", 999, 0))
    record = struct.pack("<iiii", 7, 7, 1, len(told)) + told
    target.write_bytes(content[:end] + record + content[end:])
    return target


def test_multiple_response_sets_of_a_file_are_read(sav: Path, tmp_path: Path) -> None:
    told = b"$known=D1 1 12 Brands known b1 b2\n$views=C 9 Any views t1 t2\n"
    people = vp.data(with_sets(sav, tmp_path / "sets.sav", told))
    assert people.variables["known"].label == "Brands known"
    assert people.variables["known"].members == ("b1", "b2")
    assert people.value_counts("known").to_dict() == {"Acme": 3, "Bolt": 3}
    assert people.variables["views"].levels == ("disagree", "neither", "agree")
    assert [list(one) for one in people["views"]][:2] == [["disagree", "agree"], ["neither", "neither"]]
