"""The page of documentation on the errors of a population, with its picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voxpop.analysis.picture import COLOURS, Picture, altair, framed
from voxpop.cli.joint_text import HEADINGS, associated, left_out, values_of, verdicts
from voxpop.files import whole_file
from voxpop.population import report as reporting
from voxpop.population.associations import Association
from voxpop.population.joint_figures import HELD_OUT, SUPERSEDED, USED
from voxpop.population.joints import (
    DRAWN_RATIO,
    FEW_AGENTS,
    FEW_CASES,
    KEPT,
    REAL_RATIO,
    RELIABLE,
    SECTIONS,
    SHARP,
    JointLine,
    JointReport,
)

_LOW, _HIGH = 0.5, 20.0
"""Ends of the axes of ratios; ratios beyond them are drawn at the ends."""


@dataclass(frozen=True, slots=True)
class Told:
    """Population that a page describes.

    Attributes
    ----------
    name : str
        Name of the population.
    agents, seed : int
        Its size and seed.
    margins : list of Line
        Summary of the margins.
    joint : JointReport
        Shares and ratios.
    lines : list of JointLine
        Their summary.
    related : list of Association
        Associations with health fields.
    """

    name: str
    agents: int
    seed: int
    margins: Sequence[reporting.Line]
    joint: JointReport
    lines: Sequence[JointLine]
    related: Sequence[Association]


def save(path: Path, told: Told) -> list[Path]:
    """Write the page and its picture, and return their paths.

    Parameters
    ----------
    path : Path
        The page. The picture has its name, in the folder ``pictures`` beside it.
    told : Told
        What was found.
    """
    picture = path.parent / "pictures" / f"{path.stem}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    drawn = draw(told)
    drawn.save(picture)
    with whole_file(path) as draft:
        draft.write_text(page(told, f"pictures/{picture.name}"), encoding="utf-8")
    return [path, picture]


def draw(told: Told) -> Picture:
    """Draw the reliable ratios: one panel per table, published against simulated ratios on log axes."""
    alt = altair()
    tables = dict.fromkeys(
        one.table for one in told.joint.ratios if one.reliable and one.section != SUPERSEDED
    )
    panels = [_panel(told.joint, table, legend=place == 0) for place, table in enumerate(tables)]
    notes = [
        f"One point per pair of groups with a published ratio of {REAL_RATIO} or more, or for occupations "
        f"and states of {DRAWN_RATIO} or more to all groups, that is {RELIABLE} standard errors from 1. On "
        f"the line, the ratio of the agents is the published one; in the band it keeps {KEPT[0]:.0%} to "
        f"{KEPT[1]:.0%} of the logarithm.",
        f"Ratios below {_LOW:g} and above {_HIGH:g} are drawn at the ends of the axes.",
    ]
    drawn = alt.concat(*panels, columns=3, spacing=20)
    title = "Ratios between groups: published and simulated"
    terms = f"population {told.name}, {told.agents:,} agents"
    return framed(drawn, title, terms, notes, "Scatter plots, one per reference table")


def _panel(joint: JointReport, table: str, *, legend: bool) -> Any:
    alt = altair()
    points = [
        {
            "real": one.real,
            "simulated": min(max(one.simulated, _LOW), _HIGH),
            "section": one.section,
        }
        for one in joint.ratios
        if one.table == table and one.reliable and one.section != SUPERSEDED
    ]
    across = alt.Scale(type="log", domain=[1, _HIGH], clamp=True, nice=False)
    up = alt.Scale(type="log", domain=[_LOW, _HIGH], clamp=True, nice=False)
    ticks = alt.Axis(values=[0.5, 1, 2, 5, 10, 20], format="~g")
    ticks_across = alt.Axis(values=[1, 2, 5, 10, 20], format="~g")
    steps = [1 * _HIGH ** (step / 20) for step in range(21)]
    band = [
        {"real": one, "low": one ** KEPT[0], "high": min(one ** KEPT[1], _HIGH), "same": one} for one in steps
    ]
    ground = alt.Chart(alt.Data(values=band))
    x = alt.X("real:Q", scale=across, axis=ticks_across, title="published ratio")
    kept = ground.mark_area(color="#dddddd", opacity=0.6).encode(
        x=x, y=alt.Y("low:Q", scale=up, axis=ticks, title="simulated ratio"), y2="high:Q"
    )
    same = ground.mark_line(color="#777777", strokeWidth=1).encode(x=x, y=alt.Y("same:Q", scale=up))
    words = [USED, HELD_OUT]
    marks = (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, size=14, opacity=0.5)
        .encode(
            x=x,
            y=alt.Y("simulated:Q", scale=up),
            color=alt.Color(
                "section:N",
                scale=alt.Scale(domain=words, range=list(COLOURS[:2])),
                legend=alt.Legend(orient="top", title=None) if legend else None,
            ),
            shape=alt.Shape(
                "section:N",
                scale=alt.Scale(domain=words, range=["circle", "square"]),
                legend=alt.Legend(orient="top", title=None) if legend else None,
            ),
        )
    )
    label = alt.TitleParams(f"{table} ({len(points):,})", anchor="start", fontSize=11, fontWeight="normal")
    return alt.layer(kept, same, marks).properties(title=label, width=190, height=190)


def page(told: Told, picture: str) -> str:
    """Return the page as Markdown."""
    parts = [
        "# Population report",
        f"This page compares the population `{told.name}` ({told.agents:,} agents, seed {told.seed}) with "
        "the published figures. It was written by `voxpop population report --agents "
        f"{told.agents} --seed {told.seed} --page FILE`; `--json` instead of `--page` gives every figure. "
        "Agents are simulated, and agreement with these figures says nothing about other questions.",
        "## Margins",
        _margins(told.margins),
        "## Joint figures",
        "\n".join(f"- {line}" for line in verdicts(told.lines)),
        f"![Ratios between groups: published and simulated]({picture})",
    ]
    for section in SECTIONS:
        parts += [f"### {section.capitalize()}", _ABOUT[section], _table(told.lines, section)]
    parts += [
        "### Associations with health",
        "Cramér's V, corrected for bias (Bergsma 2013), among agents with health data in the USA; in "
        "brackets that of NHANES 2017-2018.",
        "\n".join(f"- {line}" for line in associated(told.related)),
        "## How the joint figures are compared",
        _RULES,
    ]
    missing = left_out(told.joint)
    if missing:
        parts += ["## Figures without a field", "\n".join(f"- {line}" for line in missing)]
    return "\n\n".join(parts) + "\n"


_ABOUT = {
    USED: "These figures were targets, or come from the records that the health of agents is drawn from.",
    HELD_OUT: "These figures were set aside before the population was built: a fifth of the figures of the "
    "joint tables, chosen by a digest of their names, and all of us_occupation_group_by_sex_ethnicity. Those "
    "on health come from the same survey as the records that the health of agents is drawn from, so they "
    "test the method and not the survey.",
    SUPERSEDED: "The population keeps margins of these outcomes by age and sex from other surveys, so the "
    "differences by age and sex in these tables do not hold. They are listed for completeness and count in "
    "no total.",
}

_RULES = f"""\
- The surveys have other levels than the margins of the population: NHANES 2017-2018 counts treated
  conditions only and finds more smokers than NHIS. Published shares are therefore moved in log odds by
  one constant for all groups of a grouping, so that the groups together have the level of the population.
  Errors are differences from these shares.
- The population has margins by age and sex. Groups by education or income and by age or sex are therefore
  compared within each age and sex, with a constant of their own, and those by state within each group.
- A ratio is the share of one group over that of another. All pairs of groups with a published ratio of
  {REAL_RATIO} or more are compared; in the tables of occupations and states each group is compared with
  all groups together, weighted by agents. The part kept is the log of the simulated ratio over the log of
  the published one, without moving levels; `--json` also has it for odds ratios, which do not depend on
  levels.
- A ratio is reliable if at least 50 respondents are behind each group and the log ratio is at least
  {RELIABLE} standard errors from 0 (delta method, independent groups), and sharp if it is {SHARP:.0f}
  standard errors from 0. In tables without standard errors it is both, if at least 150,000 workers are
  behind the occupation. A population with the true ratios would not keep all reliable ones within
  {KEPT[0]:.0%} to {KEPT[1]:.0%}, because the published ones have errors of their own: "attainable" is the
  part that it would keep on average. It would keep at least 95% of the sharp ones.
- "Noise" is the mean error of shares that sampling alone gives: that of the survey, where it is
  published, and that of a random sample of as many agents.
- Income groups are compared by rank, because NHANES has dollars of 2017-2018 and the GSS of 2015-2017: a
  group is the same part of adults, counted from the lowest income. A band of income that spans a limit is
  divided in proportion, which makes differences between the two groups slightly smaller.
- Standard errors of us_health_three_way and us_gss_group_shares allow for weights but not for clusters,
  and those of us_state_household_structure for neither. The smoking of us_state_health is that of 2015.
- Groups with fewer than {FEW_AGENTS} agents are left out, and ratios with fewer than {FEW_CASES} expected
  cases in a group. So are White workers in the tables of occupations, who include most Hispanics there,
  and outcomes that no field of an agent tells, such as binge drinking."""


def _margins(lines: Sequence[reporting.Line]) -> str:
    held = [line for line in lines if line.verified and not line.superseded_by and line.kind == "share"]
    figures = sum(line.cells for line in held)
    mean = sum(line.mean * line.cells for line in held) / figures
    off = sum(line.flag == "off" for line in held)
    large = [line for line in held if line.base >= _LARGE_BASE]
    words = (
        f"{figures:,} verified shares in {len(held)} measures have a mean error of {mean * 100:.2f} points. "
        f"In {len(held) - off} of the measures, all errors are within {reporting.LARGEST_ERROR * 100:g} "
        "points or no larger than chance gives among so few agents."
    )
    if large:
        most = _points(max(line.largest for line in large))
        words += f" Where {_LARGE_BASE:,} agents or more are behind each figure, the largest error is {most}."
    rows = [
        (
            line.table,
            line.measure,
            f"{line.cells:,}",
            f"{line.base:,}",
            _points(line.largest),
            _points(line.mean),
            line.flag,
        )
        for line in held
    ]
    headings = ("reference table", "measure", "figures", "least base", "largest", "mean", "flag")
    return words + "\n\n" + markdown(headings, rows)


_LARGE_BASE = 10_000


def _points(share: float) -> str:
    return "" if math.isnan(share) else f"{share * 100:.2f} pp"


def _table(lines: Sequence[JointLine], section: str) -> str:
    ours = [values_of(line) for line in lines if line.section == section]
    return markdown(HEADINGS, ours) if ours else "There are no such figures."


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table.

    Examples
    --------
    >>> print(markdown(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [f"| {' | '.join(headings)} |", "|" + "---|" * len(headings)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)
