"""The outcomes of the joint tables, as filters of agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from voxpop.population.queries import Population
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, between, where

Told = Mapping[str, Any]
"""Conditions by field, as arguments of a filter."""

_DRUG_BANDS = {"0": (0, 0), "1-2": (1, 2), "3-4": (3, 4), "5-9": (5, 9), "10+": (10, None)}
_ANY_MEDICARE = ("medicare", "medicare_and_private", "medicare_and_medicaid")
_OTHER_PLANS = ("military_va", "other")
_CHILDREN = {"0": (0, 0), "1": (1, 1), "2": (2, 2), "3+": (3, None)}
_UNMARRIED = ("living_with_partner", "widowed", "divorced", "separated", "never_married")

GROUPS_OF_JOBS: Mapping[str, tuple[str, ...]] = {
    "Management, business, and financial operations": ("Management", "Business and Financial Operations"),
    "Professional and related": (
        *("Computer and Mathematical", "Architecture and Engineering", "Life, Physical, and Social Science"),
        *("Community and Social Service", "Legal", "Educational Instruction and Library"),
        "Arts, Design, Entertainment, Sports, and Media",
        "Healthcare Practitioners and Technical",
    ),
    "Service": (
        *("Healthcare Support", "Protective Service", "Food Preparation and Serving Related"),
        *("Building and Grounds Cleaning and Maintenance", "Personal Care and Service"),
    ),
    "Sales and related": ("Sales and Related",),
    "Office and administrative support": ("Office and Administrative Support",),
    "Farming, fishing, and forestry": ("Farming, Fishing, and Forestry",),
    "Construction and extraction": ("Construction and Extraction",),
    "Installation, maintenance, and repair": ("Installation, Maintenance, and Repair",),
    "Production": ("Production",),
    "Transportation and material moving": ("Transportation and Material Moving",),
}
"""Broad occupation groups of the Current Population Survey; sums of these groups are left out."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A level of an outcome: the agents who have it, among those with a value.

    Attributes
    ----------
    part : mapping
        Conditions on the agents who have it.
    fields : tuple of str
        Fields in which the agents of the base have a value.
    """

    part: Told
    fields: tuple[str, ...]

    def absent(self) -> tuple[str, ...]:
        """Return the fields that this version of the population does not have."""
        return tuple(name for name in (*self.part, *self.fields) if name not in FIELDS)

    def filters(self, population: Population) -> tuple[Filter, Filter]:
        """Return the filters of the agents who have it and of its base."""
        known: dict[str, Any] = {name: _any_value(population, name) for name in self.fields}
        return where(**{**known, **self.part}), where(**known)


@cache
def outcome(name: str, level: str) -> Outcome | None:
    """Return an outcome of a joint table; None if no field of an agent tells it.

    Examples
    --------
    >>> outcome("condition:gout", "yes").part
    {'health_conditions': 'gout'}
    >>> outcome("binge_weekly_or_more", "yes") is None
    True
    """
    if name.startswith("condition:"):
        return Outcome({"health_conditions": name.removeprefix("condition:")}, ("rx_medication_count",))
    if name.startswith("drug_class:"):
        return Outcome({"health_drug_classes": name.removeprefix("drug_class:")}, ("rx_medication_count",))
    if (name, level) in _SPECIAL:
        part = _SPECIAL[name, level]
        return Outcome(part, tuple(part))
    if name == "occupation_group":
        return Outcome({"occupation_major_group": list(GROUPS_OF_JOBS[level])}, ("occupation_major_group",))
    if name in _PLAIN:
        return Outcome({name: level}, (name,))
    return None


@cache
def household(marital: str, children: str) -> Outcome:
    """Return the outcome of being married or not, with a number of children."""
    first, last = _CHILDREN[children]
    status = ["married"] if marital == "married" else list(_UNMARRIED)
    part = {"marital_status": status, "children_count": between(first, last)}
    return Outcome(part, tuple(part))


_PLAIN = (
    *("smoking_status", "physical_activity_level", "sleep_quality", "diet_quality", "bmi_class"),
    *("phq9_severity", "self_rated_health", "religion", "party_id", "ideology", "housing_tenure"),
    *("gender", "ethnicity", "urban_rural"),
)
_SPECIAL: Mapping[tuple[str, str], Told] = {
    ("phq9_10plus", "yes"): {"phq9_score": between(10)},
    ("rx_5plus", "yes"): {"rx_medication_count": between(5)},
    ("fair_or_poor_health", "yes"): {"self_rated_health": ["fair", "poor"]},
    ("past_year_drinker", "yes"): {"alcohol_use": ["light", "moderate", "heavy"]},
    ("bmi_class", "obese"): {"bmi_class": ["obese_1", "obese_2", "obese_3"]},
    ("insurance", "medicare_any"): {"insurance": list(_ANY_MEDICARE)},
    ("insurance", "other_public"): {"insurance": list(_OTHER_PLANS)},
    **{("insurance", one): {"insurance": one} for one in ("private", "medicaid", "uninsured")},
    **{("rx_count", text): {"rx_medication_count": between(*ends)} for text, ends in _DRUG_BANDS.items()},
    ("education", "less than high school"): {"education": ["Less than 9th grade", "9-11th grade"]},
    ("education", "high school"): {"education": "High school graduate/GED"},
    ("education", "some college"): {"education": "Some college or AA degree"},
    ("education", "college graduate"): {"education": "College graduate or above"},
    ("education", "high school or above"): {
        "education": [
            "High school graduate/GED",
            "Some college or AA degree",
            "College graduate or above",
        ]
    },
    ("activity", "150 minutes"): {"physical_activity_level": ["moderate", "high"]},
    ("activity", "none"): {"physical_activity_level": "low"},
    ("below poverty line", "yes"): {"poverty_ratio": between(0, 0.9999)},
    ("unemployed", "yes"): {"labour_status": "unemployed"},
    ("veteran", "yes"): {"veteran": True},
}


def _any_value(population: Population, name: str) -> object:
    kind = FIELDS[name].kind
    if kind == "range":
        return between(min=0)
    return [True, False] if kind == "boolean" else list(population.labels(name))
