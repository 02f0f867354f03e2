"""Everyday words for people and activities, with their conditions on the fields of an agent.

Ages follow published definitions: generations are those of the Pew Research Center ("Defining generations",
2019) in the year of reference; young adults are 18 to 29 (Pew's youngest age group), college age is 18 to 24
(National Center for Education Statistics), middle age 45 to 64 and older age 65 and over (US Census Bureau);
childbearing age is 15 to 49 (World Health Organization), here from 18.
Low, middle and high income are Pew's: below two thirds, up to double, and above double of the median household
income ($80,610 in 2023, US Census Bureau P60-282), in the whole bands nearest to it.
"""  # noqa: E501

from __future__ import annotations

from voxpop.vocabulary import Between
from voxpop.vocabulary.levels import EDUCATION, HOUSEHOLD_INCOME
from voxpop_simulator.audiences.mentions import Sense, lexicon, sense

REFERENCE_YEAR = 2026
"""Reference year of the population's ages (population version us-2026.1)."""

BIRTH_YEARS = {
    "gen z": (1997, 2012),
    "millennials": (1981, 1996),
    "gen x": (1965, 1980),
    "boomers": (1946, 1964),
    "silent generation": (1928, 1945),
}
"""First and last birth year of a generation: Pew Research Center, "Defining generations", 2019."""

LOW_INCOME = HOUSEHOLD_INCOME[:4]
MIDDLE_INCOME = HOUSEHOLD_INCOME[4:7]
HIGH_INCOME = HOUSEHOLD_INCOME[7:]

_W, _B = "White, non-Hispanic", "Black or African American"
_H, _N = "Hispanic or Latino", "American Indian or Alaska Native"
_P, _T = "Native Hawaiian or Other Pacific Islander", "Two or more races"


def generation(name: str) -> Between:
    """Return the adult ages of a generation in the year of reference.

    Examples
    --------
    >>> generation("gen z"), generation("millennials")
    (vp.between(18, 29), vp.between(30, 45))
    """
    first, last = BIRTH_YEARS[name]
    return Between(max(18, REFERENCE_YEAR - last), REFERENCE_YEAR - first)


def _age(low: int | None, high: int | None, *, person: bool = False) -> Sense:
    return sense(person=person, age=Between(low, high))


_AGES = lexicon(
    ("gen z|gen zers|gen zs|generation z|zoomers|gen z adults", sense(person=True, age=generation("gen z"))),
    (
        "millennials|millennial|millenials|gen y|generation y",
        sense(person=True, age=generation("millennials")),
    ),
    ("gen x|gen xers|generation x", sense(person=True, age=generation("gen x"))),
    ("boomers|boomer|baby boomers|baby boomer", sense(person=True, age=generation("boomers"))),
    ("silent generation|the silent generation", sense(person=True, age=generation("silent generation"))),
    (
        "seniors|senior citizens|elderly people|the elderly|older adults|older people|pensioners",
        _age(65, None, person=True),
    ),
    ("elderly|senior adults|older|retirement age", _age(65, None)),
    ("middle aged|middle age", _age(45, 64)),
    ("young adults|young people|young adult|youth|youths", _age(18, 29, person=True)),
    ("young|younger", _age(18, 29)),
    ("college age|college aged|university age", _age(18, 24)),
    ("working age|of working age", _age(18, 64)),
    ("of childbearing age|childbearing age|of reproductive age|reproductive age", _age(18, 49)),
    ("octogenarians", _age(80, 89, person=True)),
    ("septuagenarians", _age(70, 79, person=True)),
    ("sexagenarians", _age(60, 69, person=True)),
    ("quinquagenarians", _age(50, 59, person=True)),
    ("nonagenarians", _age(90, 99, person=True)),
    (
        "my age|our age",
        sense(options=("18 to 29", "30 to 44", "45 to 64", "65 and over"), age=Between(18, None)),
    ),
)

_MEN, _WOMEN = sense(person=True, gender="male"), sense(person=True, gender="female")
_PARENT, _CHILDLESS = sense(person=True, is_parent=True), sense(is_parent=False)

_PEOPLE = lexicon(
    ("men|man|males|guys|gentlemen|dudes|fellas|blokes", _MEN),
    ("male", sense(gender="male")),
    ("women|woman|females|ladies|gals", _WOMEN),
    ("female", sense(gender="female")),
    ("non binary|nonbinary|enby|genderqueer", sense(gender="non_binary")),
    ("non binary people|nonbinary people|enbies", sense(person=True, gender="non_binary")),
    (
        "moms|mothers|mom|mother|mums|mum|mommies|mamas|soccer moms",
        sense(person=True, gender="female", is_parent=True),
    ),
    ("dads|fathers|dad|father|daddies|papas", sense(person=True, gender="male", is_parent=True)),
    ("parents|parent|moms and dads|mothers and fathers|dads and moms", _PARENT),
    (
        "with kids|with children|with a child|with young children|with young kids|with kids at home|"
        "with children at home|have kids|have children|have a child|has kids|has children|has a child|"
        "having kids|"
        "having children|raising kids|raising children|raise kids|raise children|with minor children|"
        "with children under 18|with kids under 18|have children under 18|have kids under 18|"
        "with underage children|with small children|are parents|is a parent|kids at home|children at home|"
        "kids in the home|children in the home|kids in the household|children in the household|kids "
        "living at home",
        sense(is_parent=True),
    ),
    (
        "childless|child free|childfree|without kids|without children|without any kids|without any "
        "children|"
        "no kids|no children|no kids at home|no children at home|without kids at home|"
        "without children at home|no children under 18|no kids under 18|with no kids|with no children|"
        "have no kids|have no children|don't have kids|"
        "don't have children|do not have children|do not have kids|don't have any kids|don't have any "
        "children|"
        "without a child|kid free",
        _CHILDLESS,
    ),
    ("non parents|nonparents|childless people|childfree people", sense(person=True, is_parent=False)),
    (
        "single parents|single parent",
        sense(person=True, ask="Are you raising a child on your own?", is_parent=True),
    ),
    (
        "single moms|single mothers|single mom|single mother",
        sense(person=True, ask="Are you raising a child on your own?", gender="female", is_parent=True),
    ),
    (
        "single dads|single fathers",
        sense(person=True, ask="Are you raising a child on your own?", gender="male", is_parent=True),
    ),
    (
        "new moms|new mothers",
        sense(person=True, ask="Have you recently had a baby?", gender="female", is_parent=True),
    ),
    (
        "new dads|new fathers",
        sense(person=True, ask="Have you recently had a baby?", gender="male", is_parent=True),
    ),
    ("new parents", sense(person=True, ask="Have you recently had a baby?", is_parent=True)),
)

_ETHNICITIES = lexicon(
    (
        "hispanic|latino|latina|latinx|latine|hispanic or latino|latino or hispanic",
        sense(ethnicity=_H, american=True),
    ),
    (
        "hispanics|latinos|latinas|hispanic people|latino people|hispanic americans|latino americans",
        sense(person=True, american=True, ethnicity=_H),
    ),
    ("white|caucasian|non hispanic white|white non hispanic", sense(ethnicity=_W)),
    ("whites|white people|caucasians", sense(person=True, ethnicity=_W)),
    ("white americans", sense(person=True, american=True, ethnicity=_W)),
    ("black", sense(ethnicity=_B)),
    ("black people|blacks", sense(person=True, ethnicity=_B)),
    (
        "african american|black or african american|afro american",
        sense(american=True, ethnicity=_B),
    ),
    ("african americans|black americans", sense(person=True, american=True, ethnicity=_B)),
    ("asian|aapi", sense(ethnicity="Asian")),
    ("asians|asian people", sense(person=True, ethnicity="Asian")),
    ("asian american", sense(american=True, ethnicity="Asian")),
    ("asian americans", sense(person=True, american=True, ethnicity="Asian")),
    (
        "native american|american indian|alaska native|american indian or alaska native|indigenous american",
        sense(american=True, ethnicity=_N),
    ),
    (
        "native americans|american indians|alaska natives|indigenous americans",
        sense(person=True, american=True, ethnicity=_N),
    ),
    (
        "native hawaiian|pacific islander|native hawaiian or other pacific islander|"
        "native hawaiian or pacific islander",
        sense(american=True, ethnicity=_P),
    ),
    ("native hawaiians|pacific islanders", sense(person=True, american=True, ethnicity=_P)),
    (
        "multiracial|mixed race|biracial|two or more races|of two or more races",
        sense(ethnicity=_T),
    ),
    ("people of color|people of colour|poc", sense(person=True, ethnicity=(_H, _B, "Asian", _N, _P, _T))),
)

_SCHOOLING = lexicon(
    (
        "college graduates|college grads|university graduates|college educated people|degree holders",
        sense(person=True, education=EDUCATION[4]),
    ),
    (
        "college educated|university educated|college degree|a college degree|bachelor's degree|"
        "bachelors degree|"
        "a bachelor's degree|a university degree|university degree|a degree|bachelor's|college degrees|"
        "degrees|"
        "finished college|graduated from college|graduated college|completed college|college graduate|"
        "college degree or higher|bachelor's degree or higher|well educated|highly educated|"
        "bachelor's or higher|"
        "a bachelor's or higher|4 year degree|a 4 year degree|a four year degree|four year degree|"
        "college grad|"
        "bachelors|bachelors or higher|bachelor's and above|college graduate or above",
        sense(education=EDUCATION[4]),
    ),
    (
        "master's degree|a master's degree|masters degree|a masters degree|a master's",
        sense(education=EDUCATION[4], ask="Do you have a master's degree?"),
    ),
    ("mbas", sense(person=True, education=EDUCATION[4], ask="Do you have an MBA?")),
    ("an mba|mba", sense(education=EDUCATION[4], ask="Do you have an MBA?")),
    ("phds|phd holders", sense(person=True, education=EDUCATION[4], ask="Do you have a doctorate?")),
    (
        "a phd|phd|a doctorate|doctorate|doctoral degree|a doctoral degree",
        sense(education=EDUCATION[4], ask="Do you have a doctorate?"),
    ),
    (
        "some college|associate degree|an associate degree|associate's degree|an associate's degree|aa "
        "degree|"
        "associates degree|an associates degree|some college or aa degree",
        sense(education=EDUCATION[3]),
    ),
    (
        "high school diploma|a high school diploma|ged|a ged|high school education|a high school education|"
        "high school degree|a high school degree|finished high school|graduated from high school|"
        "high school graduate|high school graduate ged",
        sense(education=EDUCATION[2]),
    ),
    ("high school graduates|high school grads", sense(person=True, education=EDUCATION[2])),
    (
        "at least a high school diploma|at least high school|high school or more|at least some high "
        "school diploma|"
        "high school diploma or higher|at least a high school education",
        sense(education=EDUCATION[2:]),
    ),
    ("at least some college|some college or more", sense(education=EDUCATION[3:])),
    (
        "high school or less|high school diploma or less|high school only|a high school diploma or "
        "less|at most high school|"
        "high school education or less|no more than a high school diploma|no more than high school|no "
        "college|"
        "no college education|never went to college|didn't go to college|did not go to college|"
        "without any college|at most a high school diploma|never attended college|non college educated",
        sense(education=EDUCATION[:3]),
    ),
    (
        "no degree|no college degree|non college|noncollege|without a degree|without a college degree|"
        "without college degrees|"
        "without degrees|non college graduates|don't have a degree|don't have a college degree|"
        "do not have a college degree|didn't finish college|did not finish college|without a bachelor's degree",  # noqa: E501
        sense(education=EDUCATION[:4]),
    ),
    (
        "high school dropouts|without a high school diploma|no high school diploma|less than high school|"
        "didn't finish high school|did not finish high school|dropped out of high school",
        sense(education=EDUCATION[:2]),
    ),
    ("less than 9th grade", sense(education=EDUCATION[0])),
)

_MONEY = lexicon(
    (
        "low income|lower income|poor people|low incomes|a low income|low earners",
        sense(household_income=LOW_INCOME),
    ),
    (
        "middle income|middle class|a middle income|middle incomes",
        sense(household_income=MIDDLE_INCOME),
    ),
    (
        "high income|higher income|upper income|high earning|wealthy|affluent|rich|high incomes|a high "
        "income|"
        "high net worth|high earners|upper class|well off",
        sense(household_income=HIGH_INCOME),
    ),
    (
        "six figure earners|six figures|six figure income|six figure incomes|a six figure income|six "
        "figure salary|"
        "six figure salaries|a six figure salary|six figure household income",
        sense(household_income=HOUSEHOLD_INCOME[6:]),
    ),
)

_SETTLING = lexicon(
    (
        "urban|in cities|in a city|city dwellers|urbanites|in urban areas|big city|urban areas|in big "
        "cities|"
        "in large cities|in the city|city|urban parts|in urban parts",
        sense(urban_rural="urban"),
    ),
    (
        "rural|in rural areas|rural areas|rural parts|in rural parts|rural communities|in rural communities|"
        "small rural towns|rural counties|in rural counties|in the countryside|country dwellers|rural "
        "america",
        sense(urban_rural="rural"),
    ),
    ("suburban|in the suburbs|suburbanites|suburbs", sense(ask="Do you live in a suburb?")),
)

WORDS: dict[str, Sense] = {**_AGES, **_PEOPLE, **_ETHNICITIES, **_SCHOOLING, **_MONEY, **_SETTLING}
"""Phrase, in lower case and without hyphens -> its conditions."""
