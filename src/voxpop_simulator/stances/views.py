"""Views of one thing: a rating of buying or recommending it keeps to what the agent said of it before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, INTEGER
from voxpop_simulator.questions.follow_ups import name_in, offer_in
from voxpop_simulator.questions.question_frames import AWARE, INTENT, RECOMMEND
from voxpop_simulator.questions.topics import content
from voxpop_simulator.questions.units import PRICE
from voxpop_simulator.stances.stance import AnswerPlan, plan_of
from voxpop_simulator.stances.worth import is_worth

_VIEWS = (INTENT, RECOMMEND)
_TALK = content(
    "recommend friend colleague family relative buy purchase try use order get likely would interested"
    " next month week year today heard aware familiar know pay willing dollars much"
)
_MOST, _LEAST, _BUYERS_LEAST, _NOT_QUITE = 0.6, 0.4, 0.3, 0.99
"""Parts of a scale: the highest view of those who would never buy or do not know a thing, the lowest of those
who would certainly buy it, and of those who accept an offer of it; and below the end of a scale."""


def is_view(question: Question) -> bool:
    """Return whether a question asks for a rating of buying or recommending a thing.

    Examples
    --------
    >>> from voxpop.engines.question import Scale
    >>> is_view(Question("How likely are you to recommend Oatly?", "scale", scale=Scale(0, 10)))
    True
    """
    plan = plan_of(question)
    rating = question.shape is INTEGER or (question.shape is CATEGORY and plan.order is not None)
    return rating and plan.frame in _VIEWS and plan.sign > 0


def views_before(now: Question, before: Sequence[Question]) -> tuple[tuple[int, AnswerPlan], ...]:
    """Return the earlier questions that bound a view of a thing, by index: ratings, offers, and awareness.

    Examples
    --------
    >>> from voxpop.engines.question import Scale
    >>> heard = Question("Have you heard of Oatly?", "yes_no")
    >>> rated = Question("How likely are you to recommend Oatly?", "scale", scale=Scale(0, 10))
    >>> [at for at, _ in views_before(rated, (heard, Question("Do you like tea?", "yes_no")))]
    [0]
    """
    if not (is_view(now) or _asks_if_heard(now) or _asks_to_pay(now)):
        return ()
    return tuple((place, plan_of(each)) for place, each in enumerate(before) if _bounds(now, each))


def _bounds(now: Question, earlier: Question) -> bool:
    if _asks_if_heard(earlier):
        return plan_of(now).frame is RECOMMEND and not offer_in(now.text) and _is_of_same(now, earlier)
    if _asks_if_heard(now) or _asks_to_pay(now):
        return plan_of(earlier).frame is RECOMMEND and is_view(earlier) and _is_of_same(now, earlier)
    plan = plan_of(earlier)
    return plan.frame in _VIEWS and plan.sign > 0 and earlier.shape.single and _is_of_same(now, earlier)


def _asks_if_heard(question: Question) -> bool:
    return question.shape is BOOLEAN and plan_of(question).frame is AWARE


def _asks_to_pay(question: Question) -> bool:
    """Return whether a question is an offer to accept or asks for what one would pay."""
    plan = plan_of(question)
    return plan.sign > 0 and plan.frame is INTENT and (question.shape is BOOLEAN or is_worth(question))


def kept_to(plan: AnswerPlan, value: Any, said: Sequence[tuple[AnswerPlan, Any]]) -> Any:
    """Return an answer, moved as far as earlier answers on the same thing require.

    Nobody who would never buy a thing, or has never heard of it, recommends it warmly, nobody who would
    certainly buy it advises against it, and the other way round. Nobody who advises against a thing pays
    for it.
    """
    parts = [(earlier, told, _part(earlier, told)) for earlier, told in said]
    if plan.frame is AWARE:
        return value or any(part is not None and part > _MOST for _, _, part in parts)
    if _asks_to_pay(plan.question):
        against = any(part is not None and part < _BUYERS_LEAST for _, _, part in parts)
        return value if not against else False if plan.question.shape is BOOLEAN else 0
    low, high = 0.0, 1.0
    for earlier, told, part in parts:
        if earlier.frame is AWARE:
            high = min(high, _MOST) if told is False else high
        elif told is True:
            low = max(low, _BUYERS_LEAST)
        elif part is not None:
            high = min(high, _MOST if part <= 0 else _NOT_QUITE if part < _LEAST else 1.0)
            low = max(low, _LEAST if part >= 1 else 1 - _NOT_QUITE if part > _MOST else 0.0)
    at = _part(plan, value)
    if at is None or low <= at <= high or low > high:
        return value
    inside = sorted(
        (part, place)
        for place, option in enumerate(_values(plan))
        if (part := _part(plan, option)) is not None and low <= part <= high
    )
    return value if not inside else _values(plan)[inside[-1 if at > high else 0][1]]


def _is_of_same(one: Question, two: Question) -> bool:
    name, offer = name_in(one.text), offer_in(one.text)
    if name or offer:
        return (name, offer) == (name_in(two.text), offer_in(two.text))
    return _thing(one) == _thing(two) != frozenset()


def _thing(question: Question) -> frozenset[str]:
    return content(PRICE.sub(" ", plan_of(question).sentence)) - content(" ".join(question.options)) - _TALK


def _values(plan: AnswerPlan) -> Sequence[Any]:
    scale = plan.question.scale
    return plan.question.options if scale is None else range(scale.min, scale.max + 1)


def _part(plan: AnswerPlan, value: Any) -> float | None:
    """Return the place of a rating on its scale, from 0 to 1, or None if it has none."""
    question = plan.question
    if question.shape is BOOLEAN or value is None:
        return None
    if question.shape is INTEGER and question.scale is not None and isinstance(value, int):
        at = question.scale.max - value if plan.flip else value - question.scale.min
        return at / (question.scale.points - 1)
    if plan.order is None or value not in question.options:
        return None
    rank = plan.order.ranks[question.options.index(value)]
    return None if rank is None else rank / max(plan.order.levels - 1, 1)
