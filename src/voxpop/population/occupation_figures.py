"""Published shares of women, ethnic groups and education levels in each US occupation.

An occupation whose figures are set aside (:mod:`voxpop.population.held_out`) takes the average of its major
group, where occupations with similar codes and wages count more. A small one is drawn towards that average.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import NOT_HISPANIC
from voxpop.population.employment import GROUPS, SOC, entry, group_of, wages
from voxpop.population.held_out import held_out
from voxpop.population.reference import Floats, rows

SCHOOLING = (
    "pct_less_than_high_school",
    "pct_high_school",
    "pct_some_college_or_aa",
    "pct_college_graduate_or_above",
)
"""Levels of the table of education by occupation; the first one is two levels of the agents."""

SCHOOLING_OF = np.array([0, 0, 1, 2, 3])
"""Index into :data:`SCHOOLING` of each level of education of the agents."""

# The figures of an occupation with fewer workers than this (in thousands) are drawn towards its major group.
_WELL_KNOWN = 150.0
# Workers (in thousands) at which sampling error and differences between occupations are of the same size.
_NOISE_OF_SEX, _NOISE_OF_ETHNICITY = 10.0, 50.0
# Of the workers who are none of White, Black and Asian, this part is not Hispanic (an assumption).
_REST_NOT_HISPANIC = 0.75
_KIN = {2: 1.0, 4: 10.0, 5: 30.0, 6: 100.0}
"""Weight of occupations whose codes share the first so many characters."""
_STRANGER = 1e-9
"""Weight of occupations of other major groups, which matters only if a group has no other known one."""
_WAGE_WIDTH = 0.3
"""Difference in log wages at which an occupation counts 60 % as much."""
_SLACK = 0.0025
"""Share of all women (and of all men) by which a major group may differ from its published number.

Sizes of occupations are of jobs, and numbers of women and men are of people, the self-employed included, so
that not all figures can hold together.
"""


def _by_code(table: str) -> list[dict[str, str]]:
    """Return the rows of a table by occupation, in the order of the occupations."""
    found = {row["soc_code"]: dict(row) for row in rows(table)}
    return [found[code] for code in SOC]


def used(table: str) -> npt.NDArray[np.bool_]:
    """Return whether the figures of each occupation in a table may be used, that is, are not set aside."""
    return np.array([not held_out(f"{table}/{code}") for code in SOC])


def sizes() -> Floats:
    """Return the jobs in each occupation."""
    return np.array([float(row["employment"]) for row in rows("us_occupations")])


@cache
def _kinship() -> Floats:
    """Return the weight of each occupation (second axis) in the average for another (first axis).

    Only occupations of the same major group count; those whose codes begin alike count 10, 30 or 100 times as
    much, and those with another wage less. The weights were chosen on figures that are not set aside.
    """
    found = np.full((len(SOC), len(SOC)), _STRANGER)
    for length, weight in _KIN.items():
        starts = np.array([code[:length] for code in SOC])
        found = np.where(starts[:, None] == starts[None, :], weight, found)
    wage = np.log(wages())
    near = np.exp(-(((wage[:, None] - wage[None, :]) / _WAGE_WIDTH) ** 2) / 2)
    found *= np.maximum(near, 0.001) * np.sqrt(sizes())
    np.fill_diagonal(found, 0.0)
    return found


def _averages(figures: Floats, known: npt.NDArray[np.bool_]) -> Floats:
    """Return for each occupation the average figures of the known others in its major group."""
    weights = _kinship() * known
    total = (weights[:, :, None] * figures[None]).sum(axis=1)
    return np.asarray(total / weights.sum(axis=1)[:, None])


def _trust(noise: float) -> Floats:
    """Return the weight of each occupation's own figures against those of its major group.

    It is 1 from 150,000 workers on and falls towards workers / (workers + noise) below (empirical Bayes).
    """
    table = _by_code("us_occupation_by_sex_ethnicity")
    workers = np.array([float(row["cps_employed_thousands"]) for row in table])
    return np.asarray(workers / (workers + noise * np.clip(1 - workers / _WELL_KNOWN, 0, None)))


@cache
def women() -> Floats:
    """Return the share of women in each occupation, before any fitting.

    A small occupation is drawn towards its major group, and one whose figures are set aside takes the average
    of its major group.
    """
    table = _by_code("us_occupation_by_sex_ethnicity")
    known = used("us_occupation_by_sex_ethnicity")
    own = np.array([float(row["pct_women"]) / 100 for row in table])
    of_group = _averages(own[:, None], known)[:, 0]
    trust = np.where(known, _trust(_NOISE_OF_SEX), 0.0)
    return np.asarray(trust * own + (1 - trust) * of_group)


@cache
def ethnicities() -> Floats:
    """Return the shares of the grouped ethnicities in each occupation, before any fitting.

    The published races include Hispanics. The parts of Black and Asian workers who are not Hispanic are those
    of the whole population (:data:`~voxpop.population.demographics.NOT_HISPANIC`); of the workers outside the
    three races a quarter are Hispanic, and White non-Hispanic are all the others.
    """
    table = _by_code("us_occupation_by_sex_ethnicity")
    known = used("us_occupation_by_sex_ethnicity")
    columns = ("pct_white", "pct_black", "pct_asian", "pct_hispanic")
    own = np.array([[float(row[column]) / 100 for column in columns] for row in table])
    trust = np.where(known, _trust(_NOISE_OF_ETHNICITY), 0.0)[:, None]
    white, black, asian, hispanic = (trust * own + (1 - trust) * _averages(own, known)).T
    black_part, asian_part = NOT_HISPANIC.values()
    rest = np.clip(1 - white - black - asian, 0.01, None) * _REST_NOT_HISPANIC
    found = np.stack([hispanic, np.zeros(len(SOC)), black * black_part, asian * asian_part, rest], axis=1)
    found[:, 1] = np.clip(1 - found.sum(axis=1), 0.02, None)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


@cache
def schooling() -> Floats:
    """Return the shares of the levels of :data:`SCHOOLING` in each occupation, before any fitting.

    Levels below the entry level of an occupation have no workers.
    """
    table = _by_code("us_occupation_by_education")
    own = np.array([[float(row[column]) for column in SCHOOLING] for row in table])
    own /= own.sum(axis=1, keepdims=True)
    known = used("us_occupation_by_education")
    found = np.where(known[:, None], own, _averages(own, known))
    found *= np.arange(len(SCHOOLING)) >= SCHOOLING_OF[entry()[0]][:, None]
    return np.asarray(found / found.sum(axis=1, keepdims=True))


@cache
def sexes() -> Floats:
    """Return the published workers by (sex, occupation), in thousands.

    The sizes of occupations hold within each major group, whose men and women are nearly the published ones.
    """
    found, group, size = np.zeros((2, len(SOC))), group_of(), sizes()
    table = [row for row in rows("us_occupation_major_group") if row["men_thousands"]]
    published = np.array([[float(row["men_thousands"]), float(row["women_thousands"])] for row in table])
    slack = _SLACK * published.sum(axis=0).min()
    for row, both in zip(table, published, strict=True):
        inside = group == GROUPS.index(row["occupation_major_group"])
        total = size[inside] / size[inside].sum() * both.sum()
        part = women()[inside]
        usual = (part * total).sum()
        change = np.clip(usual - both[1], -slack, slack)
        start = np.stack([(1 - part) * total, part * total])
        wanted = both + np.array([-change, change])
        found[:, inside] = draw.fit(start, [((1,), total), ((0,), wanted)], rounds=20)
    return found
