"""Conversion of panel plans to JSON and back, to store them between planning and verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from voxpop.engines.composition import PanelPlan
from voxpop.engines.question import Question, Scale
from voxpop.vocabulary import parse


def panel_to_json(plan: PanelPlan) -> dict[str, Any]:
    """Return a panel plan as plain JSON types.

    Examples
    --------
    >>> from voxpop.vocabulary import where
    >>> why = Question("Why?", "open", key="why")
    >>> plan = PanelPlan("channel_check", "UK adults", where(country="UK"), 5, (why,))
    >>> panel_from_json(panel_to_json(plan)) == plan
    True
    """
    plain = {
        name: getattr(plan, name)
        for name in ("kind", "audience_text", "size", "subject", "claimed", "decisive", "driver")
    }
    questions = [_asked(question) for question in plan.questions]
    return plain | {"filters": plan.filters.to_json(), "questions": questions}


def _asked(question: Question) -> dict[str, Any]:
    plain = {name: getattr(question, name) for name in ("text", "type", "unit", "shuffle_options", "key")}
    scale = None if question.scale is None else asdict(question.scale)
    return plain | {"options": list(question.options), "scale": scale}


def panel_from_json(data: Mapping[str, Any]) -> PanelPlan:
    """Return the panel plan written by :func:`panel_to_json`."""
    return PanelPlan(
        **{**data, "filters": parse(data["filters"]), "questions": tuple(map(_question, data["questions"]))}
    )


def _question(data: Mapping[str, Any]) -> Question:
    scale = None if data["scale"] is None else Scale(**data["scale"])
    return Question(**{**data, "options": tuple(data["options"]), "scale": scale})
