"""Phrases that state something about a profile, with their tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.place_codes import CODES, REGIONS, STATES
from voxpop_simulator.stances.household_words import STATEMENTS
from voxpop_simulator.stances.jobs_by_name import occupations_named
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUG_GROUPS, DRUGS
from voxpop_simulator.stances.profile_tests import (
    AT_LEAST,
    AT_MOST,
    LESS,
    MORE,
    NUMBER,
    OR_LESS,
    OR_MORE,
    PREGNANT,
    ProfileTest,
    any_condition,
    any_drug,
    both,
    bounds,
    compare,
    income_between,
    is_in,
    negated,
)

_STATE_NAMES = "|".join(sorted((re.escape(name) for name in CODES), key=len, reverse=True))
_ANY_CHILDREN = (
    r"(?:any )?(?:young |minor |small |dependent )?(?:kids?|child(?:ren)?)(?: (?:under|younger than"
    r"|below)(?: the age of| age)? (?:18|eighteen))?"
    r"(?: (?:living )?(?:at home|with you|in (?:your|the) (?:home|house|household)))?(?: of your own)?"
)
_BOUND = rf"(?:{MORE}|{AT_LEAST}|{LESS}|{AT_MOST}) (?:the age of |age )?{NUMBER}(?: years?(?: old| of age)?)?"
_BETWEEN = (
    r"(?:between|from) (?:the ages of )?\d+ (?:and|to) \d+(?: years?(?: old| of age)?)?"
    r"|(?:aged? )?\d{2} ?(?:-|to) ?\d{2}(?: years?(?: old| of age)?)?"
)
_AGE = (
    rf"{_BOUND}|{_BETWEEN}|(?:aged? )?\d+(?:{OR_MORE}|{OR_LESS})|(?:aged? )\d{{2}}\b|\d{{2}} years? old"
    rf"|in your (?:\d0s|twenties|thirties|forties|fifties|sixties|seventies|eighties)"
)
_DECADES = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
}
_RX = (
    r"(?:prescription|prescribed) (?:medicines?|medications?|meds|drugs?|pills?)|(?:medicines?"
    r"|medications?) (?:prescribed|on prescription)|(?:(?<=any )|(?<=take )|(?<=taking )|(?<=on ))"
    r"(?:medicines?|medications?|meds)(?! (?:for|that|to|against)\b)"
)
_AMOUNT = rf"(?:(?:{MORE}|{AT_LEAST}|{LESS}|{AT_MOST}) )?{NUMBER}(?:{OR_MORE}|{OR_LESS})?(?: and {NUMBER})?"

Made = ProfileTest | None
_Maker = Callable[[str], Made]


def _age_test(text: str) -> Made:
    decade = re.search(r"in your (?:(\d0)s|(\w+))", text)
    if decade:
        start = int(decade[1]) if decade[1] else _DECADES[decade[2]]
        return compare("age", start, start + 9)
    found = bounds(text)
    return compare("age", *found) if found else None


def _income_test(text: str) -> Made:
    found = bounds(text)
    if not found:
        return None
    return income_between(*found) if found[0] != found[1] else None


def _count_test(text: str) -> Made:
    found = bounds(text)
    return compare("rx_medication_count", *(found or (1, None)))


def _bmi_test(text: str) -> Made:
    found = bounds(re.sub(r".*?(?:bmi|body mass index)(?: of| is)?", "", text), step=0.001)
    return compare("bmi", *found) if found and found[0] != found[1] else None


def _phq9_test(text: str) -> Made:
    found = bounds(re.sub(r".*?phq-?\s?9(?: score)?(?: of| is)?", "", text))
    return compare("phq9_score", *found) if found else None


def _fixed(field: str, *values: Any) -> _Maker:
    test = is_in(field, *values)
    return lambda text: test


def _state_test(text: str) -> Made:
    name = re.sub(r"^(?:the )?(?:state of )?", "", text)
    return is_in("state", CODES.get(name, name.upper()))


def _region_test(text: str) -> Made:
    return is_in("state", *REGIONS[re.sub(r"^the ", "", text).removesuffix("ern").strip()])


def _job_test(text: str) -> Made:
    names = occupations_named(re.sub(r"^(?:work (?:as|for a living as) )?(?:an?|the) ", "", text))
    return is_in("occupation", *names) if names else None


_INDUSTRIES = (
    ("Health Care and Social Assistance", r"health ?care|the medical field|social assistance"),
    ("Educational Services", r"education(?:al services)?|the education (?:sector|field)"),
    ("Retail Trade", r"retail(?: trade)?"),
    ("Construction", r"construction"),
    ("Manufacturing", r"manufacturing"),
    ("Finance and Insurance", r"finance(?: and insurance)?|financial services|banking|insurance"),
    ("Accommodation "
        "and Food Services", r"hospitality|accommodation(?: and food services)?|food services?"
            r"|restaurants|the restaurant (?:business|industry)"),
    ("Public Administration", r"public administration|government|the public sector"),
    ("Transportation and Warehousing", r"transport(?:ation)?(?: and warehousing)?|warehousing|logistics"),
    ("Information", r"the information (?:industry|sector)|information"),
    ("Agriculture, "
        "Forestry, Fishing and Hunting", r"agriculture(?:, forestry, fishing and hunting)?|farming|forestry"),
    ("Real Estate and Rental and Leasing", r"real estate(?: and rental and leasing)?"),
    ("Professional, "
        "Scientific, "
            "and Technical Services", r"professional(?:, scientific,? and technical)? services|consulting"),
    ("Arts, Entertainment, "
        "and Recreation", r"(?:the )?arts(?:, entertainment,? and recreation)?|entertainment"),
    ("Wholesale Trade", r"wholesale(?: trade)?"),
    ("Utilities", r"utilities"),
    ("Mining, Quarrying, "
        "and Oil and Gas Extraction", r"mining(?:, quarrying,? and oil and gas extraction)?|oil and gas"),
)  # fmt: skip
_GROUPS = (
    ("Management", r"management"),
    (
        "Computer and Mathematical",
        r"(?:it|tech|technology|computing|software|computer and mathematical occupations)",
    ),
    ("Sales and Related", r"sales"),
    ("Legal", r"(?:law|legal|the legal field)"),
    ("Production", r"production"),
    (
        "Office and Administrative Support",
        r"(?:office|administrative) (?:and administrative )?(?:work|support|jobs?)",
    ),
    ("Architecture and Engineering", r"engineering"),
)
_TEXTS = {
    "college": ("education", ("College graduate or above",), r"(?:a )?(?:four[- ]year )?(?:college"
        r"|university|bachelor'?s?|undergraduate) (?:degree|graduate|diploma)"
            r"|graduated? from (?:college|university)|college[- ]educated|bachelor'?s"),
    "some": ("education", ("Some college or AA degree", "College graduate or above"), r"some college"
        r"|attended? college|(?:go"
        r"|gone|been"
        r"|went) to college"),
    "school": (
        "education",
        ("High school graduate/GED", "Some college or AA degree", "College graduate or above"),
        r"(?:a )?high[- ]school (?:diploma|graduate|degree)|graduated? (?:from )?high school"
            r"|finish(?:ed)? high school|complet(?:ed?) high school|a? ?ged\b",
    ),
}  # fmt: skip


def _makers() -> tuple[tuple[str, _Maker], ...]:
    mothers = both(is_in("is_parent", True), is_in("gender", "female"))
    fathers = both(is_in("is_parent", True), is_in("gender", "male"))
    childless = negated(is_in("is_parent", True))
    medicines = [(pattern, _constant(any_drug((slug,)))) for slug, (_, pattern) in DRUGS.items()]
    medicines += [(pattern, _constant(any_drug(slugs))) for pattern, slugs in DRUG_GROUPS]
    diabetes = any_condition(("diabetes_t2", "diabetes_t1"))
    conditions = [(pattern, _constant(any_condition((slug,)))) for slug, (_, pattern) in CONDITIONS.items()]
    return (
        (rf"(?:more than|at least|over|fewer than|less than|\d+ or more"
            rf"|\d+)? ?(?:\d+ )?(?:or more )?(?:{_RX})", _count_test),
        (rf"(?:a )?(?:bmi|body mass index) (?:(?:of|is) )?{_AMOUNT}", _bmi_test),
        (rf"(?:a )?phq-?\s?9(?: score)? (?:(?:of|is) )?{_AMOUNT}", _phq9_test),
        (rf"(?:earn|make|making|earning|(?:a |your )?(?:total |annual "
            rf"|yearly )*(?:household )?income(?: is| of)?) {_AMOUNT}(?: (?:dollars )?(?:a|per) year"
                rf"| annually)?", _income_test),
        (r"(?:no|without(?: any)?) (?:kids|children)|childless|child-?free", _constant(childless)),
        (r"(?:a )?(?:mother|mom|mum)(?: of \w+)?", _constant(mothers)),
        (r"(?:a )?(?:father|dad)", _constant(fathers)),
        (rf"(?:a )?parents?(?: or (?:legal )?guardian)?(?: of {_ANY_CHILDREN})?"
            rf"|{_ANY_CHILDREN}", _fixed("is_parent", True)),
        (rf"(?:the age of |age )?(?:{_AGE})", _age_test),
        (r"(?:a )?senior(?: citizen)?", _constant(compare("age", 65, None))),
        (r"pregnant|expecting (?:a baby|a child)", _constant(PREGNANT)),
        *medicines,
        *_STATUS_WORDS,
        *conditions,
        (r"diabetes|diabetic", _constant(diabetes)),
        (r"any (?:\w+ )?(?:conditions?|illness(?:es)?|diagnos[ei]s|diseases?)|(?:chronic|medical"
            r"|health) (?:conditions?|illness(?:es)?|diseases?)", _constant(any_condition(()))),
        (rf"(?:the )?(?:state of )?(?:{_STATE_NAMES})", _state_test),
        (r"the (?:northeast|midwest|south|west)", _region_test),
        *((pattern, _fixed(field, *values)) for field, values, pattern in _TEXTS.values()),
        *((rf"(?:work|working|employed|job) in (?:the )?(?:{pattern})(?: (?:industry|sector"
            rf"|field))?", _fixed("industry", name)) for name, pattern in _INDUSTRIES),
        *((rf"(?:work|working|employed"
            rf"|job) in (?:{pattern})", _fixed("occupation_major_group", name)) for name, pattern in _GROUPS),
    )  # fmt: skip


def _constant(test: ProfileTest) -> _Maker:
    return lambda text: test


_STATUS_WORDS: tuple[tuple[str, _Maker], ...] = (
    (r"(?:a )?(?:non-?smoker)|never smoked?(?: cigarettes)?", _fixed("smoking_status", "never")),
    (
        r"(?:an? )?(?:former|ex|past)[- ]smoker|used to smoke|quit smoking"
        r"|stopped smoking",
        _fixed("smoking_status", "former"),
    ),
    (r"ever smoked(?: cigarettes)?|smoked", _fixed("smoking_status", "current", "former")),
    (
        r"(?:a )?(?:current )?smokers?|smok(?:e|ing)(?: cigarettes"
        r"| tobacco)?",
        _fixed("smoking_status", "current"),
    ),
    (r"(?:a )?heavy drinker|drink heavily", _fixed("alcohol_use", "heavy")),
    (r"(?:a )?moderate drinker|drink moderately", _fixed("alcohol_use", "moderate")),
    (r"(?:a )?light drinker", _fixed("alcohol_use", "light")),
    (r"(?:a )?(?:non-?drinker|teetotall?er)|abstain from alcohol", _fixed("alcohol_use", "none")),
    (
        r"drink(?:ing)?(?: any)? (?:alcohol|beer or wine)|(?:a )?drinker|drink(?!\w)|consume alcohol"
        r"|alcohol",
        _fixed("alcohol_use", "light", "moderate", "heavy"),
    ),
    (r"physically inactive|inactive|sedentary", _fixed("physical_activity_level", "low")),
    (r"(?:very|highly) (?:physically )?active", _fixed("physical_activity_level", "high")),
    (
        r"physically active|active|(?:do |get )?(?:regular )?(?:physical )?exercise(?: regularly)?"
        r"|work out(?: regularly)?",
        _fixed("physical_activity_level", "moderate", "high"),
    ),
    (r"sleep well|good sleep(?:er)?|a good sleeper", _fixed("sleep_quality", "good")),
    (
        r"sleep (?:badly|poorly)|poor sleep(?:er)?|(?:trouble|problems?|difficulty) sleeping"
        r"|(?:trouble|problems?|difficulty) with sleep",
        _fixed("sleep_quality", "poor"),
    ),
    (
        r"(?:eat|have) (?:a )?(?:healthy|healthily|well)(?: diet| food)?"
        r"|a healthy diet",
        _fixed("diet_quality", "healthy"),
    ),
    (
        r"(?:eat|have) (?:a )?(?:poor(?:ly)?|badly|unhealthy|unhealthily)(?: diet| food)?"
        r"|a poor diet",
        _fixed("diet_quality", "poor"),
    ),
    (r"obese", _fixed("bmi_class", "obese_1", "obese_2", "obese_3")),
    (r"overweight", _fixed("bmi_class", "overweight", "obese_1", "obese_2", "obese_3")),
    (r"underweight", _fixed("bmi_class", "underweight")),
    (r"(?:a )?(?:normal|healthy) weight", _fixed("bmi_class", "normal")),
    (r"severe depression|severely depressed", _fixed("phq9_severity", "severe", "moderately_severe")),
    (
        r"unemployed|out of work|jobless|looking for (?:work|a job)"
        r"|between jobs",
        _fixed("labour_status", "unemployed"),
    ),
    (
        r"employed|working|in (?:paid )?work|(?:have )?(?:a )?(?:paid )?job|work for pay"
        r"|work(?= *$)",
        _fixed("labour_status", "employed"),
    ),
    (r"retired|a retiree", _fixed("labour_status", "retired")),
    (
        r"(?:a )?(?:full-time )?student|in (?:school|college)|enrolled in (?:school"
        r"|college)",
        _fixed("labour_status", "student"),
    ),
    (
        r"(?:a )?(?:full-time )?(?:homemaker|housewife"
        r"|house ?husband)",
        _fixed("labour_status", "homemaker"),
    ),
    (r"on disability|disabled|unable to work", _fixed("labour_status", "disabled")),
    (r"(?:a )?(?:wom[ae]n|female|lady)", _fixed("gender", "female")),
    (r"(?:a )?(?:m[ae]n|male|guy)", _fixed("gender", "male")),
    (r"non-?binary", _fixed("gender", "non_binary")),
    (r"hispanic(?: or latin[oax])?|latin[oax]|latinx", _fixed("ethnicity", "Hispanic or Latino")),
    (
        r"black(?: or african[- ]american)?"
        r"|african[- ]american",
        _fixed("ethnicity", "Black or African American"),
    ),
    (r"asian(?:[- ]american)?", _fixed("ethnicity", "Asian")),
    (r"(?:non-hispanic )?white|caucasian", _fixed("ethnicity", "White, non-Hispanic")),
    (
        r"native american|american indian(?: or alaska native)?"
        r"|alaska native",
        _fixed("ethnicity", "American Indian or Alaska Native"),
    ),
    (
        r"native hawaiian(?: or (?:other )?pacific islander)?"
        r"|pacific islander",
        _fixed("ethnicity", "Native Hawaiian or Other Pacific Islander"),
    ),
    (
        r"multi-?racial|mixed[- ]race|biracial"
        r"|(?:of )?two or more races",
        _fixed("ethnicity", "Two or more races"),
    ),
    (r"(?:in )?(?:an? )?(?:urban(?: area)?|(?:big |large )?city)", _fixed("urban_rural", "urban")),
    (
        r"(?:in )?(?:an? )?rural(?: area| community)?"
        r"|(?:in )?the country(?:side)?",
        _fixed("urban_rural", "rural"),
    ),
    (r"(?:the )?(?:usa|united states(?: of america)?|america)", _fixed("country", "USA")),
    (r"(?:the )?(?:uk|united kingdom|great britain)", _fixed("country", "UK")),
    *(
        (name.lower(), _fixed("country", name))
        for name in FIELDS["country"].levels
        if name not in ("USA", "UK", "Netherlands", "South Korea")
    ),
    (r"(?:the )?netherlands|holland", _fixed("country", "Netherlands")),
    (r"(?:south )?korea", _fixed("country", "South Korea")),
)


_EVER_SMOKED: tuple[str, _Maker] = (
    r"smoked (?:at least )?(?:100|a hundred|one hundred) cigarettes"
    r"(?: in your (?:entire |whole )?life(?:time)?)?",
    _fixed("smoking_status", "current", "former"),
)
"""A question of the National Health Interview Survey in which 100 is not an age."""
MAKERS: tuple[tuple[Pattern, _Maker], ...] = tuple(
    (Pattern(rf"(?<![\w$-])(?:{pattern})(?!\w)"), maker)
    for pattern, maker in (_EVER_SMOKED, *STATEMENTS, *_makers())
)
_CODES_IN_CAPITALS = Pattern(rf"\b(?:in|from) ({'|'.join(STATES)})\b")


def find_tests(text: str) -> list[tuple[int, int, ProfileTest]]:
    """Return the tests in a text, with their positions; earlier makers win overlaps."""
    lower = text.lower()
    taken: list[tuple[int, int, ProfileTest]] = []
    for code in _CODES_IN_CAPITALS.finditer(text):
        taken.append((code.start(1), code.end(1), is_in("state", code[1])))
    for pattern, maker in MAKERS:
        for found in pattern.finditer(lower):
            if found.start() == found.end() or any(
                start < found.end() and found.start() < end for start, end, _ in taken
            ):
                continue
            test = maker(found[0].strip())
            if test is not None:
                taken.append((found.start(), found.end(), test))
    job = re.search(
        r"(?:\b(?:work|working|job) as |\bare you (?:currently )?)(an? [a-z][a-z' -]{2,40}?)(?= (?:by"
        r"|for|over|under|in|with|who)\b|[?.,]|$)",
        lower,
    )
    if job and not any(start < job.end(1) and job.start(1) < end for start, end, _ in taken):
        test = _job_test(job[1])
        if test is not None:
            taken.append((job.start(1), job.end(1), test))
    return sorted(taken, key=lambda item: item[0])
