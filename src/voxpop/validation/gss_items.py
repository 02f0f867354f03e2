"""Questions of the General Social Survey with people's answers by group, as shipped.

`data/pack_gss_benchmark.py` made the tables. They hold shares and correlations, and no records.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np

from voxpop.text_files import columns_of, rows_of
from voxpop.validation.item_set import Correlations, Floats, Group, Item, ItemSet
from voxpop.vocabulary.levels import EDUCATION, ETHNICITIES

NAME = "gss"
SOURCE = (
    "Davern et al., General Social Survey 2016, 2018 and 2020 (panel file 2016-2020), NORC at the University "
    "of Chicago; weighted tabulation by this project"
)
URL = "https://gss.norc.org"
PEOPLE = "US adults in households"
TABLES = Path(__file__).with_name("gss")
"""Folder of the tables, which a wheel contains as one packed file (:mod:`voxpop.text_files`)."""

_WHITE, _BLACK, _HISPANIC = "White, non-Hispanic", "Black or African American", "Hispanic or Latino"
_DEMOCRATS = ("strong_democrat", "democrat", "independent_lean_democrat")
_REPUBLICANS = ("strong_republican", "republican", "independent_lean_republican")

GROUPS = {
    "age_18_29": Group("age", "18-29", "age", low=18, high=29),
    "age_30_44": Group("age", "30-44", "age", low=30, high=44),
    "age_45_59": Group("age", "45-59", "age", low=45, high=59),
    "age_60plus": Group("age", "60+", "age", low=60),
    "male": Group("gender", "men", "gender", ("male",)),
    "female": Group("gender", "women", "gender", ("female",)),
    "edu_lt_hs": Group("education", "less than high school", "education", EDUCATION[:2]),
    "edu_hs": Group("education", "high school", "education", EDUCATION[2:3]),
    "edu_some_college": Group("education", "some college", "education", EDUCATION[3:4]),
    "edu_college": Group("education", "college", "education", EDUCATION[4:]),
    "inc_under_25k": Group("income", "under $25,000", "income_quintile", ("lowest",)),
    "inc_25k_60k": Group("income", "$25,000-$60,000", "income_quintile", ("second",)),
    "inc_60k_110k": Group("income", "$60,000-$110,000", "income_quintile", ("fourth",)),
    "inc_110k_plus": Group("income", "$110,000 and over", "income_quintile", ("highest",)),
    "eth_white": Group("ethnicity", "White", "ethnicity", (_WHITE,)),
    "eth_black": Group("ethnicity", "Black", "ethnicity", (_BLACK,)),
    "eth_hispanic": Group("ethnicity", "Hispanic", "ethnicity", (_HISPANIC,)),
    "eth_other": Group(
        "ethnicity",
        "other",
        "ethnicity",
        tuple(one for one in ETHNICITIES["USA"] if one not in (_WHITE, _BLACK, _HISPANIC)),
    ),
    "party_dem": Group("party", "Democrats", "party_id", _DEMOCRATS),
    "party_ind": Group("party", "independents", "party_id", ("independent",)),
    "party_rep": Group("party", "Republicans", "party_id", _REPUBLICANS),
}
"""Groups of people by column, and the agents that stand for them.

Incomes of 2016 to 2020 are matched by rank: each group has the fifth of the agents' household incomes that
lies within it; the middle fifth lies in two groups and belongs to neither.
"""

CONTRASTS = (
    ("age", "60+", "18-29"),
    ("gender", "women", "men"),
    ("education", "college", "high school"),
    ("income", "$110,000 and over", "under $25,000"),
    ("ethnicity", "Black", "White"),
    ("ethnicity", "Hispanic", "White"),
    ("party", "Democrats", "Republicans"),
)
"""Differences between groups that are compared: the ends of each scale, and the largest groups."""


@cache
def gss_items() -> ItemSet:
    """Return the shipped set of questions of the General Social Survey, 2016 to 2020.

    Examples
    --------
    >>> held = gss_items()
    >>> grass = next(item for item in held.items if item.key == "gss:grass")
    >>> grass.question, grass.shares.round(2).tolist()
    ('Do you think the use of marijuana should be made legal or not?', [0.72, 0.28])
    """
    shares: dict[str, list[dict[str, str]]] = {}
    for row in rows_of(TABLES / "shares.csv"):
        shares.setdefault(row["item"], []).append(row)
    return ItemSet(
        name=NAME,
        items=tuple(_item(row, shares[row["item"]]) for row in rows_of(TABLES / "items.csv")),
        groups=tuple(GROUPS.values()),
        contrasts=CONTRASTS,
        correlations=_correlations(),
        source=SOURCE,
        url=URL,
        people=PEOPLE,
        left_out={row["reason"]: int(row["items"]) for row in rows_of(TABLES / "left_out.csv")},
        halves=_halves(),
    )


def _item(row: dict[str, str], options: list[dict[str, str]]) -> Item:
    whole = np.array([float(one["all"]) for one in options])
    groups = np.array([[float(one[name] or math.nan) for one in options] for name in GROUPS])
    return Item(
        key=f"{NAME}:{row['item']}",
        question=row["question"],
        options=tuple(one["option"] for one in options),
        ordered=row["ordered"] == "yes",
        year=int(row["year"]),
        asked_of=row["asked_of"],
        n=float(row["n"]),
        effective_n=float(row["effective_n"]),
        shares=whole / whole.sum(),
        group_shares=groups / groups.sum(axis=1, keepdims=True),
        group_n=np.array([float(row[name]) for name in GROUPS]),
    )


def _correlations() -> Correlations:
    columns = columns_of(TABLES / "correlations.csv")
    keys = [f"{NAME}:{name}" for name in columns["item"]]
    first, second, r, n = [], [], [], []
    for at, cells in enumerate(columns["following"]):
        for other, cell in zip(keys[at + 1 :], cells.split(), strict=True):
            if cell != "-":
                hundredths, people = cell.split(":")
                first.append(keys[at])
                second.append(other)
                r.append(int(hundredths) / 100)
                n.append(float(people))
    return Correlations(tuple(first), tuple(second), _floats(r), _floats(n))


def _halves() -> dict[str, float]:
    return {row["measure"]: float(row["score"]) for row in rows_of(TABLES / "halves.csv")}


def _floats(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)
