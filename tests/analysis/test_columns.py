"""Columns of every type enter a table by position, with their own levels in their own order."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from voxpop.analysis import bands, box, crosstab, means, multi
from voxpop.errors import UsageError
from voxpop.verbatims import Words, keywords


def test_weights_of_a_population_leave_counts_alone() -> None:
    chance = np.random.default_rng(1)
    data = pd.DataFrame({"q": chance.choice(list("abc"), 500), "g": chance.choice(list("xyz"), 500)})
    data["w"] = chance.uniform(5_000, 200_000, 500)
    counts = pd.crosstab(data.q, data.g)
    sums = pd.crosstab(data.q, data.g, values=data.w, aggfunc="sum")
    for _ in range(40):
        long = crosstab(data, "q", by="g", weight="w").long()
        own = long[(long.row_kind == "code") & (long.column_group == "g")]
        found = own.pivot(index="row", columns="column", values=["count", "weighted_count"])
        assert (found["count"].to_numpy() == counts.to_numpy()).all()
        np.testing.assert_allclose(found["weighted_count"].to_numpy(float), sums.to_numpy(), rtol=1e-14)


@pytest.mark.parametrize("weights", [[1e9, 1e-6], [1e9, 1.0, 1e-6, 0.0], [1e-6] * 3, [1e100, 1e-100]])
def test_small_weights_beside_large_ones_are_not_lost(weights: list[float]) -> None:
    levels = [str(place) for place in range(len(weights))]
    long = crosstab(pd.DataFrame({"q": levels, "w": weights}), "q", by="q", weight="w").long()
    own = long[(long.row_kind == "base") & (long.column_group == "q")]
    assert own.weighted_base.tolist() == weights
    assert own.effective_base.round(9).tolist() == [float(weight > 0) for weight in weights]


@pytest.mark.parametrize("weight", [1e300, 1e-300])
def test_weights_without_a_square_are_refused(weight: float) -> None:
    with pytest.raises(UsageError, match=r"1 weights in 'w' are above 1e\+120 or below 1e-120"):
        crosstab(pd.DataFrame({"q": ["a", "b"], "w": [weight, 1.0]}), "q", weight="w")


def spelled(form: str) -> object:
    frame = pd.DataFrame({"Age": ["a", "b"] * 2, "age": ["x"] * 4, "w": [1.0, 2, 3, 4], "W": [4.0, 1, 1, 1]})
    if form == "frame":
        return frame
    if form == "arrow":
        return pa.Table.from_pandas(frame)
    return duckdb.sql(
        'SELECT c0 AS "Age", \'x\' AS "age", c1::DOUBLE AS w, c2::DOUBLE AS "W" '
        "FROM (VALUES ('a', 1, 4), ('b', 2, 1), ('a', 3, 1), ('b', 4, 1)) t(c0, c1, c2)"
    )


@pytest.mark.parametrize("form", ["frame", "arrow", "relation"])
def test_names_that_differ_in_case_are_told_apart(form: str) -> None:
    data = spelled(form)
    assert crosstab(data, "age", by="Age", weight="w").wide().loc["Base (weighted)"].tolist() == [10, 4, 6]
    assert crosstab(data, "Age", by="age", weight="W").wide().loc["Base (weighted)"].tolist() == [7, 7]
    assert crosstab(data, "Age").levels == ("a", "b")


def test_open_answers_beside_a_column_of_the_same_letters() -> None:
    data = duckdb.sql(
        "SELECT 1 AS \"WHY\", 'cheap price' AS \"why\", 'a' AS arm UNION ALL SELECT 2, 'taste', 'b'"
    )
    found = keywords(data, "why", "arm", "a", words=Words(min_answers=1)).long()
    assert "price" in found.term.tolist()


def test_boxes_need_an_order_that_somebody_declared() -> None:
    people = pd.DataFrame({"q": pd.Categorical(["low", "high", "mid", "mid"])})
    for call in (lambda: box(people, "q", 1), lambda: crosstab(people, "q", boxes=1)):
        with pytest.raises(
            UsageError, match=r"unordered categories.*set_categories\(\[\.\.\.\], ordered=True\)"
        ):
            call()
    with pytest.raises(UsageError, match="unordered categories"):
        box(duckdb.from_df(people), "q", 1)
    with pytest.raises(UsageError, match=r"must hold numbers.*first map its levels to numbers"):
        means(people, "q")
    people["q"] = people["q"].cat.set_categories(["low", "mid", "high"], ordered=True)
    assert box(people, "q", 1).long()[["top", "bottom"]].values.tolist() == [[25.0, 25.0]]


def test_a_mask_goes_by_the_index_of_the_frame_or_is_refused() -> None:
    people = pd.DataFrame({"q": list("abcd"), "w": [1.0, 2, 3, 4]}, index=[10, 20, 30, 40])
    mask = people.q.isin(["a", "b"]).sort_index(ascending=False)
    assert (
        crosstab(people, "q", where=mask).levels
        == crosstab(people[mask.sort_index()], "q").levels
        == ("a", "b")
    )
    assert crosstab(people, "q", where=mask.astype("boolean")).levels == ("a", "b")
    assert crosstab(people, "q", where=mask.to_numpy()).levels == ("c", "d")
    for data in (people, pa.Table.from_pandas(people), duckdb.from_df(people)):
        with pytest.raises(UsageError, match="index is not that of the data"):
            crosstab(data, "q", where=mask.set_axis([50, 60, 70, 80]))
    shuffled = pd.Series([False, True, False, False], index=[3, 0, 1, 2])
    assert crosstab(pa.Table.from_pandas(people), "q", where=shuffled).levels == ("a",)
    with pytest.raises(UsageError, match="where has 2 values; the data have 4 rows"):
        crosstab(people, "q", where=mask.head(2))
    with pytest.raises(UsageError, match="index is not that of the data"):
        crosstab(people, "q", where=mask.set_axis([10, 20, 30, 30]))


def test_dates_periods_and_intervals_are_levels_in_their_order() -> None:
    people = pd.DataFrame(
        {
            "month": pd.PeriodIndex(["2024-10", "2024-02", None], freq="M"),
            "seen": pd.DatetimeIndex(["2024-10-01", "2024-02-01", None], tz="Europe/Berlin"),
            "age": pd.cut(pd.Series([70, 20, 20]), [0, 30, 60, 90]),
            "span": pd.to_timedelta(["10h", "2h", None]),
        }
    )
    assert crosstab(people, "month").levels == ("2024-02", "2024-10")
    assert crosstab(people, "seen").levels == ("2024-02-01 00:00:00+01:00", "2024-10-01 00:00:00+02:00")
    table = crosstab(people, "age")
    assert table.levels == ("(0, 30]", "(30, 60]", "(60, 90]")
    assert table.figures.cells[0, :, 0].tolist() == [2, 0, 1]
    assert crosstab(people, "span").levels == ("0 days 02:00:00", "0 days 10:00:00")
    kept = people[["month", "seen", "span"]]
    for name in kept:
        assert crosstab(pa.Table.from_pandas(kept), name).levels == crosstab(kept, name).levels
    assert crosstab(duckdb.sql("SELECT INTERVAL 3 DAY AS t"), "t").levels == ("3 days",)
    assert crosstab(duckdb.sql("SELECT ['a', 'b']::VARCHAR[2] AS t"), "t").levels == ("a", "b")


def test_text_that_reads_as_numbers_goes_by_the_numbers() -> None:
    people = pd.DataFrame({"kids": ["10", "2", "none", "-1", "1.5"]})
    assert crosstab(people, "kids").levels == ("-1", "1.5", "2", "10", "none")


@pytest.mark.parametrize("dtype", ["bool", "boolean", "bool[pyarrow]"])
def test_the_mean_of_booleans_is_the_share_of_yes(dtype: str) -> None:
    assert (
        means(pd.DataFrame({"q": pd.array([True, False, True, True], dtype)}), "q").long().at[0, "mean"]
        == 0.75
    )


def test_columns_named_by_numbers_are_named_by_their_text() -> None:
    people = pd.DataFrame({0: ["a", "b"], 1: ["x", "x"], "w": [1, 3]})
    table = crosstab(people, "0", by="1", weight="w")
    assert table.wide().loc["b", ("1", "x")] == 75.0
    with pytest.raises(UsageError, match='the column 0 is named "0"'):
        crosstab(people, 0)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match='the column 1 is named "1"'):
        crosstab(people, "0", by=1)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="several columns named 0"):
        crosstab(people.assign(**{"0": 1}), "w")


def test_an_item_that_nobody_ticked_is_counted_as_such() -> None:
    people = pd.DataFrame({"oat": ["yes", "no"], "rye": ["no", "no"], "corn": [0, 0], "bran": [None, None]})
    assert multi(people, ["oat", "rye", "corn", "bran"]).figures.cells[0, :4, 0].tolist() == [1, 0, 0, 0]
    german = pd.DataFrame({"oat": ["ja", "nein"], "rye": ["nein", "nein"], "corn": ["ja", "vielleicht"]})
    assert multi(german, ["oat", "rye"], counted="ja").figures.cells[0, :2, 0].tolist() == [1, 0]
    with pytest.raises(UsageError, match="'oat' has no value 'yes'"):
        multi(german, ["oat", "rye"])
    with pytest.raises(UsageError, match="'oat' has no value 'oui'"):
        multi(german, ["oat", "rye"], counted="oui")


def test_bands_of_fractions_are_not_called_as_those_of_whole_numbers() -> None:
    data = pd.DataFrame({"q": "yes", "age": [17.9, 18, 29, 29.5, 30]})
    named = [column.label for column in crosstab(data, "q", by=bands("age", [18, 30])).columns[1:]]
    assert named == ["below 18", "18 to below 30", "30+"]
    whole = [
        column.label for column in crosstab(data.iloc[[1, 2, 4]], "q", by=bands("age", [18, 30])).columns[1:]
    ]
    assert whole == ["18-29", "30+"]
    assert bands("income", [1_000_000, 1_000_001, 1_234_567.5]).levels == (
        "1000000 to below 1000001",
        "1000001 to below 1234567.5",
        "1234567.5+",
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1j, 2], "'q' holds complex128; tables take text"),
        ([{"a": 1}, {"a": 2}], "'q' holds struct"),
        (pd.Categorical([1, "1"], [1, "1"]), "'q' has several levels with the same label '1'"),
        (["a", 1], "Column 'q' mixes types of values"),
    ],
)
def test_columns_that_no_table_takes_are_refused_by_name(values: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        crosstab(pd.DataFrame({"q": values}), "q")


def test_numbers_beyond_squares_are_refused() -> None:
    for value in (np.inf, 1e300):
        with pytest.raises(UsageError, match="1 numbers in 'x' are infinite or beyond"):
            means(pd.DataFrame({"x": [1.0, value]}), "x")
    assert means(pd.DataFrame({"x": [2**60 + 1, 5]}), "x").long().at[0, "mean"] == 2.0**59 + 3
