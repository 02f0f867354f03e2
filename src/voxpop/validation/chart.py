"""Charts of validations: shares of both sides, joined by their distance."""

from __future__ import annotations

from typing import Any

import pandas as pd

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.picture import COLOURS, PALE, Picture, altair, framed, top_of
from voxpop.validation.printing import Words, grid_of, words_of
from voxpop.validation.validation_data import Compared, ValidationData


def draw(held: ValidationData) -> Picture:
    """Draw a validation: one panel per cohort, levels in order, with the axis from 0."""
    alt, words = altair(), words_of(held.provenance)
    rows = held.long().rename(columns={"human": "first", "synthetic": "second"})
    for name in ("first", "second", "ci_low", "ci_high"):
        rows[name] = 100 * rows[name]
    top = top_of(float(max(rows["first"].max(), rows.ci_high.max())))
    size = len(held.benchmark.levels)
    width = 420 if len(held.cohorts) == 1 else 230
    panels = [
        _panel(
            rows.iloc[place * size : (place + 1) * size], top, cohort.flag, words, legend=place == 0
        ).properties(
            title=alt.TitleParams(_named(cohort, words), anchor="start", fontSize=12, fontWeight="normal"),
            width=width,
            height=alt.Step(26),
        )
        for place, cohort in enumerate(held.cohorts)
    ]
    grid = grid_of(held)
    notes = [
        *(["** effective base below 30: too small to read"] if any(c.flag for c in held.cohorts) else []),
        *held.benchmark.cited(),
        f"Light band: 95 % interval of the share of {words.data}.",
        standing_note(held.provenance, tested=False),
    ]
    about = f"Shares of each answer, {words.benchmark} and {words.data}, cohort by cohort (figures: .long())"
    drawn = alt.concat(*panels, columns=1 if len(panels) < 2 else 2, spacing=18)
    return framed(drawn, grid.title, grid.terms, notes, about)


def _panel(rows: pd.DataFrame, top: float, flag: str, words: Words, *, legend: bool) -> Any:
    """Draw one cohort: the shares of each level on both sides, joined by a line."""
    alt, who = altair(), [words.benchmark, words.data]
    levels = list(rows.level)
    strength = PALE if flag else 1.0
    ends = alt.Scale(domain=[0, top])
    y = alt.Y("level:N", sort=levels, title=None, axis=alt.Axis(labelLimit=260, ticks=False))
    base = alt.Chart(rows)
    interval = base.mark_rule(color=COLOURS[1], strokeWidth=9, opacity=0.25 * strength).encode(
        y=y, x=alt.X("ci_low:Q", title="% of those with an answer", scale=ends), x2="ci_high:Q"
    )
    between = base.mark_rule(color="#888888", opacity=strength).encode(y=y, x="first:Q", x2="second:Q")
    shown = alt.Legend(orient="top", title=None) if legend else None
    marks = (
        alt.Chart(
            rows.rename(columns={"first": who[0], "second": who[1]}).melt(
                ["level"], who, "answers", "percent"
            )
        )
        .mark_point(filled=True, size=90, opacity=strength)
        .encode(
            y=y,
            x="percent:Q",
            color=alt.Color("answers:N", scale=alt.Scale(domain=who, range=list(COLOURS[:2])), legend=shown),
            shape=alt.Shape(
                "answers:N", scale=alt.Scale(domain=who, range=["square", "circle"]), legend=shown
            ),
            tooltip=["level", "answers", alt.Tooltip("percent:Q", format=".1f")],
        )
    )
    return alt.layer(interval, between, marks)


def _named(cohort: Compared, words: Words) -> str:
    name = f"All {words.noun}" if cohort.group == "Total" else f"{cohort.group}: {cohort.label}"
    return f"{name} (n={cohort.base:,}){f' {cohort.flag}' if cohort.flag else ''}"
