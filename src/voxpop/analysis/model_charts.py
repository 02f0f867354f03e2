"""Charts of models: forest plots of coefficients, importance with intervals, profiles of segments."""

from __future__ import annotations

from typing import Any

import pandas as pd

from voxpop.analysis.driver_data import MEASURE_WORDS, DriverData
from voxpop.analysis.picture import COLOURS, Picture, altair, framed
from voxpop.analysis.regression_data import RegressionData
from voxpop.analysis.segment_data import SegmentData

_STEP, _WIDTH = 24, 430


def forest(made: RegressionData) -> Picture:
    """Draw the coefficients of a regression with their intervals; odds ratios on a logarithmic axis."""
    alt = altair()
    long, odds = made.long(), made.kind != "linear"
    long = long[long.term.isin([term.name for term in made.variables])]
    names = ("odds_ratio", "odds_low", "odds_high") if odds else ("estimate", "ci_low", "ci_high")
    value, low, high = (long[name] for name in names)
    texts = {term.name: term.text for term in made.variables}
    rows = pd.DataFrame(
        {
            "variable": [texts[name] for name in long.term],
            "level": [
                f"{level} (vs {against})" if against else level or "per unit"
                for level, against in zip(long.level, long.reference, strict=True)
            ],
            "value": value,
            "low": low,
            "high": high,
        }
    )
    of = f"Odds ratio of {made.outcome}" if odds else f"Difference in {made.outcome}"
    scale = alt.Scale(type="log" if odds else "linear", padding=12, zero=False, nice=odds)
    title, line = f"{of}, with 95 % interval", 1.0 if odds else 0.0
    named = list(dict.fromkeys(rows.variable))
    panels = [
        _forest_panel(rows[rows.variable == name], name, title if name == named[-1] else None, scale, line)
        for name in named
    ]
    drawn = alt.vconcat(*panels, spacing=8).resolve_scale(x="shared")
    words = f"{of} with its interval, level by level (figures: .long())"
    return framed(drawn, made.text, made.terms(), made.notes(), words)


def _forest_panel(rows: pd.DataFrame, name: str, title: str | None, scale: Any, line: float) -> Any:
    alt = altair()
    axis = alt.Axis(labelLimit=320, labelPadding=8, ticks=False, grid=False, minExtent=200)
    y = alt.Y("level:N", sort=list(rows.level), title=None, axis=axis)
    base = alt.Chart(rows)
    below = alt.Axis(labels=title is not None, ticks=title is not None)
    at = alt.Chart(alt.Data(values=[{"at": line}]))
    tips = ["level", *(alt.Tooltip(one, format=",.3f") for one in ("value", "low", "high"))]
    drawn = alt.layer(
        at.mark_rule(color="#999999", strokeDash=[4, 3]).encode(
            x=alt.X("at:Q", title=title, scale=scale, axis=below)
        ),
        base.mark_rule(strokeWidth=2.5, color=COLOURS[0]).encode(
            x=alt.X("low:Q", title=title, scale=scale, axis=below), x2="high:Q", y=y
        ),
        base.mark_point(filled=True, size=70, color=COLOURS[0]).encode(
            x=alt.X("value:Q", title=title, scale=scale, axis=below), y=y, tooltip=tips
        ),
    )
    heading = alt.TitleParams(name, anchor="start", fontSize=12)
    return drawn.properties(width=_WIDTH, height=alt.Step(_STEP), title=heading)


def importance_bars(made: DriverData) -> Picture:
    """Draw the importance of each driver as a bar with its interval."""
    alt = altair()
    rows = made.long()[["text", "importance", "ci_low", "ci_high"]]
    name = MEASURE_WORDS[made.measure]
    title = f"Points of {name} (of 100), with 95 % interval"
    axis = alt.Axis(labelLimit=320, labelPadding=8, ticks=False)
    y = alt.Y("text:N", sort=list(rows.text), title=None, axis=axis)
    base = alt.Chart(rows)
    tips = ["text", *(alt.Tooltip(one, format=".2f") for one in ("importance", "ci_low", "ci_high"))]
    drawn = alt.layer(
        base.mark_bar(color=COLOURS[5], height=14).encode(
            x=alt.X("importance:Q", title=title, scale=alt.Scale(zero=True)), y=y, tooltip=tips
        ),
        base.mark_rule(strokeWidth=2.5, color=COLOURS[0]).encode(x="ci_low:Q", x2="ci_high:Q", y=y),
    ).properties(width=_WIDTH, height=alt.Step(_STEP))
    words = f"Importance of the drivers of {made.outcome}, as bars with intervals (figures: .long())"
    return framed(drawn, made.text, made.terms(), made.notes(), words)


def profiles(made: SegmentData) -> Picture:
    """Draw the profiles of segments as a heat map: one panel per item, one row per level."""
    alt = altair()
    long = made.long()
    long["label"] = [f"{share:.0f}" for share in long.share]
    long["ink"] = ["white" if share > 55 else "black" for share in long.share]
    names = [f"{label} ({100 * size:.0f} %)" for label, size in zip(made.labels, made.sizes, strict=True)]
    long["segment"] = long.segment.map(dict(zip(made.labels, names, strict=True)))
    scale = alt.Scale(domain=[0, 100], range=["#f4f4f4", COLOURS[0]])
    panels = []
    for place, item in enumerate(made.items):
        shown = place == 0
        top = alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False, labels=shown, labelLimit=200)
        axis = alt.Axis(labelLimit=200, ticks=False, minExtent=200)
        base = alt.Chart(long[long.item == item.name]).encode(
            x=alt.X("segment:N", sort=names, title=None, axis=top),
            y=alt.Y("level:N", sort=list(item.levels), title=None, axis=axis),
        )
        cells = base.mark_rect(stroke="white").encode(
            color=alt.Color("share:Q", scale=scale, legend=None),
            tooltip=["item", "level", "segment", alt.Tooltip("share:Q", format=".1f")],
        )
        texts = base.mark_text(fontSize=11).encode(text="label:N", color=alt.Color("ink:N", scale=None))
        heading = alt.TitleParams(item.text, anchor="start", fontSize=12)
        panels.append(
            alt.layer(cells, texts)
            .resolve_scale(color="independent")
            .properties(width=110 * len(names), height=alt.Step(_STEP), title=heading)
        )
    drawn = alt.vconcat(*panels, spacing=8)
    words = "Heat map of the answers within each segment (figures: .long())"
    notes = ["Cells: % of the segment.", *made.notes()]
    return framed(drawn, made.text, made.terms(), notes, words)
