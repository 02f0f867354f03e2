"""Samples: seeded, without look-alikes, in the proportions that the method says."""

from __future__ import annotations

from collections import Counter

import pytest

from voxpop.errors import UsageError
from voxpop.population.agents import Agent
from voxpop.population.queries import Population
from voxpop.population.sampling import METHODS
from voxpop.vocabulary.filters import between, where

EVERYBODY = where(country="USA")


def looks(agent: Agent) -> tuple[object, ...]:
    return agent.age, agent.gender, agent.state, agent.occupation


def band(agent: Agent) -> int:
    return sum(agent.age >= start for start in (25, 35, 45, 55, 65))


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_agents_in_the_same_order(small: Population, method: str) -> None:
    first = small.sample(EVERYBODY, 200, seed=5, method=method)
    assert first == small.sample(EVERYBODY, 200, seed=5, method=method)
    assert first != small.sample(EVERYBODY, 200, seed=6, method=method)
    assert len(set(first)) == 200
    assert first != sorted(first)


def test_a_seeded_sample_is_the_same_on_every_machine(small: Population) -> None:
    # numpy's PCG64 over the ids in order: these are 5 of 2,000 for seed 5, whatever the agents are
    assert small.sample(where(), 5, seed=5, dedupe=False) == [738, 1134, 357, 1532, 1627]


@pytest.mark.parametrize("method", METHODS)
def test_all_matches_are_given_when_fewer_match_than_asked(small: Population, method: str) -> None:
    few = where(state="WY")
    assert sorted(small.sample(few, 500, seed=1, method=method)) == [
        agent.id for agent in small.search(few, limit=500)[1]
    ]
    assert small.sample(where(state="ZZ"), 10, seed=1, method=method) == []
    assert small.sample(EVERYBODY, 0, seed=1, method=method) == []


@pytest.mark.parametrize("method", METHODS)
def test_nobody_looks_like_another_while_others_match(large: Population, method: str) -> None:
    retired = where(state="CA", labour_status="retired")
    different = len({looks(agent) for agent in large.search(retired, limit=10_000)[1]})
    assert different < 150 < large.count(retired)
    for size in (60, different):
        chosen = large.agents(large.sample(retired, size, seed=2, method=method))
        assert len({looks(agent) for agent in chosen}) == len(chosen) == size
    whole = large.agents(large.sample(retired, different + 20, seed=2, method=method))
    assert len({looks(agent) for agent in whole}) == different
    assert len({agent.id for agent in whole}) == different + 20


def test_stratified_keeps_the_shares_of_age_gender_and_state(large: Population) -> None:
    filter = where(state=["CA", "TX", "VT"])
    everybody = large.agents(large.sample(filter, 100_000, seed=1, dedupe=False))
    chosen = large.agents(large.sample(filter, 1_000, seed=4, method="stratified"))
    assert len(chosen) == 1_000
    wanted = Counter((band(agent), agent.gender, agent.state) for agent in everybody)
    found = Counter((band(agent), agent.gender, agent.state) for agent in chosen)
    for stratum, number in wanted.items():
        assert abs(found[stratum] - number * 1_000 / len(everybody)) <= 1


def test_balanced_gives_each_age_band_and_gender_as_many(large: Population) -> None:
    chosen = large.agents(large.sample(EVERYBODY, 605, seed=4, method="balanced"))
    counts = Counter((band(agent), agent.gender) for agent in chosen)
    assert len(counts) == 12
    assert set(counts.values()) == {50, 51}


def test_balanced_fills_up_from_others_where_a_stratum_is_short(small: Population) -> None:
    old_men_or_women = where(age=between(60, 70), gender=["male", "female"], state=["CA", "TX", "FL"])
    available = small.count(old_men_or_women)
    assert len(small.sample(old_men_or_women, available - 1, seed=3, method="balanced")) == available - 1


@pytest.mark.parametrize("method", METHODS)
def test_excluded_agents_and_their_look_alikes_are_not_chosen(large: Population, method: str) -> None:
    filter = where(state="CA", labour_status="employed")
    members = large.sample(filter, 100, seed=1, method=method)
    more = large.sample(filter, 50, seed=1, method=method, exclude=members)
    assert len(more) == 50
    assert not set(more) & set(members)
    assert not {looks(agent) for agent in large.agents(more)} & {
        looks(agent) for agent in large.agents(members)
    }
    rest = large.sample(filter, 10**6, seed=1, method=method, exclude=[*members, 10**9, -1])
    assert len(rest) == large.count(filter) - 100


@pytest.mark.parametrize("method", METHODS)
def test_look_alikes_of_members_are_chosen_when_nobody_else_is_left(large: Population, method: str) -> None:
    filter = where(state="CA", labour_status="retired")
    chosen = large.agents(large.sample(filter, 10_000, seed=1, dedupe=False))
    first = {looks(agent): agent.id for agent in chosen}
    rest = large.sample(filter, 10_000, seed=1, method=method, exclude=list(first.values()))
    assert sorted(rest) == sorted({agent.id for agent in chosen} - set(first.values()))


@pytest.mark.parametrize("method", ["stratified", "balanced"])
def test_strata_that_are_short_at_the_beginning_are_filled_from_the_rest(
    large: Population, method: str
) -> None:
    everybody = large.agents(range(1, large.size + 1))
    strata = Counter((band(agent), agent.gender, agent.state) for agent in everybody)
    for size in (20, 600):  # far fewer than there are, so only a part is looked at first
        chosen = large.agents(large.sample(where(), size, seed=9, method=method))
        assert len({looks(agent) for agent in chosen}) == len(chosen) == size
        found = Counter((band(agent), agent.gender, agent.state) for agent in chosen)
        if method == "stratified":
            assert all(abs(found[each] - n * size / large.size) < 1 for each, n in strata.items())


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
