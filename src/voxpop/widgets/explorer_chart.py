"""The chart beside an explorer's table: bars with intervals and letters, and a text alternative."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from voxpop.analysis.summary import Summary
from voxpop.analysis.table import Table
from voxpop.widgets.tree import Node, h

MOST = 160
"""Maximum number of bars in a chart."""

MANY, SIDE_BY_SIDE = 6, 5
"""Number of levels above which cohorts are drawn side by side, and the maximum number of such cohorts."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure: level, cohort, interval, significantly lower cohorts, and small-base mark."""

    level: str
    cohort: str
    is_total: bool
    value: float
    low: float
    high: float
    letters: str
    flag: str
    unit: str

    @property
    def words(self) -> str:
        """The figure as text, with its mark and letters."""
        number = "-" if math.isnan(self.value) else f"{self.value:.1f}{self.unit}"
        return " ".join(part for part in (number, self.letters, self.flag) if part)


def bars_of(made: Table | Summary) -> list[Bar]:
    """Return the figures of a table in chart order, level by level."""
    asked = {group.name: group.text for group in made.groups}
    cohorts = {}
    for one in made.columns:
        name = f"{asked[one.group]}: {one.label}" if one.label in ("yes", "no") else one.label
        cohorts[one.group, one.label] = f"{name} ({one.letter})" if one.letter else name
    if isinstance(made, Summary):
        return [
            Bar(
                "",
                cohorts[line["column_group"], line["group"]],
                line["column_group"] == "Total",
                *(line["mean"], line["ci_low"], line["ci_high"]),
                *(line["higher_than"], line["flag"], ""),
            )
            for line in made.lines
        ]
    long = made.long()
    rows = long[long.row_kind == "code"].to_dict("records")
    bars = [
        Bar(
            row["row"],
            cohorts[row["column_group"], row["column"]],
            row["column_group"] == "Total",
            *(row["percent"], row["ci_low"], row["ci_high"]),
            *(row["higher_than"], row["flag"], " %"),
        )
        for row in rows
    ]
    order = {level: place for place, level in enumerate(made.levels)}
    return sorted(bars, key=lambda bar: order[bar.level])


def chart(bars: Sequence[Bar]) -> Node:
    """Return the chart: bars from 0, cohorts below each other, or side by side if there are many levels."""
    held = [bar for bar in bars if not math.isnan(bar.value)]
    if not held:
        return h("p", "No figures to draw.", class_="vxp-hint")
    if len(held) > MOST:
        return h("p", f"{len(held):,} bars are too many for a picture: compare fewer.", class_="vxp-hint")
    levels, cohorts = (
        list(dict.fromkeys(getattr(bar, part) for bar in held)) for part in ("level", "cohort")
    )
    alone = len(cohorts) == 1
    if alone:  # nothing to distinguish
        held = [replace(bar, is_total=False) for bar in held]
    aside = len(levels) > MANY and 1 < len(cohorts) <= SIDE_BY_SIDE
    inside = list(_across(held, levels, cohorts) if aside else _down(held, alone=alone))
    names = levels if aside or alone else cohorts
    longest = min(26, max(7, *(len(name) for name in names)) + 1)
    size = {"--name": f"{longest}ch", "--n": str(len(cohorts) if aside else 1)}
    drawing = h("div", inside, role="img", aria_label=told(bars), vars=size)
    key = "Lines across the bars are 95 % intervals; letters and marks are those of the table."
    return h("div", drawing, h("p", key, class_="vxp-hint"), class_="vxp-chart")


def _down(bars: Sequence[Bar], *, alone: bool) -> Iterator[Node]:
    """Yield one block per level, with cohorts below each other, and an axis."""
    top = _top(bars)
    for level, own in groupby(bars, lambda bar: bar.level):
        lines = [_line(level if alone and level else bar.cohort, [(bar, top)]) for bar in own]
        head = h("div", level, class_="vxp-chart-level") if level and not alone else None
        yield h("div", head, lines, class_="vxp-chart-block" if head else None)
    unit = bars[0].unit
    ticks = [h("span", f"{part * top:g}{unit}", vars={"--at": f"{part:.0%}"}) for part in (0, 0.5, 1)]
    yield h("div", h("span"), h("div", ticks, class_="vxp-chart-ticks"), class_="vxp-chart-line")


def _across(bars: Sequence[Bar], levels: Sequence[str], cohorts: Sequence[str]) -> Iterator[Node]:
    """Yield one line per level with the cohorts side by side, to compare their profiles."""
    top = _top(bars)
    found = {(bar.level, bar.cohort): bar for bar in bars}
    heads = [h("span", cohort, class_="vxp-chart-level") for cohort in cohorts]
    yield h("div", h("span"), heads, class_="vxp-chart-line vxp-chart-many")
    for level in levels:
        yield _line(level, [(found.get((level, cohort)), top) for cohort in cohorts])


def told(bars: Sequence[Bar]) -> str:
    """Return the text alternative of the chart; the table has every figure."""
    readable = [bar for bar in bars if not math.isnan(bar.value) and bar.flag != "**"]
    if not readable:
        return "A bar chart of the table. No base is large enough to read."
    ends = (("highest", max(readable, key=_value)), ("lowest", min(readable, key=_value)))
    parts = [
        f"{word}: {', '.join(part for part in (bar.level, bar.cohort) if part)}, {bar.value:.1f}{bar.unit}"
        for word, bar in ends
    ]
    return f"A bar chart of the table, {len(bars):,} bars. {'; '.join(parts).capitalize()}."


def text_bar(value: float, most: float = 100.0, *, pale: bool = False, width: int = 20) -> str:
    """Return a bar of characters for saved notebooks; pale if the base is too small to read.

    Examples
    --------
    >>> text_bar(50.0, width=10), text_bar(20.0, width=10, pale=True)
    ('▇▇▇▇▇', '░░')
    """
    if math.isnan(value) or most <= 0:
        return ""
    return ("░" if pale else "▇") * round(width * max(0.0, value) / most)


def _value(bar: Bar) -> float:
    return bar.value


def _line(name: str, cells: Sequence[tuple[Bar | None, float]]) -> Node:
    drawn = []
    for bar, top in cells:
        track = h("div", _drawn(bar, top) if bar is not None else None, class_="vxp-chart-track")
        words = h("span", bar.words if bar is not None else "", class_="vxp-chart-value")
        drawn.append(h("div", track, words, class_="vxp-chart-cell"))
    look = "vxp-chart-line vxp-chart-many" if len(cells) > 1 else "vxp-chart-line"
    return h("div", h("span", name, class_="vxp-chart-name"), drawn, class_=look)


def _drawn(bar: Bar, top: float) -> Iterator[Node]:
    looks = ["vxp-chart-bar"]
    looks += ["vxp-chart-total"] if bar.is_total else []
    looks += ["vxp-chart-small"] if bar.flag == "**" else []
    yield h("span", class_=" ".join(looks), vars={"--w": f"{_share(bar.value, top):.2%}"})
    if not math.isnan(bar.low):
        low, high = _share(bar.low, top), _share(bar.high, top)
        yield h("span", class_="vxp-chart-ends", vars={"--at": f"{low:.2%}", "--w": f"{high - low:.2%}"})


def _share(value: float, top: float) -> float:
    return min(1.0, max(0.0, value / top))


def _top(bars: Sequence[Bar]) -> float:
    """Return the end of the axis: a round number above all figures, at most 100 for shares."""
    highest = max((bar.high for bar in bars if not math.isnan(bar.high)), default=1.0)
    if highest <= 0:
        return 1.0
    size = 10.0 ** math.floor(math.log10(highest))
    top = next(step * size for step in (1, 2, 4, 6, 8, 10) if step * size >= highest)
    return min(top, 100.0) if bars and bars[0].unit else top
