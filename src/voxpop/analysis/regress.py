"""Survey-weighted regression: what goes with an answer, everything else equal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.crosstab import open_frame, read_by, shown
from voxpop.analysis.design_rows import open_design
from voxpop.analysis.figures import LEVEL
from voxpop.analysis.frames import Frame
from voxpop.analysis.model_charts import forest
from voxpop.analysis.model_data import Base, origins_of
from voxpop.analysis.model_fits import ModelFit, fit_plain, fit_sample, model_design
from voxpop.analysis.model_terms import Term, Terms, check_model, read_terms
from voxpop.analysis.outcomes import ModelKind, Outcome, check_kind, read_outcome
from voxpop.analysis.picture import Picture
from voxpop.analysis.regression_data import CONSTANT, THRESHOLD, RegressionData
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.workbook import write_tables
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base, exact_sum
from voxpop.stats.regression import Fitted
from voxpop.survey.bands import Bands
from voxpop.survey.design import Design

Floats = npt.NDArray[np.float64]
_FEW = (
    "The design has too few degrees of freedom for this many coefficients: there are no intervals and no "
    "tests. Take fewer variables, or combine levels."
)
_ODDS = ("odds_ratio", "odds_low", "odds_high")
On = str | Bands | Sequence[str | Bands]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Regression(RegressionData):
    """The result of :func:`regress`."""

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file with the coefficients, caption and notes. Needs the extra ``excel``."""
        return write_tables([self], Path(path))

    def plot(self) -> Picture:
        """Draw the coefficients with their intervals (a forest plot). Needs the extra ``charts``.

        Returns
        -------
        Picture
            Odds ratios have a logarithmic axis. ``.save("chart.png")`` works offline.
        """
        return forest(self)


def regress(
    data: Any,
    question: str,
    on: On,
    *,
    kind: ModelKind | None = None,
    level: Any = None,
    reference: Mapping[str, Any] | None = None,
    weight: WeightName = None,
    design: Design | None = None,
    where: Any = None,
) -> Regression:
    """Regress an answer on attributes or other answers, with standard errors that allow for weights.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent. The data are not modified.
    question : str
        The outcome. A number is explained by linear regression, a yes/no answer by logistic regression, an
        ordered answer by ordinal regression (proportional odds).
    on : str, Bands or list of them
        The variables. Numbers enter as they are, ``vp.bands("age", [18, 30, 45, 65])`` as levels. Each option
        of a multi-response question enters as a variable of its own.
    kind : {"linear", "logistic", "ordinal"}, optional
        The model, if it is not the one that the question suggests.
    level : str or list, optional
        The level, or levels, to explain against the rest by logistic regression, such as ``[4, 5]``.
    reference : mapping, optional
        Level that others are compared with, by column; by default "no", or the first level.
    weight, where
        As in :func:`voxpop.analysis.crosstab`.
    design : vp.Design, optional
        The sampling design; by default that of a survey. Standard errors then account for its strata,
        clusters, finite populations, replicate weights and calibration, as R's ``svyglm`` and ``svyolr``.

    Returns
    -------
    Regression
        ``.long()`` has term, level, reference, n, estimate, se, ci_low, ci_high, statistic, df, p and, unless
        the model is linear, odds_ratio, odds_low, odds_high. ``.tests_of_terms()`` tests each variable as a
        whole. Only respondents with all answers are in the model; the notes count the others.

    Raises
    ------
    UsageError
        If the question does not suit the model, the outcome or a variable is constant, variables are
        collinear or tell the answers apart completely, or there are too few respondents.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"price": [1.0, 3.0, 4.0, 9.0], "age": [20, 30, 40, 60]})
    >>> regress(people, "price", on="age").long()[["term", "estimate", "se"]].round(3)
             term  estimate     se
    0  (constant)    -3.143  0.398
    1         age     0.197  0.011
    """
    check_kind(kind)
    keys = read_variables("on", on, question)
    chooser = read_where(where, data)
    drawn = model_design(data, weight, design)
    weight = weight_of(data, weight) if drawn is None else drawn.weight
    asked = TableSpec("regress", weight, shown(chooser), "column", None, {}, None, 0, 0)
    plain = [key for key in (question, *keys) if isinstance(key, str)]
    if drawn is None:
        frame = open_frame(data, [question, *keys], chooser, asked, measured=plain)
        inside, sample = chosen(frame, chooser), None
        weights = frame.sums
    else:
        read = open_design(data, [question, *keys], chooser, drawn, plain)
        frame, inside, sample = read.frame, read.inside, read.sample
        weights = sample.weights
    outcome = read_outcome(frame, question, kind, level)
    model = read_terms(frame, keys, inside & (weights > 0), (question, outcome.known), reference)
    outcome, empty = settled(outcome, model.rows)
    check_model(model, weights[model.rows], base_of(frame, model).count)
    if sample is None:
        fit = fit_plain(outcome, model, frame, float(frame.positive[inside].sum()))
    else:
        fit = fit_sample(outcome, model, sample, inside)
    how = f"Student, {'replicates' if sample is not None and sample.is_replicated else 'linearised'}"
    spec = {
        "table": "regress",
        "question": question,
        "on": [key if isinstance(key, str) else key.to_json() for key in keys],
        "kind": outcome.kind,
        "level": list(outcome.levels) if outcome.kind == "logistic" else None,
        "reference": {term.name: term.reference for term in model.terms if term.reference},
        "weight": weight,
        "where": asked.where,
        "interval": {"method": how, "level": LEVEL},
    }
    told = [f"Nobody in the model answered {listed(empty)} to {question}."] if empty else []
    told += [f"Nobody in the model has {t.name} {listed(t.empty)}." for t in model.terms if t.empty]
    told += [_FEW] if fit.df < 1 else []
    told += [_method(outcome, weight, drawn), *(frame.remarks if drawn is None else ())]
    return _made(outcome, model, fit, frame, spec, tuple(told))


def _made(
    outcome: Outcome,
    model: Terms,
    fit: ModelFit,
    frame: Frame,
    spec: Mapping[str, Any],
    told: tuple[str, ...],
) -> Regression:
    """Make the result of a fitted model."""
    base, found, df = base_of(frame, model), fit.found, fit.df
    return Regression(
        outcome.name,
        outcome.text,
        spec,
        base,
        origins_of(frame),
        told,
        spec["interval"]["method"],
        outcome.kind,
        outcome.words,
        model.terms,
        tuple(_lines(outcome, model, found, df, base.count)),
        tuple(_test(term, found, outcome.kind, df) for term in model.terms),
        found.explained,
    )


def base_of(frame: Frame, model: Terms) -> Base:
    """Return the respondents of a model."""
    sums, squares = (exact_sum(part[model.rows]) for part in (frame.sums, frame.squares))
    count = int(frame.positive[model.rows].sum())
    return Base(count, float(effective_base(sums, squares)), model.missing)


def read_variables(argument: str, given: On, question: str) -> tuple[str | Bands, ...]:
    """Read the variables of a model; raise UsageError if there are none, or the outcome is one of them."""
    if given is None or (not isinstance(given, str | Bands) and not given):
        raise UsageError(f"{argument} needs one or more columns, such as {argument}=['age', 'gender'].")
    keys = read_by(given)
    for key in keys:
        if (key if isinstance(key, str) else key.column) == question:
            raise UsageError(
                f"{question!r} is the outcome; it cannot explain itself. Leave it out of {argument}."
            )
    return keys


def settled(outcome: Outcome, rows: npt.NDArray[np.intp]) -> tuple[Outcome, tuple[str, ...]]:
    """Keep the outcome of the rows of a model, and return it with the levels that nobody has.

    Raises
    ------
    UsageError
        If the outcome is constant, or has too few levels for its model.
    """
    values = outcome.values[rows]
    empty: tuple[str, ...] = ()
    if outcome.kind == "ordinal":
        used = np.unique(values).astype(np.intp)
        empty = tuple(level for place, level in enumerate(outcome.levels) if place not in used)
        outcome = replace(outcome, levels=tuple(outcome.levels[place] for place in used))
        values = np.searchsorted(used, values).astype(np.float64)
        if used.size == 2:
            raise UsageError(
                f"{outcome.name!r} has two levels with respondents, {' and '.join(outcome.levels)}; use "
                'kind="logistic".'
            )
    if values.min() == values.max():
        told = f"{values[0]:g}" if outcome.kind == "linear" else "the same answer"
        raise UsageError(
            f"{outcome.name!r} is {told} for all respondents of the model, so there is nothing to explain; "
            "choose another outcome or other rows."
        )
    return replace(outcome, values=values), empty


def listed(levels: Sequence[str]) -> str:
    """Return the first levels of a list, and how many more there are."""
    more = f" or {len(levels) - 5} more" if len(levels) > 5 else ""
    return f"{', '.join(levels[:5])}{more}"


def _lines(outcome: Outcome, model: Terms, found: Fitted, df: float, count: int) -> list[dict[str, Any]]:
    """Return one line per coefficient, with the constant first, or the thresholds last."""
    first = 0 if outcome.kind == "ordinal" else 1
    lines = [] if not first else [_line(outcome, found, 0, df) | {"term": CONSTANT, "n": count}]
    for term in model.terms:
        for place in range(term.places.start, term.places.stop):
            own = place - term.places.start
            named = {"term": term.name, "level": term.levels[own] if term.levels else ""}
            told = {**named, "reference": term.reference, "n": term.counts[own]}
            lines.append(_line(outcome, found, place + first, df) | told)
    if outcome.kind == "ordinal":
        for place, pair in enumerate(pairwise(outcome.levels)):
            at = model.matrix.shape[1] + place
            line = _line(outcome, found, at, df) | dict.fromkeys(_ODDS, math.nan)
            lines.append(line | {"term": THRESHOLD, "level": " | ".join(pair), "n": count})
    return lines


def _line(outcome: Outcome, found: Fitted, place: int, df: float) -> dict[str, Any]:
    from scipy.special import stdtr, stdtrit  # imported where used

    estimate, se = float(found.values[place]), float(found.se[place])
    half = float(stdtrit(df, (1 + LEVEL) / 2)) * se if df > 0 else math.nan
    statistic = estimate / se if se > 0 else math.nan
    line = {"term": "", "level": "", "reference": "", "n": 0, "estimate": estimate, "se": se}
    line |= {"ci_low": estimate - half, "ci_high": estimate + half, "statistic": statistic, "df": df}
    line["p"] = float(2 * stdtr(df, -abs(statistic))) if df > 0 else math.nan
    if outcome.kind != "linear":
        with np.errstate(over="ignore"):
            odds = np.exp([estimate, estimate - half, estimate + half])
        line |= dict(zip(_ODDS, map(float, odds), strict=True))
    return line


def _test(term: Term, found: Fitted, kind: str, df: float) -> dict[str, Any]:
    from scipy.special import fdtrc  # imported where used

    first = 0 if kind == "ordinal" else 1
    places = slice(term.places.start + first, term.places.stop + first)
    width = places.stop - places.start
    f = found.wald(places)
    return {
        "term": term.name,
        "F": f,
        "df": width,
        "ddf": df,
        "p": float(fdtrc(width, df, f)) if df > 0 else math.nan,
    }


def _method(outcome: Outcome, weight: str | None, design: Design | None) -> str:
    holds = "weights and for unequal variances" if weight is not None else "unequal variances"
    told = f"Standard errors are linearised (sandwich): they hold for {holds}."
    if design is not None:
        told = f"Standard errors are those of the sampling design: {design.words()}."
    if outcome.kind == "ordinal":
        told += " Odds of a higher answer; the same ratio for every step (proportional odds)."
    return f"{told} Coefficients tell what goes together, not what causes what."
