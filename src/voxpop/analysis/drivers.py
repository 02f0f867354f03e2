"""Drivers: how much of the differences in an answer each attribute or other answer accounts for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.crosstab import open_frame, shown
from voxpop.analysis.draws import check_draws
from voxpop.analysis.driver_data import DriverData
from voxpop.analysis.figures import LEVEL
from voxpop.analysis.frames import Frame
from voxpop.analysis.model_charts import importance_bars
from voxpop.analysis.model_data import origins_of
from voxpop.analysis.model_terms import Terms, check_model, read_terms, separated
from voxpop.analysis.outcomes import Outcome, check_kind, read_outcome
from voxpop.analysis.picture import Picture
from voxpop.analysis.regress import On, base_of, read_variables, settled
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.workbook import write_tables
from voxpop.errors import UsageError
from voxpop.stats.importance import (
    EXACT,
    Importance,
    combined,
    cross_products,
    exact_r2,
    orders,
    resampled,
    sampled,
    sampled_r2,
)
from voxpop.stats.pseudo_r2 import MEASURES, Measure, Subsets
from voxpop.stats.regression import Separated
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]
DriverKind = Literal["linear", "logistic"]
ORDERS = 200
"""Orders drawn for more drivers than all subsets can be computed for."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Drivers(DriverData):
    """The result of :func:`drivers`."""

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file with the importance, caption and notes. Needs the extra ``excel``."""
        return write_tables([self], Path(path))

    def plot(self) -> Picture:
        """Draw the importance of each driver as a bar with its interval. Needs the extra ``charts``."""
        return importance_bars(self)


def drivers(
    data: Any,
    question: str,
    by: On,
    *,
    kind: DriverKind | None = None,
    level: Any = None,
    measure: Measure = "mcfadden",
    weight: WeightName = None,
    where: Any = None,
    seed: int = 0,
    resamples: int = 200,
) -> Drivers:
    """Divide what attributes explain of an answer among them (relative importance, Shapley or LMG).

    The importance of a driver is what it adds to R², on average over all orders in which drivers can enter
    the model. It tells what goes together, not what causes what.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent. The data are not modified.
    question : str
        The outcome: a number (R² of linear regression), or a yes/no answer or level (pseudo R² of logistic
        regression).
    by : str, Bands or list of them
        The drivers; the levels of an attribute count together. Up to 10 drivers all orders are used, beyond
        it a seeded sample of them, whose Monte Carlo error the notes tell.
    kind : {"linear", "logistic"}, optional
        The model, if it is not the one that the question suggests.
    level : str or list, optional
        The level, or levels, to explain against the rest, such as ``[4, 5]``.
    measure : {"mcfadden", "nagelkerke"}
        The pseudo R² of logistic regression.
    weight, where
        As in :func:`voxpop.analysis.crosstab`.
    seed, resamples : int, default 0 and 200
        Seed and number of bootstrap resamples for the intervals. Whole respondents are drawn with
        replacement, together with their weights.

    Returns
    -------
    Drivers
        ``.long()`` has driver, text, importance, ci_low, ci_high, share, share_low, share_high, error.

    Raises
    ------
    UsageError
        As :func:`voxpop.analysis.regress`.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"price": [1, 3, 4, 9, 8], "age": [2, 3, 4, 6, 5], "kids": [0, 2, 1, 0, 1]})
    >>> drivers(people, "price", by=["age", "kids"], resamples=20).long()[["driver", "importance"]].round(1)
      driver  importance
    0    age        94.3
    1   kids         1.6
    """
    check_draws(seed, resamples)
    check_kind(kind, ("linear", "logistic"))
    if measure not in MEASURES:
        hint = did_you_mean(nearest(str(measure), MEASURES)) or "."
        raise UsageError(f"measure must be one of {', '.join(MEASURES)}, not {measure!r}{hint}")
    keys = read_variables("by", by, question)
    chooser = read_where(where, data)
    weight = weight_of(data, weight)
    asked = TableSpec("drivers", weight, shown(chooser), "column", None, {}, None, 0, 0)
    plain = [key for key in (question, *keys) if isinstance(key, str)]
    # the bootstrap draws single respondents, so rows of different weights stay separate
    frame = open_frame(data, [question, *keys, *([weight] if weight else [])], chooser, asked, plain)
    outcome = read_outcome(frame, question, kind, level)
    if outcome.kind == "ordinal":
        raise UsageError(
            f"{question!r} has ordered levels; name those to explain with level=, such as "
            f"level={outcome.levels[-1]!r}, or map them to numbers in a column of its own."
        )
    inside = chosen(frame, chooser) & (frame.sums > 0)
    model = read_terms(frame, keys, inside, (question, outcome.known))
    outcome, _ = settled(outcome, model.rows)
    check_model(model, frame.sums[model.rows], base_of(frame, model).count)
    spec = {
        "table": "drivers",
        "question": question,
        "by": [key if isinstance(key, str) else key.to_json() for key in keys],
        "kind": outcome.kind,
        "level": list(outcome.levels) if outcome.kind == "logistic" else None,
        "measure": "r2" if outcome.kind == "linear" else measure,
        "weight": weight,
        "where": asked.where,
        "seed": seed,
        "resamples": resamples,
        "interval": {"method": "bootstrap", "level": LEVEL},
    }
    return _made(outcome, model, frame, spec)


def _made(outcome: Outcome, model: Terms, frame: Frame, spec: dict[str, Any]) -> Drivers:
    """Compute the importance, and make the result."""
    measure = str(spec["measure"])
    weights = frame.numbers(spec["weight"])[model.rows] if spec["weight"] else np.ones(model.rows.size)
    counts = frame.counts[model.rows]
    place = np.lexsort((weights, outcome.values, *model.matrix.T))  # draws do not depend on the order of rows
    parts = (model.matrix[place], outcome.values[place], weights[place], counts[place])
    seed, resamples = int(spec["seed"]), int(spec["resamples"])
    whole, draws = (_linear if measure == "r2" else _logistic)(outcome, model, parts, spec)
    many = len(model.terms)
    told = [
        "Importance: what a driver adds to the explained part, averaged over all orders of entering the "
        "drivers (Shapley, LMG). It is not causation.",
        f"Intervals: {resamples:,} bootstrap resamples of respondents (seed {seed}"
        f"{'' if measure == 'r2' else '; one Newton step each'}); small shares are biased upwards.",
    ]
    if many > EXACT:
        told.append(
            f"{ORDERS:,} of the {many}! orders were drawn (seed {seed}); Monte Carlo error of the importance "
            f"up to {100 * whole.errors.max():.2g} points."
        )
    return Drivers(
        outcome.name,
        outcome.text,
        spec,
        base_of(frame, model),
        origins_of(frame),
        (*told, *frame.remarks),
        "bootstrap",
        outcome.words,
        measure,
        _total(whole, draws),
        tuple(_lines(model, whole, draws)),
    )


_Parts = tuple[Floats, Floats, Floats, Floats]


def _linear(outcome: Outcome, model: Terms, parts: _Parts, spec: dict[str, Any]) -> tuple[Importance, Floats]:
    """Return the importance in the R² of a linear model, and that of all resamples."""
    matrix, values, weights, counts = parts
    columns = np.column_stack((matrix, values))
    groups = [term.places for term in model.terms]

    def divided(batches: Iterator[Floats]) -> Importance:
        cross = cross_products(columns, weights, batches)
        if len(groups) <= EXACT:
            return exact_r2(cross, groups)
        return sampled_r2(cross, groups, orders(len(groups), ORDERS, int(spec["seed"])))

    drawn = resampled(counts, seed=int(spec["seed"]), resamples=int(spec["resamples"]))
    whole = divided(iter([counts[None, :]]))
    return whole, divided(drawn).shares


def _logistic(
    outcome: Outcome, model: Terms, parts: _Parts, spec: dict[str, Any]
) -> tuple[Importance, Floats]:
    """Return the importance in the pseudo R² of a logistic model, and that of all resamples."""
    matrix, values, weights, counts = parts
    groups = [term.places for term in model.terms]
    subsets = Subsets(matrix, values, weights, counts, groups)
    try:
        subsets.fit()
    except Separated as problem:
        raise UsageError(separated(model, values, weights, problem.slopes)) from None
    measure, many = spec["measure"], len(groups)

    def divided(batch: Floats) -> Importance:
        if many <= EXACT:
            held = subsets.values(iter(range(1 << many)), batch, measure)
            return Importance(combined(held, many), np.zeros(many))
        drawn = orders(many, ORDERS, int(spec["seed"]))
        return sampled(lambda code: subsets.values(iter([code]), batch, measure)[0], many, drawn)

    whole = divided(counts[None, :])
    batches = resampled(counts, seed=int(spec["seed"]), resamples=int(spec["resamples"]))
    drawn = np.concatenate([divided(batch).shares for batch in batches])
    return whole, np.maximum(drawn, 0.0)  # a refit cannot add less than nothing, one step can


def _ends(draws: Floats) -> tuple[float, float]:
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _total(whole: Importance, draws: Floats) -> tuple[float, float, float]:
    return (float(whole.shares[0].sum()), *_ends(draws.sum(axis=1)))


def _lines(model: Terms, whole: Importance, draws: Floats) -> list[dict[str, Any]]:
    """Return one line per driver, the most important first."""
    own, total = whole.shares[0], float(whole.shares[0].sum())
    sums = draws.sum(axis=1, keepdims=True)
    parts = np.divide(draws, sums, out=np.zeros_like(draws), where=sums > 0)
    lines = []
    for place in np.argsort(-own, kind="stable").tolist():
        low, high = _ends(draws[:, place])
        share_low, share_high = _ends(parts[:, place])
        lines.append(
            {"driver": model.terms[place].name, "text": model.terms[place].text}
            | {"importance": 100 * float(own[place]), "ci_low": 100 * low, "ci_high": 100 * high}
            | {"share": 100 * float(own[place]) / total if total > 0 else 0.0}
            | {"share_low": 100 * share_low, "share_high": 100 * share_high}
            | {"error": 100 * float(whole.errors[place])}
        )
    return lines
