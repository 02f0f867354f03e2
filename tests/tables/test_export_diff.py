"""Differences between two exports: rows, cells, columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import voxpop as vp
from voxpop.errors import StoreError, UsageError


@pytest.fixture
def first(filled: vp.Store, tmp_path: Path) -> Path:
    return filled.export(1, tmp_path / "first")


def test_two_exports_of_the_same_data_do_not_differ(filled: vp.Store, first: Path, tmp_path: Path) -> None:
    found = vp.diff(first, filled.export(1, tmp_path / "second", formats="csv"))
    assert found.same
    assert str(found).endswith("hold the same data")
    assert found.cells("answers").empty


def test_rows_and_cells_that_changed_are_told(
    filled: vp.Store, capture: Any, first: Path, tmp_path: Path
) -> None:
    capture["answers"][16]["value"] = ["Rye"]  # the first agent's answer about brands
    capture["agents"][1]["age"] = 77
    late = {"id": 7, "uuid": "question-late", "key": "late", "question": "Late?", "type": "number"}
    capture["questions"].append(late)
    capture["answers"].append({**capture["answers"][0], "id": 900, "question_id": 7, "value": 3})
    capture.save(filled)
    found = vp.diff(first, filled.export(1, tmp_path / "second"))
    assert not found.same
    tables = {table.name: table for table in found.tables}
    assert (tables["answers"].added, tables["answers"].removed) == (1, 0)
    assert tables["answers"].changed == {"value_list": 1}
    assert tables["agents"].changed == {"age": 1}
    assert tables["questions"].added == 1
    assert (
        "key brands, agent_uuid 00000000-0000-4000-8000-000000000001, value_list: ['Corn'] → ['Rye']"
        in str(found)
    )
    cells = found.cells("agents")
    assert cells[["column", "before", "after"]].values.tolist() == [["age", "22", "77"]]
    back = vp.diff(tmp_path / "second", first)
    assert {table.name: table.removed for table in back.tables}["answers"] == 1
    with pytest.raises(UsageError, match="no table 'answer'"):
        found.cells("answer")


def test_what_is_no_export_is_refused(first: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a voxpop export"):
        vp.diff(first, tmp_path)
    (first / "data/answers.parquet").write_bytes(b"x")
    with pytest.raises(StoreError, match=r"answers.parquet cannot be read"):
        vp.diff(first, first)
