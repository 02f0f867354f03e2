"""Every method draws each agent with the probability that it reports, and the weights restore the totals."""

from __future__ import annotations

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voxpop.errors import FilterError, UsageError
from voxpop.population import inclusion, rounding, sampling
from voxpop.population.queries import Population
from voxpop.population.quotas import read_design
from voxpop.vocabulary.filters import Filter, between, where

SOUTH = where(state=["TX", "FL", "CA"], age=between(18, 80))
SIZE, TIMES = 40, 400

WOMEN, MEN = where(gender="female"), where(gender="male")
YOUNG = where(age=between(max=40))
CELLS = [{"filters": WOMEN.to_json(), "size": 30}, {"filters": MEN.to_json(), "size": 10}]
MARGINS = {
    "margins": {"gender": {"female": 0.6, "male": 0.4}, "age": {"under 35": 0.5, "35-54": 0.3, "55+": 0.2}}
}
THREE = {"margins": MARGINS["margins"] | {"state": {"CA": 0.4, "TX": 0.3, "FL": 0.3}}}
BOOST = [{"filters": YOUNG.to_json(), "size": 15}, {"filters": where(state="TX").to_json(), "size": 5}]

DESIGNS: dict[str, dict[str, Any]] = {
    "random": {},
    "stratified": {"method": "stratified"},
    "balanced": {"method": "balanced"},
    "description": {"description": "nurses and teachers in Texas"},
    "cells": {"design": read_design(CELLS, None, SIZE)},
    "margins": {"design": read_design(MARGINS, None, SIZE)},
    "three margins": {"design": read_design(THREE, None, SIZE)},
    "boost": {"design": read_design(None, BOOST, SIZE)},
    "balanced with a boost": {"method": "balanced", "design": read_design(None, BOOST, SIZE)},
    "cells with a boost": {"design": read_design(CELLS, BOOST, SIZE)},
    "margins with a boost": {"design": read_design(MARGINS, BOOST, SIZE)},
}


def everybody(population: Population) -> dict[int, Any]:
    _, found = population.search(SOUTH, limit=10_000)
    return {agent.id: agent for agent in found}


@pytest.mark.parametrize("name", DESIGNS)
def test_agents_are_drawn_as_often_as_their_probability_says(small: Population, name: str) -> None:
    people = everybody(small)
    drawn, told, totals = Counter[int](), {}, []
    times = TIMES // 4 if name == "description" else TIMES  # reading the words is slow
    for seed in range(times):
        one = small.draw(SOUTH, SIZE, seed=seed, **DESIGNS[name])
        assert len(set(one.ids)) == len(one.ids)
        assert one.probability is not None
        assert one.weight is not None
        assert sum(one.weight) == pytest.approx(one.covered)
        drawn.update(one.ids)
        for agent, share in zip(one.ids, one.probability, strict=True):
            assert told.setdefault(agent, share) == share  # it does not depend on the seed
        totals.append(sum(people[a].age / p for a, p in zip(one.ids, one.probability, strict=True)))
    share = np.array([told[agent] for agent in told])
    z = (np.array([drawn[agent] for agent in told]) - times * share) / np.sqrt(times * share * (1 - share))
    assert np.abs(z).max() < 4.5
    assert float((z**2).mean()) == pytest.approx(1, abs=0.4)
    wanted = sum(people[agent].age for agent in people if agent in told)
    error = np.std(totals) / np.sqrt(times)
    assert abs(np.mean(totals) - wanted) < 4 * error + 1e-6 * wanted
    assert len(told) <= one.covered


@pytest.mark.parametrize(
    "how", [{}, {"method": "stratified"}, {"method": "balanced"}, {"description": "nurses"}]
)
def test_a_draw_has_the_agents_of_a_sample(small: Population, how: dict[str, Any]) -> None:
    assert small.draw(SOUTH, SIZE, seed=3, **how).ids == small.sample(SOUTH, SIZE, seed=3, **how)
    rest = small.draw(SOUTH, SIZE, seed=3, exclude=[1, 2, 3], **how)
    assert rest.ids == small.sample(SOUTH, SIZE, seed=3, exclude=[1, 2, 3], **how)


def test_quotas_are_met_exactly(small: Population) -> None:
    people = everybody(small)
    for seed in range(30):
        cells = small.draw(SOUTH, SIZE, seed=seed, design=read_design(CELLS, None, SIZE))
        assert Counter(people[agent].gender for agent in cells.ids) == {"female": 30, "male": 10}
        margins = small.draw(SOUTH, SIZE, seed=seed, design=read_design(MARGINS, None, SIZE))
        ages = [people[agent].age for agent in margins.ids]
        assert Counter(people[agent].gender for agent in margins.ids) == {"female": 24, "male": 16}
        assert [sum(age < 35 for age in ages), sum(age > 54 for age in ages)] == [20, 8]
        assert [cell["drawn"] for cell in margins.cells] == [cell["size"] for cell in margins.cells]


def test_a_description_within_strata_has_no_known_probability(small: Population) -> None:
    drawn = small.draw(SOUTH, SIZE, seed=1, method="stratified", description="nurses")
    assert (drawn.probability, drawn.weight) == (None, None)
    assert drawn.note == inclusion.UNKNOWN_WITHIN_STRATA


def test_quotas_that_cannot_be_filled_say_what_is_there(small: Population) -> None:
    vermont = where(state="VT", gender="female")
    there = small.count(SOUTH | vermont) - small.count(SOUTH)
    design = read_design(
        [{"filters": vermont.to_json(), "size": 20}, {"filters": {"state": "TX"}, "size": 20}], None, 40
    )
    drawn = small.draw(SOUTH | vermont, 40, seed=1, design=design)
    assert len(drawn.ids) == 20 + there
    assert tuple(drawn.cells[0][name] for name in ("size", "available", "drawn")) == (20, there, there)
    margins = read_design(
        {"margins": {"state": {"VT": 0.5, "TX": 0.5}, "gender": {"female": 0.5, "male": 0.5}}}, None, 40
    )
    short = small.draw(SOUTH | vermont, 40, seed=1, design=margins)
    told = {one["level"]: (one["size"], one["drawn"]) for one in short.cells}
    assert told["VT"] == (20, there)
    assert told["TX"] == (20, 20)
    assert len(short.ids) == 20 + there


def test_replacements_come_from_the_same_cell(small: Population) -> None:
    design = read_design(CELLS, None, SIZE)
    drawn = small.draw(SOUTH, SIZE, seed=2, design=design)
    people = everybody(small)
    found = small.replacements(
        SOUTH, [*drawn.ids[:10], 10**6], method="random", design=design, without=drawn.ids, seed=1
    )
    assert found.pop(10**6) == "not_drawn"
    assert all(people[new].gender == people[old].gender for old, new in found.items())
    assert not set(found.values()) & set(drawn.ids)
    assert len(set(found.values())) == 10
    everyone = small.replacements(
        SOUTH, [drawn.ids[0]], method="random", design=design, without=list(people), seed=1
    )
    assert everyone == {drawn.ids[0]: "no_replacement"}


@pytest.mark.parametrize("name", ["random", "stratified", "cells with a boost", "margins", "description"])
def test_replacing_at_random_changes_no_probability(small: Population, name: str) -> None:
    how = dict(DESIGNS[name])
    drawn, told = Counter[int](), {}
    times = 60 if name == "description" else 300
    for seed in range(times):
        one = small.draw(SOUTH, SIZE, seed=seed, **how)
        assert one.probability is not None
        told |= dict(zip(one.ids, one.probability, strict=True))
        leaving = np.random.default_rng(seed).permutation(one.ids)[: SIZE // 2].tolist()
        cells = {"method": "random", "design": read_design(None, None, SIZE)} | how
        found = small.replacements(SOUTH, leaving, without=one.ids, seed=seed, **cells)
        told |= {new: told[old] for old, new in found.items() if isinstance(new, int)}
        drawn.update(
            found.get(agent, agent) if isinstance(found.get(agent), int) else agent for agent in one.ids
        )
    share = np.array(list(told.values()))
    z = (np.array([drawn[agent] for agent in told]) - times * share) / np.sqrt(times * share * (1 - share))
    assert np.abs(z).max() < 4.5
    assert float((z**2).mean()) == pytest.approx(1, abs=0.4)


@pytest.mark.parametrize(
    ("quotas", "boosts", "told"),
    [
        ([], None, "quotas must be a list such as"),
        ([{"filters": {}, "size": 3}], None, "have the sum 3, but 40 agents are wanted"),
        ([{"filters": {}}], None, "Entry 1 of quotas must have filters and size"),
        ([{"filters": {}, "size": 0}], None, "size in entry 1 of quotas must be a whole number"),
        ({"margins": {"gender": {"female": 50, "male": 50}}}, None, "must be from 0 to 1, not 50"),
        ({"margins": {"gender": {"female": 0.5}}}, None, "must have the sum 1, not 0.5"),
        ({"margins": {"gendr": {"female": 1}}}, None, "did you mean gender"),
        ({"margins": {"gender": {"femail": 1}}}, None, "did you mean female"),
        ({"margins": {"health_conditions": {"gout": 1}}}, None, "several values"),
        ({"margins": {"age": {"18-34": 0.5, "34-60": 0.5}}}, None, "the bands '18-34' and '34-60' overlap"),
        ({"margins": {"age": {"young": 1}}}, None, "is no band of numbers"),
        (None, [{"filters": {"gendr": "male"}, "size": 3}], "did you mean gender"),
    ],
)
def test_wrong_quotas_name_what_is_allowed(quotas: Any, boosts: Any, told: str) -> None:
    with pytest.raises((UsageError, FilterError), match=told.replace("(", r"\(")):
        read_design(quotas, boosts, 40)


def test_overlapping_cells_are_refused(small: Population) -> None:
    cells = [{"filters": WOMEN.to_json(), "size": 20}, {"filters": YOUNG.to_json(), "size": 20}]
    with pytest.raises(UsageError, match=r"Quotas 1 and 2 overlap: [0-9,]+ agents match both 'women' and"):
        small.draw(SOUTH, SIZE, seed=1, design=read_design(cells, None, SIZE))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    sizes=st.lists(st.integers(0, 60), min_size=12, max_size=12).filter(lambda s: sum(s) > 30),
    wanted=st.integers(1, 30),
    seed=st.integers(0, 100),
)
def test_two_margins_are_kept_exactly(sizes: list[int], wanted: int, seed: int) -> None:
    held = np.array(sizes)
    codes = [np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)]
    margins = [rounding.apportioned(np.bincount(code, held), wanted) for code in codes]
    expected = rounding.fitted(held, codes, margins)
    if expected is None:  # some level has fewer agents than its share of a rounded total
        return
    assert (expected <= held + 1e-9).all()
    rows = np.array([code == place for code in codes for place in range(code.max() + 1)])
    table = rounding.controlled(np.random.default_rng(seed), expected, rows)
    assert (np.abs(table - expected) < 1).all()
    for code, margin in zip(codes, margins, strict=True):
        assert np.bincount(code, table, margin.size).tolist() == margin.tolist()


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    women=st.integers(30, 70),
    young=st.integers(20, 60),
    states=st.lists(st.integers(1, 6), min_size=3, max_size=3),
    rural=st.integers(5, 60),
    size=st.integers(5, 60),
    seed=st.integers(0, 1_000),
)
def test_the_note_names_the_margins_that_are_off_and_no_others(
    small: Population, *, women: int, young: int, states: list[int], rural: int, size: int, seed: int
) -> None:
    people = everybody(small)
    shares: dict[str, dict[str, float]] = {
        "gender": {"female": women / 100, "male": 1 - women / 100},
        "age": {"under 35": young / 100, "35+": 1 - young / 100},
        "state": dict(zip(("CA", "TX", "FL"), (one / sum(states) for one in states), strict=True)),
        "urban_rural": {"urban": 1 - rural / 100, "rural": rural / 100},
    }
    design = read_design({"margins": shares}, None, size)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: small.draw(SOUTH, size, seed=seed, design=design), range(2))
    assert first == second
    own = [people[agent] for agent in first.ids]
    if len(own) < size:  # too few agents of a level: the reports say so, not the note
        assert any(cell["drawn"] < cell["size"] for cell in first.cells)
        return
    counted = Counter(one.gender for one in own) | Counter(
        "under 35" if one.age < 35 else "35+" for one in own
    )
    counted |= Counter(str(one.state) for one in own) | Counter(str(one.urban_rural) for one in own)
    off = {}
    for place, cell in enumerate(first.cells):
        assert cell["drawn"] == counted[cell["level"]]
        assert abs(cell["drawn"] - cell["size"]) <= (0 if place < 4 else 2)
        if cell["drawn"] != cell["size"]:
            off[f"{cell['field']} {cell['level']}"] = f"has {cell['drawn']} of {cell['size']}"
    note = first.note or ""
    assert all(f"{name} {told}" in note for name, told in off.items())
    assert note.count(" has ") == len(off)


def test_successive_draws_have_the_probability_of_their_enumeration() -> None:
    counts, weights = np.array([3, 2, 1]), np.array([1.0, 4.0, 16.0])
    each = np.repeat(weights, counts)
    for size in (1, 2, 4):
        exact = np.zeros(each.size)
        for order in itertools.permutations(range(each.size), size):
            chance, left = 1.0, float(each.sum())
            for one in order:
                chance *= each[one] / left
                left -= each[one]
            exact[list(order)] += chance
        assert np.repeat(inclusion.successive(counts, weights, size), counts) == pytest.approx(
            exact, abs=1e-9
        )


@pytest.mark.parametrize("sizes", [(4, 5, 6, 7, 30), (3, 4, 4, 5, 5, 6, 9, 12, 100), (1, 2, 3, 4, 5, 6)])
def test_the_expected_equal_allocation_is_that_of_many(sizes: tuple[int, ...]) -> None:
    rng, times = np.random.default_rng(1), 4_000
    wanted = sum(min(size, 5) for size in sizes) - 2
    found = np.mean([sampling.equal(rng, np.array(sizes), wanted) for _ in range(times)], axis=0)
    expected = inclusion.expected_equal(sizes, wanted)
    assert expected is not None
    assert found == pytest.approx(np.array(expected), abs=4 * 0.5 / np.sqrt(times))


def test_an_empty_audience_gives_an_empty_draw(small: Population) -> None:
    nobody: Filter = where(state="ZZ")
    for how in DESIGNS.values():
        assert small.draw(nobody, SIZE, seed=1, **how).ids == []
