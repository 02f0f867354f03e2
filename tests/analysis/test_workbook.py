"""Excel files, opened again: figures are numbers, letters stand apart, words and notes are all there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

from voxpop.analysis import banner, crosstab, means, multi
from voxpop.analysis.cautions import NOT_EVIDENCE
from voxpop.survey.declaring import declare


@pytest.fixture
def people() -> pd.DataFrame:
    draw = np.random.default_rng(2)
    size = 500
    arm = draw.choice(["a", "b"], size)
    return pd.DataFrame(
        {
            "q": np.where(draw.random(size) < np.where(arm == "a", 0.3, 0.6), "yes", "=no"),
            "arm": arm,
            "price": draw.gamma(3, 2, size),
            "brands": [["oat"] * (n % 2) for n in range(size)],
            "w": draw.lognormal(0, 0.3, size),
        }
    )


def rows(path: Path, sheet: str) -> list[list[object]]:
    book = openpyxl.load_workbook(path)
    return [list(row) for row in book[sheet].iter_rows(values_only=True)]


def test_a_sheet_holds_the_table_as_printed_with_numbers_as_numbers(
    people: pd.DataFrame, tmp_path: Path
) -> None:
    table = crosstab(declare(people, "simulated"), "q", by="arm", weight="w", sig=True)
    path = table.to_excel(tmp_path / "table.xlsx")
    assert openpyxl.load_workbook(path).sheetnames == ["q", "every figure"]
    sheet = rows(path, "q")
    assert [line[0] for line in sheet[: len(table.caption().splitlines())]] == table.caption().splitlines()
    held = {line[0]: line[1:4] for line in sheet if line[0]}
    wide = table.wide()
    assert held["yes"] == pytest.approx(wide.loc["yes"].tolist(), rel=1e-15)
    assert held["Base (unweighted)"] == wide.loc["Base (unweighted)"].tolist()
    assert held["Letter of the column"] == [None, "A", "B"]
    assert held["yes is higher than"] == [None, None, "A"]
    assert [line[0] for line in sheet[-len(table.notes()) :]] == table.notes()
    assert NOT_EVIDENCE in str(sheet[-1][0])


def test_a_figure_shows_its_letters_and_stays_a_number(people: pd.DataFrame, tmp_path: Path) -> None:
    table = crosstab(people, "q", by="arm", sig=True, nets={"either": ["yes", "=no"]})
    sheet = openpyxl.load_workbook(table.to_excel(tmp_path / "table.xlsx"))["q"]
    (row,) = [row for row in sheet.iter_rows() if row[0].value == "yes"]
    assert [cell.number_format for cell in row[1:4]] == ["0.0", "0.0", '0.0" A"']
    assert isinstance(row[3].value, float)
    (base,) = [row for row in sheet.iter_rows() if row[0].value == "Base (unweighted)"]
    assert base[1].number_format == "#,##0"
    assert sheet.freeze_panes == base[1].coordinate
    assert sheet.cell(base[0].row - 2, 3).value == "arm"


def test_a_text_that_looks_like_a_formula_stays_a_text(people: pd.DataFrame, tmp_path: Path) -> None:
    path = crosstab(people, "q").to_excel(tmp_path / "table.xlsx")
    book = openpyxl.load_workbook(path)
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "f" not in kinds
    assert "=no" in {cell.value.lstrip("'") for cell in book["q"]["A"] if isinstance(cell.value, str)}


def test_every_figure_stands_in_long_form_too(people: pd.DataFrame, tmp_path: Path) -> None:
    table = crosstab(people, "q", by="arm", weight="w", sig=True)
    head, *lines = rows(table.to_excel(tmp_path / "table.xlsx"), "every figure")
    long = table.long()
    assert head == long.columns.tolist()
    assert len(lines) == len(long)
    place = head.index("percent")
    found = [np.nan if line[place] is None else line[place] for line in lines]
    np.testing.assert_array_equal(np.array(found, dtype=float), long.percent.to_numpy())


def test_a_report_has_a_sheet_per_table_and_sheets_of_like_names_stay_apart(
    people: pd.DataFrame, tmp_path: Path
) -> None:
    renamed = people.rename(columns={"q": "a/question?" + "x" * 40, "brands": "A question " + "x" * 40})
    questions = [name for name in renamed if "question" in name]
    report = banner(renamed, questions, by="arm")
    names = openpyxl.load_workbook(report.to_excel(tmp_path / "report.xlsx")).sheetnames
    assert len(names) == len(set(map(str.casefold, names))) == 3
    assert all(len(name) <= 31 for name in names)


def test_summaries_and_several_answers_are_written_too(people: pd.DataFrame, tmp_path: Path) -> None:
    path = means(people, "price", by="arm", sig=True).to_excel(tmp_path / "means.xlsx")
    lines = rows(path, "price")
    head = next(line for line in lines if line[0] == "column_group")
    assert {"group", "n", "mean", "median"} <= set(head)
    path = multi(people, "brands", by="arm").to_excel(tmp_path / "multi.xlsx")
    assert any(line[0] == "Mean mentions" for line in rows(path, "brands"))
