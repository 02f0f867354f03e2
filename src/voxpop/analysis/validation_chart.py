"""A validation as a picture: human and synthetic shares joined by the distance between them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from voxpop.analysis.cautions import NOT_EVIDENCE
from voxpop.analysis.extras import load

if TYPE_CHECKING:
    from voxpop.analysis.validation import Compared, Validation

HUMAN, SYNTHETIC = "#0072B2", "#D55E00"
"""Blue and vermilion of Okabe and Ito's palette, told apart by colour-blind eyes; the shapes differ too."""


def draw(held: Validation) -> Any:
    """Draw a validation with Altair: one panel per cohort, levels in their order, the axis from 0."""
    alt = load("altair", "charts", "Charts need")
    rows = held.long()
    for name in ("synthetic", "human", "ci_low", "ci_high"):
        rows[name] = 100 * rows[name]
    top = 10 * -(-float(max(rows.human.max(), rows.ci_high.max())) // 10)
    size = len(held.benchmark.levels)
    width = 420 if len(held.cohorts) == 1 else 250
    panels = [
        _panel(alt, rows.iloc[place * size : (place + 1) * size], top).properties(
            title=alt.TitleParams(_named(cohort), anchor="start", fontSize=12),
            width=width,
            height=alt.Step(26),
        )
        for place, cohort in enumerate(held.cohorts)
    ]
    told = [
        *textwrap.wrap(" ".join(held.benchmark.cited()[:3]), 110),
        *textwrap.wrap("Band: 95 %, the noise of drawing agents only. " + NOT_EVIDENCE, 110),
    ]
    title = alt.TitleParams(
        textwrap.wrap(held.text, 80), subtitle=told, anchor="start", subtitleColor="#555555"
    )
    return alt.concat(*panels, columns=1 if len(panels) < 2 else 2).properties(title=title)


def _panel(alt: Any, rows: Any, top: float) -> Any:
    """Draw one cohort: human and synthetic shares of each level, joined by a line."""
    levels = list(rows.level)
    axis, scale = "% of those with an answer", alt.Scale(domain=[0, top])
    y = alt.Y("level:N", sort=levels, title=None, axis=alt.Axis(labelLimit=260, ticks=False))
    base = alt.Chart(rows)
    between = base.mark_rule(color="#999999").encode(
        y=y, x=alt.X("human:Q", title=axis, scale=scale), x2="synthetic:Q"
    )
    interval = base.mark_rule(color=SYNTHETIC, strokeWidth=5, opacity=0.3).encode(
        y=y, x="ci_low:Q", x2="ci_high:Q"
    )
    who = ["human", "synthetic"]
    marks = (
        alt.Chart(rows.melt(["level"], who, "answers", "percent"))
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            y=y,
            x=alt.X("percent:Q", title=axis, scale=scale),
            color=alt.Color(
                "answers:N",
                scale=alt.Scale(domain=who, range=[HUMAN, SYNTHETIC]),
                legend=alt.Legend(orient="top", title=None),
            ),
            shape=alt.Shape("answers:N", scale=alt.Scale(domain=who, range=["square", "circle"])),
            tooltip=["level", "answers", alt.Tooltip("percent:Q", format=".1f")],
        )
    )
    return alt.layer(between, interval, marks)


def _named(cohort: Compared) -> str:
    name = "All agents" if cohort.group == "Total" else f"{cohort.group}: {cohort.label}"
    return f"{name} (n={cohort.base:,}){f' {cohort.flag}' if cohort.flag else ''}"
