"""Columns compared with the previous one, with the others together, and with the total."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import voxpop as vp

Truth = Callable[[pd.Series, pd.Series], tuple[float, float]]


def _people(seed: int, rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    arm = rng.choice(["a", "b", "c", None], rows, p=[0.4, 0.3, 0.2, 0.1])
    chance = np.select([arm == "a", arm == "b"], [0.7, 0.45], 0.3)
    return pd.DataFrame(
        {
            "choice": np.where(rng.random(rows) < chance, "yes", rng.choice(["no", "unsure"], rows)),
            "arm": pd.Categorical(arm, ["a", "b", "c"], ordered=True),
            "price": rng.normal(np.where(arm == "a", 5, 4), 1.5).round(1),
            "recommend": rng.integers(0, 11, rows),
            "w": rng.choice([0.5, 1.0, 2.5], rows),
            "brands": [list(rng.permutation(["x", "y", "z"])[: rng.integers(1, 4)]) for _ in range(rows)],
        }
    )


def _z(one: pd.Series, other: pd.Series) -> tuple[float, float]:
    """Return the difference of two shares and its p-value, by scipy's chi-square without Yates."""
    table = [[one.sum(), (~one).sum()], [other.sum(), (~other).sum()]]
    return one.mean() - other.mean(), stats.chi2_contingency(table, correction=False).pvalue


def _pairs(table: vp.Table, row: str = "yes") -> pd.DataFrame:
    return table.pairs().query("row == @row and testable").set_index("a")


def _test(against: str) -> vp.SigTest:
    return vp.SigTest(against=against, adjust=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("against", ["rest", "total"])
def test_a_column_against_the_others_is_the_chi_square_test_of_inside_and_outside(
    seed: int, against: str
) -> None:
    people = _people(seed).dropna(subset="arm")
    found = _pairs(vp.crosstab(people, "choice", by="arm", sig=_test(against)))
    assert list(found.b.unique()) == [against]
    for level in "abc":
        inside, yes = people.arm == level, people.choice == "yes"
        difference, p = _z(yes[inside], yes[~inside])
        if against == "total":
            difference = yes[inside].mean() - yes.mean()
        assert found.loc[level, "diff"] == pytest.approx(difference)
        assert found.loc[level, "p"] == pytest.approx(p)


def test_those_without_the_attribute_are_in_no_rest() -> None:
    people = _people(7)
    found = _pairs(vp.crosstab(people, "choice", by="arm", sig=_test("rest")))
    yes, others = people.choice == "yes", people.arm.isin(["b", "c"])
    assert found.loc["a", "p"] == pytest.approx(_z(yes[people.arm == "a"], yes[others])[1])


@pytest.mark.parametrize("seed", range(3))
def test_columns_with_members_in_common_are_compared_with_those_outside(seed: int) -> None:
    people = _people(seed)
    found = _pairs(vp.crosstab(people, "choice", by="brands", sig=_test("rest")))
    yes = people.choice == "yes"
    for brand in "xyz":
        inside = people.brands.map(lambda held, brand=brand: brand in held)
        assert found.loc[brand, "p"] == pytest.approx(_z(yes[inside], yes[~inside])[1])


@pytest.mark.parametrize("seed", range(3))
def test_weights_give_the_test_on_effective_bases(seed: int) -> None:
    people = _people(seed).dropna(subset="arm")
    found = _pairs(vp.crosstab(people, "choice", by="arm", weight="w", sig=_test("rest")))
    yes, w = people.choice == "yes", people.w
    for level in "abc":
        sides = [people.arm == level, people.arm != level]
        shares = [(w * yes)[side].sum() / w[side].sum() for side in sides]
        bases = [w[side].sum() ** 2 / (w[side] ** 2).sum() for side in sides]
        both = (w * yes).sum() / w.sum()
        t = (shares[0] - shares[1]) / math.sqrt(both * (1 - both) * (1 / bases[0] + 1 / bases[1]))
        assert found.loc[level, "statistic"] == pytest.approx(t)
        assert found.loc[level, "p"] == pytest.approx(2 * stats.t.sf(abs(t), sum(bases) - 2))


@pytest.mark.parametrize("against", ["rest", "previous"])
def test_means_are_compared_by_welch(against: str) -> None:
    people = _people(11).dropna(subset="arm")
    for made in (
        vp.means(people, "price", by="arm", sig=_test(against)).pairs(),
        vp.crosstab(people.round({"price": 0}), "price", by="arm", sig=_test(against)).pairs(),
    ):
        found = made[made.row == "Mean"].set_index("a")
        price = people.price if len(made) < 4 else people.price.round(0)
        levels = ["a", "b", "c"] if against == "rest" else ["b", "c"]
        assert list(found.index) == levels
        for level in levels:
            other = people.arm != level if against == "rest" else people.arm == chr(ord(level) - 1)
            p = stats.ttest_ind(price[people.arm == level], price[other], equal_var=False).pvalue
            assert found.loc[level, "p"] == pytest.approx(p)


def test_scores_are_compared_with_the_others() -> None:
    people = _people(12).dropna(subset="arm")
    found = vp.nps(people, "recommend", by="arm", sig=_test("total")).pairs().set_index("a")

    def nps(answers: pd.Series) -> float:
        return float((answers >= 9).mean() - (answers <= 6).mean())

    for level in "abc":
        one, other = (people.recommend[side] for side in (people.arm == level, people.arm != level))
        spread = [(x >= 9).mean() + (x <= 6).mean() - nps(x) ** 2 for x in (one, other)]
        z = (nps(one) - nps(other)) / math.sqrt(spread[0] / len(one) + spread[1] / len(other))
        assert found.loc[level, "statistic"] == pytest.approx(z)
        assert found.loc[level, "diff"] == pytest.approx(nps(one) - nps(people.recommend))


def test_the_previous_column_is_that_of_the_order_of_levels() -> None:
    people = _people(13)
    table = vp.crosstab(people, "choice", by="arm", sig=_test("previous"))
    assert table.pairs()[["a", "b"]].drop_duplicates().to_numpy().tolist() == [["b", "a"], ["c", "b"]]
    yes = people.choice == "yes"
    assert _pairs(table).loc["b", "p"] == pytest.approx(_z(yes[people.arm == "b"], yes[people.arm == "a"])[1])


def test_arrows_stand_in_the_cells_and_the_frame_names_what_they_mean() -> None:
    people = _people(1)
    table = vp.crosstab(people, "choice", by="arm", sig=vp.SigTest(against="rest"))
    shown = table.long().query("row == 'yes'").set_index("column")
    assert shown.loc["a", ["higher_than", "lower_than"]].tolist() == ["rest", ""]
    assert shown.loc["c", ["higher_than", "lower_than"]].tolist() == ["", "rest"]
    assert "↑" in repr(table)
    assert "↑ or ↓: higher or lower than the other columns of the group" in repr(table)
    told = "each column compared with the others of its group together by pooled z test"
    assert told in table.caption()
    assert "(A)" not in repr(table)
    summary = vp.means(people, "price", by="arm", sig=vp.SigTest(against="total"))
    assert summary.long().set_index("group").loc["a", "higher_than"] == "total"
    assert "against total" in repr(summary)


def test_a_table_of_arrows_is_made_again_from_its_spec() -> None:
    people = _people(2)
    table = vp.crosstab(people, "choice", by="arm", sig=vp.SigTest(against="total", second_level=0.2))
    again = vp.crosstab(people, "choice", by="arm", sig=table.spec()["sig"])
    assert again.long().equals(table.long())


def test_an_unknown_comparison_is_refused() -> None:
    with pytest.raises(vp.UsageError, match=r"against must be one of .*'rest'"):
        vp.SigTest(against="others")  # type: ignore[arg-type]


def test_waves_of_the_same_agents_are_not_compared_with_the_rest() -> None:
    people = pd.DataFrame(
        {"agent_uuid": list("abcabc"), "wave": [1, 1, 1, 2, 2, 2], "q": ["x", "y", "x", "x", "y", "y"]}
    )
    with pytest.raises(vp.UsageError, match="waves of the same agents"):
        vp.crosstab(people, "q", by="wave", sig=_test("rest"))
    made = vp.crosstab(people, "q", by="wave", sig=_test("previous"), min_base=0).pairs()
    assert made[["a", "b"]].drop_duplicates().to_numpy().tolist() == [["2", "1"]]
