"""The fields agree with the interface and with the reference figures, and say what they mean."""

from __future__ import annotations

import csv
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import voxpop.vocabulary as vocabulary
from voxpop.errors import FilterError
from voxpop.vocabulary import FIELDS, field, nearest, parse
from voxpop.vocabulary.levels import US_INDUSTRIES
from voxpop.vocabulary.places import US_STATES

# Typed from the interface, section 2.12, the additive fields of the contract, and those of 2026.5 on.
NAMES = [
    "country",
    "state",
    "age",
    "is_parent",
    "gender",
    "ethnicity",
    "education",
    "household_income",
    "urban_rural",
    "marital_status",
    "household_size",
    "children_count",
    "youngest_child_age",
    "income_quintile",
    "poverty_ratio",
    "housing_tenure",
    "insurance",
    "veteran",
    "born_in_country",
    "religion",
    "party_id",
    "ideology",
    "occupation",
    "occupation_major_group",
    "industry",
    "labour_status",
    "title_variant",
    "health_conditions",
    "health_drug_classes",
    "smoking_status",
    "alcohol_use",
    "physical_activity_level",
    "sleep_quality",
    "diet_quality",
    "bmi_class",
    "phq9_severity",
    "rx_medication_count",
    "bmi",
    "phq9_score",
    "self_rated_health",
]

ALIASES = {
    "occupation_major_groups": "occupation_major_group",
    "major_group": "occupation_major_group",
    "employment": "labour_status",
    "employment_status": "labour_status",
    "labor_status": "labour_status",
    "title_variants": "title_variant",
    "condition": "health_conditions",
    "conditions": "health_conditions",
    "health_condition": "health_conditions",
    "drug_class": "health_drug_classes",
    "drug_classes": "health_drug_classes",
    "medication_class": "health_drug_classes",
    "medication_classes": "health_drug_classes",
    "health_bmi_class": "bmi_class",
    "marital": "marital_status",
    "number_of_children": "children_count",
    "income_fifth": "income_quintile",
    "home_ownership": "housing_tenure",
    "health_insurance": "insurance",
    "insurance_type": "insurance",
    "is_veteran": "veteran",
    "native_born": "born_in_country",
    "born_in_us": "born_in_country",
    "religious_affiliation": "religion",
    "party": "party_id",
    "party_identification": "party_id",
    "political_ideology": "ideology",
    "political_views": "ideology",
    "general_health": "self_rated_health",
}
RANGES = {
    *("age", "rx_medication_count", "bmi", "phq9_score"),
    *("household_size", "children_count", "youngest_child_age", "poverty_ratio"),
}
SUMS = {
    ("religion", "Christians"): {"protestant", "catholic", "orthodox_christian", "other_christian"},
    ("party_id", "Democrats"): {"strong_democrat", "democrat"},
    ("party_id", "democrat"): {"democrat"},
    ("party_id", "Independents"): {
        *("independent_lean_democrat", "independent", "independent_lean_republican"),
    },
    ("party_id", "Republicans"): {"republican", "strong_republican"},
    ("ideology", "liberals"): {"extremely_liberal", "liberal", "slightly_liberal"},
    ("ideology", "conservatives"): {"slightly_conservative", "conservative", "extremely_conservative"},
    ("marital_status", "single"): {"never_married"},
    ("housing_tenure", "Homeowners"): {"owner"},
    ("insurance", "no insurance"): {"uninsured"},
    ("insurance", "Medicaid"): {"medicaid"},
}


SLUGS = Path(__file__).parent / "reference"


def rows_of(name: str) -> list[dict[str, str]]:
    figures = files("voxpop.population") / "reference" / name
    table = SLUGS / name if (SLUGS / name).exists() else figures
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def test_every_field_of_the_interface_is_there_in_order() -> None:
    assert list(FIELDS) == NAMES


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_aliases_lead_to_their_field_in_any_case(alias: str, name: str) -> None:
    assert field(alias).name == name
    assert field(alias.upper()).name == name


def test_there_are_no_other_aliases() -> None:
    assert {alias for each in FIELDS.values() for alias in each.aliases} == set(ALIASES)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("range", RANGES),
        ("boolean", {"is_parent", "veteran", "born_in_country"}),
        ("list", {"health_conditions", "health_drug_classes"}),
    ],
)
def test_kinds(kind: str, names: set[str]) -> None:
    assert {name for name, each in FIELDS.items() if each.kind == kind} == names


def test_fields_whose_values_the_population_decides_have_no_levels() -> None:
    open_ones = {name for name, each in FIELDS.items() if each.kind == "category" and not each.levels}
    assert open_ones == {"state", "ethnicity", "occupation", "industry", "title_variant"}
    assert {name for name in open_ones if field(name).finite} == {"state", "ethnicity", "industry"}


@pytest.mark.parametrize("each", FIELDS.values(), ids=FIELDS)
def test_a_field_explains_itself(each: vocabulary.Field) -> None:
    assert each.meaning.endswith(".")
    assert each.meaning[0].isupper()
    assert each.label
    assert (each.unit is not None) == (each.kind == "range" or each.name == "household_income")
    assert len(set(each.levels)) == len(each.levels)


@pytest.mark.parametrize(("name", "words"), SUMS)
def test_words_for_people_mean_the_levels_that_they_cover(name: str, words: str) -> None:
    [found] = vocabulary.where(**{name: words}).expand(name)
    assert found == SUMS[name, words]


def test_is_parent_means_a_child_in_the_household() -> None:
    assert field("is_parent").meaning == (
        "Whether the agent is the parent of a child under 18 living in the household."
    )


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("gendr", "unknown field; did you mean gender?"),
        ("group_size", "unknown field"),
        ("sex", "unknown field; did you mean gender?"),
        ("sleep", "unknown field; did you mean sleep_quality?"),
        ("title", "unknown field; did you mean title_variant or state?"),
        ("kids", "unknown field; did you mean is_parent?"),
        ("conditon", "unknown field; did you mean health_conditions?"),
        ("bmi_min", 'unknown field; bmi takes {"min": ..., "max": ...}'),
        ("zzzzzz", "unknown field; the fields are country, state, age"),
    ],
)
def test_an_unknown_field_is_told_what_is_near(word: str, message: str) -> None:
    with pytest.raises(FilterError) as caught:
        field(word)
    assert caught.value.problems[word][0].startswith(message)


def test_levels_are_those_of_the_reference_figures() -> None:
    assert [row["income_band"] for row in rows_of("us_household_income.csv")] == list(
        field("household_income").levels
    )
    assert [row["occupation_major_group"] for row in rows_of("us_occupation_major_group.csv")] == list(
        field("occupation_major_group").levels
    )
    assert {row["industry"] for row in rows_of("us_industry.csv")} == set(US_INDUSTRIES)
    names = {row["state"]: row["state_name"] for row in rows_of("us_state_age_sex.csv")}
    assert names == dict(US_STATES)


@pytest.mark.parametrize(
    ("table", "name"),
    [("condition_slugs.csv", "health_conditions"), ("drug_class_slugs.csv", "health_drug_classes")],
)
def test_slugs_and_their_aliases_are_those_of_the_reference_tables(table: str, name: str) -> None:
    rows = rows_of(table)
    assert [row["slug"] for row in rows] == list(field(name).levels)
    for row in rows:
        for alias in filter(None, [row["slug"], *row["aliases"].split(";")]):
            assert parse({name: alias}) == parse({name: row["slug"]})
            assert parse({name: alias.upper()}) == parse({name: row["slug"]})


def test_nearest_is_case_blind_ordered_and_bounded() -> None:
    assert nearest("FEMAIL", ["male", "female", "non_binary"]) == ["female", "male"]
    assert nearest("abcd", ["abcx", "abcy", "abcz", "abcw"]) == ["abcx", "abcy", "abcz"]
    assert nearest("abcd", ["abcx", "abcd"], n=1) == ["abcd"]
    assert nearest("a" * 100_000, ["a" * 100_000]) == []


def test_importing_the_vocabulary_loads_the_standard_library_only() -> None:
    code = (
        "import sys; before = set(sys.modules); import voxpop.vocabulary\n"
        "roots = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(roots - set(sys.stdlib_module_names) - {'voxpop'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_everything_exported_is_there() -> None:
    assert all(hasattr(vocabulary, name) for name in vocabulary.__all__)
