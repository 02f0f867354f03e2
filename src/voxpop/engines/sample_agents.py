"""Six diverse sample agents, for trying an engine without a population."""

from __future__ import annotations

from uuid import UUID

from voxpop.engines.agents import Agent, HealthProfile

_PROVENANCE = {
    "source": "made up",
    "method_version": "sample",
    "calibration_version": "sample",
    "reference_version": "sample",
}
_WELL = HealthProfile(
    conditions=(),
    drug_classes=(),
    rx_medication_count=0,
    smoking_status="never",
    alcohol_use="light",
    physical_activity_level="high",
    sleep_quality="good",
    diet_quality="healthy",
    bmi=23.4,
    bmi_class="normal",
    phq9_score=2,
    phq9_severity="minimal",
    **_PROVENANCE,
)
_TREATED = HealthProfile(
    conditions=("hypertension", "diabetes_t2", "obesity"),
    drug_classes=("glp1_agonist",),
    rx_medication_count=1,
    smoking_status="former",
    alcohol_use="none",
    physical_activity_level="low",
    sleep_quality="fair",
    diet_quality="mixed",
    bmi=33.1,
    bmi_class="obese_1",
    phq9_score=8,
    phq9_severity="mild",
    **_PROVENANCE,
)
_PARTIAL = HealthProfile(
    conditions=(),
    drug_classes=None,
    rx_medication_count=None,
    smoking_status="current",
    alcohol_use=None,
    physical_activity_level=None,
    sleep_quality=None,
    diet_quality=None,
    bmi=None,
    bmi_class=None,
    phq9_score=None,
    phq9_severity=None,
    **_PROVENANCE,
)
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
