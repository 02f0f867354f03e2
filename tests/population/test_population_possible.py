"""Nobody of 100,000 agents is impossible: ages, jobs, schooling, medicines and bodies fit together."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

import pytest

from voxpop.engines.agents import Agent
from voxpop.population.queries import Population
from voxpop.vocabulary.filters import Filter, between, where

USA: dict[str, Any] = {"country": "USA"}


def table(name: str) -> list[dict[str, str]]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


IMPOSSIBLE = {
    "retired before 45": where(**USA, labour_status="retired", age=between(max=44)),
    "a student past 65": where(**USA, labour_status="student", age=between(min=65)),
    "at work at 90": where(**USA, labour_status=["employed", "unemployed"], age=between(min=90)),
    "a mother of a minor at 80": where(**USA, is_parent=True, age=between(min=80)),
    "a graduate at 20": where(**USA, education="College graduate or above", age=between(max=20)),
    "a pilot, a police officer or a firefighter past retirement age": where(
        **USA,
        occupation=[
            "Airline Pilots, Copilots, and Flight Engineers",
            "Police and Sheriff's Patrol Officers",
            "Detectives and Criminal Investigators",
            "First-Line Supervisors of Police and Detectives",
            "Firefighters",
            "First-Line Supervisors of Firefighting and Prevention Workers",
        ],
        age=between(min=65),
    ),
    "a roofer past 75": where(**USA, occupation="Roofers", age=between(min=75)),
    "a surgeon's job without college": where(
        **USA,
        occupation=["Family Medicine Physicians", "Dentists, General", "Lawyers", "Pharmacists"],
        education=["Less than 9th grade", "9-11th grade", "High school graduate/GED"],
    ),
    "a manager at 18": where(**USA, major_group="Management", age=between(max=19)),
    "prostate disease of a woman": where(gender="female", condition="bph"),
    "a prostate medicine of a woman": where(gender="female", drug_class="alpha_blocker_bph"),
    "the pill of a man": where(gender="male", drug_class="oral_contraceptive"),
    "the pill past 50": where(age=between(min=50), drug_class="oral_contraceptive"),
    "osteoporosis before 50": where(**USA, condition="osteoporosis", age=between(max=49)),
    "two kinds of diabetes": where(condition={"all": ["diabetes_t1", "diabetes_t2"]}),
    "diabetes and prediabetes": where(condition={"all": ["diabetes_t2", "prediabetes"]}),
    "obese below BMI 30": where(bmi_class=["obese"], bmi=between(max=29.9)),
    "not obese at BMI 30": where(bmi_class=["underweight", "normal", "overweight"], bmi=between(min=30)),
    "severe at a score of 19": where(phq9_severity="severe", phq9_score=between(max=19)),
    "minimal at a score of 5": where(phq9_severity="minimal", phq9_score=between(min=5)),
}


@pytest.mark.parametrize("filter", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_nobody_is(large: Population, filter: Filter) -> None:
    assert large.count(filter) == 0


def test_every_job_has_its_holders_between_its_ages(large: Population) -> None:
    rules = {row["soc_prefix"]: row for row in table("us_occupation_entry_assumed")}
    ranks = {name: at for at, (name, _) in enumerate(large.facets(where(**USA))["education"])}
    found = large.tally(["occupation", "age", "education"], where(**USA, labour_status="employed"))
    for job in table("us_occupations"):
        code = job["soc_code"]
        rule = rules[max((prefix for prefix in rules if code.startswith(prefix)), key=len)]
        chosen = found.which(occupation=job["occupation"])
        if not chosen.any():
            continue
        assert found.codes["age"][chosen].min() >= int(rule["least_age"]), job["occupation"]
        assert found.codes["age"][chosen].max() <= int(rule["most_age"] or 89), job["occupation"]
        least = min(ranks[found.labels["education"][code]] for code in found.codes["education"][chosen])
        assert least >= ranks[rule["least_education"]], job["occupation"]


def test_without_a_reason_a_medicine_is_as_rare_as_published(large: Population) -> None:
    """The published shares of users without the condition, per class and condition, are upper bounds."""
    without = {
        (row["drug_class"], row["condition"]): float(row["share_using_without_condition"])
        for row in table("us_drug_class_given_condition")
        if row["age_band"] == "18+"
    }
    reasons: dict[str, list[str]] = {}
    for row in table("us_drug_indications_assumed"):
        reasons.setdefault(row["drug_class"], []).append(row["condition"])
    healthy = where(**USA, rx_medication_count=between(min=0))
    found = large.tally(["health_conditions", "health_drug_classes"], healthy)
    checked = 0
    for drug, conditions in reasons.items():
        bounds = [without[drug, name] for name in conditions if (drug, name) in without]
        if not bounds:
            continue
        none = ~sum((found.having("health_conditions", name) for name in conditions), found.number < 0)
        share, base = found.share(found.having("health_drug_classes", drug), none)
        assert base > 20_000
        assert share <= min(bounds) * 1.5 + 0.005, drug
        checked += 1
    assert checked > 30


def test_some_medicines_are_nearly_only_taken_for_their_reason(large: Population) -> None:
    for drug, condition, least in (
        ("insulin", ["diabetes_t1", "diabetes_t2"], 0.9),
        ("sulfonylurea", ["diabetes_t2"], 0.9),
        ("triptan", ["migraine"], 0.93),
        ("bisphosphonate", ["osteoporosis"], 0.85),
        ("glp1_agonist", ["diabetes_t2", "obesity"], 0.8),
    ):
        taking = large.count(where(**USA, drug_class=drug))
        assert large.count(where(**USA, drug_class=drug, condition=condition)) >= least * taking, drug


def test_no_summary_contradicts_a_field(large: Population) -> None:
    words = {
        "retired": "retired",
        "student": "stud",
        "unemployed": "is looking for work",
        "disabled": "disability",
    }
    agents: list[Agent] = large.agents(range(1, 100_001, 17))
    for agent in agents:
        text = agent.summary
        assert f"{agent.age}" in text
        assert ("child under 18" in text) == bool(agent.is_parent)
        assert ("works as" in text) == (agent.labour_status == "employed")
        for status, word in words.items():
            if agent.title_variant is None and word in text:
                assert agent.labour_status == status, text
        if agent.household_income:
            assert agent.household_income.lower() in text.lower()


def test_schooling_and_income_differ_as_a_demographer_expects(large: Population) -> None:
    def graduates(group: str) -> float:
        who: dict[str, Any] = {**USA, "ethnicity": group, "age": between(25)}
        return large.count(where(**who, education="College graduate or above")) / large.count(where(**who))

    groups = ["Hispanic or Latino", "Black or African American", "White, non-Hispanic", "Asian"]
    shares = [graduates(group) for group in groups]
    assert shares == sorted(shares)
    assert shares[0] < 0.27
    assert shares[-1] > 0.45

    def median_band(**who: Any) -> float:
        counts = [n for _, n in large.facets(where(**USA, **who))["household_income"]]
        below, half = 0, sum(counts) / 2
        for at, number in enumerate(counts):
            if below + number >= half:
                return at + (half - below) / number
            below += number
        raise AssertionError("nobody")

    levels = [name for name, _ in large.facets(where(**USA))["education"]]
    by_schooling = [median_band(education=level) for level in levels]
    assert by_schooling == sorted(by_schooling)
    by_group = [median_band(ethnicity=group) for group in (groups[1], groups[0], groups[2], groups[3])]
    assert by_group == sorted(by_group)
    poorer, richer = (median_band(state=state) for state in (["MS", "WV", "AR"], ["MD", "NJ", "MA"]))
    assert poorer + 0.7 < richer
