"""Counts of a population for the figures of the joint tables: one query for all outcomes of a grouping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.population.joint_figures import Figure
from voxpop.population.joint_groups import factors, weights
from voxpop.population.joint_outcomes import Outcome
from voxpop.population.queries import Population
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter


@dataclass(frozen=True, slots=True)
class Achieved:
    """A figure and its count among agents.

    Attributes
    ----------
    figure : Figure
    cases, base : float
        Agents with the outcome, and agents of the group; fractions come from income bands that span two
        groups.
    """

    figure: Figure
    cases: float
    base: float

    @property
    def share(self) -> float:
        """Share of the agents of the group with the outcome; NaN without agents."""
        return self.cases / self.base if self.base else float("nan")


def missing_fields(figure: Figure, empty: frozenset[str]) -> tuple[str, ...]:
    """Return the fields of a figure that the population does not have or that no agent has a value in."""
    used = (*figure.counted.part, *figure.counted.fields, *(factors()[one].field for one in figure.factors))
    return tuple(sorted({name for name in used if name not in FIELDS or name in empty}))


def empty_fields(population: Population) -> frozenset[str]:
    """Return the fields in which no agent has a value, as in files of versions before the field."""
    numbers = [name for name, field in FIELDS.items() if field.kind == "range"]
    others = [name for name in FIELDS if name not in numbers]
    ranges, facets = population.ranges(Filter(), numbers), population.facets(Filter(), others)
    empty = {name for name in numbers if ranges[name]["min"] is None}
    return frozenset(empty | {name for name in others if not facets[name]})


def count(population: Population, figures: Iterable[Figure]) -> list[Achieved]:
    """Count the agents behind figures whose fields the population has.

    Returns
    -------
    list of Achieved
        In the order of the figures.
    """
    asked = list(figures)
    together: dict[tuple[Filter, tuple[str, ...]], list[int]] = {}
    for at, figure in enumerate(asked):
        fields = tuple(sorted({factors()[name].field for name in figure.factors}))
        together.setdefault((figure.among, fields), []).append(at)
    found: dict[int, Achieved] = {}
    for (among, fields), places in together.items():
        held = _count(population, among, fields, [asked[at] for at in places])
        found.update(zip(places, held, strict=True))
    return [found[at] for at in range(len(asked))]


def _count(
    population: Population, among: Filter, fields: Sequence[str], figures: Sequence[Figure]
) -> list[Achieved]:
    parts: dict[Filter, int] = {Filter(): 0}
    columns: dict[int, tuple[int, int]] = {}
    outcomes: dict[int, Outcome] = {id(figure.counted): figure.counted for figure in figures}
    for key, counted in outcomes.items():
        part, base = counted.filters(population)
        columns[key] = parts.setdefault(part, len(parts)), parts.setdefault(base, len(parts))
    crossed = population.crossed(fields, list(parts), among)
    folded: dict[tuple[str, ...], Mapping[str, np.ndarray]] = {}
    achieved = []
    for figure in figures:
        if figure.factors not in folded:
            groups, inside = weights(figure.factors, crossed)
            folded[figure.factors] = dict(zip(groups, inside @ crossed.numbers, strict=True))
        counts = folded[figure.factors][figure.group]
        part_at, base_at = columns[id(figure.counted)]
        achieved.append(Achieved(figure, float(counts[part_at]), float(counts[base_at])))
    return achieved
