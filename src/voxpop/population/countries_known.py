"""Status of each field in each country outside the USA: known, modelled, borrowed or unknown.

A field is *known* if it is drawn from a figure of the country; *modelled* if this project computes it from
figures of the country; *borrowed* if a figure of other countries, most often of the USA, stands in; and
*unknown* if nothing is drawn. A field can have parts with different statuses, such as the share of smokers,
which is known, and their ages, which are borrowed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from voxpop.population.countries import ABROAD, ISO
from voxpop.population.education_abroad import WITHOUT_PARTS
from voxpop.population.intl_health import RECALLED_SMOKING
from voxpop.population.reference import Row, rows
from voxpop.population.work_abroad import BORROWED_GROUPS
from voxpop.vocabulary.fields import FIELDS

Status = Literal["known", "modelled", "borrowed", "unknown"]

PROJECT = "assumption of this project"
_NHANES = "USA: NHANES 2017-2018"


@dataclass(frozen=True, slots=True)
class Known:
    """Status of a part of a field in a country.

    Attributes
    ----------
    country, field : str
        Names in the table of fields.
    part : str
        What of the field; empty for all of it.
    status : {"known", "modelled", "borrowed", "unknown"}
    source, year : str
        Where the figures are from; empty if unknown.
    verified : bool
        Whether every figure was read in a copy of its source.
    """

    country: str
    field: str
    part: str
    status: Status
    source: str = ""
    year: str = ""
    verified: bool = False


@cache
def known() -> tuple[Known, ...]:
    """Return the statuses of all fields of all countries, by country, the unknown ones last."""
    found: list[Known] = []
    for country in ABROAD:
        drawn = tuple(_of(country))
        told = {one.field for one in drawn}
        found += drawn
        found += [Known(country, field, "", "unknown") for field in FIELDS if field not in told]
    return tuple(found)


def status_of(field: str, country: str) -> Status:
    """Return the status of a field in a country: that of its first part.

    Examples
    --------
    >>> status_of("is_parent", "Brazil"), status_of("household_income", "Brazil")
    ('modelled', 'unknown')
    """
    return next(one.status for one in known() if (one.field, one.country) == (field, country))


def facts() -> dict[str, str]:
    """Return the statuses as facts of a population file: ``known COUNTRY`` -> JSON, field -> status."""
    return {
        f"known {country}": json.dumps(
            {one.field: status_of(one.field, country) for one in known() if one.country == country},
            separators=(",", ":"),
        )
        for country in ABROAD
    }


def _read(country: str, table: str, **wanted: str) -> tuple[str, str, bool]:
    """Return sources, years and whether all is verified, of the rows of a country in a table."""
    found: list[Row] = [
        row
        for row in rows(table)
        if row["country"] == ISO[country] and all(row[name] == value for name, value in wanted.items())
    ]
    sources = dict.fromkeys(row["source"].removesuffix("; 2/5 of 15-19") for row in found)
    years = sorted({row["year"] for row in found})
    told = years[0] if len(years) == 1 else f"{years[0]}-{years[-1]}"
    return "; ".join(sources), told, all(row["verified"] == "True" for row in found)


def _of(country: str) -> Iterator[Known]:
    """Yield the parts of the drawn fields of a country."""

    def read(field: str, part: str, status: Status, table: str, **wanted: str) -> Known:
        return Known(country, field, part, status, *_read(country, table, **wanted))

    def other(field: str, part: str, status: Status, source: str, year: str = "") -> Known:
        return Known(country, field, part, status, source, year, verified=source.startswith("USA"))

    yield Known(country, "country", "", "known", "the share of each is set by this project", verified=True)
    yield read("state", "", "known", "intl_region_population")
    yield read("age", "", "known", "intl_age_sex")
    yield read("gender", "", "known", "intl_age_sex")
    if any(row["country"] == ISO[country] for row in rows("intl_ethnicity")):
        yield read("ethnicity", "", "known", "intl_ethnicity")
    yield read("urban_rural", "share, of people of all ages", "known", "intl_urban")
    yield read("education", "ages 20 and over", "known", "intl_education")
    if country in WITHOUT_PARTS:
        told = "mean of the eleven other countries, Wittgenstein Centre Data Explorer 2 (2018)"
        yield other("education", "short courses and degrees", "borrowed", told, "2020")
    yield read("education", "ages 18 and 19", "modelled", "intl_education", age_band="20-24")
    for field in ("is_parent", "children_count", "youngest_child_age"):
        yield read(field, "", "modelled", "intl_fertility")
    yield from _income_and_work(country)
    yield from _health(country)


def _income_and_work(country: str) -> Iterator[Known]:
    def other(field: str, part: str, status: Status, source: str, year: str = "") -> Known:
        return Known(country, field, part, status, source, year, verified=source.startswith("USA"))

    yield other("income_quintile", "a fifth of the adults each", "modelled", "by definition")
    yield other("income_quintile", "by age and education", "borrowed", _NHANES, "2017-2018")
    yield other("income_quintile", "by labour status", "modelled", PROJECT)
    labour = _read(country, "intl_labour", measure="labour_status")
    yield Known(country, "labour_status", "in and out of work, by sex and broad age", "known", *labour)
    yield other(
        "labour_status", "within broad ages; reasons to be out of work", "borrowed", "USA: CPS", "2024"
    )
    if country in BORROWED_GROUPS:
        told = f"ISCO-08 groups of {' and '.join(BORROWED_GROUPS[country])}"
        yield Known(country, "occupation", "ISCO-08 groups", "borrowed", told, "2022")
        yield Known(country, "occupation_major_group", "", "borrowed", told, "2022")
    else:
        groups = _read(country, "intl_occupation_group")
        yield Known(country, "occupation", "ISCO-08 groups", "known", *groups)
        yield Known(country, "occupation_major_group", "", "modelled", *groups)
    yield other("occupation", "within the groups", "borrowed", "USA: BLS occupations", "2024")
    yield other("title_variant", "", "borrowed", "USA: titles of its occupations", "2024")
    sectors = _read(country, "intl_labour", measure="employment_sector")
    yield Known(country, "industry", "agriculture, industry, services, by sex", "known", *sectors)
    yield other("industry", "within the three sectors", "borrowed", "USA: BLS industries", "2024")


def _health(country: str) -> Iterator[Known]:
    def read(field: str, part: str, measure: str) -> Known:
        told = _read(country, "intl_health_levels", measure=measure)
        return Known(country, field, part, "known", *told)

    def usa(field: str, part: str, source: str, year: str) -> Known:
        return Known(country, field, part, "borrowed", source, year, verified=True)

    nhanes = "USA: NHANES"
    for measure, part in (("hypertension", "hypertension"), ("diabetes", "diabetes_t2")):
        yield read("health_conditions", part, measure)
    yield read("health_conditions", "obesity", "bmi_class")
    parts = "of these three, by age, education and each other"
    yield usa("health_conditions", parts, nhanes, "2017-2018, 2021-2023")
    yield Known(country, "health_conditions", "all other conditions", "unknown")
    for field in ("bmi", "bmi_class"):
        yield read(field, "seven classes, by sex", "bmi_class")
        yield usa(field, "by age and education", nhanes, "2017-2018, 2021-2023")
    smoking = "current_smoking" if country in RECALLED_SMOKING else "current_tobacco_use"
    recalled = " (recalled)" if country in RECALLED_SMOKING else ""
    yield read("smoking_status", f"current, by sex{recalled}", smoking)
    yield usa("smoking_status", "current, by age and education", "USA: CDC (NHIS) and NHANES", "2018-2021")
    yield usa("smoking_status", "never and former", "USA: CDC (NHIS)", "2021")
    yield read("alcohol_use", "none, by sex", "alcohol")
    yield Known(country, "alcohol_use", "none, by age", "borrowed", "USA: NHIS (recalled)", "2018")
    told = "USA: NHIS (by age and sex recalled)"
    yield Known(country, "alcohol_use", "light, moderate, heavy", "borrowed", told, "2018")


def groups() -> dict[tuple[str, ...], tuple[Known, ...]]:
    """Return the countries with the same statuses, and the statuses of the first of them."""
    found: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    for country in ABROAD:
        told = tuple((one.field, one.part, one.status) for one in known() if one.country == country)
        found.setdefault(told, []).append(country)
    return {
        tuple(countries): tuple(one for one in known() if one.country == countries[0])
        for countries in found.values()
    }


def tables_as_text() -> str:
    """Return one Markdown table for each group of countries, for the page about them."""
    parts = []
    for countries, of_first in groups().items():
        lines = [
            f"### {', '.join(countries)}",
            "",
            "| field | part | status | source | year |",
            "|---|---|---|---|---|",
        ]
        for one in of_first:
            if one.status == "unknown" and not one.part:
                continue
            same = [
                other
                for other in known()
                if other.country in countries and (other.field, other.part) == (one.field, one.part)
            ]
            sources = "; ".join(dict.fromkeys(other.source for other in same if other.source))
            years = ", ".join(sorted({other.year for other in same if other.year}))
            note = (
                ""
                if all(other.verified for other in same) or one.status != "known"
                else " (not all verified)"
            )
            lines.append(f"| {one.field} | {one.part} | {one.status} | {sources}{note} | {years} |")
        ethnicity = any(one.field == "ethnicity" and one.status == "known" for one in of_first)
        also = "every field" if ethnicity else "ethnicity, and every other field"
        lines += ["", f"Unknown: {also} that is not in the table."]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
