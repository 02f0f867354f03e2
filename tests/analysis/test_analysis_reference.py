"""Every table, mean, score and weight against R: relative 1e-9; p-values and Rao-Scott 1e-6; letters exactly.

Data of statsmodels are read from there. Of the survey apistrat only counts are kept: they make the records
that its tables need, and its means are compared on records with the same moments.
"""

from __future__ import annotations

import json
import math
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import SigTest, Table, box, crosstab, means, multi, nps, rake
from voxpop.errors import UsageError

HELD = json.loads((Path(__file__).parents[1] / "reference" / "analysis_r.json").read_text())
CASES: dict[str, Any] = HELD["cases"]
CROSSTABS = pytest.mark.parametrize("name", [name for name in CASES if name[0] in "xt"])
CORRECTIONS = [
    (None, "row", "p", "letters_05"),
    ("bonferroni", "row", "p_bonferroni", "letters_05_bonferroni"),
    ("holm", "row", "p_holm", None),
    ("bh", "row", "p_bh_row", "letters_05_bh_row"),
    ("bh", "table", "p_bh_table", "letters_05_bh_table"),
]


@cache
def dataset(name: str) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels' own, of its import and loading
        from statsmodels.datasets import anes96, fair

        data = {"anes96": anes96, "fair": fair}[name].load_pandas().data
    if name == "fair":
        return data.assign(relc=text(data.religious), ratec=text(data.rate_marriage))
    ages = pd.cut(data.age, [0, 29, 44, 64, 200], labels=["18-29", "30-44", "45-64", "65+"]).astype(str)
    schools = pd.cut(data.educ, [0, 3, 4, 9], labels=["HS or less", "Some college", "Degree"]).astype(str)
    levels = {f"{field}c": text(data[field]) for field in ("PID", "educ", "vote", "selfLR")}
    return data.assign(age4=ages, educ3=schools, **levels)


def text(numbers: pd.Series) -> pd.Series:
    return numbers.astype(int).astype(str)


@cache
def schools() -> pd.DataFrame:
    told = HELD["apistrat"]
    columns = ["stype", "sch.wide", "comp.imp", "awards", "n"]
    counts = pd.DataFrame(told["counts"], columns=columns)
    data = counts.loc[counts.index.repeat(counts.n)].reset_index(drop=True)
    return data.assign(pw=data.stype.map(told["weights"]), one=1.0)


def people(name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    case = CASES[name]
    told = case["input"]
    file = told["file"].removesuffix(".csv")
    if file == "nhanes":
        rows = [
            (row, column)
            for i, row in enumerate(told["row_levels"])
            for j, column in enumerate(told["col_levels"])
            for _ in range(case["counts_unweighted"][i][j])
        ]
        rows += [(told["row_levels"][0], None)] * case["n_missing_col"]
        data = pd.DataFrame(rows, columns=[told["row"], told["col"]])
    else:
        data = schools() if file == "apistrat" else dataset(file)
    if told["filter"] != "none":
        data = data.query(told["filter"])
    declared = {
        told[side]: pd.Categorical(data[told[side]], told[f"{side}_levels"]) for side in ("row", "col")
    }
    return data.assign(**declared), case


def tabulated(name: str, **options: Any) -> Table:
    data, case = people(name)
    told = case["input"]
    given = {"weight": told["weight"], "min_base": 0, "small_base": 0} | options
    return crosstab(data, told["row"], by=told["col"], **given)


def matrix(table: Table, figure: str, case: dict[str, Any]) -> np.ndarray:
    long = table.long()
    told = case["input"]
    cells = long[(long.row_kind == "code") & (long.column_group == told["col"])]
    wide = cells.pivot(index="row", columns="column", values=figure)
    return wide.loc[told["row_levels"], told["col_levels"]].to_numpy()


def same(found: Any, expected: Any, rtol: float = 1e-9) -> None:
    known = np.array(expected, dtype=object)
    known = np.where(pd.isna(known), np.nan, known)
    np.testing.assert_allclose(np.asarray(found, dtype=float), known.astype(float), rtol=rtol, atol=1e-12)


@CROSSTABS
def test_counts_bases_percentages_and_intervals(name: str) -> None:
    table, case = tabulated(name), CASES[name]
    for figure, expected in (
        ("count", "counts_unweighted"),
        ("weighted_count", "counts_weighted"),
        ("percent", "col_pct_weighted"),
    ):
        same(matrix(table, figure, case), case[expected])
    for figure, expected in (
        ("base", "unweighted"),
        ("weighted_base", "weighted"),
        ("effective_base", "effective"),
    ):
        same(matrix(table, figure, case)[0], case[f"col_base_{expected}"])
    same(matrix(table, "ci_low", case) / 100, case["wilson95"]["weighted_effective_base_low"])
    same(matrix(table, "ci_high", case) / 100, case["wilson95"]["weighted_effective_base_high"])
    for percent in ("row", "total"):
        found = matrix(tabulated(name, percent=percent), "percent", case)
        same(found, case[f"{percent}_pct_weighted"])
    total = table.long().query("column_group == 'Total' and row_kind == 'code'").set_index("row")
    same(total.percent.loc[case["input"]["row_levels"]], case["total_col_pct_weighted"])
    assert total.weighted_base.iloc[0] == pytest.approx(case["total_base_weighted"], rel=1e-9)
    assert total.effective_base.iloc[0] == pytest.approx(case["total_base_effective"], rel=1e-9)


@CROSSTABS
@pytest.mark.filterwarnings("ignore::voxpop.analysis.AnalysisWarning")
def test_association(name: str) -> None:
    table, case = tabulated(name), CASES[name]
    known, found = case["unweighted_tests"], table.association().iloc[0]
    names = {"likelihood_ratio_g2": "g2", "cramers_v_bias_corrected": "cramers_v_corrected"}
    for key in ("chi2", "df", "cramers_v", "n_expected_below_5", *names):
        same(found[names.get(key, key)], known[key])
    same(found.p, known["p"], 1e-6)
    residuals = table.residuals()
    same(residuals.expected, np.ravel(known["expected"]))
    np.testing.assert_allclose(
        residuals.residual, np.ravel(known["adjusted_residuals"]), rtol=1e-9, atol=1e-9
    )
    if case["input"]["weight"] is None:
        assert math.isnan(found.rao_scott_F)
        return
    design = case["weights_only_design"]
    for column, key in (
        ("rao_scott_F", "rao_scott_F"),
        ("ndf", "ndf"),
        ("ddf", "ddf"),
        ("rao_scott_p", "p"),
        ("chi2_weighted", "pearson_x2_scaled_to_n"),
        ("rao_scott_first_order_p", "first_order_chisq_p"),
        ("rao_scott_first_order_df", "first_order_df"),
    ):
        same(found[column], design[key], 1e-6)
    same(found.cramers_v_weighted, case["weighted_cramers_v"])


def asked_tests(name: str) -> list[tuple[str, dict[str, Any], bool]]:
    """Return the keys of a case's tests, how we ask for them, and whether with its weight."""
    known = CASES[name]["column_proportion_tests"]
    every = [
        ("unweighted_z", {}, False),
        ("unweighted_z", {"method": "unweighted"}, True),
        ("effective_base_pooled_t", {}, True),
        ("effective_base_unpooled_t", {"method": "unpooled"}, True),
    ]
    return [test for test in every if test[0] in known]


def compare_pairs(found: pd.DataFrame, expected: dict[str, Any], corrected: str) -> None:
    assert found.testable.tolist() == expected["testable"]
    assert (found.reason == "").tolist() == expected["testable"]
    for column, key in (("diff", "diff"), ("statistic", "stat"), ("df", "df")):
        same(found[column], expected[key])
    same(found.p, expected["p"], 1e-6)
    same(found.p_adjusted, expected[corrected], 1e-6)


@CROSSTABS
@pytest.mark.parametrize(("adjust", "scope", "corrected", "letters"), CORRECTIONS)
def test_pairs_and_letters(name: str, adjust: Any, scope: Any, corrected: str, letters: str | None) -> None:
    case = CASES[name]
    told = case["input"]
    for key, how, weighted in asked_tests(name):
        expected = case["column_proportion_tests"][key]
        sig = SigTest(adjust=adjust, scope=scope, **how)
        table = tabulated(name, sig=sig, weight=told["weight"] if weighted else None)
        compare_pairs(table.pairs(), expected["pairs"], corrected)
        if letters:
            assert matrix(table, "higher_than", case).tolist() == expected[letters]


@CROSSTABS
def test_a_second_level_stands_in_lower_case(name: str) -> None:
    case = CASES[name]
    for key, how, weighted in asked_tests(name):
        expected = case["column_proportion_tests"][key]
        weight = case["input"]["weight"] if weighted else None
        sig = SigTest(level=0.05, second_level=0.10, adjust=None, **how)
        found = matrix(tabulated(name, sig=sig, weight=weight), "higher_than", case)
        for row, main, both in zip(found, expected["letters_05"], expected["letters_10"], strict=True):
            assert [cell.upper() for cell in row] == both
            assert ["".join(letter for letter in cell if letter.isupper()) for cell in row] == main


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("r")])
def test_several_answers(name: str) -> None:
    case = CASES[name]
    items, weight = case["input"]["items"], case["input"]["weight"]
    table = multi(schools(), items, by="stype", weight=weight, min_base=0)
    f = table.figures
    for found, key in zip(f.bases, ("unweighted", "weighted", "effective"), strict=True):
        same(found[1:], case[f"base_{key}"])
    same(f.cells[0, :3, 1:], case["counts_unweighted"])
    same(f.cells[1, :3, 1:], case["counts_weighted"])
    same(f.percent[:3, 1:], case["pct_of_respondents"])
    same(f.percent[3, 1:], case["net_any_pct"])
    same(f.cells[1, 3, 1:], case["net_any_weighted"])
    long = table.long()
    mentions = long[(long.row == "Mean mentions") & (long.column_group == "stype")]
    same(mentions["value"], case["mean_mentions"])
    same(f.percent[:3, 1:].sum(axis=0), case["sum_of_pct"])
    responses = multi(schools(), items, by="stype", weight=weight, of="responses").figures
    same(responses.percent[:3, 1:], case["pct_of_responses"])
    same(responses.below[1, 0, 1:], case["responses_weighted"])


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("r")])
@pytest.mark.parametrize(("adjust", "scope", "corrected", "letters"), CORRECTIONS)
def test_pairs_of_several_answers(
    name: str, adjust: Any, scope: Any, corrected: str, letters: str | None
) -> None:
    case = CASES[name]
    items, weight = case["input"]["items"], case["input"]["weight"]
    sig = SigTest(adjust=adjust, scope=scope)
    asked = [("effective_base_pooled_t", weight or "one")]  # a weight of 1 each makes it the t test
    asked += [] if weight else [("effective_base_pooled_z", None)]
    for key, given in asked:
        expected = case["column_proportion_tests"][key]
        table = multi(schools(), items, by="stype", weight=given, min_base=0, sig=sig)
        compare_pairs(table.pairs().query("row in @items"), expected["pairs"], corrected)
        if letters:
            assert [line[1:] for line in table.letters()[:3]] == expected[letters]


def moments_of(case: dict[str, Any]) -> pd.DataFrame:
    """Make records of each group with its size, mean and standard deviation."""
    made = []
    for group in case["groups"]:
        pattern = np.linspace(-1, 1, group["n"])
        pattern = (pattern - pattern.mean()) / pattern.std(ddof=1)
        values = group["mean"] + group["sd"] * pattern
        made.append(pd.DataFrame({"stype": group["group"], "api00": values}))
    data = pd.concat(made, ignore_index=True)
    return data.assign(pw=data.stype.map(HELD["apistrat"]["weights"]))


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("m")])
def test_means_and_their_tests(name: str) -> None:
    case = CASES[name]
    told = case["input"]
    made = told["file"] == "apistrat.csv"
    data = moments_of(case) if made else dataset("anes96")
    plain = SigTest(adjust=None)
    summary = means(data, told["var"], by=told["by"], weight=told["weight"], sig=plain, min_base=0)
    long = summary.long().query("column_group != 'Total'")
    groups = pd.DataFrame(case["groups"])
    assert long.group.tolist() == groups.group.tolist()
    known = {"n": "n", "sum_w": "sum_w", "n_eff": "n_eff", "mean": "wmean", "sd": "wsd_effective"}
    known |= {"se": "wse_effective", "ci_low": "ci_low", "ci_high": "ci_high"}
    for column, key in (known if made else known | {"median": "median"}).items():
        same(long[column], groups[key])
    kind = "eff_welch" if told["weight"] else "welch"
    expected, pairs = pd.DataFrame(case["pairs"]), summary.pairs()
    assert (pairs.a.tolist(), pairs.b.tolist()) == (expected.a.tolist(), expected.b.tolist())
    same(pairs["diff"], expected["diff"])
    same(pairs.statistic, expected[f"{kind}_t"])
    same(pairs.df, expected[f"{kind}_df"])
    same(pairs.p, expected[f"{kind}_p"], 1e-6)
    for adjust in ("bonferroni", "bh"):
        found = means(data, told["var"], by=told["by"], sig=SigTest(adjust=adjust), min_base=0).pairs()
        same(found.p_adjusted, expected[f"welch_p_{adjust}"], 1e-6)
    found = means(
        data, told["var"], by=told["by"], sig=SigTest(adjust=None, means="pooled"), min_base=0
    ).pairs()
    same(found.statistic, expected["pooled_t"])
    same(found.df, expected["pooled_df"])
    same(found.p, expected["pooled_p"], 1e-6)


def test_top_and_bottom_boxes() -> None:
    known = pd.DataFrame(CASES["b01_fair_top2box_by_religious"]["groups"])
    found = box(dataset("fair"), "rate_marriage", by="relc", scale=(1, 5)).long().query("group != 'Total'")
    keys = {
        "n": "n",
        "top": "top2_pct",
        "bottom": "bottom2_pct",
        "net": "net_top2_minus_bottom2",
        "mean": "mean",
    }
    for column, key in keys.items():
        same(found[column], known[key])
    same(found[["top_low", "top_high"]] / 100, known.wilson_top2.tolist())


def test_net_promoter_score() -> None:
    case = CASES["b02_nps_hand_unweighted"]
    found = nps(pd.DataFrame({"x": case["input"]["x"]}), "x").long().iloc[0]
    for key, value in case["unweighted"].items():
        same(found[key.removesuffix("_pct")], value)


def test_raking() -> None:
    case = CASES["k01_rake_anes96_three_margins"]
    made = rake(dataset("anes96"), case["input"]["margins"])
    same(made.weights, HELD["k01_weights"])
    keys = {"total": "sum_w", "effective_base": "kish_effective_base", "deff": "kish_deff"}
    keys |= {
        "efficiency": "weighting_efficiency_pct",
        "min": "min_w",
        "max": "max_w",
        "ratio": "max_over_min",
    }
    for key, expected in keys.items():
        same(made.report[key], case[expected])
    achieved = made.achieved.set_index(["variable", "level"]).achieved
    for variable, levels in case["achieved"].items():
        for level, expected in levels.items():
            same(achieved[variable, level], expected)


def test_raking_to_a_level_without_respondents_is_refused_by_name() -> None:
    case = CASES["k04_rake_impossible"]
    data = schools().query(case["input"]["filter"])
    with pytest.raises(UsageError) as refused:
        rake(data, case["input"]["margins"], start=case["input"]["initial_weight"])
    assert all(repr(name) in str(refused.value) for name in case["expected"]["message_names"])
