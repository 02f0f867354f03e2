"""Evaluation of filters on agents, rule by rule as in the interface."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.vocabulary import Filter, all_of, any_of, between, matches, where

NURSE: dict[str, Any] = {
    "age": 41,
    "gender": "female",
    "country": "USA",
    "state": "CA",
    "ethnicity": "Asian",
    "is_parent": True,
    "occupation": "Registered Nurses",
    "labour_status": "employed",
    "health_profile": {
        "conditions": ["diabetes_t2", "hypertension"],
        "drug_classes": ["glp1_agonist"],
        "rx_medication_count": 2,
        "smoking_status": "former",
        "bmi": 31.4,
        "bmi_class": "obese_1",
        "phq9_score": 3,
        "phq9_severity": "minimal",
    },
}
WITHOUT_HEALTH = {**NURSE, "occupation": None, "is_parent": None, "health_profile": None}

MET = [
    where(),
    where(match="any"),
    where(age=between(41, 41)),
    where(age=41),
    where(age=between(max=41), gender="FEMALE"),
    where(state=["TX", "ca"]),
    where(is_parent=True),
    where(is_parent=[True, False]),
    where(occupation="registered nurses"),
    where(condition="diabetes"),
    where(condition=["gout", "hypertension"]),
    where(conditions=all_of("diabetes", "hypertension")),
    where(drug_class="Ozempic"),
    where(bmi_class="obese"),
    where(bmi_class=all_of("obese", "obese_1")),
    where(bmi=between(31.4), rx_medication_count=2),
    where(match="any", gender="male", phq9_score=between(max=4)),
]

NOT_MET = [
    where(age=between(42)),
    where(age=between(max=40.9)),
    where(state="TX"),
    where(state=all_of("CA", "TX")),
    where(is_parent=False),
    where(occupation="nurses"),
    where(country="Canada"),
    where(country="Atlantis"),
    where(conditions=all_of("diabetes", "gout")),
    where(bmi_class=["normal", "obese_2"]),
    where(gender="female", smoking_status="never"),
    where(match="any", gender="male", smoking_status="never"),
]


@pytest.mark.parametrize("one", MET, ids=repr)
def test_met(one: Filter) -> None:
    assert matches(one, NURSE)


@pytest.mark.parametrize("one", NOT_MET, ids=repr)
def test_not_met(one: Filter) -> None:
    assert not matches(one, NURSE)


@pytest.mark.parametrize(
    "one",
    [
        where(condition="diabetes"),
        where(bmi=between(0)),
        where(bmi=between(max=99)),
        where(smoking_status=["never", "former", "current"]),
        where(match="any", bmi=between(0), condition="gout"),
        where(is_parent=False),
        where(occupation="Registered Nurses"),
    ],
    ids=repr,
)
def test_a_field_without_a_value_meets_nothing(one: Filter) -> None:
    assert not matches(one, WITHOUT_HEALTH)


def test_other_fields_still_count_without_health_data() -> None:
    assert matches(where(match="any", gender="female", condition="gout"), WITHOUT_HEALTH)
    assert matches(where(gender=any_of("female", "male")), WITHOUT_HEALTH)
