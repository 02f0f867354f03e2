"""Columns of the US agents of a block, drawn in the order in which one field depends on another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voxpop.population import columns as c
from voxpop.population.beliefs import BELIEFS, draw_beliefs
from voxpop.population.demographics import EDUCATION, ETHNICITIES, STATES, URBAN_RURAL, People, draw_people
from voxpop.population.donors import donors
from voxpop.population.draw import Streams
from voxpop.population.employment import GROUPS, INDUSTRIES, LABOUR, OCCUPATIONS, Work
from voxpop.population.gradients import kinds
from voxpop.population.health import (
    ACTIVITY,
    ALCOHOL,
    ASSIGNED_SHARE,
    BMI_CLASSES,
    DIET,
    PHQ_CLASSES,
    SLEEP,
    SMOKING,
    draw_health,
)
from voxpop.population.health_conditions import CONDITIONS, DRUG_CLASSES, draw_conditions
from voxpop.population.hot_deck import draw_donors
from voxpop.population.households import MARITAL, Household, draw_households
from voxpop.population.income import Income, draw_income
from voxpop.population.medicines import draw_medicines
from voxpop.population.names import draw_names
from voxpop.population.titles import draw_titles
from voxpop.population.work import draw_work
from voxpop.vocabulary.fields import FIELDS

_HEALTH_KNOWN = 50
_OBESE = 300


def draw_columns_usa(streams: Streams, size: int) -> dict[str, c.Column]:
    """Draw all columns of the US agents of a block except ``id`` and ``uuid``.

    Parameters
    ----------
    streams : Streams
        Random streams of the block; stages 1 to 99 are used.
    size : int
        Number of agents.

    Returns
    -------
    dict of str to Column
        Categories have the same labels in every block.
    """
    people = draw_people(streams, size)
    home = draw_households(streams, people)
    work = draw_work(streams, people, home.parent)
    income = draw_income(streams, people, home, work)
    donor = draw_donors(streams, people, home, work, income)
    beliefs = draw_beliefs(
        streams,
        people,
        marital=home.marital,
        children=home.children,
        labour_status=work.labour_status,
        income_quintile=income.quintile,
    )
    found = _demographic(streams, people, home, income, donor)
    found |= {name: c.Category(beliefs[name], FIELDS[name].levels) for name in BELIEFS}
    return found | _professional(streams, people, work) | _health(streams, people, home, income, donor)


def _demographic(
    streams: Streams, people: People, home: Household, income: Income, donor: npt.NDArray[np.integer]
) -> dict[str, c.Column]:
    (given, given_names), (last, surnames) = draw_names(streams, people)
    table = donors()
    return {
        "given_name": c.Category(given, given_names),
        "surname": c.Category(last, surnames),
        "age": c.Numbers(people.age.astype(np.uint8), "UTINYINT"),
        "gender": c.Category(people.sex, FIELDS["gender"].levels),
        "country": c.Category(np.zeros(people.age.size, dtype=np.int16), ("USA",)),
        "state": c.Category(people.state, STATES),
        "ethnicity": c.Category(people.ethnicity, ETHNICITIES),
        "is_parent": c.Numbers(home.parent, "BOOLEAN"),
        "education": c.Category(people.education, EDUCATION),
        "household_income": c.Category(income.band, FIELDS["household_income"].levels),
        "urban_rural": c.Category(people.urban_rural, URBAN_RURAL),
        "marital_status": c.Category(home.marital, MARITAL),
        "household_size": c.Numbers(home.size.astype(np.uint8), "UTINYINT"),
        "children_count": c.Numbers(home.children.astype(np.uint8), "UTINYINT"),
        "youngest_child_age": c.Numbers(
            np.where(home.parent, home.youngest, 0).astype(np.uint8), "UTINYINT", home.parent
        ),
        "income_quintile": c.Category(income.quintile, FIELDS["income_quintile"].levels),
        "poverty_ratio": c.Numbers(income.poverty_ratio, "DOUBLE"),
        "insurance": c.Category(table.insurance[donor], FIELDS["insurance"].levels),
        "veteran": c.Numbers(table.veteran[donor] == 1, "BOOLEAN"),
        "born_in_country": c.Numbers(table.born_here[donor] == 1, "BOOLEAN"),
    }


def _professional(streams: Streams, people: People, work: Work) -> dict[str, c.Column]:
    titles, labels = draw_titles(streams, people, work)
    return {
        "occupation": c.Category(work.occupation, OCCUPATIONS),
        "occupation_major_group": c.Category(work.group, GROUPS),
        "industry": c.Category(work.industry, INDUSTRIES),
        "labour_status": c.Category(work.labour_status, LABOUR),
        "title_variant": c.Category(titles, labels),
    }


def _health(
    streams: Streams, people: People, home: Household, income: Income, donor: npt.NDArray[np.integer]
) -> dict[str, c.Column]:
    of = kinds(people, home, income, donor)
    health = draw_health(streams, people, home, income, donor, of)
    conditions = draw_conditions(streams, people, donor, health.bmi_tenths >= _OBESE, of)
    medicines = draw_medicines(streams, people, donor, conditions, health.bmi_tenths, of)
    size = people.age.size
    known = streams.stage(_HEALTH_KNOWN).permutation(size) < round(ASSIGNED_SHARE * size)

    def members(flags: npt.NDArray[np.bool_], labels: tuple[str, ...]) -> c.Members:
        return c.Members(flags.T & known[:, None], known, labels)

    def number(values: npt.NDArray[np.generic], sql_type: str) -> c.Numbers:
        return c.Numbers(np.where(known, values, np.zeros(1, dtype=values.dtype)), sql_type, known)

    def category(codes: npt.NDArray[np.integer], labels: tuple[str, ...]) -> c.Category:
        return c.Category(np.where(known, codes, -1).astype(np.int16), labels)

    return {
        "health_conditions": members(conditions, CONDITIONS),
        "health_drug_classes": members(medicines, DRUG_CLASSES),
        "rx_medication_count": number(medicines.sum(axis=0).astype(np.uint8), "UTINYINT"),
        "smoking_status": category(health.smoking, SMOKING),
        "alcohol_use": category(health.alcohol, ALCOHOL),
        "physical_activity_level": category(health.activity, ACTIVITY),
        "sleep_quality": category(health.sleep, SLEEP),
        "diet_quality": category(health.diet, DIET),
        "bmi": number(health.bmi_tenths / 10.0, "DOUBLE"),
        "bmi_class": category(health.bmi_class, BMI_CLASSES),
        "phq9_score": number(health.phq9_score.astype(np.uint8), "UTINYINT"),
        "phq9_severity": category(health.phq9_severity, PHQ_CLASSES),
        "self_rated_health": category(health.rated, FIELDS["self_rated_health"].levels),
    }
