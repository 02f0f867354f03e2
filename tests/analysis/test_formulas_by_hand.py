"""Every figure of a table, recomputed agent by agent from the documented formulas.

Records are drawn with what makes tables hard: weights of zero, answers and attributes that are missing,
levels that nobody has, columns of one agent, shares of 0 and 1, and columns that share agents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from voxpop.analysis import SigTest, Table, crosstab, means

ANSWERS = ["lo", "mid", "hi", "never chosen"]
ARMS = ["a", "b", "c", "nobody"]

Agent = tuple[str | None, str | None, float, list[str]]
agents = st.lists(
    st.tuples(
        st.sampled_from([*ANSWERS[:3], None]),
        st.sampled_from([*ARMS[:3], "a", "a", None]),
        st.sampled_from([0.0, 0.25, 1.0, 1.0, 3.0, 0.1]),
        st.lists(st.sampled_from(["x", "y", "z"]), max_size=3, unique=True),
    ),
    min_size=6,
    max_size=60,
)


def framed(held: Sequence[Agent]) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "q": pd.Categorical([one[0] for one in held], ANSWERS),
            "arm": pd.Categorical([one[1] for one in held], ARMS),
            "w": [one[2] for one in held],
        }
    )
    frame["seen"] = pd.Series([one[3] for one in held], dtype=object)
    return frame


def kish(weights: Sequence[float]) -> float:
    squares = math.fsum(w * w for w in weights)
    return math.fsum(weights) ** 2 / squares if squares else 0.0


def wilson(p: float, n: float) -> tuple[float, float]:
    z = stats.norm.ppf(0.975)
    centre, half = (
        (p + z * z / (2 * n)) / (1 + z * z / n),
        z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)),
    )
    return max(0.0, centre - half), min(1.0, centre + half)


def figures(table: Table) -> dict[tuple[str, str, str], dict[str, Any]]:
    long = table.long()
    cells = long[long.row_kind.isin(["code", "base"])]
    return {(line["column_group"], line["column"], line["row"]): line for line in cells.to_dict("records")}


@settings(max_examples=25, deadline=None)
@given(agents)
def test_counts_bases_shares_and_intervals(held: list[Agent]) -> None:
    assume(any(one[2] > 0 for one in held))
    found = figures(crosstab(framed(held), "q", by="arm", weight="w", min_base=0))
    for arm in ARMS:
        inside = [(q, w) for q, g, w, _ in held if g == arm and q is not None]
        weights = [w for _, w in inside]
        for answer in ANSWERS:
            own = [w for q, w in inside if q == answer]
            line = found["arm", arm, answer]
            assert (line["count"], line["base"]) == (len(own), len(inside))
            assert line["weighted_count"] == pytest.approx(math.fsum(own), rel=1e-12)
            assert line["weighted_base"] == pytest.approx(math.fsum(weights), rel=1e-12)
            assert line["effective_base"] == pytest.approx(kish(weights), rel=1e-12)
            if not math.fsum(weights):
                assert math.isnan(line["percent"])
                assert math.isnan(line["ci_low"])
                continue
            share = math.fsum(own) / math.fsum(weights)
            assert line["percent"] == pytest.approx(100 * share, rel=1e-12)
            expected = [100 * end for end in wilson(share, kish(weights))]
            assert [line["ci_low"], line["ci_high"]] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def two_columns(
    held: Sequence[tuple[bool, bool, bool, float]], method: str
) -> tuple[float, float, float, float] | None:
    """Compare two columns: per agent whether it is in the one, in the other, chose it, and its weight."""
    one = [w for a, _, _, w in held if a]
    other = [w for _, b, _, w in held if b]
    both = [w for a, b, _, w in held if a and b]
    e_1, e_2, e_o = kish(one), kish(other), kish(both)
    if min(e_1, e_2) < 2 - 1e-9:
        return None
    x_1 = math.fsum(w for a, _, x, w in held if a and x)
    x_2 = math.fsum(w for _, b, x, w in held if b and x)
    w_1, w_2 = math.fsum(one), math.fsum(other)
    p_1, p_2 = x_1 / w_1, x_2 / w_2
    if not (1e-12 < p_1 < 1 - 1e-12 and 1e-12 < p_2 < 1 - 1e-12):
        return None
    p = (x_1 + x_2) / (w_1 + w_2)
    if method == "unpooled":
        square, df = p_1 * (1 - p_1) / e_1 + p_2 * (1 - p_2) / e_2, e_1 + e_2 - 2
    else:
        square = p * (1 - p) * (1 / e_1 + 1 / e_2 - 2 * e_o / (e_1 * e_2))
        df = e_1 + e_2 - e_o - 2
    if square < 1e-9:
        return None
    t = (p_1 - p_2) / math.sqrt(square)
    return p_1 - p_2, t, df, 2 * stats.t.sf(abs(t), df)


def compared(table: Table) -> dict[tuple[str, str, str], Any]:
    return {(line.row, line.a, line.b): line for line in table.pairs().itertuples()}


@settings(max_examples=25, deadline=None)
@given(agents, st.sampled_from(["effective", "unpooled"]))
def test_pairs_of_weighted_columns(held: list[Agent], method: Any) -> None:
    assume(any(one[2] > 0 for one in held))
    sig = SigTest(method=method, adjust="holm")
    table = crosstab(framed(held), "q", by="arm", weight="w", sig=sig, min_base=0)
    found = compared(table)
    answered = [(q, g, w) for q, g, w, _ in held if q is not None]
    for answer in ANSWERS:
        p_values = []
        for a, b in combinations(ARMS, 2):
            expected = two_columns([(g == a, g == b, q == answer, w) for q, g, w in answered], method)
            line = found[answer, a, b]
            assert line.testable == (expected is not None)
            if expected is None:
                assert math.isnan(line.p)
                assert math.isnan(line.p_adjusted)
                assert line.reason
                continue
            told = (line.diff, line.statistic, line.df)
            assert told == pytest.approx(expected[:3], rel=1e-9, abs=1e-12)
            assert line.p == pytest.approx(expected[3], rel=1e-6, abs=1e-300)
            p_values.append((line.p, line.p_adjusted))
        ranked = sorted(p_values)
        highest = 0.0
        for place, (p, adjusted) in enumerate(ranked):
            highest = max(highest, min(1.0, p * (len(ranked) - place)))
            assert adjusted == pytest.approx(highest, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(agents)
def test_pairs_of_columns_that_share_agents(held: list[Agent]) -> None:
    assume(any(one[2] > 0 for one in held))
    table = crosstab(framed(held), "q", by="seen", weight="w", sig=SigTest(adjust=None), min_base=0)
    found = compared(table)
    answered = [(q, seen, w) for q, _, w, seen in held if q is not None]
    for answer in ANSWERS:
        for a, b in combinations(sorted({level for one in held for level in one[3]}), 2):
            rows = [(a in seen, b in seen, q == answer, w) for q, seen, w in answered]
            line = found[answer, a, b]
            if line.reason == "the same agents in both":
                assert all(one == other for one, other, _, w in rows if w)
                continue
            expected = two_columns(rows, "effective")
            assert line.testable == (expected is not None)
            if expected is not None:
                assert (line.diff, line.statistic, line.df) == pytest.approx(
                    expected[:3], rel=1e-9, abs=1e-12
                )
                assert line.p == pytest.approx(expected[3], rel=1e-6, abs=1e-300)


def by_records(frame: pd.DataFrame) -> tuple[float, float, float, float]:
    """Return F, its degrees of freedom and p as ``svychisq(statistic="F")`` makes them, from the records."""
    held = frame[(frame.w > 0) & frame.q.notna() & frame.arm.notna()]
    rows, columns = held.q.cat.remove_unused_categories(), held.arm.cat.remove_unused_categories()
    r, c, n = len(rows.cat.categories), len(columns.cat.categories), len(held)
    cell = rows.cat.codes.to_numpy() + r * columns.cat.codes.to_numpy()
    w = held.w.to_numpy()
    p = np.bincount(cell, w, r * c) / w.sum()
    errors = w[:, None] * (np.eye(r * c)[cell] - p) / w.sum()
    errors = errors - errors.mean(axis=0)
    v = n / (n - 1) * errors.T @ errors
    down, across = np.tile(np.arange(r), c), np.repeat(np.arange(c), r)
    main = np.column_stack([np.ones(r * c), *(np.eye(r)[down].T[1:]), *(np.eye(c)[across].T[1:])])
    both = np.column_stack([(down == i) & (across == j) for i in range(1, r) for j in range(1, c)]) * 1.0
    contrasts = both - main @ np.linalg.lstsq(main, both, rcond=None)[0]
    inverse = np.diag(np.divide(1.0, p, out=np.zeros_like(p), where=p > 0))
    delta = np.linalg.solve(
        contrasts.T @ inverse @ contrasts / n, contrasts.T @ inverse @ v @ inverse @ contrasts
    )
    table = p.reshape(c, r).T
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    statistic = n * ((table - expected) ** 2 / expected).sum() / np.trace(delta)
    df = np.trace(delta) ** 2 / np.trace(delta @ delta)
    return statistic, df, df * (n - 1), float(stats.f.sf(statistic, df, df * (n - 1)))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.filterwarnings("ignore::voxpop.analysis.AnalysisWarning")
def test_rao_scott_from_the_records_with_empty_cells_and_weights_of_zero(seed: int) -> None:
    draw = np.random.default_rng(seed)
    size = int(draw.integers(60, 400))
    frame = pd.DataFrame(
        {
            "q": pd.Categorical(draw.choice([*ANSWERS[:3], None], size, p=[0.5, 0.3, 0.1, 0.1]), ANSWERS),
            "arm": pd.Categorical(draw.choice(ARMS[:3], size, p=[0.6, 0.3, 0.1]), ARMS),
            "w": draw.lognormal(0, 1, size) * draw.choice([0, 1], size, p=[0.2, 0.8]),
        }
    )
    frame.loc[(frame.q == "hi") & (frame.arm == "a"), "q"] = "lo"  # an empty cell
    found = crosstab(frame, "q", by="arm", weight="w").association().iloc[0]
    told = (found.rao_scott_F, found.ndf, found.ddf, found.rao_scott_p)
    assert told == pytest.approx(by_records(frame), rel=1e-6)


@settings(max_examples=25, deadline=None)
@given(agents, st.booleans())
def test_weighted_means_and_their_differences(held: list[Agent], pooled: bool) -> None:
    assume(any(one[2] > 0 for one in held))
    frame = framed(held)
    frame["x"] = frame.q.cat.codes.replace(-1, np.nan).to_numpy(dtype=float) ** 2
    sig = SigTest(adjust=None, means="pooled" if pooled else "welch")
    summary = means(frame, "x", by="arm", weight="w", sig=sig, min_base=0)
    lines = summary.long().set_index("group")
    told = {}
    for arm in ARMS:
        own = frame[(frame.arm == arm) & frame.x.notna()]
        w, x, e = own.w.to_numpy(), own.x.to_numpy(), kish(own.w.tolist())
        assert lines.loc[arm, "n"] == len(own)
        if not w.sum():
            assert math.isnan(lines.loc[arm, "mean"])
            continue
        m = math.fsum(w * x) / w.sum()
        assert lines.loc[arm, "mean"] == pytest.approx(m, rel=1e-12, abs=1e-12)
        if e < 2 - 1e-9:
            continue
        square = math.fsum(w * (x - m) ** 2) / w.sum() * e / (e - 1)
        half = stats.t.ppf(0.975, e - 1) * math.sqrt(square / e)
        expected = (math.sqrt(square), math.sqrt(square / e), m - half, m + half)
        assert lines.loc[arm, ["sd", "se", "ci_low", "ci_high"]].tolist() == pytest.approx(
            expected, rel=1e-9, abs=1e-9
        )
        told[arm] = (m, square, e)
    for line in summary.pairs().itertuples():
        if not line.testable:
            continue
        (m_1, s_1, e_1), (m_2, s_2, e_2) = told[line.a], told[line.b]
        if pooled:
            joint = ((e_1 - 1) * s_1 + (e_2 - 1) * s_2) / (e_1 + e_2 - 2)
            square, df = joint * (1 / e_1 + 1 / e_2), e_1 + e_2 - 2
        else:
            square = s_1 / e_1 + s_2 / e_2
            df = square**2 / ((s_1 / e_1) ** 2 / (e_1 - 1) + (s_2 / e_2) ** 2 / (e_2 - 1))
        t = (m_1 - m_2) / math.sqrt(square)
        assert (line.statistic, line.df) == pytest.approx((t, df), rel=1e-9, abs=1e-9)
        assert line.p == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-6, abs=1e-300)
