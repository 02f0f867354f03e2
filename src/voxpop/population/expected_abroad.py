"""Comparison of a population with the figures of the nine other countries, which are not verified."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxpop.population.countries import ISO, region_of
from voxpop.population.employment import LABOUR, OCCUPATIONS
from voxpop.population.expectations import Cell, is_verified
from voxpop.population.intl_health import MEASURES
from voxpop.population.queries import Population
from voxpop.population.reference import GENDERS, rows
from voxpop.population.work_abroad import ISCO_GROUPS, adult_status, isco_of, isco_shares
from voxpop.vocabulary.filters import where

ABROAD = where(country=list(ISO))
_COUNTRY = {iso: name for name, iso in ISO.items()}


def abroad(population: Population) -> Iterator[Cell]:
    """Compare region, age and sex, ethnicity, labour status, occupation and health by country."""
    yield from _people(population)
    yield from _work(population)
    yield from _health(population)


def _people(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "state", "age", "gender", "ethnicity"], ABROAD)
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


def _work(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "labour_status"], ABROAD)
    outside = [status for status in LABOUR if status not in ("employed", "unemployed")]
    for country, shares in zip(ISO, adult_status(), strict=True):
        chosen = tally.which(country=country)
        parts = [tally.which(labour_status=status) for status in ("employed", "unemployed")]
        parts.append(np.any([tally.which(labour_status=status) for status in outside], axis=0))
        for value, part, share in zip(("employed", "unemployed", "not in it"), parts, shares, strict=True):
            achieved, base = tally.share(part, chosen)
            measure = "labour force, made to fit adults"
            yield Cell(
                "intl_labour_status", measure, country, value, float(share), achieved, base, verified=False
            )
    jobs = population.tally(["country", "occupation"], ABROAD)
    working = jobs.codes["occupation"] >= 0
    group = dict(zip(OCCUPATIONS, isco_of().tolist(), strict=True))
    of_label = np.array([*(group[label] for label in jobs.labels["occupation"]), -1])
    isco = of_label[jobs.codes["occupation"]]
    for country, shares in zip(ISO, isco_shares(), strict=True):
        merged = np.where(shares[isco] > 0, isco, ISCO_GROUPS.index("Professionals"))
        for at, name in enumerate(ISCO_GROUPS):
            achieved, base = jobs.share(working & (merged == at), working & jobs.which(country=country))
            yield Cell(
                "intl_occupation_group",
                "ISCO-08 group of workers",
                country,
                name,
                float(shares[at]),
                achieved,
                base,
                verified=False,
            )


def _health(population: Population) -> Iterator[Cell]:
    tally = population.tally(["country", "gender", "smoking_status", "health_conditions"], ABROAD)
    known = tally.codes["health_conditions"] >= 0
    of_measure = {measure: condition for condition, measure in MEASURES.items()}
    for row in rows("intl_health"):
        country, measure = _COUNTRY[row["country"]], row["measure"]
        chosen = known & tally.which(country=country)
        if measure in of_measure:
            part = tally.having("health_conditions", of_measure[measure])
        elif measure.removeprefix("current_smoking_") in GENDERS:
            chosen &= tally.which(gender=measure.removeprefix("current_smoking_"))
            part = tally.which(smoking_status="current")
        else:
            continue  # figures for both sexes together follow from the separate ones
        achieved, base = tally.share(part, chosen)
        expected = float(row["value_pct"]) / 100
        yield Cell("intl_health", measure, country, "yes", expected, achieved, base, is_verified(row))
