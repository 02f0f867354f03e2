"""Which columns are compared, how, and what the letters say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.analysis import AnalysisWarning, SigTest, cohorts, crosstab
from voxpop.errors import UsageError
from voxpop.survey.declaring import declare
from voxpop.vocabulary import between, where


def sample(size: int = 600, seed: int = 3) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    arm = draw.choice(["a", "b", "c"], size)
    chance = np.select([arm == "a", arm == "b"], [0.3, 0.5], 0.7)
    return pd.DataFrame(
        {
            "q": np.where(draw.random(size) < chance, "yes", "no"),
            "arm": arm,
            "side": draw.choice(["left", "right"], size),
            "score": draw.integers(1, 6, size) + (arm == "c"),
            "brands": [["Oat"] * (n % 2) + ["Rye"] * (n % 3 > 0) for n in range(size)],
            "age": draw.integers(18, 80, size),
            "w": draw.lognormal(0, 0.4, size),
        }
    )


def higher(table: Any, row: str) -> dict[tuple[str, str], str]:
    long = table.long()
    return long[long.row == row].set_index(["column_group", "column"]).higher_than.to_dict()


def test_letters_name_the_lower_columns_of_the_same_group() -> None:
    table = crosstab(sample(), "q", by=["arm", "side"], sig=True)
    found = higher(table, "yes")
    assert found["arm", "c"] == "AB"
    assert found["arm", "b"] == "A"
    assert found["arm", "a"] == found["Total", "Total"] == ""
    assert {found["side", "left"], found["side", "right"]} <= {"", "A", "B"}
    assert set(table.pairs().column_group) == {"arm", "side"}


def test_without_sig_there_are_no_letters_but_pairs_can_be_asked_for() -> None:
    table = crosstab(sample(), "q", by="arm")
    assert set(table.long().higher_than) == {""}
    assert "(A)" not in repr(table)
    expected = crosstab(sample(), "q", by="arm", sig=True).pairs()
    pd.testing.assert_frame_equal(table.pairs(), expected)


def test_the_caption_names_test_level_and_correction() -> None:
    data = declare(sample(), "simulated")
    told = crosstab(data, "q", by="arm", weight="w", sig=SigTest(level=0.01, adjust="holm")).caption()
    assert "pooled t test on effective bases, level 1 %, Holm per row" in told
    assert (
        "pooled z test, level 5 %, Benjamini-Hochberg per row"
        in crosstab(data, "q", by="arm", sig=True).caption()
    )
    table = crosstab(data, "q", by="arm", sig=True)
    for text in (repr(table).replace("\n  ", " "), table.to_html()):
        assert "not evidence about people" in text
        assert "drawn from one and the same pool" in text


def test_a_small_column_is_shown_marked_and_never_tested() -> None:
    data = sample()
    data.loc[:19, "arm"] = "tiny"
    data.loc[20:, "arm"] = data.arm[20:]
    table = crosstab(data, "q", by="arm", sig=True)
    pairs = table.pairs()
    touched = (pairs.a == "tiny") | (pairs.b == "tiny")
    assert not pairs[touched].testable.any()
    assert set(pairs[touched].reason) == {"a base below 30"}
    assert pairs[touched].p_adjusted.isna().all()
    assert "Not tested in arm: tiny (a base below 30)." in table.notes()
    assert table.wide().loc["yes", ("arm", "tiny")] > 0
    rest = crosstab(data[20:], "q", by="arm", sig=True).pairs()
    np.testing.assert_allclose(
        pairs[~touched].p_adjusted, rest.p_adjusted
    )  # nor does it count in corrections


def test_shares_of_nobody_and_everybody_are_not_tested() -> None:
    data = sample()
    data.loc[data.arm == "a", "q"] = "yes"
    pairs = crosstab(data, "q", by="arm", sig=True).pairs().query("row == 'yes'")
    assert pairs.testable.tolist() == [False, False, True]
    assert pairs.reason.tolist()[:2] == ["a share of 0 or 100 %"] * 2


def test_a_net_repeats_its_levels_and_leaves_their_letters_alone() -> None:
    data = sample()
    sig = SigTest(scope="table")
    plain = crosstab(data, "q", by="arm", sig=sig)
    table = crosstab(data, "q", by="arm", sig=sig, nets={"Either": ["yes", "no"], "Only yes": "yes"})
    assert higher(table, "yes") == higher(plain, "yes")
    long = table.long()
    assert set(long[long.row == "Either"].percent) == {100.0}
    left = long[long.row == "Only yes"].set_index(["column_group", "column"])["count"]
    assert left.equals(long[long.row == "yes"].set_index(["column_group", "column"])["count"])
    assert "Only yes: yes." in table.notes()


def test_a_net_of_several_answers_counts_each_agent_once() -> None:
    table = crosstab(sample(), "brands", nets={"Any": ["Oat", "Rye"]})
    counts = table.long().query("column_group == 'Total'").set_index("row")["count"]
    assert counts["Any"] == sum(bool(n % 2 or n % 3) for n in range(600))
    assert counts["Oat"] + counts["Rye"] > counts["Any"]


def test_a_number_has_its_mean_below_and_it_is_compared() -> None:
    table = crosstab(sample(), "score", by="arm", sig=True)
    assert higher(table, "Mean")["arm", "c"] == "AB"
    long = table.long()
    mean = long[(long.row == "Mean") & (long.column == "c")].iloc[0]
    values = sample().query("arm == 'c'").score
    assert (mean["value"], mean["count"]) == pytest.approx((values.mean(), len(values)))
    assert mean.ci_low < mean["value"] < mean.ci_high
    assert set(table.pairs().row) == {*table.levels, "Mean"}
    assert "means by Welch t test" in table.caption()


def test_columns_that_share_agents_are_compared_with_what_they_share() -> None:
    data = sample()
    table = cohorts(
        data,
        "q",
        {
            "young": where(age=between(18, 45)),
            "middle": where(age=between(30, 60)),
            "same": where(age=between(18, 45)),
        },
    )
    pairs = table.pairs().query("row == 'yes'").set_index(["a", "b"])
    assert pairs.loc[("young", "same"), "reason"] == "the same agents in both"
    young, middle = data[data.age <= 45], data[data.age.between(30, 60)]
    x, y = (young.q == "yes").sum(), (middle.q == "yes").sum()
    n, m, both = len(young), len(middle), data.age.between(30, 45).sum()
    p = (x + y) / (n + m)
    z = (x / n - y / m) / np.sqrt(p * (1 - p) * (1 / n + 1 / m - 2 * both / (n * m)))
    assert pairs.loc[("young", "middle"), "statistic"] == pytest.approx(z)
    assert f"young and middle ({both})" in " ".join(table.notes())
    assert table.spec()["cohorts"]["young"] == where(age=between(18, 45)).to_json()


def test_association_says_why_it_cannot_be_asked() -> None:
    data = sample()
    assert crosstab(data, "brands", by="arm").association().reason.item() == "several answers possible"
    assert "several columns" in crosstab(data, "q", by="brands").association().reason.item()
    assert np.isnan(crosstab(data, "brands", by="arm").association().chi2.item())
    assert crosstab(data, "brands", by="arm").residuals().empty


def test_expected_counts_below_five_are_told_and_warned_of() -> None:
    data = sample(20)
    table = crosstab(data, "q", by="arm", sig=True)
    assert "expected counts are below 5" in " ".join(table.notes())
    with pytest.warns(AnalysisWarning, match="arm: 5 of 6|arm: . of 6"):
        assert table.association().n_expected_below_5.item() > 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 1000))
def test_order_of_rows_scale_of_weights_and_names_of_levels_change_no_test(seed: int, scale: float) -> None:
    data = sample(200, seed)
    sig = SigTest(adjust="bh", scope="table")
    first = crosstab(data, "q", by="arm", weight="w", sig=sig, min_base=0)
    order = np.random.default_rng(seed).permutation(len(data))
    shuffled = crosstab(data.iloc[order], "q", by="arm", weight="w", sig=sig, min_base=0)
    pd.testing.assert_frame_equal(first.long(), shuffled.long(), check_exact=True)
    pd.testing.assert_frame_equal(first.pairs(), shuffled.pairs(), check_exact=True)
    scaled = crosstab(data.assign(w=data.w * scale), "q", by="arm", weight="w", sig=sig, min_base=0)
    np.testing.assert_allclose(scaled.pairs().p, first.pairs().p, rtol=1e-6)
    renamed = data.assign(arm=data.arm.map({"a": "x", "b": "y", "c": "z"}))
    other = crosstab(renamed, "q", by="arm", weight="w", sig=sig, min_base=0)
    np.testing.assert_array_equal(other.pairs().p, first.pairs().p)
    banner = crosstab(data, "q", by=["side", "arm"], weight="w", sig=sig, min_base=0)
    np.testing.assert_allclose(
        banner.pairs().query("column_group == 'arm'").p_adjusted, first.pairs().p_adjusted
    )


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"method": "pooled"}, "method must be one of"),
        ({"adjust": "bonferoni"}, "did you mean bonferroni"),
        ({"scope": "rows"}, "did you mean row"),
        ({"level": 5}, "level must lie between 0 and 1"),
        ({"second_level": 0.01}, "second_level must lie between level and 1"),
    ],
)
def test_a_test_that_cannot_be_meant_is_refused(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SigTest(**given_)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"sig": "yes"}, "sig must be True"),
        ({"nets": {"Yes": ["yess"]}}, "no level 'yess' for the net 'Yes'; did you mean yes"),
        ({"nets": {"yes": ["yes"]}}, "another label"),
        ({"nets": {"None": []}}, "has no levels"),
        ({"nets": ["yes"]}, "nets must map labels to levels"),
        ({"boxes": 2}, "declares no scale"),
    ],
)
def test_refuses_rows_that_cannot_be_meant(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        crosstab(sample(50), "q", **given_)


def test_a_spec_makes_the_same_table_again() -> None:
    data = sample()
    data["liking"] = pd.Categorical(data.score.clip(1, 5).astype(str), list("12345"), ordered=True)
    asked = {"weight": "w", "sig": SigTest(second_level=0.1), "nets": {"Low": ["1", "2"]}, "boxes": (2, 1)}
    first = crosstab(data, "liking", by=["arm", "side"], **asked)
    spec = first.spec()
    names = ("rows", "by", "weight", "where", "percent", "sig", "nets", "boxes", "min_base", "small_base")
    again = crosstab(data, **{name: spec[name] for name in names})
    pd.testing.assert_frame_equal(first.long(), again.long(), check_exact=True)
    assert repr(first) == repr(again)


def test_many_columns_have_letters_apart() -> None:
    draw = np.random.default_rng(1)
    data = pd.DataFrame({"g": [f"g{n:02}" for n in range(28)] * 60})
    data["q"] = np.where(draw.random(len(data)) < (data.g == "g27") * 0.6 + 0.2, "yes", "no")
    found = higher(crosstab(data, "q", by="g", sig=True), "yes")["g", "g27"]
    assert found.split(",")[0] == "A"
    assert found.split(",")[-1] == "AA"
