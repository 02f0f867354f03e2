"""Themes as a picture: their shares with intervals, cohort beside cohort."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from voxpop.analysis.cautions import standing_note
from voxpop.analysis.charts import COLOURS
from voxpop.analysis.extras import load
from voxpop.stats.intervals import wilson

if TYPE_CHECKING:
    from voxpop.analysis.themes import Themes

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "stroke")
"""A shape for each colour: nothing is told by colour alone."""


def draw(held: Themes) -> Any:
    """Draw themes with Altair: one row per theme, one panel per attribute, the axis from 0."""
    alt = load("altair", "charts", "Charts need")
    rows = held.long()
    rows = rows[(rows.theme > 0) & (rows.base > 0)]
    low, high = wilson(rows.share.to_numpy(), rows.base.to_numpy(dtype=np.float64))
    rows = rows.assign(
        name=rows.theme.astype(str) + " " + rows.label,
        percent=100 * rows.share,
        low=100 * low,
        high=100 * high,
        cohort=[
            f"{column} (n={base:,}){' **' if base < 30 else ' *' if base < 100 else ''}"
            for column, base in zip(rows.column, rows.base, strict=True)
        ],
    )
    top = 10 * -(-float(rows.high.max()) // 10)
    groups = list(dict.fromkeys(rows.column_group))
    shown = groups[1:] or groups
    panels = [_panel(alt, rows[rows.column_group == group], group, top) for group in shown]
    told = textwrap.wrap(
        f"Base: all who answered {held.of.name} (n={len(held.of):,}); % with this main theme. "
        f"** base below 30, * below 100. {standing_note(tested=False)}",
        110,
    )
    title = alt.TitleParams(
        textwrap.wrap(held.of.text, 80), subtitle=told, anchor="start", subtitleColor="#555555"
    )
    return (
        alt.concat(*panels, columns=1)
        .resolve_scale(color="independent", shape="independent", yOffset="independent")
        .properties(title=title)
    )


def _panel(alt: Any, rows: Any, group: str, top: float) -> Any:
    cohorts = list(dict.fromkeys(rows.cohort))
    many = len(cohorts)
    colours = [COLOURS[place % len(COLOURS)] for place in range(many)]
    shapes = [SHAPES[place % len(SHAPES)] for place in range(many)]
    legend = alt.Legend(orient="top", title=None, labelLimit=300, columns=3) if many > 1 else None
    y = alt.Y("name:N", sort=list(dict.fromkeys(rows.name)), title=None, axis=alt.Axis(labelLimit=260))
    offset = alt.YOffset("cohort:N", sort=cohorts)
    scale = alt.Scale(domain=[0, top])
    base = alt.Chart(rows)
    colour = alt.Color("cohort:N", scale=alt.Scale(domain=cohorts, range=colours), legend=legend)
    lines = base.mark_rule(strokeWidth=2).encode(
        y=y,
        yOffset=offset,
        x=alt.X("low:Q", scale=scale, title="% with this theme"),
        x2="high:Q",
        color=colour,
    )
    marks = base.mark_point(filled=True, size=60, opacity=1).encode(
        y=y,
        yOffset=offset,
        x="percent:Q",
        color=colour,
        shape=alt.Shape("cohort:N", scale=alt.Scale(domain=cohorts, range=shapes), legend=legend),
        tooltip=["name", "cohort", alt.Tooltip("percent:Q", format=".1f")],
    )
    name = "" if group == "Total" else group
    return (lines + marks).properties(
        title=alt.TitleParams(name, anchor="start", fontSize=12),
        width=420,
        height=alt.Step(max(12, 26 // many) if many > 1 else 26, **{"for": "offset"} if many > 1 else {}),
    )
