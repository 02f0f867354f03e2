"""The attainable ceiling: what a repeated survey of people would score against the first."""

from __future__ import annotations

import math

import numpy as np

from voxpop.validation.item_scores import CORRELATIONS, Score, Shares, Structure, people, score_items
from voxpop.validation.item_set import Floats, ItemSet

REPEATS = 40
"""Pairs of surveys that are drawn."""


def repeated_survey(held: ItemSet, related: Structure | None, *, seed: int) -> dict[str, Score]:
    """Return the scores of a second survey of the same people by the same design, with 95 % intervals.

    Two surveys are drawn from the shares of people, with as many respondents as the first had effectively
    (its standard errors include weighting and, by a factor, clusters), and one is scored against the other.
    Both err, as a real second survey would. An answer that follows the published shares themselves has only
    the error of its own sample, and may come out better.

    Parameters
    ----------
    held : ItemSet
        The items.
    related : Structure or None
        Correlations of the items among people.
    seed : int
        Seed of the draws.
    """
    truth, rng = people(held), np.random.default_rng([seed, 2])
    drawn = [score_items(held, _survey(truth, rng), _survey(truth, rng)) for _ in range(REPEATS)]
    found = {}
    for name in drawn[0].above:
        values = np.array([one.score(name) for one in drawn])
        values = values[~np.isnan(values)]
        if values.size:
            low, high = np.quantile(values, [0.025, 0.975])
            found[name] = Score(float(values.mean()), float(low), float(high))
        else:
            found[name] = Score(math.nan)
    if related is not None:
        deff = float(np.mean([item.n / item.effective_n for item in held.items])) if held.items else 1.0
        found[CORRELATIONS] = Score(related.repeated(deff))
    return found


def _survey(truth: Shares, rng: np.random.Generator) -> Shares:
    """Draw the shares of a survey with the effective numbers of respondents."""
    return Shares(
        tuple(_sampled(rng, shares, n) for shares, n in zip(truth.whole, truth.n, strict=True)),
        truth.n,
        tuple(
            np.array([_sampled(rng, row, n) for row, n in zip(rows, numbers, strict=True)]).reshape(
                rows.shape
            )
            for rows, numbers in zip(truth.groups, truth.group_n, strict=True)
        ),
        truth.group_n,
        truth.counted,
    )


def _sampled(rng: np.random.Generator, shares: Floats, n: float) -> Floats:
    if np.isnan(shares).any() or n < 1:
        return np.full(shares.shape, np.nan)
    people = max(2, round(n))
    return np.asarray(rng.multinomial(people, shares / shares.sum()) / people, dtype=np.float64)
