"""``where=`` and cohorts on any column of the data: each filter against a plain-Python reading of it."""

from __future__ import annotations

import json
import math
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import voxpop as vp
from voxpop.analysis import cohorts, crosstab, means, price_ladder, proportions
from voxpop.client import Client
from voxpop.errors import FilterError, UsageError
from voxpop.tables import Store
from voxpop.verbatims import quotes
from voxpop.vocabulary import Filter, all_of, between, parse, where

TEXTS = ("yes", "no", "Yes", "not sure", "", "3")
TAGS = ("red", "green", "Red", "blue")
GENDERS = ("female", "male", "Female", "other")
SYNONYMS = {"women": "female", "f": "female", "female": "female", "men": "male", "male": "male"}


def rows() -> st.SearchStrategy[list[dict[str, Any]]]:
    """A frame with every type of column, missing values, and values that differ in case only."""
    row = st.fixed_dictionaries(
        {
            "q": st.none() | st.sampled_from(TEXTS),
            "flag": st.none() | st.booleans(),
            "n": st.none() | st.integers(-2, 4),
            "x": st.none() | st.sampled_from([0.5, 1.0, -1.25, 3.0]),
            "tags": st.none() | st.lists(st.sampled_from(TAGS), max_size=3),
            "gender": st.none() | st.sampled_from(GENDERS),
            "How old?": st.none() | st.integers(18, 24),
        }
    )
    return st.lists(row, min_size=1, max_size=30)


def conditions(data: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw conditions from values in the data and from ranges."""

    def values(name: str) -> list[Any]:
        held = [row[name] for row in data if row[name] is not None]
        flat = [item for one in held for item in one] if name == "tags" else held
        return list(dict.fromkeys(flat))

    def asked(name: str) -> st.SearchStrategy[tuple[str, Any]]:
        known = values(name)
        if name == "gender" and "female" in known:
            known += ["women", "f"]
        if name in ("n", "x", "How old?"):
            ranges = st.tuples(st.integers(-3, 4), st.integers(0, 20)).map(
                lambda pair: between(pair[0], pair[0] + pair[1])
            )
            one = ranges | st.integers(-3, 20).map(lambda low: between(low))
        else:
            one = st.nothing()
        if known:
            several = st.lists(st.sampled_from(known), min_size=1, max_size=3)
            one |= st.sampled_from(known) | several | several.map(lambda listed: all_of(*listed))
        return one.map(lambda value: (name, value))

    names = [name for name in data[0] if values(name) or name in ("n", "x", "How old?")]
    pair = st.sampled_from(sorted(names)).flatmap(asked)
    return st.lists(pair, min_size=1, max_size=4, unique_by=lambda one: one[0]).map(dict)


def named_by(name: str, value: Any, held: Any, every: set[Any]) -> bool:
    """Evaluate a condition on one value in plain Python."""
    if isinstance(value, str):
        if name == "gender":
            return held.casefold() in {value.casefold(), SYNONYMS.get(value.casefold(), value.casefold())}
        return held == value if value in every else held.casefold() == value.casefold()
    return bool(held == value)


def meets(row: dict[str, Any], name: str, asked: Any, every: set[Any]) -> bool:
    held = row[name]
    if held is None or (isinstance(held, float) and math.isnan(held)):
        return False
    if hasattr(asked, "min"):
        return (asked.min is None or held >= asked.min) and (asked.max is None or held <= asked.max)
    is_all = type(asked).__name__ == "AllOf"
    values = list(asked.values) if is_all else asked if isinstance(asked, list) else [asked]
    own = held if isinstance(held, list) else [held]
    found = [any(named_by(name, value, one, every) for one in own) for value in values]
    return all(found) if is_all else any(found)


def frames(data: list[dict[str, Any]]) -> dict[str, Any]:
    numbered = [{"id": f"r{place}", **row} for place, row in enumerate(data)]
    kinds = [("id", pa.string()), ("q", pa.string()), ("flag", pa.bool_()), ("n", pa.int64())]
    kinds += [("x", pa.float64()), ("tags", pa.list_(pa.string())), ("gender", pa.string())]
    table = pa.Table.from_pylist(numbered, pa.schema([*kinds, ("How old?", pa.int64())]))
    return {"arrow": table, "pandas": table.to_pandas(), "relation": duckdb.connect().from_arrow(table)}


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_filter_chooses_the_rows_that_a_plain_reading_chooses(draw: Any) -> None:
    data = draw.draw(rows())
    asked = draw.draw(conditions(data))
    match = draw.draw(st.sampled_from(["all", "any"]))
    form = draw.draw(st.sampled_from(["arrow", "pandas", "relation"]))
    join = all if match == "all" else any
    every: dict[str, set[Any]] = {name: {row[name] for row in data} for name in ("q", "gender")}
    every["tags"] = {one for row in data for one in row["tags"] or ()}
    wanted = {
        f"r{place}"
        for place, row in enumerate(data)
        if join(meets(row, name, value, every.get(name, set())) for name, value in asked.items())
    }
    table = crosstab(frames(data)[form], "id", where=where(match=match, **asked))
    found = {label for (_, label), cells in zip(table.rows, table.figures.cells[0], strict=True) if cells[0]}
    assert found == wanted, asked
    people = vp.data(frames(data)[form])
    assert set(people.where(where(match=match, **asked)).df()["id"]) == wanted, asked
    others = people.where({"not": where(match=match, **asked)}).df()["id"]
    assert set(others) == {f"r{place}" for place in range(len(data))} - wanted
    # what the table says it was asked for gives the same table again
    told = json.loads(json.dumps(table.spec()["where"]))
    assert (
        crosstab(frames(data)[form], "id", where=told).figures.cells.tolist() == table.figures.cells.tolist()
    )


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "switch": ["yes", "no", "yes", "no", None, "yes"],
            "state": ["California", "Texas", "California", "Texas", "Ohio", None],
            "age": ["18-34", "35+", "18-34", "35+", "35+", "18-34"],
            "condition": ["control", "treatment"] * 3,
            "score": [1, 2, 3, 4, 5, None],
            "price": [2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            "why": ["too dear to me", "I like it", "no need", "it is fine", "never", "good taste"],
        }
    )


def base(table: Any) -> int:
    return int(table.figures.bases[0, 0])


def test_a_column_shadows_the_field_of_its_name(people: pd.DataFrame) -> None:
    assert base(crosstab(people, "switch", where=where(state="California"))) == 2
    assert base(crosstab(people, "switch", where=where(age=["18-34"]))) == 3
    assert base(crosstab(people, "switch", where=where(condition="control"))) == 2
    table = crosstab(people, "switch", where=where(condition="control", age="35+"))
    assert "filter: respondents whose condition is control and whose age is 35+" in table.caption()


def test_a_field_is_found_by_its_alias_where_the_data_have_no_such_column() -> None:
    people = pd.DataFrame(
        {"switch": ["yes", "no"], "labour_status": ["employed", "retired"], "age": [30, 70]}
    )
    assert base(crosstab(people, "switch", where=where(employment_status="retired"))) == 1
    assert base(crosstab(people, "switch", where={"age_min": 20, "age_max": 40})) == 1
    assert base(crosstab(people, "switch", where={"age_min": 20, "switch": "no"})) == 1


def test_every_table_takes_own_columns(people: pd.DataFrame) -> None:
    mine = where(switch="yes", score=between(max=2))
    assert means(people, "price", where=mine).long().n.tolist() == [1]
    assert proportions(people, "condition", where=mine).long().n.tolist() == [1, 1]
    assert price_ladder(people, "price", where=where(score=[1, 2, 3])).cohorts[0].base == 3
    assert quotes(people, "why", n=1, where=where(switch="yes", score=1), ids="price").of.asked == 1
    table = cohorts(
        people, "switch", {"fans": where(score=between(4)), "control": where(condition="control")}
    )
    assert table.wide().loc["Base (unweighted)"].tolist() == [5.0, 1.0, 2.0]
    assert "fans: respondents whose score is 4 or more." in table.notes()


def test_questions_of_a_study_are_columns_like_others() -> None:
    question = {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"}
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 20 + n, "gender": "female"} for n in range(6)]
    answers = [{"id": n, "question_id": 1, "agent_id": n, "value": n > 1} for n in range(6)]
    with Store() as store:
        store.save_study({"uuid": "s-1", "id": 1, "title": "Snacks"}, [question], answers, agents, {})
        for data in (store.respondents("Snacks"), store.respondents("Snacks").df()):
            table = crosstab(data, "gender", where=where(switch=True, gender="women", age=between(24)))
            assert base(table) == 2
            assert base(crosstab(data, "gender", where=where(switch="no"))) == 2


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"swich": "yes"}, r"no column 'swich'; did you mean switch\?"),
        ({"Switch": "yes"}, r"no column 'Switch'; did you mean switch\?"),
        ({"gendr": "male"}, r"no column 'gendr', nor the field 'gender' of agents; the columns are switch"),
        ({"gender": "male"}, r"no column 'gender'; the columns are switch, state"),
        ({"switch": "yess"}, r"'switch' has no value 'yess'; did you mean yes\?"),
        ({"state": "Californa"}, r"'state' has no value 'Californa'; did you mean California\?"),
        ({"switch": "maybe"}, r"'switch' has no value 'maybe'; it has no, yes"),
        ({"switch": 3}, r"'switch' has no value 3; it has no, yes"),
        ({"score": 9}, r"'score' has no value 9; did you mean 5, 4 or 3\?"),
        ({"switch": between(1)}, r"'switch' must hold numbers"),
    ],
)
def test_what_the_data_do_not_have_is_an_error_with_what_is_near(
    people: pd.DataFrame, asked: dict[str, Any], told: str
) -> None:
    for call in (
        lambda: crosstab(people, "condition", where=where(**asked)),
        lambda: crosstab(
            people,
            "condition",
            where=where(**asked).to_given(),
        ),
        lambda: cohorts(people, "condition", {"some": where(**asked)}),
    ):
        with pytest.raises(UsageError, match=told):
            call()


def test_a_value_of_a_field_that_nobody_here_has_is_no_mistake() -> None:
    people = pd.DataFrame({"switch": ["yes"], "gender": ["female"], "age": [30], "is_parent": [True]})
    for asked in (where(gender="non-binary"), where(age=99), where(is_parent=False)):
        assert base(crosstab(people, "switch", where=asked)) == 0
    with pytest.raises(UsageError, match="'gender' has no value 'femail'; did you mean female"):
        crosstab(people, "switch", where=where(gender="femail"))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"q": []}, "q: the list of values is empty"),
        ({"q": None}, "q: takes texts, finite numbers, True or False, not null"),
        ({"q": [float("nan")]}, "q: takes texts, finite numbers"),
        ({"q": between()}, "q: needs a min, a max or both"),
        ({"q": between(5, 1)}, "q: min 5 is greater than max 1"),
        ({"q": {"some": [1]}}, "q: takes one of"),
    ],
)
def test_what_no_column_can_be_asked_is_refused_at_once(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(FilterError, match=told):
        where(**asked)


MINE = where(country="us", q="yes")


@pytest.mark.parametrize(
    "send",
    [
        lambda client: client.groups.recruit("Mine", filters=MINE, size=10),
        lambda client: client.filters.count(MINE),
        lambda client: client.filters.counts(MINE),
        lambda client: client.agents.search(MINE),
        lambda _: MINE.to_query(),
        lambda _: MINE.to_flat(),
        lambda _: parse(MINE),
    ],
)
def test_a_filter_on_own_columns_is_refused_before_anything_is_sent(send: Any) -> None:
    with (
        Client("http://127.0.0.1:9/v1", api_key="k") as client,  # nobody listens there
        pytest.raises(FilterError, match=r"q: unknown field.*where= of a table takes any column of its data"),
    ):
        send(client)


def test_a_filter_that_fields_cannot_take_is_refused_with_the_words_of_the_fields() -> None:
    with pytest.raises(FilterError, match="age: must be a number, not 'young'"):
        where(age="young").check()
    with pytest.raises(
        FilterError,
        match=r"gendr: unknown field; did you mean gender \(.*\); age: must be a number, not '18-34'",
    ):
        parse(where(gendr="male", age="18-34"))


def test_a_filter_prints_the_code_that_makes_it() -> None:
    for one in (
        where(match="any", q="yes", score=[1, 2.5], **{"How old?": between(3, 3)}),
        where(q=all_of("a", "b"), flag=True, country="us", **{"class": 'say "x"'}),
        where(gender="women", n=3),
    ):
        again = eval(repr(one), {"vp": vp})
        assert again == one
        assert again.to_json() == one.to_json()
        assert parse(one.to_given(), columns=True) == one
    assert where(q="a") != where(q="b")
    assert where(q="a").replace("age", between(30)) == where(q="a", age=between(30))
    assert Filter("all", (("age", between(30)),)).given == (("age", between(30)),)
