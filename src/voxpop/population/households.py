"""Households of the US agents: marital status, own children under 18, and the size of the household.

Who is married to what kind of life comes from the adults of NHANES, as a log-linear model; the share of
parents by age and sex from the table of parents; marriage and children in a state, and the ages of children,
from the tax units of the CPS. ``is_parent`` means living with an own child under 18.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import (
    EDUCATION,
    STATES,
    People,
    expected_people,
    single_years,
)
from voxpop.population.donors import GROUP_OF, GROUPS, donors
from voxpop.population.held_out import held_out
from voxpop.population.reference import AGES, GENDERS, MIN_AGE, Floats, band_codes, in_band, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

MARITAL = FIELDS["marital_status"].levels
MARRIED, NEVER = MARITAL.index("married"), MARITAL.index("never_married")
_COUPLES = np.array([name in ("married", "living_with_partner") for name in MARITAL])

_BANDS = ("18-19", "20-22", "23-25", "26-29", "30-34", "35-44", "45-54", "55-64", "65-74", "75+")
_PHASES = ("18-29", "30-44", "45-59", "60-74", "75+")
"""Age bands of the table of households by state."""

_CHILDREN = ("0", "1", "2", "3+")
# Families with three children or more by their number of children, from 3 on (an assumption of this project).
_MANY = (0.70, 0.21, 0.06, 0.03)
# Age of a parent at the birth of the youngest child: mean, spread, least, and most for a woman (assumptions).
_LAST_BIRTH, _SPREAD, _YOUNGEST_PARENT, _OLDEST_MOTHER, _OLDEST_ADOPTION = 31.0, 6.5, 16, 48, 58
_OLDEST_CHILD = 17
_YOUNG_CHILDREN = ("share_with_child_under_6", "share_with_child_under_13")
# Years after 65 until the last men and women with a child under 18 at home.
_LAST_PARENTS = (15.0, 10.0)
_MOST_OTHERS = 6
# Part of an average cell that is added to every cell, so that no combination is impossible.
_SMALL = 0.002
_ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Household:
    """Codes of the household fields, one entry per agent; ``youngest`` is -1 without a child."""

    marital: Codes
    children: Codes
    youngest: Codes
    size: Codes

    @property
    def parent(self) -> npt.NDArray[np.bool_]:
        """Whether the agent lives with an own child under 18."""
        return self.children > 0

    @property
    def couple(self) -> npt.NDArray[np.bool_]:
        """Whether the agent lives with a spouse or partner."""
        return np.asarray(_COUPLES[self.marital])


def _loglinear(
    codes: tuple[npt.NDArray[np.integer], ...], shape: tuple[int, ...], margins: tuple[tuple[int, ...], ...]
) -> Floats:
    """Return the log-linear model of the adults of the survey that has the given margins."""
    flat = np.ravel_multi_index(codes, shape)
    counts = np.bincount(flat, weights=donors().weight, minlength=int(np.prod(shape))).reshape(shape)
    counts *= flat.size / counts.sum()
    every = range(len(shape))
    totals = []
    for axes in margins:
        seen = counts.sum(axis=tuple(axis for axis in every if axis not in axes))
        totals.append((axes, seen + _SMALL * seen.sum() / seen.size))
    scaled = [(axes, total / total.sum() * flat.size) for axes, total in totals]
    return draw.fit(np.ones(shape), scaled, rounds=_ROUNDS)


def parent_shares() -> Floats:
    """Return the share of parents by (sex, single year of age)."""
    shares = np.zeros((2, AGES.size))
    for row in rows("us_parent_status"):
        if row["measure"] == "parent_of_minor_child_in_household":
            shares[GENDERS.index(row["gender"]), in_band(row["age_band"])] = float(row["share"])
    # the first band is wide: 18 is not 24
    young = in_band("18-24")
    shares[:, young] *= np.linspace(0.2, 1.8, young.sum())
    # the last band is wide too: parents with children at home are at its start
    old, people = in_band("65+"), single_years()
    fading = np.clip(1 - (AGES[old] - 65)[None, :] / np.array(_LAST_PARENTS)[:, None], 0, None)
    weights = people[:, old] / people[:, old].sum(axis=1, keepdims=True)
    shares[:, old] *= fading / (fading * weights).sum(axis=1, keepdims=True)
    return shares


def _smoothed(shares: Floats) -> Floats:
    """Return shares by (sex, year, ...) as moving averages over the years of age."""
    for _ in range(2):
        wide = np.concatenate([shares[:, :1], shares, shares[:, -1:]], axis=1)
        shares = (wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]) / 3
    return shares


@cache
def marital_shares() -> Floats:
    """Return the share of each marital status by (sex, year, group of the survey, education)."""
    found = donors()
    age = band_codes(_BANDS)[np.minimum(found.age, AGES[-1]) - MIN_AGE]
    shape = (2, len(_BANDS), len(GROUPS), len(EDUCATION), len(MARITAL))
    codes = (found.sex, age, found.ethnicity, found.education, found.marital)
    fitted = _loglinear(codes, shape, ((0, 1, 4), (0, 2, 4), (0, 3, 4), (0, 1, 2, 3)))
    shares = fitted / fitted.sum(axis=4, keepdims=True)
    return _smoothed(shares[:, band_codes(_BANDS)])


def _grouped(people: Floats) -> Floats:
    """Return expected people by (sex, year, ethnicity, education) with the groups of the survey."""
    found = np.zeros((*people.shape[:2], len(GROUPS), people.shape[3]))
    for at, group in enumerate(GROUP_OF):
        found[:, :, group] += people[:, :, at]
    return found


@cache
def _structure() -> Floats:
    """Return the share of adults by (state with the USA last, phase, married or not, number of children)."""
    found = np.zeros((len(STATES) + 1, len(_PHASES), 2, len(_CHILDREN)))
    names = (*STATES, "US")
    for row in rows("us_state_household_structure"):
        at = _PHASES.index(row["age_band"]), int(row["marital_2"] != "married")
        found[(names.index(row["state"]), *at, _CHILDREN.index(row["children_under_18"]))] = float(
            row["share"]
        )
    return found


@cache
def _state_odds() -> tuple[Floats, Floats]:
    """Return ratios of states to the USA: of (not) married by phase, and of children within these."""
    shares = np.maximum(_structure(), 1e-4)
    used = np.array([not held_out(f"us_state_household_structure/{state}") for state in STATES])
    status = shares.sum(axis=3)
    children = shares / shares.sum(axis=3, keepdims=True)
    of_status = np.where(used[:, None, None], status[:-1] / status[-1:], 1.0)
    of_children = np.where(used[:, None, None, None], children[:-1] / children[-1:], 1.0)
    return of_status, of_children


@cache
def children_shares() -> Floats:
    """Return the share of 0, 1, 2 and 3 or more children by (sex, year, group, education, marital status)."""
    found = donors()
    age = band_codes(_BANDS)[np.minimum(found.age, AGES[-1]) - MIN_AGE]
    shape = (2, len(_BANDS), len(GROUPS), len(EDUCATION), len(MARITAL), 2)
    codes = (found.sex, age, found.ethnicity, found.education, found.marital, (found.minors > 0).astype(int))
    margins = ((0, 1, 5), (1, 2, 5), (1, 3, 5), (0, 4, 5), (1, 4, 5), (0, 1, 2, 3, 4))
    fitted = _loglinear(codes, shape, margins)
    odds = (fitted / fitted.sum(axis=5, keepdims=True))[:, band_codes(_BANDS)]
    phase = band_codes(_PHASES)
    married = np.where(np.arange(len(MARITAL)) == MARRIED, 0, 1)
    numbers = _structure()[-1][:, married][phase]  # (year, marital status, children)
    some = numbers[..., 1:] / numbers[..., 1:].sum(axis=2, keepdims=True)
    start = np.concatenate([odds[..., :1], odds[..., 1:] * some[None, :, None, None]], axis=5)
    weight = _grouped(expected_people())[..., None] * marital_shares()
    weight = np.maximum(weight, 1e-15)
    now = weight.sum(axis=(2, 3, 4))
    parents = parent_shares() * now
    both = np.stack([now - parents, parents], axis=2)
    shares = start * weight[..., None]
    for _ in range(_ROUNDS):
        # number of children of the married and the others by phase of life
        for at in range(len(_PHASES)):
            inside = phase == at
            for which in range(2):
                of = np.flatnonzero(married == which)
                part = shares[:, inside][:, :, :, :, of]
                total = part.sum(axis=(0, 1, 2, 3, 4))
                wanted = _structure()[-1, at, which]
                ratio = wanted / wanted.sum() * total.sum() / np.maximum(total, 1e-15)
                for union in of:
                    shares[:, inside, :, :, union] *= ratio
        # parents by sex and single year of age
        held = np.stack([shares[..., 0].sum(axis=(2, 3, 4)), shares[..., 1:].sum(axis=(2, 3, 4, 5))], axis=2)
        ratio = both / np.maximum(held, 1e-15)
        shares[..., :1] *= ratio[:, :, None, None, None, :1]
        shares[..., 1:] *= ratio[:, :, None, None, None, 1:]
        shares *= (weight / np.maximum(shares.sum(axis=5), 1e-300))[..., None]
    for _ in range(_ROUNDS):  # parents by sex and age are exact in the end
        held = np.stack([shares[..., 0].sum(axis=(2, 3, 4)), shares[..., 1:].sum(axis=(2, 3, 4, 5))], axis=2)
        ratio = both / np.maximum(held, 1e-15)
        shares[..., :1] *= ratio[:, :, None, None, None, :1]
        shares[..., 1:] *= ratio[:, :, None, None, None, 1:]
        shares *= (weight / np.maximum(shares.sum(axis=5), 1e-300))[..., None]
    return np.asarray(shares / shares.sum(axis=5, keepdims=True))


@cache
def youngest_shares() -> Floats:
    """Return the share of each age of the youngest child by (sex, year, married or not, 1 to 3+ children)."""
    child = np.arange(_OLDEST_CHILD + 1)
    born = AGES[:, None] - child[None, :]
    possible = np.repeat((born >= _YOUNGEST_PARENT)[None].astype(float), 2, axis=0)
    # a woman past the usual age has adopted the child
    late = np.exp(np.minimum(_OLDEST_MOTHER - born, 0)) * (born <= _OLDEST_ADOPTION)
    possible[GENDERS.index("female")] *= np.where(AGES[:, None] - _OLDEST_CHILD > _OLDEST_ADOPTION, 1.0, late)
    usual = np.exp(-0.5 * ((np.clip(born, 0, 70) - _LAST_BIRTH) / _SPREAD) ** 2) + 1e-4
    start = possible * usual[None]
    table = np.repeat(np.repeat(start[:, :, None, None], 2, axis=2), 3, axis=3)
    phase = band_codes(_PHASES)
    people = single_years()[:, :, None] * parent_shares()[..., None]
    third = np.searchsorted([6, 13], child, side="right")
    known = {
        (row["age_band"], row["marital_2"], row["children_under_18"]): [
            float(row[name]) for name in _YOUNG_CHILDREN
        ]
        for row in rows("us_state_household_structure")
        if row["state"] == "US" and row["children_under_18"] != "0"
    }
    for (text, status, count), (under_6, under_13) in known.items():
        at = phase == _PHASES.index(text)
        which = int(status != "married"), _CHILDREN.index(count) - 1
        wanted = np.array([under_6, under_13 - under_6, 1 - under_13])
        part = table[:, at, which[0], which[1]]
        for _ in range(_ROUNDS):
            sums = part.sum(axis=2, keepdims=True)
            part = np.divide(part, sums, out=np.zeros_like(part), where=sums > 0)
            now = (part * people[:, at]).sum(axis=(0, 1))
            now = np.bincount(third, weights=now, minlength=3)
            part = part * np.divide(wanted * now.sum(), now, out=np.zeros(3), where=now > 0)[third]
        table[:, at, which[0], which[1]] = part
    return table


@cache
def _others() -> Floats:
    """Return the share of 0 to 6 other people in the household by (phase, couple, parent, group)."""
    found = donors()
    phase = band_codes(_PHASES)[np.minimum(found.age, AGES[-1]) - MIN_AGE]
    couple = _COUPLES[found.marital]
    own = np.where((found.age >= 25) | couple, found.minors, 0)
    others = np.clip(found.household - 1 - couple - own, 0, _MOST_OTHERS)
    shape = (len(_PHASES), 2, 2, len(GROUPS), _MOST_OTHERS + 1)
    codes = (phase, couple.astype(int), (own > 0).astype(int), found.ethnicity, others)
    fitted = _loglinear(codes, shape, ((0, 1, 2, 4), (3, 4), (0, 1, 2, 3)))
    return np.asarray(fitted / fitted.sum(axis=4, keepdims=True))


@cache
def _cumulated() -> tuple[Floats, Floats]:
    return draw.cumulated(youngest_shares()), draw.cumulated(_others())


def _pick(rng: np.random.Generator, shares: Floats) -> Codes:
    """Draw one level for each agent from its own shares, an array (agents, levels)."""
    upto = draw.cumulated(shares)
    found: Codes = (rng.random(len(shares))[:, None] >= upto[:, :-1]).sum(axis=1).astype(np.int16)
    return found


def draw_households(streams: draw.Streams, people: People) -> Household:
    """Draw the households of the US agents of a block."""
    year, group = people.year, GROUP_OF[people.ethnicity]
    phase = band_codes(_PHASES)[year]
    of_status, of_children = _state_odds()
    married = np.where(np.arange(len(MARITAL)) == MARRIED, 0, 1)
    shares = marital_shares()[people.sex, year, group, people.education]
    marital = _pick(streams.stage(5), shares * of_status[people.state, phase][:, married])
    shares = children_shares()[people.sex, year, group, people.education, marital]
    shares = shares * of_children[people.state, phase, married[marital]]
    children = _pick(streams.stage(6), shares)
    young, others = _cumulated()
    rng = streams.stage(7)
    parents = np.flatnonzero(children)
    upto = young[people.sex[parents], year[parents], married[marital[parents]], children[parents] - 1]
    youngest = np.full(children.size, -1, dtype=np.int16)
    youngest[parents] = (rng.random(parents.size)[:, None] >= upto[:, :-1]).sum(axis=1)
    many = np.flatnonzero(children == len(_CHILDREN) - 1)
    more = np.searchsorted(np.cumsum(_MANY)[:-1], rng.random(many.size), side="right")
    children[many] += more.astype(np.int16)
    couple = _COUPLES[marital]
    upto = others[phase, couple.astype(int), (children > 0).astype(int), group]
    rest = (streams.stage(8).random(children.size)[:, None] >= upto[:, :-1]).sum(axis=1)
    size = (1 + couple + children + rest).astype(np.int16)
    return Household(marital, children, youngest, size)
