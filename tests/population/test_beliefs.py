"""Tenure, religion, party and ideology follow the survey within groups, and one another.

The shares by group were tabulated from the donors of the General Social Survey, which are not shipped. The
people here have the composition of the product, not of the survey, so shares within groups are compared with
a tolerance for what differs between the two within a group.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from voxpop.population import beliefs
from voxpop.population.demographics import EDUCATION, ETHNICITIES, STATES
from voxpop.population.draw import Streams
from voxpop.population.employment import LABOUR
from voxpop.vocabulary.fields import FIELDS

SHARES = Path(__file__).parent / "reference" / "us_gss_shares_by_group.csv"
SIZE = 100_000
MARITAL = FIELDS["marital_status"].levels

Drawn = Mapping[str, npt.NDArray[np.int16]]


def crowd(size: int = SIZE) -> tuple[SimpleNamespace, dict[str, Any]]:
    """Return people whose traits go together roughly as in the survey, from a seed of their own."""
    rng = np.random.default_rng(2018)

    def pick(shares: list[float]) -> npt.NDArray[np.int16]:
        return rng.choice(len(shares), size, p=np.array(shares) / sum(shares)).astype(np.int16)

    ethnicity = pick([0.15, 0.66, 0.12, 0.04, 0.01, 0.002, 0.01])
    minority = np.isin(ethnicity, [0, 2])
    age = rng.integers(18, np.where(ethnicity == 0, 70, 90)).astype(np.int16)
    education = pick([0.04, 0.08, 0.30, 0.28, 0.30])
    status = np.where(age < 30, pick([25, 8, 0, 2, 2, 63]), pick([54, 5, 5, 15, 3, 18])).astype(np.int16)
    status = np.where(age >= 70, pick([50, 2, 30, 14, 1, 3]), status).astype(np.int16)
    children = np.where((age > 24) & (age < 50), pick([45, 20, 22, 9, 4]), 0)
    labour = np.where(age >= 65, LABOUR.index("retired"), pick([72, 5, 1, 5, 10, 5, 2])).astype(np.int16)
    people = SimpleNamespace(
        state=rng.integers(0, len(STATES), size).astype(np.int16),
        age=age,
        sex=pick([0.48, 0.52]),
        ethnicity=ethnicity,
        urban_rural=pick([0.8, 0.2]),
        education=education,
    )
    income = pick([20, 20, 20, 20, 20]) + (education == 4) - (education < 2)
    income = np.clip(income - (minority & (rng.random(size) < 0.6)), 0, 4)
    more = {"marital": status, "children": children, "labour_status": labour}
    return people, more | {"income_quintile": income.astype(np.int16)}


@pytest.fixture(scope="module")
def drawn() -> tuple[SimpleNamespace, Drawn]:
    people, more = crowd()
    return people, beliefs.draw_beliefs(Streams(7, 0), people, **more)


def groups_of(people: SimpleNamespace) -> dict[tuple[str, str], npt.NDArray[np.bool_]]:
    """Return who is in each group of the table of shares, spelled out anew here."""
    ends = {"18-24": 24, "25-34": 34, "35-44": 44, "45-54": 54, "55-64": 64, "65-74": 74, "75+": 99}
    found = {}
    for band, last in ends.items():
        found["age", band] = (people.age >= int(band[:2])) & (people.age <= last)
    ethnic = {"white": ["White, non-Hispanic"], "black": ["Black or African American"]}
    ethnic |= {"hispanic": ["Hispanic or Latino"], "asian": ["Asian"]}
    for name, labels in ethnic.items():
        found["ethnicity", name] = np.isin(people.ethnicity, [ETHNICITIES.index(one) for one in labels])
    for code, name in enumerate(EDUCATION):
        found["education", name] = people.education == code
    states = {
        "new_england": ["CT", "ME", "MA", "NH", "RI", "VT"],
        "pacific": ["WA", "OR", "CA", "AK", "HI"],
        "mountain": ["MT", "ID", "WY", "NV", "UT", "CO", "AZ", "NM"],
        "east_south_central": ["KY", "TN", "MS", "AL"],
    }
    for name, codes in states.items():
        found["region", name] = np.isin(people.state, [STATES.index(code) for code in codes])
    return found


def published() -> list[dict[str, str]]:
    with SHARES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("outcome", "by", "most"),
    [
        ("housing_tenure", "age", 0.09),
        ("housing_tenure", "ethnicity", 0.09),
        ("religion", "age", 0.06),
        ("religion", "ethnicity", 0.06),
        ("religion", "education", 0.10),
        ("religion", "region", 0.09),
        ("party_id", "age", 0.06),
        ("party_id", "ethnicity", 0.06),
        ("party_id", "education", 0.06),
        ("party_id", "region", 0.07),
        ("ideology", "age", 0.05),
        ("ideology", "ethnicity", 0.05),
        ("ideology", "education", 0.05),
        ("ideology", "region", 0.06),
    ],
)
def test_shares_within_groups_are_those_of_the_survey(
    drawn: tuple[SimpleNamespace, Drawn], outcome: str, by: str, most: float
) -> None:
    people, found = drawn
    inside = groups_of(people)
    gaps = {}
    for row in published():
        key = (row["group_by"], row["group"])
        if row["outcome"] == outcome and row["group_by"] == by and key in inside:
            # two standard errors of the survey, times 1.2 for its clusters
            share, donors = float(row["share"]), int(row["n_unweighted"])
            chance = 2.4 * np.sqrt(share * (1 - share) / donors)
            code = FIELDS[outcome].levels.index(row["level"])
            gap = abs(float(np.mean(found[outcome][inside[key]] == code)) - share)
            gaps[row["group"], row["level"]] = round(max(gap - chance, 0.0), 4)
    assert len(gaps) >= 10
    assert max(gaps.values()) <= most, sorted(gaps.items(), key=lambda item: -item[1])[:5]


def test_beliefs_go_together_as_surveys_find(drawn: tuple[SimpleNamespace, Drawn]) -> None:
    people, found = drawn
    party, ideology = (FIELDS[name].levels for name in ("party_id", "ideology"))
    democrat, republican = (np.isin(found["party_id"], [at, at + 1]) for at in (0, 5))
    liberal, conservative = found["ideology"] < 3, found["ideology"] > 3
    assert party[:2] == ("strong_democrat", "democrat")
    assert party[5:7] == ("republican", "strong_republican")
    assert ideology[3] == "moderate"
    assert liberal[democrat].mean() > 0.4 > 0.12 > liberal[republican].mean()
    assert conservative[republican].mean() > 0.6 > 0.25 > conservative[democrat].mean()
    black = people.ethnicity == ETHNICITIES.index("Black or African American")
    assert democrat[black].mean() > 0.5 > 0.1 > republican[black].mean()
    owner = found["housing_tenure"] == FIELDS["housing_tenure"].levels.index("owner")
    assert owner[people.age >= 65].mean() - owner[people.age < 35].mean() > 0.25
    none = found["religion"] == FIELDS["religion"].levels.index("none")
    assert none[people.age < 35].mean() - none[people.age >= 65].mean() > 0.1
    mormon = none[people.state == STATES.index("WA")].mean() - none[people.state == STATES.index("AL")].mean()
    assert mormon > 0.1


def test_a_block_is_drawn_alike_and_another_is_not(drawn: tuple[SimpleNamespace, Drawn]) -> None:
    people, more = crowd(2_000)
    one, same, other = (beliefs.draw_beliefs(Streams(7, block), people, **more) for block in (0, 0, 1))
    for name in beliefs.BELIEFS:
        assert (one[name] == same[name]).all()
        assert (one[name] != other[name]).any()
        assert one[name].dtype == np.int16
        assert set(one[name].tolist()) <= set(range(len(FIELDS[name].levels)))


def test_every_term_of_the_tables_is_used_once() -> None:
    for outcome in beliefs.BELIEFS:
        intercept, terms = beliefs.coefficients(outcome)
        assert np.isfinite(intercept).all()
        tables = beliefs.scores(outcome)
        # the mean over all combinations is the sum of the means of the terms
        inside = sum(table.mean(axis=0) for _, table in tables)
        assert inside == pytest.approx(intercept + sum(_mean(name, table) for name, table in terms.items()))


def _mean(name: str, table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the mean of a term over all combinations of the traits that it is made of."""
    weight = np.ones(len(table))
    if name.startswith("ethnicity_"):
        religion = FIELDS["religion"].levels
        second = [3, 6] if name == "ethnicity_south" else [1, 1, 1, len(religion) - 3]
        weight = np.outer([1, 1, 1, 2], second).ravel()
    if name.startswith("side_"):
        side = np.array([3, 3, 2])
        weight = np.outer(side, [1, 1, 1, 2] if name == "side_ethnicity" else np.ones(5)).ravel()
    return np.average(table, axis=0, weights=weight)


def test_it_takes_a_few_microseconds_an_agent() -> None:
    people, more = crowd(10_000)
    beliefs.draw_beliefs(Streams(7, 0), people, **more)
    times = []
    for block in range(5):
        began = time.perf_counter()
        beliefs.draw_beliefs(Streams(7, block), people, **more)
        times.append(time.perf_counter() - began)
    assert min(times) < 0.03
