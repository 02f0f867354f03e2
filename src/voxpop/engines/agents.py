"""An agent: one synthetic participant, as it is read from a population.

The attributes stand in the order of the wire shape, so encoding an agent as JSON and taking
:func:`as_record` give the same thing. Those of the first fields are written out for type checkers; a test
compares them with the table of fields. Every other row of the table is added as an attribute when this module
is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from voxpop.vocabulary.fields import FIELDS, Field, in_records

_Class = TypeVar("_Class", bound=type)

PARTIAL_CONDITIONS = ("hypertension", "diabetes_t2", "diabetes_t1", "obesity")
"""The conditions known, present or not, in a country with few figures; all diabetes counts as type 2."""


_TYPES = {"text": "str", "texts": "tuple[str, ...]", "boolean": "bool", "integer": "int", "number": "float"}


def annotation_of(row: Field) -> str:
    """Return the type of an agent's attribute as it is written.

    Examples
    --------
    >>> annotation_of(FIELDS["age"]), annotation_of(FIELDS["bmi"])
    ('int', 'float | None')
    """
    kind = "int" if row.integer else _TYPES[row.sent]
    return f"{kind} | None" if row.nullable else kind


def _completed(*, health: bool) -> Callable[[_Class], _Class]:
    """Add the fields that a class does not write out, behind those that it does."""

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
@_completed(health=False)
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
_LISTS = tuple(row.record_key for row in FIELDS.values() if row.kind == "list")


def as_record(agent: Agent) -> dict[str, Any]:
    """Return the agent in its wire shape: a dict of JSON values, ``health_profile`` nested."""
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
