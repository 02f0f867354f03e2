"""The fields of an agent that a filter can name: kinds, levels, units and meanings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from voxpop.errors import FilterError
from voxpop.vocabulary.levels import EDUCATION, HOUSEHOLD_INCOME, LABOUR_STATUS, OCCUPATION_MAJOR_GROUPS
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.places import COUNTRIES
from voxpop.vocabulary.synonyms import CONDITIONS, DRUG_CLASSES

Kind = Literal["category", "boolean", "list", "range"]
Group = Literal["demographic", "professional", "health"]

_OPEN = frozenset({"occupation", "title_variant"})
_RECORD_KEYS = {"health_conditions": "conditions", "health_drug_classes": "drug_classes"}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an agent.

    Attributes
    ----------
    name : str
        The canonical name.
    kind : {"category", "boolean", "list", "range"}
        One value, yes or no, several values, or a number.
    aliases : tuple of str
        Other names that a filter may use.
    group : {"demographic", "professional", "health"}
        Where the field is shown.
    levels : tuple of str
        The allowed values in order; empty where the population decides them.
    ordered : bool
        Whether the order of the levels means something.
    unit : str or None
        What a number counts or measures.
    label : str
        A short heading.
    meaning : str
        A sentence for the data dictionary.
    integer : bool
        Whether agents hold whole numbers only.
    """

    name: str
    kind: Kind
    aliases: tuple[str, ...]
    group: Group
    levels: tuple[str, ...]
    ordered: bool
    unit: str | None
    label: str
    meaning: str
    integer: bool

    @property
    def finite(self) -> bool:
        """Whether a value outside the known ones is a mistake (strict filters answer 422)."""
        return self.kind in ("category", "list") and self.name not in _OPEN

    @property
    def record_key(self) -> str:
        """The key in an agent record, or in its ``health_profile`` for a health field."""
        return _RECORD_KEYS.get(self.name, self.name)


def _field(
    name: str,
    kind: Kind,
    group: Group,
    label: str,
    meaning: str,
    *,
    levels: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    ordered: bool = False,
    unit: str | None = None,
    integer: bool = False,
) -> Field:
    return Field(name, kind, aliases, group, levels, ordered, unit, label, meaning, integer)


_DEMOGRAPHIC = (
    _field(
        "country",
        "category",
        "demographic",
        "Country",
        "The country in which the agent lives.",
        levels=tuple(COUNTRIES),
    ),
    _field(
        "state",
        "category",
        "demographic",
        "State",
        "The state, province or region in which the agent lives, as a 2-letter code in the USA and Canada.",
    ),
    _field(
        "age",
        "range",
        "demographic",
        "Age",
        "The age of the agent in completed years; every agent is at least 18.",
        unit="years",
        integer=True,
    ),
    _field(
        "is_parent",
        "boolean",
        "demographic",
        "Parent of a child under 18",
        "Whether the agent is the parent of a child under 18 living in the household.",
    ),
    _field(
        "gender",
        "category",
        "demographic",
        "Gender",
        "The gender of the agent.",
        levels=("male", "female", "non_binary"),
    ),
    _field(
        "ethnicity",
        "category",
        "demographic",
        "Ethnicity",
        "The ethnic group of the agent, in the categories that the country's own statistics use: migration "
        "in Germany and France, nationality in Japan, religion in India, where ethnicity is not published.",
    ),
    _field(
        "education",
        "category",
        "demographic",
        "Education",
        "The highest level of education that the agent has completed.",
        levels=EDUCATION,
        ordered=True,
    ),
    _field(
        "household_income",
        "category",
        "demographic",
        "Household income",
        "The yearly income of the agent's household before taxes, as a band in US dollars.",
        levels=HOUSEHOLD_INCOME,
        ordered=True,
        unit="US dollars a year",
    ),
    _field(
        "urban_rural",
        "category",
        "demographic",
        "Urban or rural",
        "Whether the agent lives in an urban or a rural area.",
        levels=("urban", "rural"),
    ),
)

_PROFESSIONAL = (
    _field(
        "occupation",
        "category",
        "professional",
        "Occupation",
        "The detailed occupation of an employed agent; empty for agents without a job.",
    ),
    _field(
        "occupation_major_group",
        "category",
        "professional",
        "Occupation group",
        "The major occupation group of an employed agent; empty for agents without a job.",
        levels=OCCUPATION_MAJOR_GROUPS,
        aliases=("occupation_major_groups", "major_group"),
    ),
    _field(
        "industry",
        "category",
        "professional",
        "Industry",
        "The industry sector in which an employed agent works; empty for agents without a job.",
    ),
    _field(
        "labour_status",
        "category",
        "professional",
        "Labour status",
        "What the agent does in the labour force or outside of it.",
        levels=LABOUR_STATUS,
        aliases=("employment", "employment_status", "labor_status"),
    ),
    _field(
        "title_variant",
        "category",
        "professional",
        "Job title",
        "The job title that an employed agent uses for the occupation; empty for agents without a job.",
        aliases=("title_variants",),
    ),
)

_HEALTH = (
    _field(
        "health_conditions",
        "list",
        "health",
        "Health conditions",
        "The health conditions assigned to the agent; a cohort attribute and no clinical finding.",
        levels=tuple(CONDITIONS),
        aliases=("condition", "conditions", "health_condition"),
    ),
    _field(
        "health_drug_classes",
        "list",
        "health",
        "Medication classes",
        "The classes of prescription medication that the agent takes.",
        levels=tuple(DRUG_CLASSES),
        aliases=("drug_class", "drug_classes", "medication_class", "medication_classes"),
    ),
    _field(
        "smoking_status",
        "category",
        "health",
        "Smoking",
        "Whether the agent smokes cigarettes now, did so formerly, or never did.",
        levels=("never", "former", "current"),
        ordered=True,
    ),
    _field(
        "alcohol_use",
        "category",
        "health",
        "Alcohol",
        "How much alcohol the agent drinks in a usual week.",
        levels=("none", "light", "moderate", "heavy"),
        ordered=True,
    ),
    _field(
        "physical_activity_level",
        "category",
        "health",
        "Physical activity",
        "How active the agent is in leisure time in a usual week.",
        levels=("low", "moderate", "high"),
        ordered=True,
    ),
    _field(
        "sleep_quality",
        "category",
        "health",
        "Sleep",
        "How well the agent usually sleeps.",
        levels=("poor", "fair", "good"),
        ordered=True,
    ),
    _field(
        "diet_quality",
        "category",
        "health",
        "Diet",
        "How healthy the agent's usual diet is.",
        levels=("poor", "mixed", "healthy"),
        ordered=True,
    ),
    _field(
        "bmi_class",
        "category",
        "health",
        "BMI class",
        "The weight class that follows from the agent's body mass index.",
        levels=("underweight", "normal", "overweight", "obese_1", "obese_2", "obese_3"),
        aliases=("health_bmi_class",),
        ordered=True,
    ),
    _field(
        "phq9_severity",
        "category",
        "health",
        "Depressive symptoms",
        "The severity of depressive symptoms that follows from the agent's PHQ-9 score.",
        levels=("minimal", "mild", "moderate", "moderately_severe", "severe"),
        ordered=True,
    ),
    _field(
        "rx_medication_count",
        "range",
        "health",
        "Prescription medications",
        "The number of prescription medication classes assigned to the agent.",
        unit="medication classes",
        integer=True,
    ),
    _field(
        "bmi",
        "range",
        "health",
        "BMI",
        "The body mass index of the agent: weight divided by the square of height.",
        unit="kilograms per square metre",
    ),
    _field(
        "phq9_score",
        "range",
        "health",
        "PHQ-9 score",
        "The agent's score on the PHQ-9 questionnaire on depressive symptoms, from 0 to 27.",
        unit="points",
        integer=True,
    ),
)

FIELDS: Mapping[str, Field] = MappingProxyType({f.name: f for f in (*_DEMOGRAPHIC, *_PROFESSIONAL, *_HEALTH)})
"""Every field by its canonical name, in the order in which it is shown."""

_BY_ANY_NAME = {name: f for f in FIELDS.values() for name in (f.name, *f.aliases)}

# Words that people use for a field and that are spelled too differently to be found as near.
_HINTS = {
    "sex": "gender",
    "is_female": "gender",
    "is_male": "gender",
    "race": "ethnicity",
    "city": "state",
    "town": "state",
    "location": "state",
    "region": "state",
    "province": "state",
    "nationality": "country",
    "children": "is_parent",
    "kids": "is_parent",
    "school": "education",
    "degree": "education",
    "salary": "household_income",
    "job": "occupation",
    "job_title": "title_variant",
    "profession": "occupation",
    "sector": "industry",
    "smoke": "smoking_status",
    "smoker": "smoking_status",
    "drink": "alcohol_use",
    "drinking": "alcohol_use",
    "exercise": "physical_activity_level",
    "disease": "health_conditions",
    "illness": "health_conditions",
    "medications": "health_drug_classes",
    "prescriptions": "health_drug_classes",
    "weight": "bmi_class",
    "depression": "phq9_severity",
}


def find_field(name: str) -> Field | None:
    """Return the field of that name or alias, or None. Upper and lower case count as equal."""
    return _BY_ANY_NAME.get(name.strip().casefold())


def unknown_field(name: str) -> str:
    """Return the message about a name that is no field: what is near it, or all that there is.

    Examples
    --------
    >>> unknown_field("gendr")
    'unknown field; did you mean gender?'
    >>> unknown_field("diet")
    'unknown field; did you mean diet_quality?'
    >>> unknown_field("bmi_min")
    'unknown field; bmi takes {"min": ..., "max": ...}'
    """
    word = name.strip().casefold()
    bounded = find_field(word[:-4]) if word.endswith(("_min", "_max")) else None
    if bounded is not None and bounded.kind == "range":
        return f'unknown field; {bounded.name} takes {{"min": ..., "max": ...}}'
    found = [_HINTS[word]] if word in _HINTS else []
    found += [known.name for spelling, known in _BY_ANY_NAME.items() if word in spelling.split("_")]
    found += [_BY_ANY_NAME[near].name for near in nearest(word, _BY_ANY_NAME, n=len(_BY_ANY_NAME))]
    found = list(dict.fromkeys(found))[:3]
    if found:
        return "unknown field" + did_you_mean(found)
    return f"unknown field; the fields are {', '.join(FIELDS)}"


def field(name: str) -> Field:
    """Return the field of that name or alias.

    Parameters
    ----------
    name : str
        A canonical name or an alias, in upper or lower case.

    Raises
    ------
    FilterError
        When there is no such field; the message names the nearest ones.

    Examples
    --------
    >>> field("drug_class").name
    'health_drug_classes'
    """
    found = find_field(name)
    if found is None:
        raise FilterError({name: [unknown_field(name)]})
    return found
