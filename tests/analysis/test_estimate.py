"""Estimates as a user meets them: what is printed, what is refused, and what large data change (nothing)."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp

NESTED = vp.Design("w", strata="area", clusters="block", nest=True)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(4)
    size = 400
    area = draw.integers(1, 6, size)
    return pd.DataFrame(
        {
            "area": area,
            "block": draw.integers(1, 7, size),
            "w": draw.uniform(1, 4, size),
            "plan": draw.choice(["basic", "plus"], size),
            "spend": draw.gamma(2, 10, size) + area,
            "visits": draw.integers(0, 9, size),
        }
    )


def test_an_estimate_prints_its_design_variance_and_degrees_of_freedom(people: pd.DataFrame) -> None:
    made = vp.estimate(people, "spend", "plan", design=NESTED, sig=True)
    text = repr(made)
    assert "design: weighted by w, strata area, clusters block" in " ".join(text.split())
    assert "variance linearized · 25 degrees of freedom" in " ".join(text.split())
    assert "deff" in text
    assert made.to_html().startswith("<")
    assert made.spec()["design"] == {"weight": "w", "strata": ["area"], "clusters": ["block"], "nest": True}


def test_agents_are_not_evidence_about_people(people: pd.DataFrame) -> None:
    made = vp.estimate(vp.declare(people, "simulated"), "spend", design=NESTED)
    assert "not evidence about people" in made.notes()[-1]
    assert "noise of drawing agents by this design" in made.notes()[-1]
    assert (
        "leave out coverage and nonresponse"
        in vp.estimate(vp.declare(people, "human"), "spend", design=NESTED).notes()[-1]
    )


def test_contrasts_know_their_covariance(people: pd.DataFrame) -> None:
    made = vp.estimate(people, "spend", "plan", design=NESTED)
    own, pair = made.covariance("plan"), made.pairs().iloc[0]
    variance = own.iloc[0, 0] + own.iloc[1, 1] - 2 * own.iloc[0, 1]
    assert pair["diff"] / pair.statistic == pytest.approx(
        np.sign(pair["diff"]) * np.sign(pair.statistic) * variance**0.5
    )


def test_every_kind_of_data_gives_the_same_figures(people: pd.DataFrame) -> None:
    expected = vp.estimate(people, "spend", "plan", design=NESTED).long()
    table = pa.Table.from_pandas(people)
    for data in (table, duckdb.connect().from_arrow(table), people.sample(frac=1, random_state=1)):
        pd.testing.assert_frame_equal(vp.estimate(data, "spend", "plan", design=NESTED).long(), expected)


@pytest.mark.parametrize("design", [NESTED, vp.Design("w", strata="area")], ids=["clusters", "rows"])
def test_threads_and_the_order_of_rows_change_no_digit(design: vp.Design) -> None:
    database = duckdb.connect()
    database.execute(
        "CREATE TABLE rows AS SELECT (hash(i) % 9)::INT AS area, (hash(i + 1) % 12)::INT AS block, "
        "0.1 + (hash(i * 3) % 1009) / 77 AS w, (hash(i * 5) % 100003) / 7 AS spend, i % 3 AS arm "
        "FROM range(50000) t(i)"
    )
    found = []
    for threads, order in ((1, "i"), (2, "i"), (4, "w")):
        database.execute(f"SET threads = {threads}")
        rows = database.sql(
            f"SELECT * EXCLUDE i FROM (SELECT *, row_number() OVER () AS i FROM rows) ORDER BY {order}"
        )
        found.append(vp.estimate(rows, "spend", "arm", design=design).long())
    pd.testing.assert_frame_equal(found[0], found[1], check_exact=True)
    pd.testing.assert_frame_equal(found[0], found[2], check_exact=True)


def test_a_large_number_is_added_up_in_cells_without_a_difference(people: pd.DataFrame) -> None:
    draw = np.random.default_rng(1)
    large = people.sample(30_000, replace=True, random_state=2).reset_index(drop=True)
    large["spend"] = draw.gamma(2, 10, len(large))
    large.loc[:40, "spend"] = np.nan
    large.loc[100:140, "w"] = 0.0
    grouped = vp.estimate(large, "spend", "plan", design=NESTED, where={"visits": {"max": 6}}).long()
    mask = large.visits <= 6
    plain = vp.estimate(large, "spend", "plan", design=NESTED, where=mask).long()  # a mask keeps the rows
    pd.testing.assert_frame_equal(grouped, plain, rtol=1e-12)


def test_a_survey_brings_its_design(people: pd.DataFrame) -> None:
    survey = vp.data(people, weight="w", strata="area")
    expected = vp.estimate(people, "spend", "plan", design=vp.Design("w", strata="area")).long()
    pd.testing.assert_frame_equal(vp.estimate(survey, "spend", "plan").long(), expected)


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("no design", {}, r"no sampling design. Give design=vp\.Design"),
    ("no column", {"design": vp.Design("w", strata="ares")}, r"no column 'ares'; did you mean area"),
    ("lonely", {"design": vp.Design("w", strata="spend")}, r"one sampling unit only \(spend .* single_psu="),
    (
        "not nested",
        {"design": vp.Design("w", strata="area", clusters="block")},
        r"'block' lies in several .*nest=True",
    ),
    ("small", {"design": vp.Design("w", strata="area", fpc="two")}, r"'two' tells of 2 units .*\(area \d\)"),
    (
        "varying",
        {"design": vp.Design("w", strata="area", fpc="many")},
        r"'many' holds several sizes of one stratum",
    ),
    (
        "mixed fpc",
        {"design": vp.Design("w", clusters=["block", "area"], fpc=["two", "half"])},
        "mixes fractions",
    ),
    ("missing", {"design": vp.Design("w", strata="gap")}, r"3 rows have no 'gap', which the design names"),
    ("negative", {"design": vp.Design("minus")}, r"weights in 'minus' are negative"),
    ("no weight", {"design": vp.Design("gap")}, r"3 of 400 weights in 'gap' are missing"),
    ("zero", {"design": vp.Design("none")}, r"All weights in 'none' are zero"),
    ("chance", {"design": vp.Design(probabilities="two")}, r"'two' holds 2; a sampling probability"),
    (
        "replicates",
        {"design": vp.Design("w", replicates=vp.Replicates("rep*", "brr"))},
        r"No column matches.*'rep\*'",
    ),
    (
        "factors",
        {"design": vp.Design("heavy", replicates=vp.Replicates(("half", "two"), "jk1"))},
        "combined=False",
    ),
    ("level", {"design": NESTED, "level": "3", "kind": "mean"}, "level= belongs to shares"),
    ("ratio", {"design": NESTED, "kind": "ratio"}, "needs below="),
    ("kind", {"design": NESTED, "kind": "means"}, "did you mean mean"),
    ("interval", {"design": NESTED, "kind": "quantile", "interval": "quantile"}, "replicate weights"),
]


@pytest.mark.parametrize(("given", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_input_names_the_variable_and_the_cure(people: pd.DataFrame, given: Any, words: str) -> None:
    data = people.assign(
        two=2,
        half=0.5,
        minus=-1.0,
        none=0.0,
        heavy=40.0,
        many=400 + people.index,
        gap=people.area.astype(float),
    )
    data.loc[[3, 5, 7], "gap"] = np.nan
    with pytest.raises(vp.UsageError, match=words):
        vp.estimate(data, "spend", **given)


def test_calibration_names_levels_and_totals(people: pd.DataFrame) -> None:
    def calibrated(totals: dict[str, float]) -> vp.Design:
        return vp.Design("w", calibration=vp.Calibration({"plan": totals}))

    with pytest.raises(vp.UsageError, match=r"totals of 'plan' have no level 'plus'; did you mean pluss"):
        vp.estimate(people, "spend", design=calibrated({"basic": 500, "pluss": 400}))
    with pytest.raises(vp.UsageError, match=r"'gold' of 'plan' has a total of 10, but no respondent"):
        vp.estimate(people, "spend", design=calibrated({"basic": 500, "plus": 400, "gold": 10}))
    counted = vp.estimate(people, "plan", kind="total", design=calibrated({"basic": 500, "plus": 400})).long()
    assert counted.estimate.tolist() == pytest.approx([500, 400])
    assert counted.se.tolist() == pytest.approx([0, 0], abs=1e-9)


def test_designs_refuse_what_contradicts_itself() -> None:
    for words, given in (
        ("not both", {"weight": "w", "probabilities": "p"}),
        ("single_psu must be one of", {"single_psu": "ignore"}),
        ("names 2 columns, but the clusters have 1 stage", {"strata": ["a", "b"], "clusters": "c"}),
        ("name the strata", {"nest": True}),
    ):
        with pytest.raises(vp.UsageError, match=words):
            vp.Design(**given)  # type: ignore[arg-type]
    for words, given in (
        ("rscales=", {"columns": "r*", "kind": "jkn"}),
        ("must be 0 or more and below 1", {"columns": "r*", "kind": "fay", "rho": 1.0}),
        ("can be made", {"kind": "sdr"}),
    ):
        with pytest.raises(vp.UsageError, match=words):
            vp.Replicates(**given)  # type: ignore[arg-type]
    with pytest.raises(vp.UsageError, match="same sum"):
        vp.Calibration({"a": {"x": 1.0}, "b": {"y": 2.0}}, method="rake")
