"""Filters from tool arguments: fields beside `filters`, bounds, aliases, and conflicts."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.errors import InvalidRequest
from voxpop.mcp.arguments import checked, filter_of, reference_of, wait_of
from voxpop.vocabulary import parse

BOTH = {"country": "USA", "age": {"min": 25, "max": 64}}
SAME = [
    {"country": "USA", "age": {"min": 25, "max": 64}},
    {"country": "USA", "age_min": 25, "age_max": 64},
    {"country": "USA", "age": {"min": 25}, "age_max": 64},
    {"country": "USA", "filters": {"age": {"min": 25, "max": 64}}},
    {"country": "USA", "filters": {"age_min": 25, "age_max": 64}},
    {
        "match": "all",
        "filters": {"match": "and", "filters": {"country": "USA", "age": {"min": 25, "max": 64}}},
    },
    {"filters": '{"country": "USA", "age": {"min": 25, "max": 64}}'},
]
TWICE = [
    ({"country": "USA", "filters": {"country": "UK"}}, "country"),
    ({"drug_class": "statin", "filters": {"filters": {"health_drug_classes": "statin"}}}, "drug_class"),
    ({"age_min": 20, "filters": {"age": {"max": 40}}}, "age"),
    ({"bmi_min": 20, "bmi": {"min": 25}}, "bmi"),
    ({"age_min": 20, "age": 40}, "age"),
    ({"match": "any", "filters": {"match": "all", "country": "USA"}}, "match"),
    ({"filters": "country=USA"}, "filters"),
    ({"filters": ["USA"]}, "filters"),
]


@pytest.mark.parametrize("arguments", SAME)
def test_one_filter_in_many_forms(arguments: dict[str, Any]) -> None:
    assert parse(filter_of(arguments, [])).to_flat() == {
        "match": "all",
        "country": "USA",
        "age": {"min": 25, "max": 64},
    }


@pytest.mark.parametrize("name", ["bmi", "phq9_score", "rx_medication_count"])
def test_every_range_takes_its_ends_as_arguments(name: str) -> None:
    read = parse(filter_of({f"{name}_min": 1, f"{name}_max": 3, "match": "any"}, []))
    assert read.to_flat() == {"match": "any", name: {"min": 1, "max": 3}}


@pytest.mark.parametrize(("arguments", "name"), TWICE)
def test_what_is_given_twice_or_is_no_filter_is_refused(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        filter_of(arguments, [])
    assert list(caught.value.details["filters"]) == [name]
    assert caught.value.code == "invalid_request"


def test_what_is_wrong_inside_a_filter_is_left_to_the_service() -> None:
    assert filter_of({"gendr": "male"}, [])["filters"] == {"gendr": "male"}
    assert filter_of({"filters": {"filters": 3}, "country": "USA"}, []) == {"filters": 3}


def test_a_name_like_that_of_an_argument_is_named() -> None:
    with pytest.raises(InvalidRequest, match=r"size: unknown field; did you mean group_size\?"):
        checked({"size": 3}, ["group_size", "name"], filters=True)
    with pytest.raises(InvalidRequest, match=r"colour: unknown field; allowed: group_size, name"):
        checked({"colour": 3}, ["group_size", "name"], filters=False)


def test_null_is_not_given() -> None:
    assert checked({"name": None, "group_size": 3}, ["group_size", "name"], filters=True) == {"group_size": 3}


@pytest.mark.parametrize("value", [-1, "soon", True, float("nan"), float("inf"), [1]])
def test_a_waiting_time_is_a_number_of_seconds(value: object) -> None:
    with pytest.raises(InvalidRequest, match="poll_timeout_seconds: must be 0 seconds or more"):
        wait_of({"poll_timeout_seconds": value})


def test_a_long_waiting_time_is_cut() -> None:
    assert wait_of({"poll_timeout_seconds": 1e9}) == 600.0
    assert wait_of({}) == 0.0


@pytest.mark.parametrize("value", ["", "../filters", "a b", 1.5, True, [1], {}])
def test_an_id_is_a_number_or_a_uuid(value: object) -> None:
    with pytest.raises(InvalidRequest, match="study_id: must be an id"):
        reference_of({"study_id": value}, "study_id")
    with pytest.raises(InvalidRequest, match="study_id: is required"):
        reference_of({}, "study_id")
