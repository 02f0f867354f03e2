"""An agent: one synthetic participant, as it is read from a population.

The fields stand in the order of the wire shape, so encoding an agent as JSON and taking
:func:`as_record` give the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class HealthProfile:
    """Health attributes of an agent, with the figures and method they come from.

    They are attributes of a simulated cohort, never a clinical verification.

    Attributes
    ----------
    conditions, drug_classes : tuple of str
        Slugs, in the order of the vocabulary; ``obesity`` is there exactly when ``bmi`` is 30 or more.
    rx_medication_count : int
        The number of drug classes assigned.
    bmi : float
        Body mass index in kg/m², one decimal; ``bmi_class`` is derived from it.
    phq9_score : int
        PHQ-9 sum score, 0 to 27; ``phq9_severity`` is derived from it.
    source, method_version, calibration_version, reference_version : str
        Provenance.
    """

    conditions: tuple[str, ...]
    drug_classes: tuple[str, ...]
    rx_medication_count: int
    smoking_status: str
    alcohol_use: str
    physical_activity_level: str
    sleep_quality: str
    diet_quality: str
    bmi: float
    bmi_class: str
    phq9_score: int
    phq9_severity: str
    source: str
    method_version: str
    calibration_version: str
    reference_version: str


@dataclass(frozen=True, slots=True)
class Agent:
    """One synthetic participant.

    The professional fields are None for an agent without a job, except ``labour_status``.
    ``city`` is always None. ``health_profile`` is None for agents without assigned health data.
    """

    id: int
    uuid: str
    name: str
    age: int
    gender: str
    country: str
    state: str | None
    city: str | None
    ethnicity: str | None
    is_parent: bool
    education: str
    household_income: str
    urban_rural: str
    occupation: str | None
    occupation_major_group: str | None
    industry: str | None
    labour_status: str
    title_variant: str | None
    summary: str
    health_profile: HealthProfile | None


_AGENT_FIELDS = tuple(field.name for field in fields(Agent))
_HEALTH_FIELDS = tuple(field.name for field in fields(HealthProfile))


def as_record(agent: Agent) -> dict[str, Any]:
    """Return the agent in its wire shape: a dict of JSON values, ``health_profile`` nested."""
    record = {name: getattr(agent, name) for name in _AGENT_FIELDS}
    health = agent.health_profile
    if health is not None:
        profile = {name: getattr(health, name) for name in _HEALTH_FIELDS}
        profile["conditions"], profile["drug_classes"] = list(health.conditions), list(health.drug_classes)
        record["health_profile"] = profile
    return record
