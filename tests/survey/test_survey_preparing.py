"""Preparing a survey: every method returns a new survey, and its steps tell what was done."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import voxpop as vp
from voxpop.errors import UsageError


@pytest.fixture
def people() -> Any:
    frame = pd.DataFrame(
        {
            "id": range(6),
            "q": pd.Categorical(
                ["disagree", "agree", "neither", "agree", None, "agree fully"],
                ["disagree", "neither", "agree", "agree fully"],
                ordered=True,
            ),
            "age": [17, 18, 30, 44, 45, None],
            "shops": [["A"], ["A", "B"], [], None, ["C"], ["B"]],
            "wt": [1.0, 2.0, 1.0, 1.0, 0.5, 0.5],
        }
    )
    return vp.data(frame, weight="wt", provenance="human", labels={"q": "Snacks should be cheaper"})


def test_a_recode_merges_levels_in_their_order(people: Any) -> None:
    made = people.recode("q", {"agree (net)": ["agree", "agree fully"]}, into="q2")
    assert made.value_counts("q2").to_dict() == {"disagree": 1, "neither": 1, "agree (net)": 3}
    assert made.variables["q2"].ordered
    assert made.variables["q2"].label == "Snacks should be cheaper"
    assert made.steps == ("q2: recoded from q (agree (net) = agree, agree fully; others as they are).",)
    assert "q2" not in people.variables
    assert people.steps == ()
    gone = people.recode("q", {"yes": ["agree", "agree fully"]}, rest=None)
    assert gone.value_counts("q").to_dict() == {"yes": 3}
    other = people.recode("q", {"yes": "agree"}, rest="other")
    assert other.value_counts("q").to_dict() == {"yes": 2, "other": 3}


def test_numbers_are_recoded_by_ranges(people: Any) -> None:
    made = people.recode("age", {"minor": [(None, 17)], "grown": [(18, None)]}, into="grown")
    assert made.value_counts("grown").to_dict() == {"minor": 1, "grown": 4}
    assert made["grown"].isna().sum() == 1


def test_codes_of_a_file_name_levels() -> None:
    people = vp.data(pd.DataFrame({"q": [1, 2, 3]}), labels={"q": {1: "low", 2: "mid", 3: "high"}})
    made = people.recode("q", {"not low": [2, 3]})
    assert made.value_counts("q").to_dict() == {"low": 1, "not low": 2}


def test_nets_may_overlap_and_keep_missing_answers_apart(people: Any) -> None:
    made = people.nets("q", {"Top 2": ["agree", "agree fully"], "any agree": ["agree"]})
    held = [None if one is pd.NA or one is None else list(one) for one in made["q_nets"]]
    assert held == [[], ["Top 2", "any agree"], [], ["Top 2", "any agree"], None, ["Top 2"]]
    shops = people.nets("shops", {"A or B": ["A", "B"]}, into="ab")
    assert shops.value_counts("ab").to_dict() == {"A or B": 3}


def test_bands_are_those_of_tables(people: Any) -> None:
    made = people.bands("age", [18, 30, 45])
    table = vp.crosstab(people, "age", by=vp.bands("age", [18, 30, 45]), min_base=1)
    assert made.value_counts("age_band").to_dict() == {"below 18": 1, "18-29": 1, "30-44": 2, "45+": 1}
    assert [column.label for column in table.columns][1:] == list(made.variables["age_band"].levels)
    with pytest.raises(UsageError, match="'q' must hold numbers"):
        people.bands("q", [1])


def test_expressions_are_computed_row_by_row(people: Any) -> None:
    made = people.derive("young", "CASE WHEN age < 30 THEN 'yes' ELSE 'no' END", label="Below 30?")
    assert made["young"].tolist() == ["yes", "yes", "no", "no", "no", "no"]
    assert made.variables["young"].label == "Below 30?"
    assert made.steps == ("young: derived as CASE WHEN age < 30 THEN 'yes' ELSE 'no' END.",)
    assert people.derive("n", "len(shops)")["n"].sum() == 5


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("agee + 1", "'agee'; did you mean age"),
        ("(SELECT 1)", "row by row; it has another query"),
        ("sum(age)", "'sum' looks at other rows"),
        ("random()", "'random' looks at other rows, or gives another value each time"),
        ("now()", "'now' looks at other rows, or gives another value each time"),
        ("row_number() OVER ()", "a window over other rows"),
        ("age; DROP TABLE x", "is no SQL expression"),
        ("age FROM read_csv('/etc/passwd')", "takes one expression, not a query"),
        ("age, wt", "takes one expression, not a query"),
        ("*", "all columns at once"),
        ("lowr(q)", "no function 'lowr'; did you mean lower"),
        ("age +", "is no SQL expression"),
        ("q + 1", "cannot be computed"),
        ("", "needs an expression"),
    ],
)
def test_expressions_that_look_elsewhere_are_refused(people: Any, expression: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        people.derive("new", expression)


def test_filters_take_any_column_and_name_the_nearest(people: Any) -> None:
    assert people.where(q=["agree", "agree fully"], age=vp.between(18, 40))["id"].tolist() == [1]
    assert people.where(shops=vp.all_of("A", "B"))["id"].tolist() == [1]
    assert people.where(shops=vp.at_least(1)).df()["id"].tolist() == [0, 1, 4, 5]
    assert people.where({"not": {"q": "agree"}})["id"].tolist() == [0, 2, 4, 5]
    assert people[people["age"] > 30]["id"].tolist() == [3, 4]
    assert people.filter("age > 30 AND id < 4")["id"].tolist() == [3]
    assert people.where(q="agree").steps == ("Kept respondents whose q is agree: 2 of 6 rows.",)
    with pytest.raises(UsageError, match="no column 'agee'; did you mean age"):
        people.where(agee=3)
    with pytest.raises(UsageError, match="'q' has no value 'agre'; did you mean agree"):
        people.where(q="agre")
    with pytest.raises(UsageError, match="where has 2 values; the data have 6 rows"):
        people.where(np.array([True, False]))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.lists(st.none() | st.sampled_from(["a", "b", "c"]), min_size=1, max_size=20),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3),
    st.booleans(),
)
def test_selections_are_those_of_pandas(values: list[Any], wanted: list[str], as_levels: bool) -> None:
    frame = pd.DataFrame({"q": pd.array(values, dtype="str"), "row": range(len(values))})
    wanted = [one for one in wanted if one in values]
    if as_levels:
        frame["q"] = frame["q"].astype(pd.CategoricalDtype(["c", "a", "b"]))
    if not wanted:
        return
    people = vp.data(frame)
    assert people.where(q=wanted)["row"].tolist() == frame.loc[frame["q"].isin(wanted), "row"].tolist()
    counts = people.value_counts("q")
    expected = frame["q"].value_counts().to_dict()
    assert {level: n for level, n in counts.items() if n} == {str(k): n for k, n in expected.items() if n}


def test_waves_are_stacked_with_a_report_of_what_did_not_match() -> None:
    one = vp.data(
        pd.DataFrame({"q": [1, 2], "n": [1, 2], "old": ["x", "y"]}),
        labels={"q": ("Would you?", {1: "yes", 2: "no"})},
        name="spring",
        provenance="human",
    )
    two = vp.data(
        pd.DataFrame({"q": [1, 2, 3], "n": [0.5, 1.5, 2.5]}),
        labels={"q": ("Would you switch?", {1: "yes", 2: "maybe", 3: "no"})},
        name="autumn",
        provenance="human",
    )
    both = vp.stack([one, two], by="season")
    assert both.value_counts("season").to_dict() == {"spring": 2, "autumn": 3}
    assert both.variables["q"].levels == ("yes", "no", "maybe")
    assert both.where(season="autumn").value_counts("q").to_dict() == {"yes": 1, "no": 1, "maybe": 1}
    assert both["n"].tolist() == [1.0, 2.0, 0.5, 1.5, 2.5]
    assert both.notes == (
        "q: 'maybe' only in autumn.",
        "q: other words in autumn: 'Would you switch?' instead of 'Would you?'.",
        "q: the code 2 is 'no' in spring and 'maybe' in autumn; answers are matched by label.",
        "old: not in autumn.",
    )
    assert both.provenance == "human"
    assert both.steps == ("Stacked by season: spring 2, autumn 3 rows.",)


def test_stacked_people_and_agents_stay_apart() -> None:
    people = vp.data(pd.DataFrame({"q": ["yes"]}), name="people", provenance="human")
    agents = vp.data(pd.DataFrame({"q": ["no", "no"]}), name="agents", provenance="simulated")
    both = vp.stack({"survey": people, "agents": agents}, by="who")
    assert both.provenance == "mixed"
    assert both.where(who="survey").provenance == "human"
    assert both.where(who="agents").provenance == "simulated"


def test_stacking_refuses_what_cannot_be_one_variable() -> None:
    one = vp.data(pd.DataFrame({"q": ["yes"], "x": [1]}), name="a")
    two = vp.data(pd.DataFrame({"q": [1.5], "x": [2]}), name="b")
    with pytest.raises(UsageError, match=r"q \(text in a, number in b\).*differing=\"drop\""):
        vp.stack([one, two])
    assert vp.stack([one, two], differing="drop").columns == ["wave", "x"]
    with pytest.raises(UsageError, match="two surveys are named 'a'"):
        vp.stack([one, one])


def test_rows_of_one_connection_are_stacked_without_being_read() -> None:
    database = duckdb.connect()
    waves = {name: vp.data(database.sql(f"SELECT {name} AS n FROM range(3)")) for name in ("1", "2")}
    both = vp.stack({"first": waves["1"], "second": waves["2"]})
    assert both["n"].tolist() == [1, 1, 1, 2, 2, 2]


def test_people_are_joined_to_agents_and_only_what_is_mixed_is_called_so(people: Any) -> None:
    agents = vp.data(pd.DataFrame({"id": [1, 0, 9], "twin": ["x", "y", "z"]}), provenance="simulated")
    both = people.join(agents, "id")
    assert both["id"].tolist() == list(range(6))
    assert both["twin"].tolist()[:2] == ["y", "x"]
    assert both["twin"].isna().sum() == 4
    assert both.steps == (
        "Joined 1 variable of survey by id: 4 of 6 rows have no partner (without its variables); "
        "1 rows of survey are not used.",
    )
    assert vp.crosstab(both, "q").provenance == "human"
    assert vp.crosstab(both, "twin").provenance == "simulated"
    with pytest.warns(vp.AnalysisWarning, match="mixed"):
        assert vp.crosstab(both, "q", by="twin").provenance == "mixed"
    assert people.join(agents, "id", "inner")["id"].tolist() == [0, 1]


def test_joins_that_would_multiply_or_hide_answers_are_refused(people: Any) -> None:
    twice = vp.data(pd.DataFrame({"id": [1, 1], "x": [1, 2]}), name="panel")
    with pytest.raises(UsageError, match="id '1' has several rows in panel"):
        people.join(twice, "id")
    same = vp.data(pd.DataFrame({"id": [1], "age": [3]}))
    with pytest.raises(UsageError, match="both have age"):
        people.join(same, "id")
    assert people.join(same, "id", suffix="_2")["age_2"].dropna().tolist() == [3]
    with pytest.raises(UsageError, match="no column 'uid'; did you mean id"):
        people.join(twice, "uid")
    with pytest.raises(UsageError, match="how must be left or inner, not 'outer'"):
        people.join(twice, "id", "outer")


def test_a_selection_of_columns_keeps_those_of_the_design(people: Any) -> None:
    assert people[["q"]].columns == ["q", "wt"]
    assert people[["q"]].design.weight == "wt"
    plain = people.project("q")
    assert plain.design.weight is None
    assert plain.notes == ("The design (weighted by wt) was dropped with its columns.",)
