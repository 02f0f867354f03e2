"""Comparison of a population with the figures of the countries outside the USA.

Figures that hold for the agents as they are (region, age, education, area, work) are compared as published.
Levels of health are published for the ages of a standard population; they are compared as the shares that
follow for the ages of the country (:mod:`voxpop.population.intl_health`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxpop.population import education_abroad, intl_health
from voxpop.population.countries import ABROAD as COUNTRIES
from voxpop.population.countries import ISO, region_of
from voxpop.population.demographics import EDUCATION
from voxpop.population.employment import INDUSTRIES, OCCUPATIONS
from voxpop.population.expectations import Cell, is_verified
from voxpop.population.health import ALCOHOL, BMI_BANDS, BMI_CLASSES, SMOKING, SMOKING_BANDS
from voxpop.population.queries import Population
from voxpop.population.reference import GENDERS, Floats, Ints, rows
from voxpop.population.tallies import Tally
from voxpop.population.work_abroad import (
    BORROWED_GROUPS,
    BROAD_AGES,
    ISCO_GROUPS,
    SECTORS,
    adults_in_work,
    isco_of,
    isco_shares,
    sector_of,
    sector_shares,
)
from voxpop.vocabulary.filters import where

ABROAD = where(country=list(ISO))
_COUNTRY = {iso: name for name, iso in ISO.items()}


def abroad(population: Population) -> Iterator[Cell]:
    """Compare region, age and sex, ethnicity, area, education, work and health by country."""
    yield from _people(population)
    yield from _schooling(population)
    yield from _work(population)
    yield from _health(population)


def _people(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "state", "age", "gender", "ethnicity", "urban_rural"], ABROAD)
    tables = (
        ("intl_region_population", "region", "population"),
        ("intl_age_sex", "age and sex", "share_18plus"),
        ("intl_ethnicity", "ethnicity", "share_pct"),
    )
    for table, measure, column in tables:
        for iso, country in _COUNTRY.items():
            published = [row for row in rows(table) if row["country"] == iso]
            total = sum(float(row[column]) for row in published)
            chosen = tally.which(country=country)
            for row in published:
                if table == "intl_region_population":
                    value = region_of(iso, row["region_code"])
                    part = tally.which(state=value)
                elif table == "intl_age_sex":
                    value = f"{row['age_band']}, {row['gender']}"
                    part = tally.which(age=row["age_band"], gender=row["gender"])
                else:
                    value, part = row["category"], tally.which(ethnicity=row["category"])
                achieved, base = tally.share(part, chosen)
                expected = float(row[column]) / total
                yield Cell(table, measure, country, value, expected, achieved, base, is_verified(row))
    for row in rows("intl_urban"):
        country = _COUNTRY[row["country"]]
        achieved, base = tally.share(tally.which(urban_rural="urban"), tally.which(country=country))
        expected = float(row["share"])
        yield Cell("intl_urban", "area", country, "urban", expected, achieved, base, is_verified(row))


def _schooling(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "age", "gender", "education"], ABROAD)
    bands, shares = education_abroad.published()
    for at, sex, band in np.ndindex(shares.shape[:3]):
        chosen = tally.which(country=COUNTRIES[at], age=bands[band], gender=GENDERS[sex])
        for level, expected in zip(EDUCATION, shares[at, sex, band].tolist(), strict=True):
            achieved, base = tally.share(tally.which(education=level), chosen)
            group = f"{COUNTRIES[at]}, {bands[band]}, {GENDERS[sex]}"
            verified = COUNTRIES[at] not in education_abroad.WITHOUT_PARTS or level in EDUCATION[:3]
            measure = "education by age and sex"
            yield Cell("intl_education", measure, group, level, expected, achieved, base, verified)


def _work(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "age", "gender", "labour_status"], ABROAD)
    for at, sex, age in np.ndindex(len(COUNTRIES), len(GENDERS), len(BROAD_AGES)):
        chosen = tally.which(country=COUNTRIES[at], gender=GENDERS[sex], age=BROAD_AGES[age])
        both = adults_in_work()[at, sex, age].tolist()
        for value, expected in zip(("employed", "unemployed"), both, strict=True):
            achieved, base = tally.share(tally.which(labour_status=value), chosen)
            measure, group = "labour force, made to fit adults", f"{COUNTRIES[at]}, {BROAD_AGES[age]}"
            where_ = f"{group}, {GENDERS[sex]}"
            yield Cell("intl_labour", measure, where_, value, expected, achieved, base, verified=False)
    jobs = population.tally(["country", "occupation"], ABROAD)
    working = jobs.codes["occupation"] >= 0
    group_of = dict(zip(OCCUPATIONS, isco_of().tolist(), strict=True))
    isco = _coded(jobs, "occupation", group_of)
    for country, shares in zip(ISO, isco_shares(), strict=True):
        merged = np.where(shares[isco] > 0, isco, ISCO_GROUPS.index("Professionals"))
        for at, name in enumerate(ISCO_GROUPS):
            achieved, base = jobs.share(working & (merged == at), working & jobs.which(country=country))
            measure = "ISCO-08 group of workers" + (", borrowed" if country in BORROWED_GROUPS else "")
            expected, table = float(shares[at]), "intl_occupation_group"
            yield Cell(table, measure, country, name, expected, achieved, base, verified=False)
    places = population.tally(["country", "gender", "industry"], ABROAD)
    working = places.codes["industry"] >= 0
    sector = _coded(places, "industry", dict(zip(INDUSTRIES, sector_of().tolist(), strict=True)))
    for at, sex, part in np.ndindex(sector_shares().shape):
        chosen = working & places.which(country=COUNTRIES[at], gender=GENDERS[sex])
        achieved, base = places.share(working & (sector == part), chosen)
        expected, group = float(sector_shares()[at, sex, part]), f"{COUNTRIES[at]}, {GENDERS[sex]}"
        measure = "sector of workers"
        yield Cell("intl_labour", measure, group, SECTORS[part], expected, achieved, base, verified=False)


def _coded(tally: Tally, field: str, codes: dict[str, int]) -> Ints:
    """Return a code for each row of a tally by the label of a field, -1 without one."""
    found = np.array([*(codes[label] for label in tally.labels[field]), -1], dtype=np.int64)
    return found[tally.codes[field]]


def _expected_health() -> Iterator[tuple[str, str, Floats]]:
    """Yield field, value and the shares by (country, sex) for the ages of the countries."""
    bands = intl_health.own_weights(BMI_BANDS)[..., None] * education_abroad.by_band(BMI_BANDS)
    classes = (bands[..., None] * intl_health.bmi_shares()).sum(axis=(2, 3))
    for at, level in enumerate(BMI_CLASSES):
        yield "bmi_class", level, classes[..., at == intl_health.CLASS_OF].sum(axis=-1)
    obese = intl_health.obese_shares()
    yield "health_conditions", "obesity", (bands * obese).sum(axis=(2, 3))
    fat = bands[..., None] * np.stack([1 - obese, obese], axis=-1)
    diabetes = intl_health.diabetes_shares()
    yield "health_conditions", "diabetes_t2", (fat * diabetes).sum(axis=(2, 3, 4))
    sugar = fat[..., None] * np.stack([1 - diabetes, diabetes], axis=-1)
    yield (
        "health_conditions",
        "hypertension",
        (sugar * intl_health.hypertension_shares()).sum(axis=(2, 3, 4, 5)),
    )
    bands = intl_health.own_weights(SMOKING_BANDS)[..., None] * education_abroad.by_band(SMOKING_BANDS)
    smoking = (bands[..., None] * intl_health.smoking_shares()).sum(axis=(2, 3))
    for at, level in enumerate(SMOKING):
        yield "smoking_status", level, smoking[..., at]
    alcohol = (bands.sum(axis=3)[..., None] * intl_health.alcohol_shares()).sum(axis=2)
    for at, level in enumerate(ALCOHOL):
        yield "alcohol_use", level, alcohol[..., at]


def _health(population: Population) -> Iterator[Cell]:
    fields = ["smoking_status", "alcohol_use", "bmi_class", "health_conditions"]
    tally = population.tally(["country", "gender", *fields], ABROAD)
    known = tally.codes["health_conditions"] >= 0
    for field, value, shares in _expected_health():
        part = tally.having(field, value) if field == "health_conditions" else tally.which(**{field: value})
        for at, sex in np.ndindex(shares.shape):
            chosen = known & tally.which(country=COUNTRIES[at], gender=GENDERS[sex])
            achieved, base = tally.share(part & known, chosen)
            group = f"{COUNTRIES[at]}, {GENDERS[sex]}"
            expected, measure = float(shares[at, sex]), f"{field}, made to fit the ages of the country"
            yield Cell("intl_health_levels", measure, group, value, expected, achieved, base, verified=False)
