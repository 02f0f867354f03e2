"""Tables compared with statsmodels and scipy, which only the tests use."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from voxpop.analysis import SigTest, crosstab, means, nps, proportions, rake

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of their import
    from statsmodels.stats import contingency_tables
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint, proportions_ztest
    from statsmodels.stats.weightstats import CompareMeans, DescrStatsW


@pytest.fixture(params=range(4))
def people(request: pytest.FixtureRequest) -> pd.DataFrame:
    draw = np.random.default_rng(request.param)
    size = 700
    arm = draw.choice(["a", "b", "c", "d"], size, p=[0.4, 0.3, 0.2, 0.1])
    chance = np.select([arm == "a", arm == "b"], [0.35, 0.5], 0.6)
    return pd.DataFrame(
        {
            "q": np.where(draw.random(size) < chance, "yes", draw.choice(["no", "perhaps"], size)),
            "arm": arm,
            "price": draw.gamma(2 + (arm == "c"), 2, size),
            "recommend": draw.integers(0, 11, size),
            "w": draw.lognormal(0, 0.6, size),
        }
    )


def test_shares_and_their_intervals_are_statsmodels(people: pd.DataFrame) -> None:
    for line in proportions(people, "q", by="arm").long().itertuples():
        expected = proportion_confint(line.count, line.n, method="wilson")
        assert (line.ci_low / 100, line.ci_high / 100) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("adjust", "theirs"), [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")]
)
@pytest.mark.parametrize("scope", ["row", "table"])
def test_pairs_and_corrections_are_statsmodels(
    people: pd.DataFrame, adjust: Any, theirs: str, scope: Any
) -> None:
    table = crosstab(people, "q", by="arm", sig=SigTest(adjust=adjust, scope=scope), min_base=0)
    pairs, counts = table.pairs(), pd.crosstab(people.q, people.arm)
    for line in pairs.itertuples():
        both = counts.loc[line.row, [line.a, line.b]], counts[[line.a, line.b]].sum()
        assert (line.statistic, line.p) == pytest.approx(proportions_ztest(*both), rel=1e-9)
    runs = [pairs] if scope == "table" else [run for _, run in pairs.groupby("row")]
    for run in runs:
        np.testing.assert_allclose(run.p_adjusted, multipletests(run.p, method=theirs)[1], rtol=1e-9)


def test_association_is_scipys_and_statsmodels(people: pd.DataFrame) -> None:
    table, counts = crosstab(people, "q", by="arm"), pd.crosstab(people.q, people.arm)
    found = table.association().iloc[0]
    expected = stats.chi2_contingency(counts, correction=False)
    assert (found.chi2, found.df, found.p) == pytest.approx(
        (expected.statistic, expected.dof, expected.pvalue), rel=1e-9
    )
    assert found.g2 == pytest.approx(
        stats.chi2_contingency(counts, correction=False, lambda_="log-likelihood").statistic, rel=1e-9
    )
    assert found.cramers_v == pytest.approx(stats.contingency.association(counts), rel=1e-9)
    residuals = contingency_tables.Table(counts).standardized_resids
    np.testing.assert_allclose(table.residuals().residual, residuals.to_numpy().ravel(), rtol=1e-9)


def test_means_are_statsmodels(people: pd.DataFrame) -> None:
    summary = means(people, "price", by="arm", sig=SigTest(adjust=None), min_base=0)
    held = {arm: DescrStatsW(run.price) for arm, run in people.groupby("arm")}
    for line in summary.long().query("column_group == 'arm'").itertuples():
        theirs = held[line.group]
        expected = (theirs.mean, np.sqrt(theirs.var_ddof(1)), *theirs.tconfint_mean())
        assert (line.mean, line.sd, line.ci_low, line.ci_high) == pytest.approx(expected, rel=1e-9)
    for line in summary.pairs().itertuples():
        expected = CompareMeans(held[line.a], held[line.b]).ttest_ind(usevar="unequal")
        assert (line.statistic, line.p, line.df) == pytest.approx(expected, rel=1e-9)
    weighted = means(people, "price", by="arm", weight="w").long().query("column_group == 'arm'")
    for line in weighted.itertuples():
        run = people[people.arm == line.group]
        assert line.mean == pytest.approx(DescrStatsW(run.price, run.w).mean, rel=1e-9)


def test_a_score_is_the_mean_of_plus_and_minus_one(people: pd.DataFrame) -> None:
    told = np.select([people.recommend >= 9, people.recommend <= 6], [1.0, -1.0], 0.0)
    line = nps(people, "recommend").long().iloc[0]
    theirs = DescrStatsW(told)
    assert line.nps == pytest.approx(100 * theirs.mean, rel=1e-9)
    assert line.se == pytest.approx(100 * np.sqrt(theirs.var / len(told)), rel=1e-9)


def test_raked_weights_keep_the_odds_of_the_sample_and_meet_the_margins(people: pd.DataFrame) -> None:
    targets = {"q": {"yes": 0.4, "no": 0.4, "perhaps": 0.2}, "arm": dict.fromkeys("abcd", 0.25)}
    weighted = rake(people, targets).add_to(people, "raked")
    table = pd.crosstab(weighted.q, weighted.arm, weighted.raked, aggfunc="sum") / len(people)
    np.testing.assert_allclose(table.sum(axis=0), 0.25, rtol=1e-9)
    np.testing.assert_allclose(table.sum(axis=1)[list(targets["q"])], list(targets["q"].values()), rtol=1e-9)
    odds = np.log(table / pd.crosstab(people.q, people.arm)).to_numpy()  # W. E. Deming: rows + columns
    apart = odds - odds.mean(axis=0) - odds.mean(axis=1, keepdims=True) + odds.mean()
    np.testing.assert_allclose(apart, 0, atol=1e-9)
