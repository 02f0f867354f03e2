"""The URL shorthand: repeated names, age bounds, texts for numbers and booleans, JSON in `filters`."""

from __future__ import annotations

import json

import pytest

from voxpop.errors import FilterError
from voxpop.vocabulary import Filter, all_of, between, parse_query, where


@pytest.mark.parametrize(
    ("items", "meant"),
    [
        ([], where()),
        ([("match", "or"), ("gender", "F")], where(match="any", gender="female")),
        ([("state", "CA"), ("age_min", "25"), ("state", "TX")], where(state=["CA", "TX"], age=between(25))),
        ([("age_min", "25"), ("age_max", "64")], where(age=between(25, 64))),
        ([("age", "30")], where(age=30)),
        ([("bmi", "27.5")], where(bmi=27.5)),
        ([("is_parent", "True")], where(is_parent=True)),
        ([("is_parent", "true"), ("is_parent", "false")], where(is_parent=[True, False])),
        (
            [("industry", "Arts, Entertainment, and Recreation"), ("industry", "utilities")],
            where(industry=["Arts, Entertainment, and Recreation", "Utilities"]),
        ),
        ([("drug_class", "ozempic")], where(health_drug_classes="glp1_agonist")),
        (
            [("filters", '{"match": "any", "filters": {"bmi": {"min": 30}}}'), ("country", "US")],
            where(match="any", country="USA", bmi=between(30)),
        ),
        ([("filters", '{"age": {"min": 25}}'), ("age_max", "64")], where(age=between(25, 64))),
        ([("state", "Texas"), ("state", "new york"), ("state", "qc")], where(state=["TX", "NY", "QC"])),
    ],
)
def test_readings(items: list[tuple[str, str]], meant: Filter) -> None:
    assert parse_query(items) == meant


@pytest.mark.parametrize(
    ("items", "field", "message"),
    [
        ([("age", "thirty")], "age", "must be a number, not 'thirty'; use age_min and age_max for a range"),
        ([("age", "nan")], "age", "must be a number"),
        ([("age", "1e999")], "age", "must be a number of ordinary size"),
        ([("age", "1_000")], "age", "must be a number"),
        ([("age", "٣٠")], "age", "must be a number"),
        ([("age", "9" * 5000)], "age", "must be a number"),
        ([("age", "30"), ("age", "40")], "age", "given more than once"),
        ([("age_min", "30"), ("age_min", "40")], "age_min", "given more than once"),
        ([("age_min", "64"), ("age_max", "25")], "age", "min 64 is greater than max 25"),
        ([("age", "30"), ("age_min", "25")], "age", "the min is given more than once"),
        ([("bmi_min", "30")], "bmi_min", "unknown field; bmi takes"),
        ([("is_parent", "1")], "is_parent", "must be true or false, not '1'"),
        ([("gender", "")], "gender", "the value is empty"),
        ([("gendr", "male")], "gendr", "did you mean gender?"),
        ([("condition", "gout"), ("conditions", "copd")], "health_conditions", "more than once"),
        ([("match", "none")], "match", 'must be "all" or "any"'),
        ([("match", "all"), ("match", "any")], "match", "given more than once"),
        ([("match", "all"), ("filters", '{"match": "any"}')], "match", "given more than once"),
        ([("filters", "{")], "filters", "must be a filter as JSON text"),
        ([("filters", "[" * 100_000)], "filters", "must be a filter as JSON text"),
        ([("filters", "9" * 5000)], "filters", "must be a filter as JSON text"),
        ([("filters", "[]")], "filters", "a filter must be an object, not a list"),
        ([("filters", "{}"), ("filters", "{}")], "filters", "given more than once"),
        ([("filters", '{"country": "USA"}'), ("country", "USA")], "country", "given more than once"),
        ([("filters", '{"is_parent": "true"}')], "is_parent", "must be true or false, not 'true'"),
    ],
)
def test_refusals(items: list[tuple[str, str]], field: str, message: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_query(items)
    assert list(caught.value.problems) == [field]
    assert message in caught.value.problems[field][0]


def test_what_the_shorthand_cannot_say_is_written_as_json() -> None:
    for one in (where(conditions=all_of("gout", "copd")), where(country="USA", bmi=between(30))):
        [(name, text)] = one.to_query()
        assert name == "filters"
        assert json.loads(text) == one.to_json()
