"""Weights: raking a sample to population margins, with diagnostics, and weights as a column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from voxpop.analysis.cohort import names_of
from voxpop.analysis.frames import NO_ANSWER, Rowwise
from voxpop.errors import UsageError
from voxpop.stats.bases import design_effect, effective_base
from voxpop.stats.raking import rake as rake_arrays
from voxpop.survey.bands import Bands
from voxpop.survey.frame_columns import plain_data
from voxpop.survey.relations import relation_of
from voxpop.survey.store_view import with_words
from voxpop.survey.survey import Survey
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]
Data = TypeVar("Data")
Missing = Literal["raise", "own", "leave"]
Totals = Literal["raise", "rescale"]
_MISSING: tuple[str, ...] = get_args(Missing)
_TOTALS: tuple[str, ...] = get_args(Totals)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Weights:
    """Raked weights in row order, with a report.

    Attributes
    ----------
    weights : array of float
        The weights.
    report : dict
        respondents, total, iterations, min, max, ratio, deff, effective_base, efficiency (percent), notices.
    achieved : pandas.DataFrame
        Per variable and level: target, sum of weights, and unweighted respondents.
    """

    weights: Floats
    report: dict[str, Any]
    achieved: pd.DataFrame

    def add_to(self, data: Data, name: str = "weight") -> Data | pa.Table:
        """Return a copy of the data with the weights as an additional column.

        A survey stays a survey. A DuckDB relation is returned as an Arrow table, with its question wordings
        and source.

        Raises
        ------
        UsageError
            If the number of rows differs, or the data already have this column.
        """
        return self._added(data, name)

    def _added(self, data: Any, name: str) -> Any:
        columns = names_of(data)
        if name in columns:
            raise UsageError(f"The data already have a column {name!r}; choose another name.")
        held = data if isinstance(data, Survey) else None
        given = plain_data(data) if held is None else held.relation.to_arrow_table()
        table = with_words(given) if isinstance(given, duckdb.DuckDBPyRelation) else given
        rows = table.num_rows if isinstance(table, pa.Table) else len(table)
        if rows != self.weights.size:
            raise UsageError(f"There are {self.weights.size:,} weights, but the data have {rows:,} rows.")
        if isinstance(table, pa.Table):
            table = table.append_column(name, pa.array(self.weights))
            step = f"{name}: raked weights added."
            return table if held is None else held.with_rows(relation_of(table), step)
        return table.assign(**{name: self.weights})

    def __repr__(self) -> str:
        told = self.report
        lines = [
            f"Weights of {told['respondents']:,} respondents, raked in {told['iterations']} rounds",
            f"efficiency {told['efficiency']:.1f} % · effective base {told['effective_base']:,.1f} · "
            f"design effect {told['deff']:.3f}",
            f"smallest {told['min']:.4f} · largest {told['max']:.4f} · ratio {told['ratio']:.2f}",
            *told["notices"],
        ]
        return "\n".join(lines)


def rake(
    data: Any,
    targets: Mapping[str, Any],
    *,
    start: str | None = None,
    cap: float | None = None,
    tol: float = 1e-10,
    max_iter: int = 1000,
    missing: Missing = "raise",
    totals: Totals = "raise",
) -> Weights:
    """Weight a sample to the margins of a population.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent.
    targets : dict
        Margin per variable (or ``vp.bands`` of one): a dict or Series of level to number, or the counts of a
        filter (``client.filters.count(...).filters["gender"]``). Margins of shares (with sum 1 or 100) give
        weights with mean 1; margins of counts give weights with that sum. A complete filter count gives the
        margins of all its fields.
    start : str, optional
        Column of starting weights.
    cap : float, optional
        Upper limit of weights, relative to their mean; above 1.
    tol, max_iter : float and int
        Stopping criteria: largest change of a weight, and number of iterations.
    missing : {"raise", "own", "leave"}, default "raise"
        Treatment of respondents without an answer to a margin: raise an error; treat them as a level of their
        own that keeps its share; or leave their weights unchanged by this margin.
    totals : {"raise", "rescale"}, default "raise"
        Treatment of margins with different totals: raise an error, or rescale them as shares, with a notice.

    Raises
    ------
    UsageError
        If a target has no respondents, a level has no target, totals differ, answers are missing, weights are
        invalid, or raking does not converge. The message names variable and level.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"gender": ["male", "male", "male", "female"]})
    >>> made = rake(people, {"gender": {"male": 0.5, "female": 0.5}})
    >>> made.weights.round(3).tolist(), round(made.report["efficiency"], 1)
    ([0.667, 0.667, 0.667, 2.0], 75.0)
    """
    if missing not in _MISSING:
        raise UsageError(f"missing must be one of {', '.join(_MISSING)}, not {missing!r}.")
    if cap is not None and not cap > 1:
        raise UsageError(f"cap must be above 1 (a multiple of the mean weight), not {cap}.")
    margins = read_targets(targets)
    frame = Rowwise(data, list(margins), start)
    given = frame.weights
    codes, wanted = [], []
    notices: list[str] = []
    total = _total(margins, totals, float(given.size), notices)
    for name, margin in margins.items():
        code, target = _margin(frame, name, margin, missing, notices)
        codes.append(code)
        wanted.append(target / target.sum() * _reach(code, given, total))
    made = rake_arrays(codes, wanted, given, cap=cap, tol=tol, max_iter=max_iter)
    if not made.converged:
        told = f" with cap={cap:g}" if cap is not None else ""
        raise UsageError(
            f"Raking did not meet its margins in {made.rounds} rounds{told}: "
            f"{', '.join(map(word, margins))} contradict each other in this sample; leave one out, merge "
            "small levels, or raise the cap."
        )
    achieved = _achieved(frame, margins, codes, wanted, made.weights)
    return Weights(made.weights, _report(made.weights, made.rounds, notices), achieved)


Margins = Mapping[str | Bands, Mapping[str, float]]


def read_targets(targets: Any) -> dict[str | Bands, dict[str, float]]:
    """Read margins: nonnegative numbers by variable (or its bands) and level."""
    fields = getattr(targets, "filters", targets)
    if not isinstance(fields, Mapping) or not fields:
        raise UsageError(
            'targets must map variables to margins, such as {"gender": {"male": 0.49, "female": 0.51}}.'
        )
    made: dict[str | Bands, dict[str, float]] = {}
    for key, margin in fields.items():
        name = word(key)
        if isinstance(margin, pd.Series | Mapping):
            pairs = list(margin.items())
        else:
            pairs = [(_part(one, "value"), _part(one, "count")) for one in margin]
        levels = {_level(level): float(number) for level, number in pairs}
        for level, number in levels.items():
            if not (math.isfinite(number) and number >= 0):
                raise UsageError(f"The target of {name!r}, level {level!r}, must be 0 or more, not {number}.")
        if not sum(levels.values()) > 0:
            raise UsageError(f"The targets of {name!r} are all zero.")
        made[key if isinstance(key, Bands) else str(key)] = levels
    return made


def word(key: Any) -> str:
    """Return the name of a margin."""
    return key.column if isinstance(key, Bands) else str(key)


def _part(one: Any, name: str) -> Any:
    return one[name] if isinstance(one, Mapping) else getattr(one, name)


def _level(level: Any) -> str:
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


def _total(margins: Margins, totals: str, respondents: float, notices: list[str]) -> float:
    """Return the total of the weights; refuse margins with different totals."""
    if totals not in _TOTALS:
        raise UsageError(f"totals must be raise or rescale, not {totals!r}.")
    sums = {word(name): math.fsum(margin.values()) for name, margin in margins.items()}
    first = next(iter(sums.values()))
    if any(not math.isclose(one, first, rel_tol=1e-6) for one in sums.values()):
        told = ", ".join(f"{name} {one:,.10g}" for name, one in sums.items())
        if totals == "raise":
            raise UsageError(
                f'The totals of the margins differ: {told}. Correct them, or pass totals="rescale".'
            )
        notices.append(f"Totals differ ({told}): all margins were taken as shares.")
        return respondents
    is_share = any(math.isclose(first, one, rel_tol=1e-6) for one in (1.0, 100.0))
    return respondents if is_share and not math.isclose(first, respondents) else first


def _margin(
    frame: Rowwise, key: str | Bands, margin: Mapping[str, float], missing: str, notices: list[str]
) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return each respondent's position in a margin, and the targets."""
    labels, name = frame.labels(key), word(key)
    levels = list(margin)
    position = {level: place for place, level in enumerate(levels)}
    seen = {label for label in labels if label is not None}
    for level in sorted(seen - set(levels)):
        hint = did_you_mean(nearest(level, levels))
        raise UsageError(f"{name!r} has respondents of level {level!r}, but no target for it{hint}")
    weights = frame.weights
    code = np.array([-1 if label is None else position[label] for label in labels], dtype=np.intp)
    target = np.array([margin[level] for level in levels], dtype=np.float64)
    held = np.bincount(code[code >= 0], weights[code >= 0], minlength=len(levels))
    for place, level in enumerate(levels):
        if target[place] > 0 and not held[place] > 0:
            raise UsageError(
                f"{name!r} has a target of {target[place]:,.10g} for level {level!r}, but no respondent of "
                "it; merge it with another level, or recruit some."
            )
    without = int((code < 0).sum())
    if without and missing == "raise":
        raise UsageError(
            f'{without:,} respondents have no answer to {name!r}; pass missing="own" or missing="leave".'
        )
    if without and missing == "own":
        own = math.fsum(weights[code < 0]) / math.fsum(weights)
        target = np.append(target / target.sum() * (1 - own), own)
        code = np.where(code < 0, len(levels), code)
        notices.append(f"{without:,} without {name} keep their share as a level of their own.")
    elif without:
        notices.append(f"{without:,} without {name} are left alone by this margin.")
    return code, target


def _reach(code: npt.NDArray[np.intp], weights: Floats, total: float) -> float:
    """Return the part of the total that a margin distributes: all but the share of unchanged weights."""
    return total * math.fsum(weights[code >= 0]) / math.fsum(weights)


def _achieved(
    frame: Rowwise,
    margins: Margins,
    codes: list[npt.NDArray[np.intp]],
    wanted: list[Floats],
    weights: Floats,
) -> pd.DataFrame:
    rows = []
    for (name, margin), code, target in zip(margins.items(), codes, wanted, strict=True):
        labels = [*margin, NO_ANSWER][: target.size]
        for place, label in enumerate(labels):
            inside = code == place
            rows.append((word(name), label, int(inside.sum()), target[place], math.fsum(weights[inside])))
    return pd.DataFrame(rows, columns=["variable", "level", "respondents", "target", "achieved"])


def _report(weights: Floats, rounds: int, notices: list[str]) -> dict[str, Any]:
    total = math.fsum(weights)
    base = float(effective_base(total, math.fsum(weights * weights)))
    low, high = float(weights.min()), float(weights.max())
    return {
        "respondents": weights.size,
        "total": total,
        "iterations": rounds,
        "min": low,
        "max": high,
        "ratio": high / low if low > 0 else math.inf,
        "deff": float(design_effect(weights.size, base)),
        "effective_base": base,
        "efficiency": 100 * base / weights.size,
        "notices": tuple(notices),
    }
