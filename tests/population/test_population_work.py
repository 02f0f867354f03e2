"""Work of the US agents of random blocks against the tables of BLS, read here from the csv files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from blocks_of_workers import Workers, people_of, table, workers

from voxpop.population import occupation_figures
from voxpop.population.demographics import EDUCATION, ETHNICITIES, NOT_HISPANIC
from voxpop.population.draw import Streams
from voxpop.population.employment import GROUPS, INDUSTRIES, LABOUR, OCCUPATIONS, SOC
from voxpop.population.held_out import held_out
from voxpop.population.occupations import occupation_shares
from voxpop.population.work import draw_work

SEX_AND_ETHNICITY = "us_occupation_by_sex_ethnicity"
BLACK, ASIAN, HISPANIC = (
    ETHNICITIES.index(name) for name in ("Black or African American", "Asian", "Hispanic or Latino")
)
# the published races include Hispanics, the agents' do not
BLACK_PART, ASIAN_PART = NOT_HISPANIC.values()


@pytest.fixture(scope="module")
def agents() -> Workers:
    return workers()


def ages(text: str) -> tuple[int, int]:
    first, _, last = text.replace("+", "-120").partition("-")
    return int(first), int(last)


def shares_by_job(agents: Workers, values: Any) -> Any:
    """Return the share of a group among the workers of each occupation."""
    at = agents.work.occupation >= 0
    job = agents.work.occupation[at]
    everybody = np.bincount(job, minlength=len(SOC))
    return np.bincount(job, weights=values[at], minlength=len(SOC)) / np.maximum(everybody, 1)


def largest() -> Any:
    """Return the 150 occupations with the most jobs."""
    size = np.array([float(row["employment"]) for row in table("us_occupations")])
    chosen = np.zeros(size.size, dtype=bool)
    chosen[np.argsort(-size)[:150]] = True
    return chosen


def published(name: str, column: str) -> Any:
    found = {row["soc_code"]: float(row[column]) / 100 for row in table(name)}
    return np.array([found[code] for code in SOC])


def used(name: str) -> Any:
    return np.array([not held_out(f"{name}/{code}") for code in SOC])


def kept_ratios(ours: Any, average: float, real: Any, real_average: float) -> Any:
    """Return ours / real log ratio to the average, of the occupations where the real ratio is 1.5 or more."""
    logs = [
        np.log(np.maximum(part, 0.001) / whole) for part, whole in ((ours, average), (real, real_average))
    ]
    far = np.abs(logs[1]) >= np.log(1.5)
    return logs[0][far] / logs[1][far]


OVERALL = {"pct_women": 0.471, "pct_black": 0.128, "pct_asian": 0.07, "pct_hispanic": 0.194}
GROUPS_OF_PEOPLE = {
    "pct_women": lambda people: people.sex == 1,
    "pct_black": lambda people: (people.ethnicity == BLACK) / BLACK_PART,
    "pct_asian": lambda people: (people.ethnicity == ASIAN) / ASIAN_PART,
    "pct_hispanic": lambda people: (people.ethnicity == HISPANIC) * 1.0,
}


@pytest.mark.parametrize(("column", "largest_error"), [("pct_women", 0.025), ("pct_black", 0.02)])
def test_workers_of_an_occupation_are_the_published_ones(
    agents: Workers, column: str, largest_error: float
) -> None:
    chosen = largest() & used(SEX_AND_ETHNICITY)
    ours = shares_by_job(agents, GROUPS_OF_PEOPLE[column](agents.people))
    error = np.abs(ours - published(SEX_AND_ETHNICITY, column))[chosen]
    assert error.mean() < largest_error


@pytest.mark.parametrize(
    ("column", "at", "part"),
    [
        ("pct_black", BLACK, BLACK_PART),
        ("pct_asian", ASIAN, ASIAN_PART),
        ("pct_hispanic", HISPANIC, 1.0),
        ("pct_women", None, 1.0),
    ],
)
def test_expected_workers_keep_their_ratios(column: str, at: int | None, part: float) -> None:
    """Without the noise of whole agents, nine of ten used ratios hold in all 400 occupations."""
    fitted = occupation_shares()
    inside = (fitted[1] if at is None else fitted[:, at]).sum(axis=(0, 1, 2)) / part
    ours = inside / fitted.sum(axis=(0, 1, 2, 3))
    real, chosen = published(SEX_AND_ETHNICITY, column), used(SEX_AND_ETHNICITY)
    ratios = kept_ratios(ours[chosen], inside.sum() / fitted.sum(), real[chosen], OVERALL[column])
    assert ratios.size > 100
    assert np.mean((ratios >= 0.6) & (ratios <= 1.4)) >= 0.9


@pytest.mark.parametrize("column", GROUPS_OF_PEOPLE)
def test_groups_keep_their_ratios(agents: Workers, column: str) -> None:
    """Among agents, large occupations keep 60 to 140 % of the log ratio; those set aside lean that way."""
    values = GROUPS_OF_PEOPLE[column](agents.people)
    average = values[agents.work.occupation >= 0].mean()
    ours, real = shares_by_job(agents, values), published(SEX_AND_ETHNICITY, column)
    for known, part in ((True, 0.87), (False, 0.2)):
        chosen = largest() & (used(SEX_AND_ETHNICITY) == known)
        ratios = kept_ratios(ours[chosen], average, real[chosen], OVERALL[column])
        assert ratios.size > 15
        assert np.mean((ratios >= 0.6) & (ratios <= 1.4)) >= part
        assert np.median(ratios) > 0.3


def test_schooling_of_an_occupation_is_the_published_one(agents: Workers) -> None:
    name = "us_occupation_by_education"
    grown = agents.people.age >= 25
    graduate = (agents.people.education == EDUCATION.index("College graduate or above")) & grown
    ours = shares_by_job(agents, graduate) / shares_by_job(agents, grown)
    real = published(name, "pct_college_graduate_or_above")
    error = np.abs(ours - real)
    assert error[largest() & used(name)].mean() < 0.035
    assert error[largest() & ~used(name)].mean() < 0.1
    chosen = largest() & used(name)
    ratios = kept_ratios(ours[chosen], 0.403, real[chosen], 0.403)
    assert np.mean((ratios >= 0.6) & (ratios <= 1.4)) >= 0.9


def test_the_cases_that_were_wrong(agents: Workers) -> None:
    """BLS CPS 2024, Table 11: 36.8 % of software developers are Asian, 14.2 % of police officers women."""
    asian = shares_by_job(agents, GROUPS_OF_PEOPLE["pct_asian"](agents.people))
    women = shares_by_job(agents, agents.people.sex == 1)
    assert asian[OCCUPATIONS.index("Software Developers")] == pytest.approx(0.368, abs=0.04)
    assert women[OCCUPATIONS.index("Police and Sheriff's Patrol Officers")] == pytest.approx(0.142, abs=0.03)
    assert women[OCCUPATIONS.index("Registered Nurses")] == pytest.approx(0.868, abs=0.03)


TABLE_10 = {
    "Management, business, and financial operations": "11 13",
    "Professional and related": "15 17 19 21 23 25 27 29",
    "Service": "31 33 35 37 39",
    "Sales and related": "41",
    "Office and administrative support": "43",
    "Construction and extraction": "47",
    "Installation, maintenance, and repair": "49",
    "Production": "51",
    "Transportation and material moving": "53",
}
RACES = {"Black Or African American": BLACK, "Asian": ASIAN, "Hispanic Or Latino Ethnicity": HISPANIC}


def test_men_and_women_of_each_race_work_where_table_10_says(agents: Workers) -> None:
    """Table 10 is no target of the fit: it tests that sex and race add up without an interaction."""
    major = np.array([code[:2] for code in SOC])[agents.work.occupation]
    at_work = agents.work.occupation >= 0
    errors = []
    for row in table("us_occupation_group_by_sex_ethnicity"):
        if row["occupation_group"] not in TABLE_10 or row["gender"] == "all":
            continue
        if row["race_or_ethnicity"] in RACES:
            who = at_work & (agents.people.sex == ("male", "female").index(row["gender"]))
            who &= agents.people.ethnicity == RACES[row["race_or_ethnicity"]]
            inside = np.isin(major[who], TABLE_10[row["occupation_group"]].split())
            errors.append(abs(100 * inside.mean() - float(row["pct_of_employed"])))
    assert len(errors) == 54
    assert np.mean(errors) < 1.1
    assert max(errors) < 4.5


def test_labour_status_by_age_and_sex(agents: Workers) -> None:
    for row in table("us_labour_status_age_sex"):
        first, last = ages(row["age_band"])
        who = (agents.people.age >= first) & (agents.people.age <= last)
        who &= agents.people.sex == ("male", "female").index(row["gender"])
        if row["labour_status"] in ("employed", "unemployed", "student", "homemaker", "disabled"):
            found = (agents.work.labour_status[who] == LABOUR.index(row["labour_status"])).mean()
            assert found == pytest.approx(float(row["share"]), abs=0.005), row


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Hispanic or Latino", HISPANIC),
        ("Black or African American (any ethnicity)", BLACK),
        ("Asian (any ethnicity)", ASIAN),
    ],
)
def test_ethnic_groups_work_at_their_published_rates(agents: Workers, name: str, at: int) -> None:
    rows = [row for row in table("us_ethnicity_age_labour") if row["ethnicity"] == name]
    for first, last in ((18, 24), (25, 54), (55, 64)):
        inside = [row for row in rows if first <= ages(row["age_band"])[0] <= last]
        for status in ("employed", "unemployed"):
            part = sum(float(row[f"{status}_thousands"]) for row in inside)
            expected = part / sum(float(row["population_thousands"]) for row in inside)
            who = (agents.people.age >= first) & (agents.people.age <= last) & (agents.people.ethnicity == at)
            found = (agents.work.labour_status[who] == LABOUR.index(status)).mean()
            assert found == pytest.approx(expected, abs=0.02)


def test_major_groups_of_men_and_women(agents: Workers) -> None:
    for sex, column in enumerate(("share_men", "share_women")):
        groups = agents.work.group[(agents.people.sex == sex) & (agents.work.group >= 0)]
        for row in table("us_occupation_major_group"):
            if row[column]:
                found = (groups == GROUPS.index(row["occupation_major_group"])).mean()
                assert found == pytest.approx(float(row[column]), abs=0.005), row["occupation_major_group"]


def test_occupations_within_their_major_groups(agents: Workers) -> None:
    rows = table("us_occupations")
    jobs = np.array([float(row["employment"]) for row in rows])
    counts = np.bincount(agents.work.occupation[agents.work.occupation >= 0], minlength=len(SOC))
    for major in sorted({code[:2] for code in SOC}):
        inside = np.array([code[:2] == major for code in SOC])
        ours, real = counts[inside] / counts[inside].sum(), jobs[inside] / jobs[inside].sum()
        assert np.abs(ours - real).max() < 0.005 + 3 / counts[inside].sum() ** 0.5 / 10


def test_industries(agents: Workers) -> None:
    rows = [row for row in table("us_industry") if row["employed_thousands"]]
    total = sum(float(row["employed_thousands"]) for row in rows)
    at_work = agents.work.industry[agents.work.industry >= 0]
    for row in rows:
        found = (at_work == INDUSTRIES.index(row["industry"])).mean()
        assert found == pytest.approx(float(row["employed_thousands"]) / total, abs=0.003)


def test_nobody_works_outside_the_entry_rules(agents: Workers) -> None:
    rules = {row["soc_prefix"]: row for row in table("us_occupation_entry_assumed")}
    of_job = [rules[max((one for one in rules if code.startswith(one)), key=len)] for code in SOC]
    at = np.flatnonzero(agents.work.occupation >= 0)
    job = agents.work.occupation[at]
    least = np.array([int(rule["least_age"]) for rule in of_job])[job]
    most = np.array([int(rule["most_age"] or 89) for rule in of_job])[job]
    taught = np.array([EDUCATION.index(rule["least_education"]) for rule in of_job])[job]
    age = agents.people.age[at]
    assert ((age >= least) & (age <= most) & (agents.people.education[at] >= taught)).all()


@pytest.mark.parametrize(
    ("occupation", "most"),
    [
        ("Airline Pilots, Copilots, and Flight Engineers", 64),
        ("Police and Sheriff's Patrol Officers", 64),
        ("Firefighters", 64),
        ("First-Line Supervisors of Firefighting and Prevention Workers", 64),
    ],
)
def test_pilots_police_and_firefighters_retire(agents: Workers, occupation: str, most: int) -> None:
    chosen = agents.work.occupation == OCCUPATIONS.index(occupation)
    assert chosen.sum() > 50
    assert agents.people.age[chosen].max() <= most


def test_median_ages_of_occupations(agents: Workers) -> None:
    errors = []
    for at, row in enumerate(table("us_occupations")):
        chosen = agents.work.occupation == at
        # the medians of young occupations are pulled down by workers of 16 and 17
        if row["cps_median_age"] and float(row["cps_median_age"]) > 36 and chosen.sum() > 400:
            errors.append(np.median(agents.people.age[chosen] + 0.5) - float(row["cps_median_age"]))
    assert len(errors) > 80
    assert np.mean(np.abs(errors)) < 1.5


def test_a_block_is_a_function_of_seed_and_block() -> None:
    people = people_of(3)
    first, again, other = (draw_work(Streams(8, block), people, people.parent) for block in (3, 3, 4))
    assert np.array_equal(first.occupation, again.occupation)
    assert np.array_equal(first.industry, again.industry)
    assert not np.array_equal(first.occupation, other.occupation)


def test_a_block_of_nobody_and_of_one() -> None:
    nobody, one = people_of(0, 0), people_of(0, 1)
    assert draw_work(Streams(8, 0), nobody, nobody.parent).occupation.size == 0
    alone = draw_work(Streams(8, 0), one, one.parent)
    assert (alone.occupation >= 0) == (alone.labour_status == LABOUR.index("employed"))


def test_figures_set_aside_are_no_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing the figures that are set aside changes nothing."""
    original = occupation_figures.rows
    columns = {
        SEX_AND_ETHNICITY: ("pct_women", "pct_white", "pct_black", "pct_asian", "pct_hispanic"),
        "us_occupation_by_education": occupation_figures.SCHOOLING,
    }

    def spoilt(name: str) -> Any:
        if name not in columns:
            return original(name)
        other = dict.fromkeys(columns[name], "20.0")
        return [{**row, **(other if held_out(f"{name}/{row['soc_code']}") else {})} for row in original(name)]

    figures = (occupation_figures.women, occupation_figures.ethnicities, occupation_figures.schooling)
    before = [figure() for figure in figures]
    monkeypatch.setattr(occupation_figures, "rows", spoilt)
    after = [figure.__wrapped__() for figure in figures]
    assert all(np.array_equal(one, two) for one, two in zip(before, after, strict=True))
    assert sum(~used(SEX_AND_ETHNICITY)) == 91
