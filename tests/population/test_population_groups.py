"""Nested filters choose the same agents in every engine, and a complement is everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_population_filters import filters

from voxpop.population import scanning
from voxpop.population.corpus import corpus
from voxpop.population.queries import Population
from voxpop.vocabulary.filters import Filter, at_least, at_most, where
from voxpop.vocabulary.matching import matches
from voxpop.vocabulary.occupations import resolve_occupations

COUNTS = st.tuples(
    st.sampled_from(["health_conditions", "health_drug_classes"]), st.integers(0, 4), st.booleans()
).map(lambda drawn: where(**{drawn[0]: at_least(drawn[1]) if drawn[2] else at_most(drawn[1])}))
NESTED = st.recursive(
    st.one_of(filters(), COUNTS),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        inner.map(lambda one: ~one),
    ),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(filter=NESTED)
def test_count_search_and_sample_agree_with_the_plain_reading(
    filter: Filter, small: Population, records: list[dict[str, Any]]
) -> None:
    resolved = resolve_occupations(filter, small.labels("occupation"), corpus())
    wanted = [record["id"] for record in records if matches(resolved, record)]
    assert small.count(filter) == len(wanted)  # by columns in memory
    assert sorted(small.sample(filter, small.size, seed=1)) == wanted  # by SQL
    assert small.count(~filter) == small.size - len(wanted)
    facet = dict(small.facets(filter, ["gender"])["gender"])
    assert sum(facet.values()) == len(wanted)


def test_counts_are_the_same_by_sql_and_in_memory(small: Population, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = (where(country="USA") | where(health_conditions=at_least(2))) & ~where(state="TX", age=40)
    before = small.count(asked)
    monkeypatch.setattr(scanning, "MOST_AGENTS", 0)
    small._counted.cache_clear()
    assert small.count(asked) == before
    assert 0 < before < small.size


def test_facets_under_a_nested_filter_count_only_its_agents(
    small: Population, records: list[dict[str, Any]]
) -> None:
    asked = where(country="USA") & ~where(gender="male") & (where(state="TX") | where(state="CA"))
    facet = dict(small.facets(asked, ["state"])["state"])
    assert set(facet) == {"TX", "CA"}
    assert facet["TX"] == sum(
        one["state"] == "TX" and one["gender"] != "male" and one["country"] == "USA" for one in records
    )
