"""Count, search and sample choose the agents that the plain-Python reading of a filter chooses."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxpop.errors import FilterError, NotFound, UsageError
from voxpop.population import scanning
from voxpop.population.corpus import corpus
from voxpop.population.queries import Population
from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, all_of, any_of, between, where
from voxpop.vocabulary.levels import ETHNICITIES
from voxpop.vocabulary.matching import matches, value_of
from voxpop.vocabulary.occupations import resolve_occupations
from voxpop.vocabulary.places import US_STATES
from voxpop.vocabulary.values import countries_of, is_known

OPEN = {
    "state": ("CA", "tx", "NY", "ON", "Bavaria", "uttar pradesh", "ZZ"),
    "ethnicity": ("Asian", "white, non-hispanic", "Parda", "hindu", "Martian"),
    "occupation": (
        "Cashiers",
        "registered nurses",
        "Staff Nurse",
        "software developer",
        "no such job at all",
    ),
    "industry": ("Retail Trade", "construction", "Piracy"),
    "title_variant": ("Cashier", "store manager", "Registered Nurse"),
}
BOUNDS = {"age": (15, 105), "rx_medication_count": (0, 9), "bmi": (13, 60), "phq9_score": (-1, 28)}
BOUNDS |= {"household_size": (0, 12), "children_count": (-1, 8), "youngest_child_age": (-1, 18)}
BOUNDS |= {"poverty_ratio": (-1, 6)}


def conditions(name: str) -> st.SearchStrategy[Condition]:
    field = FIELDS[name]
    if field.kind == "range":
        number = st.integers(*BOUNDS[name]) | st.floats(*BOUNDS[name], allow_nan=False).map(
            lambda x: round(x, 1)
        )
        bounds = st.tuples(st.none() | number, st.none() | number)
        return bounds.filter(lambda pair: pair != (None, None)).map(lambda pair: Between(*pair))
    if field.kind == "boolean":
        values: st.SearchStrategy[Any] = st.booleans()
    else:
        more = ("obese",) if name == "bmi_class" else ()
        values = st.sampled_from(OPEN.get(name) or (*field.levels, *more, "no such value"))
    lists = st.lists(values, min_size=1, max_size=3, unique=True).map(tuple)
    return lists.map(AnyOf) | lists.map(AnyOf) | lists.map(AllOf)


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=4, unique=True))
    return Filter(
        draw(st.sampled_from(("all", "any"))), tuple((name, draw(conditions(name))) for name in names)
    )


@settings(max_examples=200, deadline=None, derandomize=True)
@given(filter=filters())
def test_count_and_sample_agree_with_the_plain_reading(
    filter: Filter, small: Population, records: list[dict[str, Any]]
) -> None:
    resolved = resolve_occupations(filter, small.labels("occupation"), corpus())
    wanted = [record["id"] for record in records if matches(resolved, record)]
    assert small.count(filter) == len(wanted)
    assert sorted(small.sample(filter, small.size, seed=1)) == wanted


@settings(max_examples=20, deadline=None, derandomize=True)
@given(filter=filters())
def test_search_gives_every_match_once_in_the_order_of_ids(
    filter: Filter, small: Population, records: list[dict[str, Any]]
) -> None:
    resolved = resolve_occupations(filter, small.labels("occupation"), corpus())
    wanted = [record["id"] for record in records if matches(resolved, record)]
    found: list[int] = []
    for offset in range(0, len(wanted) + 1, 500):
        total, page = small.search(filter, offset=offset, limit=500)
        assert total == len(wanted)
        found += [agent.id for agent in page]
    assert found == wanted
    first = small.find(filter)
    assert (first.id if first else None) == (wanted[0] if wanted else None)


def test_facets_count_what_the_records_hold(small: Population, records: list[dict[str, Any]]) -> None:
    for filter in (
        where(),
        where(country="USA", age=between(25, 64)),
        where(condition="hypertension", state="CA"),
        where(age=between(min=25)),  # most of them: the others are counted and taken away
        where(match="any", gender="female", condition="obesity"),
        where(gender=["male", "female"]),
        where(age=between(25, 50), is_parent=True),  # neither few of them nor most
        where(country="USA", gender="Female", occupation="Cashiers"),  # one value each
        where(match="any", gender="female"),
        where(bmi_class="obese", gender=any_of("female", "nobody")),
        where(gender="female", state="ZZ"),
        where(gender=all_of("male", "female")),
    ):
        chosen = [record for record in records if matches(filter, record)]
        facets = small.facets(filter)
        assert list(facets) == [name for name, field in FIELDS.items() if field.kind != "range"]
        for name, values in facets.items():
            held = [value_of(record, name) for record in chosen]
            flat = [item for value in held for item in (value if isinstance(value, list) else [value])]
            assert dict(values) == {value: n for value, n in Counter(flat).items() if value is not None}


def test_facets_stand_in_the_order_of_the_vocabulary_or_by_frequency(small: Population) -> None:
    facets = small.facets(where(), ["education", "drug_class", "state"])
    assert [value for value, _ in facets["education"]] == list(FIELDS["education"].levels)
    assert list(facets) == ["education", "health_drug_classes", "state"]
    counts = [count for _, count in facets["state"]]
    assert counts == sorted(counts, reverse=True)


def test_facets_given_away_may_be_changed_without_harm(small: Population) -> None:
    small.facets(where(), ["gender"])["gender"].clear()
    assert len(small.facets(where(), ["gender"])["gender"]) == 2


def test_ranges_are_those_of_the_records(small: Population, records: list[dict[str, Any]]) -> None:
    ranges = small.ranges(where(gender="female"))
    women = [record for record in records if record["gender"] == "female"]
    for name, found in ranges.items():
        values = [value for record in women if (value := value_of(record, name)) is not None]
        assert (found["min"], found["max"]) == (min(values), max(values))
        assert found["mean"] == pytest.approx(sum(values) / len(values))
    assert small.ranges(where(state="ZZ"), ["bmi"]) == {"bmi": {"min": None, "max": None, "mean": None}}


def test_agents_without_health_data_meet_no_health_condition(small: Population) -> None:
    with_data = small.count(where(rx_medication_count=between(min=0)))
    americans = small.count(where(country="USA"))
    # a whole block has exactly this share; its first agents are a random sample of it
    assert with_data == pytest.approx(0.85 * americans, abs=4 * (0.85 * 0.15 * americans) ** 0.5)
    assert small.count(where(country="USA", bmi=between(1, 100))) == with_data
    assert small.count(where(match="any", rx_medication_count=between(min=0), state="ZZ")) == with_data


def test_a_job_is_found_by_what_people_call_it(small: Population) -> None:
    nurses = small.count(where(occupation="Registered Nurses"))
    assert nurses > 0
    assert small.count(where(occupation="RN")) == nurses
    assert small.count(Filter("all", (("occupation", AllOf(("RN",))),))) == 0


def test_unknown_values_come_with_what_is_near(small: Population) -> None:
    odd = where(ethnicity="Asiann", gender="female", occupation="anything")
    for finite in (True, False):
        group, *others = small.unknown_values(odd, finite=finite)
        assert (group["field"], group["suggestions"]) == ("ethnicity", ["Asian"])
        assert [other["field"] for other in others] == ([] if finite else ["occupation"])
    assert small.count(where(ethnicity="Asiann")) == 0


def test_numbers_beyond_all_bounds_are_no_error(small: Population) -> None:
    huge = Filter("all", (("age", Between(-(10**400), 10**400)),))
    assert small.count(huge) == small.size
    assert small.count(Filter("all", (("age", Between(10**30, None)),))) == 0


def test_labels_hold_those_that_agents_have(small: Population, records: list[dict[str, Any]]) -> None:
    assert small.labels("gender") == ("male", "female")
    assert small.labels("country") == FIELDS["country"].levels
    # they do not depend on the size, so some occupations have nobody in a small population
    assert set(small.labels("occupation")) >= {record["occupation"] for record in records} - {None}
    assert len([state for state in small.labels("state") if state in US_STATES]) == 51
    assert {"ON", "Bavaria", "Uttar Pradesh"} <= set(small.labels("state"))


def test_agents_come_in_the_order_asked_for(small: Population) -> None:
    assert [agent.id for agent in small.agents([5, 3, 9, 3])] == [5, 3, 9, 3]
    assert small.agents([]) == []


@pytest.mark.parametrize("wrong", [0, 2_001, -4, "5", True])
def test_an_id_that_nobody_has_is_not_found(small: Population, wrong: Any) -> None:
    with pytest.raises(NotFound, match="agents 1 to 2000"):
        small.agents([1, wrong])


def test_fields_without_counts_are_refused(small: Population) -> None:
    with pytest.raises(UsageError, match="age has no such counts"):
        small.facets(where(), ["age"])
    with pytest.raises(FilterError, match="did you mean gender"):
        small.facets(where(), ["gendr"])


def test_the_vocabulary_has_every_value_of_every_country(large: Population) -> None:
    for name, table in (("ethnicity", ETHNICITIES), ("industry", None), ("state", None)):
        field = FIELDS[name]
        for country in FIELDS["country"].levels:
            facet = large.facets(where(country=country), [name])[name]
            values = [str(value) for value, _ in facet]
            assert all(is_known(field, value) for value in values)
            if name != "industry":
                assert {value: countries_of(field, value) for value in values} == {
                    value: countries_of(field, value) | {country} for value in values
                }
            if table is not None:
                assert set(values) <= set(table.get(country, ()))


def test_every_occupation_and_title_that_somebody_has_is_known(small: Population) -> None:
    for name in ("occupation", "title_variant"):
        values = list(small.labels(name))
        for start in range(0, len(values), 1_000):
            assert small.unknown_values(where(**{name: values[start : start + 1_000]})) == []
    [job] = small.unknown_values(where(occupation="Wizzard of Oz"))
    assert job["field"] == "occupation"
    assert small.unknown_values(where(occupation="Wizzard of Oz"), finite=True) == []
    assert small.count(where(occupation="Wizzard of Oz")) == 0


@settings(max_examples=100, deadline=None, derandomize=True)
@given(filter=filters())
def test_counting_in_memory_and_by_the_database_agree(filter: Filter, small: Population) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "MOST_AGENTS", small.size - 1)
        by_database = small._count(filter)
    assert small._count(filter) == by_database


def test_bounds_between_and_beyond_whole_numbers_count_right(small: Population) -> None:
    for low, high in ((30, 30), (29.5, 30.5), (30.1, 30.9), (-5, 40), (40, 10**9), (None, 25), (25, None)):
        ages = where(age=between(low, high))
        wanted = sum(
            (low is None or agent.age >= low) and (high is None or agent.age <= high)
            for agent in small.agents(range(1, small.size + 1))
        )
        assert small.count(ages) == wanted
