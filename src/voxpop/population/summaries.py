"""Two sentences about an agent, made from its fields when it is read, so they cannot contradict them."""

from __future__ import annotations

from typing import NamedTuple

from voxpop.vocabulary.places import STATES


class Facts(NamedTuple):
    """The fields that a summary speaks of."""

    number: int
    name: str
    age: int
    gender: str
    state: str
    ethnicity: str
    is_parent: bool
    education: str
    household_income: str
    urban_rural: str
    labour_status: str
    title: str | None
    industry: str | None


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


def article(phrase: str) -> str:
    """Return a phrase with "a" or "an" before it.

    Examples
    --------
    >>> article("IT Manager"), article("HR Generalist"), article("Usher"), article("University Dean")
    ('an IT Manager', 'an HR Generalist', 'an Usher', 'a University Dean')
    """
    first = phrase.split()[0].split("-")[0].split("/")[0]
    if first.isupper() and len(first) <= 4:  # spelled out letter by letter
        an = first[0] in "AEFHILMNORSX"
    else:
        word = first.lower()
        an = word[0] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
        an = an or word.startswith(("hour", "honest", "heir"))
    return f"{'an' if an else 'a'} {phrase}"


def place(code: str) -> str:
    """Return the name of a state in a sentence."""
    name = STATES.get(code, code)
    return f"the {name}" if name.startswith("District") else name


def summary(facts: Facts) -> str:
    """Return what a stranger would say about an agent; the wording varies with its id.

    Examples
    --------
    >>> work = ("employed", "Store Manager", "Retail Trade")
    >>> home = ("College graduate or above", "$50,000-$74,999", "urban")
    >>> print(summary(Facts(2, "Ana Cruz", 41, "female", "TX", "Asian", True, *home, *work)))
    Ana Cruz, 41, works as a Store Manager in retail and lives in an urban part of Texas. She is the parent
    of a child under 18 at home, has a college degree, and has a household income of $50,000-$74,999.
    """
    who, whose = _PRONOUNS.get(facts.gender, ("they", "their"))
    area = (
        ("a city or town", "an urban part")
        if facts.urban_rural == "urban"
        else ("the countryside", "a rural part")
    )
    kind = facts.number % 4
    where = f"{area[0]} in {place(facts.state)}" if kind % 2 else f"{area[1]} of {place(facts.state)}"
    work = _work(facts)
    if kind == 0:
        first = f"{facts.name} is {facts.age} years old, lives in {where} and {work}."
    elif kind == 1:
        first = f"{facts.name}, {article_of_age(facts.age)}-year-old from {where}, {work}."
    elif kind == 2:
        first = f"{facts.name}, {facts.age}, {work} and lives in {where}."
    else:
        first = f"At {facts.age}, {facts.name} {work}; home is in {where}."
    income = facts.household_income[:1].lower() + facts.household_income[1:]
    parts = [_schooling(facts), f"has a household income of {income}"]
    if facts.is_parent:
        parts.insert(0, "is the parent of a child under 18 at home")
    if kind in (1, 3):
        parts[-1] = f"lives in a household with an income of {income}"
    if kind == 3 and not facts.is_parent:
        return f"{first} {who.capitalize()} {parts[0]}, and {whose} household income is {income}."
    return f"{first} {who.capitalize()} {listed(parts)}."


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


def _schooling(facts: Facts) -> str:
    unfinished = facts.education == "9-11th grade"
    if unfinished and facts.age <= _STILL_AT_SCHOOL_AGE:
        return "has not finished high school"
    return _SCHOOLING[facts.education]
