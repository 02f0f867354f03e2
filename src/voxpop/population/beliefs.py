"""Housing tenure, religion, party and ideology of US agents, drawn jointly from models of the GSS.

The models are multinomial logits that ``data/fit_gss.py`` fitted to the adults of the General Social Survey
of 2016 and 2018. Each outcome has a coefficient for every level of every term, and later outcomes have the
earlier ones among their terms: tenure; religion; party given religion; ideology given party and religion.
The shares are those of 2016-2018 for people like the agents, and years old.

The survey has fewer categories than the product, which are mapped as follows (assumptions of this project):

- An agent living with a partner counts as never married, since the survey has no such status.
- The disabled and others out of the labour force count as its "other", most of whom cannot work.
- Of urban agents 70% count as living in one of the 100 largest metropolitan areas, by averaging the two
  coefficients; with no rural agent there, that gives the 56% of adults in the survey.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.demographics import EDUCATION, ETHNICITIES, STATES, People
from voxpop.population.draw import Streams
from voxpop.population.reference import AGES, GENDERS, Floats, band_codes, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]
Indices = npt.NDArray[np.intp]

BELIEFS = ("housing_tenure", "religion", "party_id", "ideology")
"""The outcomes in the order in which they are drawn."""

_STAGE = 60
_AGES = ("18-24", "25-34", "35-44", "45-54", "55-64", "65-74", "75+")
_GROUPS = ("white", "black", "hispanic", "asian", "other")
_FOUR = ("white", "black", "hispanic", "other")
_GROUP_OF = {
    "White, non-Hispanic": "white",
    "Black or African American": "black",
    "Hispanic or Latino": "hispanic",
    "Asian": "asian",
}
_MARITAL = ("married", "widowed", "divorced_or_separated", "never_married")
_MARITAL_OF = {
    "married": "married",
    "living_with_partner": "never_married",
    "widowed": "widowed",
    "divorced": "divorced_or_separated",
    "separated": "divorced_or_separated",
    "never_married": "never_married",
}
_CHILDREN = ("0", "1-2", "3+")
_LABOUR = ("employed", "unemployed", "retired", "student", "homemaker", "other")
_METRO_OF_URBAN = 0.7
_DIVISIONS = {
    "new_england": "CT MA ME NH RI VT",
    "middle_atlantic": "NJ NY PA",
    "east_north_central": "IL IN MI OH WI",
    "west_north_central": "IA KS MN MO ND NE SD",
    "south_atlantic": "DC DE FL GA MD NC SC VA WV",
    "east_south_central": "AL KY MS TN",
    "west_south_central": "AR LA OK TX",
    "mountain": "AZ CO ID MT NM NV UT WY",
    "pacific": "AK CA HI OR WA",
}
"""The nine divisions of the Census Bureau with their states."""
_FAITHS = ("protestant", "catholic", "none", "other")
_SIDES = ("democrat", "republican", "neither")
_SIDE_OF = {
    **dict.fromkeys(("strong_democrat", "democrat", "independent_lean_democrat"), "democrat"),
    **dict.fromkeys(("strong_republican", "republican", "independent_lean_republican"), "republican"),
}

_TRAITS = {
    "ethnicity_south": ("ethnicity", "region"),
    "ethnicity_faith": ("ethnicity", "religion"),
    "side_ethnicity": ("party_id", "ethnicity"),
    "side_education": ("party_id", "education"),
}
"""The traits of terms that cross two; another term is a trait itself. Asians are among the others there."""
_CELLS = (
    ("age", "sex", "marital", "children", "labour"),
    ("education", "income"),
    ("ethnicity", "region", "area"),
    ("religion", "ethnicity"),
    ("party_id", "ethnicity", "education"),
)
"""Traits whose terms are added up in one table, which makes drawing three times as fast."""


def draw_beliefs(
    streams: Streams,
    people: People,
    *,
    marital: Codes,
    children: npt.NDArray[np.integer],
    labour_status: Codes,
    income_quintile: Codes,
) -> dict[str, Codes]:
    """Draw the tenure, religion, party and ideology of the US agents of a block.

    Parameters
    ----------
    streams : Streams
        The generators of the block; stages 60 to 63 are used.
    people : People
        State, age, sex, ethnicity, area and education of the agents.
    marital, labour_status, income_quintile : array (agents,)
        Codes of the levels of the fields ``marital_status``, ``labour_status`` and ``income_quintile``.
    children : array (agents,)
        Number of own children under 18 at home.

    Returns
    -------
    dict of str to array (agents,)
        Codes of the levels of each field of :data:`BELIEFS`.

    Notes
    -----
    Each value is one uniform number put through the cumulative shares of the agent. Shares are sums and
    exponentials of double precision without matrix products, so that another processor could change a value
    only if a number fell within about 1e-16 of a cumulative share.
    """
    codes = _codes_of(people, marital, children, labour_status, income_quintile)
    found: dict[str, Codes] = {}
    for number, outcome in enumerate(BELIEFS):
        drawn = _drawn(streams.stage(_STAGE + number), outcome, codes)
        found[outcome], codes[outcome] = drawn.astype(np.int16), drawn
    return found


def _drawn(rng: np.random.Generator, outcome: str, codes: Mapping[str, Indices]) -> Indices:
    score = None
    for traits, table in scores(outcome):
        cell = np.ravel_multi_index([codes[name] for name in traits], [_size(name) for name in traits])
        score = table[cell] if score is None else np.add(score, table[cell], out=score)
    assert score is not None
    score -= score.max(axis=1, keepdims=True)
    upto = np.cumsum(np.exp(score, out=score), axis=1)
    limit = rng.random(len(score)) * upto[:, -1]
    return np.asarray(np.sum(upto[:, :-1] <= limit[:, None], axis=1))


def _codes_of(
    people: People,
    marital: Codes,
    children: npt.NDArray[np.integer],
    labour_status: Codes,
    income_quintile: Codes,
) -> dict[str, Indices]:
    """Return the code of each agent for each trait that is no outcome."""
    status, labour = FIELDS["marital_status"].levels, FIELDS["labour_status"].levels
    return {
        "age": np.asarray(band_codes(_AGES))[people.age - AGES[0]],
        "sex": people.sex.astype(np.intp),
        "ethnicity": _code_map(ETHNICITIES, _GROUPS, lambda name: _GROUP_OF.get(name, "other"))[
            people.ethnicity
        ],
        "education": people.education.astype(np.intp),
        "income": income_quintile.astype(np.intp),
        "marital": _code_map(status, _MARITAL, _MARITAL_OF.__getitem__)[marital],
        "children": np.array([0, 1, 1, 2])[np.minimum(children, 3)],
        "labour": _code_map(labour, _LABOUR, _labour)[labour_status],
        "region": _code_map(STATES, tuple(_DIVISIONS), _division)[people.state],
        "area": people.urban_rural.astype(np.intp),
    }


@cache
def scores(outcome: str) -> tuple[tuple[tuple[str, ...], Floats], ...]:
    """Return the log odds of an outcome as sums of a few tables.

    Returns
    -------
    tuple of (traits, table)
        Traits of an agent, and an array (combinations of their levels, levels of the outcome); the first
        table includes the intercepts.
    """
    intercept, terms = coefficients(outcome)
    left = dict(terms)
    found: list[tuple[tuple[str, ...], Floats]] = []
    for traits in _CELLS:
        inside = [term for term in left if set(_TRAITS.get(term, (term,))) <= set(traits)]
        if not inside:
            continue
        grid = np.indices([_size(name) for name in traits]).reshape(len(traits), -1)
        levels = dict(zip(traits, grid, strict=True))
        table = np.zeros((grid.shape[1], intercept.size))
        for term in inside:
            table += left.pop(term)[_level_of(term, levels)]
        found.append((traits, table if found else table + intercept))
    if left:
        raise ValueError(f"The terms {sorted(left)} of {outcome!r} are not known.")
    return tuple(found)


def _level_of(term: str, traits: Mapping[str, Indices]) -> Indices:
    """Return the level of a term from the levels of the traits that it consists of."""
    if term not in _TRAITS:
        return traits[term]
    four = np.minimum(traits["ethnicity"], 3) if "ethnicity" in traits else np.zeros(1, dtype=np.intp)
    if term == "ethnicity_south":
        south = np.array([0 if "south" in name else 1 for name in _DIVISIONS])
        return np.asarray(four * 2 + south[traits["region"]])
    if term == "ethnicity_faith":
        levels = FIELDS["religion"].levels
        faith = _code_map(levels, _FAITHS, lambda name: name if name in _FAITHS else "other")
        return four * len(_FAITHS) + faith[traits["religion"]]
    side = _code_map(FIELDS["party_id"].levels, _SIDES, lambda name: _SIDE_OF.get(name, "neither"))
    if term == "side_ethnicity":
        return side[traits["party_id"]] * len(_FOUR) + four
    return side[traits["party_id"]] * len(EDUCATION) + traits["education"]


@cache
def coefficients(outcome: str) -> tuple[Floats, Mapping[str, Floats]]:
    """Return the intercepts of an outcome, and an array (levels of the term, levels) for each term.

    Raises
    ------
    ValueError
        A term has a level that is not known here.
    """
    levels = FIELDS[outcome].levels
    intercept = np.full(len(levels), -np.inf)
    found: dict[str, dict[str, Floats]] = {}
    for row in rows(f"us_gss_{outcome}_fitted"):
        at, value = levels.index(row["level"]), float(row["coefficient"])
        term, _, level = row["term"].partition(":")
        if not level:
            intercept[at] = value
        else:
            found.setdefault(term, {}).setdefault(level, np.zeros(len(levels)))[at] = value
    nothing = np.zeros(len(levels))
    tables = {}
    for term, held in found.items():
        known = _levels(term)
        if unknown := set(held) - set(known):
            raise ValueError(f"The term {term!r} of {outcome!r} has unknown levels: {sorted(unknown)}.")
        tables[term] = np.stack([held.get(level, nothing) for level in known])
    metro, elsewhere = tables["area"]
    tables["area"] = np.stack([_METRO_OF_URBAN * metro + (1 - _METRO_OF_URBAN) * elsewhere, elsewhere])
    return intercept, tables


def _levels(term: str) -> tuple[str, ...]:
    """Return the levels of a term in the order of its codes."""
    crossed = {
        "ethnicity_south": (_FOUR, ("south", "elsewhere")),
        "ethnicity_faith": (_FOUR, _FAITHS),
        "side_ethnicity": (_SIDES, _FOUR),
        "side_education": (_SIDES, EDUCATION),
    }
    if term in crossed:
        first, second = crossed[term]
        return tuple(f"{one}_{other}" for one in first for other in second)
    plain = {
        "age": _AGES,
        "sex": GENDERS,
        "ethnicity": _GROUPS,
        "education": EDUCATION,
        "income": FIELDS["income_quintile"].levels,
        "marital": _MARITAL,
        "children": _CHILDREN,
        "labour": _LABOUR,
        "region": tuple(_DIVISIONS),
        "area": ("metro", "elsewhere"),
        "religion": FIELDS["religion"].levels,
        "party_id": FIELDS["party_id"].levels,
    }
    return plain[term]


def _size(trait: str) -> int:
    return len(_levels(trait))


def _code_map(given: Sequence[str], wanted: Sequence[str], of: Callable[[str], str]) -> Indices:
    """Return the code among the wanted labels for each code of the given ones."""
    return np.array([wanted.index(of(label)) for label in given], dtype=np.intp)


def _division(state: str) -> str:
    return next(name for name, states in _DIVISIONS.items() if state in states.split())


def _labour(status: str) -> str:
    return status if status in _LABOUR else "other"
