"""Charts of tables: stacked bars with their bases, and shares, means and scores with their intervals.

Colours are those of M. Okabe and K. Ito (2008), which colour-blind eyes tell apart; ordered scales run
through one pair of hues. Axes of shares begin at 0 and end at 100; small bases are marked beside their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from voxpop.analysis.extras import load
from voxpop.analysis.summary import Summary

if TYPE_CHECKING:
    from voxpop.analysis.table import Table

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
_ROW = 26
_WIDTH = 460
_MEASURES = {"means": ("mean", "Mean"), "nps": ("nps", "Net promoter score"), "box": ("top", "Top box, %")}


def chart_of(table: Table | Summary) -> Any:
    """Draw a table or a summary as an Altair chart.

    Raises
    ------
    UsageError
        When the extra ``charts`` is not installed.
    """
    altair = load("altair", "charts", "Charts need")
    if isinstance(table, Summary):
        return _intervals(altair, table)
    stacks = not table.multiple and table.asked.percent == "column"
    return _stacked(altair, table) if stacks else _shares(altair, table)


def _cohort(group: str, label: str, flag: str, base: float) -> str:
    name = "Total" if group == "Total" else f"{group}: {label}"
    return f"{name} (n={base:,.0f}){f' {flag}' if flag else ''}"


def _cells(table: Table) -> pd.DataFrame:
    """Return the shares of the levels with what a chart shows of each."""
    long = table.long()
    bases = long[long.row_kind == "base"].set_index(["column_group", "column"])
    cells = long[(long.row_kind == "code") & long.percent.notna()].copy()
    keys = list(zip(cells.column_group, cells.column, strict=True))
    cells["cohort"] = [
        _cohort(group, label, bases.loc[(group, label), "flag"], bases.loc[(group, label), "count"])
        for group, label in keys
    ]
    cells["place"] = [table.levels.index(row) for row in cells.row]
    return cells


def _titled(altair: Any, table: Table | Summary) -> Any:
    notes = table.notes()
    told = [note for note in notes if note.startswith(("*", "Source")) or note == notes[-1]]
    lines = [line for note in told for line in _wrap(note)]
    words = table.caption().splitlines()
    return altair.TitleParams(
        text=_wrap(words[0], 80),
        subtitle=[*(line for word in words[1:] for line in _wrap(word)), *lines],
        anchor="start",
        subtitleColor="#444444",
        subtitleFontSize=10,
        fontSize=14,
        offset=12,
    )


def _wrap(text: str, width: int = 110) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width) or [""]


def _stacked(altair: Any, table: Table) -> Any:
    """Draw one bar per column, its levels side by side, each share written where there is room."""
    cells = _cells(table)
    order = list(dict.fromkeys(cells.cohort))
    y = altair.Y("cohort:N", sort=order, title=None, axis=altair.Axis(labelLimit=260, ticks=False))
    colour = altair.Color(
        "row:N",
        sort=list(table.levels),
        scale=altair.Scale(domain=list(table.levels), range=_palette(table)),
        legend=altair.Legend(title=None, orient="bottom", columns=8, labelLimit=200),
    )
    cells["middle"] = cells.groupby("cohort").percent.cumsum() - cells.percent / 2
    cells["label"] = [f"{value:.0f}" if value >= 6 else "" for value in cells.percent]
    dark = dict(zip(table.levels, (_is_dark(colour) for colour in _palette(table)), strict=True))
    cells["ink"] = ["white" if dark[row] else "black" for row in cells.row]
    base = altair.Chart(cells[_KEPT])
    axis = altair.X("percent:Q", stack="zero", title="% of the column", scale=altair.Scale(domain=[0, 100]))
    tips = [
        *("cohort", "row"),
        *(altair.Tooltip(name, format=".1f") for name in ("percent", "ci_low", "ci_high")),
    ]
    bars = base.mark_bar().encode(x=axis, y=y, color=colour, order="place:Q", tooltip=tips)
    texts = base.mark_text(fontSize=11).encode(
        x=altair.X("middle:Q"), y=y, text="label:N", color=altair.Color("ink:N", scale=None)
    )
    stacked = (bars + texts).properties(width=_WIDTH, height=_ROW * len(order))
    noise = _interval_panel(altair, table, cells, order)
    return altair.hconcat(stacked, noise, spacing=14).properties(title=_titled(altair, table))


_KEPT = ["cohort", "row", "percent", "ci_low", "ci_high", "place", "middle", "label", "ink"]


def _interval_panel(altair: Any, table: Table, cells: pd.DataFrame, order: Sequence[str]) -> Any:
    """Draw one level's share with its interval beside the bars: what drawing agents leaves open.

    It is the first level of a choice, the highest point of a scale.
    """
    at = 0 if table.figures.means is None else len(table.levels) - 1
    first, ink = table.levels[at], _palette(table)[at]
    own = cells[cells.row == first][["cohort", "percent", "ci_low", "ci_high"]]
    y = altair.Y("cohort:N", sort=list(order), title=None, axis=altair.Axis(labels=False, ticks=False))
    title = f"{first}, % with 95 % interval"
    base = altair.Chart(own)
    rule = base.mark_rule(strokeWidth=2, color=ink).encode(
        x=altair.X("ci_low:Q", title=title, scale=altair.Scale(domain=[0, 100])), x2="ci_high:Q", y=y
    )
    point = base.mark_point(filled=True, size=50, color=ink, opacity=1).encode(x="percent:Q", y=y)
    return (rule + point).properties(width=190, height=_ROW * len(order))


def _shares(altair: Any, table: Table) -> Any:
    """Draw shares that do not add up to 100: a point with its interval for each level and column."""
    cells = _cells(table)
    order = list(dict.fromkeys(cells.cohort))
    colour = altair.Color(
        "cohort:N",
        sort=order,
        scale=altair.Scale(
            domain=order, range=[COLOURS[place % len(COLOURS)] for place in range(len(order))]
        ),
        legend=altair.Legend(title=None, orient="bottom", columns=2, labelLimit=260),
    )
    y = altair.Y("row:N", sort=list(table.levels), title=None, axis=altair.Axis(labelLimit=260))
    shift = altair.YOffset("cohort:N", sort=order)
    base = altair.Chart(cells[["cohort", "row", "percent", "ci_low", "ci_high"]])
    scale = altair.Scale(domain=[0, 100])
    rule = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("ci_low:Q", title="%, with 95 % interval", scale=scale),
        x2="ci_high:Q",
        y=y,
        yOffset=shift,
        color=colour,
    )
    point = base.mark_point(filled=True, size=55, opacity=1).encode(
        x="percent:Q", y=y, yOffset=shift, color=colour
    )
    height = max(_ROW * len(table.levels), 13 * len(cells))
    return (rule + point).properties(width=_WIDTH, height=height, title=_titled(altair, table))


def _intervals(altair: Any, summary: Summary) -> Any:
    """Draw one figure per cohort with its interval."""
    value, title = _MEASURES.get(summary.asked.call, ("percent", "%"))
    low, high = ("top_low", "top_high") if value == "top" else ("ci_low", "ci_high")
    lines = summary.long().rename(columns={low: "low", high: "high", value: "value"})
    lines = lines[lines["value"].notna()].copy()
    parts = (lines[name].tolist() for name in ("column_group", "group", "flag", "n"))
    lines["cohort"] = [_cohort(*told) for told in zip(*parts, strict=True)]
    order = list(dict.fromkeys(lines.cohort))
    y = altair.Y("cohort:N", sort=order, title=None, axis=altair.Axis(labelLimit=260, ticks=False))
    shares = summary.asked.call in ("box", "proportions")
    domain = altair.Scale(domain=[0, 100]) if shares else altair.Scale(zero=False)
    held = lines[["cohort", "value", "low", "high", *(["level"] if "level" in lines else [])]]
    base = altair.Chart(held)
    cut = "" if shares or lines["low"].min() < 0 else " (the axis need not begin at 0)"
    x = altair.X("low:Q", title=f"{title}, with 95 % interval{cut}", scale=domain)
    colour: dict[str, Any] = {}
    if "level" in held and held.level.nunique() > 1:
        levels = list(dict.fromkeys(held.level))
        colour = {"color": altair.Color("level:N", sort=levels, scale=altair.Scale(range=list(COLOURS)))}
        colour["yOffset"] = altair.YOffset("level:N", sort=levels)
    rule = base.mark_rule(strokeWidth=2, color=COLOURS[0]).encode(x=x, x2="high:Q", y=y, **colour)
    point = base.mark_point(filled=True, size=60, color=COLOURS[0], opacity=1).encode(
        x="value:Q", y=y, **colour
    )
    chart = rule + point
    if summary.asked.call == "nps":
        zero = altair.Chart(pd.DataFrame({"at": [0.0]})).mark_rule(color="#888888", strokeDash=[3, 3])
        chart = zero.encode(x="at:Q") + chart
    return chart.properties(width=_WIDTH, height=_ROW * len(order), title=_titled(altair, summary))


def _palette(table: Table) -> list[str]:
    """Return a colour per level: two hues with grey between for a scale, else one each."""
    size = len(table.levels)
    if table.figures.means is None or size < 3:
        return [COLOURS[place % len(COLOURS)] for place in range(size)]
    return [_mixed(place / (size - 1)) for place in range(size)]


def _mixed(place: float) -> str:
    """Mix orange through light grey to blue, from 0 to 1."""
    ends = ((213, 94, 0), (222, 222, 222), (0, 114, 178))
    start, end = (ends[0], ends[1]) if place < 0.5 else (ends[1], ends[2])
    share = place * 2 if place < 0.5 else place * 2 - 1
    parts = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
