"""Employment of the US agents: labour status and, for the employed, occupation and industry.

One array of (sex, age band, education, occupation) is fitted to the employed agents of each cell, to the men
and women of each occupation and to the ages of each major group. Occupations match their holders, because
entry ages and entry education are zeros of that array.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import AGE_BANDS_5, EDUCATION, People, band_of, midpoint
from voxpop.population.reference import GENDERS, MAX_AGE, Floats, band, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

LABOUR = FIELDS["labour_status"].levels
EMPLOYED = LABOUR.index("employed")
OCCUPATIONS = tuple(row["occupation"] for row in rows("us_occupations"))
SOC = tuple(row["soc_code"] for row in rows("us_occupations"))
GROUPS = FIELDS["occupation_major_group"].levels
INDUSTRIES = tuple(row["industry"] for row in rows("us_industry"))

WORK_BANDS = ("18-19", "20-21", "22-24", "25-27", "28-34", "35-44", "45-54", "55-64", "65-74", "75+")
PUBLISHED_GROUP_BANDS = {
    "age16_19": "18-19",
    "age20_24": "20-24",
    "age25_34": "25-34",
    "age35_44": "35-44",
    "age45_54": "45-54",
    "age55_64": "55-64",
    "age65plus": "65+",
}
"""Columns of the table of major groups, with the agent ages that they represent."""
_GROUP_BANDS = tuple(PUBLISHED_GROUP_BANDS)

# Relative odds of a status by education, lowest first, and for parents (assumptions of this project).
_BY_EDUCATION = {
    "employed": (0.7, 0.75, 0.95, 1.05, 1.25),
    "unemployed": (1.6, 1.7, 1.2, 1.0, 0.7),
    "disabled": (2.5, 2.2, 1.3, 0.9, 0.4),
    "student": (0.02, 0.6, 1.0, 2.0, 0.4),
}
_PARENTS = {"homemaker": 3.0, "student": 0.4}
# The last published band is 75 and over: relative odds of working, from each of these ages on.
_OLDEST = (0, 80, 85, 90)
_STILL_WORKING = (1.0, 0.4, 0.12, 0.0)
_YOUNGEST_RETIRED = 45
# Change of an occupation's odds per year between an age and the occupation's median age.
_AGE_VARIANCE = 170.0
_TYPICAL_INDUSTRY = 30.0
_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Work:
    """Codes of the professional fields; -1 for agents without a job."""

    labour_status: Codes
    occupation: Codes
    group: Codes
    industry: Codes


@cache
def group_of() -> Codes:
    """Return the index of the major group of each occupation."""
    return np.array(
        [GROUPS.index(row["occupation_major_group"]) for row in rows("us_occupations")], dtype=np.int16
    )


def wages() -> Floats:
    """Return the median yearly wage of each occupation in US dollars, 40,000 if none is published."""
    return np.array([float(row["median_annual_wage_usd"] or 40_000) for row in rows("us_occupations")])


def labour_status(seed: int, people: People) -> Codes:
    """Draw the labour status from age and sex, adjusted for education, parenthood and old age."""
    bands, n_education = len(AGE_BANDS_5), len(EDUCATION)
    shape = (2, bands, len(_OLDEST), 2, n_education)
    oldest = np.searchsorted(np.array(_OLDEST), people.age, side="right") - 1
    parts = (people.sex, band_of(people, AGE_BANDS_5), np.maximum(oldest, 0), people.parent, people.education)
    cell = np.ravel_multi_index(parts, shape).astype(np.int32)
    counts = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    start = np.ones((*shape, len(LABOUR)))
    for status, tilts in _BY_EDUCATION.items():
        start[..., LABOUR.index(status)] *= tilts
    for status, tilt in _PARENTS.items():
        start[:, :, :, 1, :, LABOUR.index(status)] *= tilt
    for status in ("employed", "unemployed"):
        start[..., LABOUR.index(status)] *= np.array(_STILL_WORKING)[:, None, None]
    wanted = _published_status() * counts.sum(axis=(2, 3, 4))[..., None]
    fitted = draw.fit(start, [((0, 1, 5), wanted), ((0, 1, 2, 3, 4), counts)])
    return draw.levels(draw.generator(seed, 10), cell, fitted.reshape(-1, len(LABOUR)))


def _published_status() -> Floats:
    """Return the share of each status by (sex, band); the young have no retired in any case."""
    published = np.zeros((2, len(AGE_BANDS_5), len(LABOUR)))
    for row in rows("us_labour_status_age_sex"):
        status = row["labour_status"]
        if status == "retired" and band(row["age_band"])[0] < _YOUNGEST_RETIRED:
            status = "other_not_in_labour_force"
        at = GENDERS.index(row["gender"]), AGE_BANDS_5.index(row["age_band"]), LABOUR.index(status)
        published[at] += float(row["share"])
    return published


def longest_prefix(code: str, prefixes: Iterable[str]) -> str:
    """Return the longest of the prefixes that an occupation code starts with, or an empty string."""
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default="")


def entry() -> tuple[Codes, Codes, Codes]:
    """Return the minimum education (code), minimum age and maximum age of each occupation."""
    rules = {row["soc_prefix"]: row for row in rows("us_occupation_entry_assumed")}
    found = []
    for code in SOC:
        rule = rules[longest_prefix(code, rules)]
        most = int(rule["most_age"] or MAX_AGE)
        found.append((EDUCATION.index(rule["least_education"]), int(rule["least_age"]), most))
    education, least, most_age = np.array(found, dtype=np.int16).T
    return education, least, most_age


def _start() -> Floats:
    """Return the relative odds of each occupation by (age band, education), before any margin."""
    table, group = rows("us_occupations"), group_of()
    share = {row["soc_major"]: float(row["graduate_share"]) for row in rows("us_graduates_by_group_assumed")}
    graduates = np.array([share[code[:2]] for code in SOC])
    wage = np.log(wages())
    average = np.array([wage[group == group[at]].mean() for at in range(group.size)])
    odds = np.log(graduates / (1 - graduates)) + 0.5 + 0.8 * (wage - average)
    steps = np.array([-1.3, -1.0, -0.5, 0.0, 0.9])
    by_education = np.exp(odds[None, :] * steps[:, None])

    medians = np.array([float(row["cps_median_age"] or 0) for row in table])
    ages = {
        row["occupation_major_group"]: float(row["median_age"] or 42)
        for row in rows("us_occupation_major_group")
    }
    usual = np.array([ages[row["occupation_major_group"]] for row in table])
    slope = np.where(medians > 0, (medians - usual) / _AGE_VARIANCE, 0.0)
    middle = np.array([midpoint(text) for text in WORK_BANDS])
    by_age = np.exp(slope[None, :] * (middle[:, None] - 42))

    least_education, least_age, most_age = entry()
    enough = np.arange(len(EDUCATION))[:, None] >= least_education[None, :]
    first = np.array([band(text)[0] for text in WORK_BANDS])[:, None]
    right_age = (first >= least_age[None, :]) & (first <= most_age[None, :])
    return np.asarray((by_age * right_age)[:, None, :] * (by_education * enough)[None, :, :])


def _targets() -> tuple[Floats, Floats]:
    """Return the target workers by (sex, occupation) and by (age band of the group table, group)."""
    table, group = rows("us_occupations"), group_of()
    jobs = np.array([float(row["employment"]) for row in table])
    by_sex, by_age = np.zeros((2, jobs.size)), np.zeros((len(_GROUP_BANDS), len(GROUPS)))
    for row in rows("us_occupation_major_group"):
        if not row["men_thousands"]:  # no figures for the military
            continue
        at = GROUPS.index(row["occupation_major_group"])
        inside = group == at
        men, women = float(row["men_thousands"]), float(row["women_thousands"])
        known = [table[i]["cps_pct_women"] for i in np.flatnonzero(inside)]
        part = np.array([float(text) / 100 if text else women / (men + women) for text in known])
        size = jobs[inside] / jobs[inside].sum() * (men + women)
        start = np.stack([(1 - part) * size, part * size])
        by_sex[:, inside] = draw.fit(start, [((1,), size), ((0,), np.array([men, women]))], rounds=20)
        by_age[:, at] = [float(row[column]) for column in _GROUP_BANDS]
    return by_sex, by_age


def occupation_shares(employed: Floats) -> Floats:
    """Return the share of each occupation in the cells (sex, age band, education) of employed agents.

    The published workers are 16 and over; here they are scaled to the adult population.
    """
    group = group_of()
    fitted = np.repeat(_start()[None], 2, axis=0)
    by_sex, by_age = _targets()
    of_sex = by_sex.sum(axis=1, keepdims=True)
    by_sex = by_sex * np.divide(employed.sum(axis=(1, 2))[:, None], of_sex)
    wide = np.array([0, 1, 1, 2, 2, 3, 4, 5, 6, 6])
    belongs = (group[:, None] == np.arange(len(GROUPS))).astype(float)
    spans = (wide[:, None] == np.arange(len(_GROUP_BANDS))).astype(float)
    possible = spans.T @ fitted.sum(axis=(0, 2)) @ belongs > 0
    by_band = spans.T @ employed.sum(axis=(0, 2))
    by_age = draw.fit(by_age * possible, [((0,), by_band), ((1,), by_sex.sum(axis=0) @ belongs)])
    for _ in range(_ROUNDS):
        now = spans.T @ fitted.sum(axis=(0, 2)) @ belongs
        fitted *= _ratio(by_age, now)[wide][:, group][None, :, None, :]
        fitted *= _ratio(by_sex, fitted.sum(axis=(1, 2)))[:, None, None, :]
        fitted *= _ratio(employed, fitted.sum(axis=3))[..., None]
    return fitted.reshape(-1, group.size)


def _ratio(wanted: Floats, now: Floats) -> Floats:
    return np.divide(wanted, now, out=np.zeros_like(now), where=now > 0)


def industry_shares(workers: Floats) -> Floats:
    """Return workers by (sex, occupation, industry), weighted towards the typical sector of an occupation.

    Parameters
    ----------
    workers : array (sex, occupation)
        Number of employed agents; the sector tables are scaled to them.
    """
    sectors = [row["naics"] for row in rows("us_industry")]
    fitted = np.repeat(_usual_sectors(sectors)[None], 2, axis=0)
    job, sector, blocks = _broad_tables(sectors)
    possible = job.T @ (fitted[0] > 0) @ sector > 0
    sizes, women = (
        np.array([float(row[column] or 0) for row in rows("us_industry")])
        for column in ("employed_thousands", "pct_women")
    )
    by_sector = np.stack([sizes * (1 - women / 100), sizes * women / 100])
    total = sizes / sizes.sum() * workers.sum()
    by_sector = draw.fit(by_sector, [((1,), total), ((0,), workers.sum(axis=1))])
    blocks = draw.fit(blocks * possible, [((0, 2), by_sector @ sector), ((0, 1), workers @ job)])
    for _ in range(_ROUNDS):
        for sex in range(2):
            now = job.T @ fitted[sex] @ sector
            fitted[sex] *= job @ _ratio(blocks[sex], now) @ sector.T
        fitted *= _ratio(by_sector, fitted.sum(axis=1))[:, None, :]
        fitted *= _ratio(workers, fitted.sum(axis=2))[:, :, None]
    return fitted


def _usual_sectors(naics: list[str]) -> Floats:
    """Return the relative odds of each sector for each occupation, before any margin."""
    sizes = np.array([float(row["employed_thousands"] or 0) for row in rows("us_industry")])
    start = np.repeat(sizes[None, :], len(OCCUPATIONS), axis=0)
    allowed = {row["soc_prefix"]: row["naics"].split() for row in rows("us_industry_allowed_assumed")}
    for at, row in enumerate(rows("us_occupations")):
        typical = naics.index(row["typical_naics"])
        prefix = longest_prefix(row["soc_code"], allowed)
        if prefix:
            inside = [code in allowed[prefix] or code == naics[typical] for code in naics]
            start[at, np.logical_not(inside)] = 0
        start[at, typical] *= _TYPICAL_INDUSTRY
    return start


BROAD_JOBS = {
    "Management, business, and financial operations": "11 13",
    "Professional and related": "15 17 19 21 23 25 27 29",
    "Protective service": "33",
    "Service, except protective": "31 35 37 39",
    "Sales and related": "41",
    "Office and administrative support": "43",
    "Farming, fishing, and forestry": "45",
    "Construction and extraction": "47",
    "Installation, maintenance, and repair": "49",
    "Production": "51",
    "Transportation and material moving": "53",
}
BROAD_SECTORS = {
    "Agriculture and related": "11",
    "Mining, quarrying, and oil and gas extraction": "21",
    "Construction": "23",
    "Manufacturing": "31-33",
    "Wholesale trade": "42",
    "Retail trade": "44-45",
    "Transportation and utilities": "48-49 22",
    "Information": "51",
    "Financial activities": "52 53",
    "Professional and business services": "54 55 56",
    "Education and health services": "61 62",
    "Leisure and hospitality": "71 72",
    "Other services": "81",
    "Public administration": "92",
}


def _broad_tables(naics: list[str]) -> tuple[Floats, Floats, Floats]:
    """Return membership in each pair of broad occupation and sector, and its published men and women."""
    jobs = np.array([[code[:2] in text.split() for text in BROAD_JOBS.values()] for code in SOC], dtype=float)
    sectors = np.array(
        [[code in text.split() for text in BROAD_SECTORS.values()] for code in naics], dtype=float
    )
    blocks = np.zeros((2, len(BROAD_JOBS), len(BROAD_SECTORS)))
    job_names, sector_names = list(BROAD_JOBS), list(BROAD_SECTORS)
    for row in rows("us_industry_by_occupation_group"):
        if row["gender"] in GENDERS:
            at = GENDERS.index(row["gender"]), job_names.index(row["occupation_group"])
            sector = sector_names.index(" ".join(row["industry"].split()))
            blocks[(*at, sector)] = float(row["employed_thousands"])
    return jobs, sectors, blocks


def draw_work(seed: int, people: People) -> Work:
    """Draw labour status, occupation and industry."""
    status = labour_status(seed, people)
    at = np.flatnonzero(status == EMPLOYED)
    shape = (2, len(WORK_BANDS), len(EDUCATION))
    cell = people.sex[at] * np.int16(shape[1]) + band_of(people, WORK_BANDS)[at]
    cell = cell * np.int16(shape[2]) + people.education[at]
    counts = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    jobs = draw.levels(draw.generator(seed, 11), cell, occupation_shares(counts))
    holders = people.sex[at] * np.int16(len(OCCUPATIONS)) + jobs
    workers = np.bincount(holders, minlength=2 * len(OCCUPATIONS)).reshape(2, -1).astype(float)
    shares = industry_shares(workers).reshape(workers.size, -1)
    broad = np.tile(_broad_tables([row["naics"] for row in rows("us_industry")])[0].argmax(axis=1), 2)
    carry = np.lexsort((workers.ravel(), np.repeat((0, 1), len(OCCUPATIONS)), broad))
    sectors = draw.levels(draw.generator(seed, 12), holders, shares, carry=carry)
    occupation, group, industry = (np.full(status.size, -1, dtype=np.int16) for _ in range(3))
    occupation[at], group[at], industry[at] = jobs, group_of()[jobs], sectors
    return Work(status, occupation, group, industry)
