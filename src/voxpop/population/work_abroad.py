"""Employment of agents outside the USA: labour status, occupation and industry.

The tables have, by country, the employed and unemployed among those of 15 and over, and the workers in nine
ISCO-08 major groups. The rest are assumptions of this project:

- nobody of 15 to 17 works or looks for work, and a year of age there holds as many as one of 18 to 29;
- ages follow the pattern of the USA, women's employment against men's is ``intl_women_at_work_assumed.csv``,
  and men and women in the labour force are unemployed alike;
- people outside the labour force are what they are in the USA; where there are more of them, the others are
  students (18 to 24), retired (men from 55, women from 60), homemakers (women) or none of these (men);
- an ISCO group holds the occupations of ``isco_by_soc_assumed.csv`` as the USA has them, by sex and entry
  age, and an occupation works in the industries it works in there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.countries import ABROAD, ISO
from voxpop.population.demographics import AGE_BANDS_5, People, cell_of
from voxpop.population.employment import (
    EMPLOYED,
    LABOUR,
    SOC,
    WORK_BANDS,
    Work,
    entry,
    group_of,
    industry_shares,
    longest_prefix,
)
from voxpop.population.reference import GENDERS, Floats, band, rows

Codes = npt.NDArray[np.int16]

ISCO_GROUPS = (
    "Managers",
    "Professionals",
    "Technicians and associate professionals",
    "Clerical support workers",
    "Service and sales workers",
    "Skilled agricultural, forestry and fishery workers",
    "Craft and related trades workers",
    "Plant and machine operators, and assemblers",
    "Elementary occupations",
)

_UNEMPLOYED = LABOUR.index("unemployed")
_OUTSIDE = [LABOUR.index(status) for status in LABOUR if status not in ("employed", "unemployed")]
_YOUNG_YEARS, _BAND_YEARS = 3, 12
_FIRST_RETIRED = 50


def adult_status() -> Floats:
    """Return the shares of adults who are employed, unemployed and outside the labour force, by country."""
    codes = list(ISO.values())
    young = np.zeros(len(codes))
    for row in rows("intl_age_sex"):
        if row["age_band"] == "18-29":
            young[codes.index(row["country"])] += float(row["share_18plus"]) * _YOUNG_YEARS / _BAND_YEARS
    shares = np.zeros((len(codes), 3))
    for row in rows("intl_labour_status"):
        if row["labour_status"] != "not_in_labour_force":
            at = codes.index(row["country"])
            column = ("employed", "unemployed").index(row["labour_status"])
            shares[at, column] = float(row["share_pct_of_15plus"]) / 100 * (1 + young[at])
    shares[:, 2] = 1 - shares.sum(axis=1)
    return shares


def _american() -> Floats:
    """Return the labour statuses of the USA by (sex, band), without retirement before 50."""
    found = np.zeros((2, len(AGE_BANDS_5), len(LABOUR)))
    for row in rows("us_labour_status_age_sex"):
        at = GENDERS.index(row["gender"]), AGE_BANDS_5.index(row["age_band"])
        status = row["labour_status"]
        if status == "retired" and band(row["age_band"])[0] < _FIRST_RETIRED:
            status = "other_not_in_labour_force"
        found[(*at, LABOUR.index(status))] += float(row["share"])
    return np.asarray(found / found.sum(axis=2, keepdims=True))


def _more_outside() -> Floats:
    """Return by (sex, band) the statuses of those outside the labour force in excess of the US share."""
    found = np.zeros((2, len(AGE_BANDS_5), len(LABOUR)))
    for at, text in enumerate(AGE_BANDS_5):
        first = band(text)[0]
        for sex, retires in enumerate((55, 60)):
            if first >= retires:
                found[sex, at, LABOUR.index("retired")] = 1.0
            elif first < 25:
                found[sex, at, LABOUR.index("student")] = 1.0 if sex == 0 else 0.5
                found[sex, at, LABOUR.index("homemaker")] = 0.0 if sex == 0 else 0.5
            else:
                rest = "other_not_in_labour_force" if sex == 0 else "homemaker"
                found[sex, at, LABOUR.index(rest)] = 1.0
    return found


def status_shares(counts: Floats) -> Floats:
    """Return shares of the labour statuses by (country, sex, band), for agents counted in these cells."""
    usa, more = _american(), _more_outside()
    outside = usa[..., _OUTSIDE].sum(axis=2)
    start = np.stack([usa[..., EMPLOYED], usa[..., _UNEMPLOYED], outside], axis=2)
    ratio = {row["country"]: float(row["women_to_men"]) for row in rows("intl_women_at_work_assumed")}
    wanted = adult_status()
    shares = np.zeros((*counts.shape, len(LABOUR)))
    for at, iso in enumerate(ISO.values()):
        by_sex = counts[at].sum(axis=1)
        men, women = by_sex / max(by_sex.sum(), 1.0)
        employed = wanted[at, 0] / max(men + women * ratio[iso], 1e-9) * np.array([1.0, ratio[iso]])
        looking = employed * wanted[at, 1] / wanted[at, 0]
        totals = np.stack([employed, looking, 1 - employed - looking], axis=1) * by_sex[:, None]
        fitted = draw.fit(start, [((0, 2), totals), ((0, 1), counts[at])])
        fitted /= np.maximum(fitted.sum(axis=2, keepdims=True), 1e-12)
        shares[at, ..., EMPLOYED], shares[at, ..., _UNEMPLOYED] = fitted[..., 0], fitted[..., 1]
        usual = np.minimum(fitted[..., 2], outside)
        split = usa[..., _OUTSIDE] * (usual / outside)[..., None]
        shares[at][..., _OUTSIDE] = split + more[..., _OUTSIDE] * (fitted[..., 2] - usual)[..., None]
    return shares


def isco_of() -> Codes:
    """Return the index of the ISCO-08 major group of each occupation in :data:`ISCO_GROUPS`."""
    known = {row["soc_prefix"]: int(row["isco_major"]) for row in rows("isco_by_soc_assumed")}
    return np.array([known[longest_prefix(code, known)] - 1 for code in SOC], dtype=np.int16)


def isco_shares() -> Floats:
    """Return the published shares of the ISCO groups by country, 0 for a group included in another one."""
    shares = np.zeros((len(ABROAD), len(ISCO_GROUPS)))
    codes = list(ISO.values())
    for row in rows("intl_occupation_group"):
        at = codes.index(row["country"]), ISCO_GROUPS.index(row["isco08_major_group"])
        shares[at] = float(row["share"])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _usual_jobs() -> Floats:
    """Return the US workers by (sex, age band, occupation), limited to the permitted ages."""
    table, least_age = rows("us_occupations"), entry()[1]
    women = {
        row["occupation_major_group"]: float(row["women_thousands"])
        / (float(row["men_thousands"]) + float(row["women_thousands"]))
        for row in rows("us_occupation_major_group")
        if row["men_thousands"]
    }
    part = np.array(
        [
            float(row["cps_pct_women"]) / 100
            if row["cps_pct_women"]
            else women[row["occupation_major_group"]]
            for row in table
        ]
    )
    jobs = np.array([float(row["employment"]) for row in table])
    old_enough = np.array([band(text)[0] for text in WORK_BANDS])[:, None] >= least_age[None, :]
    return np.stack([(1 - part) * jobs, part * jobs])[:, None, :] * old_enough[None]


def occupation_shares_abroad(employed: Floats) -> Floats:
    """Return the share of each occupation for employed agents counted by (country, sex, age band)."""
    usual, isco, wanted = _usual_jobs(), isco_of(), isco_shares()
    shares = np.zeros((*employed.shape, isco.size))
    for at in range(len(ABROAD)):
        # Japan includes technicians in the professionals
        merged = np.where(wanted[at, isco] > 0, isco, ISCO_GROUPS.index("Professionals"))
        belongs = (merged[:, None] == np.arange(len(ISCO_GROUPS))).astype(float)
        fitted, totals = usual.copy(), wanted[at] * employed[at].sum()
        for _ in range(30):
            now = fitted.sum(axis=(0, 1)) @ belongs
            fitted *= np.divide(totals, now, out=np.zeros_like(now), where=now > 0)[merged]
            cells = fitted.sum(axis=2)
            fitted *= np.divide(employed[at], cells, out=np.zeros_like(cells), where=cells > 0)[..., None]
        shares[at] = fitted
    return shares


def draw_work_abroad(seed: int, country: Codes, people: People) -> Work:
    """Draw labour status, occupation and industry of agents outside the USA."""
    shape = len(ABROAD), 2, len(AGE_BANDS_5)
    cell = country * np.int16(shape[1] * shape[2]) + cell_of(people, AGE_BANDS_5)
    counts = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    statuses = status_shares(counts).reshape(-1, len(LABOUR))
    status = draw.levels(draw.generator(seed, 10), cell, statuses)
    at = np.flatnonzero(status == EMPLOYED)
    shape = len(ABROAD), 2, len(WORK_BANDS)
    cell = (country * np.int16(shape[1] * shape[2]) + cell_of(people, WORK_BANDS))[at]
    counts = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    shares = occupation_shares_abroad(counts).reshape(-1, len(SOC))
    jobs = draw.levels(draw.generator(seed, 11), cell, shares)
    usual = industry_shares(_usual_jobs().max(axis=1))
    holders = people.sex[at] * np.int16(len(SOC)) + jobs
    sectors = draw.levels(draw.generator(seed, 12), holders, usual.reshape(2 * len(SOC), -1))
    occupation, group, industry = (np.full(status.size, -1, dtype=np.int16) for _ in range(3))
    occupation[at], group[at], industry[at] = jobs, group_of()[jobs], sectors
    return Work(status, occupation, group, industry)
