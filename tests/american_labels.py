"""The live labels of a population that holds the USA alone, as planners are given them."""

from __future__ import annotations

from voxpop.population.reference import rows
from voxpop.vocabulary.levels import US_ETHNICITIES, US_INDUSTRIES
from voxpop.vocabulary.places import US_STATES

LABELS: dict[str, tuple[str, ...]] = {
    "country": ("USA",),
    "state": tuple(US_STATES),
    "ethnicity": US_ETHNICITIES,
    "industry": US_INDUSTRIES,
    "occupation": tuple(row["occupation"] for row in rows("us_occupations")),
}
