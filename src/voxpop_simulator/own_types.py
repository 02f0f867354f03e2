"""Conversion of question types unknown to the simulator into known types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from voxpop.engines.question import Question, Scale
from voxpop.vocabulary.question_parts import MAX_SCALE
from voxpop.vocabulary.question_types import QUESTION_TYPES, QuestionType
from voxpop.vocabulary.shapes import INTEGER, NUMBER, Shape

HOOKS: dict[str, Callable[[Question], Question]] = {}
"""Conversion of questions by type name; other types are converted by the shape of their answers."""

_OWN: dict[Shape, QuestionType] = {}
for _row in QUESTION_TYPES.values():
    _OWN.setdefault(_row.shape, _row)  # the first type of each shape is the one the simulator knows


def put(question: Question) -> Question:
    """Return a question in a type that the simulator knows; most are unchanged.

    A number between two ends becomes a rating. Ends that are far apart become a rating in whole percent.
    """
    if question.type in HOOKS:
        return HOOKS[question.type](question)
    own = _OWN[question.shape]
    if own is question.row:
        return question
    scale = question.scale
    if scale is None or not question.shape.numeric:
        return replace(question, type=own.name)
    if scale.max - scale.min > MAX_SCALE:
        scale = Scale(0, MAX_SCALE, scale.min_label, scale.max_label)
    return replace(question, type=_OWN[INTEGER].name, scale=scale)


def put_before(question: Question) -> Question:
    """Return an earlier question in a known type; its answers keep their own units."""
    own = _OWN[question.shape]
    if own is question.row:
        return question
    return replace(question, type=own.name, scale=None if own.shape is NUMBER else question.scale)


def landed(question: Question, known: Question, value: float) -> float:
    """Return an answer to the converted question as an answer to the original one."""
    if known.row is question.row or not question.shape.numeric:
        return value
    if question.scale is not None and known.scale is not None and known.scale != question.scale:
        share = (value - known.scale.min) / (known.scale.max - known.scale.min)
        value = question.scale.min + share * (question.scale.max - question.scale.min)
    settled = question.row.settled(question, value)
    return round(settled) if question.shape is INTEGER else settled
