"""Nested filters: not, any and all, their written forms, and their limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import voxpop.vocabulary as vp
from voxpop.errors import FilterError
from voxpop.vocabulary import Filter, Group, matches, parse, parse_query, where
from voxpop.vocabulary.combining import MOST_DEPTH, MOST_PARTS
from voxpop.vocabulary.unknown_fields import missed, unknown_fields

RECORDS: list[dict[str, Any]] = [
    {"country": country, "state": state, "gender": gender, "age": age, "health_profile": health}
    for country, state in (("USA", "TX"), ("USA", "CA"), ("Japan", None))
    for gender in ("female", "male")
    for age in (20, 70)
    for health in (None, {"conditions": []}, {"conditions": ["gout", "copd"], "bmi_class": "normal"})
]
LEAVES = st.sampled_from(
    [
        where(country="USA"),
        where(state=["TX", "CA"]),
        where(gender="female"),
        where(age=vp.between(65)),
        where(bmi_class="normal"),
        where(health_conditions="gout"),
        where(health_conditions=vp.at_least(2)),
        where(health_conditions=vp.at_most(0)),
        where(match="any", state="TX", age=vp.between(max=30)),
        where(),
    ]
)
NESTED = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        inner.map(lambda one: ~one),
    ),
    max_leaves=6,
)


def chosen(one: Filter) -> list[bool]:
    return [matches(one, record) for record in RECORDS]


@given(NESTED)
def test_every_written_form_reads_back_as_the_same_filter(one: Filter) -> None:
    assert parse(one.to_json()) == one
    assert parse(one.to_flat()) == one
    assert parse_query(one.to_query()) == one
    assert parse(json.loads(json.dumps(one.to_given())), columns=True) == one
    assert hash(parse(one.to_json())) == hash(one)


@given(NESTED)
def test_the_repr_is_code_that_chooses_the_same_agents(one: Filter) -> None:
    again = eval(repr(one), {"vp": vp})
    assert chosen(again) == chosen(one)
    assert one.sentence().strip()


@given(NESTED, NESTED)
def test_the_operators_are_those_of_logic(one: Filter, two: Filter) -> None:
    both, either = chosen(one & two), chosen(one | two)
    assert both == [a and b for a, b in zip(chosen(one), chosen(two), strict=True)]
    assert either == [a or b for a, b in zip(chosen(one), chosen(two), strict=True)]
    assert chosen(~one) == [not met for met in chosen(one)]
    assert chosen(~(one & two)) == chosen(~one | ~two)
    assert chosen(~(one | two)) == chosen(~one & ~two)
    assert chosen(~~one) == chosen(one)


def test_not_takes_in_the_agents_whose_value_is_not_recorded() -> None:
    texan = where(state="TX")
    assert matches(~texan, {"state": None})
    assert matches(~where(bmi_class="normal"), {"health_profile": None})
    assert not matches(where(health_conditions=vp.at_most(0)), {"health_profile": None})
    assert matches(where(health_conditions=vp.at_most(0)), {"health_profile": {"conditions": []}})


def test_a_nested_filter_reads_like_what_one_would_type() -> None:
    one = (
        where(country="USA")
        & ~where(health_conditions="diabetes")
        & (where(state="TX") | where(state="CA"))
        & (where(gender="female") | where(age=vp.between(65)))
    )
    assert repr(one) == (
        'vp.where(country="USA", state=["TX", "CA"]) & (vp.where(gender="female") | '
        'vp.where(age=vp.between(65))) & ~vp.where(health_conditions="diabetes_t2")'
    )
    assert one.to_json() == {
        "match": "all",
        "filters": {
            "country": "USA",
            "state": {"any": ["TX", "CA"]},
            "any": [
                {"match": "all", "filters": {"gender": "female"}},
                {"match": "all", "filters": {"age": {"min": 65}}},
            ],
            "not": {"match": "all", "filters": {"health_conditions": "diabetes_t2"}},
        },
    }
    assert one.sentence() == (
        "US adults living in TX or CA, limited to women or adults aged 65 or older, "
        "but not adults with type 2 diabetes"
    )


def test_a_field_given_twice_keeps_both_conditions() -> None:
    one = where(age=vp.between(18)) & where(age=vp.between(max=30))
    assert repr(one) == "vp.where(age=vp.between(18)) & vp.where(age=vp.between(max=30))"
    assert where(country="USA") & where(country="USA", state="TX") == where(country="USA", state="TX")


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ({"any": "TX"}, {"any": ["takes a list of filters, not 'TX'"]}),
        ({"any": []}, {"any": ["takes a list of filters, not an empty list"]}),
        ({"not": ["TX"]}, {"not": ["takes filters, not 'TX'"]}),
        ({"not": 3}, {"not": ["takes a filter or a list of filters, not 3"]}),
        ({"any": [{}], "or": [{}]}, {"any": ["given more than once"]}),
        ({"filters": {}, "not": {}}, {"not": ["must be inside filters"]}),
        ({"not": {"gendr": "male"}}, {"gendr": ["unknown field; did you mean gender?"]}),
        (
            {"gender": {"count": 2}},
            {
                "gender": [
                    "has one value per agent; only health_conditions and health_drug_classes can be counted"
                ]
            },
        ),
        (
            {"health_conditions": {"count": {"min": -1}}},
            {"health_conditions": ["count takes whole numbers from 0 to 1,000, not -1"]},
        ),
        (
            {"health_conditions": {"count": {}}},
            {"health_conditions": ['count takes a whole number or {"min": ..., "max": ...}']},
        ),
        (
            {"health_conditions": {"count": {"min": 3, "max": 2}}},
            {"health_conditions": ["min 3 is greater than max 2"]},
        ),
    ],
)
def test_a_wrong_group_names_what_is_allowed(data: Any, problems: dict[str, list[str]]) -> None:
    with pytest.raises(FilterError) as caught:
        parse(data)
    assert caught.value.problems == problems


def test_depth_and_size_are_bounded() -> None:
    deep: dict[str, Any] = {"state": "TX"}
    for _ in range(MOST_DEPTH):
        deep = {"not": deep}
    assert parse(deep).depth == MOST_DEPTH
    for data in ({"not": deep}, {"any": [{"state": "TX"}] * (MOST_PARTS + 1)}):
        with pytest.raises(FilterError, match=r"nested 8 deep|at most 200 conditions and groups"):
            parse(data)
    with pytest.raises(FilterError, match="at most 200"):
        Filter(groups=(Group("any", tuple(where(age=n) for n in range(MOST_PARTS + 1))),))


def test_columns_named_like_a_group_stay_columns() -> None:
    one = parse({"any": ["yes", "no"], "not": {"min": 2}}, columns=True)
    assert [name for name, _ in one.own] == ["any", "not"]
    assert where(any="yes").own == where(**{"any": ["yes"]}).own


def test_unknown_values_and_fields_are_found_inside_groups() -> None:
    one = where(country="Japan") & ~where(veteran=True) & ~where(gender="femail")
    assert [entry["value"] for entry in vp.unknown_values(one)] == ["femail"]
    unknown = unknown_fields(one)
    assert [(entry["field"], entry["country"]) for entry in unknown] == [("veteran", "Japan")]
    assert list(missed(unknown, one)) == ["veteran"]
    assert unknown_fields(where(country="USA") & where(veteran=True)) == []
