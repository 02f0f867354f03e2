"""The people to ask about a thesis: customers from its text, people at work from their occupations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from voxpop.engines.audience import AudiencePlan, Refusal
from voxpop.vocabulary import AnyOf, Filter
from voxpop.vocabulary.name_lists import given_names
from voxpop.vocabulary.occupations import resolve
from voxpop_simulator.audiences import refusals as refusals
from voxpop_simulator.audiences.planner import EmbeddedPlanner
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.theses.catalogue import names_pattern
from voxpop_simulator.theses.thesis_text import Thesis, cleaned
from voxpop_simulator.theses.trades import Trade

Labels = Mapping[str, Sequence[str]]
Titles = Mapping[str, str]
Answers = Sequence[tuple[str, str]]

HOME = "USA"
"""Country of the people to ask if a thesis names none."""
_KINDS_OF_EXPERTS = 2  # a single occupation cannot represent a market, unless the thesis cites it
FEWEST = 5
"""Minimum number of available agents for a panel of people at work."""

_PERSONAL = frozenset(
    ("country", "state", "age", "gender", "ethnicity", "household_income", "education", "is_parent")
) | {"urban_rural"}
_HEALTH = frozenset(
    ("health_conditions", "health_drug_classes", "smoking_status", "bmi_class", "alcohol_use")
)
_PATIENTS = re.compile(
    r"\b(?:people|patients|adults|those|americans|men|women|with|users?|takers?|who|taking|on|living)\b"
    r"|\b(?:diabetics|smokers|asthmatics|obese|overweight|drinkers|non-?smokers)\b",
    re.I,
)
_SAYING = re.compile(
    r"^[\s,]*(?:\w+ly )?(?:reports?|says?|see|sees|seeing|notice|hear|tell|expect|agree|warn|are seeing)\b",
    re.I,
)
_YOUNG = (
    r"(?:(?:pre-?)?teen(?:s|agers?)|tweens?|kids|children|toddlers|adolescents|minors|high[- ]?schoolers"
    r"|(?:high|middle|"
    r"elementary) school (?:students|kids|girls|boys)|pupils|school ?(?:children|kids)"
    r"|gen(?:eration)? alpha|boys|girls)"
)
_ASKED_MINORS = (
    re.compile(
        rf"\b(?:among(?:st)?|by|from|with|losing|gaining|attract\w*|winning|asking|survey\w*"
        rf"|interview\w*|to)\s+"
        rf"(?:\w+\s+){{0,2}}?({_YOUNG})\b(?!['’])",
        re.I,
    ),
    re.compile(rf"^(?:\w+\s+){{0,2}}?({_YOUNG})\s+(?!['’])\w+", re.I),
)
_ELDERS = re.compile(
    r"\b(?:parents?|famil(?:y|ies)|households?|mothers|moms|fathers|dads|adults|people|women"
    r"|men)\W+(?:\w+\W+)?$",
    re.I,
)
_AGES = re.compile(
    r"\b(?:under[- ]?(?:the age of )?(?P<under>1[0-8]|\d)s?\b(?!\s*(?:%|percent|months?|dollars|minutes"
    r"|weeks|days|"
    r"quarters|years? ago|million|billion))|(?P<low>\d{1,2})\s*(?:-|–|to)\s*\d{1,2}[- ]year[- ]olds?"
    r"|age[sd]?\s+(?P<age>\d{1,2})"
    r"|(?P<old>\d{1,2})[- ]year[- ]olds)",
    re.I,
)
_ADULTS = "Ask about adults, for example Gen Z adults, or about the parents of these young people."
_NAMES = re.compile(r"\b[A-Z][\w'’-]+(?:\s+[A-Z][\w'’.-]+)+")
_TITLES = word_set(
    "mr mrs ms dr senator president congressman congresswoman governor mayor judge professor pope"
)
_NO_NAMES = word_set(
    """
    virginia georgia austin carolina dakota madison charlotte jackson orlando chelsea brooklyn paris
    london sydney victoria florence phoenix savannah houston dallas denver lincoln will may april june
    summer mark grant rose hope joy faith grace bill chase drew dean art christian berkeley sunny bud
    mercedes porsche crystal amber ruby
    """
)
_KINDS = "Name the company, product or industry that the thesis is about, and a kind of people."
_CLAIM = (
    'Say what is expected of a company, product or industry, for example "Restaurants are losing customers".'
)


@cache
def planner() -> EmbeddedPlanner:
    """Return the planner that interprets the audience."""
    return EmbeddedPlanner()


def refusal(text: str) -> Refusal | None:
    """Return the reason for asking no agents about a text, or None.

    Examples
    --------
    >>> refusal("Teens are leaving Instagram").reason
    'People under 18 are not recruited: "Teens".'
    >>> refusal("Starbucks is losing traffic") is None
    True
    """
    plain = re.sub(
        r"^(?:is|are|was|were|will|would|does|do|did|has|have|had|can|could|should|what|why|when|how|who"
        r"|where)\s+",
        "",
        cleaned(text),
        flags=re.I,
    )
    found = refusals.no_audience(plain)
    if found is not None:
        words = found.reason.partition(": ")[2]
        return Refusal(f"The text states no thesis: {words}" if words else "The text is empty.", _CLAIM)
    return _minors(plain) or _persons(plain)


def _minors(text: str) -> Refusal | None:
    for pattern in _ASKED_MINORS:
        for found in pattern.finditer(text):
            if not _ELDERS.search(text[: found.start(1)]):
                return Refusal(f'People under 18 are not recruited: "{found[1]}".', _ADULTS)
    for found in _AGES.finditer(text):
        young = found["under"] is not None or int(found["low"] or found["age"] or found["old"]) < 18
        if young and not _ELDERS.search(
            re.sub(r"\b(?:kids|children|sons|daughters)\s+$", "", text[: found.start()])
        ):
            return Refusal(f'People under 18 are not recruited: "{found[0]}".', _ADULTS)
    return None


def _persons(text: str) -> Refusal | None:
    plain = re.sub(r"\b(?:Wall|Main|High) Street\b", "it", names_pattern().sub("it", text))
    shown = _NAMES.sub(lambda found: found[0] if _may_be_a_name(found[0]) else found[0].lower(), plain)
    found = refusals.individuals(shown, ())
    return None if found is None else Refusal(found.reason, _KINDS)


def _may_be_a_name(words: str) -> bool:
    first = words.split()[0].casefold().strip(".")
    return (
        (first in given_names() and first not in _NO_NAMES) or first in _TITLES or words.casefold() in _FAMOUS
    )


_FAMOUS = (
    "elon musk",
    "taylor swift",
    "kanye west",
    "barack obama",
    "tim cook",
    "sam altman",
    "oprah winfrey",
)


def customers(
    thesis: Thesis, *, labels: Labels, titles: Titles, answers: Answers = ()
) -> tuple[AudiencePlan, tuple[str, ...]]:
    """Return the audience of a thesis, and the occupations that it cites ("Pharmacists report ...").

    Without a country the audience is in the USA; without any people it is all adults.
    """
    text = _without_names(thesis)
    read, abroad = planner().spotted(text, labels=labels, titles=titles)
    words = [words for words, name in read if _counts(text, words, name)]
    jobs = [words for words, name in read if name == "occupation" and is_job(words, labels, titles)]
    cited = [job for job in jobs if _SAYING.match(text.partition(job)[2])]
    subject = [job for job in jobs if job not in cited and text.lower().startswith(job.lower())]
    words = list(dict.fromkeys([*words, *subject]))
    described = ", ".join(words)
    placed = any(
        name == "country"
        for name, _ in planner().plan(described, labels=labels, titles=titles).filters.conditions
    )
    if abroad is not None and not placed:
        described = f"{described}{', ' if described else ''}adults in {abroad}"
    elif not placed:
        described = f"{described}, US adults" if described else "US adults"
    plan = planner().plan(described, labels=labels, titles=titles, answers=answers)
    return plan, tuple(cited)


def _without_names(thesis: Thesis) -> str:
    """Return the text in which the audience is searched, without young people and unknown names."""
    text = thesis.people
    named = [one.entry.name for one in thesis.measured] + [one.name for one in thesis.others]
    for name in named:
        text = re.sub(rf"\b{re.escape(name)}\b", "it", text, flags=re.I)
    text = _NAMES.sub(lambda found: "it" if _unknown_name(found[0]) else found[0], text)
    return re.sub(rf"(?<!with )(?<!of )\b(?:{_YOUNG}|bab(?:y|ies))\b", "it", text, flags=re.I)


def _unknown_name(words: str) -> bool:
    plan = planner().plan(f"adults in {words}", labels={}, titles={})
    people, _ = planner().spotted(words, labels={}, titles={})
    placed = any(name in ("country", "state") for name, _ in plan.filters.conditions)
    return not placed and not any(name != "screening" for _, name in people)


def _counts(text: str, words: str, name: str) -> bool:
    if name in _PERSONAL:
        return words.lower() not in ("it", "may")
    if name == "labour_status":
        return re.search(r"retire|student|unemployed|self|homemaker|freelanc", words, re.I) is not None
    before = text[: max(text.lower().find(words.lower()), 0)][-24:]
    after = text.lower().partition(words.lower())[2][:12]
    near = re.search(r"\b(?:with|on|taking|have|having|who take)\s+(?:an? )?$", before, re.I)
    return name in _HEALTH and bool(
        _PATIENTS.search(words) or near or re.match(r"\s+(?:patients|users|takers)", after)
    )


_NO_JOBS = word_set(
    "services sales stores operations security users buyers drivers models support members players guards"
)


def is_job(words: str, labels: Labels, titles: Titles) -> bool:
    """Return whether some words denote people by their work ("pharmacists")."""
    plain = words.lower()
    return (
        plain not in _NO_JOBS
        and plain.endswith(("s", "men", "people"))
        and bool(_live(plain, labels, titles))
    )


def _live(title: str, labels: Labels, titles: Titles) -> tuple[str, ...]:
    return resolve(title, labels.get("occupation", ()), titles)


def at_work(
    audience: Filter,
    industry: str,
    size: int,
    *,
    count: Callable[[Filter], int],
) -> Filter:
    """Return the decision makers of an industry's employers, in the places of an audience."""
    placed = [(name, held) for name, held in audience.conditions if name in ("country", "state")]
    managing = ("occupation_major_group", AnyOf(("Management",)))
    made = ("industry", AnyOf((industry,)))
    tries = [[*placed, made, managing], [*placed, made]] if industry else [[*placed, managing]]
    filters = [Filter("all", tuple(conditions)) for conditions in tries]
    return next((one for one in filters if count(one) >= size), max(filters, key=count))


def experts(
    audience: Filter,
    trade: Trade,
    cited: Sequence[str],
    size: int,
    *,
    labels: Labels,
    titles: Titles,
    count: Callable[[Filter], int],
) -> Filter | None:
    """Return the people whose work shows them the market: the cited ones, or the nearest occupations.

    Occupations are added, nearest first, until enough agents match; None if there are fewer than five.
    """
    country = [(name, held) for name, held in audience.conditions if name == "country"]
    wanted = [label for title in cited for label in _live(title, labels, titles)]
    wanted += [label for title in trade.experts for label in _live(title, labels, titles)]
    held = audience.get("occupation")
    customers_jobs = held.values if isinstance(held, AnyOf) else ()
    wanted = [label for label in dict.fromkeys(wanted) if label not in customers_jobs]
    least = 1 if cited else _KINDS_OF_EXPERTS
    chosen: list[str] = []
    made: Filter | None = None
    for label in wanted:
        chosen.append(label)
        made = Filter("all", (*country, ("occupation", AnyOf(tuple(chosen)))))
        if len(chosen) >= least and count(made) >= size:
            return made
    return made if made is not None and count(made) >= FEWEST else None
