"""Agents of mixed profiles, made without a population, for tests that need many kinds of people at once."""

from __future__ import annotations

import csv
import random
import uuid
from dataclasses import replace
from importlib.resources import files

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.questions.place_codes import STATES
from voxpop_simulator.stances.leanings import _EDUCATION, _INCOME
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUGS

ETHNICITIES = (
    "Hispanic or Latino",
    "White, non-Hispanic",
    "Black or African American",
    "Asian",
    "American Indian or Alaska Native",
    "Native Hawaiian or Other Pacific Islander",
    "Two or more races",
)


def _jobs():
    path = files("voxpop.population") / "reference" / "us_occupations.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def _health(rng: random.Random, age: int) -> HealthProfile:
    bmi = round(min(max(rng.gauss(29.5, 6.5), 16), 60), 1)
    limits = ((18.5, "underweight"), (25, "normal"), (30, "overweight"), (35, "obese_1"), (40, "obese_2"))
    phq9 = min(int(rng.expovariate(1 / 3.9)), 27)
    depth = ("minimal", "mild", "moderate", "moderately_severe", "severe")[min(phq9 // 5, 4)]
    conditions = {slug for slug in CONDITIONS if slug != "obesity" and rng.random() < 0.02 + age / 1200}
    if bmi >= 30:
        conditions.add("obesity")
    drugs = tuple(slug for slug in DRUGS if rng.random() < (0.12 if slug == "glp1_agonist" else 0.05))
    return HealthProfile(
        conditions=tuple(slug for slug in CONDITIONS if slug in conditions),
        drug_classes=drugs,
        rx_medication_count=len(drugs),
        smoking_status=rng.choice(("never", "never", "former", "current")),
        alcohol_use=rng.choice(("none", "light", "moderate", "heavy")),
        physical_activity_level=rng.choice(("low", "moderate", "high")),
        sleep_quality=rng.choice(("poor", "fair", "good")),
        diet_quality=rng.choice(("poor", "mixed", "healthy")),
        bmi=bmi,
        bmi_class=next((name for limit, name in limits if bmi < limit), "obese_3"),
        phq9_score=phq9,
        phq9_severity=depth,
        source="test",
        method_version="test",
        calibration_version="test",
        reference_version="test",
    )


def _household(rng: random.Random, *, parent: bool) -> dict[str, object]:
    """Return home, family, insurance, origin and beliefs, drawn evenly."""
    children = rng.randint(1, 4) if parent else 0
    categories = ("marital_status", "housing_tenure", "insurance", "religion", "party_id", "ideology")
    return {
        **{name: rng.choice(FIELDS[name].levels) for name in categories},
        "children_count": children,
        "youngest_child_age": rng.randint(0, 17) if parent else None,
        "household_size": 1 + children + rng.randint(0, 3),
        "veteran": rng.random() < 0.1,
        "born_in_country": rng.random() < 0.8,
    }


def make_agents(count: int, seed: int = 1) -> list[Agent]:
    """Agents of mixed profiles; every eighth has no health data."""
    rng, jobs, agents = random.Random(seed), _jobs(), []
    also = random.Random(f"household {seed}")
    for number in range(1, count + 1):
        age = rng.randint(18, 90)
        status = (
            "retired"
            if age > 66
            else rng.choice(("employed",) * 7 + ("unemployed", "student", "homemaker", "disabled"))
        )
        job = rng.choice(jobs) if status == "employed" else None
        made = Agent(
            id=number,
            uuid=str(uuid.UUID(int=rng.getrandbits(128))),
            name=f"Agent {number}",
            age=age,
            gender=rng.choice(("male",) * 10 + ("female",) * 10 + ("non_binary",)),
            country="USA",
            state=rng.choice(list(STATES)),
            city=None,
            ethnicity=rng.choice(ETHNICITIES),
            is_parent=rng.random() < (0.5 if age < 60 else 0.05),
            education=rng.choice(list(_EDUCATION)),
            household_income=rng.choice(list(_INCOME)),
            urban_rural=rng.choice(("urban", "urban", "rural")),
            occupation=job["occupation"] if job else None,
            occupation_major_group=job["occupation_major_group"] if job else None,
            industry=(job["typical_industry"] or "Construction") if job else None,
            labour_status=status,
            title_variant=job["occupation"] if job else None,
            summary="",
            health_profile=None if number % 8 == 0 else _health(rng, age),
        )
        health = made.health_profile
        if health is not None:
            health = replace(health, self_rated_health=also.choice(FIELDS["self_rated_health"].levels))
        agents.append(replace(made, health_profile=health, **_household(also, parent=bool(made.is_parent))))
    return agents
