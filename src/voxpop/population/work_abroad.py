"""Employment of agents outside the USA: labour status, occupation and industry.

The tables have, by country and sex, the employed and unemployed among those of 15 and over, participation and
unemployment by broad age, and workers in agriculture, industry and services (ILO); and, for nine countries,
the workers in nine ISCO-08 major groups. The rest are assumptions of this project:

- people of 15 to 17 are in the labour force as often as those of 18 to 24, times the employment rate of 15 to
  24: the more young people work, the more of them do so at school;
- within the broad ages the pattern is that of the USA, and the odds of a status by education and of parents
  are the ones that the US agents have;
- people outside the labour force are what they are in the USA; where there are more of them, the others are
  students (18 to 24), retired (men from 55, women from 60), homemakers (women) or none of these (men);
- a country without ISCO groups takes the mean of others (:data:`BORROWED_GROUPS`);
- an ISCO group holds the occupations of ``isco_by_soc_assumed.csv`` as the USA has them, by sex, education
  and entry age; farm work is ten times as likely in rural areas as the rest; an occupation works in the
  industries it works in there, as far as the three sectors of the country permit.

All tables are expectations over the adults of a country; no number of drawn agents enters them.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.children_abroad import parent_shares
from voxpop.population.countries import (
    ABROAD,
    ISO,
    RURAL,
    PeopleAbroad,
    index_of,
    sex_age_shares,
    urban_shares,
)
from voxpop.population.demographics import AGE_BANDS_5, EDUCATION
from voxpop.population.draw import Streams
from voxpop.population.education_abroad import education_shares
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
from voxpop.population.occupation_figures import SCHOOLING_OF, schooling, sexes, sizes
from voxpop.population.picking import Table
from voxpop.population.reference import GENDERS, Floats, Ints, band, band_codes, in_band, rows

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

BORROWED_GROUPS = {
    "Italy": ("France", "Germany"),
    "Spain": ("France", "Germany"),
    "Netherlands": ("Germany", "UK"),
    "South Korea": ("Japan",),
}
"""Countries without ISCO groups -> countries whose mean they take."""

SECTORS = ("agriculture", "industry", "services")
_FIRST_SECTORS = {
    "11": "agriculture",
    "21": "industry",
    "22": "industry",
    "23": "industry",
    "31-33": "industry",
}

BROAD_AGES = ("18-24", "25-54", "55-64", "65+")
"""Ages by which the tables tell participation and unemployment."""

STATUS_BANDS = (*AGE_BANDS_5[:-1], "75-79", "80-84", "85-89", "90+")
"""Age bands of labour status: those of the US figures, with the last one divided."""

_STILL_WORKING = {"80-84": 0.4, "85-89": 0.12, "90+": 0.0}
"""Odds of working against 75 to 79, as among the US agents."""

_UNEMPLOYED = LABOUR.index("unemployed")
_OUTSIDE = [LABOUR.index(status) for status in LABOUR if status not in ("employed", "unemployed")]
_FIRST_RETIRED = 50
_FARM_GROUP = "45"
_RURAL_FARMS = 10.0
_ROUNDS = 40
# Relative odds of a status by education, lowest first, and of parents, as among the US agents.
_BY_EDUCATION = {
    EMPLOYED: (0.7, 0.75, 0.95, 1.05, 1.25),
    _UNEMPLOYED: (1.6, 1.7, 1.2, 1.0, 0.7),
    LABOUR.index("disabled"): (2.5, 2.2, 1.3, 0.9, 0.4),
    LABOUR.index("student"): (0.02, 0.6, 1.0, 2.0, 0.4),
}
_PARENTS = {LABOUR.index("homemaker"): 3.0, LABOUR.index("student"): 0.4}


def _published() -> dict[tuple[str, str, str, str], float]:
    """Return the labour figures by (country code, gender, measure, age band)."""
    return {
        (row["country"], row["gender"], row["measure"], row["age_band"]): float(row["share"])
        for row in rows("intl_labour")
        if row["measure"] not in ("labour_status", "employment_sector")
    }


def adults_in_work() -> Floats:
    """Return the shares (country, sex, broad age, 2) of adults who are employed and unemployed.

    The employed and unemployed of 15 and over, by sex, are kept; those of 55 to 64 are what the others leave.
    """
    found, people = _published(), sex_age_shares()
    totals = {
        (row["country"], row["gender"], row["level"]): float(row["share"])
        for row in rows("intl_labour")
        if row["measure"] == "labour_status"
    }
    shares = np.zeros((len(ABROAD), len(GENDERS), len(BROAD_AGES), 2))
    for iso in ISO.values():
        for sex, gender in enumerate(GENDERS):
            size = np.array([people[index_of(iso), sex, in_band(text)].sum() for text in BROAD_AGES])
            minors = 1.5 * people[index_of(iso), sex, in_band("18-19")].sum()  # 15-17 of 15-19
            rate = found[iso, gender, "employment_rate", "15-24"]
            adult_part = size[0] / (size[0] + rate * minors)
            # people by broad age from 15 on, in the labour force
            without = {
                text: found[iso, gender, "unemployment_rate", text]
                for text in ("15-24", "25-54", "55-64", "65+")
            }
            young = rate * (size[0] + minors) / (1 - without["15-24"])
            middle = found[iso, gender, "labour_force_participation", "25-54"] * size[1]
            old = found[iso, gender, "labour_force_participation", "65+"] * size[3]
            everybody = found[iso, gender, "labour_force_participation", "15+"] * (size.sum() + minors)
            active = np.array([young, middle, everybody - young - middle - old, old])
            jobless = active * np.array(list(without.values()))
            wanted = totals[iso, gender, "unemployed"] * (size.sum() + minors)
            jobless *= wanted / jobless.sum()
            both = np.stack([active - jobless, jobless], axis=1)
            both[0] *= adult_part
            shares[index_of(iso), sex] = both / size[:, None]
    return shares


def _american() -> Floats:
    """Return the labour statuses of the USA by (sex, band), without retirement before 50."""
    found = np.zeros((2, len(STATUS_BANDS), len(LABOUR)))
    for row in rows("us_labour_status_age_sex"):
        status = row["labour_status"]
        if status == "retired" and band(row["age_band"])[0] < _FIRST_RETIRED:
            status = "other_not_in_labour_force"
        for at, text in enumerate(STATUS_BANDS):
            if row["age_band"] == AGE_BANDS_5[min(at, len(AGE_BANDS_5) - 1)]:
                working = status in ("employed", "unemployed")
                part = float(row["share"]) * (_STILL_WORKING.get(text, 1.0) if working else 1.0)
                found[GENDERS.index(row["gender"]), at, LABOUR.index(status)] += part
    return np.asarray(found / found.sum(axis=2, keepdims=True))


def _more_outside() -> Floats:
    """Return by (sex, band) the statuses of those outside the labour force in excess of the US share."""
    found = np.zeros((2, len(STATUS_BANDS), len(LABOUR)))
    for at, text in enumerate(STATUS_BANDS):
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


@cache
def _by_year() -> Floats:
    """Return the expected adults by (country, sex, single year of age, education, parent or not)."""
    parents = parent_shares()[..., None]
    cells = sex_age_shares()[..., None] * education_shares()
    return np.stack([cells * (1 - parents), cells * parents], axis=-1)


def _expected() -> Floats:
    """Return the expected adults by (country, sex, band of STATUS_BANDS, education, parent or not)."""
    return _into(STATUS_BANDS, _by_year())


def _into(bands: tuple[str, ...], by_year: Floats) -> Floats:
    """Return sums over the years of each band, for an array whose third axis is the year."""
    codes = band_codes(bands)
    return np.stack([by_year[:, :, codes == at].sum(axis=2) for at in range(len(bands))], axis=2)


def _by_band(counts: Floats) -> Floats:
    """Return the statuses of adults by (country, sex, band): the broad ages kept, the US pattern within."""
    usa, more, wanted = _american(), _more_outside(), adults_in_work()
    outside = usa[..., _OUTSIDE].sum(axis=2)
    start = np.stack([usa[..., EMPLOYED], usa[..., _UNEMPLOYED], outside], axis=2)
    wide = np.array([[in_band(text)[in_band(each)].all() for text in BROAD_AGES] for each in STATUS_BANDS])
    shares = np.zeros((*counts.shape, len(LABOUR)))
    for country in range(len(ABROAD)):
        for sex in range(len(GENDERS)):
            for age in range(len(BROAD_AGES)):
                inside = np.flatnonzero(wide[:, age])
                size = counts[country, sex, inside]
                busy = wanted[country, sex, age]
                totals = np.array([*busy, 1 - busy.sum()]) * size.sum()
                fitted = draw.fit(start[sex, inside], [((1,), totals), ((0,), size)])
                fitted /= np.maximum(size[:, None], 1e-300)
                usual = np.minimum(fitted[:, 2], outside[sex, inside])
                found = usa[sex, inside] * (usual / outside[sex, inside])[:, None]
                found += more[sex, inside] * (fitted[:, 2] - usual)[:, None]
                found[:, EMPLOYED], found[:, _UNEMPLOYED] = fitted[:, 0], fitted[:, 1]
                shares[country, sex, inside] = found
    return shares


@cache
def status_shares() -> Floats:
    """Return the shares of the labour statuses by (country, sex, band, education, parent or not)."""
    counts = _expected()
    start = np.ones((*counts.shape, len(LABOUR)))
    for status, tilts in _BY_EDUCATION.items():
        start[..., status] *= np.array(tilts)[:, None]
    for status, tilt in _PARENTS.items():
        start[..., 1, status] *= tilt
    wanted = _by_band(counts.sum(axis=(3, 4))) * counts.sum(axis=(3, 4))[..., None]
    fitted = draw.fit(start, [((0, 1, 2, 5), wanted), ((0, 1, 2, 3, 4), counts)])
    return np.asarray(fitted / np.maximum(fitted.sum(axis=-1, keepdims=True), 1e-300))


def expected_statuses() -> Floats:
    """Return the expected adults of each country by (country, sex, band, education, labour status)."""
    return np.asarray((_expected()[..., None] * status_shares()).sum(axis=4))


def isco_of() -> Codes:
    """Return the index of the ISCO-08 major group of each occupation in :data:`ISCO_GROUPS`."""
    known = {row["soc_prefix"]: int(row["isco_major"]) for row in rows("isco_by_soc_assumed")}
    return np.array([known[longest_prefix(code, known)] - 1 for code in SOC], dtype=np.int16)


def isco_shares() -> Floats:
    """Return the shares of the ISCO groups by country, 0 for a group included in another one."""
    shares = np.zeros((len(ABROAD), len(ISCO_GROUPS)))
    for row in rows("intl_occupation_group"):
        at = index_of(row["country"]), ISCO_GROUPS.index(row["isco08_major_group"])
        shares[at] = float(row["share"])
    for name, others in BORROWED_GROUPS.items():
        shares[ABROAD.index(name)] = shares[[ABROAD.index(other) for other in others]].mean(axis=0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def sector_shares() -> Floats:
    """Return the published shares of :data:`SECTORS` among workers by (country, sex)."""
    shares = np.zeros((len(ABROAD), len(GENDERS), len(SECTORS)))
    for row in rows("intl_labour"):
        if row["measure"] == "employment_sector":
            at = index_of(row["country"]), GENDERS.index(row["gender"]), SECTORS.index(row["level"])
            shares[at] = float(row["share"])
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def sector_of() -> Codes:
    """Return the index of each industry of the table in :data:`SECTORS`."""
    found = [_FIRST_SECTORS.get(row["naics"], "services") for row in rows("us_industry")]
    return np.array([SECTORS.index(name) for name in found], dtype=np.int16)


def _usual_jobs() -> Floats:
    """Return the US workers by (sex, age band, education, occupation), limited to entry age and education.

    Within an occupation, sex, age and education are independent, but for the entry rules.
    """
    least_education, least_age, most_age = entry()
    first = np.array([band(text)[0] for text in WORK_BANDS])[:, None]
    right_age = (first >= least_age) & (first <= most_age)
    schooled = np.arange(len(EDUCATION))[:, None] >= least_education
    usual = (right_age[:, None] & schooled[None]) * _by_education()
    return np.asarray(sexes()[:, None, None, :] * usual[None])


def _by_education() -> Floats:
    """Return the relative odds of each occupation by education in the USA: shares against all jobs."""
    shares = schooling()
    usual = sizes() @ shares / sizes().sum()
    return np.asarray((shares / usual).T[SCHOOLING_OF])


@cache
def _employed() -> Floats:
    """Return the expected workers of each country by (country, sex, work band, education)."""
    working = status_shares()[..., EMPLOYED][:, :, band_codes(STATUS_BANDS)]
    return _into(WORK_BANDS, (_by_year() * working).sum(axis=-1))


@cache
def occupation_shares() -> Floats:
    """Return the expected workers by (country, sex, work band, education, area, occupation).

    They are fitted to the ISCO groups of the country and to the workers of each cell, and drawn towards the
    three sectors of its men and women by the industries that an occupation works in in the USA. Agricultural
    workers are as rural as the odds of farm work in rural areas make them.
    """
    employed, usual, isco, wanted = _employed(), _usual_jobs(), isco_of(), isco_shares()
    farms = np.array([code.startswith(_FARM_GROUP) or code == "11-9013" for code in SOC])
    areas, sectors, usual_sectors = urban_shares(), sector_shares(), _usual_sectors()
    shares = np.zeros((*employed.shape, 2, isco.size))
    for at in range(len(ABROAD)):
        # Japan includes technicians in the professionals
        merged = np.where(wanted[at, isco] > 0, isco, ISCO_GROUPS.index("Professionals"))
        belongs = (merged[:, None] == np.arange(len(ISCO_GROUPS))).astype(float)
        fitted = np.repeat(usual[..., None, :], 2, axis=-2)
        fitted[..., RURAL, farms] *= _RURAL_FARMS
        cells = employed[at][..., None] * areas[at]
        totals = wanted[at] * cells.sum()
        for _ in range(_ROUNDS):
            held = fitted.sum(axis=(1, 2, 3))
            now = np.einsum("so,sok->sk", held, usual_sectors)
            ratio = sectors[at] * held.sum(axis=1, keepdims=True) / now
            fitted *= np.einsum("sok,sk->so", usual_sectors, ratio)[:, None, None, None]
            now = fitted.sum(axis=(0, 1, 2, 3)) @ belongs
            fitted *= np.divide(totals, now, out=np.zeros_like(now), where=now > 0)[merged]
            found = fitted.sum(axis=-1)
            fitted *= np.divide(cells, found, out=np.zeros_like(cells), where=found > 0)[..., None]
        shares[at] = fitted
    return shares


@cache
def _usual_industries() -> Floats:
    """Return the shares of industries in the USA by (sex, occupation, industry)."""
    usual = industry_shares(_usual_jobs().sum(axis=(1, 2)))
    return np.asarray(usual / np.maximum(usual.sum(axis=-1, keepdims=True), 1e-300))


def _usual_sectors() -> Floats:
    """Return the shares of :data:`SECTORS` in the USA by (sex, occupation, sector)."""
    belongs = sector_of()[:, None] == np.arange(len(SECTORS))
    return np.asarray(_usual_industries() @ belongs.astype(float))


@cache
def industry_shares_abroad() -> Floats:
    """Return the expected workers by (country, sex, occupation, industry), fitted to the three sectors."""
    workers = occupation_shares().sum(axis=(2, 3, 4))
    usual, sector = _usual_industries(), sector_of()
    belongs = (sector[:, None] == np.arange(len(SECTORS))).astype(float)
    wanted, found = sector_shares(), np.zeros((*workers.shape, sector.size))
    for at in np.ndindex(workers.shape[:2]):
        start, totals = usual[at[1]] * workers[at][:, None], wanted[at] * workers[at].sum()
        for _ in range(60):
            now = start.sum(axis=0) @ belongs
            start = start * np.divide(totals, now, out=np.zeros_like(now), where=now > 0)[sector]
            held = start.sum(axis=1)
            start = start * np.divide(workers[at], held, out=np.zeros_like(held), where=held > 0)[:, None]
        found[at] = start
    return found


@cache
def tables() -> tuple[Table, Table, Table]:
    """Return the tables of labour status, occupation and industry."""
    return Table.of(status_shares()), Table.of(occupation_shares()), Table.of(industry_shares_abroad())


def _cell(shape: tuple[int, ...], *parts: npt.NDArray[np.integer]) -> Ints:
    """Return the flat index of each agent's cell."""
    found = np.zeros(parts[0].size, dtype=np.int64)
    for size, part in zip(shape, parts, strict=True):
        found = found * size + part
    return found


def draw_work_abroad(streams: Streams, people: PeopleAbroad) -> Work:
    """Draw labour status, occupation and industry of a block's agents outside the USA (stages 210-212)."""
    statuses, jobs, sectors = tables()
    shape = status_shares().shape[:-1]
    parent = people.parent.astype(np.int64)
    cell = _cell(shape, people.country, people.sex, people.band(STATUS_BANDS), people.education, parent)
    status = statuses.draw(streams.stage(210), cell)
    at = np.flatnonzero(status == EMPLOYED)
    shape = occupation_shares().shape[:-1]
    held = (people.country, people.sex, people.band(WORK_BANDS), people.education, people.urban_rural)
    job = jobs.draw(streams.stage(211), _cell(shape, *(each[at] for each in held)))
    shape = industry_shares_abroad().shape[:-1]
    cell = _cell(shape, people.country[at], people.sex[at], job)
    sector = sectors.draw(streams.stage(212), cell)
    occupation, group, industry = (np.full(status.size, -1, dtype=np.int16) for _ in range(3))
    occupation[at], group[at], industry[at] = job, group_of()[job], sector
    return Work(status, occupation, group, industry)
