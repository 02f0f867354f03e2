"""Pictures of validations of engines: shares and differences between groups, people against agents."""

from __future__ import annotations

import math
from typing import Any

from voxpop.analysis.picture import COLOURS, Picture, altair, framed
from voxpop.validation.engine_validation import SCORED, EngineValidation
from voxpop.validation.item_scores import THRESHOLD, agents, item_gaps, people

_UNDECLARED, _SEEN, _UNSEEN = "not declared", "built from", "not built from"


def draw(found: EngineValidation) -> Picture:
    """Draw shares (left) and differences between groups (right), people across and agents up."""
    alt = altair()
    shares, gaps = _points(found)
    panels = alt.hconcat(
        _panel(shares, "Shares of answers", (0, 100), ("% of people", "% of agents"), legend=True),
        _panel(
            gaps, "Differences between groups", (-70, 70), ("people, points", "agents, points"), legend=False
        ),
        spacing=70,
        bounds="flush",
    )
    notes = [
        f"Left: one point per item and option ({len(shares):,}); the last option of each item follows from "
        f"the others. Right: one point per item and pair of groups that differ by {100 * THRESHOLD:.0f} "
        f"points or more among people ({len(gaps):,}), in the option in which they differ most.",
        "On the diagonal, agents answer as people do. On the dashed line, groups of agents do not differ; in "
        "the upper left and the lower right quarter, their difference has the wrong sign.",
        *_by_construction(shares),
        f"Human figures: {found.held.source}.",
    ]
    title = f"{found.engine} held against people"
    number, drawn = len(found.held.items), len(_drawn(found))
    items = f"{number:,} items" if drawn == number else f"{drawn:,} of {number:,} items"
    terms = f"{items} of {found.held.name}, {len(found.answers.codes):,} agents"
    return framed(panels, title, terms, notes, "Scatter plots of people against agents")


def _drawn(found: EngineValidation) -> set[str]:
    """Return the keys of the items with enough scored answers."""
    section = next((one for one in found.sections if one.name == SCORED), None)
    return set(section.items.keys) if section is not None else set()


def _by_construction(points: list[dict[str, Any]]) -> list[str]:
    """Return a sentence on the items that the engine was built from, if there are points of any."""
    statuses = {point["status"] for point in points}
    if _SEEN not in statuses:
        return []
    which = "all items here" if len(statuses) == 1 else "some of the items"
    return [f"The engine was built from {which}; with these, agreement with people is by construction."]


def _points(found: EngineValidation) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the points of both panels, of the items that are drawn."""
    kept = _drawn(found)
    human, other = people(found.held), agents(found.answers, found.held, found.answers.scored())
    shares, gaps = [], []
    for at, (item, pair) in enumerate(
        zip(found.held.items, item_gaps(found.held, human, other), strict=True)
    ):
        if item.key not in kept:
            continue
        status = _UNDECLARED if found.seen is None else _SEEN if item.key in found.seen else _UNSEEN
        shares += [
            _point(human.whole[at][place], other.whole[at][place], status)
            for place in range(len(item.options) - 1)
        ]
        gaps += [
            _point(ours, theirs, status)
            for ours, theirs in zip(*pair, strict=True)
            if not math.isnan(ours) and abs(ours) >= THRESHOLD
        ]
    return shares, gaps


def _point(human: float, agents: float, status: str) -> dict[str, Any]:
    return {"people": round(100 * float(human), 2), "agents": round(100 * float(agents), 2), "status": status}


def _panel(
    points: list[dict[str, Any]], title: str, ends: tuple[int, int], axes: tuple[str, str], *, legend: bool
) -> Any:
    alt = altair()
    scale = alt.Scale(domain=list(ends), clamp=True, nice=False)
    x = alt.X("people:Q", scale=scale, title=axes[0])
    y = alt.Y("agents:Q", scale=scale, title=axes[1])
    line = alt.Chart(alt.Data(values=[{"people": end, "agents": end} for end in ends]))
    same = line.mark_line(color="#777777", strokeWidth=1).encode(x=x, y=y)
    level = alt.Chart(alt.Data(values=[{"people": end, "agents": 0} for end in ends]))
    zero = level.mark_line(color="#bbbbbb", strokeWidth=1, strokeDash=[4, 3]).encode(x=x, y=y)
    statuses = sorted({point["status"] for point in points}) or [_UNDECLARED]
    several = legend and len(statuses) > 1
    colour = alt.Color(
        "status:N",
        scale=alt.Scale(domain=statuses, range=list(COLOURS[: len(statuses)])),
        legend=alt.Legend(orient="top", title=None) if several else None,
    )
    marks = (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, size=16, opacity=0.45)
        .encode(x=x, y=y, color=colour)
    )
    head = alt.TitleParams(title, anchor="start", fontSize=12, fontWeight="normal")
    return alt.layer(zero, same, marks).properties(title=head, width=300, height=300)
