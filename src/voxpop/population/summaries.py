"""Two-sentence summaries of agents, generated from their fields on reading, so they never contradict."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from voxpop.vocabulary.places import STATES
from voxpop.vocabulary.regions import region_in_words


class Facts(NamedTuple):
    """Fields that a summary uses."""

    number: int
    name: str
    age: int
    gender: str
    country: str
    state: str
    ethnicity: str | None
    is_parent: bool | None
    education: str | None
    household_income: str | None
    urban_rural: str | None
    labour_status: str
    title: str | None
    industry: str | None


CODED = ("USA", "Canada")
"""Countries whose states are 2-letter codes."""

_PRONOUNS = {"male": ("he", "his"), "female": ("she", "her")}
_SCHOOLING = {
    "Less than 9th grade": "left school before 9th grade",
    "9-11th grade": "left high school without a diploma",
    "High school graduate/GED": "finished high school",
    "Some college or AA degree": "has some college or an associate degree",
    "College graduate or above": "has a college degree",
}
_STILL_AT_SCHOOL_AGE = 19
_STATUS = {
    "unemployed": ("is looking for work", "is between jobs and looking for work"),
    "retired": ("is retired", "has retired"),
    "student": ("is a student", "is studying"),
    "homemaker": ("looks after home and family", "keeps house and is not in paid work"),
    "disabled": ("does not work because of a disability", "is out of work because of a disability"),
    "other_not_in_labour_force": ("is not in paid work", "is neither working nor looking for work"),
}
_SECTORS = {
    "Agriculture, Forestry, Fishing and Hunting": "agriculture",
    "Mining, Quarrying, and Oil and Gas Extraction": "mining and oil",
    "Utilities": "utilities",
    "Construction": "construction",
    "Manufacturing": "manufacturing",
    "Wholesale Trade": "wholesale trade",
    "Retail Trade": "retail",
    "Transportation and Warehousing": "transport and warehousing",
    "Information": "the information sector",
    "Finance and Insurance": "finance and insurance",
    "Real Estate and Rental and Leasing": "real estate and rental",
    "Professional, Scientific, and Technical Services": "professional and technical services",
    "Administrative and Support and Waste Management and Remediation Services": "business support services",
    "Educational Services": "education",
    "Health Care and Social Assistance": "health care and social assistance",
    "Arts, Entertainment, and Recreation": "arts and recreation",
    "Accommodation and Food Services": "hotels and restaurants",
    "Other Services (except Public Administration)": "personal and repair services",
    "Public Administration": "public administration",
    "Management of Companies and Enterprises": "company management",
}


@lru_cache(4_096)
def article(phrase: str) -> str:
    """Return a phrase with its indefinite article.

    Examples
    --------
    >>> article("IT Manager"), article("HR Generalist"), article("Usher"), article("University Dean")
    ('an IT Manager', 'an HR Generalist', 'an Usher', 'a University Dean')
    """
    first = phrase.split()[0].split("-")[0].split("/")[0]
    if first.isupper() and len(first) <= 4:  # an abbreviation, spelled out letter by letter
        an = first[0] in "AEFHILMNORSX"
    else:
        word = first.lower()
        an = word[0] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
        an = an or word.startswith(("hour", "honest", "heir"))
    return f"{'an' if an else 'a'} {phrase}"


@lru_cache(1_024)
def place(state: str, country: str) -> str:
    """Return a state or region for a sentence; outside the USA with its country.

    Examples
    --------
    >>> place("TX", "USA"), place("QC", "Canada"), place("Bavaria", "Germany"), place("East Midlands", "UK")
    ('Texas', 'Quebec, Canada', 'Bavaria, Germany', 'the East Midlands, UK')
    """
    name = region_in_words(STATES.get(state, state)) if country in CODED else region_in_words(state)
    name = f"the {name}" if name.startswith(("District", "Northwest T")) else name
    return name if country == "USA" else f"{name}, {country}"


def summary(facts: Facts) -> str:
    """Return a third-person summary of an agent; the wording varies with its id.

    Unknown facts are omitted.

    Examples
    --------
    >>> work = ("employed", "Store Manager", "Retail Trade")
    >>> home = ("College graduate or above", "$50,000-$74,999", "urban")
    >>> print(summary(Facts(2, "Ana Cruz", 41, "female", "USA", "TX", "Asian", True, *home, *work)))
    Ana Cruz, 41, works as a Store Manager in retail and lives in an urban part of Texas. She is the parent
    of a child under 18 at home, has a college degree, and has a household income of $50,000-$74,999.
    >>> home = (None, None, None)
    >>> print(summary(Facts(3, "Lena Koch", 38, "female", "Germany", "Bavaria", None, None, *home, *work)))
    At 38, Lena Koch works as a Store Manager in retail; home is in Bavaria, Germany.
    """
    where, kind = _where(facts), facts.number % 4
    work = _work(facts)
    if kind == 0:
        first = f"{facts.name} is {facts.age} years old, lives in {where} and {work}."
    elif kind == 1:
        first = f"{facts.name}, {article_of_age(facts.age)}-year-old from {where}, {work}."
    elif kind == 2:
        first = f"{facts.name}, {facts.age}, {work} and lives in {where}."
    else:
        first = f"At {facts.age}, {facts.name} {work}; home is in {where}."
    second = _home(facts)
    return f"{first} {second}" if second else first


def _where(facts: Facts) -> str:
    home = place(facts.state, facts.country)
    if facts.urban_rural is None:
        return home
    area = (
        ("a city or town", "an urban part")
        if facts.urban_rural == "urban"
        else ("the countryside", "a rural part")
    )
    return f"{area[0]} in {home}" if facts.number % 2 else f"{area[1]} of {home}"


def _home(facts: Facts) -> str:
    """Return the sentence on family, schooling and income, or an empty string if all are unknown."""
    who, whose = _PRONOUNS.get(facts.gender, ("they", "their"))
    kind, parts = facts.number % 4, []
    if facts.is_parent:
        parts.append("is the parent of a child under 18 at home")
    if facts.education is not None:
        parts.append(_schooling(facts.education, facts.age))
    if facts.household_income is not None:
        income = facts.household_income[:1].lower() + facts.household_income[1:]
        if kind == 3 and len(parts) == 1:
            return f"{who.capitalize()} {parts[0]}, and {whose} household income is {income}."
        lives = f"lives in a household with an income of {income}"
        parts.append(lives if kind in (1, 3) else f"has a household income of {income}")
    return f"{who.capitalize()} {listed(parts)}." if parts else ""


def article_of_age(age: int) -> str:
    """Return an age in figures with its article.

    Examples
    --------
    >>> article_of_age(18), article_of_age(34), article_of_age(81)
    ('an 18', 'a 34', 'an 81')
    """
    return f"{'an' if age in (18, *range(80, 90)) else 'a'} {age}"


def listed(parts: list[str]) -> str:
    """Join parts of a sentence.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c"])
    ('a and b', 'a, b, and c')
    """
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _work(facts: Facts) -> str:
    if facts.labour_status != "employed":
        return _STATUS[facts.labour_status][facts.number // 4 % 2]
    sector = _SECTORS.get(facts.industry or "", facts.industry)
    return f"works as {article(facts.title or 'worker')} in {sector}"


def _schooling(education: str, age: int) -> str:
    if education == "9-11th grade" and age <= _STILL_AT_SCHOOL_AGE:
        return "has not finished high school"
    return _SCHOOLING[education]
