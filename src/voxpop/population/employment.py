"""Occupations, industries and labour statuses: their names, entry rules and the industries of occupations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import EDUCATION
from voxpop.population.reference import GENDERS, MAX_AGE, Floats, rows
from voxpop.vocabulary.fields import FIELDS

Codes = npt.NDArray[np.int16]

LABOUR = FIELDS["labour_status"].levels
EMPLOYED = LABOUR.index("employed")
OCCUPATIONS = tuple(row["occupation"] for row in rows("us_occupations"))
SOC = tuple(row["soc_code"] for row in rows("us_occupations"))
GROUPS = FIELDS["occupation_major_group"].levels
INDUSTRIES = tuple(row["industry"] for row in rows("us_industry"))

WORK_BANDS = (
    "18-19",
    "20-21",
    "22-24",
    "25-27",
    "28-34",
    "35-44",
    "45-54",
    "55-64",
    "65-69",
    "70-74",
    "75-79",
    "80+",
)
"""Age bands of occupations; the ages of the entry rules are first and last ages of bands."""
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


def longest_prefix(code: str, prefixes: Iterable[str]) -> str:
    """Return the longest of the prefixes that an occupation code starts with, or an empty string."""
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default="")


@cache
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
            fitted[sex] *= job @ draw.ratio(blocks[sex], now) @ sector.T
        fitted *= draw.ratio(by_sector, fitted.sum(axis=1))[:, None, :]
        fitted *= draw.ratio(workers, fitted.sum(axis=2))[:, :, None]
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


@cache
def broad_job_of() -> Codes:
    """Return the index of each occupation's group in :data:`BROAD_JOBS`."""
    broad = list(BROAD_JOBS.values())
    return np.array(
        [next(at for at, text in enumerate(broad) if code[:2] in text.split()) for code in SOC],
        dtype=np.int16,
    )


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
