"""Raking a sample: margins from anywhere, refusals by name, weights as a column."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from voxpop.analysis import bands, crosstab, rake
from voxpop.errors import UsageError
from voxpop.wire.filters import CountResponse


@pytest.fixture
def people() -> pd.DataFrame:
    draw = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "gender": draw.choice(["male", "female"], 300, p=[0.7, 0.3]),
            "region": pd.Categorical(draw.choice(["n", "s"], 300), ["n", "s"]),
            "is_parent": draw.choice([True, False], 300),
            "age": draw.integers(18, 80, 300),
            "q": draw.choice(["yes", "no"], 300),
            "base": draw.choice([0.5, 1.0], 300),
        }
    )


HALF = {"gender": {"male": 0.5, "female": 0.5}}


def test_weights_meet_the_margins_and_are_a_column(people: pd.DataFrame) -> None:
    before = people.copy(deep=True)
    made = rake(
        people, HALF | {"region": {"n": 40, "s": 60}} | {"is_parent": {True: 1, False: 3}}, totals="rescale"
    )
    weighted = made.add_to(people)
    pd.testing.assert_frame_equal(people, before)
    table = crosstab(weighted, "gender", weight="weight").wide()["Total", "Total"]
    assert table["male"] == pytest.approx(50)
    assert made.report["total"] == pytest.approx(300)
    assert "Totals differ" in made.report["notices"][0]
    assert made.report["efficiency"] == pytest.approx(100 * made.report["effective_base"] / 300)
    np.testing.assert_allclose(made.achieved.achieved, made.achieved.target)
    assert "efficiency" in repr(made)


def test_shares_and_percentages_give_a_mean_of_one(people: pd.DataFrame) -> None:
    for scale in (1, 100):
        made = rake(people, {"gender": {"male": 0.5 * scale, "female": 0.5 * scale}})
        assert made.weights.mean() == pytest.approx(1)
    assert rake(people, {"gender": {"male": 500, "female": 700}}).weights.sum() == pytest.approx(1200)


def test_margins_straight_from_the_counts_of_a_filter(people: pd.DataFrame) -> None:
    counted = CountResponse.model_validate(
        {
            "count": 10,
            "filters": {
                "gender": [{"value": "male", "count": 4}, {"value": "female", "count": 6}],
                "is_parent": [{"value": True, "count": 5}, {"value": False, "count": 5}],
            },
        }
    )
    whole = rake(people, counted)
    assert whole.weights.sum() == pytest.approx(10)
    one = rake(people, {"gender": counted.filters["gender"]})
    assert one.achieved.achieved.tolist() == pytest.approx([4, 6])
    by_series = rake(people, {"gender": pd.Series({"male": 4, "female": 6})})
    np.testing.assert_array_equal(one.weights, by_series.weights)


def test_bands_are_margins_too(people: pd.DataFrame) -> None:
    made = rake(people, {bands("age", [18, 40]): {"18-39": 0.3, "40+": 0.7}})
    assert made.weights[people.age < 40].sum() == pytest.approx(0.3 * 300)


def test_every_kind_of_data_gives_the_same_weights(people: pd.DataFrame) -> None:
    relation = duckdb.from_arrow(pa.Table.from_pandas(people, preserve_index=False))
    expected = rake(people, HALF, start="base").weights
    for data in (pa.Table.from_pandas(people), relation):
        made = rake(data, HALF, start="base")
        np.testing.assert_array_equal(made.weights, expected)
        assert made.add_to(data, "w")["w"].to_pylist() == expected.tolist()


def test_missing_answers_keep_their_share_or_their_weight(people: pd.DataFrame) -> None:
    people.loc[:29, "gender"] = None
    with pytest.raises(UsageError, match="30 respondents have no answer to 'gender'"):
        rake(people, HALF)
    for missing in ("own", "leave"):
        made = rake(people, HALF, missing=missing)
        assert made.weights[:30].sum() == pytest.approx(30)
        known = made.weights[30:]
        assert known[people.gender[30:] == "male"].sum() == pytest.approx(135)
        assert "30 without gender" in made.report["notices"][0]


def test_a_cap_holds_and_costs_nothing_but_time(people: pd.DataFrame) -> None:
    free = rake(people, HALF | {"region": {"n": 0.2, "s": 0.8}})
    top = free.weights.max()
    made = rake(people, HALF | {"region": {"n": 0.2, "s": 0.8}}, start="base", cap=top * 1.3)
    assert made.weights.max() <= top * 1.3 + 1e-9
    with pytest.raises(UsageError, match=r"did not meet its margins .* with cap=1\.05: gender"):
        rake(people, HALF, cap=1.05)


@pytest.mark.parametrize(
    ("targets", "given_", "message"),
    [
        (
            {"gender": {"male": 1, "female": 1, "other": 1}},
            {},
            "'gender' has a target of 1 for level 'other'",
        ),
        ({"gender": {"male": 1}}, {}, "respondents of level 'female', but no target for it"),
        ({"gender": {"male": 1, "femal": 1}}, {}, "did you mean femal"),
        (HALF | {"region": {"n": 10, "s": 20}}, {}, "totals of the margins differ: gender 1, region 30"),
        ({"gender": {"male": -1, "female": 1}}, {}, "'gender', level 'male', must be 0 or more"),
        ({"gender": {"male": 0, "female": 0}}, {}, "all zero"),
        ({"gendr": {"male": 1}}, {}, "did you mean gender"),
        (HALF, {"start": "q"}, "must hold numbers to be a weight"),
        (HALF, {"missing": "drop"}, "missing must be one of"),
        (HALF, {"cap": 1}, "cap must be above 1"),
        (HALF, {"totals": "keep"}, "totals must be"),
        ({}, {}, "targets must map variables to margins"),
    ],
)
def test_refuses_the_impossible_by_name(
    people: pd.DataFrame, targets: dict[str, Any], given_: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        rake(people, targets, **given_)


@pytest.mark.parametrize(("weights", "message"), [([1.0, -1.0], "negative"), ([0.0, 0.0], "zero")])
def test_refuses_bad_starting_weights(weights: list[float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rake(pd.DataFrame({"gender": ["male", "female"], "w": weights}), HALF, start="w")


def test_margins_that_contradict_each_other_are_refused() -> None:
    data = pd.DataFrame({"a": ["x", "y"], "b": ["x", "y"]})
    with pytest.raises(UsageError, match="a, b contradict each other"):
        rake(data, {"a": {"x": 0.5, "y": 0.5}, "b": {"x": 0.9, "y": 0.1}}, max_iter=50)


def test_a_column_is_added_once_and_to_its_own_rows(people: pd.DataFrame) -> None:
    made = rake(people, HALF)
    with pytest.raises(UsageError, match="already have a column 'q'"):
        made.add_to(people, "q")
    with pytest.raises(UsageError, match="300 weights, but the data have 10"):
        made.add_to(people.head(10))
