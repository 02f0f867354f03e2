"""Themes as a picture: their shares with intervals, cohort beside cohort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.interval_chart import Scale, interval_panels, rows_of
from voxpop.analysis.picture import Picture, cohort_name, framed, top_of
from voxpop.stats.intervals import wilson

if TYPE_CHECKING:
    from voxpop.verbatims.themes import Themes


def draw(held: Themes) -> Picture:
    """Draw themes: one row per theme, one panel per attribute, the axis from 0."""
    lines = held.long()
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
    scale = Scale("% with this main theme, with 95 % interval", (0.0, top_of(rows.high.max())))
    told = [
        f"{mark} base below {limit}" + (": too small to read" if mark == "**" else "")
        for mark, limit in (("**", 30), ("*", 100))
        if mark in flags
    ]
    notes = [
        *told,
        "Themes are groups of words, not meanings: read their answers.",
        *held.of.remarks(),
        standing_note(held.of.provenance, tested=False),
    ]
    words = "Shares of each theme with their intervals (figures: .long())"
    return framed(interval_panels(rows, scale), held.of.text, held.terms(), notes, words)
