"""The agent record: one synthetic participant of a population.

Attributes are in the order of the wire form, so encoding an agent as JSON and calling :func:`as_record` give
the same result. The first fields are written out for type checkers, and a test compares them with the table
of fields. All other rows of the table are added as attributes when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from voxpop.vocabulary.fields import FIELDS, Field, in_records

_Class = TypeVar("_Class", bound=type)

PARTIAL_CONDITIONS = ("hypertension", "diabetes_t2", "diabetes_t1", "obesity")
"""Conditions whose presence is known in a country with few figures; all diabetes counts as type 2."""


_TYPES = {"text": "str", "texts": "tuple[str, ...]", "boolean": "bool", "integer": "int", "number": "float"}


def annotation_of(row: Field) -> str:
    """Return the annotated type of an agent's attribute.

    Examples
    --------
    >>> annotation_of(FIELDS["age"]), annotation_of(FIELDS["bmi"])
    ('int', 'float | None')
    """
    kind = "int" if row.integer else _TYPES[row.sent]
    return f"{kind} | None" if row.nullable else kind


def _completed(*, health: bool) -> Callable[[_Class], _Class]:
    """Add the fields that a class does not declare after those that it does."""

    def complete(cls: _Class) -> _Class:
        written = dict(cls.__annotations__)
        rows = in_records(health=health)
        names = list(written)
        place = max(names.index(row.record_key) for row in rows if row.record_key in written) + 1
        for row in (row for row in rows if row.record_key not in written):
            names.insert(place, row.record_key)
            place += 1
            written[row.record_key] = f"{annotation_of(row).removesuffix(' | None')} | None"
            setattr(cls, row.record_key, field(default=None, kw_only=True))
        cls.__annotations__ = {name: written[name] for name in names}
        return cls

    return complete


@dataclass(frozen=True, slots=True)
@_completed(health=True)
class HealthProfile:
    """Health attributes of an agent, with the figures and the method behind them.

    They are attributes of a simulated cohort, not a clinical verification. Outside the USA only some
    attributes are known: the conditions ``obesity``, ``diabetes_t2`` and ``hypertension``, ``bmi``,
    ``smoking_status`` and ``alcohol_use``. None means unknown.

    Attributes
    ----------
    conditions, drug_classes : tuple of str
        Slugs in the order of the vocabulary; ``obesity`` is present exactly when ``bmi`` is 30 or more.
    rx_medication_count : int
        Number of assigned drug classes.
    bmi : float
        Body mass index in kg/m², with one decimal; ``bmi_class`` is derived from it.
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
        """Return whether the agent has a condition, or None if that is unknown."""
        if condition in self.conditions:
            return True
        return None if self.partial and condition not in PARTIAL_CONDITIONS else False

    @property
    def smokes(self) -> bool | None:
        """Whether the agent smokes now; False in a partial profile without a smoking status."""
        return self.smoking_status == "current" if self.partial or self.smoking_status else None


@dataclass(frozen=True, slots=True)
@_completed(health=False)
class Agent:
    """One synthetic participant.

    An agent that an organization brought has only what its profile holds: any field but ``age``, ``gender``
    and ``country`` may be None, also ``labour_status``. Once deleted, it has no fields at all.

    Professional fields except ``labour_status`` are None for an agent without a job. Ethnicity, income and
    other fields are None in countries without figures for them. ``city`` is always None.
    ``health_profile`` is None for agents without assigned health data. ``profile_provenance`` tells where the
    figures of the other fields come from; None in populations of before it was told.
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
    profile_provenance: str | None = field(default=None, kw_only=True)


_AGENT_FIELDS = tuple(field.name for field in fields(Agent))
_HEALTH_FIELDS = tuple(field.name for field in fields(HealthProfile))
_LISTS = tuple(row.record_key for row in FIELDS.values() if row.kind == "list")


def as_record(agent: Agent) -> dict[str, Any]:
    """Return the wire form of an agent: a dict of JSON values with a nested ``health_profile``."""
    record = {name: getattr(agent, name) for name in _AGENT_FIELDS}
    health = agent.health_profile
    if health is not None:
        record["health_profile"] = _with_lists({name: getattr(health, name) for name in _HEALTH_FIELDS})
    return _with_lists(record)


def _with_lists(record: dict[str, Any]) -> dict[str, Any]:
    for name in _LISTS:
        if isinstance(record.get(name), tuple):
            record[name] = list(record[name])
    return record
