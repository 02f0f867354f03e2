"""Workers of many blocks, drawn from the expected adults of the USA."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import numpy as np

from voxpop.population.demographics import expected_people
from voxpop.population.draw import Streams
from voxpop.population.employment import Work
from voxpop.population.households import parent_shares
from voxpop.population.titles import draw_titles
from voxpop.population.work import draw_work

BLOCKS, SIZE = 100, 6_000
"""As many agents of the USA as a population of a million has."""


@dataclass(frozen=True)
class Workers:
    """Arrays of the agents of all blocks."""

    people: Any
    work: Work
    titles: np.ndarray[Any, Any]
    labels: tuple[str, ...]


def people_of(block: int, size: int = SIZE) -> Any:
    """Draw people of one block independently from the expected adults."""
    rng = np.random.default_rng([99, block])
    expected = expected_people()
    cells = rng.choice(expected.size, size, p=expected.ravel() / expected.sum())
    sex, year, ethnicity, education = np.unravel_index(cells, expected.shape)
    parent = rng.random(size) < parent_shares()[sex, year]
    narrow = {
        "sex": sex,
        "year": year,
        "age": year + 18,
        "ethnicity": ethnicity,
        "education": education,
    }
    return SimpleNamespace(**{name: each.astype(np.int16) for name, each in narrow.items()}, parent=parent)


@cache
def workers() -> Workers:
    """Return the agents of all blocks."""
    people, works, titles = [], [], []
    for block in range(BLOCKS):
        people.append(people_of(block))
        works.append(draw_work(Streams(5, block), people[-1], people[-1].parent))
        codes, labels = draw_titles(Streams(5, block), people[-1], works[-1])
        titles.append(codes)
    names = ("sex", "year", "age", "ethnicity", "education", "parent")
    joined = {name: np.concatenate([getattr(each, name) for each in people]) for name in names}
    fields = ("labour_status", "occupation", "group", "industry")
    work = Work(*(np.concatenate([getattr(each, name) for each in works]) for name in fields))
    return Workers(SimpleNamespace(**joined), work, np.concatenate(titles), labels)


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a reference table, read independently of the package."""
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))
