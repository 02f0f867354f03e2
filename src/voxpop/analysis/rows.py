"""Rows below the levels of a question: nets, and the top and bottom boxes of its scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.levels import has_points
from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

Parts = Mapping[str, tuple[str, ...]]


def read_nets(nets: Any, question: Variable) -> dict[str, tuple[str, ...]]:
    """Read nets: labels, each with the levels it combines; a respondent counts once per net.

    Raises
    ------
    UsageError
        If a level is unknown (with the nearest ones), a net is empty, or a label is already a level.
    """
    if nets is None:
        return {}
    if not isinstance(nets, Mapping):
        raise UsageError('nets must map labels to levels, such as {"Agree": ["agree", "agree fully"]}.')
    made = {}
    for label, levels in nets.items():
        given = [levels] if isinstance(levels, str | int | float) else list(levels)
        if not given:
            raise UsageError(f"The net {label!r} of {question.name} has no levels.")
        if label in question.levels:
            raise UsageError(f"{label!r} is a level of {question.name}; give the net another label.")
        made[str(label)] = tuple(_level(level, question, str(label)) for level in given)
    return made


def _level(level: Any, question: Variable, net: str) -> str:
    label = {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)
    if label.endswith(".0") and label[:-2] in question.levels:
        label = label[:-2]
    if label not in question.levels:
        hint = did_you_mean(nearest(label, question.levels)) or f"; it has {', '.join(question.levels[:20])}"
        raise UsageError(f"{question.name!r} has no level {label!r} for the net {net!r}{hint}")
    return label


def scale_of(frame: Frame, question: Variable, scale: Any = None) -> tuple[str, ...]:
    """Return the points of a question's scale in order, as given or as declared by the question.

    Raises
    ------
    UsageError
        If the question declares no scale, or has unordered categories: ends are never inferred from the
        answers.
    """
    about = frame.about(question.name)
    if scale is not None:
        try:
            low, high = (int(end) for end in scale)
        except (TypeError, ValueError):
            raise UsageError(f"scale must be two ends, such as (1, 5), not {scale!r}.") from None
        if not low < high:
            raise UsageError(f"scale must begin below its end, not {scale!r}.")
    elif has_points(about):
        low, high = int(about["min"]), int(about["max"])
    elif declared := tuple(frame.declared(question.name)):
        if not frame.is_ordered(question.name):
            raise UsageError(_unordered(question.name, declared))
        return declared
    else:
        raise UsageError(
            f"{question.name!r} declares no scale, and its ends are not inferred from answers; ask it as a "
            "scale question, make it an ordered pandas Categorical, or pass its ends: scale=(1, 5) in vp.box."
        )
    points = tuple(str(point) for point in range(low, high + 1))
    if strange := [level for level in question.levels if level not in points]:
        raise UsageError(
            f"{question.name!r} holds {', '.join(strange[:5])}, outside its scale of {low} to {high}."
        )
    return points


def _unordered(name: str, levels: Sequence[str]) -> str:
    listed = ", ".join(map(repr, levels[:5])) + (", ..." if len(levels) > 5 else "")
    return (
        f"{name!r} has unordered categories, so it has no top and bottom. Order them from low to "
        f"high first: people[{name!r}] = people[{name!r}].cat.set_categories([...], ordered=True); its "
        f"categories are {listed}. Convert a DuckDB relation with .df() first."
    )


def read_boxes(boxes: Any, points: Sequence[str], name: str) -> dict[str, tuple[str, ...]]:
    """Read boxes: True or 2 for top and bottom two, (2, 1) for top two and bottom one, or {"top": 2}.

    Raises
    ------
    UsageError
        If a box has no points, or more than the scale.
    """
    if isinstance(boxes, Mapping):
        if set(boxes) - {"top", "bottom"}:
            raise UsageError(f"boxes must have the keys top or bottom, not {', '.join(map(str, boxes))}.")
        top, bottom = boxes.get("top", 0), boxes.get("bottom", 0)
    elif isinstance(boxes, tuple | list) and len(boxes) == 2:
        top, bottom = boxes
    else:
        top = bottom = 2 if boxes is True else boxes
    for size in (top, bottom):
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size < len(points):
            raise UsageError(f"boxes of {name!r} must hold 1 to {len(points) - 1} points, not {size!r}.")
    if not top and not bottom:
        raise UsageError(f"boxes of {name!r} must hold at least one point.")
    made = {}
    if top:
        made[f"Top {top} box"] = tuple(points[-top:])
    if bottom:
        made[f"Bottom {bottom} box"] = tuple(points[:bottom])
    return made


def with_parts(question: Variable, parts: Parts) -> Variable:
    """Return a question with rows that combine levels, counting each respondent once per row."""
    if not parts:
        return question
    agents, codes = [question.agents], [question.codes]
    position = {level: place for place, level in enumerate(question.levels)}
    for row, levels in enumerate(parts.values(), len(question.levels)):
        inside = np.isin(question.codes, [position[level] for level in levels if level in position])
        members = np.unique(question.agents[inside])
        agents.append(members)
        codes.append(np.full(members.size, row, dtype=np.intp))
    return replace(
        question,
        levels=(*question.levels, *parts),
        agents=np.concatenate(agents),
        codes=np.concatenate(codes),
    )
