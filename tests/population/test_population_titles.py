"""Titles fit the age, the schooling and the occupation of their holders, in every block and country."""

from __future__ import annotations

import re

import numpy as np
import pytest
from blocks_of_workers import Workers, people_of, table, workers

from voxpop.population.demographics import EDUCATION
from voxpop.population.draw import Streams
from voxpop.population.employment import OCCUPATIONS, Work, entry
from voxpop.population.titles import draw_titles, labels
from voxpop.population.work import draw_work

GRADUATE = EDUCATION.index("College graduate or above")


@pytest.fixture(scope="module")
def agents() -> Workers:
    return workers()


def holders(agents: Workers, pattern: str) -> np.ndarray:
    fitting = np.array([bool(re.search(pattern, title)) for title in agents.labels])
    return np.flatnonzero((agents.titles >= 0) & fitting[agents.titles])


def test_everybody_at_work_has_a_title_and_nobody_else(agents: Workers) -> None:
    assert np.array_equal(agents.titles >= 0, agents.work.occupation >= 0)


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        (r"\bIntern$|^Student (?!Transportation)|^Resident Assistant$", 29),
        (r"^Junior (?!High)|\bTrainee$|^Apprentice |^New Graduate |\bApprentice$", 34),
        (r"^Graduate (Teaching )?Assistant$|^TA ", 44),
    ],
)
def test_beginners_are_young(agents: Workers, pattern: str, most: int) -> None:
    found = holders(agents, pattern)
    assert found.size > 100
    assert agents.people.age[found].max() <= most


@pytest.mark.parametrize(
    ("pattern", "least"),
    [
        (r"^Senior |^Lead |^Experienced ", 25),
        (r"^Principal |^Head (?!Teller|Start|Coach|Chef)", 30),
        (r"^Director-level |^Director of |\bDirector of ", 32),
        (r"^Vice President-level |^CEO$|^Chief Executive|^President$|^CTO$|^VP of|^Police Captain$", 35),
        (r"^Fire Chief$|^Battalion Chief$|^College Dean$|^Provost$", 40),
        (r"^Head Chef$|^Executive Chef$|^Airline Captain$|^Master Electrician$", 28),
    ],
)
def test_seniors_are_not_young(agents: Workers, pattern: str, least: int) -> None:
    found = holders(agents, pattern)
    assert found.size > 40
    assert agents.people.age[found].min() >= least


def test_seniors_have_been_in_their_occupation_for_years(agents: Workers) -> None:
    """Lawyers and physicians start late, so a senior one is older than a senior clerk."""
    for occupation, least in (("Lawyers", 29), ("Family Medicine Physicians", 32)):
        found = holders(agents, r"^Senior ")
        found = found[agents.work.occupation[found] == OCCUPATIONS.index(occupation)]
        assert found.size > 5
        assert agents.people.age[found].min() >= least


def test_titles_of_a_degree_have_graduates(agents: Workers) -> None:
    found = holders(
        agents, r"\bCPA$|Librarian$|\bDietitian$|\bLPC$|\bPriest$|Attorney$|Pharmacist$|Physician$"
    )
    assert found.size > 1000
    assert (agents.people.education[found] == GRADUATE).all()


def test_every_rule_of_the_table_holds(agents: Workers) -> None:
    rules = [row for row in table("us_title_demands_assumed") if "{t}" not in row["title"]]
    assert len(rules) > 80
    for row in rules:
        found = np.flatnonzero(agents.titles == agents.labels.index(row["title"]))
        if found.size:
            assert agents.people.age[found].min() >= int(row["least_age"] or 18), row["title"]
            assert agents.people.age[found].max() <= int(row["most_age"] or 99), row["title"]
            least = EDUCATION.index(row["least_education"]) if row["least_education"] else 0
            assert agents.people.education[found].min() >= least, row["title"]


def test_labels_do_not_depend_on_block_or_country(agents: Workers) -> None:
    people = people_of(0, 500)
    work = draw_work(Streams(1, 0), people, people.parent)
    assert draw_titles(Streams(1, 0), people, work)[1] == agents.labels
    assert draw_titles(Streams(1, 0), people, work, abroad=True)[1] == agents.labels
    assert len(set(labels())) == len(labels()) > 5_000


def test_every_possible_worker_has_a_title() -> None:
    """Agents in every occupation, at its ages and with its schooling or unknown schooling."""
    education, job, ages = (part.ravel() for part in np.mgrid[0:5, 0 : len(OCCUPATIONS), 18:90])
    taught, least, most = entry()
    open_to = (education >= taught[job]) & (ages >= least[job]) & (ages <= most[job])
    education, job, ages = education[open_to], job[open_to], ages[open_to]
    people = people_of(0, job.size)
    people.age[:], people.year[:], people.education[:] = ages, ages - 18, education
    codes = job.astype(np.int16)
    work = Work(np.zeros_like(codes), codes, codes, codes)
    for abroad in (False, True):
        titles, names = draw_titles(Streams(2, 1), people, work, abroad=abroad)
        assert (titles >= 0).all()
        for row in table("us_title_demands_assumed"):
            if "{t}" not in row["title"]:
                at = titles == names.index(row["title"])
                assert (ages[at] >= int(row["least_age"] or 18)).all(), row["title"]
                assert (education[at] >= EDUCATION.index(row["least_education"] or EDUCATION[0])).all()
        young = [names[code] for code in titles[ages < 25]]
        assert not any(title.startswith(("Senior ", "Principal ", "Director-level ")) for title in young)
    people.education[:] = -1
    assert (draw_titles(Streams(2, 1), people, work, abroad=True)[0] >= 0).all()
