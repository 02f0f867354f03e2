"""Filters survive a round trip through each written form; bad input raises only documented errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import voxpop.vocabulary as vp
from voxpop.errors import FilterError
from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Between, Condition, Field, Filter, parse, parse_query
from voxpop.vocabulary.places import STATES

LABELS = {
    **{name: field.known for name, field in FIELDS.items() if field.known},
    "occupation": ("Registered Nurses", "Cashiers", 'Clerks, "Other"'),
    "title_variant": ("Senior Nurse", "C\\C++ Developer", "Café Owner"),
}
NUMBERS = st.one_of(
    st.integers(-1_000, 1_000), st.floats(-1e6, 1e6).map(lambda n: int(n) if n == int(n) else n)
)


def between(low: float | None, high: float | None) -> Between:
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    return Between(low, high)


def conditions_of(field: Field) -> st.SearchStrategy[Condition]:
    if field.kind == "range":
        return st.one_of(
            st.builds(between, NUMBERS, NUMBERS),
            st.builds(between, NUMBERS, st.none()),
            NUMBERS.map(lambda n: Between(n, n)),
            st.builds(between, st.none(), NUMBERS),
        )
    if field.kind == "boolean":
        values: st.SearchStrategy[Any] = st.booleans()
    else:
        extra = ("obese",) if field.name == "bmi_class" else ()
        values = st.sampled_from(
            [*field.levels, *LABELS.get(field.name, ()), *extra, "Nobody knows $%&?= 'this'"]
        )
    lists = st.lists(values, min_size=1, max_size=4, unique=True).map(tuple)
    return st.one_of(lists.map(AnyOf), lists.map(AllOf))


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    names = draw(st.lists(st.sampled_from(list(FIELDS)), unique=True, max_size=6))
    match = draw(st.sampled_from(["all", "any"]))
    return Filter(match, tuple((name, draw(conditions_of(FIELDS[name]))) for name in names))


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=8,
)
KEYS = st.one_of(st.sampled_from([*FIELDS, "age_min", "age_max", "match", "filters", "condition"]), st.text())
SHAPES = st.one_of(
    JSON,
    st.dictionaries(st.sampled_from(["any", "all", "or", "and", "min", "max"]), JSON, max_size=3),
    st.sampled_from([*STATES.values(), "USA", "male"]),
)
NEAR_FILTERS = st.dictionaries(KEYS, SHAPES, max_size=6)


@given(filters())
def test_the_written_forms_read_back_as_the_same_filter(one: Filter) -> None:
    assert parse(one.to_json()) == one
    assert parse(one.to_flat()) == one
    assert parse_query(one.to_query()) == one
    assert parse(json.loads(json.dumps(one.to_json()))) == one


@given(filters())
def test_the_repr_is_code_for_an_equal_filter(one: Filter) -> None:
    again = eval(repr(one), {"vp": vp})
    assert again == one
    assert hash(again) == hash(one)


@given(filters())
def test_every_filter_has_a_sentence_and_a_judgement(one: Filter) -> None:
    assert one.sentence().strip()
    found = vp.unknown_values(one, {"state": ["CA"]})
    assert all(set(each) == {"field", "value", "message", "suggestions"} for each in found)


def reading(read: Callable[[Any], Filter], data: Any) -> Filter | dict[str, list[str]]:
    """Return the filter or the problems; any other error fails the test that asked."""
    try:
        return read(data)
    except FilterError as error:
        return error.problems


def is_sound(found: Filter | dict[str, list[str]]) -> bool:
    if isinstance(found, Filter):
        return parse(found.to_json()) == parse_query(found.to_query()) == found
    json.dumps(found, ensure_ascii=False).encode()
    return bool(found) and all(found.values())


@settings(max_examples=300)
@given(st.one_of(JSON, NEAR_FILTERS, st.fixed_dictionaries({"filters": NEAR_FILTERS})))
def test_any_json_is_a_filter_or_a_filter_error(data: Any) -> None:
    assert is_sound(reading(parse, data))


@given(st.lists(st.tuples(KEYS, st.one_of(st.text(), JSON.map(json.dumps))), max_size=6))
def test_any_query_is_a_filter_or_a_filter_error(items: list[tuple[str, str]]) -> None:
    assert is_sound(reading(parse_query, items))


def test_deep_nesting_is_a_filter_error() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for data in (deep, {"age": deep}, {"state": deep}, {"state": {"any": deep}}, {"filters": deep}):
        with pytest.raises(FilterError):
            parse(data)


def test_repr_reads_like_what_one_would_type() -> None:
    one = vp.where(country="us", age=vp.between(25, 64), state=["ca", "tx"], is_parent=True, bmi=30)
    assert repr(one) == (
        'vp.where(country="USA", state=["CA", "TX"], age=vp.between(25, 64), is_parent=True, bmi=30)'
    )
    assert repr(vp.where(match="any", conditions=vp.all_of("gout", "copd"))) == (
        'vp.where(match="any", health_conditions=vp.all_of("gout", "copd"))'
    )
    assert repr(vp.where()) == "vp.where()"
