"""Six diverse sample agents, for trying an engine without a population."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any
from uuid import UUID

from voxpop.engines.agents import Agent, HealthProfile

_HEALTH = (
    *("conditions", "drug_classes", "rx_medication_count", "smoking_status", "alcohol_use"),
    *("physical_activity_level", "sleep_quality", "diet_quality", "bmi", "bmi_class"),
    *("phq9_score", "phq9_severity"),
)
_PROVENANCE: dict[str, Any] = {
    "source": "made up",
    "method_version": "sample",
    "calibration_version": "sample",
    "reference_version": "sample",
}


def _health(*values: Any) -> HealthProfile:
    """Return a health profile with values in the order of ``_HEALTH``; those left out are unknown."""
    return HealthProfile(**dict(zip_longest(_HEALTH, values)), **_PROVENANCE)


_WELL = _health((), (), 0, "never", "light", "high", "good", "healthy", 23.4, "normal", 2, "minimal")
_TREATED = _health(
    *(("hypertension", "diabetes_t2", "obesity"), ("glp1_agonist",), 1, "former", "none"),
    *("low", "fair", "mixed", 33.1, "obese_1", 8, "mild"),
)
_PARTIAL = _health((), None, None, "current")
_NURSE = ("Registered Nurses", "Healthcare Practitioners and Technical", "Health Care and Social Assistance")
_SELLER = ("Retail Salespersons", "Sales and Related", "Retail Trade")


def _agent(
    number: int,
    person: tuple[str, int, str],
    *,
    country: str = "USA",
    state: str | None,
    parent: bool | None,
    work: tuple[str, str, str] | None = None,
    status: str = "employed",
    health: HealthProfile | None,
) -> Agent:
    name, age, gender = person
    known = country == "USA"
    occupation, group, industry = work or (None, None, None)
    return Agent(
        id=number,
        uuid=str(UUID(int=number)),
        name=name,
        age=age,
        gender=gender,
        country=country,
        state=state,
        city=None,
        ethnicity="White, non-Hispanic" if known else None,
        is_parent=parent,
        education="College graduate or above" if known else None,
        household_income="$50,000-$74,999" if known else None,
        urban_rural="urban" if known else None,
        occupation=occupation,
        occupation_major_group=group,
        industry=industry,
        labour_status=status,
        title_variant=occupation,
        summary=f"{name}, {age}, {country}.",
        health_profile=health,
    )


AGENTS = (
    _agent(1, ("Ann Hill", 34, "female"), state="TX", parent=True, work=_NURSE, health=_WELL),
    _agent(2, ("Ben Ward", 61, "male"), state="OH", parent=True, work=_SELLER, health=_TREATED),
    _agent(3, ("Cy Frost", 22, "male"), state="CA", parent=False, status="student", health=None),
    _agent(4, ("Dora Lake", 74, "female"), state="FL", parent=True, status="retired", health=_TREATED),
    _agent(5, ("Eva Weber", 45, "female"), country="Germany", state=None, parent=None, health=_PARTIAL),
    _agent(6, ("Finn Reed", 29, "male"), country="UK", state=None, parent=None, work=_SELLER, health=None),
)
"""Agents of the USA, Germany and the UK, with full, partial or no health data."""
