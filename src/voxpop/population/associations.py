"""Associations of education, income and state with each health field, as Cramér's V."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from voxpop.population.expected_health import ASSIGNED
from voxpop.population.queries import Population
from voxpop.population.reference import rows
from voxpop.stats.association import chi_square
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import where

PEOPLE = ("education", "household_income", "state")
HEALTH = (
    *("smoking_status", "alcohol_use", "physical_activity_level", "sleep_quality", "diet_quality"),
    *("bmi_class", "phq9_severity", "self_rated_health", "insurance"),
)
LISTS = {"health_conditions": "condition", "health_drug_classes": "drug_class"}


@dataclass(frozen=True, slots=True)
class Association:
    """Cramér's V of a field of a person with a health field among agents with health data in the USA.

    Attributes
    ----------
    field, health_field : str
        The fields; a condition or drug class has its list in front, such as ``condition:gout``.
    cramers_v : float
        From 0 to 1, corrected for bias; NaN if the health field has one level only.
    real : float or None
        The same in NHANES 2017-2018, weighted; None if it was not tabulated.
    agents : int
        Number of agents.
    """

    field: str
    health_field: str
    cramers_v: float
    real: float | None
    agents: int


def associations(population: Population) -> list[Association]:
    """Return the associations of the fields that the population has, field by field."""
    real = {
        (row["field"], row["health_field"]): float(row["cramers_v"]) for row in rows("us_health_associations")
    }
    parts, names = [ASSIGNED], []
    for field, word in LISTS.items():
        for slug in FIELDS[field].levels:
            having: dict[str, Any] = {field: slug}
            parts.append(where(**having))
            names.append(f"{word}:{slug}")
    found = []
    for who in PEOPLE:
        tables: dict[str, Any] = {}
        for health in HEALTH:
            if health in FIELDS and population.labels(health):
                tables[health] = _table(population, who, health)
        crossed = population.crossed([who], parts, ASSIGNED)
        numbers = crossed.numbers[crossed.codes[who] >= 0]
        for at, name in enumerate(names, 1):
            tables[name] = np.column_stack([numbers[:, at], numbers[:, 0] - numbers[:, at]])
        for name, table in tables.items():
            v = chi_square(table).cramers_v_corrected
            found.append(Association(who, name, v, real.get((who, name)), int(table.sum())))
    return found


def _table(population: Population, who: str, health: str) -> Any:
    """Return the number of agents by two fields, without unknown values."""
    tally = population.tally([who, health], ASSIGNED)
    known = (tally.codes[who] >= 0) & (tally.codes[health] >= 0)
    table = np.zeros((len(tally.labels[who]), len(tally.labels[health])))
    table[tally.codes[who][known], tally.codes[health][known]] = tally.number[known]
    return table


def as_record(found: Association) -> dict[str, Any]:
    """Return an association as JSON values; NaN becomes null."""
    values = {name: getattr(found, name) for name in Association.__slots__}
    return {name: None if value != value else value for name, value in values.items()}
