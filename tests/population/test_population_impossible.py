"""Impossible or rare combinations: each rule, with its source, holds for none or few of 100,000 agents."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise

import duckdb
import pytest

from voxpop.population.queries import Population

DEGREE = "College graduate or above"


def table(name: str) -> list[dict[str, str]]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def listed(names: list[str]) -> str:
    return ", ".join("'" + name.replace("'", "''") + "'" for name in names)


def jobs_of_graduates() -> list[str]:
    """Return the occupations whose entry rule, that of the longest prefix, demands a degree."""
    rules = {row["soc_prefix"]: row for row in table("us_occupation_entry_assumed")}
    found = []
    for job in table("us_occupations"):
        prefix = max((prefix for prefix in rules if job["soc_code"].startswith(prefix)), key=len)
        if rules[prefix]["least_education"] == DEGREE:
            found.append(job["occupation"])
    return found


def titles_of_graduates() -> list[str]:
    rows = table("us_title_demands_assumed")
    return [row["title"] for row in rows if row["least_education"] == DEGREE and "{t}" not in row["title"]]


UNIFORMS = listed(
    [
        "Airline Pilots, Copilots, and Flight Engineers",
        "Police and Sheriff's Patrol Officers",
        "Detectives and Criminal Investigators",
        "First-Line Supervisors of Police and Detectives",
        "Firefighters",
        "First-Line Supervisors of Firefighting and Prevention Workers",
    ]
)
SENIOR = "regexp_matches(title_variant::VARCHAR, '{}')"
MEDICATED = "health_drug_classes IS NOT NULL"
HOME = "household_size IS NOT NULL"


def has(condition: str) -> str:
    return f"list_contains(health_conditions::VARCHAR[], '{condition}')"


def takes(drug_class: str) -> str:
    return f"list_contains(health_drug_classes::VARCHAR[], '{drug_class}')"


DIABETES = f"({has('diabetes_t1')} OR {has('diabetes_t2')})"


@dataclass(frozen=True)
class Rule:
    """A condition, the agents among whom its share is taken, and the highest share.

    Attributes
    ----------
    condition, among : str
        SQL on the table of agents. An unknown field makes no condition true.
    most : float
        Highest share, from 0 for an impossible agent to 1.
    source : str
        Where the highest share comes from.
    """

    condition: str
    among: str
    most: float = 0.0
    source: str = ""


BMI_CLASSES = (
    "CASE WHEN bmi < 18.5 THEN 'underweight' WHEN bmi < 25 THEN 'normal' WHEN bmi < 30 THEN 'overweight' "
    "WHEN bmi < 35 THEN 'obese_1' WHEN bmi < 40 THEN 'obese_2' ELSE 'obese_3' END"
)
SEVERITIES = (
    "CASE WHEN phq9_score < 5 THEN 'minimal' WHEN phq9_score < 10 THEN 'mild' "
    "WHEN phq9_score < 15 THEN 'moderate' WHEN phq9_score < 20 THEN 'moderately_severe' ELSE 'severe' END"
)

RULES = {
    "insulin without diabetes": Rule(f"NOT {DIABETES}", takes("insulin")),
    "type 1 diabetes without insulin": Rule(
        f"NOT {takes('insulin')}", f"{has('diabetes_t1')} AND {MEDICATED}"
    ),
    "both types of diabetes": Rule(has("diabetes_t2"), has("diabetes_t1")),
    "diabetes and prediabetes": Rule(has("prediabetes"), DIABETES),
    "obese by diagnosis but not by BMI, or the reverse": Rule(f"{has('obesity')} <> (bmi >= 30)", "bmi > 0"),
    "a BMI class of another BMI": Rule(f"bmi_class::VARCHAR <> {BMI_CLASSES}", "bmi > 0"),
    "a severity of another PHQ-9 score": Rule(f"phq9_severity::VARCHAR <> {SEVERITIES}", "phq9_score >= 0"),
    "a PHQ-9 score above 27": Rule("phq9_score > 27", "phq9_score >= 0"),
    "a number of medicines that is not that of the list": Rule(
        "rx_medication_count <> len(health_drug_classes)", MEDICATED
    ),
    "an ACE inhibitor with an ARB": Rule(
        f"{takes('ace_inhibitor')} AND {takes('arb')}",
        f"country = 'USA' AND {MEDICATED}",
        0.002,
        "guidelines advise against both at once; 0.04 % in NHANES 2017-2018 (us_nhanes_donors)",
    ),
    "a man on oral contraceptives": Rule(takes("oral_contraceptive"), "gender = 'male'"),
    "a woman over 49 on oral contraceptives": Rule(
        takes("oral_contraceptive"), "gender = 'female' AND age > 49"
    ),
    "a woman with a prostate": Rule(f"{has('bph')} OR {takes('alpha_blocker_bph')}", "gender = 'female'"),
    "a user of GLP-1 medicines neither diabetic nor overweight": Rule(
        f"NOT {DIABETES} AND bmi < 25",
        takes("glp1_agonist"),
        0.02,
        "assumed: licensed for type 2 diabetes, or for a BMI of 27 and over; 2 % stand for use off label",
    ),
    "a pilot, a police officer or a firefighter over 64": Rule(f"occupation IN ({UNIFORMS})", "age > 64"),
    "a job that demands a degree, held without": Rule(
        f"education::VARCHAR <> '{DEGREE}'", f"occupation IN ({listed(jobs_of_graduates())})"
    ),
    "a title that demands a degree, held without": Rule(
        f"education::VARCHAR <> '{DEGREE}'", f"title_variant IN ({listed(titles_of_graduates())})"
    ),
    "a senior, lead or experienced title before 25": Rule(
        SENIOR.format("^(Senior|Lead|Experienced) "), "age < 25"
    ),
    "a principal before 30": Rule(SENIOR.format("^Principal "), "age < 30"),
    "a director or a vice president before 32": Rule(
        SENIOR.format("Director-level|Director of|^Vice President|^Chief Executive|^CEO$"), "age < 32"
    ),
    "a youngest child who is no minor": Rule("youngest_child_age > 17", "is_parent"),
    "a parent less than 16 years older than the youngest child": Rule(
        "age - youngest_child_age < 16", "is_parent"
    ),
    "a mother more than 60 years older than the youngest child": Rule(
        "age - youngest_child_age > 60", "is_parent AND gender = 'female'"
    ),
    "a parent without children, or the reverse": Rule("(children_count > 0) <> is_parent", "age >= 18"),
    "a child without an age, or the reverse": Rule("(youngest_child_age IS NULL) = is_parent", "age >= 18"),
    "a household smaller than the family in it": Rule(
        "household_size < 1 + (marital_status IN ('married', 'living_with_partner'))::INT + children_count",
        HOME,
    ),
    "an American whose household is unknown": Rule(
        "household_size IS NULL OR marital_status IS NULL OR children_count IS NULL", "country = 'USA'"
    ),
    "Medicare of the employed under 65": Rule(
        "starts_with(insurance::VARCHAR, 'medicare')",
        "insurance IS NOT NULL AND age < 65 AND labour_status = 'employed'",
        0.015,
        "assumed: under 65 only the disabled and patients with renal failure or ALS are entitled to it",
    ),
    "Medicare under 65": Rule(
        "starts_with(insurance::VARCHAR, 'medicare')",
        "insurance IS NOT NULL AND age < 65",
        0.045,
        "3.9 % of the adults of NHANES 2017-2018 (weighted us_nhanes_donors)",
    ),
    "uninsured at 65": Rule(
        "insurance = 'uninsured'",
        "insurance IS NOT NULL AND age >= 65",
        0.015,
        "between 0.7 % (NHIS 2024, us_insurance) and 1.9 % (NHANES 2017-2018, weighted us_nhanes_donors)",
    ),
    "a veteran of 18 or 19": Rule(
        "veteran",
        "veteran IS NOT NULL AND age < 20",
        0.01,
        "assumed: terms of service are years long; 1 of 268 in NHANES 2017-2018 (us_nhanes_donors)",
    ),
    "a widow or widower under 25": Rule(
        "marital_status = 'widowed'",
        "marital_status IS NOT NULL AND age < 25",
        0.003,
        "assumed; none of 650 under 25 in NHANES 2017-2018 (us_nhanes_donors)",
    ),
    "a poverty ratio outside 0 to 5": Rule("poverty_ratio NOT BETWEEN 0 AND 5", "poverty_ratio IS NOT NULL"),
    "a poverty ratio that income and household rule out": Rule(
        "(poverty_ratio < 5 "
        "AND poverty_ratio + 0.1 <= lowest_income(household_income) / guideline(household_size)) "
        "OR poverty_ratio > highest_income(household_income) / guideline(household_size)",
        "poverty_ratio IS NOT NULL",
    ),
}


@pytest.fixture(scope="module")
def agents(large: Population) -> Iterator[duckdb.DuckDBPyConnection]:
    """The table of agents, with words for its rules.

    The poverty guideline is that of the Department of Health and Human Services for the 48 states in 2025.
    """
    bands = table("us_household_income")
    lows, highs = (
        " ".join(f"WHEN '{row['income_band']}' THEN {value}" for row, value in zip(bands, ends, strict=True))
        for ends in (
            [row["low_usd"] for row in bands],
            [*(row["low_usd"] for row in bands[1:]), "1e9"],
        )
    )
    with duckdb.connect(str(large.path), read_only=True) as connection:
        for macro in (
            f"lowest_income(band) AS CASE band::VARCHAR {lows} END",
            f"highest_income(band) AS CASE band::VARCHAR {highs} END",
            "guideline(people) AS 15650 + 5500 * (people - 1)",
        ):
            connection.execute(f"CREATE TEMP MACRO {macro}")
        yield connection


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_nobody_or_few_are(agents: duckdb.DuckDBPyConnection, rule: Rule) -> None:
    query = f"SELECT count(*) FILTER ({rule.condition}), count(*) FROM agents WHERE {rule.among}"
    broken, base = agents.execute(query).fetchone()
    assert base >= 100  # a rule about nobody proves nothing
    assert broken <= rule.most * base, f"{broken:,} of {base:,}"
    assert bool(rule.most) == bool(rule.source)


def test_a_higher_income_is_in_no_lower_fifth(agents: duckdb.DuckDBPyConnection) -> None:
    found = agents.execute(
        "SELECT household_income, enum_code(min(income_quintile)), enum_code(max(income_quintile)), count(*) "
        "FROM agents WHERE household_income IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert [band for band, *_ in found] == [row["income_band"] for row in table("us_household_income")]
    for (_, _, highest, _), (_, lowest, _, _) in pairwise(found):
        assert highest <= lowest


def test_every_fifth_is_a_fifth_in_every_country(agents: duckdb.DuckDBPyConnection) -> None:
    found = agents.execute(
        "SELECT country, income_quintile, count(*), sum(count(*)) OVER (PARTITION BY country) "
        "FROM agents GROUP BY 1, 2"
    ).fetchall()
    assert len(found) == 14 * 5
    for country, fifth, count, size in found:
        # four standard errors of a free draw
        assert abs(count / size - 0.2) <= 4 * (0.2 * 0.8 / size) ** 0.5, (country, fifth)
