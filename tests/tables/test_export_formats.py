"""CSV, SPSS and Excel exports equal the Parquet data; every format is reproducible byte for byte."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pyreadstat
import pytest

from voxpop.errors import UsageError
from voxpop.tables import Store, verify
from voxpop.tables.formats import FORMATS

ALL = list(FORMATS)


@pytest.fixture
def awkward(store: Store, capture: Any) -> Store:
    """A study with a removed agent, one that was not asked, failures, and texts that trip programs."""
    capture["answers"][7]["response_text"] = '=SUM(A1)\r\n"quoted", 日本 🙂 \x01\t…'
    capture["answers"][9]["value"] = None
    for question in capture["questions"]:
        question |= {"asked_count": 8, "answer_count": 8, "failed_count": 0}
    price = capture["questions"][4]
    price |= {"asked_count": 7, "answer_count": 6, "failed_count": 1}
    capture["answers"] = [
        one for one in capture["answers"] if one["question_id"] != 5 or one["agent_id"] not in (3, 4)
    ]
    failed = {"job_id": "job_x", "question_id": 5, "agent_id": 4, "status": "failed"}
    capture["unanswered"] = [failed | {"error": {"code": "engine", "message": "No answer."}}]
    capture["agents"][2]["agent_removed"] = True
    capture.save(store)
    return store


@pytest.fixture
def export(awkward: Store, tmp_path: Path) -> Path:
    return awkward.export(1, tmp_path / "snacks", formats=ALL)


def test_every_form_has_the_same_bytes_every_time(awkward: Store, export: Path, tmp_path: Path) -> None:
    again = awkward.export(1, tmp_path / "again", formats=ALL)
    report = verify(again)
    assert (report.differences, report.unchecked) == ((), ())
    for name in (path for form in FORMATS.values() for path in form.paths):
        assert (again / name).read_bytes() == (export / name).read_bytes(), name


def test_csv_says_what_parquet_says(export: Path) -> None:
    with (export / "csv/answers.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    held = pq.read_table(export / "data/answers.parquet").to_pylist()
    assert len(rows) == len(held) == 46
    for row, wanted in zip(rows, held, strict=True):
        assert row["response_text"] == wanted["response_text"]
        assert row["value_text"] == (wanted["value_text"] or "")
        assert row["value_list"] == (
            "" if wanted["value_list"] is None else json.dumps(wanted["value_list"], separators=(",", ":"))
        )
        assert (float(row["value_number"]) if row["value_number"] else None) == wanted["value_number"]
    with (export / "csv/respondents.csv").open(newline="", encoding="utf-8") as file:
        people = list(csv.DictReader(file))
    assert [one["brands"] for one in people][:3] == ['["Corn"]', '["Corn","Oat"]', "[]"]
    assert [one["removed"] for one in people].count("true") == 1


def test_spss_has_labels_and_a_code_for_each_kind_of_missing(export: Path) -> None:
    frame, meta = pyreadstat.read_sav(str(export / "spss/respondents.sav"), user_missing=True)
    assert len(frame) == 8
    assert meta.column_names_to_labels["brand"] == "About brand?"
    assert meta.variable_value_labels["brand"] | {} == meta.variable_value_labels["brand"]
    assert [meta.variable_value_labels["brand"][float(code)] for code in (1, 2, 3, 4)] == [
        "Oat",
        "Rye",
        "Corn",
        "Barley",
    ]
    by_agent = frame.set_index("agent_id")
    words = meta.variable_value_labels["price"]
    assert words[by_agent.loc[3, "price"]] == "not asked"
    assert words[by_agent.loc[4, "price"]] == "failed to answer"
    assert by_agent.loc[5, "price"] == 5.25
    assert meta.variable_value_labels["bmi_class"][by_agent.loc[6, "bmi_class"]] == "no health data assigned"
    assert meta.variable_value_labels["brand"][by_agent.loc[2, "brand"]].startswith("answered, but nothing")
    ticked = [by_agent.loc[2, f"brands_{place}"] for place in (1, 2, 3)]
    assert ticked == [1.0, 0.0, 1.0]
    assert meta.column_names_to_labels["brands_2"] == "Rye: About brands?"
    assert meta.variable_value_labels["liking"][10.0] == "good"
    assert meta.mr_sets["brands"]["label"] == "About brands?"
    assert meta.mr_sets["brands"]["variable_list"] == ["brands_1", "brands_2", "brands_3"]
    assert meta.mr_sets["brands"]["counted_value"] == 1
    plain, _ = pyreadstat.read_sav(str(export / "spss/respondents.sav"))
    assert plain.set_index("agent_id")["price"].isna().sum() == 2


def test_excel_keeps_texts_texts(export: Path) -> None:
    book = openpyxl.load_workbook(export / "excel/study.xlsx")
    assert book.sheetnames == ["read me", "respondents", "answers", "unanswered", "questions", "columns"]
    told = [row[3] for row in book["answers"].iter_rows(min_row=2)]
    tricky = next(cell for cell in told if str(cell.value).startswith("=SUM"))
    assert tricky.data_type == "s"
    assert "日本 🙂 _x0001_" in tricky.value
    assert [cell.value for cell in book["respondents"][1]][:2] == ["agent_id", "agent_uuid"]


def test_an_unknown_form_is_named(awkward: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'stata' is unknown; available: csv, spss, excel, parquet"):
        awkward.export(1, tmp_path / "x", formats="stata")
    assert not (tmp_path / "x").exists()


def test_a_form_without_its_library_says_how_to_get_it(
    awkward: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyreadstat", None)
    with pytest.raises(UsageError, match=r"pip install 'voxpop\[spss\]'"):
        awkward.export(1, tmp_path / "x", formats=["spss"])
    assert list(tmp_path.iterdir()) == []


def test_an_export_with_failures_opens_with_them(awkward: Store, export: Path) -> None:
    from voxpop.tables import open_export

    query = "SELECT key, agent_id, status, error_code, removed FROM responses ORDER BY ALL"
    with open_export(export) as again:
        assert again.sql(query).fetchall() == awkward.sql(query).fetchall()
        assert again.sql("SELECT * FROM jobs").fetchall() == awkward.sql("SELECT * FROM jobs").fetchall()
