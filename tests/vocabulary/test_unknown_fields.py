"""A field without figures in a country is unknown there, which no message may confuse with none."""

from __future__ import annotations

import pytest

from voxpop.vocabulary import FIELDS, Filter, between, where
from voxpop.vocabulary.unknown_fields import named_countries, unknown_fields, unknown_in_words

COUNTRIES = FIELDS["country"].levels
ABROAD = [country for country in COUNTRIES if country != "USA"]


def where_unknown(asked: Filter, *shown: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in unknown_fields(asked, shown):
        found.setdefault(one["field"], []).append(one["country"])
    return found


@pytest.mark.parametrize(
    ("asked", "unknown"),
    [
        (where(country="USA", veteran=True, religion="catholic"), {}),
        (where(country="Japan", veteran=True), {"veteran": ["Japan"]}),
        (where(country=["USA", "Japan", "India"], bmi=between(30)), {}),
        (
            where(country=["USA", "Japan", "India"], phq9_score=between(10)),
            {"phq9_score": ["Japan", "India"]},
        ),
        (where(veteran=True), {"veteran": ABROAD}),
        (where(match="any", country="USA", veteran=True), {"veteran": ABROAD}),
        (where(country="Japan", smoking_status="current"), {}),
        (where(country="Japan", smoking_status=["current", "former"]), {}),
        (where(country="Japan", sleep_quality="poor"), {"sleep_quality": ["Japan"]}),
        (where(country=["Canada", "Spain"], ethnicity="Asian"), {"ethnicity": ["Spain"]}),
        (where(country="UK", health_conditions=["obesity", "hypertension"]), {}),
        (where(country="UK", health_conditions="asthma"), {"health_conditions": ["UK"]}),
        (where(country="UK", bmi_class="obese"), {}),
        (where(country="UK", phq9_severity="severe"), {"phq9_severity": ["UK"]}),
        (where(country="France", income_quintile="lowest", children_count=between(1)), {}),
    ],
)
def test_fields_of_a_filter_are_unknown_where_they_have_no_figures(
    asked: Filter, unknown: dict[str, list[str]]
) -> None:
    assert where_unknown(asked) == unknown


def test_counted_fields_are_looked_at_in_named_countries_only() -> None:
    assert where_unknown(where(country="Japan"), "diet_quality", "age", "household_income") == {
        "diet_quality": ["Japan"],
        "household_income": ["Japan"],
    }
    assert where_unknown(where(), "diet_quality") == {}


def test_a_population_may_lack_more() -> None:
    def lacks(name: str, country: str) -> str | None:
        return "It has none." if name == "religion" and country == "USA" else None

    found = unknown_fields(where(country="USA", religion="hindu", age=between(30)), lacks=lacks)
    assert found == [{"field": "religion", "country": "USA", "reason": "It has none."}]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (where(country="USA", veteran=True), []),
        (where(veteran=True), []),  # counted among those of whom it is known
        (
            where(country=["UK", "Japan"], veteran=True),
            ["veteran is unknown for agents in the UK and Japan, which does not mean that none matches."],
        ),
        (
            where(country="UK", health_conditions="asthma"),
            [
                "health_conditions is unknown for agents in the UK, which does not mean that none matches: "
                "for the UK there are figures on hypertension, diabetes_t2 and obesity only."
            ],
        ),
    ],
)
def test_words_name_the_field_and_the_countries(asked: Filter, words: list[str]) -> None:
    assert unknown_in_words(unknown_fields(asked), asked) == words


def test_a_field_that_nobody_has_is_unknown_for_all_agents() -> None:
    asked = where(religion="hindu")
    everywhere = [{"field": "religion", "country": one, "reason": "It was not drawn."} for one in COUNTRIES]
    assert unknown_in_words(everywhere, asked, labels=True) == [
        '"Religion" is unknown for all agents, which does not mean that none matches: it was not drawn.'
    ]


def test_countries_that_limit_a_filter() -> None:
    assert named_countries(where(country=["Japan", "USA"], age=between(30))) == ("Japan", "USA")
    assert named_countries(where(match="any", country="Japan", age=between(30))) == ()
    assert named_countries(where(match="any", country="Japan")) == ("Japan",)
    assert named_countries(where(age=between(30))) == ()
