"""Occupations are resolved in the five steps of the interface (2.12, rule 4)."""

from __future__ import annotations

import pytest

from voxpop.vocabulary import all_of, any_of, resolve, resolve_occupations, where

LABELS = (
    "Registered Nurses",
    "Software Developers",
    "Cashiers",
    "Firefighters",
    "Barista",
    "Coffee Maker",
    "Teachers, All Other",
)
CORPUS = {
    "nurse": "Registered Nurses",
    "rn": "Registered Nurses",
    "software engineer": "Software Developers",
    "barista": "Fast Food and Counter Workers",
    "coffee maker": "Fast Food and Counter Workers",
    "counter clerk": "Fast Food and Counter Workers",
    "firefighters": "Cashiers",
    "astronaut": "Space Crew",
}


@pytest.mark.parametrize(
    ("step", "typed", "found"),
    [
        ("exact label", "cashiers", ("Cashiers",)),
        ("exact label before a synonym", "Firefighters", ("Firefighters",)),
        ("synonym", "RN", ("Registered Nurses",)),
        ("title", "Software  Engineer", ("Software Developers",)),
        ("occupation of the corpus", "fast food and counter workers", ("Barista", "Coffee Maker")),
        ("titles of the same occupation", "counter clerk", ("Barista", "Coffee Maker")),
        ("close match", "Software Developper", ("Software Developers",)),
        ("close match", "firefighter", ("Firefighters",)),
        ("close match: a family", "Developers", ("Software Developers",)),
        ("close match: a family", "nurses", ("Registered Nurses",)),
        ("close match: a family", "teacher", ("Teachers, All Other",)),
        ("nothing", "astronaut", ()),
        ("nothing", "other", ()),
        ("nothing", "dragon rider", ()),
    ],
)
def test_steps(step: str, typed: str, found: tuple[str, ...]) -> None:
    assert resolve(typed, LABELS, CORPUS) == found


def test_any_of_is_expanded_and_unknown_jobs_stay() -> None:
    one = where(occupation=["nurse", "RN", "dragon rider"], age=30)
    assert resolve_occupations(one, LABELS, CORPUS) == where(
        occupation=any_of("Registered Nurses", "dragon rider"), age=30
    )


def test_all_of_stays_exact() -> None:
    one = where(occupation=all_of("nurse"))
    assert resolve_occupations(one, LABELS, CORPUS) == one


def test_a_filter_without_occupations_is_left_alone() -> None:
    one = where(gender="male")
    assert resolve_occupations(one, LABELS, CORPUS) is one
