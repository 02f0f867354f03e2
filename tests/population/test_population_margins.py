"""The margins of the agents of the USA against the reference figures, read here from the csv files."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

import pytest

from voxpop.population.blocks import BLOCK
from voxpop.population.queries import Population
from voxpop.vocabulary import filters
from voxpop.vocabulary.filters import Filter, between

GENDERS = ("male", "female")


def where(**who: Any) -> Filter:
    """People of the USA."""
    return filters.where(country="USA", **who)


def table(name: str) -> list[dict[str, str]]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def ages(band: str) -> tuple[int, int]:
    first, _, last = band.replace("+", "-120").partition("-")
    return int(first), int(last)


def cohort(band: str, gender: str) -> Filter:
    first, last = ages(band)
    who = {} if gender == "all" else {"gender": gender}
    return where(age=between(first, last), rx_medication_count=between(min=0), **who)


def shares(population: Population, filter: Filter, field: str) -> dict[str, float]:
    counts = dict(population.facets(filter, [field])[field])
    size = population.count(filter)
    return {value: count / size for value, count in counts.items()}


def slack(size: int) -> float:
    """Three standard errors of a free draw, and what is lost by rounding to whole agents."""
    return 1.5 / size**0.5 + 2 / size


def free(share: float, size: int) -> float:
    """Four standard errors of agents drawn independently of each other, and one agent.

    Blocks are drawn from shares that are expected, so their counts vary as those of a sample do.
    """
    return float(4 * (share * (1 - share) / size) ** 0.5 + 1 / size)


@pytest.mark.parametrize("gender", GENDERS)
def test_state_and_age_and_sex(large: Population, gender: str) -> None:
    rows = table("us_state_age_sex")
    adults = sum(float(row["male"]) + float(row["female"]) for row in rows)
    for row in rows:
        if row["state"] not in ("CA", "WY", "NY", "MT", "TX"):
            continue
        first, last = ages(row["age_band"])
        found = large.count(where(state=row["state"], age=between(first, last), gender=gender))
        # evenly drawn within a block: only the two ends of a cell vary, with a variance of at most 1/4 each
        varying = 4 * (large.size / BLOCK / 2) ** 0.5
        assert found == pytest.approx(float(row[gender]) / adults * large.count(where()), abs=varying)


@pytest.mark.parametrize("state", ["CA", "WV", "HI", "MS", "NM"])
def test_ethnicity_differs_by_state_as_published(large: Population, state: str) -> None:
    published = {
        row["ethnicity"]: float(row["share"]) for row in table("us_state_ethnicity") if row["state"] == state
    }
    published["Two or more races"] += published.pop("Some other race")
    found = shares(large, where(state=state), "ethnicity")
    for ethnicity, share in published.items():
        # the published shares count all ages: adults are less Hispanic and less multiracial
        assert found.get(ethnicity, 0.0) == pytest.approx(share, abs=0.09)
    most = published["Two or more races"]
    assert found.get("Two or more races", 0.0) < most + 0.01 + free(most, large.count(where(state=state)))


def test_hispanic_share_falls_with_age(large: Population) -> None:
    for row in table("us_ethnicity_age_labour"):
        if row["ethnicity"] == "Hispanic or Latino":
            first, last = ages(row["age_band"])
            found = shares(large, where(age=between(first, last)), "ethnicity")["Hispanic or Latino"]
            assert found == pytest.approx(float(row["share_of_age_band"]), abs=0.01)


def test_parents_are_those_of_the_documented_measure(large: Population) -> None:
    for row in table("us_parent_status"):
        if row["measure"] == "parent_of_minor_child_in_household":
            first, last = ages(row["age_band"])
            who = where(age=between(first, last), gender=row["gender"])
            found = large.count(where(age=between(first, last), gender=row["gender"], is_parent=True))
            share, size = float(row["share"]), large.count(who)
            assert found / size == pytest.approx(share, abs=0.005 + free(share, size))


@pytest.mark.parametrize(
    ("name", "key", "field"),
    [
        ("us_education_age_sex", "education", "education"),
        ("us_labour_status_age_sex", "labour_status", "labour_status"),
    ],
)
def test_demographic_cells(large: Population, name: str, key: str, field: str) -> None:
    for band in dict.fromkeys(row["age_band"] for row in table(name)):
        for gender in GENDERS:
            first, last = ages(band)
            filter = where(age=between(first, last), gender=gender)
            found = shares(large, filter, field)
            for row in table(name):
                if (row["age_band"], row["gender"]) == (band, gender) and band != "20+":
                    expected = float(row["share"])
                    assert found.get(row[key], 0.0) == pytest.approx(expected, abs=slack(large.count(filter)))


def test_household_income_and_urban_rural(large: Population) -> None:
    income = shares(large, where(), "household_income")
    for row in table("us_household_income"):
        share = float(row["share_of_households"])
        assert income[row["income_band"]] == pytest.approx(share, abs=free(share, large.count(where())))
    assert shares(large, where(), "urban_rural")["urban"] == pytest.approx(0.8, abs=0.003)


def test_major_groups_of_men_and_women(large: Population) -> None:
    for gender, column in (("male", "share_men"), ("female", "share_women")):
        working = where(gender=gender, labour_status="employed")
        found = shares(large, working, "occupation_major_group")
        for row in table("us_occupation_major_group"):
            if row[column]:
                assert found[row["occupation_major_group"]] == pytest.approx(float(row[column]), abs=0.012)


def test_industries(large: Population) -> None:
    rows = [row for row in table("us_industry") if row["employed_thousands"]]
    total = sum(float(row["employed_thousands"]) for row in rows)
    found = shares(large, where(labour_status="employed"), "industry")
    for row in rows:
        assert found[row["industry"]] == pytest.approx(float(row["employed_thousands"]) / total, abs=0.005)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("us_bmi_class", "bmi_class"),
        ("us_phq9_severity", "phq9_severity"),
        ("us_physical_activity", "physical_activity_level"),
        ("us_sleep_quality", "sleep_quality"),
    ],
)
def test_health_cells(large: Population, name: str, key: str) -> None:
    expected: dict[tuple[str, str], dict[str, float]] = {}
    for row in table(name):
        if row["gender"] in GENDERS and row["age_band"] != "18+":
            cell = expected.setdefault((row["age_band"], row["gender"]), {})
            cell[row[key]] = cell.get(row[key], 0.0) + float(row["share"])
    for (band, gender), levels in expected.items():
        found, size = shares(large, cohort(band, gender), key), large.count(cohort(band, gender))
        for level, each in levels.items():
            share = each / sum(levels.values())
            assert found.get(level, 0.0) == pytest.approx(share, abs=0.005 + free(share, size)), (
                band,
                gender,
            )


def test_smoking_alcohol_and_diet(large: Population) -> None:
    assigned = where(rx_medication_count=between(min=0))
    assert shares(large, assigned, "smoking_status")["current"] == pytest.approx(0.115, abs=0.005)
    alcohol = shares(large, assigned, "alcohol_use")
    for level, share in {"none": 0.337, "light": 0.457, "moderate": 0.155, "heavy": 0.051}.items():
        assert alcohol[level] == pytest.approx(share, abs=0.006)
    diet = shares(large, assigned, "diet_quality")
    for level, share in {"poor": 0.4, "mixed": 0.4, "healthy": 0.2}.items():
        assert diet[level] == pytest.approx(share, abs=0.005 + free(share, large.count(assigned)))


def test_diagnosed_conditions_by_age_and_sex(large: Population) -> None:
    for row in table("us_condition_nhanes_1718"):
        if row["measure"] != "self_reported_diagnosis" or row["gender"] == "all" or row["age_band"] == "18+":
            continue
        chosen, share = cohort(row["age_band"], row["gender"]), float(row["share"])
        found = shares(large, chosen, "health_conditions").get(row["condition"], 0.0)
        assert found == pytest.approx(share, abs=0.006 + free(share, large.count(chosen))), row


@pytest.mark.parametrize(
    ("condition", "band", "gender", "percent"),
    [
        ("arthritis", "45-64", "female", 29.3),
        ("arthritis", "75+", "male", 44.7),
        ("depression", "18+", "female", 24.0),
        ("depression", "18+", "male", 13.3),
        ("chronic_pain", "18+", "all", 24.3),
        ("asthma", "18+", "all", 8.0),
        ("osteoporosis", "65+", "female", 27.1),
        ("osteoporosis", "18-49", "all", 0.0),
        ("prediabetes", "18+", "all", 38.0),
        ("heart_failure", "20+", "all", 2.3),
        ("bph", "18+", "female", 0.0),
    ],
)
def test_published_conditions(
    large: Population, condition: str, band: str, gender: str, percent: float
) -> None:
    found = shares(large, cohort(band, gender), "health_conditions")
    assert found.get(condition, 0.0) * 100 == pytest.approx(percent, abs=0.8)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ("obesity", "diabetes_t2", 2.22, 3.65),
        ("hypertension", "diabetes_t2", 3.15, 5.34),
        ("depression", "anxiety", 9.01, 18.28),
        ("gerd", "chronic_pain", 2.33, 5.14),
        ("obesity", "hypertension", 2.11, 3.14),
    ],
)
def test_what_goes_together_lies_in_the_published_interval(
    large: Population, first: str, second: str, low: float, high: float
) -> None:
    """The odds ratio pooled over age and sex (Mantel-Haenszel)."""
    agree = differ = 0.0
    for band in ("18-29", "30-39", "40-49", "50-59", "60-69", "70+"):
        for gender in GENDERS:
            start, end = ages(band)
            of = {"age": between(start, end), "gender": gender}
            size = large.count(where(bmi=between(1, 99), **of))
            a, b = (large.count(where(condition=name, **of)) for name in (first, second))
            both = large.count(where(condition={"all": [first, second]}, **of))
            agree += both * (size - a - b + both) / size
            differ += (a - both) * (b - both) / size
    assert low < agree / differ < high


def test_drug_classes_by_age_and_sex(large: Population) -> None:
    ours = {"glp1_agonist", "oral_contraceptive", "alpha_blocker_bph"}  # documented: not from this table
    for row in table("us_drug_class_use"):
        if row["gender"] in GENDERS and row["age_band"] != "18+" and row["drug_class"] not in ours:
            chosen, share = cohort(row["age_band"], row["gender"]), float(row["share"])
            found = shares(large, chosen, "health_drug_classes").get(row["drug_class"], 0.0)
            assert found == pytest.approx(share, abs=0.005 + free(share, large.count(chosen))), row


def test_glp1_use_is_that_of_recent_figures(large: Population) -> None:
    """12 % of adults, 15 % of women, 9 % of men, 45 % of those with diabetes (KFF, autumn 2025)."""
    current = {
        row["group"]: float(row["value_pct"]) / 100
        for row in table("us_drug_class_recent")
        if (row["drug_class"], row["measure"], row["year"]) == ("glp1_agonist", "currently taking", "2025")
    }
    for group, chosen in {
        "adults 18+": cohort("18+", "all"),
        "women": cohort("18+", "female"),
        "men": cohort("18+", "male"),
        "50-64": cohort("50-64", "all"),
        "65+": cohort("65+", "all"),
        "told diabetes": where(condition=["diabetes_t1", "diabetes_t2"]),
    }.items():
        found = shares(large, chosen, "health_drug_classes")["glp1_agonist"]
        # the poll publishes whole percentages
        assert found == pytest.approx(current[group], abs=0.01 + free(current[group], large.count(chosen))), (
            group
        )


def test_medicines_are_taken_for_their_condition(large: Population) -> None:
    """Newer levels of conditions supersede the shares, but not how many times more often users have them."""
    for condition, drug in (
        ("diabetes_t2", "metformin"),
        ("hypertension", "arb"),
        ("high_cholesterol", "statin"),
    ):
        row = next(
            row
            for row in table("us_drug_class_given_condition")
            if (row["condition"], row["drug_class"], row["age_band"]) == (condition, drug, "18+")
        )
        having, takers = where(condition=condition), where(drug_class=drug)
        users = large.count(where(condition=condition, drug_class=drug))
        given = users / large.count(having)
        others = (large.count(takers) - users) / (large.count(cohort("18+", "all")) - large.count(having))
        published = [
            float(row[name]) for name in ("share_using_given_condition", "share_using_without_condition")
        ]
        assert given / others == pytest.approx(published[0] / published[1], rel=0.5), (
            given,
            others,
            published,
        )
