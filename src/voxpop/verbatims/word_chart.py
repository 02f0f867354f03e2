"""Charts of keywords and agreement: shares of answers with a word, and alphas, with intervals."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pandas as pd

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.interval_chart import AxisScale, interval_panels, rows_of
from voxpop.analysis.picture import Picture, framed, top_of
from voxpop.stats.intervals import wilson
from voxpop.verbatims.answers import OpenAnswers


def draw_keywords(top: pd.DataFrame, attribute: str, of: OpenAnswers, terms: str) -> Picture:
    """Draw the shares of answers with a cohort's words, beside those of the reference.

    Parameters
    ----------
    top : pandas.DataFrame
        The words of each cohort, as :meth:`Keywords.top` returns them.
    attribute : str
        The attribute of the cohorts.
    of : OpenAnswers
        The counted answers.
    terms : str
        The line below the question.
    """
    lines, marks = [], set[str]()
    for line in _lines(top):
        other = "the others" if line.versus == "rest" else f"{attribute}: {line.versus}"
        sides = (
            (f"{attribute}: {line.group} (n={line.base_a:,})", line.share_a, line.base_a),
            (f"{other} (n={line.base_b:,})", line.share_b, line.base_b),
        )
        for name, share, base in sides:
            low, high = (float(end) for end in wilson(share, base))
            flag = "**" if base < 30 else "*" if base < 100 else ""
            marks.add(flag)
            told = f"{name} {flag}".strip()
            lines.append((line.term, str(line.group), told, 100 * share, 100 * low, 100 * high, flag))
    rows = rows_of(lines)
    scale = AxisScale("% of answers that hold the word, with 95 % interval", (0.0, top_of(rows.high.max())))
    notes = [
        *(["** base below 30: too small to read"] if "**" in marks else []),
        *(["* base below 100"] if "*" in marks else []),
        "Chosen because they differ: the intervals tell the noise of each share, they test nothing.",
        *of.remarks(),
        standing_note(of.provenance, tested=False),
    ]
    words = f"Shares of answers that hold the words of each {attribute} (figures: .long())"
    return framed(interval_panels(rows, scale), of.text, terms, notes, words)


def draw_agreement(measured: pd.DataFrame, title: str) -> Picture:
    """Draw Krippendorff's alpha of each code with its interval, and a reference line at .667."""
    told = _lines(measured)
    rows = rows_of(
        [
            (
                "",
                "Total",
                f"{line.code} (n={line.units:,})",
                line.alpha,
                *((line.alpha,) * 2 if math.isnan(line.alpha_low) else (line.alpha_low, line.alpha_high)),
                "",
            )
            for line in told
        ]
    )
    low = min(0.0, math.floor(10 * float(rows.low.min())) / 10) if len(rows) else 0.0
    missing = [f"{line.code}: {line.reason}." for line in told if math.isnan(line.alpha)]
    notes = [
        "Dashed: .667, the least for tentative conclusions (Krippendorff 2004). 0 is agreement by chance.",
        *missing,
    ]
    scale = AxisScale("Krippendorff's alpha, with 95 % interval", (low, 1.0), 0.667)
    words = "Agreement of coders, code by code (figures: .long())"
    return framed(interval_panels(rows, scale), title, "Agreement of coders beyond chance", notes, words)


def _lines(table: pd.DataFrame) -> list[Any]:
    """Return the rows of a table, each with its columns as attributes."""
    return [
        SimpleNamespace(**{str(name): held for name, held in row.items()}) for row in table.to_dict("records")
    ]
