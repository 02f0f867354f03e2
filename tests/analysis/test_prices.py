"""Prices: an acceptable range from four questions, a demand curve from a ladder or from amounts."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import Bands, price_ladder, price_range
from voxpop.errors import UsageError
from voxpop.stats.prices import price_curves
from voxpop.vocabulary import between, where

ASKED = {"too_cheap": "tc", "cheap": "ch", "expensive": "ex", "too_expensive": "te"}


@pytest.fixture
def people() -> pd.DataFrame:
    draw = np.random.default_rng(2)
    base = draw.normal(10, 2, 200).clip(5, 15)
    data = pd.DataFrame(
        {name: (base * by).round() for name, by in zip(ASKED.values(), (0.5, 0.8, 1.2, 1.6), strict=True)}
    )
    data["age"] = draw.integers(18, 80, 200)
    data["arm"] = ["a", "b"] * 100
    for price in (6, 9, 12):
        data[f"at_{price}"] = np.where(base * 1.1 >= price, "yes", "no")
    return data


def test_the_range_is_that_of_the_agents_whose_prices_ascend(people: pd.DataFrame) -> None:
    odd = pd.concat(
        [
            people,
            pd.DataFrame({"tc": [9.0, np.nan], "ch": [5.0, 5], "ex": [7.0, 7], "te": [8.0, 8], "arm": "a"}),
        ]
    )
    found = price_range(odd, ASKED, resamples=20)
    assert found.wide().base.tolist() == [200]
    assert "1 left out: their four prices do not ascend." in found.notes()
    assert "1 did not name four prices." in found.notes()
    same = price_range(people, ASKED, resamples=20)
    assert same.wide().equals(found.wide())
    assert 0 < same.wide().lowest.iloc[0] < same.wide().indifferent.iloc[0] < same.wide().highest.iloc[0]


def test_a_cohort_of_a_range_is_the_range_of_its_agents(people: pd.DataFrame) -> None:
    both = price_range(people, ASKED, by="arm", resamples=20).wide().set_index("column")
    alone = price_range(people[people.arm == "b"], ASKED, resamples=20).wide().iloc[0]
    assert both.loc["b", ["lowest", "highest"]].tolist() == alone[["lowest", "highest"]].tolist()
    chosen = price_range(people, ASKED, where=where(age=between(30, 50)), resamples=20)
    assert chosen.wide().base.tolist() == [int(people.age.between(30, 50).sum())]


def test_a_ladder_gives_shares_with_wilson_intervals_and_the_best_price(people: pd.DataFrame) -> None:
    found = price_ladder(people, {12: "at_12", 6: "at_6", 9: "at_9"}, by="arm")
    total = found.long().query("column == 'Total'").set_index("price")
    assert total.index.tolist() == [6, 9, 12]
    for price in (6, 9, 12):
        share = (people[f"at_{price}"] == "yes").mean()
        assert total.loc[price, "buy"] == pytest.approx(100 * share)
        assert total.loc[price, "revenue"] == pytest.approx(price * share)
        assert total.loc[price, "ci_low"] < 100 * share < total.loc[price, "ci_high"] or share in (0, 1)
    assert found.wide().best_price.iloc[0] == total.revenue.idxmax()
    assert "price of most revenue" in repr(found)


def test_who_names_an_amount_buys_at_it_and_below() -> None:
    found = price_ladder(pd.DataFrame({"pay": [5, 10, 10, 20, None]}), "pay").long()
    assert found[["price", "asked", "buy"]].values.tolist() == [[5, 4, 100], [10, 4, 75], [20, 4, 25]]


def test_points_of_a_scale_count_as_buying_when_named() -> None:
    data = pd.DataFrame({"at_5": [5, 4, 3, 1], "at_9": [4, 2, 1, 1]})
    found = price_ladder(data, {5: "at_5", 9: "at_9"}, buys=[4, 5]).long()
    assert found.buy.tolist() == [50, 25]
    with pytest.raises(UsageError, match="'at_5' has no answer 'yess'"):
        price_ladder(data, {5: "at_5", 9: "at_9"}, buys="yess")


def test_weights_small_bases_and_any_kind_of_data(people: pd.DataFrame) -> None:
    people["w"] = np.where(people.at_12 == "yes", 2.0, 1.0)
    weighted = price_ladder(people, {6: "at_6", 12: "at_12"}, weight="w").long().iloc[1]
    yes = (people.at_12 == "yes").sum()
    assert weighted.buy == pytest.approx(100 * 2 * yes / (200 + yes))
    relation = duckdb.connect().from_df(people)
    assert (
        price_range(relation, ASKED, resamples=20)
        .wide()
        .equals(price_range(people, ASKED, resamples=20).wide())
    )
    bands = Bands("age", (18, 78))
    flags = price_ladder(people, {6: "at_6", 12: "at_12"}, by=bands).long().groupby("column").flag.first()
    assert flags["78+"] == "**"


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        ({"too_cheap": "tc"}, "must map a column to each of too_cheap, cheap, expensive, too_expensive"),
        ({**ASKED, "cheap": "tc"}, "need four different columns"),
        ({**ASKED, "cheap": "chh"}, "no column 'chh'; did you mean ch"),
        ({**ASKED, "cheap": "at_6"}, "'at_6' must hold numbers"),
    ],
)
def test_a_range_needs_four_columns_of_numbers(
    people: pd.DataFrame, questions: dict[str, str], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        price_range(people, questions)


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        ({6: "at_6"}, "two or more prices"),
        ({-1: "at_6", 3: "at_9"}, "none negative"),
        ({"six": "at_6", "nine": "at_9"}, "A price must be a number"),
        (["at_6"], "must be a column of amounts, or prices with columns"),
    ],
)
def test_a_ladder_needs_prices(people: pd.DataFrame, questions: object, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        price_ladder(people, questions)  # type: ignore[arg-type]


def test_weighted_intervals_are_those_of_whole_people_with_their_weights() -> None:
    draw = np.random.default_rng(4)
    kinds = np.array([[5, 8, 12, 15], [5, 10, 15, 20], [8, 10, 12, 20], [2, 5, 8, 10], [10, 12, 20, 25]])
    data = pd.DataFrame(kinds[draw.choice(5, 300)].astype(float), columns=list(ASKED.values()))
    data["w"] = draw.lognormal(0, 1.2, 300)
    data["arm"] = np.where(draw.random(300) < 0.5, "a", "b")
    data.loc[draw.choice(300, 20, replace=False), "te"] = np.nan
    known = data.dropna()
    own, resampled = price_range(data, ASKED, weight="w", resamples=400).long(), []
    for _ in range(400):
        taken = known.iloc[draw.integers(0, len(known), len(known))]
        curves = price_curves(taken[list(ASKED.values())].to_numpy().T, taken.w)
        resampled.append(list(curves.points().values()))
    low, high = np.nanquantile(np.array(resampled, dtype=float), [0.025, 0.975], axis=0)
    assert ((own.ci_high - own.ci_low) / (high - low)).to_numpy() == pytest.approx(np.ones(4), abs=0.2)


def test_intervals_depend_on_the_seed_alone(people: pd.DataFrame) -> None:
    people["w"] = np.random.default_rng(1).lognormal(0, 1, 200)
    once = price_range(people, ASKED, weight="w", resamples=50, seed=3).long()
    for order in range(5):  # neither the order of rows nor the other columns of the table matter
        mixed = people.sample(frac=1, random_state=order)
        again = price_range(mixed, ASKED, by="arm", weight="w", resamples=50, seed=3).long()
        assert again[again.column == "Total"].equals(once)
    assert not price_range(people, ASKED, weight="w", resamples=50, seed=4).long().equals(once)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seed": None}, "seed must be a whole number of 0 or more, not None"),
        ({"seed": -1}, "seed must be a whole number of 0 or more, not -1"),
        ({"resamples": 0}, "resamples must be a whole number of 1 or more, not 0"),
        ({"resamples": 2.5}, "resamples must be a whole number of 1 or more, not 2.5"),
    ],
)
def test_draws_that_could_not_be_repeated_are_refused(
    people: pd.DataFrame, given: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        price_range(people, ASKED, **given)  # type: ignore[arg-type]
