"""An agent: one synthetic participant, as it is read from a population.

The fields stand in the order of the wire shape, so encoding an agent as JSON and taking
:func:`as_record` give the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

PARTIAL_CONDITIONS = ("hypertension", "diabetes_t2", "diabetes_t1", "obesity")
"""The conditions known, present or not, in a country with few figures; all diabetes counts as type 2."""


@dataclass(frozen=True, slots=True)
class HealthProfile:
    """Health attributes of an agent, with the figures and method they come from.

    They are attributes of a simulated cohort, never a clinical verification. A country with few figures has
    few attributes: beyond the USA a profile holds the conditions ``obesity``, ``diabetes_t2`` and
    ``hypertension``, and ``smoking_status`` "current"; None means that nothing is known.

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
    drug_classes: tuple[str, ...] | None
    rx_medication_count: int | None
    smoking_status: str | None
    alcohol_use: str | None
    physical_activity_level: str | None
    sleep_quality: str | None
    diet_quality: str | None
    bmi: float | None
    bmi_class: str | None
    phq9_score: int | None
    phq9_severity: str | None
    source: str
    method_version: str
    calibration_version: str
    reference_version: str

    @property
    def partial(self) -> bool:
        """Whether only a few attributes are known."""
        return self.drug_classes is None

    def has(self, condition: str) -> bool | None:
        """Return whether the agent has a condition, None where nothing is known about it."""
        if condition in self.conditions:
            return True
        return None if self.partial and condition not in PARTIAL_CONDITIONS else False

    @property
    def smokes(self) -> bool | None:
        """Whether the agent smokes now; a partial profile knows this alone about smoking."""
        return self.smoking_status == "current" if self.partial or self.smoking_status else None


@dataclass(frozen=True, slots=True)
class Agent:
    """One synthetic participant.

    The professional fields are None for an agent without a job, except ``labour_status``. Parenthood,
    education, income and area are None in countries without figures for them.
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
    is_parent: bool | None
    education: str | None
    household_income: str | None
    urban_rural: str | None
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
        drugs = health.drug_classes
        profile["conditions"] = list(health.conditions)
        profile["drug_classes"] = None if drugs is None else list(drugs)
        record["health_profile"] = profile
    return record
