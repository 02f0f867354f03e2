"""Charts of themes: shares with intervals, by cohort."""

from __future__ import annotations

import pandas as pd

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.interval_chart import AxisScale, interval_panels, rows_of
from voxpop.analysis.picture import Picture, cohort_name, framed, top_of
from voxpop.stats.intervals import wilson
from voxpop.verbatims.answers import OpenAnswers


def draw(lines: pd.DataFrame, of: OpenAnswers, terms: str) -> Picture:
    """Draw themes: one row per theme, one panel per attribute, with the axis from 0.

    Parameters
    ----------
    lines : pandas.DataFrame
        The shares of each theme, as :meth:`Themes.long` returns them.
    of : OpenAnswers
        The grouped answers.
    terms : str
        The line below the question.
    """
    lines = lines[(lines.theme > 0) & (lines.base > 0)]
    low, high = wilson(lines.share.to_numpy(), lines.base.to_numpy(dtype=float))
    flags = ["**" if base < 30 else "*" if base < 100 else "" for base in lines.base]
    names = (lines.column_group, lines.column, lines.base, flags)
    rows = rows_of(
        list(
            zip(
                lines.theme.astype(str) + " " + lines.label,
                lines.column_group,
                [cohort_name(*told) for told in zip(*names, strict=True)],
                100 * lines.share,
                100 * low,
                100 * high,
                flags,
                strict=True,
            )
        )
    )
    scale = AxisScale("% with this main theme, with 95 % interval", (0.0, top_of(rows.high.max())))
    told = [
        f"{mark} base below {limit}" + (": too small to read" if mark == "**" else "")
        for mark, limit in (("**", 30), ("*", 100))
        if mark in flags
    ]
    notes = [
        *told,
        "Themes are groups of words, not meanings: read their answers.",
        *of.remarks(),
        standing_note(of.provenance, tested=False),
    ]
    words = "Shares of each theme with their intervals (figures: .long())"
    return framed(interval_panels(rows, scale), of.text, terms, notes, words)
