"""The long lists of levels, spelled as in the reference figures."""

from __future__ import annotations

from collections.abc import Mapping

EDUCATION = (
    "Less than 9th grade",
    "9-11th grade",
    "High school graduate/GED",
    "Some college or AA degree",
    "College graduate or above",
)
"""From the lowest level to the highest."""

HOUSEHOLD_INCOME = (
    "Under $15,000",
    "$15,000-$24,999",
    "$25,000-$34,999",
    "$35,000-$49,999",
    "$50,000-$74,999",
    "$75,000-$99,999",
    "$100,000-$149,999",
    "$150,000-$199,999",
    "$200,000 and over",
)
"""From the lowest band to the highest."""

LABOUR_STATUS = (
    "employed",
    "unemployed",
    "retired",
    "student",
    "homemaker",
    "disabled",
    "other_not_in_labour_force",
)
"""Labour statuses, those in the labour force first."""

OCCUPATION_MAJOR_GROUPS = (
    "Management",
    "Business and Financial Operations",
    "Computer and Mathematical",
    "Architecture and Engineering",
    "Life, Physical, and Social Science",
    "Community and Social Service",
    "Legal",
    "Educational Instruction and Library",
    "Arts, Design, Entertainment, Sports, and Media",
    "Healthcare Practitioners and Technical",
    "Healthcare Support",
    "Protective Service",
    "Food Preparation and Serving Related",
    "Building and Grounds Cleaning and Maintenance",
    "Personal Care and Service",
    "Sales and Related",
    "Office and Administrative Support",
    "Farming, Fishing, and Forestry",
    "Construction and Extraction",
    "Installation, Maintenance, and Repair",
    "Production",
    "Transportation and Material Moving",
    "Military Specific",
)
"""The 23 groups of the Standard Occupational Classification, in the order of their codes."""

ETHNICITIES: Mapping[str, tuple[str, ...]] = {
    "USA": (
        "Hispanic or Latino",
        "White, non-Hispanic",
        "Black or African American",
        "Asian",
        "American Indian or Alaska Native",
        "Native Hawaiian or Other Pacific Islander",
        "Two or more races",
    ),
    "Canada": (
        "White / not a visible minority nor Indigenous",
        *("South Asian", "Indigenous", "Chinese", "Black", "Filipino", "Arab", "Latin American"),
        *("Southeast Asian", "West Asian", "Korean", "Japanese", "Multiple or other visible minority"),
    ),
    "UK": (
        "White: English, Welsh, Scottish, Northern Irish or British",
        *("White: Irish", "White: Gypsy, Roma or Irish Traveller", "White: Other"),
        *("Mixed or Multiple ethnic groups", "Asian: Indian", "Asian: Pakistani", "Asian: Bangladeshi"),
        *("Asian: Chinese", "Asian: Other", "Black: African", "Black: Caribbean", "Black: Other"),
        *("Arab", "Any other ethnic group"),
    ),
    "Germany": ("No migration background", "Migration background"),
    "France": ("Non-immigrant", "Immigrant"),
    "Australia": (
        "Born in Australia, non-Indigenous",
        "Aboriginal and/or Torres Strait Islander",
        *("Born in Europe", "Born in Asia", "Born elsewhere overseas"),
    ),
    "Japan": ("Japanese nationals", "Foreign nationals"),
    "Brazil": ("Parda", "Branca", "Preta", "Indígena", "Amarela"),
    "India": ("Hindu", "Muslim", "Christian", "Sikh", "Buddhist", "Jain", "Other or not stated"),
    "Mexico": ("Indigenous self-identification", "Afro-Mexican", "Other"),
}
"""Country -> ethnicity labels of its agents, as defined by the national statistics."""

US_ETHNICITIES = ETHNICITIES["USA"]
"""The ethnicity labels of agents in the USA."""

NO_ETHNICITY = frozenset(
    {
        *("No migration background", "Migration background", "Non-immigrant", "Immigrant"),
        *("Japanese nationals", "Foreign nationals"),
        *("Hindu", "Muslim", "Christian", "Sikh", "Buddhist", "Jain", "Other or not stated"),
    }
)
"""Labels that agents in Germany, France, Japan and India have as ethnicity, for lack of ethnic figures."""

US_INDUSTRIES = (
    "Agriculture, Forestry, Fishing and Hunting",
    "Mining, Quarrying, and Oil and Gas Extraction",
    "Utilities",
    "Construction",
    "Manufacturing",
    "Wholesale Trade",
    "Retail Trade",
    "Transportation and Warehousing",
    "Information",
    "Finance and Insurance",
    "Real Estate and Rental and Leasing",
    "Professional, Scientific, and Technical Services",
    "Management of Companies and Enterprises",
    "Administrative and Support and Waste Management and Remediation Services",
    "Educational Services",
    "Health Care and Social Assistance",
    "Arts, Entertainment, and Recreation",
    "Accommodation and Food Services",
    "Other Services (except Public Administration)",
    "Public Administration",
)
"""The 20 NAICS sectors, in the order of their codes."""
