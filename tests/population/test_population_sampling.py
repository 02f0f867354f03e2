"""Samples are probability samples: seeded, without replacement, and true to the agents that match.

The truth is a plain count of everybody who matches. Seeds are fixed, so a test that passes always passes;
each limit would be passed by chance about once in ten thousand choices of the seeds.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from voxpop.engines.agents import Agent
from voxpop.errors import UsageError
from voxpop.population import sampling
from voxpop.population.queries import Population
from voxpop.population.sampling import AGE_BANDS, METHODS
from voxpop.vocabulary.filters import between, where

EVERYBODY = where(country="USA")
RETIRED_WOMEN = where(country="USA", gender="female", age=between(65), labour_status="retired")
GROUPS = 200
CHANCE = 1e-4
STRATA = ["band", "gender", "state"]

FILTERS = {
    "retired women": (
        RETIRED_WOMEN,
        "country = 'USA' AND gender = 'female' AND age >= 65 AND labour_status = 'retired'",
    ),
    "US adults": (EVERYBODY, "country = 'USA'"),
    "young": (where(age=between(18, 29)), "age BETWEEN 18 AND 29"),
    "nurses or Texans": (
        where(match="any", occupation="Registered Nurses", state="TX"),
        "occupation = 'Registered Nurses' OR state = 'TX'",
    ),
    "Vermont": (where(state="VT"), "state = 'VT'"),
    "two states": (where(state=["CA", "VT"]), "state IN ('CA', 'VT')"),
    "Florida": (where(state="FL"), "state = 'FL'"),
}


def everybody(population: Population, name: str) -> pd.DataFrame:
    """Return all who match a filter, by id, read with SQL of its own."""
    with duckdb.connect(str(population.path), read_only=True) as there:
        found = there.execute(
            "SELECT id, age, CAST(gender AS VARCHAR) AS gender, CAST(state AS VARCHAR) AS state, "
            "CAST(occupation_major_group AS VARCHAR) AS occupation, CAST(education AS VARCHAR) AS education, "
            "list_count(list_filter([25, 35, 45, 55, 65], lambda start: age >= start)) AS band "
            f"FROM agents WHERE {FILTERS[name][1]} ORDER BY id"
        ).df()
    assert len(found) == population.count(FILTERS[name][0])
    return found.set_index("id")


def chi_square(groups: Sequence[Sequence[int]], level: pd.Series[Any]) -> float:
    """Return how probable counts as far from the expected ones are, over groups without replacement.

    Counts over independent groups vary as multinomial ones do, less the correction for a finite population.
    """
    size, codes = len(groups[0]), pd.Series(pd.factorize(level, use_na_sentinel=False)[0], level.index)
    whole = np.bincount(codes)
    expected = whole / len(codes) * size * len(groups)
    found = np.bincount(codes[np.concatenate(groups)], minlength=whole.size)
    rare = expected < 10
    parts = [np.append(part[~rare], part[rare].sum()) for part in (found, expected)]
    (found, expected) = (part[: None if rare.any() else -1] for part in parts)
    finite = (len(codes) - size) / (len(codes) - 1)
    return float(stats.chi2.sf(((found - expected) ** 2 / expected).sum() / finite, found.size - 1))


def mean_z(groups: Sequence[Sequence[int]], values: pd.Series[Any]) -> float:
    """Return how many standard errors the mean over all groups is from the mean of the whole."""
    size, many = len(groups[0]), len(values)
    finite = (many - size) / (many - 1)
    error = np.sqrt(values.var(ddof=0) / size * finite / len(groups))
    return float((values[np.concatenate(groups)].mean() - values.mean()) / error)


def assert_like(groups: Sequence[Sequence[int]], matching: pd.DataFrame) -> None:
    """Fail unless groups of ids look like simple random samples of those who match."""
    assert all(len(set(group)) == len(group) and set(matching.index) >= set(group) for group in groups)
    for name in ("state", "gender", "occupation", "education", "band"):
        if matching[name].nunique(dropna=False) > 1:
            assert chi_square(groups, matching[name]) > CHANCE, name
    assert abs(mean_z(groups, matching.age)) < stats.norm.isf(CHANCE / 2)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_agents_in_the_same_order(small: Population, method: str) -> None:
    first = small.sample(EVERYBODY, 200, seed=5, method=method)
    assert first == small.sample(EVERYBODY, 200, seed=5, method=method)
    assert first != small.sample(EVERYBODY, 200, seed=6, method=method)
    assert len(set(first)) == 200
    assert first != sorted(first)


def test_a_seeded_sample_is_the_same_on_every_machine(small: Population) -> None:
    # numpy's PCG64 over the ids in order: these are 5 of 2,000 for seed 5, whatever they are
    assert small.sample(where(), 5, seed=5) == [590, 667, 217, 557, 963]


@pytest.mark.parametrize("method", METHODS)
def test_all_matches_are_given_when_fewer_match_than_asked(small: Population, method: str) -> None:
    few = where(state="WY")
    assert sorted(small.sample(few, 500, seed=1, method=method)) == [
        agent.id for agent in small.search(few, limit=500)[1]
    ]
    assert small.sample(where(state="ZZ"), 10, seed=1, method=method) == []
    assert small.sample(EVERYBODY, 0, seed=1, method=method) == []


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *(("retired women", 20), ("retired women", 1_000), ("US adults", 300), ("young", 1_000)),
        *(("nurses or Texans", 100), ("nurses or Texans", 3_000)),
    ],
)
def test_random_groups_are_like_those_who_match(large: Population, name: str, size: int) -> None:
    groups = [large.sample(FILTERS[name][0], size, seed=seed) for seed in range(GROUPS)]
    assert_like(groups, everybody(large, name))


@pytest.mark.parametrize("missing", [1, 5, 50])
def test_groups_nearly_as_large_as_the_matches_leave_out_anybody(large: Population, missing: int) -> None:
    # the bias shows best in who is left out
    matching = everybody(large, "Vermont")
    size = len(matching) - missing
    groups = [large.sample(where(state="VT"), size, seed=seed) for seed in range(GROUPS)]
    assert_like([sorted(set(matching.index) - set(group)) for group in groups], matching)


def test_every_agent_and_every_pair_is_as_likely_as_any_other(small: Population) -> None:
    filter = where(state="FL")
    numbers = everybody(small, "Florida").index.to_list()
    assert sorted(small.sample(filter, 10**6, seed=1)) == numbers
    candidates = sampling.Candidates(np.array(numbers))
    groups = [sampling.sample(candidates, 5, seed=seed) for seed in range(4_000)]
    one = Counter(itertools.chain(*groups))
    size, many = len(numbers), len(groups)
    expected = many * 5 / size
    spread = sum((one[number] - expected) ** 2 / expected for number in numbers) / ((size - 5) / (size - 1))
    assert CHANCE < stats.chi2.sf(spread, size - 1) < 1 - CHANCE  # and not more even than chance either
    two = Counter(frozenset(pair) for group in groups for pair in itertools.combinations(group, 2))
    share = 5 * 4 / (size * (size - 1))
    pairs = size * (size - 1) // 2
    apart = sum((two[frozenset(pair)] - many * share) ** 2 for pair in itertools.combinations(numbers, 2))
    # the mean square of the counts of pairs, within 10 % of that of independent draws
    assert apart / pairs == pytest.approx(many * share * (1 - share), rel=0.1)
    places = Counter((place, group[place]) for group in groups for place in range(5))
    even = many / size
    z = (np.array([places[at, n] for at in range(5) for n in numbers]) - even) / np.sqrt(even)
    assert abs(z).max() < 6  # nobody keeps to one place of the order


@pytest.mark.parametrize("same_seed", [False, True])
def test_agents_appended_are_a_random_sample_of_the_rest(large: Population, same_seed: bool) -> None:
    matching = everybody(large, "retired women")
    first, added = [], []
    for seed in range(GROUPS):
        members = large.sample(RETIRED_WOMEN, 300, seed=seed)
        more = large.sample(RETIRED_WOMEN, 300, seed=seed if same_seed else seed + GROUPS, exclude=members)
        assert not set(members) & set(more)
        first.append(members)
        added.append(more)
    assert_like(added, matching)
    assert_like([[*one, *two] for one, two in zip(first, added, strict=True)], matching)
    # the two draws have nothing to do with each other: neighbours by id are drawn no more often
    order = {number: place for place, number in enumerate(matching.index)}
    near = sum(
        len({order[n] for n in two} & {order[n] + 1 for n in one})
        for one, two in zip(first, added, strict=True)
    )
    expected = GROUPS * 300 * 300 / len(matching)
    assert abs(near - expected) < 4 * np.sqrt(expected)


def test_append_keeps_to_the_rest_even_where_a_description_draws(small: Population) -> None:
    members = small.sample(EVERYBODY, 50, seed=1, description="nurses")
    more = small.sample(EVERYBODY, 50, seed=1, exclude=members, description="nurses")
    assert not set(members) & set(more)
    rest = small.sample(EVERYBODY, 10**6, seed=1, exclude=[*members, 10**9, -1])
    assert len(rest) == small.count(EVERYBODY) - 50


def test_a_larger_group_begins_with_the_smaller_one_of_the_same_seed(large: Population) -> None:
    groups = [large.sample(RETIRED_WOMEN, 200, seed=seed) for seed in range(GROUPS)]
    for seed in range(0, GROUPS, 20):
        assert large.sample(RETIRED_WOMEN, 60, seed=seed) == groups[seed][:60]
    matching = everybody(large, "retired women")
    assert_like([group[:60] for group in groups], matching)
    assert_like([group[60:] for group in groups], matching)


def test_groups_of_two_filters_and_one_seed_are_independent(large: Population) -> None:
    # the same random numbers over two lists would draw agents at the same places of both
    californians = everybody(large, "two states").query("state == 'CA'")
    sides = [
        (where(state="CA", gender=gender), {n: at for at, n in enumerate(group.index)})
        for gender, group in californians.groupby("gender")
    ]
    shared = 0
    for seed in range(GROUPS):
        one, two = ({places[n] for n in large.sample(filter, 100, seed=seed)} for filter, places in sides)
        shared += len(one & two)
    expected = GROUPS * 100 * 100 / max(len(places) for _, places in sides)
    assert abs(shared - expected) < 4 * np.sqrt(expected)


def test_stratified_keeps_the_shares_of_age_gender_and_state(large: Population) -> None:
    matching = everybody(large, "two states")
    wanted = matching.groupby(STRATA).size()
    for seed in range(20):
        chosen = large.sample(FILTERS["two states"][0], 1_000, seed=seed, method="stratified")
        found = matching.loc[chosen].groupby(STRATA).size().reindex(wanted.index, fill_value=0)
        assert found.sum() == 1_000
        assert (found - wanted * 1_000 / len(matching)).abs().max() < 1


@pytest.mark.parametrize("size", [20, 150])
def test_stratified_groups_are_unbiased(large: Population, size: int) -> None:
    # far fewer than there are strata: most strata get nobody, and chance decides which
    matching = everybody(large, "young")
    groups = [large.sample(FILTERS["young"][0], size, seed=s, method="stratified") for s in range(GROUPS)]
    for name in ("gender", "state", "education"):
        assert chi_square(groups, matching[name]) > CHANCE, name
    assert abs(mean_z(groups, matching.age)) < 3.9


@pytest.mark.parametrize("sizes", [[1, 1, 1], [5, 0, 3, 40], [1000, 1, 1, 1], [7]])
@pytest.mark.parametrize("wanted", [1, 3])
def test_proportional_allocation_is_exact_on_average(sizes: list[int], wanted: int) -> None:
    rng = np.random.default_rng(1)
    total = np.zeros(len(sizes))
    times = 4_000
    for _ in range(times):
        quota = sampling.proportional(rng, np.array(sizes), wanted)
        assert quota.sum() == wanted
        for given, size in zip(quota.tolist(), sizes, strict=True):
            exact = Fraction(wanted * size, sum(sizes))
            assert abs(given - exact) < 1
            assert given <= size
        total += quota
    share = wanted * np.array(sizes) / sum(sizes)
    assert np.abs(total / times - share).max() < 4 * 0.5 / np.sqrt(times)


def test_proportional_allocation_has_no_rounding_error_in_very_large_populations() -> None:
    sizes = np.array([1, 10**13, 10**13, 3])
    for seed in range(50):
        quota = sampling.proportional(np.random.default_rng(seed), sizes, 10_000)
        assert quota.sum() == 10_000
        assert abs(int(quota[1]) - 5_000) <= 1


def test_balanced_gives_each_age_band_and_gender_as_many(large: Population) -> None:
    chosen = large.agents(large.sample(EVERYBODY, 605, seed=4, method="balanced"))
    counts = Counter((sum(agent.age >= start for start in AGE_BANDS), agent.gender) for agent in chosen)
    assert len(counts) == 12
    assert set(counts.values()) == {50, 51}


def test_balanced_groups_are_unbiased_inside_each_stratum(large: Population) -> None:
    matching = everybody(large, "two states")
    filter = FILTERS["two states"][0]
    groups = [large.sample(filter, 100, seed=seed, method="balanced") for seed in range(GROUPS)]
    strata = [inside for _, inside in matching.groupby(["band", "gender"])]
    each, odd = divmod(100, len(strata))
    share = odd / len(strata)  # the odd ones go to any stratum alike
    for inside in strata:
        drawn = [[number for number in group if number in inside.index] for group in groups]
        assert {len(group) for group in drawn} <= {each, each + 1}
        more = sum(len(group) - each for group in drawn)
        assert abs(more - GROUPS * share) < 4 * np.sqrt(GROUPS * share * (1 - share))
        first = [group[:each] for group in drawn]
        assert chi_square(first, inside.state) > CHANCE
        assert chi_square(first, inside.education) > CHANCE
        assert abs(mean_z(first, inside.age)) < 4


@pytest.mark.parametrize(
    ("sizes", "wanted", "level"),
    [([1, 100, 100], 4, [1, 1.5, 1.5]), ([2, 50, 50], 7, [2, 2.5, 2.5]), ([3, 9, 9], 8, [8 / 3] * 3)],
)
def test_equal_allocation_is_exact_on_average(sizes: list[int], wanted: int, level: list[float]) -> None:
    rng = np.random.default_rng(2)
    drawn = np.array([sampling.equal(rng, np.array(sizes), wanted) for _ in range(4_000)])
    assert set(drawn.sum(axis=1)) == {wanted}
    assert np.abs(drawn.mean(axis=0) - level).max() < 4 * 0.5 / np.sqrt(4_000)


def test_balanced_fills_up_from_others_where_a_stratum_is_short(small: Population) -> None:
    old_men_or_women = where(age=between(60, 70), gender=["male", "female"], state=["CA", "TX", "FL"])
    available = small.count(old_men_or_women)
    assert len(small.sample(old_men_or_women, available - 1, seed=3, method="balanced")) == available - 1


def test_weighted_draws_follow_the_law_of_successive_draws() -> None:
    # each draw takes one of those who are left, with a chance in proportion to the weight
    weights = [1.0, 4.0, 16.0, 1.0]
    candidates = sampling.Candidates(np.arange(4), weight=np.array(weights))
    times = 20_000
    found = Counter(tuple(sampling.sample(candidates, 2, seed=seed)) for seed in range(times))
    expected = {
        (a, b): weights[a] / sum(weights) * weights[b] / (sum(weights) - weights[a])
        for a, b in itertools.permutations(range(4), 2)
    }
    spread = sum((found[pair] - times * p) ** 2 / (times * p) for pair, p in expected.items())
    assert stats.chi2.sf(spread, len(expected) - 1) > CHANCE


def test_a_description_makes_likelier_and_excludes_nobody(large: Population) -> None:
    described = "Nurses from Texas who take Ozempic"
    chosen = large.agents(large.sample(EVERYBODY, 400, seed=8, description=described))
    plain = large.agents(large.sample(EVERYBODY, 400, seed=8))

    def nurses(agents: list[Agent]) -> int:
        return sum("Nurs" in (agent.occupation or "") for agent in agents)

    def texans(agents: list[Agent]) -> int:
        return sum(agent.state == "TX" for agent in agents)

    assert nurses(chosen) > 3 * nurses(plain)
    assert texans(chosen) > 2 * texans(plain)
    assert texans(chosen) < 400
    few = where(state="WY", occupation="Cashiers")
    assert len(large.sample(few, 10**4, seed=1, description=described)) == large.count(few)
    unheard = large.sample(EVERYBODY, 50, seed=8, description="qwertyuiop")
    assert unheard == large.sample(EVERYBODY, 50, seed=8)


def test_an_unknown_method_names_the_known_ones(small: Population) -> None:
    with pytest.raises(UsageError, match="random, stratified, balanced, not 'stratifyed'; try 'stratified'"):
        small.sample(EVERYBODY, 5, seed=1, method="stratifyed")
