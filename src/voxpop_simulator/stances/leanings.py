"""Latent leanings of agents: published effects of attributes plus a stable personal component.

Every leaning is a weighted sum of standardised attributes (the table below, one source per row) and a
personal component that depends only on the agent and the leaning. The signs of the weights were published;
their sizes are the project's choice, small relative to the personal component, because differences between
groups are smaller than those between people.
"""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.engines.agents import Agent
from voxpop.engines.draws import draws, key
from voxpop_simulator.stances.normals import normal

TRAITS = (
    "age",
    "mid_age",
    "income",
    "education",
    "female",
    "parent",
    "urban",
    "employed",
    "unemployed",
    "retired",
    "disabled",
    "conditions",
    "bmi",
    "phq9",
    "smoker",
    "drinker",
    "active",
    "diet",
    "sleep",
    "glp1",
    "black",
    "hispanic",
)
PERSONAL = 0.8  # deviation of the personal component relative to the weights below, before standardisation

# leaning -> (weights over TRAITS, source of the signs)
LEANINGS: dict[str, tuple[dict[str, float], str]] = {
    "price": (
        {"income": -0.42, "unemployed": 0.5, "parent": 0.15, "age": -0.05},
        "Wakefield & Inman 2003, Journal of Retailing 79:199 (price sensitivity falls with income)",
    ),
    "technology": (
        {"age": -0.5, "education": 0.25, "income": 0.15, "urban": 0.1},
        "Czaja et al. 2006, Psychology and Aging 21:333 (use of technology: younger, better educated)",
    ),
    "health_worry": (
        {"conditions": 0.4, "age": 0.15, "bmi": 0.15, "phq9": 0.3, "female": 0.08},
        "NCHS, National "
        "Health Interview Survey (fair or poor self-rated health rises with conditions and age)",
    ),
    "own_health": (
        {
            "conditions": -0.5,
            "disabled": -0.7,
            "phq9": -0.25,
            "bmi": -0.15,
            "active": 0.15,
            "smoker": -0.25,
            "education": 0.2,
            "income": 0.2,
            "age": -0.1,
        },
        "Anson et al. 2011, Psychology 2:987; Petek & Kersnik 2014 (conditions, weight, mood, age,"
        " means, schooling)",
    ),
    "healthy_living": (
        {"diet": 0.4, "active": 0.35, "education": 0.2, "female": 0.2, "smoker": -0.3, "age": 0.1},
        "Wardle et al. 2004, Annals of Behavioral Medicine 27:107 (healthy choices: women, health beliefs)",
    ),
    "life": (
        {
            "phq9": -0.5,
            "unemployed": -0.6,
            "income": 0.22,
            "mid_age": -0.15,
            "conditions": -0.1,
            "disabled": -0.3,
        },
        "Kahneman & Deaton 2010, PNAS 107:16489; Clark & Oswald 1994, Economic Journal 104:648; "
        "Fleche & Layard 2015, CEP Discussion Paper 1356 (mental illness)",
    ),
    "job": (
        {"unemployed": -1.1, "disabled": -0.5, "age": 0.15, "income": 0.2, "phq9": -0.25, "female": 0.06},
        "Clark & Oswald "
        "1994, Economic Journal 104:648; Clark, Oswald & Warr 1996, J. Occ. Org. Psychology 69:57",
    ),
    "novelty": (
        {"age": -0.35, "female": -0.08, "education": 0.12, "urban": 0.08},
        "Roberts, Walton "
        "& Viechtbauer 2006, Psychological Bulletin 132:1 (openness and excitement fall with age)",
    ),
    "brand": (
        {"age": 0.35, "income": 0.1},
        "Lambert-Pandraud "
        "& Laurent 2010, Journal of Marketing 74(5):104 (older buyers stay with their brands)",
    ),
    "sustainability": (
        {"female": 0.25, "education": 0.25, "age": -0.15, "urban": 0.12},
        "Zelezny, Chua & Aldrich 2000, Journal of Social Issues 56:443 (women more concerned)",
    ),
    "privacy": (
        {"age": 0.25, "education": 0.1, "female": 0.05},
        "Pew Research Center 2019 and 2023, Americans and Privacy (older adults feel less control)",
    ),
    "family": (
        {"parent": 0.95, "female": 0.2, "age": 0.05},
        "Pew Research Center 2023, Parenting in America Today (mothers 46 %, fathers 32 % very worried)",
    ),
    "safety": (
        {"female": 0.3, "age": 0.25, "parent": 0.15, "income": -0.08},
        "Dohmen et al. "
        "2011, J. European Economic Association 9:522 (women and older people take fewer risks)",
    ),
    "trust": (
        {"education": 0.25, "income": 0.2, "age": 0.12, "black": -0.3, "phq9": -0.1},
        "Alesina & La Ferrara 2002, Journal of Public Economics 85:207 (who trusts others)",
    ),
    "convenience": (
        {"employed": 0.1, "parent": 0.25, "age": -0.15, "urban": 0.1},
        "Candel 2001, Appetite 36:15 (convenience goes with role overload; working status alone does not)",
    ),
    "indulgence": (
        {"age": -0.25, "diet": -0.3, "female": -0.05, "glp1": -0.6, "active": -0.1},
        "Fryar et al. "
        "2018, NCHS Data Brief 322 (fast food falls with age); Blundell et al. 2017 (see portions)",
    ),
    "portions": (
        {"glp1": 1.1, "age": 0.2, "female": 0.2, "diet": 0.1},
        "Blundell et "
        "al. 2017, Diabetes, Obesity and Metabolism 19:1242 (semaglutide: smaller meals, fewer cravings)",
    ),
    "exercise": (
        {"active": 0.6, "age": -0.2, "education": 0.15, "bmi": -0.15, "conditions": -0.12},
        "Trost et al. 2002, Medicine & Science in Sports & Exercise 34:1996 (correlates of activity)",
    ),
    "social_media": (
        {"age": -0.55, "female": 0.15, "urban": 0.05},
        "Pew Research Center 2024, Americans' Social Media Use",
    ),
    "politics": (
        {"age": 0.3, "education": 0.3, "income": 0.12},
        "Verba, Schlozman & Brady 1995, Voice and Equality (resources and engagement)",
    ),
    "travel": (
        {"income": 0.4, "education": 0.15, "conditions": -0.12, "urban": 0.05},
        "BLS Consumer Expenditure Survey (spending on trips rises with income)",
    ),
    "faith": (
        {"age": 0.3, "female": 0.2, "black": 0.4, "education": -0.08, "urban": -0.1},
        "Pew Research Center 2014, Religious Landscape Study",
    ),
    "money_worry": (
        {
            "income": -0.45,
            "education": -0.15,
            "unemployed": 0.5,
            "parent": 0.15,
            "phq9": 0.25,
            "age": -0.15,
            "disabled": 0.2,
        },
        "Federal Reserve 2025, Economic Well-Being of U.S. Households in 2024 (SHED)",
    ),
    "strain": (
        {"phq9": 0.6, "age": -0.25, "female": 0.12, "sleep": -0.2, "unemployed": 0.2},
        "American Psychological Association, Stress in America (younger adults and women report more)",
    ),
    "alcohol": (
        {"drinker": 0.8, "age": -0.1, "female": -0.1},
        "NIAAA, National Survey on Drug Use and Health tables (use by sex and age)",
    ),
    "tobacco": (
        {"smoker": 1.2, "education": -0.15},
        "CDC, National Health Interview Survey 2015 (25.6 % without high school, 7.3 % with a degree)",
    ),
    "pets": (
        {"age": -0.12, "urban": -0.25, "income": 0.1, "parent": 0.12},
        "Pew Research Center, April 2023 (71 % of rural adults have a pet, 62 % of all; fewer at"
        " 65 and over)",
    ),
    "assent": (
        {"education": -0.12, "age": 0.05},
        "Narayan & Krosnick 1996, Public Opinion Quarterly 60:58 (acquiescence falls with education)",
    ),
}

CHECKED = frozenset(
    (
        *("technology", "life", "sustainability", "trust", "portions", "family", "social_media"),
        *("money_worry", "pets", "brand", "novelty", "tobacco", "strain", "own_health"),
        *("healthy_living", "indulgence", "travel", "job", "safety", "convenience", "politics", "faith"),
    )
)
"""Leanings whose signs were checked in the source or a report on it; the others are from memory."""
NAMES = tuple(LEANINGS)
# leaning -> (mean, deviation) over 40,000 US agents of population 2026.5, used to standardise leanings
_USUAL: dict[str, tuple[float, float]] = {
    "price": (0.00, 0.92), "technology": (0.11, 1.01), "health_worry": (0.23, 1.07),
    "own_health": (-0.26, 1.26), "healthy_living": (0.00, 1.00), "life": (-0.13, 1.00),
    "job": (-0.00, 0.93), "novelty": (0.02, 0.89), "brand": (0.01, 0.89), "sustainability": (0.24, 0.85),
    "privacy": (0.03, 0.85), "family": (0.35, 0.91), "safety": (0.18, 0.86), "trust": (0.01, 0.91),
    "convenience": (0.20, 0.83), "indulgence": (-0.02, 0.91), "portions": (0.20, 0.91),
    "exercise": (-0.05, 1.09), "social_media": (0.12, 0.99), "politics": (0.04, 0.93),
    "travel": (0.04, 0.95), "faith": (0.07, 0.88), "money_worry": (0.01, 1.05), "strain": (0.08, 1.08),
    "alcohol": (-0.22, 0.96), "tobacco": (0.10, 0.89), "pets": (-0.16, 0.83), "assent": (-0.01, 0.81),
}  # fmt: skip
_EDUCATION = {
    "Less than 9th grade": -2.0,
    "9-11th grade": -1.4,
    "High school graduate/GED": -0.6,
    "Some college or AA degree": 0.1,
    "College graduate or above": 1.1,
}
_INCOME = {
    "Under $15,000": -1.7,
    "$15,000-$24,999": -1.3,
    "$25,000-$34,999": -1.0,
    "$35,000-$49,999": -0.6,
    "$50,000-$74,999": -0.2,
    "$75,000-$99,999": 0.2,
    "$100,000-$149,999": 0.7,
    "$150,000-$199,999": 1.2,
    "$200,000 and over": 1.7,
}
_LEVEL = {
    "none": -1.0,
    "light": -0.2,
    "moderate": 0.6,
    "heavy": 1.6,
    "low": -1.0,
    "high": 1.1,
    "poor": -1.2,
    "fair": -0.2,
    "good": 0.8,
    "mixed": 0.0,
    "healthy": 1.2,
}
_ACTIVE = {"low": -1.0, "moderate": 0.1, "high": 1.1}


def traits(agent: Agent) -> tuple[float, ...]:
    """Return the agent's standardised attributes in the order of ``TRAITS``.

    An unknown attribute is set to its mean.
    """
    years = (agent.age - 48) / 18
    status = agent.labour_status
    social = (
        years,
        1.0 if 35 <= agent.age < 60 else 0.0,
        _INCOME.get(agent.household_income or "", 0.0),
        _EDUCATION.get(agent.education or "", 0.0),
        1.0 if agent.gender == "female" else 0.0,
        1.0 if agent.is_parent else 0.0,
        1.0 if agent.urban_rural == "urban" else 0.0,
        1.0 if status == "employed" else 0.0,
        1.0 if status == "unemployed" else 0.0,
        1.0 if status == "retired" else 0.0,
        1.0 if status == "disabled" else 0.0,
    )
    ethnicity = (
        1.0 if agent.ethnicity == "Black or African American" else 0.0,
        1.0 if agent.ethnicity == "Hispanic or Latino" else 0.0,
    )
    health = agent.health_profile
    if health is None:
        return (*social, *_NO_HEALTH, *ethnicity)
    return (
        *social,
        0.0 if health.partial else min((len(health.conditions) - 2.2) / 2, 3.0),
        0.0 if health.bmi is None else max(min((health.bmi - 29.5) / 7, 2.5), -2.0),
        0.0 if health.phq9_score is None else min((health.phq9_score - 3.8) / 4.5, 3.5),
        1.0 if health.smokes else 0.0,
        _LEVEL.get(health.alcohol_use or "", 0.0),
        _ACTIVE.get(health.physical_activity_level or "", 0.0),
        _LEVEL.get(health.diet_quality or "", 0.0),
        _LEVEL.get(health.sleep_quality or "", 0.0),
        1.0 if "glp1_agonist" in (health.drug_classes or ()) else 0.0,
        *ethnicity,
    )


_NO_HEALTH = (0.0,) * 9


@dataclass(frozen=True, slots=True)
class Leaning:
    """One leaning, prepared for many agents."""

    name: str
    weights: tuple[tuple[int, float], ...]
    salt: bytes
    start: float
    personal: float

    def of(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return the leaning of an agent, about -3 to 3: 0 is the US average, 1 a standard deviation."""
        total = normal(draws(self.salt, uuid)) * self.personal + self.start
        for at, weight in self.weights:
            total += weight * person[at]
        return total


def weights_of(table: dict[str, float]) -> tuple[tuple[int, float], ...]:
    """Return trait weights by index, so that sums have a fixed order."""
    return tuple((at, table[name]) for at, name in enumerate(TRAITS) if name in table)


def _leaning(name: str) -> Leaning:
    mean, size = _USUAL[name]
    weights = tuple((at, weight / size) for at, weight in weights_of(LEANINGS[name][0]))
    return Leaning(name, weights, key("leaning", name), -mean / size, PERSONAL / size)


LEANING: dict[str, Leaning] = {name: _leaning(name) for name in LEANINGS}


def source(name: str) -> str:
    """Return the source of a leaning's signs.

    Examples
    --------
    >>> source("price")
    'Wakefield & Inman 2003, Journal of Retailing 79:199 (price sensitivity falls with income)'
    """
    return LEANINGS[name][1]
