"""Figures of each question: bases, distributions with intervals, means, and a sentence on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import placeholder_notice
from voxpop.jobs.evidence import (
    SIMULATED,
    Claim,
    Column,
    Evidence,
    Mask,
    by_option,
    claim,
    number_text,
    outcomes,
    quoted,
    scale_ends,
    share_text,
)
from voxpop.jobs.placeholders import NOTHING_KNOWN, bases_of, known_part
from voxpop.stats import wilson
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER, NUMBER, RANKING

MAX_BINS = 10
MAX_POINTS = 20

Level = tuple[str, Any, Mask]


def stats(evidence: Evidence) -> dict[str, Any]:
    """Compute the figures of every question.

    Returns
    -------
    dict
        ``questions``: one entry per question with ``asked, answered, failed, removed, no_value, base`` and,
        for a coded one, ``distribution`` (``label, value, count, share, ci_low, ci_high``; shares are 0-1 of
        the base, intervals are 95 % Wilson) and, for scales and numbers, ``mean, sd, median`` and related
        statistics. ``bases`` counts what the answers rest on; ``placeholders`` is a notice if no figure is
        known for some. ``claims``: the headline of each coded question, without placeholders. ``notes``: how
        to read them.
    """
    known, told = known_part(evidence)
    claims = [line for column in known.columns if (line := headline(column)) is not None]
    if told is not None and not known.columns:
        told = NOTHING_KNOWN
    notes = [
        *([told] if told is not None else []),
        *notices(evidence),
        "Shares are of the agents who gave a coded answer; intervals are 95% Wilson intervals.",
        SIMULATED,
    ]
    if evidence.removed_answers:
        notes.append(f"{evidence.removed_answers:,} answers of agents removed from the study are left out.")
    return {"questions": [question_figures(c) for c in evidence.columns], "claims": claims, "notes": notes}


def notices(evidence: Evidence) -> list[str]:
    """Return the engine's notices on questions, to read before using their answers."""
    asked = [column.question for column in evidence.columns]
    return [f"{quoted(one.key or one.text)}: {one.notice}" for one in asked if one.notice]


def question_figures(column: Column) -> dict[str, Any]:
    """Return the figures of one question, as in :func:`stats`."""
    question, base, bases = column.question, column.size, bases_of(column)
    lost = sum(one["answers"] for one in bases if one["kind"] == NONE)
    figures: dict[str, Any] = {
        "question_id": question.id,
        "key": question.key,
        "question": question.text,
        "type": question.type,
        "unit": question.unit,
        "asked": question.asked_count,
        "answered": column.answered,
        "failed": question.failed_count,
        "notice": question.notice,
        "bases": bases,
        "placeholders": placeholder_notice(question.key or question.text, lost, column.answered),
        "removed": column.removed,
        "no_value": column.answered - base,
        "base": base,
        "distribution": [_row(name, value, chosen, base) for name, value, chosen in levels(column)],
    }
    if question.shape.numeric and base:
        figures |= _moments([float(value) for value in column.values if value is not None])
    if question.shape is RANKING and base:
        _add_mean_ranks(column, figures["distribution"])
    return figures


def _row(name: str, value: Any, chosen: Mask, base: int) -> dict[str, Any]:
    count = int(np.count_nonzero(chosen))
    row: dict[str, Any] = {"label": name, "value": value, "count": count, "share": None}
    if not base:
        return row | {"ci_low": None, "ci_high": None}
    low, high = wilson(count / base, base)
    return row | {"share": count / base, "ci_low": float(low), "ci_high": float(high)}


def levels(column: Column) -> list[Level]:
    """Return the label, value and answers of each row of a distribution; no rows for open questions."""
    shape = column.question.shape
    if shape is BOOLEAN:
        return [(outcome.label, outcome.label == "Yes", outcome.chosen) for outcome in outcomes(column)]
    if shape is INTEGER:
        low, high = scale_ends(column.question)
        if high - low > MAX_POINTS:
            return _number_levels(column)
        return [(str(p), p, column.where(v == p for v in column.values)) for p in range(low, high + 1)]
    if shape is NUMBER:
        return _number_levels(column)
    if not shape.coded:
        return []
    return [(option, option, chosen) for option, chosen in by_option(column)]


def _number_levels(column: Column) -> list[Level]:
    """Return rows for a number: each value if there are few, otherwise up to ten bins, the last one open."""
    given = np.array([math.nan if v is None else float(v) for v in column.values], dtype=np.float64)
    unit, distinct = column.question.unit, np.unique(given[column.base])
    if distinct.size <= MAX_BINS:
        return [(number_text(float(v), unit), float(v), (given == v) & column.base) for v in distinct]
    lower, upper = (float(value) for value in np.quantile(given[column.base], [0.25, 0.75]))
    spread = (upper - lower) or float(distinct[-1] - distinct[0])
    top = min(float(distinct[-1]), upper + 3 * spread)
    width = _round_width((top - float(distinct[0])) / (MAX_BINS - 1))
    start = math.floor(float(distinct[0]) / width) * width
    edges = [start + width * step for step in range(MAX_BINS) if start + width * step <= top]
    rows: list[Level] = []
    for edge, end in pairwise(edges):
        inside = (given >= edge) & (given < end) & column.base
        rows.append((f"{number_text(edge, unit)} to under {number_text(end, unit)}", [edge, end], inside))
    last = (given >= edges[-1]) & column.base
    return [*rows, (f"{number_text(edges[-1], unit)} and more", [edges[-1], None], last)]


def _round_width(width: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below a number."""
    scale = 10.0 ** math.floor(math.log10(width))
    return float(next(step * scale for step in (1.0, 2.0, 5.0, 10.0) if step * scale >= width * (1 - 1e-9)))


def _moments(values: Sequence[float]) -> dict[str, float | None]:
    """Return the mean with its 95 % t interval, spread and quartiles, summed in a fixed order."""
    from scipy.special import stdtrit  # imported where used: half of the service never needs it

    size = len(values)
    mean = math.fsum(values) / size
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (size - 1)) if size > 1 else None
    half = None if sd is None else float(stdtrit(size - 1, 0.975)) * sd / math.sqrt(size)
    q1, median, q3 = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    return {
        "mean": mean,
        "mean_ci_low": None if half is None else mean - half,
        "mean_ci_high": None if half is None else mean + half,
        "sd": sd,
        "median": median,
        "q1": q1,
        "q3": q3,
        "min": min(values),
        "max": max(values),
    }


def _add_mean_ranks(column: Column, rows: Sequence[dict[str, Any]]) -> None:
    for row in rows:
        ranks = [value.index(row["label"]) + 1 for value in column.values if value and row["label"] in value]
        row["mean_rank"] = math.fsum(ranks) / len(ranks) if ranks else None


def headline(column: Column) -> Claim | None:
    """Return a sentence with the main figure of a coded question; None without a coded answer."""
    question, base = column.question, column.size
    if not base or not question.shape.coded:
        return None
    asked = quoted(question.text)
    if question.shape.numeric:
        return _average_claim(column, asked)
    shown = outcomes(column)
    first = shown[0] if question.shape is BOOLEAN else max(shown, key=lambda outcome: outcome.count)
    says = f"{asked}: {share_text(first.count, base)} {first.phrase}."
    return claim(says, [(column, first.chosen)], count=first.count, base=base, outcome=first.label)


def _average_claim(column: Column, asked: str) -> Claim:
    question, base = column.question, column.size
    found = _moments([float(value) for value in column.values if value is not None])
    mean, median = found["mean"], found["median"]
    assert mean is not None
    assert median is not None
    if question.shape is INTEGER:
        low, high = scale_ends(question)
        says = f"{asked}: {number_text(mean)} on average, on a scale from {low} to {high} ({base:,} answers)"
    else:
        middle, average = number_text(median, question.unit), number_text(mean, question.unit)
        says = f"{asked}: the middle answer is {middle}, the average {average} ({base:,} answers)"
    return claim(f"{says}.", [(column, column.base)], count=base, base=base, mean=mean, median=median)
