"""Means, scores, boxes and shares by cohort: figures, refusals, and words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import SigTest, bands, box, crosstab, means, multi, nps, proportions
from voxpop.errors import UsageError
from voxpop.vocabulary import where


@pytest.fixture
def people() -> pd.DataFrame:
    draw = np.random.default_rng(8)
    size = 400
    frame = pd.DataFrame(
        {
            "price": draw.gamma(3, 4, size).round(2),
            "recommend": draw.integers(0, 11, size),
            "liking": draw.integers(1, 8, size),
            "switch": draw.choice(["yes", "no"], size),
            "gender": draw.choice(["male", "female"], size),
            "age": draw.integers(18, 90, size),
            "oat": draw.choice([True, False], size),
            "rye": draw.choice([True, False], size),
            "bmi_class": draw.choice(["normal", "overweight", None], size),
            "why": [f"Because {n}" for n in range(size)],
            "w": draw.lognormal(0, 0.5, size),
        }
    )
    frame.attrs["voxpop"] = {
        "columns": {"liking": {"text": "How much do you like it?", "type": "scale", "min": 1, "max": 7}},
    }
    return frame


def test_means_take_any_number_of_values_and_every_kind_of_cohort(people: pd.DataFrame) -> None:
    summary = means(
        people, "price", by=["gender", bands("age", [18, 30, 65]), "bmi_class"], weight="w", sig=True
    )
    long = summary.long()
    assert long.columns.tolist() == [
        *("column_group", "group", "n", "sum_w", "n_eff", "mean", "sd", "se", "ci_low", "ci_high", "median"),
        *("higher_than", "flag"),
    ]
    assert long.query("column_group == 'age'").group.tolist() == ["18-29", "30-64", "65+"]
    assert "not assigned" in long.group.tolist()
    total = long.iloc[0]
    assert total["mean"] == pytest.approx(np.average(people.price, weights=people.w))
    assert total.ci_low < total["mean"] < total.ci_high
    assert summary.wide().index.names == ["column_group", "group"]
    assert "Welch t test on effective bases" in summary.caption()
    assert "Intervals (95 %, Student), letters and p-values" in " ".join(summary.notes())


def test_means_of_overlapping_cohorts_and_pooled_ones(people: pd.DataFrame) -> None:
    people["brands"] = [["Oat"] * a + ["Rye"] * b for a, b in zip(people.oat, people.rye, strict=True)]
    apart = means(people, "price", by="brands").pairs()
    assert 0 < apart.p.item() < 1
    pooled = means(people, "price", by="gender", sig=SigTest(means="pooled")).pairs().query("testable")
    assert pooled.df.item() == 398


def test_missing_numbers_are_told_and_in_no_figure(people: pd.DataFrame) -> None:
    people.loc[:9, "price"] = np.nan
    summary = means(people, "price", where=where(gender="male"))
    missing = (people.gender[:10] == "male").sum()
    assert f"{missing} without an answer are in no figure." in summary.notes()
    assert summary.long().n.item() == (people.gender[10:] == "male").sum()


def test_a_net_promoter_score_is_promoters_less_detractors(people: pd.DataFrame) -> None:
    summary = nps(people, "recommend", by="gender", sig=True)
    line = summary.long().iloc[0]
    assert line.nps == pytest.approx(line.promoters - line.detractors)
    assert line.promoters + line.passives + line.detractors == pytest.approx(100)
    assert line.promoters == pytest.approx(100 * (people.recommend >= 9).mean())
    pair = summary.pairs().query("testable").iloc[0]
    own = summary.long().query("column_group == 'gender' and n > 0").set_index("group")
    gap = own.loc[pair.a, "nps"] - own.loc[pair.b, "nps"]
    assert pair.statistic == pytest.approx(gap / np.hypot(own.loc[pair.a, "se"], own.loc[pair.b, "se"]))
    assert "scores compared by z test" in summary.caption()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, 5, 11], "holds 11"),
        ([0.5, 10], "holds 0.5"),
        ([1, 5, 4], "no answer above 5"),
        ([-1, 9], "holds -1"),
    ],
)
def test_a_score_of_anything_but_0_to_10_is_refused(values: list[float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        nps(pd.DataFrame({"q": values}), "q")


def test_a_score_of_a_declared_other_scale_is_refused(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match=r"asked from 1 to 7.*vp\.box"):
        nps(people, "liking")


def test_boxes_come_from_the_scale_and_never_from_the_answers(people: pd.DataFrame) -> None:
    few = people[people.liking < 6].copy()
    few.attrs = people.attrs
    line = box(few, "liking", top=2, bottom=3).long().iloc[0]
    assert line.top == 0.0
    assert line.bottom == pytest.approx(100 * (few.liking <= 3).mean())
    assert line.net == -line.bottom
    assert box(people, "liking", 3).spec()["top"] == 3
    with pytest.raises(UsageError, match="declares no scale"):
        box(people, "recommend")
    with pytest.raises(UsageError, match="must hold 1 to 6 points"):
        box(people, "liking", top=7)
    with pytest.raises(UsageError, match="outside its scale"):
        box(people, "liking", scale=(1, 5))


def test_boxes_of_an_ordered_category_follow_its_order() -> None:
    data = pd.DataFrame(
        {"q": pd.Categorical(["poor", "good", "fair"], ["poor", "fair", "good"], ordered=True)}
    )
    table = crosstab(data, "q", boxes={"top": 1})
    found = table.long().query("row_kind == 'box'")
    assert (found.row.item(), found.percent.item()) == ("Top 1 box", pytest.approx(100 / 3))
    assert "Top 1 box: good." in table.notes()


def test_proportions_are_those_of_the_crosstab(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender", weight="w", sig=True).long()
    cells = table.query("row == 'yes' and row_kind == 'code'")
    found = proportions(people, "switch", "yes", by="gender", weight="w", sig=True)
    for column in ("percent", "ci_low", "ci_high", "higher_than"):
        assert found.long()[column].fillna(-1).tolist() == cells[column].fillna(-1).tolist()
    assert set(found.pairs().row) == {"yes"}
    every = proportions(people, "switch").long()
    assert every.level.tolist() == ["no", "yes"]
    with pytest.raises(UsageError, match="no level 'yess'; did you mean yes"):
        proportions(people, "switch", "yess")


def test_a_question_that_nobody_answered_has_figures_without_levels() -> None:
    nobody = proportions(pd.DataFrame({"q": [None, None], "arm": ["a", "b"]}), "q", by="arm", sig=True)
    assert nobody.long().empty
    assert nobody.wide().columns.tolist() == ["n", "percent", "ci_low", "ci_high"]
    assert nobody.pairs().empty
    assert "n=0" in repr(nobody)
    assert "n=0" in nobody.to_html()


def test_several_columns_are_one_question(people: pd.DataFrame) -> None:
    table = multi(people, ["oat", "rye"], by="gender", sig=True, name="brands")
    counts = table.long().query("column_group == 'Total'").set_index("row")["count"]
    assert counts["oat"] == people.oat.sum()
    assert counts["Any of these"] == (people.oat | people.rye).sum()
    assert counts["Base"] == len(people)
    assert table.wide().loc["Mean mentions", ("Total", "Total")] == pytest.approx(
        (people.oat + 0 + people.rye).mean()
    )
    listed = people.assign(
        both=[["oat"] * a + ["rye"] * b for a, b in zip(people.oat, people.rye, strict=True)]
    )
    same = multi(listed, "both", by="gender")
    np.testing.assert_array_equal(same.figures.cells, table.figures.cells)
    with pytest.raises(UsageError, match="is single-response"):
        multi(people, "switch")
    with pytest.raises(UsageError, match="no value 'yes'"):
        multi(people, ["gender", "oat"])
    with pytest.raises(UsageError, match="of must be one of"):
        multi(people, ["oat", "rye"], of="answers")


def test_shares_of_responses_stand_on_the_mentions(people: pd.DataFrame) -> None:
    table = multi(people, ["oat", "rye"], of="responses", weight="w")
    line = table.long().query("row == 'oat'").iloc[0]
    weights = np.concatenate([people.w[people.oat], people.w[people.rye]])
    assert line.base == len(weights)
    assert line.weighted_base == pytest.approx(weights.sum())
    assert line.effective_base == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert line.percent == pytest.approx(100 * people.w[people.oat].sum() / weights.sum())
    assert table.figures.percent[:2, 0].sum() == pytest.approx(100)


def test_bands_cut_numbers_in_words() -> None:
    assert bands("age").levels == ("18-24", "25-34", "35-44", "45-54", "55-64", "65+")
    assert bands("bmi", [18.5, 25]).levels == ("18.5 to below 25", "25+")
    data = pd.DataFrame({"q": ["a"] * 5, "age": [17, 18, 29, 30, None]})
    found = crosstab(data, "q", by=bands("age", [18, 30])).long().query("row_kind == 'base'")
    assert dict(zip(found.column, found["count"], strict=True)) == {
        "Total": 4,
        "below 18": 1,
        "18-29": 2,
        "30+": 1,
    }
    for starts in ([], [30, 18], [float("nan")]):
        with pytest.raises(UsageError, match="bands of 'age'"):
            bands("age", starts)
    with pytest.raises(UsageError, match="need starts"):
        bands("price")
    with pytest.raises(UsageError, match="'q' must hold numbers"):
        crosstab(data, "age", by=bands("q", [1]))


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda data: means(data, "pric"), "did you mean price"),
        (lambda data: means(data, "switch"), "'switch' must hold numbers"),
        (lambda data: means(data, "price", by="gendr"), "did you mean gender"),
        (lambda data: means(data, "price", weight="why"), "must hold numbers to be a weight"),
        (lambda data: crosstab(data, "why"), "Code its answers"),
    ],
)
def test_refuses_what_cannot_be_meant(people: pd.DataFrame, work: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        work(people)


def test_text_and_html_show_the_same_figures(people: pd.DataFrame) -> None:
    summary = means(people, "price", by="gender", sig=True)
    text, html = repr(summary), summary.to_html()
    assert text.startswith("price\nBase: all who answered price (n=400)")
    assert html.count("<caption") == 1
    line = summary.long().iloc[0]
    for figure in (f"{line['mean']:.2f}", f"{line['median']:.2f}"):
        assert figure in text
        assert figure in html
    assert means(people, "price").spec()["table"] == "means"
