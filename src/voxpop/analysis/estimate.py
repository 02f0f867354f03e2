"""Estimates under a sampling design: means, totals, shares, ratios and quantiles by cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from voxpop.analysis.cautions import versions_told
from voxpop.analysis.cohort import columns_of, read_where
from voxpop.analysis.crosstab import By, read_by, shown
from voxpop.analysis.design_rows import DesignRows, open_design
from voxpop.analysis.estimate_result import Estimate, Tests
from voxpop.analysis.estimating import (
    Attribute,
    Figure,
    cohorts_of,
    compared,
    covariance_frame,
    lines_of,
)
from voxpop.analysis.figures import Column
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.sig_test import Sig, SigTest, read_sig
from voxpop.analysis.summary import lettered
from voxpop.analysis.table_spec import TableSpec
from voxpop.errors import UsageError
from voxpop.stats.estimates import Against
from voxpop.stats.quantile_rules import QUANTILE_RULES, QuantileRule
from voxpop.stats.quantiles import QUANTILE_INTERVALS
from voxpop.stats.replication import ReplicateSample
from voxpop.stats.share_intervals import SHARE_INTERVALS
from voxpop.survey.design import Design
from voxpop.vocabulary.nearest import did_you_mean, nearest

EstimateKind = Literal["mean", "total", "share", "ratio", "quantile"]
KINDS: tuple[str, ...] = get_args(EstimateKind)
_TITLES = {"mean": "mean", "total": "total", "share": "%", "ratio": "ratio", "quantile": "quantile"}


def estimate(  # noqa: PLR0913 (options by keyword)
    data: Any,
    question: str,
    by: By = None,
    *,
    kind: EstimateKind | None = None,
    level: str | None = None,
    below: str | None = None,
    p: float | Sequence[float] = 0.5,
    design: Design | None = None,
    where: Any = None,
    interval: str | None = None,
    rule: QuantileRule = "math",
    deff: Against = "srswr",
    sig: Sig = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Estimate:
    """Estimate a figure of the population, with the variance of the sampling design.

    Parameters
    ----------
    data : Survey, pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per respondent, all rows of the sample: choose a subpopulation with ``where``, not by dropping
        rows, since the variance rests on the clusters of all.
    question : str
        A column; the numerator of a ratio.
    by : str, Bands or list of them, optional
        Attributes whose levels are the cohorts.
    kind : {"mean", "total", "share", "ratio", "quantile"}, optional
        What to estimate. Default: the mean of a numeric column, otherwise the shares of its levels.
    level : str, optional
        The level of shares, or of a total (then the number of people); every level by default.
    below : str, optional
        Denominator of a ratio.
    p : float or sequence of float, default 0.5
        Quantiles, from 0 to 1.
    design : vp.Design, optional
        The sampling design; by default that of a Survey.
    where : Filter, dict or mask, optional
        The subpopulation.
    interval : str, optional
        Intervals of shares: ``logit`` (default), ``beta``, ``wilson``, ``xlogit``, ``asin``, ``mean``.
        Intervals
        of quantiles: ``mean`` (default), ``beta``, ``xlogit``, ``asin``, ``score``, ``quantile`` (replicates
        only).
    rule : str, default "math"
        Rule of quantiles, as ``qrule`` in R: ``math``, ``school``, ``shahvaish``, ``hf1`` to ``hf9``.
    deff : {"srswr", "srswor"}
        The simple random sample that design effects refer to: with or without replacement.
    sig, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`; bases are effective, that is divided by the design effect.

    Returns
    -------
    Estimate
        ``.long()`` has group, (level,) n, estimate, se, ci_low, ci_high (shares and their se in percent),
        deff, df, higher_than, flag; ``.pairs()`` the differences between cohorts, ``.covariance(attribute)``
        what contrasts need.

    Raises
    ------
    UsageError
        If there is no design, one of its columns is absent or has missing values, a stratum has one sampling
        unit (see ``vp.Design(single_psu=)``), or the arguments do not suit the kind.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame(
    ...     {"spend": [3.0, 5, 4, 8, 7, 9], "block": [1, 1, 2, 3, 3, 4], "area": [1, 1, 1, 2, 2, 2]}
    ... )
    >>> made = estimate(people, "spend", design=Design(strata="area", clusters="block"))
    >>> made.long()[["group", "n", "estimate", "se", "df"]].round(4)
       group  n  estimate      se   df
    0  Total  6       6.0  0.3333  2.0
    """
    drawn = _design_of(data, design)
    chooser = read_where(where, data)
    asked = TableSpec(
        "estimate",
        drawn.weight,
        shown(chooser),
        "column",
        read_sig(sig),
        {},
        None,
        min_base,
        small_base,
        read_by(by),
    )
    _check_kind(kind, level, below, deff, rule)
    if asked.sig is not None and not asked.sig.lettered:
        raise UsageError("Cohorts of an estimate are compared with each other; sig= takes no against= here.")
    keys = [question, *asked.by, *([] if below is None else [below])]
    measured = question if kind in (None, "mean", "total", "ratio", "quantile") and level is None else None
    moments = kind in (None, "mean", "total") and question not in _columns(chooser, asked)
    read = open_design(data, keys, chooser, drawn, measured, moments=moments)
    variable, chosen = _variable(read.frame, question, kind, level)
    figure = _figure(read, variable, chosen, level, below, p=p, interval=interval, rule=rule, deff=deff)
    given: dict[str, Any] = {"deff": deff}
    given |= ({"level": level} if level else {}) | ({"below": below} if below else {})
    given |= {"p": list(figure.p), "rule": rule} if chosen == "quantile" else {}
    return _made(read, variable, asked, figure, given)


def _columns(chooser: Any, asked: TableSpec) -> list[str]:
    """Return the columns of the filter and of the attributes."""
    held = [*columns_of(chooser), *asked.by]
    return [key if isinstance(key, str) else key.column for key in held]


def _design_of(data: Any, design: Design | None) -> Design:
    """Return the design that is given, or that of a survey."""
    if isinstance(design, Design):
        return design
    if design is not None:
        raise UsageError(f'design must be vp.Design("weight", strata=..., clusters=...), not {design!r}.')
    held = None if hasattr(data, "iloc") else getattr(data, "design", None)
    if isinstance(held, Design):
        return held
    raise UsageError(
        "These data have no sampling design. Give design=vp.Design(weight, strata=..., "
        "clusters=..., fpc=...), "
        "design=vp.Design() for a simple random sample, or make a survey with vp.data(...)."
    )


def _check_kind(kind: Any, level: Any, below: Any, deff: Any, rule: Any) -> None:
    """Refuse arguments that contradict each other."""
    for name, value, allowed in (
        ("kind", kind or "mean", KINDS),
        ("deff", deff, get_args(Against)),
        ("rule", rule, QUANTILE_RULES),
    ):
        if value not in allowed:
            hint = did_you_mean(nearest(str(value), allowed)) or "."
            raise UsageError(f"{name} must be one of {', '.join(allowed)}, not {value!r}{hint}")
    if (kind == "ratio") != (below is not None):
        raise UsageError("A ratio needs below=, the column of its denominator; other kinds take none.")
    if level is not None and kind not in (None, "share", "total"):
        raise UsageError(f"level= belongs to shares and totals, not to kind={kind!r}.")


def _variable(frame: Frame, question: str, kind: Any, level: str | None) -> tuple[Variable, str]:
    """Read the question as a number or as levels, and choose the kind."""
    numeric = frame.is_number(question)
    chosen = kind or ("share" if level is not None or not numeric else "mean")
    if chosen == "share" or (chosen == "total" and (level is not None or not numeric)):
        variable = frame.variable(question)
        if level is not None and level not in variable.levels:
            levels = f"; it has {', '.join(variable.levels)}"
            hint = did_you_mean(nearest(str(level), variable.levels)) or levels
            raise UsageError(f"{question!r} has no level {level!r}{hint}")
        return variable, chosen
    return frame.measure(question), chosen


def _figure(
    read: DesignRows,
    variable: Variable,
    kind: str,
    level: str | None,
    below: str | None,
    *,
    p: float | Sequence[float],
    interval: str | None,
    rule: QuantileRule,
    deff: Against,
) -> Figure:
    """Return what is estimated of each cohort."""
    allowed = {"share": SHARE_INTERVALS, "quantile": QUANTILE_INTERVALS}.get(kind, ("Student",))
    usual = {"share": "logit", "quantile": "mean"}.get(kind, "Student")
    if interval is not None and interval not in allowed:
        raise UsageError(f"interval of a {kind} must be one of {', '.join(allowed)}, not {interval!r}.")
    replicated = isinstance(read.sample, ReplicateSample)
    if (interval == "quantile" and not replicated) or (interval == "score" and replicated):
        raise UsageError(
            "interval='score' needs a linearized variance, interval='quantile' replicate weights; "
            "this design "
            f"has {'replicate weights' if replicated else 'a linearized variance'}."
        )
    method = interval or usual
    frame = read.frame
    if variable.levels:
        levels = variable.levels if level is None else (level,)
        numbers = np.full((frame.rows, len(levels)), np.nan)
        members = list(variable.members())
        for place, name in enumerate(levels):
            numbers[variable.answered, place] = members[variable.levels.index(name)][variable.answered]
        return Figure(kind, numbers, tuple(levels), method, deff)
    names = [variable.name, *([] if below is None else [below])]
    numbers = np.column_stack([frame.numbers(name) for name in names])
    if kind != "quantile":
        return Figure(kind, numbers, ("",), method, deff)
    every = (p,) if isinstance(p, int | float) else tuple(p)
    if not every or not all(0 <= part <= 1 for part in every):
        raise UsageError(f"p must be from 0 to 1, not {p!r}.")
    labels = tuple("median" if part == 0.5 else f"{100 * part:g} %" for part in every)
    return Figure(kind, numbers, labels, method, deff, every, rule)


def _made(
    read: DesignRows, variable: Variable, asked: TableSpec, figure: Figure, given: dict[str, Any]
) -> Estimate:
    """Compute the lines and put the result together."""
    across = [read.frame.attribute(key).with_not_assigned() for key in asked.by]
    columns, attributes = cohorts_of(read, across, figure)
    held = [(attribute, _flagged(lines_of(read, attribute, figure), asked)) for attribute in attributes]
    tested = [(attribute, [line["flag"] for line in lines]) for attribute, lines in held[1:]]

    def comparing(sig: SigTest) -> Tests:
        return _tests(read, tested, figure, sig)

    tests = comparing(asked.sig) if asked.sig is not None else ()
    letters = lettered(columns, tests, asked)
    every = _lettered([line for _, lines in held for line in lines], columns, letters, len(figure.labels))
    frame, sample = read.frame, read.sample
    known = ~np.isnan(figure.numbers).any(axis=1)
    unasked = np.zeros_like(known) if variable.unasked is None else variable.unasked
    left = read.inside & ~known
    covariances = {
        "Total" if attribute.group is None else attribute.group.name: covariance_frame(attribute, figure)
        for attribute in attributes
        if attribute.found is not None
    }
    return Estimate(
        name=variable.name,
        text=variable.text,
        columns=columns,
        groups=tuple(attribute.group for attribute in attributes if attribute.group is not None),
        lines=tuple(every),
        tests=tests,
        asked=replace(asked, more={}),
        source=frame.note,
        remarks=versions_told(frame.versions, frame.note, frame.provenance, stacklevel=4),
        printed=_printed(figure.kind),
        test_words=_test_words(asked.sig or SigTest()),
        how=figure.interval,
        missing=int(frame.counts[left & ~unasked].sum()),
        unasked=int(frame.counts[left & unasked].sum()),
        provenance=frame.provenance,
        grounds=frame.grounds,
        kind=figure.kind,
        design=read.design,
        method=_method(sample),
        given=given,
        covariances=covariances,
        comparing=comparing,
    )


def _flagged(lines: list[dict[str, Any]], asked: TableSpec) -> list[dict[str, Any]]:
    """Mark lines whose effective base is small."""
    for line in lines:
        base = line["n"] / line["deff"] if line["deff"] > 0 else line["n"]
        line["flag"] = "**" if base < asked.min_base else "*" if base < asked.small_base else ""
    return lines


def _lettered(
    lines: list[dict[str, Any]], columns: Sequence[Column], letters: list[list[str]], many: int
) -> list[dict[str, Any]]:
    """Add the letters to lines, statistic by statistic."""
    place = {(column.group, column.label): number for number, column in enumerate(columns)}
    for number, line in enumerate(lines):
        row = number % many
        own = letters[row] if row < len(letters) else [""] * len(columns)
        line["higher_than"] = own[place[line["column_group"], line["group"]]]
        line["flag"] = line.pop("flag")
    return lines


def _printed(kind: str) -> tuple[tuple[str, str], ...]:
    deff = () if kind == "quantile" else (("deff", "deff"),)
    shown = (("n", "n"), ("estimate", _TITLES[kind]), ("se", "SE"), ("ci_low", "low"), ("ci_high", "high"))
    return (*shown, *deff, ("df", "df"))


def _tests(
    read: DesignRows, tested: Sequence[tuple[Attribute, list[str]]], figure: Figure, sig: SigTest
) -> Tests:
    return tuple(
        (attribute.group, compared(read, attribute, figure, sig, flags))
        for attribute, flags in tested
        if attribute.group is not None and attribute.found is not None
    )


def _test_words(sig: SigTest) -> str:
    return f"cohorts compared by design-based t tests, {sig.words(weighted=False).split(', ', 1)[1]}"


def _method(sample: Any) -> str:
    if not isinstance(sample, ReplicateSample):
        return f"linearized over {len(sample.stages)} stages" if len(sample.stages) > 1 else "linearized"
    return f"from {sample.replicates.shape[1]:,} replicates"
