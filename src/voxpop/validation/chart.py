"""A validation as a picture: human and synthetic shares joined by the distance between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from voxpop.analysis.cautions import NOT_EVIDENCE
from voxpop.analysis.picture import COLOURS, PALE, Picture, altair, framed, top_of

if TYPE_CHECKING:
    from voxpop.validation.validating import Compared, Validation

_WHO = ("human", "synthetic")


def draw(held: Validation) -> Picture:
    """Draw a validation: one panel per cohort, levels in their order, the axis from 0."""
    alt = altair()
    rows = held.long()
    for name in ("synthetic", "human", "ci_low", "ci_high"):
        rows[name] = 100 * rows[name]
    top = top_of(float(max(rows.human.max(), rows.ci_high.max())))
    size = len(held.benchmark.levels)
    width = 420 if len(held.cohorts) == 1 else 230
    panels = [
        _panel(rows.iloc[place * size : (place + 1) * size], top, cohort.flag, legend=place == 0).properties(
            title=alt.TitleParams(_named(cohort), anchor="start", fontSize=12, fontWeight="normal"),
            width=width,
            height=alt.Step(26),
        )
        for place, cohort in enumerate(held.cohorts)
    ]
    title, _, terms = held.caption().partition("\n")
    notes = [
        *(["** effective base below 30: too small to read"] if any(c.flag for c in held.cohorts) else []),
        *held.benchmark.cited(),
        "Light band: 95 % interval of the synthetic share, the noise of drawing agents only. " + NOT_EVIDENCE,
    ]
    words = "Human and synthetic shares of each answer, cohort by cohort (figures: .long())"
    drawn = alt.concat(*panels, columns=1 if len(panels) < 2 else 2, spacing=18)
    return framed(drawn, title, terms, notes, words)


def _panel(rows: pd.DataFrame, top: float, flag: str, *, legend: bool) -> Any:
    """Draw one cohort: human and synthetic shares of each level, joined by a line."""
    alt = altair()
    levels = list(rows.level)
    strength = PALE if flag else 1.0
    ends = alt.Scale(domain=[0, top])
    y = alt.Y("level:N", sort=levels, title=None, axis=alt.Axis(labelLimit=260, ticks=False))
    base = alt.Chart(rows)
    interval = base.mark_rule(color=COLOURS[1], strokeWidth=9, opacity=0.25 * strength).encode(
        y=y, x=alt.X("ci_low:Q", title="% of those with an answer", scale=ends), x2="ci_high:Q"
    )
    between = base.mark_rule(color="#888888", opacity=strength).encode(y=y, x="human:Q", x2="synthetic:Q")
    shown = alt.Legend(orient="top", title=None) if legend else None
    marks = (
        alt.Chart(rows.melt(["level"], list(_WHO), "answers", "percent"))
        .mark_point(filled=True, size=90, opacity=strength)
        .encode(
            y=y,
            x="percent:Q",
            color=alt.Color(
                "answers:N", scale=alt.Scale(domain=list(_WHO), range=list(COLOURS[:2])), legend=shown
            ),
            shape=alt.Shape(
                "answers:N", scale=alt.Scale(domain=list(_WHO), range=["square", "circle"]), legend=shown
            ),
            tooltip=["level", "answers", alt.Tooltip("percent:Q", format=".1f")],
        )
    )
    return alt.layer(interval, between, marks)


def _named(cohort: Compared) -> str:
    name = "All agents" if cohort.group == "Total" else f"{cohort.group}: {cohort.label}"
    return f"{name} (n={cohort.base:,}){f' {cohort.flag}' if cohort.flag else ''}"
