"""Columns of the agents outside the USA, drawn block by block.

Every table behind them is an expectation that is computed once per process, so a block depends on nothing but
its random streams and the countries of its agents. The order of the draws is: region, age and sex, ethnic
group, area; education; children; labour status, occupation, industry, title; income fifth; health. Fields
without figures or a model are left out and are unknown
(:mod:`voxpop.population.countries_known`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.population import children_abroad, education_abroad
from voxpop.population import columns as c
from voxpop.population.children_abroad import GROWN_UP
from voxpop.population.countries import ABROAD, PeopleAbroad, group_shares, groups, regions, tables
from voxpop.population.demographics import EDUCATION, URBAN_RURAL
from voxpop.population.draw import Streams
from voxpop.population.employment import GROUPS, INDUSTRIES, LABOUR, OCCUPATIONS
from voxpop.population.health import ALCOHOL, BMI_CLASSES, SMOKING
from voxpop.population.health_conditions import CONDITIONS
from voxpop.population.income_abroad import QUINTILES, draw_quintile_abroad
from voxpop.population.intl_health import draw_health_abroad
from voxpop.population.names_by_country import draw_names_abroad
from voxpop.population.reference import AGES, GENDERS, MIN_AGE
from voxpop.population.titles import draw_titles
from voxpop.population.work_abroad import draw_work_abroad

Codes = npt.NDArray[np.int16]


def draw_people_abroad(streams: Streams, country: Codes) -> PeopleAbroad:
    """Draw the people of a block (stages 200-205).

    Parameters
    ----------
    streams : Streams
        Random streams of the block.
    country : array (agents,)
        Index into :data:`ABROAD`.
    """
    of = country.astype(np.int64)
    found = tables()
    cell = found["age"].draw(streams.stage(200), of)
    sex, year = np.divmod(cell, np.int16(AGES.size))
    region = found["region"].draw(streams.stage(201), of)
    known = group_shares().sum(axis=1) > 0
    group = np.where(known[of], found["group"].draw(streams.stage(202), of), np.int16(-1))
    area = found["area"].draw(streams.stage(203), of)
    cell = of * (len(GENDERS) * AGES.size) + cell
    education = education_abroad.table().draw(streams.stage(204), cell)
    state = children_abroad.table().draw(streams.stage(205), cell) - 1
    children = np.where(state >= 0, state // GROWN_UP + 1, 0).astype(np.int16)
    youngest = np.where(state >= 0, state % GROWN_UP, -1).astype(np.int16)
    age = (year + MIN_AGE).astype(np.int16)
    return PeopleAbroad(
        country.astype(np.int16), region, age, sex, group, area, education, children, youngest
    )


def draw_columns_abroad(streams: Streams, country: Codes) -> dict[str, c.Column]:
    """Draw all known columns of a block's agents outside the USA except ``id`` and ``uuid``.

    Parameters
    ----------
    streams : Streams
        Random streams of the block; stages 200 to 225 are used, and the stage of titles.
    country : array (agents,)
        Index into :data:`ABROAD`, in any order.

    Returns
    -------
    dict of str to Column
        Categories have the same labels in every block. A field that is not in it is unknown for all agents.
    """
    people = draw_people_abroad(streams, country)
    (given, given_names), (last, surnames) = draw_names_abroad(streams, people)
    work = draw_work_abroad(streams, people)
    titles, labels = draw_titles(streams, people, work, abroad=True)
    quintile = draw_quintile_abroad(streams, people, work)
    parent = people.parent
    found: dict[str, c.Column] = {
        "given_name": c.Category(given, given_names),
        "surname": c.Category(last, surnames),
        "age": c.Numbers(people.age.astype(np.uint8), "UTINYINT"),
        "gender": c.Category(people.sex, GENDERS),
        "country": c.Category(people.country, ABROAD),
        "state": c.Category(people.state, regions()),
        "ethnicity": c.Category(people.ethnicity, groups()),
        "is_parent": c.Numbers(parent, "BOOLEAN"),
        "children_count": c.Numbers(people.children.astype(np.uint8), "UTINYINT"),
        "youngest_child_age": c.Numbers(
            np.where(parent, people.youngest, 0).astype(np.uint8), "UTINYINT", parent
        ),
        "education": c.Category(people.education, EDUCATION),
        "urban_rural": c.Category(people.urban_rural, URBAN_RURAL),
        "income_quintile": c.Category(quintile, QUINTILES),
        "occupation": c.Category(work.occupation, OCCUPATIONS),
        "occupation_major_group": c.Category(work.group, GROUPS),
        "industry": c.Category(work.industry, INDUSTRIES),
        "labour_status": c.Category(work.labour_status, LABOUR),
        "title_variant": c.Category(titles, labels),
    }
    return found | _health(streams, people)


def _health(streams: Streams, people: PeopleAbroad) -> dict[str, c.Column]:
    health = draw_health_abroad(streams, people)
    size, at = people.age.size, health.positions
    known = c.spread(np.ones(at.size, dtype=bool), at, size)
    flags = np.zeros((size, len(CONDITIONS)), dtype=bool)
    flags[at] = health.conditions
    return {
        "health_conditions": c.Members(flags, known, CONDITIONS),
        "smoking_status": c.Category(health.smoking, SMOKING).spread(at, size),
        "alcohol_use": c.Category(health.alcohol, ALCOHOL).spread(at, size),
        "bmi": c.Numbers(c.spread(health.bmi_tenths / 10.0, at, size), "DOUBLE", known),
        "bmi_class": c.Category(health.bmi_class, BMI_CLASSES).spread(at, size),
    }
