"""The joint report of a population as text."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from voxpop.population.associations import PEOPLE, Association
from voxpop.population.joint_figures import SUPERSEDED
from voxpop.population.joints import (
    FEW_AGENTS,
    FEW_CASES,
    KEPT,
    LARGEST_MEAN_ERROR,
    REAL_RATIO,
    RELIABLE,
    SECTIONS,
    SHARP,
    SMALLEST_PART,
    JointLine,
    JointReport,
)

TARGETS = {
    "largest_mean_error": LARGEST_MEAN_ERROR,
    "real_ratio": REAL_RATIO,
    "kept": list(KEPT),
    "smallest_part": SMALLEST_PART,
}
LEGEND = f"""\
mean, largest: errors of shares in percentage points, after moving the published shares in log odds to the
level of the population. noise: the mean error of a perfect population, from sampling alone. slope: of
simulated on published log odds, 1 if groups differ as published and 0 if they do not differ. ratios:
pairs of groups with a published ratio of {REAL_RATIO} or more, and the part of them that keeps
{KEPT[0]:.0%} to {KEPT[1]:.0%} of its logarithm; reliable: the log ratio is {RELIABLE} standard errors
from 0, and enough people are behind it; sharp: {SHARP:.0f} standard errors. attainable: the part of the
reliable ratios that a population with the true ratios would keep. few: left out, for a group has under
{FEW_AGENTS} agents or under {FEW_CASES} expected cases."""

_WIDTH = 200


def show(name: str, report: JointReport, lines: Sequence[JointLine], related: Sequence[Association]) -> None:
    """Print the joint report: its two sections, the associations, and the figures left out."""
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH)
    for section in SECTIONS:
        table = Table(title=f"{name}: joints, {section}", title_justify="left", box=SIMPLE_HEAD)
        for heading in HEADINGS:
            table.add_column(heading, justify="left" if heading in HEADINGS[:2] else "right", no_wrap=True)
        for line in lines:
            if line.section == section:
                table.add_row(*values_of(line))
        if table.rows:
            console.print(table)
    console.print(LEGEND)
    for verdict in verdicts(lines):
        console.print(verdict)
    console.print(f"\n{name}: Cramér's V with health fields")
    for words in [*associated(related), *left_out(report)]:
        console.print(words)


HEADINGS = (
    *("reference table", "groups", "figures", "few", "mean", "noise", "largest", "slope"),
    *("ratios", "kept", "reliable", "kept", "attainable", "sharp", "kept"),
)


def values_of(line: JointLine) -> tuple[str, ...]:
    """Return a line of the report as texts, one per heading."""
    return (
        line.table,
        line.group_by.replace("_x_", " x "),
        f"{line.figures:,}",
        f"{line.few:,}",
        f"{line.mean * 100:.2f} pp",
        f"{line.noise * 100:.2f} pp",
        f"{line.largest * 100:.2f} pp",
        "" if math.isnan(line.slope) else f"{line.slope:.2f}",
        f"{line.ratios:,}",
        _percent(line.within),
        f"{line.reliable:,}",
        _percent(line.reliable_within),
        _percent(line.attainable),
        f"{line.sharp:,}",
        _percent(line.sharp_within),
    )


def verdicts(lines: Sequence[JointLine]) -> list[str]:
    """Return the targets and what was achieved, one sentence per section and kind of figure."""
    found = []
    for line in lines:
        if line.table != "all" or line.section == SUPERSEDED:
            continue
        shares = f"{line.group_by} shares are off by {line.mean * 100:.2f} points on average"
        if line.group_by == "two-way":
            met = "met" if line.mean <= LARGEST_MEAN_ERROR else "missed"
            shares += f" (target {LARGEST_MEAN_ERROR * 100:.0f}: {met})"
        parts = ", ".join(
            f"{_percent(part)} of {number:,} {word}"
            for word, number, part in (
                ("ratios", line.ratios, line.within),
                ("reliable ones", line.reliable, line.reliable_within),
                ("sharp ones", line.sharp, line.sharp_within),
            )
            if number
        )
        found.append(
            f"{line.section.capitalize()}: {shares}; {parts or 'no ratios'} "
            f"within {KEPT[0]:.0%} to {KEPT[1]:.0%} (target {SMALLEST_PART:.0%})."
        )
    return found


def associated(related: Sequence[Association]) -> list[str]:
    """Return one sentence per field of a person on its associations with health fields."""
    found = []
    for who in PEOPLE:
        ours = [one for one in related if one.field == who and not math.isnan(one.cramers_v)]
        if not ours:
            continue
        known = [one for one in ours if one.real is not None]
        largest = max(ours, key=lambda one: one.cramers_v)
        words = f"{who}: largest {largest.cramers_v:.3f} ({largest.health_field})"
        if known:
            pairs = ", ".join(f"{one.health_field} {one.cramers_v:.3f} ({one.real:.3f})" for one in known)
            words += f"; simulated (NHANES): {pairs}"
        else:
            several = [one for one in ours if ":" not in one.health_field]
            words += "; " + ", ".join(f"{one.health_field} {one.cramers_v:.3f}" for one in several)
        found.append(words)
    return found


def left_out(report: JointReport) -> list[str]:
    """Return one sentence per set of fields that the population does not have."""
    return [
        f"Left out: {number:,} figures that need {fields}, which this population does not have."
        for fields, number in report.left_out.items()
    ]


def _percent(part: float) -> str:
    return "" if math.isnan(part) else f"{part:.0%}"
