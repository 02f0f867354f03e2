"""Columns of the agents outside the USA, which follow the US agents in a population."""

from __future__ import annotations

import numpy as np

from voxpop.population import columns as c
from voxpop.population.countries import ABROAD, draw_people_abroad, groups, regions
from voxpop.population.draw import Streams
from voxpop.population.employment import GROUPS, INDUSTRIES, LABOUR, OCCUPATIONS
from voxpop.population.health import SMOKING
from voxpop.population.health_conditions import CONDITIONS
from voxpop.population.intl_health import draw_health_abroad
from voxpop.population.names_by_country import draw_names_abroad
from voxpop.population.reference import GENDERS, Ints
from voxpop.population.titles import draw_titles
from voxpop.population.work_abroad import draw_work_abroad

_OTHER_SEEDS = 2**64


def draw_columns_abroad(seed: int, counts: Ints) -> dict[str, c.Column]:
    """Draw all columns except ``id`` and ``uuid``.

    Parameters
    ----------
    seed : int
        Seed of the population, shared with the US agents but used with separate random streams.
    counts : array
        Number of agents per country of :data:`ABROAD`.
    """
    seed += _OTHER_SEEDS
    country, people = draw_people_abroad(seed, counts)
    (given, given_names), (last, surnames) = draw_names_abroad(seed, country, people)
    work = draw_work_abroad(seed, country, people)
    titles, labels = draw_titles(Streams(seed, 0), people, work, abroad=True)
    unknown = np.zeros(country.size, dtype=bool)
    found: dict[str, c.Column] = {
        "given_name": c.Category(given, given_names).only_used(),
        "surname": c.Category(last, surnames).only_used(),
        "age": c.Numbers(people.age.astype(np.uint8), "UTINYINT"),
        "gender": c.Category(people.sex, GENDERS),
        "country": c.Category(country, ABROAD).only_used(),
        "state": c.Category(people.state, regions()).only_used(),
        "ethnicity": c.Category(people.ethnicity, groups()).only_used(),
        "is_parent": c.Numbers(unknown, "BOOLEAN", unknown),
        "occupation": c.Category(work.occupation, OCCUPATIONS).only_used(),
        "occupation_major_group": c.Category(work.group, GROUPS),
        "industry": c.Category(work.industry, INDUSTRIES).only_used(),
        "labour_status": c.Category(work.labour_status, LABOUR),
        "title_variant": c.Category(titles, labels).only_used(),
    }
    health = draw_health_abroad(seed, country, people)
    size, at = country.size, health.positions
    flags = np.zeros((size, len(CONDITIONS)), dtype=bool)
    flags[at] = health.conditions
    found["health_conditions"] = c.Members(
        flags, c.spread(np.ones(at.size, dtype=bool), at, size), CONDITIONS
    )
    found["smoking_status"] = c.Category(health.smoking, SMOKING).spread(at, size)
    return found
