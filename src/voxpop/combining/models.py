"""Regression on profile columns: the explanatory columns of people and agents, and their coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from voxpop.analysis.frames import Bools, Floats
from voxpop.combining.asked import Asked
from voxpop.combining.predicted import shared_levels
from voxpop.combining.sides import Side, name_of
from voxpop.errors import UsageError
from voxpop.stats.prediction_models import Family, combined_coefficients, design_of

INTERCEPT = "intercept"


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Rows of one side, with their answers (predictions for agents) and predictions."""

    side: Side
    mask: Bools
    answers: Floats
    predictions: Floats


def columns_of(asked: Asked, people: Rows, agents: Rows) -> tuple[list[str], Floats, Floats, int]:
    """Return the names of the coefficients, the explanatory columns of both, and rows with missing values.

    Numbers are taken as they are; other columns have one coefficient per level, against the first one.
    """
    names = [INTERCEPT]
    held = [[np.ones(int(np.count_nonzero(one.mask)))] for one in (people, agents)]
    for key in asked.terms:
        if isinstance(key, str) and all(one.side.is_number(key) for one in (people, agents)):
            names.append(key)
            for columns, one in zip(held, (people, agents), strict=True):
                columns.append(one.side.numbers(key)[one.mask])
            continue
        every = shared_levels(people.side, agents.side, key)
        told = people.side.codes(key, every)[people.mask]
        levels = [level for place, level in enumerate(every) if (told == place).any()]
        for columns, one in zip(held, (people, agents), strict=True):
            codes = one.side.codes(key, levels)[one.mask]
            columns += [np.where(codes < 0, np.nan, codes == place) for place in range(1, len(levels))]
        names += [f"{name_of(key)}: {level} (not {levels[0]})" for level in levels[1:]]
    first, second = (np.column_stack(columns).astype(np.float64) for columns in held)
    return names, first, second, int(np.isnan(first).any(axis=1).sum())


def coefficient_lines(asked: Asked, people: Rows, agents: Rows) -> list[dict[str, Any]]:
    """Return one line per coefficient.

    Raises
    ------
    UsageError
        If there are too few people, or the columns determine each other or the answer.
    """
    names, first, second, _ = columns_of(asked, people, agents)
    own, pool = ~np.isnan(first).any(axis=1), ~np.isnan(second).any(axis=1)
    weights = [
        None if one.side.weights is None else one.side.weights[one.mask][told]
        for one, told in ((people, own), (agents, pool))
    ]
    family: Family = "logistic" if asked.model == "logistic" else "linear"
    try:
        found = combined_coefficients(
            design_of(first[own], people.answers[own], weights[0]),
            people.predictions[own],
            design_of(second[pool], agents.answers[pool], weights[1]),
            family,
        )
    except ValueError as error:
        raise UsageError(f"The {family} model of {asked.question!r} cannot be fitted: {error}") from None
    n = int(np.count_nonzero(own))
    return [
        {
            "column_group": "Total",
            "group": "Total",
            "level": name,
            "n": n,
            "n_eff": float(n)
            if weights[0] is None
            else float(weights[0].sum() ** 2 / (weights[0] ** 2).sum()),
            "people": one.people,
            "people_low": one.people_low,
            "people_high": one.people_high,
            "agents_n": int(np.count_nonzero(pool)),
            "agents": one.pool,
            "estimate": one.estimate,
            "se": one.se,
            "ci_low": one.low,
            "ci_high": one.high,
            "lambda": one.lam,
            "worth": one.worth,
            "shift": float("nan"),
            "shift_z": float("nan"),
            "flag": "",
        }
        for name, one in zip(names, found, strict=True)
    ]
