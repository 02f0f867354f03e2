"""Values that no agent can have: silent by default, reported with suggestions for strict mode."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest

from voxpop.vocabulary import Filter, between, unknown_values, where

LIVE = {"state": ["CA", "TX"], "ethnicity": ["Asian"], "industry": ["Utilities"], "occupation": ["Cashiers"]}


@pytest.mark.parametrize(
    "one",
    [
        where(),
        where(country="Canada", gender="women", bmi_class="obese", age=between(1, 2), is_parent=True),
        where(state=["CA", "ON"], ethnicity="asian", industry="retail trade"),
        where(drug_class=["Ozempic", "statins"], condition="diabetes"),
        where(occupation="Dragon Rider", title_variant="Chief Dragon Rider"),
    ],
    ids=repr,
)
def test_known_values_and_open_fields_are_not_reported(one: Filter) -> None:
    assert unknown_values(one, LIVE) == []


def test_each_unknown_value_is_reported_with_what_is_near() -> None:
    found = unknown_values(where(smoking_status=["formr", "current"], country="Untied States"))
    assert found == [
        {
            "field": "country",
            "value": "Untied States",
            "message": "'Untied States' is not a known value of country; did you mean USA?",
            "suggestions": ["USA"],
        },
        {
            "field": "smoking_status",
            "value": "formr",
            "message": "'formr' is not a known value of smoking_status; did you mean former?",
            "suggestions": ["former"],
        },
    ]


def test_nothing_near_gives_no_suggestion() -> None:
    [found] = unknown_values(where(gender="qqq"))
    assert found["suggestions"] == []
    assert found["message"] == "'qqq' is not a known value of gender"


@pytest.mark.parametrize(
    ("field", "typed", "suggested"),
    [
        ("health_drug_classes", "Ozempik", "glp1_agonist"),
        ("health_conditions", "hypertenson", "hypertension"),
        ("alcohol_use", "moderat", "moderate"),
        ("bmi_class", "obese_4", "obese_1"),
        ("bmi_class", "overwieght", "overweight"),
        ("education", "High school graduate", "High school graduate/GED"),
        ("state", "CAL", "CA"),
        ("state", "Calif", "CA"),
        ("ethnicity", "Hispanic", "Hispanic or Latino"),
    ],
)
def test_misspellings_are_understood(field: str, typed: str, suggested: str) -> None:
    [found] = unknown_values(where(**{field: typed}), LIVE)
    assert suggested in found["suggestions"]
    assert len(found["suggestions"]) <= 3


def test_fields_of_the_population_need_its_labels() -> None:
    odd = where(state="ZZ", industry="Wizardry")
    assert unknown_values(odd) == []
    assert [found["field"] for found in unknown_values(odd, LIVE)] == ["state", "industry"]


def test_live_labels_are_known_and_suggested() -> None:
    live = {"ethnicity": ["Indo-Fijian"]}
    assert unknown_values(where(ethnicity="Indo-Fijian"), live) == []
    [found] = unknown_values(where(ethnicity="Indo Fijan"), live)
    assert found["suggestions"] == ["Indo-Fijian"]


def test_a_level_at_ratio_six_tenths_is_always_suggested() -> None:
    for level in ("never", "former", "current"):
        typed = level[:3] + "xyz"[: len(level) - 4]
        if SequenceMatcher(None, typed, level).ratio() >= 0.6:
            [found] = unknown_values(where(smoking_status=typed))
            assert level in found["suggestions"]
