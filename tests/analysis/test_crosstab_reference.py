"""Crosstabs against R: counts, bases, percentages and intervals of published data, relative 1e-9."""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from voxpop.analysis import Table, crosstab

CASES = json.loads((Path(__file__).parents[1] / "reference" / "crosstab_r.json").read_text())["cases"]
ALL = pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])


@cache
def dataset(name: str) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels' own, of its import and loading
        from statsmodels.datasets import anes96, fair

        module = {"anes96": anes96, "fair": fair}[name]
        return module.load_pandas().data


def people(case: dict[str, Any]) -> pd.DataFrame:
    data = dataset(case["data"])
    if case["filter"]:
        data = data.query(case["filter"])
    levels = {case["rows"]: case["row_levels"], case["by"]: case["col_levels"]}
    return pd.DataFrame(
        {name: pd.Categorical(data[name].astype(int).astype(str), order) for name, order in levels.items()}
    )


def matrix(table: Table, figure: str, case: dict[str, Any]) -> np.ndarray:
    long = table.long()
    cells = long[(long.row_kind == "code") & (long.column_group == case["by"])]
    return (
        cells.pivot(index="row", columns="column", values=figure)
        .loc[case["row_levels"], case["col_levels"]]
        .to_numpy()
    )


def assert_equal(found: Any, expected: Any) -> None:
    known = np.array([[np.nan if cell is None else cell for cell in row] for row in expected], dtype=float)
    np.testing.assert_allclose(np.asarray(found, dtype=float), known, rtol=1e-9, atol=1e-13)


@ALL
def test_counts_bases_and_column_percentages(case: dict[str, Any]) -> None:
    table = crosstab(people(case), case["rows"], by=case["by"])
    assert_equal(matrix(table, "count", case), case["counts"])
    assert_equal(matrix(table, "percent", case), case["column_percent"])
    for base in ("base", "weighted_base", "effective_base"):
        assert_equal(matrix(table, base, case)[:1], [case["bases"]])


@ALL
def test_wilson_intervals(case: dict[str, Any]) -> None:
    table = crosstab(people(case), case["rows"], by=case["by"])
    assert_equal(matrix(table, "ci_low", case) / 100, case["wilson_low"])
    assert_equal(matrix(table, "ci_high", case) / 100, case["wilson_high"])


@ALL
@pytest.mark.parametrize("percent", ["row", "total"])
def test_row_and_total_percentages(case: dict[str, Any], percent: str) -> None:
    table = crosstab(people(case), case["rows"], by=case["by"], percent=percent)
    assert_equal(matrix(table, "percent", case), case[f"{percent}_percent"])


@ALL
def test_total_column(case: dict[str, Any]) -> None:
    long = crosstab(people(case), case["rows"], by=case["by"]).long()
    total = long[(long.row_kind == "code") & (long.column == "Total")].set_index("row")
    assert_equal([total.percent.loc[case["row_levels"]]], [case["total_column_percent"]])


@ALL
def test_arrow_and_duckdb_give_the_same_table(case: dict[str, Any]) -> None:
    frame = people(case)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    connection = duckdb.connect()
    connection.register("plain", arrow.cast(pa.schema([(name, pa.string()) for name in arrow.column_names])))
    enums = ", ".join(
        f'"{name}"::ENUM({", ".join(repr(level) for level in frame[name].cat.categories)}) AS "{name}"'
        for name in frame.columns
    )
    expected = crosstab(frame, case["rows"], by=case["by"]).long()
    for data in (arrow, connection.sql(f"SELECT {enums} FROM plain")):
        pd.testing.assert_frame_equal(crosstab(data, case["rows"], by=case["by"]).long(), expected)
