"""Demographic rows of the table of agent fields."""

from __future__ import annotations

from voxpop.vocabulary.levels import EDUCATION, ETHNICITIES, HOUSEHOLD_INCOME
from voxpop.vocabulary.places import CANADIAN_PROVINCES, COUNTRIES, OTHER_STATE_NAMES, STATES, US_STATES
from voxpop.vocabulary.regions import REGION_ALIASES, REGION_NAMES
from voxpop.vocabulary.row import Field
from voxpop.vocabulary.synonyms import turned

_STATES_BY_COUNTRY: dict[str, tuple[str, ...]] = {
    "USA": tuple(US_STATES),
    "Canada": tuple(CANADIAN_PROVINCES),
}
for _region, _country in REGION_NAMES.items():
    _STATES_BY_COUNTRY[_country] = (*_STATES_BY_COUNTRY.get(_country, ()), _region)

DEMOGRAPHIC = (
    Field(
        name="country",
        kind="category",
        group="demographic",
        label="Country",
        meaning="The country in which the agent lives.",
        levels=tuple(COUNTRIES),
        names=turned(COUNTRIES),
        hints=("nationality",),
        nullable=False,
        record_place=3,
        phrase="living in {}",
        words={"USA": "the USA", "UK": "the UK", "Netherlands": "the Netherlands"},
        note="Common names and ISO 3166 codes are understood too.",
    ),
    Field(
        name="state",
        kind="category",
        group="demographic",
        label="State",
        meaning="The state, province or region in which the agent lives, as a 2-letter code in the USA and "
        "Canada.",
        known=(*STATES, *REGION_NAMES),
        by_country=_STATES_BY_COUNTRY,
        names={**{name: code for code, name in STATES.items()}, **OTHER_STATE_NAMES, **REGION_ALIASES},
        hints=("city", "town", "location", "region", "province"),
        record_place=4,
        phrase="living in {}",
        value_labels={code: f"{name} ({code})" for code, name in STATES.items()},
        note='A 2-letter code or the full name for the USA and Canada, for example "CA"; elsewhere the name.',
        ranked=True,
    ),
    Field(
        name="age",
        kind="range",
        group="demographic",
        label="Age",
        meaning="The age of the agent in completed years; every agent is at least 18.",
        unit="years",
        integer=True,
        starts=(18, 25, 35, 45, 55, 65, 75),
        nullable=False,
        record_place=1,
        phrase="aged {}",
    ),
    Field(
        name="is_parent",
        kind="boolean",
        group="demographic",
        label="Parent of a child under 18",
        meaning="Whether the agent is the parent of a child under 18 living in the household.",
        hints=("children", "kids"),
        record_place=6,
        phrase="{} a child under 18 at home",
        words={"yes": "with", "no": "without"},
        cohort="{}",
        cohort_words={"yes": "parents", "no": "agents who are not parents"},
    ),
    Field(
        name="gender",
        kind="category",
        group="demographic",
        label="Gender",
        meaning="The gender of the agent.",
        levels=("male", "female", "non_binary"),
        names=turned(
            {
                "male": ("m", "man", "men", "males"),
                "female": ("f", "woman", "women", "females"),
                "non_binary": ("nonbinary", "nb", "enby"),
            }
        ),
        hints=("sex", "is_female", "is_male"),
        nullable=False,
        record_place=2,
        phrase="{}",
        words={"male": "men", "female": "women", "non_binary": "non-binary adults"},
        cohort="{}",
        cohort_words={"male": "men", "female": "women", "non_binary": "non-binary agents"},
    ),
    Field(
        name="ethnicity",
        kind="category",
        group="demographic",
        label="Ethnicity",
        meaning="The ethnic group of the agent, in the categories that the country's own statistics use: "
        "migration in Germany and France, nationality in Japan, religion in India, where ethnicity is not "
        "published.",
        known=tuple(dict.fromkeys(group for groups in ETHNICITIES.values() for group in groups)),
        by_country=ETHNICITIES,
        hints=("race",),
        countries=tuple(ETHNICITIES),
        record_place=5,
        phrase="of the ethnic group {}",
        note='The full label, for example "Hispanic or Latino".',
        ranked=True,
    ),
    Field(
        name="education",
        kind="category",
        group="demographic",
        label="Education",
        meaning="The highest level of education that the agent has completed, in the levels of the USA; "
        "elsewhere the nearest level of that country.",
        levels=EDUCATION,
        ordered=True,
        hints=("school", "degree"),
        phrase="with the education level {}",
        cohort="agents with the education level “{}”",
        ranked=True,
    ),
    Field(
        name="household_income",
        kind="category",
        group="demographic",
        label="Household income",
        meaning="The yearly income of the agent's household before taxes, as a band in US dollars.",
        levels=HOUSEHOLD_INCOME,
        ordered=True,
        unit="US dollars a year",
        hints=("salary",),
        countries=("USA",),
        phrase="with a household income of {}",
        lower=True,
        cohort="agents with a household income of {}",
    ),
    Field(
        name="urban_rural",
        kind="category",
        group="demographic",
        label="Urban or rural",
        meaning="Whether the agent lives in an urban or a rural area.",
        levels=("urban", "rural"),
        names={"city": "urban", "countryside": "rural"},
        phrase="in {} areas",
        cohort="{} agents",
        ranked=True,
    ),
)
"""The demographic fields in display order."""
