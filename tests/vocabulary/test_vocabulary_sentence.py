"""Filters in plain words."""

from __future__ import annotations

import pytest

from voxpop.vocabulary import Filter, all_of, between, where

SENTENCES = [
    (where(), "all agents"),
    (
        where(country="USA", age=between(25, 64), drug_class="GLP-1"),
        "US adults aged 25 to 64 taking a GLP-1 medicine",
    ),
    (where(country=["USA", "Canada"], gender="female"), "US and Canadian women"),
    (where(country="Atlantis", gender="male"), "men living in Atlantis"),
    (where(age=between(65)), "adults aged 65 or older"),
    (where(age=between(max=30)), "adults aged 30 or younger"),
    (where(age=40), "adults aged 40"),
    (where(is_parent=True), "adults with a child under 18 at home"),
    (where(is_parent=False), "adults without a child under 18 at home"),
    (where(state=["CA", "NY", "TX"]), "adults living in CA, NY or TX"),
    (where(conditions=all_of("diabetes", "hypertension")), "adults with type 2 diabetes and hypertension"),
    (where(household_income="under $15,000"), "adults with a household income of under $15,000"),
    (where(labour_status=["student", "retired"]), "adults who are students or retired"),
    (where(smoking_status=["never", "former"]), "adults who never smoked or smoked formerly"),
    (where(bmi_class="obese"), "adults in the BMI class obese (any class)"),
    (where(bmi=between(30)), "adults with a BMI of 30 or more"),
    (where(phq9_score=between(max=4)), "adults with a PHQ-9 score of 4 or less"),
    (where(match="any", country="USA"), "US adults"),
    (
        where(country="UK", urban_rural="urban", sleep_quality="poor", diet_quality="mixed"),
        "UK adults in urban areas, with poor sleep and with a mixed diet",
    ),
    (
        where(match="any", gender="female", age=between(18, 29)),
        "adults who meet at least one of these: aged 18 to 29; women",
    ),
]


@pytest.mark.parametrize(("one", "words"), SENTENCES, ids=[words for _, words in SENTENCES])
def test_sentences(one: Filter, words: str) -> None:
    assert one.sentence() == words
