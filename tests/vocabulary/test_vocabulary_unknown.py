"""Impossible filter values are named, with the nearest valid ones."""

from __future__ import annotations

import itertools
import string
from difflib import SequenceMatcher

import pytest

from voxpop.vocabulary import FIELDS, Field, Filter, all_of, between, unknown_values, where
from voxpop.vocabulary.nearest import within_one_typo
from voxpop.vocabulary.related import BRANDS, INDUSTRY_WORDS
from voxpop.vocabulary.synonyms import DRUG_CLASSES
from voxpop.vocabulary.values import canonical, fold, is_known, suggestions

LIVE = {"state": ["CA", "TX"], "ethnicity": ["Asian"], "industry": ["Utilities"], "occupation": ["Cashiers"]}
TITLES = {"cashier": "Cashiers", "checkout clerk": "Cashiers"}
FINITE = [field for field in FIELDS.values() if field.finite]


def names_of(field_name: str) -> dict[str, str]:
    """Return every value and other name of a field, folded, with its value."""
    field = FIELDS[field_name]
    values = (*field.levels, *field.known)
    return {fold(other): value for other, value in field.names.items()} | {
        fold(value): value for value in values
    }


def typos(word: str, letters: str = string.ascii_lowercase) -> set[str]:
    """Return all texts that are one letter left out, swapped, exchanged or added away."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    gone = {a + b[1:] for a, b in cuts if b}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    exchanged = {a + letter + b[1:] for a, b in cuts if b for letter in letters}
    added = {a + letter + b for a, b in cuts for letter in letters}
    return gone | swapped | exchanged | added


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
        ("state", "Massachusets", "MA"),
        ("ethnicity", "Hispanic", "Hispanic or Latino"),
        ("ethnicity", "White", "White, non-Hispanic"),
        ("ethnicity", "white british", "White: English, Welsh, Scottish, Northern Irish or British"),
        ("ethnicity", "African American", "Black or African American"),
        ("health_drug_classes", "Lipitor", "statin"),
        ("health_drug_classes", "zolof", "ssri"),
        ("industry", "tech", "Information"),
        ("industry", "tech", "Professional, Scientific, and Technical Services"),
        ("industry", "the tech industry", "Information"),
        ("industry", "Healthcare", "Health Care and Social Assistance"),
        ("industry", "finance", "Finance and Insurance"),
        ("industry", "restaurants", "Accommodation and Food Services"),
    ],
)
def test_misspellings_are_understood(field: str, typed: str, suggested: str) -> None:
    [found] = unknown_values(where(**{field: typed}), LIVE)
    assert suggested in found["suggestions"]
    assert len(found["suggestions"]) <= 5


@pytest.mark.parametrize("field", FINITE, ids=lambda field: field.name)
def test_every_value_is_suggested_for_every_typo_in_any_of_its_names(field: Field) -> None:
    # of the long lists a fixed part of the typos, since there are very many
    known = names_of(field.name)
    missed = []
    for number, (name, value) in enumerate(known.items()):
        for place, typed in enumerate(sorted(typos(name, "aeq" if len(known) > 60 else "aeinrst"))):
            if len(known) > 60 and (place + number) % 40:
                continue
            typed = typed.strip()
            if not typed or is_known(field, typed) or fold(typed) != typed:
                continue
            if value not in suggestions(field, typed):
                missed.append((typed, value))
    assert missed == []


def test_one_typo_is_what_brute_force_says() -> None:
    words = ["".join(letters) for size in range(5) for letters in itertools.product("ab", repeat=size)]
    for one in words:
        near = typos(one, "ab") | {one}
        assert {other for other in words if within_one_typo(one, other)} == near & set(words), one


def test_every_brand_has_an_ingredient_whose_class_is_known_and_is_no_name_itself() -> None:
    ingredients = {fold(name): slug for slug, (_, names) in DRUG_CLASSES.items() for name in (slug, *names)}
    field = FIELDS["health_drug_classes"]
    for brand, ingredient in BRANDS.items():
        assert not is_known(field, brand)
        assert suggestions(field, brand)[0] == ingredients[fold(ingredient)] == canonical(field, ingredient)


def test_every_word_of_an_industry_means_real_industries_and_is_none_itself() -> None:
    field = FIELDS["industry"]
    for word, meant in INDUSTRY_WORDS.items():
        assert not is_known(field, word)
        assert set(meant) <= set(field.known)
        assert set(meant) <= set(suggestions(field, word)), word


def test_fields_of_the_population_are_judged_by_the_vocabulary_too() -> None:
    odd = where(state="ZZ", industry="Wizardry")
    assert [found["field"] for found in unknown_values(odd)] == ["state", "industry"]
    assert [found["field"] for found in unknown_values(odd, LIVE)] == ["state", "industry"]
    assert unknown_values(where(state="ZZ"), {"state": ["ZZ"]}) == []


def test_live_labels_are_known_and_suggested() -> None:
    live = {"ethnicity": ["Indo-Fijian"]}
    assert unknown_values(where(ethnicity="Indo-Fijian"), live) == []
    [found] = unknown_values(where(ethnicity="Indo Fijan"), live)
    assert found["suggestions"] == ["Indo-Fijian"]


def test_values_of_another_country_are_named_where_that_is_asked_for() -> None:
    there = where(country="USA", ethnicity="Black", state=["CA", "Bavaria"])
    assert unknown_values(there) == []
    state, group = unknown_values(there, by_country=True)
    assert state["message"] == "'Bavaria' is a value of state in Germany, not in the USA"
    assert group["suggestions"] == ["Black or African American"]
    for fine in (
        where(match="any", country="USA", state="Bavaria"),
        where(country=["USA", "Germany"], state="Bavaria"),
        where(state="Bavaria"),
    ):
        assert unknown_values(fine, by_country=True) == []
    [white] = unknown_values(where(country="UK", ethnicity="White"))
    assert len(white["suggestions"]) == 4
    assert all(one.startswith("White: ") for one in white["suggestions"])


def test_occupations_and_titles_are_judged_where_the_titles_are_given() -> None:
    live = LIVE | {"title_variant": ["Senior Cashier"]}
    fine = where(occupation=["cashier", "cashiers", "Checkout Clerk"], title_variant="senior cashier")
    assert unknown_values(fine, live, titles=TITLES) == []
    odd = where(occupation="Chekout Clark", title_variant="Senor Cashier")
    job, title = unknown_values(odd, live, titles=TITLES)
    assert (job["suggestions"], title["suggestions"]) == (["Cashiers"], ["Senior Cashier"])
    [exact] = unknown_values(where(occupation=all_of("cashier")), live, titles=TITLES)
    assert exact["suggestions"] == ["Cashiers"]  # all_of takes no synonyms


def test_a_level_at_ratio_six_tenths_is_always_suggested() -> None:
    for level in ("never", "former", "current"):
        typed = level[:3] + "xyz"[: len(level) - 4]
        if SequenceMatcher(None, typed, level).ratio() >= 0.6:
            [found] = unknown_values(where(smoking_status=typed))
            assert level in found["suggestions"]


def test_suggestions_are_looked_for_twenty_times_at_most() -> None:
    odd = sorted(typos("utilities") - {"utilities"})
    found = unknown_values(where(industry=odd))
    assert [one["value"] for one in found] == odd
    assert [bool(one["suggestions"]) for one in found] == [True] * 20 + [False] * (len(odd) - 20)
