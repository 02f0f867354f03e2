"""Charts of differences between the levels of an attribute and a reference level, with intervals."""

from __future__ import annotations

import pandas as pd

from voxpop.analysis.chart_parts import cells_of, head_of, marks_and_source
from voxpop.analysis.figures import Group
from voxpop.analysis.interval_chart import AxisScale, interval_panels, rows_of
from voxpop.analysis.picture import Picture, framed
from voxpop.analysis.summary_data import SummaryData
from voxpop.analysis.table_data import TableData
from voxpop.errors import UsageError
from voxpop.stats.differences import difference_interval
from voxpop.vocabulary.nearest import did_you_mean, nearest

_MEASURES = {
    "means": ("mean", "ci_low", "ci_high", "of means"),
    "nps": ("nps", "ci_low", "ci_high", "of scores, points"),
    "box": ("top", "top_low", "top_high", "of the top box, points"),
    "proportions": ("percent", "ci_low", "ci_high", "of shares, points"),
    "estimate": ("estimate", "ci_low", "ci_high", "of estimates"),
}
_HOW = (
    "Intervals (95 %) of a difference are made from those of its two figures (Newcombe 1998; Zou and Donner "
    "2008), without a correction for looking at several."
)


def differences(made: TableData | SummaryData, against: str | None) -> Picture:
    """Draw the differences of a table's shares, or of a summary's figures, within each attribute.

    Parameters
    ----------
    made : Table or Summary
        A result with at least one attribute.
    against : str, optional
        Reference level; by default the first level of each attribute.

    Raises
    ------
    UsageError
        If there is no attribute, levels share agents, or no attribute has the level ``against``.
    """
    if not made.groups:
        raise UsageError(f"{made.name!r} has no cohorts to compare; name attributes with by=.")
    for group in made.groups:
        if group.shared is not None or _repeats(group):
            raise UsageError(f"Levels of {group.name!r} share agents; their differences are not drawn.")
    figures, title = _figures(made)
    lines, told = [], []
    for group in made.groups:
        labels = [column.label for column in made.columns[group.places]]
        base = _reference(labels, against, made)
        if base is None:
            continue
        told.append(f"{group.name}: {base}")
        own = figures[figures.group == group.name]
        for row in dict.fromkeys(own.row):
            held = own[own.row == row].set_index("label")
            if base not in held.index:
                continue
            second = tuple(held.loc[base, name] for name in ("value", "low", "high"))
            for label in held.index.drop(base):
                first = tuple(held.loc[label, name] for name in ("value", "low", "high"))
                flag = "**" if "**" in (held.loc[label, "flag"], held.loc[base, "flag"]) else ""
                between = (float(part) for part in difference_interval(first, second))
                lines.append((row, group.name, f"{held.loc[label, 'cohort']} less {base}", *between, flag))
    rows = rows_of(lines)
    if rows.empty:
        raise UsageError(f"{made.name!r} has no two cohorts with answers to compare.")
    panels = interval_panels(rows, AxisScale(f"Difference {title}, with 95 % interval", None, 0.0))
    *before, standing = marks_and_source(made)
    told_marks = [note for note in before if not note.startswith("*") or note.split(" ")[0] in set(rows.flag)]
    notes = [*told_marks, _HOW, standing]
    words = f"Differences of cohorts from {'; '.join(told)} (figures: .long() and .pairs())"
    return framed(panels, *head_of(made), notes, words)


def _repeats(group: Group) -> bool:
    """Return whether waves of a group have agents in common."""
    return group.overlaps is not None and bool(group.overlaps[0].members.any())


def _figures(made: TableData | SummaryData) -> tuple[pd.DataFrame, str]:
    """Return every figure with its cohort, and the title of a difference."""
    if isinstance(made, SummaryData):
        value, low, high, title = _MEASURES[made.asked.call]
        lines = made.long()
        row = lines["level"] if "level" in lines else [""] * len(lines)
        flags = [f" {flag}" if flag else "" for flag in lines.flag]
        cohort = [
            f"{label} (n={n:,}){flag}" for label, n, flag in zip(lines["group"], lines.n, flags, strict=True)
        ]
        group, label = lines.column_group, lines["group"]
    else:
        value, low, high, title = "percent", "ci_low", "ci_high", "of shares, points"
        lines = cells_of(made)
        row, group, label = lines.row, lines.column_group, lines.column
        cohort = [name.split(": ", 1)[-1] for name in lines.cohort]
    told = {"row": row, "group": group, "label": label, "cohort": cohort, "flag": lines.flag}
    figures = pd.DataFrame({**told, "value": lines[value], "low": lines[low], "high": lines[high]})
    return figures[figures.value.notna()], title


def _reference(labels: list[str], against: str | None, made: TableData | SummaryData) -> str | None:
    """Return the reference level of an attribute; None if the attribute does not have it."""
    if against is None:
        return labels[0]
    if against in labels:
        return against
    every = [column.label for column in made.columns if column.group != "Total"]
    if against not in every:
        hint = did_you_mean(nearest(against, every)) or f"; there are {', '.join(every[:20])}"
        raise UsageError(f"No attribute has the level {against!r}{hint}")
    return None
