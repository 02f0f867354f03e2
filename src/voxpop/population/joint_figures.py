"""The figures of the joint tables: shares of an outcome in groups of people, to compare a population with.

Each figure belongs to a section of the report. A fifth of the figures of the joint tables is set aside by
:mod:`voxpop.population.held_out` and has no part in building a population; nor has the table of occupation
groups by sex and ethnicity. Differences by age and sex that contradict a margin of another survey are
superseded, because a population keeps its margins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from voxpop.population.employment import OCCUPATIONS, SOC
from voxpop.population.health_conditions import published_rows, survey_measure
from voxpop.population.held_out import held_out
from voxpop.population.joint_groups import BRFSS_AGES, BRFSS_SCHOOL, JOINED, RACES
from voxpop.population.joint_outcomes import GROUPS_OF_JOBS, Outcome, household, outcome
from voxpop.population.medicines import NOT_FROM_SURVEY
from voxpop.population.reference import Row, rows
from voxpop.vocabulary.filters import Filter, between, where
from voxpop.vocabulary.places import US_STATES

ADULTS = where(country="USA")
WORKERS = where(country="USA", labour_status="employed")
OVER_25 = where(country="USA", age=between(25))
WORKERS_OVER_25 = where(country="USA", age=between(25), labour_status="employed")
LABOUR_FORCE = where(country="USA", labour_status=["employed", "unemployed"])

ENOUGH_ASKED = 50
"""Smallest number of respondents behind a group of a reliable ratio."""

ENOUGH_EMPLOYED = 150_000
"""Smallest number of workers behind an occupation of a reliable ratio; smaller ones are noisy in the CPS."""

USED, HELD_OUT, SUPERSEDED = "used for building", "not used for building", "superseded by a margin"
"""The sections of the report."""

_NORMAL_95 = 1.96

FACTORS: Mapping[str, tuple[str, ...]] = {
    "age_band": ("age_band",),
    "gender": ("gender",),
    "education": ("education",),
    "ethnicity": ("ethnicity",),
    "household_income": ("income_nhanes",),
    "poverty_ratio": ("poverty",),
    "marital_status": ("marital",),
    "insurance": ("insurance",),
    "age3_x_education": ("age3", "education4"),
    "age3_x_income": ("age3", "income_nhanes"),
    "age_band_x_gender": ("age_band", "gender"),
    "gender_x_education": ("gender", "education"),
    "gender_x_age_band_x_income_third": ("gender", "age_band", "income_third"),
    "region": ("region",),
}
"""Grouping of a table of shares by groups -> its factors."""

_FACTORS_OF_TABLE: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("us_alcohol_by_ses", "marital_status"): ("marital3",),
    ("us_gss_group_shares", "marital_status"): ("marital_gss",),
    ("us_gss_group_shares", "household_income"): ("income_gss",),
    ("us_gss_group_shares", "ethnicity"): ("ethnicity4",),
}
"""Groupings that have other groups in one table than in the others."""

_STRATA: Mapping[str, int] = {
    "age3_x_education": 1,
    "age3_x_income": 1,
    "gender_x_education": 1,
    "gender_x_age_band_x_income_third": 2,
}
"""Groupings whose groups are compared within the first parts of their names only, which are age and sex.

Differences by age and sex are margins; within them, the rest is an association.
"""

_AGE_AND_SEX = ("age_band", "gender", "age_band_x_gender")

_HAVE_MARGINS = (
    *("smoking_status", "physical_activity_level", "sleep_quality", "bmi_class", "phq9_severity"),
    *("phq9_10plus", "past_year_drinker"),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A published share of an outcome in a group.

    Attributes
    ----------
    table : str
        Reference table, as a file name without ``.csv``.
    outcome, level, group_by, group : str
        Outcome and level, grouping and group.
    share : float
        From 0 to 1.
    se : float
        Standard error; NaN if the table has none.
    sound : bool
        Whether enough people are behind the share for a reliable ratio.
    section : str
        :data:`USED`, :data:`HELD_OUT` or :data:`SUPERSEDED`.
    counted : Outcome
        The outcome among agents.
    among : Filter
        The agents to count.
    factors : tuple of str
        The factors of the grouping.
    stratum : str
        Groups are compared within a stratum only.
    against_all : bool
        Whether a group is compared with all groups of its stratum together, not with each other group.
    """

    table: str
    outcome: str
    level: str
    group_by: str
    group: str
    share: float
    se: float
    sound: bool
    section: str
    counted: Outcome
    among: Filter
    factors: tuple[str, ...]
    stratum: str = ""
    against_all: bool = False


def figures() -> Iterator[Figure]:
    """Yield the figures of all joint tables; outcomes that no field of an agent tells are left out."""
    for table in ("us_health_by_ses", "us_condition_by_ses", "us_drug_class_by_ses", "us_alcohol_by_ses"):
        yield from _by_group(table)
    yield from _by_group("us_health_three_way", may_be_held_out=False)
    yield from _by_group("us_gss_group_shares", may_be_held_out=False)
    yield from _jobs_by_sex_and_ethnicity()
    yield from _jobs_by_education()
    yield from _groups_of_jobs()
    yield from _health_by_state()
    yield from _households_by_state()
    yield from _people_by_state()


def _by_group(table: str, *, may_be_held_out: bool = True) -> Iterator[Figure]:
    for row in rows(table):
        counted = outcome(row["outcome"], row["level"])
        grouping = row["group_by"]
        if counted is None or grouping in ("all", row["outcome"]):
            continue
        section = _section(may_be_held_out and held_out(f"{table}/{row['outcome']}/{grouping}"))
        if grouping in _AGE_AND_SEX and has_margins(row["outcome"]):
            section = SUPERSEDED
        parts = row["group"].split(JOINED)
        yield Figure(
            table,
            row["outcome"],
            row["level"],
            grouping,
            row["group"],
            float(row["share"]),
            float(row["se"]),
            int(row["n_unweighted"]) >= ENOUGH_ASKED,
            section,
            counted,
            ADULTS,
            _FACTORS_OF_TABLE.get((table, grouping)) or FACTORS[grouping],
            JOINED.join(parts[: _STRATA.get(grouping, 0)]),
        )


def _section(held: bool) -> str:
    return HELD_OUT if held else USED


def has_margins(outcome: str) -> bool:
    """Return whether a population has margins by age or sex of an outcome from another survey.

    Examples
    --------
    >>> has_margins("smoking_status"), has_margins("diet_quality"), has_margins("condition:gout")
    (True, False, False)
    """
    kind, _, slug = outcome.rpartition(":")
    if kind == "drug_class":
        return slug in NOT_FROM_SURVEY
    if kind == "condition":
        published = {(row["age_band"], row["gender"]) for row in published_rows(slug)}
        return survey_measure(slug) is None and len(published) > 1
    return outcome in _HAVE_MARGINS


def _title(row: Row) -> str:
    return OCCUPATIONS[SOC.index(row["soc_code"])]


def _jobs_by_sex_and_ethnicity() -> Iterator[Figure]:
    table = "us_occupation_by_sex_ethnicity"
    columns = (
        ("pct_women", "gender", "female"),
        ("pct_black", "ethnicity", "Black or African American"),
        ("pct_asian", "ethnicity", "Asian"),
        ("pct_hispanic", "ethnicity", "Hispanic or Latino"),
    )
    for row in rows(table):
        if row["match_kind"] == "major_group":
            continue  # the shares of its major group, not its own
        for column, field, level in columns:
            yield Figure(
                table,
                field,
                level,
                "occupation",
                _title(row),
                float(row[column]) / 100,
                math.nan,
                float(row["cps_employed_thousands"] or 0) * 1000 >= ENOUGH_EMPLOYED,
                _section(held_out(f"{table}/{row['soc_code']}")),
                Outcome({field: level}, (field,)),
                WORKERS,
                ("occupation",),
                against_all=True,
            )


def _jobs_by_education() -> Iterator[Figure]:
    table = "us_occupation_by_education"
    employed = {row["soc_code"]: float(row["employment"] or 0) for row in rows("us_occupations")}
    columns = {
        "pct_less_than_high_school": "less than high school",
        "pct_high_school": "high school",
        "pct_some_college_or_aa": "some college",
        "pct_college_graduate_or_above": "college graduate",
    }
    for row in rows(table):
        if row["soc_code"] not in employed:
            continue  # the row of all occupations
        for column, level in columns.items():
            counted = outcome("education", level)
            assert counted is not None
            yield Figure(
                table,
                "education",
                level,
                "occupation",
                _title(row),
                float(row[column]) / 100,
                math.nan,
                employed[row["soc_code"]] >= ENOUGH_EMPLOYED,
                _section(held_out(f"{table}/{row['soc_code']}")),
                counted,
                WORKERS_OVER_25,
                ("occupation",),
                against_all=True,
            )


def _groups_of_jobs() -> Iterator[Figure]:
    table = "us_occupation_group_by_sex_ethnicity"
    for row in rows(table):
        named = row["race_or_ethnicity"] in RACES and row["occupation_group"] in GROUPS_OF_JOBS
        counted = outcome("occupation_group", row["occupation_group"]) if named else None
        if counted is None or row["gender"] == "all":
            continue
        yield Figure(
            table,
            "occupation_group",
            row["occupation_group"],
            "ethnicity_x_gender",
            row["race_or_ethnicity"] + JOINED + row["gender"],
            float(row["pct_of_employed"]) / 100,
            math.nan,
            float(row["employed_thousands_in_row_group"]) * 1000 >= ENOUGH_EMPLOYED,
            HELD_OUT,
            counted,
            WORKERS,
            ("race", "gender"),
        )


_MEASURES = {
    "current_smoking": ("smoking_status", "current"),
    "obesity_self_reported_bmi30": ("bmi_class", "obese"),
    "overweight_self_reported_bmi25_29": ("bmi_class", "overweight"),
    "meets_150_minutes_aerobic": ("activity", "150 minutes"),
    "no_leisure_time_physical_activity": ("activity", "none"),
}
_STATE_GROUPS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], Filter]] = {
    "all": (("state",), ("all",), ADULTS),
    "gender": (("state", "gender"), ("male", "female"), ADULTS),
    "age": (("state", "age4"), BRFSS_AGES, ADULTS),
    "education": (("state", "education3"), BRFSS_SCHOOL, OVER_25),
}


def _health_by_state() -> Iterator[Figure]:
    table = "us_state_health"
    for row in rows(table):
        counted = outcome(*_MEASURES[row["measure"]])
        factors, groups, among = _STATE_GROUPS[row["group_by"]]
        if row["state"] not in US_STATES or not row["value_pct"] or counted is None:
            continue
        assert row["group"] in groups
        plain = row["group_by"] == "all"
        asked = float(row["n_unweighted"]) if row["n_unweighted"] else math.nan
        known = bool(row["ci_high"] and row["ci_low"])
        width = float(row["ci_high"]) - float(row["ci_low"]) if known else math.nan
        yield Figure(
            table,
            row["measure"],
            "yes",
            "state" if plain else f"state_x_{row['group_by']}",
            row["state"] if plain else row["state"] + JOINED + row["group"],
            float(row["value_pct"]) / 100,
            width / 100 / (2 * _NORMAL_95),
            known and not asked < ENOUGH_ASKED,
            _section(held_out(f"{table}/{row['state']}/{row['measure']}")),
            counted,
            among,
            factors,
            "" if plain else row["group"],
            against_all=True,
        )


def _households_by_state() -> Iterator[Figure]:
    table = "us_state_household_structure"
    for row in rows(table):
        if row["state"] not in US_STATES:
            continue
        share, asked = float(row["share"]), float(row["n_unweighted"])
        yield Figure(
            table,
            "household",
            f"{row['marital_2']}, {row['children_under_18']} children",
            "state_x_age_band",
            row["state"] + JOINED + row["age_band"],
            share,
            math.sqrt(share * (1 - share) / asked) if asked else math.nan,
            asked >= ENOUGH_ASKED,
            _section(held_out(f"{table}/{row['state']}")),
            household(row["marital_2"], row["children_under_18"]),
            ADULTS,
            ("state", "age_band"),
            row["age_band"],
            against_all=True,
        )


_STATE_COLUMNS: Mapping[str, tuple[tuple[str, str], Filter]] = {
    "pct_bachelors_or_above_25plus": (("education", "college graduate"), OVER_25),
    "pct_hs_graduate_or_above_25plus": (("education", "high school or above"), OVER_25),
    "pct_below_poverty": (("below poverty line", "yes"), ADULTS),
    "pct_uninsured": (("insurance", "uninsured"), ADULTS),
    "pct_unemployed": (("unemployed", "yes"), LABOUR_FORCE),
    "pct_veterans": (("veteran", "yes"), ADULTS),
    "pct_owner_occupied_2010": (("housing_tenure", "owner"), ADULTS),
    "pct_urban_2010": (("urban_rural", "urban"), ADULTS),
}
"""Columns that are shares of people or homes; mean income and persons per household are not."""


def _people_by_state() -> Iterator[Figure]:
    table = "us_state_ses"
    for row in rows(table):
        for column, (told, among) in _STATE_COLUMNS.items():
            counted = outcome(*told)
            if counted is None or not row[column]:
                continue
            yield Figure(
                table,
                column,
                "yes",
                "state",
                row["state"],
                float(row[column]) / 100,
                math.nan,
                True,
                _section(held_out(f"{table}/{row['state']}/{column}")),
                counted,
                among,
                ("state",),
                against_all=True,
            )
