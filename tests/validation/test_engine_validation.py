"""Engines compared with people: scores of engines with known truth, baselines, and the report."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from voxpop.engines import Agent, Basis, Exchange, Failure, Question, Reply
from voxpop.engines.draws import draws, key
from voxpop.errors import UsageError, VoxpopError
from voxpop.validation import EngineValidation, Group, Item, ItemSet, gss_items, item_set, validate_engine
from voxpop.validation.engine_text import (
    coverage,
    farthest,
    gap_rows,
    headings,
    rows_of,
    seen,
    shown,
    verdicts,
)
from voxpop.validation.item_scores import MEASURES

PEOPLE = 1_500
"""People behind each figure of the made set, and the agents that are asked."""


def made_set(items: int = 40, seed: int = 5) -> ItemSet:
    """Make items with three options whose shares differ between men and women, and between two ages."""
    rng = np.random.default_rng(seed)
    groups = (
        Group("gender", "men", "gender", ("male",)),
        Group("gender", "women", "gender", ("female",)),
    )
    made = []
    for at in range(items):
        men, women = rng.dirichlet([2, 2, 2], size=2)
        made.append(
            Item(
                key=f"made:{at}",
                question=f"{at}: what do you think?",
                options=("low", "middle", "high"),
                ordered=True,
                year=2020,
                asked_of="all",
                n=PEOPLE,
                effective_n=PEOPLE,
                shares=(men + women) / 2,
                group_shares=np.array([men, women]),
                group_n=np.array([PEOPLE / 2, PEOPLE / 2]),
            )
        )
    return ItemSet("made", tuple(made), groups, (("gender", "women", "men"),))


class Shares:
    """An engine that draws answers from given shares, by gender."""

    name = "shares-1"

    def __init__(
        self, held: ItemSet, *, turned: bool = False, flat: bool = False, none: Sequence[str] = ()
    ) -> None:
        self.held = {item.question: item for item in held.items}
        self.turned, self.flat, self.none = turned, flat, set(none)

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        item = self.held[question.text]
        kind = "none" if item.key in self.none else "published"
        for agent in agents:
            place = int((agent.gender == "female") != self.turned)
            shares = np.full(3, 1 / 3) if self.flat else item.group_shares[place]
            draw = draws(key(seed, question.text), agent.uuid.encode())[0] / 65_536
            value = item.options[int(np.searchsorted(np.cumsum(shares)[:-1], draw, side="right"))]
            yield Reply(agent.id, value, value, None, self.name, basis=Basis(kind, "Made for the test."))


@pytest.fixture(scope="module")
def halves(crowd: list[Agent]) -> list[Agent]:
    """A group with equal numbers of men and women."""
    sides = [[agent for agent in crowd if agent.gender == gender] for gender in ("male", "female")]
    return [agent for side in sides for agent in side[: PEOPLE // 2]]


@pytest.fixture(scope="module")
def held() -> ItemSet:
    return made_set()


def scores(found: EngineValidation, section: str = "scored") -> pd.DataFrame:
    table = found.wide()
    return table[table.section == section].set_index("measure")


def test_an_engine_that_answers_as_people_do_scores_at_the_ceiling(
    held: ItemSet, halves: list[Agent]
) -> None:
    found = validate_engine(Shares(held), halves, held)
    table, ceiling = scores(found), found.section("scored").scores["repeated_survey"]
    for measure in ("error", "total_variation", "wasserstein", "jensen_shannon", "group_error"):
        assert table.engine[measure] <= ceiling[measure].high
    assert table.engine["gap_sign"] >= ceiling["gap_sign"].low
    assert table.engine["gap_ratio"] == pytest.approx(1, abs=0.05)
    assert table.engine["variance_between"] == pytest.approx(1, abs=0.05)
    assert table.engine["variance_within"] == pytest.approx(1, abs=0.02)


def test_an_engine_that_answers_uniformly_scores_as_the_uniform_baseline(
    held: ItemSet, halves: list[Agent]
) -> None:
    table = scores(validate_engine(Shares(held, flat=True), halves, held))
    for measure in ("error", "total_variation", "wasserstein", "group_error", "jensen_shannon"):
        assert table.engine[measure] == pytest.approx(table.uniform[measure], rel=0.05)
    assert table.engine["error"] > 5 * table.margins["error"]
    assert table.engine["gap_ratio"] == pytest.approx(0, abs=0.05)
    assert table.engine["variance_between"] == pytest.approx(0, abs=0.03)


def test_an_engine_that_turns_gaps_around_has_none_right(held: ItemSet, halves: list[Agent]) -> None:
    found = validate_engine(Shares(held, turned=True), halves, held)
    table = scores(found)
    assert table.engine["gap_sign"] == 0
    assert table.engine["gap_ratio"] == pytest.approx(-1, abs=0.05)
    assert table.engine["variance_between"] == pytest.approx(1, abs=0.05)  # as large, the wrong way round
    assert table.margins["gap_ratio"] == pytest.approx(0, abs=0.05)
    gaps = int(found.section("scored").items.below["gap_sign"].sum())
    assert [row[:3] for row in gap_rows(found)] == [["women and men", f"{gaps}", "0 %"]]


def test_the_baseline_of_margins_is_right_overall_and_knows_no_groups(
    held: ItemSet, halves: list[Agent]
) -> None:
    found = validate_engine(Shares(held), halves, held)
    table = scores(found)
    assert table.margins["error"] < 0.02
    assert table.margins["group_error"] > 3 * table.engine["group_error"]
    assert 0.2 < table.margins["gap_sign"] < 0.8


def test_scores_equal_those_of_a_loop_over_items(held: ItemSet, halves: list[Agent]) -> None:
    found = validate_engine(Shares(held), halves, held, resamples=0)
    errors, moved = [], []
    for at, item in enumerate(held.items):
        told = np.bincount(found.answers.codes[:, at], minlength=3) / len(halves)
        errors.append(np.abs(told - item.shares).mean())
        moved.append(np.abs(np.cumsum(told - item.shares))[:2].sum() / 2)
    assert scores(found).engine["error"] == pytest.approx(np.mean(errors), abs=1e-12)
    assert scores(found).engine["wasserstein"] == pytest.approx(np.mean(moved), abs=1e-12)


def test_answers_without_a_basis_are_abstentions_and_scored_apart(held: ItemSet, halves: list[Agent]) -> None:
    none = [item.key for item in held.items[:10]]
    found = validate_engine(Shares(held, none=none), halves, held)
    counts = found.coverage()
    assert counts["published"] == 30 * len(halves)
    assert counts["none"] == 10 * len(halves)
    assert found.section("scored").items.keys == tuple(item.key for item in held.items[10:])
    assert found.section("placeholders").items.keys == tuple(none)
    assert "(75%) are scored" in coverage(found)
    assert "15,000 are placeholders and count as abstentions; 30 of 40 items" in coverage(found)
    long = found.long().set_index("item")
    assert math.isnan(long.loc["made:0", "scored"].iloc[0])
    assert long.loc["made:0", "placeholder"].sum() == pytest.approx(1)
    assert any(line.startswith("Placeholders: 10 items") for line in verdicts(found))


def test_an_engine_with_nothing_but_placeholders_has_no_score(held: ItemSet, halves: list[Agent]) -> None:
    found = validate_engine(Shares(held, none=[item.key for item in held.items]), halves, held)
    assert [one.name for one in found.sections] == ["placeholders"]
    assert farthest(found) == []
    with pytest.raises(UsageError, match="has no section 'scored'; it has placeholders"):
        found.section("scored")


def test_items_that_an_engine_was_built_from_are_scored_apart(held: ItemSet, halves: list[Agent]) -> None:
    engine = Shares(held)
    engine.seen_items = frozenset(item.key for item in held.items[:25]) | {"another:1"}  # type: ignore[attr-defined]
    found = validate_engine(engine, halves, held)
    assert [one.name for one in found.sections] == ["scored", "seen", "unseen"]
    assert len(found.section("seen").items.keys) == 25
    assert found.section("unseen").items.keys == tuple(item.key for item in held.items[25:])
    assert "built from 25 of the 40 items" in seen(found)
    assert [title for title, _ in shown(found)] == [
        "All answers that rest on something",
        "Items that the engine was built from",
        "Items that the engine was not built from",
    ]
    over, _, unseen, _, covered = verdicts(found)[1:]
    assert over.startswith("Over 40 items, the mean error")
    assert unseen.startswith("Over the items not seen, 15 items, the mean error")
    assert "40 of 40 items have enough scored answers" in covered


@pytest.mark.parametrize(
    ("keys", "which", "told"),
    [
        (range(40), "built from", "40 of them have enough scored answers: agreement with people on these is"),
        (range(0), "not built from", "built from 0 of the 40 items."),
    ],
)
def test_items_that_are_all_of_one_kind_are_shown_once(
    keys: range, which: str, told: str, held: ItemSet, halves: list[Agent]
) -> None:
    engine = Shares(held)
    engine.seen_items = frozenset(f"made:{at}" for at in keys)  # type: ignore[attr-defined]
    found = validate_engine(engine, halves, held, resamples=0)
    assert [title for title, _ in shown(found)] == [
        f"All answers that rest on something: items that the engine was {which}"
    ]
    assert told in verdicts(found)[0]
    assert ("by construction" in verdicts(found)[0]) is bool(keys)


def test_who_does_not_declare_what_it_has_seen_is_told_so(held: ItemSet, halves: list[Agent]) -> None:
    engine = Shares(held)
    assert "does not declare" in seen(validate_engine(engine, halves[:100], held, resamples=0))
    engine.remote = True  # type: ignore[attr-defined]
    told = seen(validate_engine(engine, halves[:100], held, resamples=0))
    assert "may have been in its training data" in told


@pytest.mark.parametrize("wrong", ["gss:grass", 5, [1, 2]])
def test_seen_items_must_be_keys(wrong: object, held: ItemSet, halves: list[Agent]) -> None:
    engine = Shares(held)
    engine.seen_items = wrong  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="must be a frozenset of keys"):
        validate_engine(engine, halves, held)


def test_failures_and_answers_without_a_code_are_counted(held: ItemSet, halves: list[Agent]) -> None:
    class Odd(Shares):
        def answer(
            self,
            agents: Sequence[Agent],
            question: Question,
            history: Mapping[int, Sequence[Exchange]],
            *,
            seed: int,
        ) -> Iterator[Reply | Failure]:
            for at, reply in enumerate(super().answer(agents, question, history, seed=seed)):
                assert isinstance(reply, Reply)
                if at % 3 == 0:
                    yield Failure(reply.agent_id, "unanswerable", "Too hard.")
                else:
                    yield replace(reply, value=None) if at % 3 == 1 else reply

    found = validate_engine(Odd(held), halves, held)
    counts = found.coverage()
    assert (counts["failed"], counts["no_answer"], counts["published"]) == (20_000, 20_000, 20_000)
    assert found.answers.reasons == {"Too hard.": 20_000}
    assert "20,000 failed (most often: Too hard.)" in coverage(found)


class Failing(Shares):
    """An engine that fails for every agent."""

    calls = 0

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        self.calls += 1
        for agent in agents:
            yield Failure(agent.id, "engine_refused", "The provider rejected the API key.")


def test_a_remote_engine_that_fails_for_all_is_asked_no_more(held: ItemSet, halves: list[Agent]) -> None:
    engine = Failing(held)
    assert validate_engine(engine, halves, held).sections == ()  # a failure may be all that an engine knows
    assert engine.calls == 40
    engine = Failing(held)
    engine.remote = True  # type: ignore[attr-defined]
    with pytest.raises(VoxpopError, match="for all 1,500 agents at the first item: The provider rejected"):
        validate_engine(engine, halves, held)
    assert engine.calls == 1


def test_an_engine_that_answers_for_too_few_is_refused(held: ItemSet, halves: list[Agent]) -> None:
    class Short(Shares):
        def answer(
            self,
            agents: Sequence[Agent],
            question: Question,
            history: Mapping[int, Sequence[Exchange]],
            *,
            seed: int,
        ) -> Iterator[Reply | Failure]:
            return super().answer(agents[1:], question, history, seed=seed)

    with pytest.raises(UsageError, match="gave 1499 replies to made:0, not 1500"):
        validate_engine(Short(held), halves, held)
    with pytest.raises(UsageError, match="no agents"):
        validate_engine(Shares(held), [], held)


def test_the_same_seed_gives_the_same_figures_and_json_has_no_nan(held: ItemSet, halves: list[Agent]) -> None:
    one, two = (validate_engine(Shares(held), halves, held).to_json() for _ in range(2))
    assert json.dumps(one, allow_nan=False) == json.dumps(two)
    assert one["coverage"]["asked"] == 60_000
    assert len(one["shares"]) == 120


def test_tables_have_a_cell_per_heading(held: ItemSet, halves: list[Agent]) -> None:
    section = validate_engine(Shares(held), halves, held).section("scored")
    rows = rows_of(section)
    assert {len(row) for row in rows} == {len(headings(section))}
    assert headings(section) == ["measure", "items", "engine", "uniform", "margins", "repeated survey"]
    assert "correlation of item correlations" not in [row[0] for row in rows]  # the set has none


def test_correlations_of_items_are_compared_if_the_set_has_them() -> None:
    gss = gss_items()
    pair = gss.correlations
    chosen = gss.only([pair.first[0], *pair.second[:5]])
    assert len(chosen.correlations.r) >= 10
    assert set(chosen.correlations.first) <= {item.key for item in chosen.items}


def test_the_shipped_items_are_whole() -> None:
    gss = gss_items()
    assert len(gss.items) + sum(gss.left_out.values()) == 424
    assert len({item.key for item in gss.items}) == len(gss.items) > 250
    for item in gss.items:
        assert item.shares.sum() == pytest.approx(1)
        assert 100 < item.effective_n < item.n
        known = ~np.isnan(item.group_shares).any(axis=1)
        assert item.group_shares[known].sum(axis=1) == pytest.approx(1)
        assert known.sum() >= 18
        assert item.asked().options in (item.options, ())
    assert np.abs(gss.correlations.r).max() <= 1
    assert gss.correlations.n.min() >= 300
    assert set(gss.halves) == set(MEASURES)


@pytest.mark.parametrize(
    "word", ["READ", "CIRCLE", "HAND CARD", "INTERVIEWER", "(ITEM)", "NAME", "CODE ONE", "ï", "...B"]
)
def test_no_question_has_words_for_the_interviewer(word: str) -> None:
    assert [item.key for item in gss_items().items if word in item.question] == []


def test_groups_of_the_shipped_set_divide_the_agents(panel_of_the_usa: list[Agent]) -> None:
    gss = gss_items()
    by: dict[str, list[Group]] = {}
    for group in gss.groups:
        by.setdefault(group.by, []).append(group)
    for attribute, groups in by.items():
        found = [sum(group.holds(agent) for group in groups) for agent in panel_of_the_usa]
        assert max(found) == 1
        if attribute in ("age", "gender", "education", "ethnicity"):
            assert min(found) == 1


def test_a_smaller_choice_is_part_of_a_larger_one_and_keeps_the_order() -> None:
    gss = gss_items()
    small, large = ([item.key for item in gss.first(n).items] for n in (10, 30))
    assert len(small) == 10
    assert set(small) < set(large)
    assert large == [item.key for item in gss.items if item.key in set(large)]
    assert gss.first(10).halves == {}
    assert gss.first(10).left_out["not drawn"] == len(gss.items) - 10
    assert gss.first(10_000).left_out == gss.left_out


TABLE = pd.DataFrame(
    {
        "item": ["pet"] * 6 + ["car"] * 3,
        "question": ["Do you have a pet?"] * 6 + ["How often do you drive?"] * 3,
        "option": ["yes", "no"] * 3 + ["often", "rarely", "never"],
        "percent": [62, 38, 70, 30, 50, 50, 60, 30, 10],
        "by": ["", "", "age", "age", "age", "age", "", "", ""],
        "cohort": ["", "", "18-39", "18-39", "65+", "65+", "", "", ""],
        "n": [900, 900, 300, 300, 200, 200, 900, 900, 900],
        "ordered": ["no"] * 6 + ["yes"] * 3,
    }
)


def test_own_figures_make_a_set(crowd: list[Agent]) -> None:
    held = item_set(TABLE)
    pet, car = held.items
    assert (pet.key, pet.asked().type, car.asked().options) == (
        "given:pet",
        "yes_no",
        ("often", "rarely", "never"),
    )
    assert (pet.ordered, car.ordered, pet.n) == (True, True, 900)
    assert pet.group_shares.tolist() == [[0.7, 0.3], [0.5, 0.5]]
    assert np.isnan(car.group_shares).all()
    assert held.contrasts == (("age", "65+", "18-39"),)
    old = next(agent for agent in crowd if agent.age >= 65)
    assert [group.holds(old) for group in held.groups] == [False, True]


def test_own_figures_may_be_a_csv_file_and_counts_tell_the_people(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    pd.DataFrame(
        {"item": "pet", "question": "Do you have a pet?", "option": ["yes", "no"], "count": [620, 380]}
    ).to_csv(path, index=False)
    (pet,) = item_set(str(path)).items
    assert (pet.key, pet.n, pet.shares.tolist()) == ("survey:pet", 1_000, [0.62, 0.38])


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"drop": "option"}, "lacks option"),
        ({"drop": "percent"}, "lacks share, percent or count"),
        ({"by": "agee"}, "did you mean age"),
        ({"percent": -1}, "figures of 0 or more"),
        ({"option": "yes"}, "fewer than two options"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_what_is_wrong(change: dict[str, object], hint: str) -> None:
    name, value = next(iter(change.items()))
    table = TABLE.drop(columns=value) if name == "drop" else TABLE.copy()
    if name == "by":
        table.loc[table.by == "age", "by"] = value
    elif name != "drop":
        table[name] = value
    with pytest.raises(UsageError, match=hint):
        item_set(table)


def test_an_unknown_benchmark_is_told_what_there_is() -> None:
    with pytest.raises(UsageError, match="There is no benchmark 'pew': give 'gss' or the path"):
        item_set("pew")
