"""Intercoder agreement beyond chance, on codes of answers or on any values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.draws import check_draws
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.picture import Picture
from voxpop.analysis.rounding import one_decimal, whole
from voxpop.errors import UsageError
from voxpop.stats.agreement import (
    LEVELS,
    Level,
    alpha_interval,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    unit_counts,
)
from voxpop.verbatims.codings import Codings
from voxpop.verbatims.word_chart import draw_agreement
from voxpop.vocabulary.nearest import did_you_mean, nearest

ALL_CODES = "all codes"
_WEIGHTS: Mapping[Level, Literal["linear", "quadratic"] | None] = {
    "nominal": None,
    "ordinal": "linear",
    "interval": "quadratic",
}

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Agreement:
    """The result of :func:`voxpop.verbatims.agreement`."""

    title: str
    table: pd.DataFrame
    level: Level
    asked: Mapping[str, Any]

    def long(self) -> pd.DataFrame:
        """Return one row per code.

        Returns
        -------
        pandas.DataFrame
            ``code``; ``coders``; number of ``units`` coded by two or more of them; ``percent`` of agreeing
            pairs (0 to 100); ``kappa`` and its ``kind`` (cohen, fleiss); Krippendorff's ``alpha`` with
            ``alpha_low`` and ``alpha_high``. Undefined values are missing, with a ``reason``.
        """
        return self.table.copy()

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the agreement again."""
        return {"table": "agreement", "level": self.level, **self.asked}

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def plot(self) -> Picture:
        """Draw the alpha of each code with its interval. Needs the extra ``charts``."""
        return draw_agreement(self.long(), self.title)

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _grid(self) -> Grid:
        heads = [
            Head("Total", label, "") for label in ("coders", "units", "agree %", "kappa", "alpha", "95 %")
        ]
        lines = []
        notes = [
            "kappa: Cohen's for two coders, Fleiss' for more that coded all units"
            + {"linear": ", linear weights", "quadratic": ", quadratic weights"}.get(
                str(_WEIGHTS[self.level]), ""
            )
            + f"; alpha: Krippendorff's, {self.level}, units drawn {self.asked['resamples']:,} times for its "
            f"interval (seed {self.asked['seed']}).",
            "1 is perfect agreement, 0 that of chance. Krippendorff (2004) asks for an alpha of .800, and of "
            ".667 for tentative conclusions.",
        ]
        if (self.table.alpha == 1).any():
            notes.append("An interval from 1 to 1 says only that no disagreement was seen among these units.")
        for values in self.table.to_dict("records"):
            row = SimpleNamespace(**{str(name): value for name, value in values.items()})
            interval = "" if math.isnan(row.alpha_low) else f"{_two(row.alpha_low)} to {_two(row.alpha_high)}"
            cells = [whole(row.coders), whole(row.units), _one(row.percent), _two(row.kappa), _two(row.alpha)]
            lines.append(Line(row.code, [*cells, interval], "missing" if row.code == ALL_CODES else "code"))
            if row.reason:
                notes.append(f"{row.code}: {row.reason}.")
        return Grid(self.title, "Agreement of coders beyond chance", heads, {"Total": ""}, lines, notes)


def _one(value: float) -> str:
    return "" if math.isnan(value) else one_decimal(value)


def _two(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def agreement(codings: Any, level: Level = "nominal", *, seed: int = 0, resamples: int = 1000) -> Agreement:
    """Measure intercoder agreement: percent, kappa, Krippendorff's alpha with a bootstrap interval.

    Parameters
    ----------
    codings : Codings or DataFrame
        Result of ``frame.code(data, question, table)``: each code is a yes or no per answer, and a last row
        compares complete sets of codes. Or a table of values, one row per unit and one column per coder, with
        missing values for units that a coder did not code.
    level : {"nominal", "ordinal", "interval"}, default "nominal"
        Distance of two values: equal or not (nominal), by ranks (ordinal), or by difference (interval).
        Ordered text needs a pandas Categorical.
    seed : int, default 0
        Seed of the bootstrap.
    resamples : int, default 1000
        Number of bootstrap resamples of the units.

    Returns
    -------
    Agreement
        ``.long()`` has one row per code. Agreement without variation is missing with a reason, never 1.

    Raises
    ------
    UsageError
        If there are fewer than two coders, or no unit was coded by two of them.

    Examples
    --------
    >>> coded = pd.DataFrame({"Ann": [1, 1, 2, 2, 2], "Bob": [1, 2, 2, 2, None]})
    >>> found = agreement(coded)
    >>> found.long()[["coders", "units", "percent", "kappa"]].round(2).values.tolist()
    [[2.0, 4.0, 75.0, 0.5]]
    """
    if level not in LEVELS:
        hint = did_you_mean(nearest(str(level), LEVELS)) or "."
        raise UsageError(f"level must be one of {', '.join(LEVELS)}, not {level!r}{hint}")
    if resamples < 1:
        raise UsageError(f"resamples must be 1 or more, not {resamples!r}.")
    chosen: Level = level
    if isinstance(codings, Codings):
        if chosen != "nominal":
            raise UsageError(f"Codes are nominal: level must be nominal for codings, not {level!r}.")
        title, tables = f"{codings.of.text} (coded)", _by_code(codings)
        coders: Sequence[Any] = codings.coders
    elif isinstance(codings, pd.DataFrame):
        title, tables = "Values", {"values": _by_column(codings, chosen)}
        coders = list(codings.columns)
    else:
        raise UsageError(
            f"agreement needs codings, or a DataFrame with a column per coder, not {type(codings).__name__}."
        )
    if len(coders) < 2:
        raise UsageError(f"agreement needs two or more coders, not {len(coders)}.")
    if not any((unit_counts(values).sum(axis=1) >= 2).any() for values in tables.values()):
        raise UsageError(f"No unit was coded by two of {', '.join(map(str, coders))}.")
    check_draws(seed, resamples)
    rows = [{"code": code, **_measured(values, chosen, seed, resamples)} for code, values in tables.items()]
    asked = {"coders": [str(coder) for coder in coders], "seed": seed, "resamples": resamples}
    return Agreement(title, pd.DataFrame(rows), chosen, asked)


def _by_code(codings: Codings) -> dict[str, Floats]:
    """Arrange codings as values (coders, answers): 1 or 0 per code, then complete sets of codes."""
    place = {name: number for number, name in enumerate(codings.of.ids)}
    given = np.zeros((len(codings.labels), len(codings.coders), len(place)), dtype=np.bool_)
    codes, coders = list(codings.labels), list(codings.coders)
    for row in codings.rows:
        given[codes.index(row.code_id), coders.index(row.coder), place[row.answer]] = True
    unseen = np.ones((len(coders), len(place)), dtype=np.bool_)
    for number, coder in enumerate(coders):
        unseen[number, [place[name] for name in codings.seen[coder]]] = False
    tables = {
        label: np.where(unseen, np.nan, given[number].astype(np.float64))
        for number, label in enumerate(codings.labels.values())
    }
    _, sets = np.unique(given.reshape(len(codes), -1), axis=1, return_inverse=True)
    tables[ALL_CODES] = np.where(unseen, np.nan, sets.reshape(unseen.shape).astype(np.float64))
    return tables


def _by_column(table: pd.DataFrame, level: Level) -> Floats:
    """Arrange a table of values as numbers (coders, units)."""
    orders = {
        tuple(held.cat.categories) for _, held in table.items() if isinstance(held.dtype, pd.CategoricalDtype)
    }
    if len(orders) > 1:
        raise UsageError("The coders' columns have different categories or orders.")
    if orders:
        position = {value: float(number) for number, value in enumerate(orders.pop())}
    elif all(pd.api.types.is_numeric_dtype(held.dtype) for _, held in table.items()):
        return np.asarray(table.to_numpy(dtype=np.float64, na_value=np.nan).T)
    elif level != "nominal":
        raise UsageError(
            f"Values of level {level} must be numbers or an ordered pandas Categorical, not text."
        )
    else:
        known = sorted({str(value) for _, held in table.items() for value in held.dropna()})
        position = {value: float(number) for number, value in enumerate(known)}
        table = table.astype("string")
    columns = [[position.get(value, math.nan) for value in held] for _, held in table.items()]
    return np.array(columns, dtype=np.float64)


def _measured(values: Floats, level: Level, seed: int, resamples: int) -> dict[str, Any]:
    counts = unit_counts(values)
    shared = counts[counts.sum(axis=1) >= 2]
    coders = int((~np.isnan(values)).any(axis=1).sum())
    low, high = alpha_interval(values, level, seed=seed, resamples=resamples)
    kappa, kind = math.nan, ""
    if coders == 2:
        first, second = (row for row in values if not np.isnan(row).all())
        kappa, kind = cohen_kappa(first, second, _WEIGHTS[level]), "cohen"
    elif level == "nominal":
        kappa, kind = fleiss_kappa(shared), "fleiss"
    return {
        "coders": coders,
        "units": len(shared),
        "percent": percent_agreement(values),
        "kappa": kappa,
        "kind": kind,
        "alpha": krippendorff_alpha(values, level),
        "alpha_low": low,
        "alpha_high": high,
        "reason": _reason(shared, coders, level, kappa),
    }


def _reason(shared: Floats, coders: int, level: Level, kappa: float) -> str:
    """Return why a measure is missing."""
    if not len(shared):
        return "no unit was coded by two coders"
    if (shared.sum(axis=0) > 0).sum() < 2:
        return "every coder gave every unit the same value; chance would agree as well"
    if math.isnan(kappa):
        return (
            "Fleiss' kappa is for values that are alike or not"
            if level != "nominal" and coders > 2
            else ("the units differ in their number of coders, so only alpha is defined")
        )
    return ""
