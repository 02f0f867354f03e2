"""Charts of price curves: intersections of four opinions, or buyers and revenue per price."""

from __future__ import annotations

from typing import Any

import pandas as pd

from voxpop.analysis.picture import COLOURS, PALE, Picture, altair, cohort_name, framed
from voxpop.analysis.price_data import PriceCohort, PriceData

_NAMES = {
    "too_cheap": "too cheap",
    "cheap": "cheap",
    "expensive": "expensive",
    "too_expensive": "too expensive",
}
_DASHES = {"too cheap": [2, 2], "cheap": [1, 0], "expensive": [6, 2], "too expensive": [8, 3, 2, 3]}
_WIDTH, _HEIGHT = 300, 190


def draw(held: PriceData) -> Picture:
    """Draw price curves: one panel per cohort, all with the same axes from 0."""
    alt = altair()
    ranged = held.asked.call == "price_range"
    told = [cohort for cohort in held.cohorts if cohort.lines]
    panels = [
        (_curves if ranged else _ladder)(held, cohort, legend=place == 0) for place, cohort in enumerate(told)
    ]
    drawn = alt.concat(*panels, columns=1 if len(panels) < 2 else 2, spacing=18)
    words = (
        "Curves of four opinions of a price, with the acceptable range (figures: .long(), .curves())"
        if ranged
        else "Share that would buy, and revenue, at each price (figures: .long())"
    )
    return framed(drawn, held.text, held.terms(), held.notes(), words)


def _title(held: PriceData, cohort: PriceCohort) -> Any:
    column = cohort.column
    name = cohort_name(column.group, column.label, cohort.base, held.flag(cohort))
    return altair().TitleParams(name, anchor="start", fontSize=12, fontWeight="normal")


def _curves(held: PriceData, cohort: PriceCohort, *, legend: bool) -> Any:
    alt = altair()
    table = held.curves()
    own = table[(table.column_group == cohort.column.group) & (table.column == cohort.column.label)]
    ends = [0.0, float(table.price.max())]
    names = list(_NAMES.values())
    lines = own.rename(columns=_NAMES).melt(["price"], names, "opinion", "share")
    lines["share"] = 100 * lines.share
    strength = PALE if held.flag(cohort) == "**" else 1.0
    shown = alt.Legend(orient="top", title=None) if legend else None
    colours = [COLOURS[0], COLOURS[5], COLOURS[4], COLOURS[1]]
    x = alt.X("price:Q", title="price", scale=alt.Scale(domain=ends, nice=False))
    curves = (
        alt.Chart(lines)
        .mark_line(strokeWidth=2, opacity=strength)
        .encode(
            x=x,
            y=alt.Y("share:Q", title="% to whom it is …", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("opinion:N", scale=alt.Scale(domain=names, range=colours), legend=shown),
            strokeDash=alt.StrokeDash(
                "opinion:N",
                scale=alt.Scale(domain=names, range=[_DASHES[name] for name in names]),
                legend=shown,
            ),
        )
    )
    points = {line["point"]: line for line in cohort.lines}
    low, high = points["lowest"]["price"], points["highest"]["price"]
    band = (
        alt.Chart(pd.DataFrame({"low": [low], "high": [high]}))
        .mark_rect(color="#777777", opacity=0.15)
        .encode(x=alt.X("low:Q", title="price"), x2="high:Q")
    )
    best = pd.DataFrame({"at": [points["optimal"]["price"]]})
    mark = alt.Chart(best).mark_rule(color="#333333", strokeDash=[2, 3]).encode(x="at:Q")
    label = (
        alt.Chart(best.assign(words=f"{low:,.2f} to {high:,.2f}; fewest reject {best['at'].iloc[0]:,.2f}"))
        .mark_text(align="left", baseline="bottom", fontSize=10, color="#333333")
        .encode(x=alt.value(2), y=alt.value(-2), text="words:N")
    )
    return alt.layer(band, curves, mark, label).properties(
        title=_title(held, cohort), width=_WIDTH, height=_HEIGHT
    )


def _ladder(held: PriceData, cohort: PriceCohort, *, legend: bool) -> Any:
    alt = altair()
    every = held.long()
    rows = pd.DataFrame(list(cohort.lines))
    strength = PALE if held.flag(cohort) == "**" else 1.0
    x = alt.X("price:Q", title="price", scale=alt.Scale(domain=[0.0, float(every.price.max())], nice=False))
    base = alt.Chart(rows).encode(x=x)
    y = alt.Y("buy:Q", title="% that would buy", scale=alt.Scale(domain=[0, 100]))
    band = base.mark_area(color=COLOURS[0], opacity=0.2 * strength).encode(
        y=alt.Y("ci_low:Q"), y2="ci_high:Q"
    )
    line = base.mark_line(color=COLOURS[0], opacity=strength, point={"color": COLOURS[0], "size": 30})
    share = alt.layer(band, line.encode(y=y)).properties(
        title=_title(held, cohort), width=_WIDTH, height=_HEIGHT
    )
    top = float(every.revenue.max()) * 1.1
    best = rows.loc[[rows.revenue.idxmax()]]
    money = alt.Y("revenue:Q", title="revenue each", scale=alt.Scale(domain=[0.0, top]))
    bars = base.mark_line(color=COLOURS[1], opacity=strength, point={"color": COLOURS[1], "size": 30})
    peak = (
        alt.Chart(best.assign(words=f"most at {best.price.iloc[0]:,.2f}"))
        .mark_text(dy=-9, fontSize=10, color="#333333")
        .encode(x=x, y=money, text="words:N")
    )
    revenue = alt.layer(bars.encode(y=money), peak).properties(width=_WIDTH, height=90)
    return alt.vconcat(share, revenue, spacing=8)
