"""Rows of the table of agents become :class:`Agent` values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from voxpop.population.agents import Agent, HealthProfile
from voxpop.population.summaries import Facts, summary
from voxpop.vocabulary.fields import FIELDS

Provenance = Mapping[str, tuple[str, str, str, str]]
"""By country source, method_version, calibration_version, reference_version of the health data."""

SELECTED = """
    id, CAST(uuid AS VARCHAR), given_name, surname, age, gender, country, state, ethnicity, is_parent,
    education, household_income, urban_rural, occupation, occupation_major_group, industry, labour_status,
    title_variant, health_conditions, health_drug_classes, rx_medication_count, smoking_status, alcohol_use,
    physical_activity_level, sleep_quality, diet_quality, bmi, bmi_class, phq9_score, phq9_severity
"""
"""What a query must select for :func:`read`, in this order."""


def provenance(facts: Mapping[str, str]) -> Provenance:
    """Return where the health data of each country come from, out of the facts in a population file."""
    names = ("source", "method_version", "calibration_version", "reference_version")

    def of(country: str) -> tuple[str, str, str, str]:
        source, method, calibration, reference = (
            facts.get(f"{name} {country}", facts[name]) for name in names
        )
        return source, method, calibration, reference

    return {country: of(country) for country in FIELDS["country"].levels}


def read(rows: Iterable[tuple[Any, ...]], provenance: Provenance) -> list[Agent]:
    """Return the agents of fetched rows, in their order."""
    return [_agent(row, provenance) for row in rows]


def _agent(row: tuple[Any, ...], provenance: Provenance) -> Agent:
    number, uuid, given, surname, age, gender, country, state, ethnicity, parent = row[:10]
    education, income, area, occupation, group, industry, status, title = row[10:18]
    name = f"{given} {surname}"
    facts = Facts(
        number,
        name,
        age,
        gender,
        country,
        state,
        ethnicity,
        parent,
        education,
        income,
        area,
        status,
        title,
        industry,
    )
    return Agent(
        id=number,
        uuid=uuid,
        name=name,
        age=age,
        gender=gender,
        country=country,
        state=state,
        city=None,
        ethnicity=ethnicity,
        is_parent=parent,
        education=education,
        household_income=income,
        urban_rural=area,
        occupation=occupation,
        occupation_major_group=group,
        industry=industry,
        labour_status=status,
        title_variant=title,
        summary=summary(facts),
        health_profile=None if row[18] is None else _health(row[18:], provenance[country]),
    )


def _health(values: tuple[Any, ...], provenance: tuple[str, ...]) -> HealthProfile:
    rest: list[Any] = [*values[2:], *provenance]
    drugs = None if values[1] is None else tuple(values[1])
    return HealthProfile(tuple(values[0]), drugs, *rest)
