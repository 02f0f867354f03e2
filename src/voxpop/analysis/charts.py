"""Charts of tables and summaries, including stacked bars for shares that add up to 100.

Axes of shares start at 0. Figures with a small base are marked beside their label and drawn pale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import pandas as pd

from voxpop.analysis.chart_parts import cells_of, head_of, marks_and_source
from voxpop.analysis.difference_chart import differences
from voxpop.analysis.interval_chart import AxisScale, interval_panels, rows_of
from voxpop.analysis.picture import COLOURS, PALE, Picture, altair, cohort_name, framed, top_of
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_data import TableData
from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

ChartKind = Literal["bars", "intervals", "differences"]
KINDS = get_args(ChartKind)
_ROW, _WIDTH = 26, 400
_SCORED = ("detractors", "passives", "promoters")
_SUMMARIES = {
    "means": ("mean", "ci_low", "ci_high", "Mean"),
    "nps": ("nps", "ci_low", "ci_high", "Net promoter score"),
    "box": ("top", "top_low", "top_high", "Top box, %"),
    "proportions": ("percent", "ci_low", "ci_high", "%"),
    "estimate": ("estimate", "ci_low", "ci_high", "Estimate"),
}


def chart_of(
    made: TableData | SummaryData, kind: ChartKind | None = None, against: str | None = None
) -> Picture:
    """Draw a table or a summary.

    Parameters
    ----------
    made : Table or Summary
        The result to draw.
    kind : {"bars", "intervals", "differences"}, optional
        Stacked bars; figures with intervals; or the difference of each cohort from a reference level of its
        attribute, with its interval. Default: bars for shares that add up to 100 and for scores, otherwise
        intervals.
    against : str, optional
        Reference level of ``kind="differences"``; by default the first level of the attribute.

    Raises
    ------
    UsageError
        If these figures cannot be drawn as this kind, or the extra ``charts`` is not installed.
    """
    altair()
    stacks = made.asked.call == "nps" if isinstance(made, SummaryData) else _adds_up(made)
    chosen = kind or ("bars" if stacks else "intervals")
    if chosen not in KINDS:
        hint = did_you_mean(nearest(str(kind), KINDS)) or "."
        raise UsageError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}{hint}")
    if against is not None and chosen != "differences":
        raise UsageError('against= needs kind="differences".')
    if chosen == "differences":
        return differences(made, against)
    if chosen == "intervals":
        return _summary_intervals(made) if isinstance(made, SummaryData) else _table_intervals(made)
    if not stacks:
        raise UsageError(
            f'These figures do not add up to 100; draw them with kind="intervals" ({made.name}).'
        )
    return _scores(made) if isinstance(made, SummaryData) else _bars(made)


def _adds_up(table: TableData) -> bool:
    """Return whether each column adds up to 100 and has few enough levels to distinguish by colour."""
    whole = not table.multiple and table.asked.percent == "column"
    return whole and (len(table.levels) <= len(COLOURS) or is_ordered(table))


def is_ordered(table: TableData) -> bool:
    """Return whether the levels form a scale: numbers, an ordered field or an ordered category."""
    return table.figures.means is not None or table.ordered


def _table_intervals(table: TableData) -> Picture:
    cells = cells_of(table)
    names = ("row", "column_group", "cohort", "percent", "ci_low", "ci_high", "flag")
    rows = rows_of(list(zip(*(cells[name] for name in names), strict=True)))
    of = {"column": "column", "row": "row", "total": "group"}.get(table.asked.percent, "responses")
    scale = AxisScale(f"% of the {of}, with 95 % interval", (0.0, top_of(rows.high.max())))
    words = "Shares with their intervals, level by level (figures: .long())"
    return framed(interval_panels(rows, scale), *head_of(table), marks_and_source(table), words)


def _summary_intervals(summary: SummaryData) -> Picture:
    value, low, high, title = _SUMMARIES[summary.asked.call]
    lines = summary.long()
    rows = rows_of(
        [
            (
                line.get("level", ""),
                line["column_group"],
                cohort_name(line["column_group"], line["group"], line["n"], line["flag"]),
                *(line[name] for name in (value, low, high)),
                line["flag"],
            )
            for line in lines.to_dict("records")
        ]
    )
    shares = summary.asked.call in ("box", "proportions")
    cut = "" if shares else "; the axis need not begin at 0"
    domain = (0.0, top_of(rows.high.max())) if shares else None
    line = 0.0 if summary.asked.call == "nps" else None
    levels = [level for level in dict.fromkeys(rows.row) if level]
    named = f"{levels[0]}, %" if len(levels) == 1 else title
    scale = AxisScale(f"{named}, with 95 % interval{cut}", domain, line)
    words = f"{title} with its interval, cohort by cohort (figures: .long())"
    return framed(interval_panels(rows, scale), *head_of(summary), marks_and_source(summary), words)


def _bars(table: TableData) -> Picture:
    """Draw one bar per column and, beside it, the main share with its interval."""
    alt = altair()
    cells = cells_of(table)
    palette = _diverging(len(table.levels)) if is_ordered(table) else list(COLOURS[: len(table.levels)])
    stacked = _stacked(cells, table.levels, palette)
    first = _first(table, cells)
    panels = alt.hconcat(stacked, first, spacing=20) if first is not None else stacked
    words = "Stacked bars of the shares of each answer (figures: .long())"
    return framed(panels, *head_of(table), marks_and_source(table), words)


def _first(table: TableData, cells: pd.DataFrame) -> Any:
    """Draw the main share with its interval: the first net or box, the top of a scale, or the first level."""
    long = table.long()
    label = next(iter(table.parts), None)
    ink = COLOURS[0]
    if label is None:
        label = table.levels[-1 if is_ordered(table) else 0]
        own = cells[cells.row == label]
    else:
        names = cells.drop_duplicates(["column_group", "column"])[["column_group", "column", "cohort"]]
        own = long[(long.row == label) & long.row_kind.isin(["net", "box"])].merge(names)
    order = list(dict.fromkeys(cells.cohort))
    return _beside(own[["cohort", "percent", "ci_low", "ci_high", "flag"]], order, f"{label}, %", ink)


def _beside(own: pd.DataFrame, order: Sequence[str], title: str, ink: str, ends: Any = None) -> Any:
    """Draw one figure per row, beside the bars."""
    alt = altair()
    held = own.assign(opacity=[PALE if flag == "**" else 1.0 for flag in own.flag])
    domain = ends or (0.0, top_of(held.ci_high.max()))
    y = alt.Y("cohort:N", sort=list(order), title=None, axis=alt.Axis(labels=False, ticks=False))
    x = alt.X("ci_low:Q", title=f"{title}, with 95 % interval", scale=alt.Scale(domain=list(domain)))
    base = alt.Chart(held).encode(opacity=alt.Opacity("opacity:Q", scale=None, legend=None))
    line = base.mark_rule(strokeWidth=2.5, color=ink).encode(x=x, x2="ci_high:Q", y=y)
    point = base.mark_point(filled=True, size=60, color=ink).encode(x="percent:Q", y=y)
    drawn = [line, point]
    if domain[0] < 0:
        drawn.insert(0, alt.Chart(alt.Data(values=[{"at": 0}])).mark_rule(color="#999999").encode(x="at:Q"))
    return alt.layer(*drawn).properties(width=200, height=_ROW * len(order))


def _stacked(cells: pd.DataFrame, levels: Sequence[str], palette: Sequence[str]) -> Any:
    """Draw 100 % bars, with each share written where there is room."""
    alt = altair()
    order = list(dict.fromkeys(cells.cohort))
    ink = {
        level: "white" if _is_dark(colour) else "black" for level, colour in zip(levels, palette, strict=True)
    }
    held = cells[["cohort", "row", "percent", "ci_low", "ci_high", "place", "flag"]].assign(
        middle=cells.groupby("cohort").percent.cumsum() - cells.percent / 2,
        label=[f"{value:.0f}" if value >= 5 else "" for value in cells.percent],
        ink=["black" if flag == "**" else ink[row] for row, flag in zip(cells.row, cells.flag, strict=True)],
        opacity=[PALE if flag == "**" else 1.0 for flag in cells.flag],
    )
    y = alt.Y("cohort:N", sort=order, title=None, axis=alt.Axis(labelLimit=320, ticks=False))
    scale = alt.Scale(domain=list(levels), range=list(palette))
    longest = max(map(len, levels))
    columns = max(2, min(len(levels), 96 // (longest + 4)))
    legend = alt.Legend(title=None, orient="top", columns=columns, labelLimit=320, symbolType="square")
    base = alt.Chart(held)
    tips = ["cohort", "row", *(alt.Tooltip(name, format=".1f") for name in ("percent", "ci_low", "ci_high"))]
    bars = base.mark_bar(stroke="white", strokeWidth=1).encode(
        x=alt.X("percent:Q", stack="zero", title="% of the column", scale=alt.Scale(domain=[0, 100])),
        y=y,
        color=alt.Color("row:N", sort=list(levels), scale=scale, legend=legend),
        opacity=alt.Opacity("opacity:Q", scale=None, legend=None),
        order="place:Q",
        tooltip=tips,
    )
    texts = base.mark_text(fontSize=11).encode(
        x=alt.X("middle:Q"), y=y, text="label:N", color=alt.Color("ink:N", scale=None)
    )
    return (bars + texts).properties(width=_WIDTH, height=_ROW * len(order))


def _scores(summary: SummaryData) -> Picture:
    """Draw detractors, passives and promoters as bars, with the score beside them."""
    alt = altair()
    lines = summary.long()
    lines["cohort"] = [
        cohort_name(*told)
        for told in zip(lines.column_group, lines["group"], lines.n, lines.flag, strict=True)
    ]
    lines = lines[lines.nps.notna()]
    parts = [
        lines[["cohort", "flag"]].assign(
            row=name, percent=lines[name], place=place, ci_low=float("nan"), ci_high=float("nan")
        )
        for place, name in enumerate(_SCORED)
    ]
    cells = pd.concat(parts).sort_values("place", kind="stable")
    cells = cells.set_index("cohort").loc[list(dict.fromkeys(lines.cohort))].reset_index()
    stacked = _stacked(cells, _SCORED, _diverging(3))
    own = lines[["cohort", "ci_low", "ci_high", "flag"]].assign(percent=lines.nps)
    score = _beside(own, list(dict.fromkeys(lines.cohort)), "Net promoter score", COLOURS[0], (-100.0, 100.0))
    words = (
        "Stacked bars of detractors, passives and promoters, with the score beside them (figures: .long())"
    )
    panels = alt.hconcat(stacked, score, spacing=20)
    return framed(panels, *head_of(summary), marks_and_source(summary), words)


def _diverging(size: int) -> list[str]:
    """Return one colour per step of a scale, from orange through light grey to blue."""
    if size < 2:
        return [COLOURS[0]] * size
    return [_mixed(place / (size - 1)) for place in range(size)]


def _mixed(place: float) -> str:
    ends = ((213, 94, 0), (222, 222, 222), (0, 114, 178))
    start, end = (ends[0], ends[1]) if place < 0.5 else (ends[1], ends[2])
    share = place * 2 if place < 0.5 else place * 2 - 1
    parts = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
