"""Figures of an estimate: per cohort, with variance, interval, design effect and degrees of freedom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.columns import Bools
from voxpop.analysis.design_rows import DesignRows
from voxpop.analysis.figures import LEVEL, Column, Group, letter_of
from voxpop.analysis.frames import Variable
from voxpop.analysis.levels import Codes
from voxpop.analysis.sig_test import SigTest
from voxpop.analysis.significance import Compared
from voxpop.errors import UsageError
from voxpop.stats.corrections import CORRECTIONS
from voxpop.stats.design_tests import difference
from voxpop.stats.estimates import Against, Estimates, logit_se, means, ratios, totals
from voxpop.stats.quantile_rules import QuantileRule
from voxpop.stats.quantiles import QuantileInterval, quantile
from voxpop.stats.share_intervals import ShareInterval, share_interval

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """The figure estimated for each cohort.

    Attributes
    ----------
    kind : {"mean", "total", "share", "ratio", "quantile"}
        The statistic.
    numbers : array (rows, variables)
        Numbers, NaN if missing: one column per level of shares, two for a ratio.
    labels : tuple of str
        The label of each statistic of a cohort; empty texts if there is one.
    interval : str
        Method of the intervals.
    against : {"srswr", "srswor"}
        What design effects refer to.
    p : tuple of float
        Quantiles.
    rule : str
        Rule of quantiles.
    """

    kind: str
    numbers: Floats
    labels: tuple[str, ...]
    interval: Any
    against: Against
    p: tuple[float, ...] = ()
    rule: QuantileRule = "math"

    def of(self, read: DesignRows, codes: Codes, groups: int) -> Estimates:
        """Estimate the statistic of groups of rows."""
        if self.kind == "ratio":
            above, below = self.numbers[:, 0], self.numbers[:, 1]
            return ratios(read.sample, above, below, codes, groups, against=self.against)
        way = totals if self.kind == "total" else means
        return way(read.sample, self.numbers, codes, groups, against=self.against)


@dataclass(frozen=True, eq=False, slots=True)
class Attribute:
    """The cohorts of an attribute: the group of each row (-1: none), and their estimates."""

    group: Group | None
    codes: Codes
    labels: tuple[str, ...]
    found: Estimates | None


def cohorts_of(
    read: DesignRows, across: Sequence[Variable], figure: Figure
) -> tuple[tuple[Column, ...], list[Attribute]]:
    """Return the columns, Total first, and the estimates of each attribute."""
    answered = ~np.isnan(figure.numbers).any(axis=1)
    shown = read.inside.copy()
    if across:
        shown &= np.logical_or.reduce([variable.answered for variable in across])
    columns = [Column("Total", "Total", "")]
    whole = np.where(shown, 0, -1)
    made = [Attribute(None, whole, ("Total",), _found(read, figure, whole, 1))]
    for variable in across:
        if variable.multiple:
            raise UsageError(
                f"{variable.name!r} has several answers per respondent; cohorts of an estimate need one each."
            )
        codes = np.full(read.frame.rows, -1, dtype=np.intp)
        codes[variable.agents] = variable.codes
        codes[~read.inside] = -1
        places = slice(len(columns), len(columns) + len(variable.levels))
        columns += [
            Column(variable.name, level, letter_of(place)) for place, level in enumerate(variable.levels)
        ]
        outside = int(read.frame.counts[read.inside & answered & (codes < 0)].sum())
        group = Group(variable.name, variable.text, places, None, outside)
        found = _found(read, figure, codes, len(variable.levels))
        made.append(Attribute(group, codes, variable.levels, found))
    return tuple(columns), made


def _answered(figure: Figure) -> Bools:
    return ~np.asarray(np.isnan(figure.numbers).any(axis=1), dtype=np.bool_)


def _found(read: DesignRows, figure: Figure, codes: Codes, groups: int) -> Estimates | None:
    return None if figure.kind == "quantile" else figure.of(read, codes, groups)


def lines_of(read: DesignRows, attribute: Attribute, figure: Figure) -> list[dict[str, Any]]:
    """Return the lines of an attribute: cohort by cohort, statistic by statistic."""
    name = "Total" if attribute.group is None else attribute.group.name
    lines: list[dict[str, Any]] = []
    known = _answered(figure)
    on_logits = None
    if figure.kind == "share" and figure.interval == "logit" and read.sample.is_replicated:
        on_logits = logit_se(read.sample, figure.numbers, attribute.codes, len(attribute.labels))
    for place, label in enumerate(attribute.labels):
        rows = attribute.codes == place
        every = bool(rows.all())
        df = read.sample.degrees(None if every else rows)
        held = rows & known
        if attribute.found is None and not held.all():
            df = read.sample.degrees(held)  # as R's svyquantile, which leaves out missing answers
        base = int(read.frame.counts[held].sum())
        with_weight = float(read.sample.counts[rows].sum())
        for number, level in enumerate(figure.labels):
            if attribute.found is None:
                figures = _quantile(read, figure, number, None if every else rows, df)
            else:
                here = place * len(figure.labels) + number
                figures = _figures(figure, attribute.found, here, df, with_weight, on_logits)
            line = {"column_group": name, "group": label} | ({"level": level} if level else {})
            lines.append(line | {"n": base} | figures | {"df": df})
    return lines


def _figures(
    figure: Figure, found: Estimates, place: int, df: float, count: float, on_logits: Floats | None
) -> dict[str, float]:
    """Return the figures of one statistic; shares as percentages."""
    value, se = float(found.values[place]), float(found.se[place])
    if figure.kind == "share":
        method: ShareInterval = figure.interval
        spread = se if on_logits is None else float(on_logits[place]) * value * (1 - value)
        low, high = share_interval(value, spread, df, method, count=count, level=LEVEL)
    else:
        low, high = share_interval(value, se, df, "mean", level=LEVEL)
    scale = 100 if figure.kind == "share" else 1
    made = {"estimate": scale * value, "se": scale * se, "ci_low": scale * low, "ci_high": scale * high}
    return made | {"deff": float(found.deff[place])}


def _quantile(
    read: DesignRows, figure: Figure, number: int, rows: Bools | None, df: float
) -> dict[str, float]:
    method: QuantileInterval = figure.interval
    found = quantile(
        read.sample,
        figure.numbers[:, 0],
        figure.p[number],
        inside=rows,
        interval=method,
        rule=figure.rule,
        level=LEVEL,
        df=df,
    )
    made = {"estimate": found.value, "se": found.se, "ci_low": found.low, "ci_high": found.high}
    return made | {"deff": math.nan}


def covariance_frame(attribute: Attribute, figure: Figure) -> pd.DataFrame:
    """Return the covariance of the estimates of an attribute, with their labels."""
    assert attribute.found is not None
    named = [
        f"{label} {level}".strip() if attribute.group is not None or level else label
        for label in attribute.labels
        for level in figure.labels
    ]
    return pd.DataFrame(attribute.found.covariance, index=named, columns=named)


def compared(
    read: DesignRows, attribute: Attribute, figure: Figure, sig: SigTest, flags: Sequence[str]
) -> Compared:
    """Compare all pairs of cohorts of an attribute by t tests that know their covariance."""
    found, many = attribute.found, len(figure.labels)
    assert found is not None
    size = len(attribute.labels)
    a, b = (places.astype(np.intp) for places in np.triu_indices(size, 1))
    shape = (many, a.size)
    gap, statistic, degrees, p = (np.full(shape, math.nan) for _ in range(4))
    reasons = np.full(shape, "", dtype=np.object_)
    known = _answered(figure)
    for k, (one, other) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        both = (attribute.codes == one) | (attribute.codes == other)
        df = read.sample.degrees(both if read.sample.is_replicated else both & known) - 1
        for i in range(many):
            apart, _, t, chance = difference(found, one * many + i, other * many + i, df)
            gap[i, k] = apart
            if "**" in (flags[one * many + i], flags[other * many + i]):
                reasons[i, k] = "base too small"
            elif math.isnan(t):
                reasons[i, k] = "no variation" if not math.isnan(apart) else "no answers"
            else:
                statistic[i, k], degrees[i, k], p[i, k] = t, df, chance
    correct = CORRECTIONS[sig.adjust]
    adjusted = correct(p) if sig.scope == "table" else np.array([correct(row) for row in p]).reshape(shape)
    labels = tuple(label or figure.kind for label in figure.labels)
    return Compared(labels, a, b, gap, statistic, degrees, p, np.asarray(adjusted), reasons)
