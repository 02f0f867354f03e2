"""Crosstabs: what is counted, what is left out with a note, and what is refused."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.analysis import Table, crosstab, means
from voxpop.errors import UsageError
from voxpop.vocabulary import between, where


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "switch": pd.Categorical(["yes", "no", "yes", None, "yes", "no"], ["yes", "no", "perhaps"]),
            "gender": ["male", "male", "female", "female", "female", "male"],
            "bmi_class": ["normal", None, "obese_1", "normal", None, "normal"],
            "brands": [["Oat", "Rye"], [], ["Oat"], None, ["Rye", "Rye"], ["Oat"]],
            "age": [20, 30, 40, 50, 60, 70],
            "w": [1.0, 2.0, 0.5, 1.0, 1.5, 0.0],
            "is_parent": [True, False, True, None, False, False],
        }
    )


def cell(table: Table, row: str, column: str, figure: str = "percent", group: str | None = None) -> float:
    long = table.long()
    found = long[(long.row == row) & (long.column == column)]
    found = found if group is None else found[found.column_group == group]
    assert len(found) == 1
    return found[figure].item()


def test_without_by_there_is_one_total_column(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch")
    assert table.long().column.unique().tolist() == ["Total"]
    assert cell(table, "yes", "Total") == 60.0
    assert cell(table, "yes", "Total", "count") == 3
    assert cell(table, "yes", "Total", "base") == 5


def test_missing_answers_are_counted_beside_and_are_in_no_base(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender")
    assert cell(table, "no answer", "female", "count") == 1
    assert cell(table, "Base", "female", "count") == 2
    assert cell(table, "yes", "female") == 100.0
    assert "no answer" in repr(table)


def test_declared_levels_that_nobody_chose_stay(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender")
    assert cell(table, "perhaps", "Total") == 0.0
    assert cell(table, "Base", "non_binary", "count") == 0  # the vocabulary's level of gender


def test_a_percentage_of_nobody_is_missing_and_never_zero(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender")
    assert np.isnan(cell(table, "yes", "non_binary"))
    assert np.isnan(cell(table, "yes", "non_binary", "ci_low"))


def test_agents_without_health_data_are_a_column_of_their_own(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="bmi_class")
    columns = table.wide()["bmi_class"].columns
    assert columns[-1] == "not assigned"
    assert cell(table, "Base", "not assigned", "count") == 2
    assert cell(table, "Base", "Total", "count") == 5


def test_a_health_question_shows_not_assigned_beside_its_base(people: pd.DataFrame) -> None:
    table = crosstab(people, "bmi_class")
    assert cell(table, "not assigned", "Total", "count") == 2
    assert cell(table, "normal", "Total") == 75.0


def test_those_without_another_attribute_are_named_below(people: pd.DataFrame) -> None:
    table = crosstab(people, "brands", by="is_parent")
    assert table.long().query("column_group == 'is_parent'").column.unique().tolist() == ["yes", "no"]
    people.loc[0, "is_parent"] = None
    assert "1 who answered have no is_parent" in "\n".join(crosstab(people, "switch", by="is_parent").notes())


def test_a_list_column_counts_an_agent_once_under_each_level_it_ticked(people: pd.DataFrame) -> None:
    table = crosstab(people, "brands", by="gender")
    assert cell(table, "Oat", "Total", "base") == 5  # ticked none is an answer, not asked is none
    assert cell(table, "Oat", "Total", "count") == 3
    assert cell(table, "Rye", "Total", "count") == 2
    assert cell(table, "Oat", "Total") + cell(table, "Rye", "Total") == 100.0
    assert "Several answers possible" in repr(table)


def test_of_a_ranking_it_counts_what_was_ranked_first() -> None:
    people = pd.DataFrame({"snack": [["Rye", "Oat"], ["Oat", "Rye"], ["Rye"], None, [], ["Rye", "Oat"]]})
    people.attrs["voxpop"] = {
        "columns": {"snack": {"text": "Rank them.", "type": "ranking", "options": ["Oat", "Rye", "Corn"]}},
        "source": "",
    }
    table = crosstab(people, "snack")
    assert [cell(table, row, "Total", "count") for row in ("Oat", "Rye", "Corn")] == [1, 3, 0]
    assert cell(table, "Rye", "Total") == 75
    assert "Rank them. (ranked first)" in str(table)
    assert "Several answers" not in str(table)


def test_a_list_attribute_puts_an_agent_into_several_columns(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="brands", percent="row")
    assert cell(table, "Base", "Oat", "count") == 3
    assert cell(table, "Base", "Rye", "count") == 2
    assert cell(table, "yes", "Rye", "base") == 3  # of those who said yes and were asked for brands


def test_weights_give_three_bases(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", weight="w")
    assert cell(table, "Base", "Total", "count") == 5
    assert cell(table, "Base", "Total", "weighted_count") == 5.0
    assert cell(table, "Base", "Total", "effective_base") == pytest.approx(5.0**2 / (1 + 4 + 0.25 + 2.25))
    assert cell(table, "yes", "Total") == pytest.approx(60.0)
    assert cell(table, "yes", "Total", "weighted_count") == 3.0
    assert table.wide().index[:3].tolist() == ["Base (unweighted)", "Base (weighted)", "Effective base"]


def test_small_bases_are_marked_by_the_effective_base() -> None:
    data = pd.DataFrame({"q": ["a"] * 229, "g": ["large"] * 110 + ["small"] * 90 + ["tiny"] * 29, "w": 1.0})
    table = crosstab(data, "q", by="g")
    assert [cell(table, "Base", level, "flag") for level in ("large", "small", "tiny")] == ["", "*", "**"]
    assert "small *" in repr(table)
    data.loc[0, "w"] = 1000.0
    assert cell(crosstab(data, "q", by="g", weight="w"), "Base", "large", "flag") == "**"
    assert set(crosstab(data, "q", by="g", min_base=0, small_base=0).long().flag) == {""}


def test_where_takes_a_filter_its_json_or_a_mask(people: pd.DataFrame) -> None:
    chosen = where(age=between(20, 40), gender="male")
    for given_where in (chosen, chosen.to_json(), (people.age <= 40) & (people.gender == "male")):
        assert cell(crosstab(people, "switch", where=given_where), "Base", "Total", "count") == 2
    assert cell(crosstab(people, "switch", where=where(bmi_class="obese")), "Base", "Total", "count") == 1
    assert cell(crosstab(people, "switch", where=where(is_parent=True)), "Base", "Total", "count") == 2


def test_where_any_needs_one_condition_only(people: pd.DataFrame) -> None:
    chosen = where(match="any", age=between(70), bmi_class="obese_1")
    assert cell(crosstab(people, "switch", where=chosen), "Base", "Total", "count") == 2


def test_a_banner_has_one_total_and_letters_that_restart(people: pd.DataFrame) -> None:
    long = crosstab(people, "switch", by=["gender", "bmi_class"]).long()
    heads = long[["column_group", "column", "letter"]].drop_duplicates()
    assert (heads.column == "Total").sum() == 1
    for group in ("gender", "bmi_class"):
        letters = heads[heads.column_group == group].letter.tolist()
        assert letters == [chr(65 + place) for place in range(len(letters))]


def test_numbers_are_levels_in_the_order_of_numbers(people: pd.DataFrame) -> None:
    people["kids"] = [10, 2, 0, None, 2, 10]
    assert crosstab(people, "kids").levels == ("0", "2", "10")


def test_a_scale_shows_every_point(people: pd.DataFrame) -> None:
    people["liking"] = [1, 3, 3, 5, 3, 1]
    people.attrs["voxpop"] = {
        "columns": {"liking": {"text": "How much?", "type": "scale", "min": 1, "max": 5}}
    }
    table = crosstab(people, "liking")
    assert table.levels == ("1", "2", "3", "4", "5")
    assert repr(table).startswith("How much?\n")


def test_the_data_are_not_changed(people: pd.DataFrame) -> None:
    before, arrow = people.copy(deep=True), pa.Table.from_pandas(people)
    crosstab(people, "brands", by=["gender", "bmi_class"], weight="w", where=where(age=between(30)))
    crosstab(arrow, "switch", by="gender")
    pd.testing.assert_frame_equal(people, before)
    assert arrow.equals(pa.Table.from_pandas(people))


def test_an_empty_frame_gives_an_empty_table(people: pd.DataFrame) -> None:
    table = crosstab(people.iloc[:0], "switch", by="gender")
    assert table.long().query("row_kind == 'code'").percent.isna().all()
    assert "n=0" in repr(table)


def test_spec_says_everything_asked_for(people: pd.DataFrame) -> None:
    chosen = where(age=between(25))
    spec = crosstab(people, "switch", by="gender", weight="w", where=chosen, percent="row").spec()
    assert spec["where"] == chosen.to_json()
    assert (spec["rows"], spec["by"], spec["weight"], spec["percent"]) == ("switch", ["gender"], "w", "row")
    again = crosstab(people, **{name: spec[name] for name in ("rows", "by", "weight", "where", "percent")})
    pd.testing.assert_frame_equal(
        again.long(), crosstab(people, "switch", by="gender", weight="w", where=chosen, percent="row").long()
    )


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"rows": "swich"}, "no column 'swich'; did you mean switch"),
        ({"rows": "switch", "by": "gendr"}, "did you mean gender"),
        ({"rows": None}, "name must be text or vp.bands, not None"),
        ({"rows": ["switch"]}, "name must be text or vp.bands, not"),
        ({"rows": "switch", "by": 5}, "by must be a column, vp.bands, or a list of these, not 5"),
        ({"rows": "switch", "by": [None]}, "name must be text or vp.bands, not None"),
        ({"rows": "switch", "by": "health_bmi_class"}, "did you mean bmi_class"),
        ({"rows": "switch", "percent": "columns"}, "column, row, total.*did you mean column"),
        ({"rows": "switch", "by": ["gender", "gender"]}, "twice"),
        ({"rows": "switch", "weight": "gender"}, "'gender' must hold numbers"),
        ({"rows": "switch", "min_base": -1}, "0 or more"),
        ({"rows": "switch", "where": "age > 3"}, "where must be a filter"),
        ({"rows": "switch", "where": [True]}, "where has 1 values; the data have 6 rows"),
        ({"rows": "switch", "where": where(state="CA")}, "no column 'state'"),
    ],
)
def test_refuses_what_cannot_be_meant(people: pd.DataFrame, given_: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        crosstab(people, **given_)  # type: ignore[arg-type]


def test_refuses_a_filter_with_an_unknown_field(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="no column 'gendr'; did you mean gender"):
        crosstab(people, "switch", where={"gendr": "male"})


@pytest.mark.parametrize(
    ("weights", "message"),
    [([1, -1, 1], "1 weights .* negative"), ([0, 0, 0], "zero"), ([1, None, 1], "missing")],
)
def test_refuses_bad_weights(weights: list[float | None], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        crosstab(pd.DataFrame({"q": ["a", "b", "a"], "w": weights}), "q", weight="w")


def test_refuses_open_answers_and_long_numbers() -> None:
    data = pd.DataFrame({"why": [f"Because {n}" for n in range(300)], "price": np.arange(300) / 7})
    with pytest.raises(UsageError, match=r"300 different values.*Code its answers"):
        crosstab(data, "why")
    with pytest.raises(UsageError, match="Cut it into bands"):
        crosstab(data, "price")
    data.attrs["voxpop"] = {"columns": {"why": {"text": "Why?", "type": "open"}}}
    with pytest.raises(UsageError, match="open question"):
        crosstab(data.head(2), "why")


def test_refuses_other_data() -> None:
    with pytest.raises(UsageError, match="DataFrame, an Arrow table or a DuckDB relation, not dict"):
        crosstab({"q": ["a"]}, "q")


answers = st.lists(
    st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y", None]), st.floats(0.1, 9)),
    min_size=1,
    max_size=30,
)


@settings(max_examples=40, deadline=None)
@given(answers, st.randoms(use_true_random=False))
def test_row_order_does_not_matter_to_the_last_digit(rows: list[tuple[object, ...]], chance: object) -> None:
    data = pd.DataFrame(rows, columns=["q", "g", "w"]).astype({"q": "str", "g": "str"})
    order = list(range(len(rows)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    one = crosstab(data, "q", by="g", weight="w").long()
    pd.testing.assert_frame_equal(
        one, crosstab(data.iloc[order], "q", by="g", weight="w").long(), check_exact=True
    )


@settings(max_examples=40, deadline=None)
@given(answers)
def test_columns_add_up_and_a_banner_repeats_the_crosstab(
    rows: list[tuple[object, ...]],
) -> None:
    data = pd.DataFrame(rows, columns=["q", "g", "w"]).assign(h="all")
    long = crosstab(data, "q", by="g", weight="w").long()
    sums = long[long.row_kind == "code"].groupby(["column_group", "column"]).percent.sum(min_count=1).dropna()
    np.testing.assert_allclose(sums, 100)
    banner = crosstab(data, "q", by=["h", "g"], weight="w").long().query("column_group == 'g'")
    alone = long.query("column_group == 'g'")
    pd.testing.assert_frame_equal(banner.reset_index(drop=True), alone.reset_index(drop=True))


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1e-3, 1.0, 1e9, 1e100])
def test_weighted_sums_are_exact_whatever_the_scale_of_the_weights(scale: float) -> None:
    draw = np.random.default_rng(3)
    weights, arms = draw.lognormal(size=5_000) * scale, draw.integers(0, 3, 5_000)
    data = pd.DataFrame({"q": "yes", "arm": arms.astype(str), "w": weights})
    bases = crosstab(data, "q", by="arm", weight="w").figures.bases
    for place in range(3):
        held = weights[arms == place]
        total, squares = math.fsum(held), math.fsum(held * held)
        assert bases[1, place + 1] == pytest.approx(total, rel=1e-12)
        assert bases[2, place + 1] == pytest.approx(total * total / squares, rel=1e-9)


def test_threads_and_kinds_of_data_change_no_digit() -> None:
    draw = np.random.default_rng(5)
    size = 300_000
    frame = pd.DataFrame(
        {
            "q": pd.Categorical.from_codes(draw.integers(0, 3, size), ["lo", "mid", "hi"]),
            "arm": draw.choice(["a", "b"], size),
            "price": draw.gamma(3, 2, size).round(2),
            "w": draw.lognormal(size=size),
        }
    )

    def figures(data: object) -> list[pd.DataFrame]:
        table = crosstab(data, "q", by="arm", weight="w", sig=True)
        spent = means(data, "price", by="arm", weight="w", sig=True)
        return [table.long(), table.pairs(), table.association(), spent.long(), spent.pairs()]

    with duckdb.connect() as database:
        database.execute("CREATE TABLE t AS SELECT * REPLACE (q::ENUM('lo','mid','hi') AS q) FROM frame")
        made = [figures(frame), figures(pa.table(frame))]
        for threads in (1, 4, 4, 2):
            database.execute(f"SET threads = {threads}")
            made.append(figures(database.table("t")))
    for other in made[1:]:
        for one, same in zip(made[0], other, strict=True):
            pd.testing.assert_frame_equal(one, same, check_exact=True)


@pytest.mark.parametrize("kind", ["frame", "arrow", "relation"])
def test_a_number_with_many_values_asks_for_bands(kind: str) -> None:
    frame = pd.DataFrame({"q": ["yes", "no"] * 30, "age": range(18, 78)})
    data = {"frame": frame, "arrow": pa.table(frame), "relation": duckdb.from_df(frame)}[kind]
    with pytest.raises(UsageError, match=r"'age' has 60 different numbers.*bands.*pd\.cut"):
        crosstab(data, "q", by="age")


def test_columns_of_one_name_are_refused_whatever_the_data() -> None:
    table = pa.table([["yes"], ["a"], ["b"]], names=["q", "arm", "arm"])
    with pytest.raises(UsageError, match="several columns named arm"):
        crosstab(table, "q", by="arm")


def test_not_a_number_is_no_answer() -> None:
    table = pa.table({"q": [1.0, float("nan"), None, 2.0]})
    made = crosstab(table, "q")
    assert made.levels == ("1", "2")
    assert made.figures.missing[0, 0] == 2


def test_data_of_a_closed_database_say_so() -> None:
    database = duckdb.connect()
    rows = database.sql("SELECT 'yes' AS q")
    database.close()
    with pytest.raises(UsageError, match="closed; open it again"):
        crosstab(rows, "q")
