"""Every table of frames drawn at random, beside pandas or plain Python, by 1, 2 and 8 threads.

``DIFFERENTIAL_EXAMPLES=2000 pytest tests/analysis/differential`` draws so many new frames per test.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from by_hand import answered, base, close, holds, mean_of, raked, wilson
from drawn_frames import LARGE, SINGLE, WEIGHTS, Case, Column, cases
from hypothesis import assume, given
from hypothesis import strategies as st
from steady import drawn, steady

import voxpop as vp

pytestmark = pytest.mark.filterwarnings("ignore::voxpop.analysis.AnalysisWarning")

QUESTIONS = (*SINGLE, "list")
NUMBERS = tuple(kind for kind in SINGLE if kind.startswith(("integer", "float")))
WEIGHTED = tuple(scheme for scheme in WEIGHTS if scheme != "none")


def cells(table: Any) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the long form of a table by kind of row, row, group and column."""
    keys = ("row_kind", "row", "column_group", "column")
    rows = table.long().to_dict("records")
    made = {tuple(row[key] for key in keys): row for row in rows}
    assert len(made) == len(rows)
    return made


def check_counts(table: Any, case: Case, question: Column, across: dict[str, Column], inside: Any) -> None:
    """Check every count, base, share and interval of a table against the rows themselves."""
    found = cells(table)
    known = answered(question.labels) & inside
    shown = np.logical_or.reduce([answered(one.labels) for one in across.values()] or [np.ones_like(known)])
    columns = [("Total", "Total", shown)]
    columns += [
        (name, level, holds(one.labels, level)) for name, one in across.items() for level in one.levels
    ]
    assert {key[2:] for key in found} == {(group, level) for group, level, _ in columns}
    for group, level, members in columns:
        total = base(case.weights, members & known)
        held = found["base", "Base", group, level]
        assert held["count"] == total[0], case.outline
        assert close(held["weighted_base"], total[1]), case.outline
        assert close(held["effective_base"], total[2], rel=1e-9), case.outline
        left = found["missing", "no answer", group, level]
        assert left["count"] == int((members & inside & ~known).sum()), case.outline
        for row in question.levels:
            cell = found["code", row, group, level]
            own = base(case.weights, members & known & holds(question.labels, row))
            assert cell["count"] == own[0], case.outline
            assert close(cell["weighted_count"], own[1]), case.outline
            share = own[1] / total[1] if total[1] else math.nan
            assert close(cell["percent"], 100 * share), case.outline
            if total[2]:
                for end, wanted in zip(("ci_low", "ci_high"), wilson(min(share, 1.0), total[2]), strict=True):
                    assert close(cell[end], wanted, rel=1e-7, least=1e-9), case.outline


@drawn(15)
@given(cases(QUESTIONS, QUESTIONS, tuple(SINGLE)))
def test_crosstab_counts_what_the_rows_hold(case: Case) -> None:
    question, *by = case.columns
    table = steady(case, lambda data: vp.crosstab(data, question, by=by, weight=case.weight, sig=True))
    held = case.columns[question]
    assert table.levels == held.levels, case.outline
    check_counts(table, case, held, {name: case.columns[name] for name in by}, np.ones(len(case.frame), bool))


@drawn(3)
@given(cases(("text", "category", "list"), ("integer int8", "boolean boolean"), rows=LARGE))
def test_large_frames_are_counted_alike(case: Case) -> None:
    question, number = case.columns
    table = steady(case, lambda data: vp.crosstab(data, question, by=number, weight=case.weight))
    by = {number: case.columns[number]}
    check_counts(table, case, case.columns[question], by, np.ones(len(case.frame), bool))
    case.frame.isetitem(1, figures(np.random.default_rng(1), len(case.frame), 0.1))
    found = steady(case, lambda data: vp.means(data, number, weight=case.weight)).long().iloc[0]
    numbers = case.frame.iloc[:, 1].to_numpy()
    wanted = mean_of(numbers[~np.isnan(numbers)], case.weights[~np.isnan(numbers)])
    for name, value in wanted.items():
        assert close(found[name], value, rel=1e-6 if name in ("sd", "se") else 1e-9), (name, case.outline)


@drawn(8)
@given(cases(tuple(SINGLE), tuple(SINGLE), weights=("none",)))
def test_crosstab_counts_as_pandas_does(case: Case) -> None:
    question, by = case.columns
    table = steady(case, lambda data: vp.crosstab(data, question, by=by))
    rows, columns = (pd.Series(held.labels, dtype=object) for held in case.columns.values())
    wanted = pd.crosstab(rows.rename("q"), columns.rename("g"))
    long = table.long()
    long = long[(long.row_kind == "code") & (long.column_group == by)]
    found = {(row.row, row.column): row["count"] for _, row in long.iterrows() if row["count"]}
    assert found == {(q, g): many for (q, g), many in wanted.stack().items() if many}, case.outline


@drawn(8)
@given(cases(("text", "category", "boolean bool"), ("text", "category, ordered")), st.integers(0, 2**32 - 1))
def test_a_mask_goes_by_the_index(case: Case, seed: int) -> None:
    question, by = case.columns
    inside = np.random.default_rng(seed).random(len(case.frame)) < 0.5
    inside[0] = True
    assume(case.weights[inside].any())
    mask = pd.Series(inside, index=case.frame.index)
    if case.form == "frame":
        given_mask = mask.sample(frac=1, random_state=1)
    else:
        given_mask = mask.reset_index(drop=True).sample(frac=1, random_state=1)
    table = vp.crosstab(case.data(vp_database()), question, by=by, weight=case.weight, where=given_mask)
    held = case.columns[question]
    some = [level for level in held.levels if holds(held.labels, level)[inside].any()]
    if held.kind == "text":
        assert table.levels == tuple(some)
    check_counts(
        table,
        case,
        held_to(held, table.levels),
        {by: held_to(case.columns[by], tuple(dict.fromkeys(c for g, c in groups(table) if g == by)))},
        inside,
    )


def held_to(column: Column, levels: tuple[str, ...]) -> Column:
    return Column(column.values, column.labels, levels, column.kind)


def groups(table: Any) -> list[tuple[str, str]]:
    return [(column.group, column.label) for column in table.columns]


def vp_database() -> Any:
    import duckdb

    return duckdb.connect()


@drawn(6)
@given(cases(QUESTIONS, QUESTIONS, tuple(SINGLE), rows=st.integers(1, 300)))
def test_a_banner_is_its_crosstabs(case: Case) -> None:
    first, second, by = case.columns
    report = steady(case, lambda data: vp.banner(data, [first, second], by, weight=case.weight))
    data = case.data(vp_database())
    for question in (first, second):
        alone = vp.crosstab(data, question, by=by, weight=case.weight, sig=True)
        pd.testing.assert_frame_equal(report[question].long(), alone.long(), check_exact=True)


@drawn(8)
@given(cases(tuple(SINGLE), tuple(SINGLE)))
def test_proportions_are_the_shares_of_the_crosstab(case: Case) -> None:
    question, by = case.columns
    found = steady(case, lambda data: vp.proportions(data, question, by=by, weight=case.weight)).long()
    known = answered(case.columns[question].labels)
    for _, line in found.iterrows():
        members = known & (
            answered(case.columns[by].labels)
            if line.column_group == "Total"
            else holds(case.columns[by].labels, line.group)
        )
        total = base(case.weights, members)
        own = base(case.weights, members & holds(case.columns[question].labels, line.level))
        assert (line.n, line["count"]) == (total[0], own[0]), case.outline
        assert close(line.percent, 100 * own[1] / total[1] if total[1] else math.nan), case.outline


def figures(chance: np.random.Generator, rows: int, missing: float) -> np.ndarray[Any, Any]:
    """Draw numbers of very many values."""
    made = chance.gamma(3, 2, rows) * 10.0 ** float(chance.integers(-3, 6))
    made[chance.random(rows) < missing] = np.nan
    return made


@drawn(15)
@given(cases((*NUMBERS, "boolean bool", "boolean boolean", "codes"), tuple(SINGLE)), st.booleans())
def test_means_are_those_of_the_rows(case: Case, continuous: bool) -> None:
    question, by = case.columns
    numbers = case.columns[question].numbers
    assert numbers is not None
    if continuous:
        numbers = figures(np.random.default_rng(len(case.frame)), len(case.frame), 0.1)
        case.frame.isetitem(0, numbers)
    found = steady(case, lambda data: vp.means(data, question, by=by, weight=case.weight, sig=True)).long()
    for _, line in found.iterrows():
        members = ~np.isnan(numbers) & (
            answered(case.columns[by].labels)
            if line.column_group == "Total"
            else holds(case.columns[by].labels, line.group)
        )
        wanted = mean_of(numbers[members], case.weights[members])
        for name, value in wanted.items():
            assert close(line[name], value, rel=1e-6 if name in ("sd", "se") else 1e-9, least=1e-9), (
                name,
                case.outline,
            )
        if case.weight is None and members.sum() > 1:
            held = pd.Series(numbers[members])
            own = {"mean": held.mean(), "sd": held.std(), "se": held.sem(), "median": held.median()}
            for name, value in own.items():
                assert close(line[name], value, rel=1e-6, least=1e-9), (name, case.outline)


@drawn(6)
@given(cases(("integer int64",), tuple(SINGLE), rows=st.integers(1, 2_000)), st.integers(0, 2**32 - 1))
def test_nps_is_promoters_less_detractors(case: Case, seed: int) -> None:
    question, by = case.columns
    answers = np.random.default_rng(seed).integers(0, 11, len(case.frame))
    answers[0] = 10
    case.frame.isetitem(0, answers)
    found = steady(case, lambda data: vp.nps(data, question, by=by, weight=case.weight)).long()
    for _, line in found.iterrows():
        members = (
            answered(case.columns[by].labels)
            if line.column_group == "Total"
            else holds(case.columns[by].labels, line.group)
        )
        total = base(case.weights, members)[1]
        up, down = (base(case.weights, members & part)[1] for part in (answers >= 9, answers <= 6))
        assert close(line.nps, 100 * (up - down) / total if total else math.nan, least=1e-9), case.outline


@drawn(8)
@given(cases(("category, ordered", "category", "integer int8", "text"), tuple(SINGLE)), st.integers(1, 2))
def test_boxes_are_ends_of_a_scale_that_is_known(case: Case, top: int) -> None:
    question, by = case.columns
    held = case.columns[question]
    scale = (-5, 105) if held.kind == "number" else None
    if held.kind in ("category", "text"):
        with pytest.raises(vp.UsageError, match=r"unordered categories|declares no scale"):
            vp.box(case.data(vp_database()), question, top, by=by, weight=case.weight)
        return
    if case.form == "relation" and scale is None:  # an ENUM does not say whether its order is meant
        with pytest.raises(vp.UsageError, match="no declared order"):
            vp.box(case.data(vp_database()), question, top, by=by, weight=case.weight)
        return
    points = [str(point) for point in range(-5, 106)] if scale else list(held.levels)
    assume(len(points) > top)
    found = steady(
        case, lambda data: vp.box(data, question, top, by=by, scale=scale, weight=case.weight)
    ).long()
    for _, line in found.iterrows():
        members = answered(held.labels) & (
            answered(case.columns[by].labels)
            if line.column_group == "Total"
            else holds(case.columns[by].labels, line.group)
        )
        total = base(case.weights, members)[1]
        for end, levels in (("top", points[-top:]), ("bottom", points[:top])):
            own = base(
                case.weights, members & np.isin(held.labels.astype(str), levels) & answered(held.labels)
            )[1]
            assert close(line[end], 100 * own / total if total else math.nan, least=1e-9), case.outline


@drawn(8)
@given(cases(("list",), tuple(SINGLE)))
def test_several_answers_count_respondents_once(case: Case) -> None:
    question, by = case.columns
    table = steady(case, lambda data: vp.multi(data, question, by=by, weight=case.weight))
    held = case.columns[question]
    check_counts(table, case, held, {by: case.columns[by]}, np.ones(len(case.frame), bool))
    shown = answered(held.labels) & answered(case.columns[by].labels)
    mentions = np.array([len(set(one or ())) for one in held.labels], dtype=np.float64)
    wanted = mean_of(mentions[shown], case.weights[shown])
    found = cells(table)["stat", "Mean mentions", "Total", "Total"]["value"]
    assert close(found, wanted["mean"], rel=1e-9), case.outline


@drawn(6)
@given(cases(("boolean bool",), ("boolean boolean",), ("boolean object",), rows=st.integers(1, 300)))
def test_items_that_nobody_ticked_are_counted_as_such(case: Case) -> None:
    items = list(case.columns)
    table = steady(case, lambda data: vp.multi(data, items, weight=case.weight))
    found = cells(table)
    for item, held in case.columns.items():
        ticked = base(case.weights, holds(held.labels, "yes"))
        assert found["code", item, "Total", "Total"]["count"] == ticked[0], case.outline
        assert close(found["code", item, "Total", "Total"]["weighted_count"], ticked[1]), case.outline


@drawn(8)
@given(
    cases(("text",), ("float float64",)),
    st.sampled_from([[18, 30, 65], [0.5, 1.5], [-1, 0, 1], [1e6, 1e6 + 1]]),
)
def test_bands_hold_the_numbers_that_they_name(case: Case, starts: list[float]) -> None:
    question, number = case.columns
    numbers = np.random.default_rng(len(case.frame)).choice(
        [*starts, *(start - 0.25 for start in starts), *(start + 0.5 for start in starts), np.nan],
        len(case.frame),
    )
    case.frame.isetitem(1, numbers)
    bands = vp.bands(number, starts)
    table = steady(case, lambda data: vp.crosstab(data, question, by=bands, weight=case.weight))
    found = cells(table)
    known = answered(case.columns[question].labels)
    for _, label in groups(table)[1:]:
        if label.startswith("below "):
            inside = numbers < float(label.removeprefix("below "))
        elif label.endswith("+"):
            inside = numbers >= float(label.removesuffix("+"))
        elif " to below " in label:
            low, high = map(float, label.split(" to below "))
            inside = (numbers >= low) & (numbers < high)
        else:
            low, _, high = label[1:].partition("-")
            low = label[0] + low
            inside = (numbers >= float(low)) & (numbers <= float(high or low))
        own = base(case.weights, known & inside)
        assert found["base", "Base", number, label]["count"] == own[0], (label, case.outline)
    total = sum(found["base", "Base", number, label]["count"] for _, label in groups(table)[1:])
    assert total == int((known & ~np.isnan(numbers)).sum()), case.outline


@drawn(6)
@given(cases(tuple(SINGLE), rows=st.integers(2, 3_000)), st.integers(0, 2**32 - 1))
def test_cohorts_may_overlap(case: Case, seed: int) -> None:
    (question,) = case.columns
    ages = np.random.default_rng(seed).integers(18, 90, len(case.frame))
    case.frame["age"] = ages
    named = {"grown": vp.where(age=vp.between(30)), "young": vp.where(age=vp.between(18, 45))}
    table = steady(case, lambda data: vp.cohorts(data, question, named, weight=case.weight))
    found = cells(table)
    held = case.columns[question]
    for name, inside in (("grown", ages >= 30), ("young", ages <= 45)):
        total = base(case.weights, inside & answered(held.labels))
        assert found["base", "Base", "cohort", name]["count"] == total[0], case.outline
        assert close(found["base", "Base", "cohort", name]["effective_base"], total[2], rel=1e-9), (
            case.outline
        )
        for level in held.levels:
            own = base(case.weights, inside & holds(held.labels, level))
            assert found["code", level, "cohort", name]["count"] == own[0], case.outline
            assert close(found["code", level, "cohort", name]["weighted_count"], own[1]), case.outline


@drawn(8)
@given(
    cases(
        ("text", "category"),
        ("boolean bool",),
        rows=st.integers(2, 300),
        weights=("usual", "population", "wide"),
    )
)
def test_raked_weights_meet_their_margins(case: Case) -> None:
    margins, codes, targets = {}, [], []
    size = len(case.frame)
    for name, held in case.columns.items():
        assume(answered(held.labels).all())
        levels = [level for level in held.levels if holds(held.labels, level).any()]
        shares = np.arange(1, len(levels) + 1) / sum(range(1, len(levels) + 1))
        margins[name] = dict(zip(levels, shares.tolist(), strict=True))
        codes.append(np.array([levels.index(one) for one in held.labels]))
        targets.append(shares * size)
    try:
        made = vp.rake(case.data(vp_database()), margins, start=case.weight)
    except vp.UsageError as error:
        assume("contradict each other" not in str(error))
        raise
    again = vp.rake(case.data(vp_database()), margins, start=case.weight)
    assert made.weights.tolist() == again.weights.tolist()
    np.testing.assert_allclose(made.weights, raked(codes, targets, case.weights), rtol=1e-6)


@drawn(8)
@given(cases(("text",), tuple(SINGLE), rows=st.integers(2, 3_000)), st.integers(0, 2**32 - 1))
def test_a_price_ladder_counts_buyers(case: Case, seed: int) -> None:
    price, by = case.columns
    amounts = np.random.default_rng(seed).choice([1.5, 2.0, 5.0, 9.99], len(case.frame))
    assume(len(set(amounts)) > 1)
    case.frame.isetitem(0, amounts)
    found = steady(case, lambda data: vp.price_ladder(data, price, by=by, weight=case.weight)).long()
    for _, line in found.iterrows():
        members = (
            answered(case.columns[by].labels)
            if line.column_group == "Total"
            else holds(case.columns[by].labels, line.column)
        )
        total, own = base(case.weights, members), base(case.weights, members & (amounts >= line.price))
        assert line.asked == total[0], case.outline
        assert close(line.buy, 100 * own[1] / total[1] if total[1] else math.nan), case.outline


@drawn(6)
@given(cases(("text",), ("text",), ("text",), ("text",), rows=st.integers(2, 300)), st.integers(0, 2**32 - 1))
def test_a_price_range_shows_the_shares_of_each_opinion(case: Case, seed: int) -> None:
    opinions = ("too_cheap", "cheap", "expensive", "too_expensive")
    prices = np.sort(np.random.default_rng(seed).integers(1, 12, (len(case.frame), 4)), axis=1).astype(float)
    for place in range(4):
        case.frame.isetitem(place, prices[:, place])
    named = dict(zip(opinions, case.columns, strict=True))
    found = steady(case, lambda data: vp.price_range(data, named, weight=case.weight, resamples=5)).curves()
    total = math.fsum(case.weights.tolist())
    for _, line in found.iterrows():
        below = {"too_cheap": prices[:, 0] >= line.price, "cheap": prices[:, 1] >= line.price}
        above = {"expensive": prices[:, 2] <= line.price, "too_expensive": prices[:, 3] <= line.price}
        for opinion, inside in (below | above).items():
            assert close(line[opinion], base(case.weights, inside)[1] / total, rel=1e-9, least=1e-12), (
                case.outline
            )


@drawn(6)
@given(cases(("text",), ("category", "text", "boolean bool"), rows=st.integers(4, 300), weights=("none",)))
def test_keywords_count_answers(case: Case) -> None:
    question, by = case.columns
    words = np.array(["price", "taste", "cheap snack", "good taste"], dtype=object)
    said = words[np.random.default_rng(len(case.frame)).integers(0, 4, len(case.frame))]
    case.frame.isetitem(0, said)
    group = case.columns[by].labels[0]
    assume(group is not None)
    inside = holds(case.columns[by].labels, group)
    rest = answered(case.columns[by].labels) & ~inside
    assume(inside.any() and rest.any())
    try:
        found = vp.keywords(
            case.data(vp_database()), question, by, group, words=vp.Words(min_answers=1)
        ).long()
    except vp.UsageError as error:
        assume("word" not in str(error))
        raise
    for _, line in found.iterrows():
        hits = np.array([line.term in text.split() for text in said])
        assert (line.answers_a, line.answers_b) == ((hits & inside).sum(), (hits & rest).sum()), case.outline
