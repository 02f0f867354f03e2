"""Charts of figures with intervals: points with lines, by cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.picture import COLOURS, GREY, PALE, SHAPES, altair

MOST_BESIDE = 7
"""Maximum number of cohorts side by side in one row; beyond it, each cohort has its own row."""

_STEP, _WIDTH = 24, 430


@dataclass(frozen=True, slots=True)
class AxisScale:
    """The axis of the figures: title, limits (None: automatic), and an optional reference line."""

    title: str
    domain: tuple[float, float] | None = None
    line: float | None = None


def interval_panels(rows: pd.DataFrame, scale: AxisScale) -> Any:
    """Draw figures with intervals: one panel per attribute, one row per level, cohorts side by side.

    Parameters
    ----------
    rows : pandas.DataFrame
        ``row`` (may be constant), ``group`` (the attribute, or Total), ``cohort``, ``value``, ``low``,
        ``high``, ``flag``.
    scale : AxisScale
        The axis shared by all panels.
    """
    alt = altair()
    levels = list(dict.fromkeys(rows.row))
    groups = list(dict.fromkeys(rows.group))
    if len(levels) == 1:
        return _listed(rows, scale)
    panels = []
    for group in [group for group in groups if group != "Total"] or groups:
        held = rows[rows.group.isin({"Total", group})]
        few = held.cohort.nunique() <= MOST_BESIDE
        panels.append(_beside(held, group, scale) if few else _one_by_one(held, group, scale))
    return alt.vconcat(*panels, spacing=18).resolve_scale(
        x="shared", color="independent", shape="independent", yOffset="independent"
    )


def _axis(scale: AxisScale, name: str, title: str | None = None) -> Any:
    alt = altair()
    spread = alt.Scale(domain=list(scale.domain)) if scale.domain else alt.Scale(zero=False, padding=12)
    return alt.X(f"{name}:Q", title=scale.title if title is None else title, scale=spread)


def _marks(rows: pd.DataFrame, scale: AxisScale, encoded: dict[str, Any], ink: dict[str, Any]) -> Any:
    """Draw the interval as a line and the figure as a point, pale if the base is small."""
    alt = altair()
    held = rows.assign(opacity=[PALE if flag == "**" else 1.0 for flag in rows.flag])
    base = alt.Chart(held[["row", "cohort", "value", "low", "high", "opacity"]])
    opacity = alt.Opacity("opacity:Q", scale=None, legend=None)
    line = base.mark_rule(strokeWidth=2.5, **({} if "color" in encoded else ink)).encode(
        **{name: part for name, part in encoded.items() if name != "shape"},
        x=_axis(scale, "low"),
        x2="high:Q",
        opacity=opacity,
    )
    point = base.mark_point(filled=True, size=70, **({} if "color" in encoded else ink)).encode(
        **encoded,
        x=_axis(scale, "value"),
        opacity=opacity,
        tooltip=["row", "cohort", *(alt.Tooltip(name, format=",.2f") for name in ("value", "low", "high"))],
    )
    drawn = [line, point]
    if scale.line is not None:
        at = alt.Chart(alt.Data(values=[{"at": scale.line}]))
        drawn.insert(0, at.mark_rule(color="#999999", strokeDash=[4, 3]).encode(x="at:Q"))
    return alt.layer(*drawn)


def _listed(rows: pd.DataFrame, scale: AxisScale) -> Any:
    """Draw one figure per cohort, each in its own row."""
    alt = altair()
    order = list(dict.fromkeys(rows.cohort))
    y = alt.Y(
        "cohort:N",
        sort=order,
        title=None,
        axis=alt.Axis(labelLimit=320, labelPadding=8, ticks=False, grid=False),
    )
    marks = _marks(rows, scale, {"y": y}, {"color": COLOURS[0]})
    return marks.properties(width=_WIDTH, height=alt.Step(_STEP))


def _beside(rows: pd.DataFrame, group: str, scale: AxisScale) -> Any:
    """Draw one row per level, with cohorts distinguished by colour and shape, and Total in grey."""
    alt = altair()
    cohorts = list(dict.fromkeys(rows.cohort))
    levels = list(dict.fromkeys(rows.row))
    totals = len(cohorts) > 1 and rows.group.iloc[0] == "Total" and group != "Total"
    colours = [GREY, *COLOURS][: len(cohorts)] if totals else list(COLOURS[: len(cohorts)])
    shapes = ["diamond", *SHAPES][: len(cohorts)] if totals else list(SHAPES[: len(cohorts)])
    fitting = max(1, 88 // (max(map(len, cohorts)) + 4))
    legend = (
        alt.Legend(orient="top", title=None, labelLimit=320, columns=fitting) if len(cohorts) > 1 else None
    )
    encoded = {
        "y": alt.Y(
            "row:N",
            sort=levels,
            title=None,
            axis=alt.Axis(labelLimit=320, labelPadding=8, ticks=False, grid=False),
        ),
        "color": alt.Color("cohort:N", scale=alt.Scale(domain=cohorts, range=colours), legend=legend),
        "shape": alt.Shape("cohort:N", scale=alt.Scale(domain=cohorts, range=shapes), legend=legend),
    }
    height = alt.Step(_STEP)
    if len(cohorts) > 1:
        encoded["yOffset"] = alt.YOffset("cohort:N", sort=cohorts)
        height = alt.Step(13, **{"for": "offset"})
    drawn = _marks(rows, scale, encoded, {}).properties(width=_WIDTH, height=height)
    if len(cohorts) == 1 and group != "Total":  # there is no legend that names the cohort
        drawn = drawn.properties(title=alt.TitleParams(cohorts[0], anchor="start", fontSize=12))
    return drawn


def _one_by_one(rows: pd.DataFrame, group: str, scale: AxisScale) -> Any:
    """Draw a column of panels, one per level, for an attribute with many cohorts."""
    alt = altair()
    levels = list(dict.fromkeys(rows.row))
    panels = [
        _listed(rows[rows.row == level], scale).properties(
            title=alt.TitleParams(f"{level}, by {group}", anchor="start", fontSize=12), width=_WIDTH
        )
        for level in levels
    ]
    return alt.vconcat(*panels, spacing=14)


def rows_of(lines: Sequence[tuple[str, str, str, float, float, float, str]]) -> pd.DataFrame:
    """Arrange figures for :func:`interval_panels`; omit rows without a figure."""
    made = pd.DataFrame(list(lines), columns=["row", "group", "cohort", "value", "low", "high", "flag"])
    return made[made.value.notna()].reset_index(drop=True)
