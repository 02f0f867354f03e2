"""Comparison of reference figures with a population: the cells of an error report.

This module reads the US tables on people and work; ``expected_health`` reads those on health. If two
published tables contradict each other, the cells of the overridden table name the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from voxpop.population.demographics import EDUCATION, NOT_HISPANIC
from voxpop.population.employment import BROAD_JOBS, BROAD_SECTORS, PUBLISHED_GROUP_BANDS
from voxpop.population.queries import Population
from voxpop.population.reference import GENDERS, Row, rows
from voxpop.population.tallies import EVERYBODY, Bools, Tally
from voxpop.vocabulary.filters import between, where

Kind = Literal["share", "odds ratio"]

US = "USA"


@dataclass(frozen=True, slots=True)
class Cell:
    """An expected figure and the achieved one.

    Attributes
    ----------
    table : str
        Reference table, as a file name without ``.csv``.
    measure : str
        Quantity compared, one line of the report.
    group, value : str
        Subgroup and level.
    expected, achieved : float
        Shares from 0 to 1, or odds ratios.
    base : int
        Number of agents behind the figure; for an odds ratio those with both conditions.
    verified : bool
        Whether the figure was checked against its source.
    superseded_by : str
        The table that overrides this one if the two contradict each other.
    """

    table: str
    measure: str
    group: str
    value: str
    expected: float
    achieved: float
    base: int
    verified: bool
    kind: Kind = "share"
    superseded_by: str = ""


def is_verified(row: Row) -> bool:
    """Return whether a figure was checked against its source."""
    return row["verified"] == "True"


def by_age_and_sex(
    tally: Tally,
    name: str,
    field: str,
    *,
    measure: str,
    key: str = "",
    value: str = "share",
) -> Iterator[Cell]:
    """Compare a table of shares by age band and sex."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows(name):
        found.setdefault((row["age_band"], row["gender"], row[key or field]), []).append(row)
    whole: dict[tuple[str, str], float] = {}
    for (ages, gender, _), parts in found.items():
        whole[ages, gender] = whole.get((ages, gender), 0.0) + sum(float(row[value]) for row in parts)
    for (ages, gender, level), parts in found.items():
        total = EVERYBODY in (gender,) or ages in ("18+", "20+")
        achieved, base = tally.share(tally.which(**{field: level}), tally.which(age=ages, gender=gender))
        expected = sum(float(row[value]) for row in parts) / whole[ages, gender]
        yield Cell(
            name,
            f"{measure}, all adults" if total else measure,
            f"{ages}, {gender}",
            level,
            expected,
            achieved,
            base,
            all(map(is_verified, parts)),
        )


def people(population: Population) -> Iterator[Cell]:
    """Compare age, sex, state, ethnicity, parenthood, schooling, income and area."""
    yield from _ages(population)
    yield from _ethnicities(population)
    adults = where(country=US)
    parents = population.tally(["age", "gender", "is_parent"], adults)
    for row in rows("us_parent_status"):
        if row["measure"] == "parent_of_minor_child_in_household":
            chosen = parents.which(age=row["age_band"], gender=row["gender"])
            achieved, base = parents.share(parents.codes["is_parent"] == 1, chosen)
            group = f"{row['age_band']}, {row['gender']}"
            yield Cell(
                "us_parent_status",
                "parents by age and sex",
                group,
                "parent",
                float(row["share"]),
                achieved,
                base,
                is_verified(row),
            )
    schooling = population.tally(["age", "gender", "education"], adults)
    yield from by_age_and_sex(
        schooling,
        "us_education_age_sex",
        "education",
        measure="education by age and sex",
    )
    income = population.tally(["household_income"], adults)
    columns = "income_band", "share_of_households"
    yield from _simple(income, "us_household_income", *columns, "household_income")
    areas = population.tally(["state", "urban_rural"], adults)
    yield from _simple(areas, "us_urban_rural", "area", "share_of_population", "urban_rural")
    yield from _graduates(population)


def _graduates(population: Population) -> Iterator[Cell]:
    tally = population.tally(["ethnicity", "education"], where(country=US, age=between(25)))
    for row in rows("us_education_by_ethnicity_assumed"):
        graduates, chosen = tally.which(education=EDUCATION[-1]), tally.which(ethnicity=row["ethnicity"])
        achieved, base = tally.share(graduates, chosen)
        yield Cell(
            "us_education_by_ethnicity_assumed",
            "graduates by ethnicity, 25+",
            row["ethnicity"],
            EDUCATION[-1],
            float(row["graduate_share"]),
            achieved,
            base,
            is_verified(row),
            superseded_by="us_education_age_sex",
        )


def _simple(tally: Tally, name: str, key: str, value: str, field: str) -> Iterator[Cell]:
    everybody = tally.which()
    total = sum(float(row[value]) for row in rows(name))
    for row in rows(name):
        achieved, base = tally.share(tally.which(**{field: row[key]}), everybody)
        label = field.replace("_", " ")
        yield Cell(
            name, label, "adults", row[key], float(row[value]) / total, achieved, base, is_verified(row)
        )


def _ages(population: Population) -> Iterator[Cell]:
    tally = population.tally(["state", "age", "gender"], where(country=US))
    for row in rows("us_age_sex"):
        achieved, base = tally.share(tally.which(age=row["age_band"], gender=row["gender"]), tally.which())
        yield Cell(
            "us_age_sex",
            "age and sex in the country",
            "adults",
            f"{row['age_band']}, {row['gender']}",
            float(row["share_18plus"]),
            achieved,
            base,
            is_verified(row),
        )
    table = rows("us_state_age_sex")
    adults: dict[str, float] = {}
    for row in table:
        adults[row["state"]] = adults.get(row["state"], 0.0) + float(row["male"]) + float(row["female"])
    for state, number in adults.items():
        achieved, base = tally.share(tally.which(state=state), tally.which())
        expected = number / sum(adults.values())
        yield Cell(
            "us_state_age_sex", "adults by state", "adults", state, expected, achieved, base, verified=True
        )
    for row in table:
        for gender in GENDERS:
            part = tally.which(age=row["age_band"], gender=gender)
            achieved, base = tally.share(part, tally.which(state=row["state"]))
            yield Cell(
                "us_state_age_sex",
                "age and sex in each state",
                row["state"],
                f"{row['age_band']}, {gender}",
                float(row[gender]) / adults[row["state"]],
                achieved,
                base,
                is_verified(row),
            )


def _ethnicities(population: Population) -> Iterator[Cell]:
    tally = population.tally(["state", "age", "ethnicity"], where(country=US))
    for row in rows("us_ethnicity_age_labour"):
        name = row["ethnicity"].removesuffix(" (any ethnicity)")
        part = NOT_HISPANIC.get(row["ethnicity"])
        if part is None and name != "Hispanic or Latino":
            continue
        achieved, base = tally.share(tally.which(ethnicity=name), tally.which(age=row["age_band"]))
        yield Cell(
            "us_ethnicity_age_labour",
            "ethnicity by age" if part is None else "ethnicity by age, less an assumed Hispanic part",
            row["age_band"],
            name,
            float(row["share_of_age_band"]) * (part or 1.0),
            achieved,
            base,
            is_verified(row) and part is None,
        )
    folded: dict[tuple[str, str], float] = {}
    for row in rows("us_state_ethnicity"):
        name = "Two or more races" if row["ethnicity"] == "Some other race" else row["ethnicity"]
        key = row["state"], name
        folded[key] = folded.get(key, 0.0) + float(row["share"])
    for (state, name), expected in folded.items():
        if state not in tally.labels["state"]:
            continue
        achieved, base = tally.share(tally.which(ethnicity=name), tally.which(state=state))
        yield Cell(
            "us_state_ethnicity",
            "ethnicity by state (published for all ages, 2020)",
            state,
            name,
            expected,
            achieved,
            base,
            verified=True,
            superseded_by="us_ethnicity_age_labour; the differences between states are used",
        )


def work(population: Population) -> Iterator[Cell]:
    """Compare labour status, occupations and industries."""
    status = population.tally(["age", "gender", "labour_status"], where(country=US))
    yield from by_age_and_sex(
        status, "us_labour_status_age_sex", "labour_status", measure="labour status by age and sex"
    )
    employed = where(country=US, labour_status="employed")
    jobs = population.tally(["age", "gender", "occupation_major_group", "occupation"], employed)
    yield from _groups(jobs)
    yield from _occupations(jobs)
    sectors = population.tally(["gender", "occupation_major_group", "industry"], employed)
    yield from _industries(sectors)
    yield from _sectors_and_jobs(sectors)


def _groups(jobs: Tally) -> Iterator[Cell]:
    table = [row for row in rows("us_occupation_major_group") if row["men_thousands"]]
    for gender, column in (("all", "share_all"), ("male", "share_men"), ("female", "share_women")):
        total = sum(float(row[column]) for row in table)
        for row in table:
            name = row["occupation_major_group"]
            achieved, base = jobs.share(jobs.which(occupation_major_group=name), jobs.which(gender=gender))
            yield Cell(
                "us_occupation_major_group",
                "major group by sex",
                gender,
                name,
                float(row[column]) / total,
                achieved,
                base,
                is_verified(row),
                superseded_by="its rows by sex, and our employed men and women" if gender == "all" else "",
            )
    for column, ages in PUBLISHED_GROUP_BANDS.items():
        total = sum(float(row[column]) for row in table)
        for row in table:
            part = jobs.which(occupation_major_group=row["occupation_major_group"])
            achieved, base = jobs.share(part, jobs.which(age=ages))
            yield Cell(
                "us_occupation_major_group",
                "major group by age",
                ages,
                row["occupation_major_group"],
                float(row[column]) / total,
                achieved,
                base,
                is_verified(row),
                superseded_by="its rows by sex, for adults only",
            )


def _occupations(jobs: Tally) -> Iterator[Cell]:
    table = rows("us_occupations")
    total: dict[str, float] = {}
    for row in table:
        group = row["occupation_major_group"]
        total[group] = total.get(group, 0.0) + float(row["employment"])
    for row in table:
        group, name = row["occupation_major_group"], row["occupation"]
        inside, holders = jobs.which(occupation_major_group=group), jobs.which(occupation=name)
        achieved, base = jobs.share(holders, inside)
        yield Cell(
            "us_occupations",
            "occupation in its major group",
            group,
            name,
            float(row["employment"]) / total[group],
            achieved,
            base,
            verified=True,
        )
        if row["cps_pct_women"]:
            women, base = jobs.share(jobs.which(gender="female"), holders)
            yield Cell(
                "us_occupations",
                "women in the occupation",
                name,
                "female",
                float(row["cps_pct_women"]) / 100,
                women,
                base,
                verified=True,
                superseded_by="us_occupation_major_group, by sex",
            )


def _industries(sectors: Tally) -> Iterator[Cell]:
    table = [row for row in rows("us_industry") if row["employed_thousands"]]
    size = np.array([float(row["employed_thousands"]) for row in table])
    women = np.array([float(row["pct_women"]) / 100 for row in table])
    for gender, number in (("all", size), ("male", size * (1 - women)), ("female", size * women)):
        for row, expected in zip(table, number / number.sum(), strict=True):
            chosen = sectors.which(gender=gender)
            achieved, base = sectors.share(sectors.which(industry=row["industry"]), chosen)
            yield Cell(
                "us_industry",
                "industry by sex",
                f"employed, {gender}",
                row["industry"],
                float(expected),
                achieved,
                base,
                is_verified(row),
            )


def _sectors_and_jobs(sectors: Tally) -> Iterator[Cell]:
    groups, naics = _groups_by_code(), {row["naics"]: row["industry"] for row in rows("us_industry")}
    for row in rows("us_industry_by_occupation_group"):
        sector = " ".join(row["industry"].split())
        inside = _any(sectors, "industry", [naics[code] for code in BROAD_SECTORS[sector].split()])
        part = _any(
            sectors,
            "occupation_major_group",
            [groups[code] for code in BROAD_JOBS[row["occupation_group"]].split()],
        )
        achieved, base = sectors.share(part, inside & sectors.which(gender=row["gender"]))
        yield Cell(
            "us_industry_by_occupation_group",
            "occupation group by industry" + ("" if row["gender"] == EVERYBODY else " and sex"),
            f"{sector}, {row['gender']}",
            row["occupation_group"],
            float(row["share_within_industry"]),
            achieved,
            base,
            is_verified(row),
            superseded_by="" if row["gender"] == EVERYBODY else "us_occupation_major_group, by sex",
        )


def _any(tally: Tally, field: str, labels: Iterable[str]) -> Bools:
    chosen = [tally.which(**{field: label}) for label in labels]
    return np.asarray(np.logical_or.reduce(chosen))


def _groups_by_code() -> Mapping[str, str]:
    return {row["soc_code"][:2]: row["occupation_major_group"] for row in rows("us_occupation_major_group")}
