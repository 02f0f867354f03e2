"""Children under 18 at home, modelled from the fertility of women by age.

No table counts parents outside the USA. The model follows the women of each age back to when they were 15,
year by year. In each year, as many of them have a child as the fertility rates of their country say, and the
chance depends on the number of children they have (``_BY_CHILDREN``) and is small in the year after a birth.
A child is at home until it turns 18.

Fertility was higher in most countries when today's older children were born. The number of people of 15 to 19
in the table of ages, against the number that today's rates would have given, measures by how much; the rates
of the years between lie on a straight line.

Assumptions of this project: the chances by number of children; 97 % of mothers and 85 % of fathers live with
their children; fathers are older than mothers by 2.5 years on average, with a standard deviation of 4.5; no
twins, no deaths. Children are independent of education and of everything else but the age and sex of the
parent. :func:`shares_of` takes any rates, so that the model can be compared with the parents of the USA.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from voxpop.population.countries import ABROAD, adults, index_of, sex_age_shares
from voxpop.population.picking import Table
from voxpop.population.reference import AGES, GENDERS, MIN_AGE, Floats, band, rows

MOST = 6
"""Highest number of children at home in the model."""

GROWN_UP = 18

_FIRST, _LAST = 15, 49
_OLDEST_MOTHER = _LAST + GROWN_UP - 1
_BY_CHILDREN = (1.0, 3.0, 1.0, 0.8, 0.8, 0.8)
_AFTER_BIRTH = 0.1
_AT_HOME = {"female": 0.97, "male": 0.85}
_OLDER, _OLDER_SD, _GAPS = 2.5, 4.5, np.arange(-10, 21)
_YEARS_BACK = 17.5
_YOUNGEST_PARENT = 16
_LEAST_CHANGE, _MOST_CHANGE = 0.7, 2.0
_MOST_BACK = 30


def rates() -> Floats:
    """Return births a year and woman by (country, age from 15 to 49), smoothed within the published bands."""
    found = np.zeros((len(ABROAD), _LAST - _FIRST + 1))
    published = rows("intl_fertility")
    for row in published:
        found[index_of(row["country"]), _ages(row["age_band"])] = float(row["share"])
    return smoothed(found, [(index_of(row["country"]), row["age_band"]) for row in published])


def smoothed(found: Floats, cells: list[tuple[int, str]]) -> Floats:
    """Return rates by (country, age from 15) smoothed over ages, with the mean of each band kept."""
    smooth = found.copy()
    for _ in range(4):
        padded = np.pad(smooth, ((0, 0), (1, 1)))
        smooth = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3
    for country, text in cells:
        inside = _ages(text)
        total = smooth[country, inside].sum()
        smooth[country, inside] *= found[country, inside].sum() / total if total else 0.0
    return smooth


def _ages(text: str) -> slice:
    first, last = band(text)
    return slice(first - _FIRST, last - _FIRST + 1)


def change(rates: Floats, women: Floats, born: Floats) -> Floats:
    """Return how many times today's fertility that of 17.5 years ago was, by country.

    Parameters
    ----------
    rates : array (country, age from 15 to 49)
        Births a year and woman now.
    women : array (country, single year of age from 18)
        Women now.
    born : array (country,)
        People born in one year 17.5 years ago.
    """
    expected = np.zeros(len(rates))
    for back in (int(_YEARS_BACK), int(_YEARS_BACK) + 1):
        now = women[:, _FIRST + back - MIN_AGE : _LAST + back - MIN_AGE + 1]
        expected += (now * rates).sum(axis=1) / 2
    return np.clip(born / expected, _LEAST_CHANGE, _MOST_CHANGE)


def _mothers(rates: Floats, changed: Floats) -> Floats:
    """Return shares by (country, age from 15, children under 18, age of the youngest or 18 for none)."""
    ages = np.arange(_FIRST, _OLDEST_MOTHER + 1)
    before, youngest = len(_BY_CHILDREN), GROWN_UP + 1
    held = np.zeros((len(rates), ages.size, before, MOST + 1, youngest))
    held[:, :, 0, 0, GROWN_UP] = 1.0
    together = np.minimum(np.arange(before)[:, None] + np.arange(MOST + 1), before - 1)
    chance = np.array(_BY_CHILDREN)[together][..., None] * np.ones(youngest)
    chance[..., 0] *= _AFTER_BIRTH
    for back in range(_OLDEST_MOTHER - _FIRST, -1, -1):
        at = ages - back - _FIRST
        fertile = (at >= 0) & (at < rates.shape[1])
        now = np.where(fertile, rates[:, np.clip(at, 0, rates.shape[1] - 1)], 0.0)
        now = now * (1 + (changed[:, None] - 1) * min(back, _MOST_BACK) / _YEARS_BACK)
        factor = now / (held * chance).sum(axis=(2, 3, 4))
        births = held * np.minimum(chance * factor[:, :, None, None, None], 0.9)
        stay = held - births
        if back >= GROWN_UP:
            held = stay
            held[:, :, 1:] += births[:, :, :-1]
            held[:, :, -1] += births[:, :, -1]
            continue
        held = np.zeros_like(stay)
        held[..., 1:GROWN_UP] = stay[..., : GROWN_UP - 1]
        held[..., GROWN_UP] = stay[..., GROWN_UP]
        new = births.sum(axis=-1)
        held[..., 1:, 0] += new[..., :-1]
        held[..., -1, 0] += new[..., -1]
    return np.asarray(held.sum(axis=2))


def shares_of(rates: Floats, women: Floats, born: Floats) -> Floats:
    """Return the shares of states by (country, sex, single year of age from 18, state).

    Parameters
    ----------
    rates, women, born : array
        As in :func:`change`.

    Returns
    -------
    array
        State 0 is no child at home; state ``1 + 18 * (children - 1) + youngest`` is a number of children,
        from 1 to :data:`MOST`, and the age of the youngest.
    """
    mothers = _mothers(rates, change(rates, women, born))
    states = mothers[:, :, 1:, :GROWN_UP].reshape(*mothers.shape[:2], -1)
    by_age = np.zeros((len(rates), MIN_AGE - _FIRST + AGES.size, states.shape[-1]))
    by_age[:, : states.shape[1]] = states
    found = np.zeros((len(rates), len(GENDERS), AGES.size, states.shape[-1] + 1))
    found[:, 1, :, 1:] = by_age[:, MIN_AGE - _FIRST :] * _AT_HOME["female"]
    weights = np.exp(-(((_GAPS - _OLDER) / _OLDER_SD) ** 2) / 2)
    for gap, weight in zip(_GAPS.tolist(), weights / weights.sum(), strict=True):
        mother = AGES - gap - _FIRST
        inside = (mother >= 0) & (mother < by_age.shape[1])
        found[:, 0, inside, 1:] += weight * by_age[:, mother[inside]] * _AT_HOME["male"]
    # nobody is a parent before 16: the others of the same age have these children
    with_child = found[..., 1:]
    total = with_child.sum(axis=-1)
    with_child *= AGES[:, None] - np.arange(with_child.shape[-1]) % GROWN_UP >= _YOUNGEST_PARENT
    left = with_child.sum(axis=-1)
    with_child *= np.divide(total, left, out=np.zeros_like(total), where=left > 0)[..., None]
    found[..., 0] = 1 - found[..., 1:].sum(axis=-1)
    return found


@cache
def child_shares() -> Floats:
    """Return the shares of the states of :func:`shares_of` for each country of ``ABROAD``."""
    people = sex_age_shares() * adults()[:, None, None]
    born = np.zeros(len(ABROAD))
    for row in rows("intl_age_sex"):
        if row["age_band"] == "18-19":  # two fifths of those of 15 to 19
            born[index_of(row["country"])] += float(row["persons"]) / 2
    return shares_of(rates(), people[:, GENDERS.index("female")], born)


def parent_shares() -> Floats:
    """Return the share of parents of a child under 18 at home by (country, sex, single year of age)."""
    return np.asarray(1 - child_shares()[..., 0])


@cache
def table() -> Table:
    """Return the table of states by country, sex and single year of age."""
    return Table.of(child_shares())
