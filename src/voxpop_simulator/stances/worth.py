"""Value of a thing to an agent: the effect of its price on demand, and earlier answers on prices."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from voxpop.engines.question import Question, Scale
from voxpop.vocabulary.shapes import CATEGORY, INTEGER, NUMBER
from voxpop_simulator.questions.follow_ups import name_in, offer_in
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import INTENT
from voxpop_simulator.questions.topics import content
from voxpop_simulator.questions.units import PRICE
from voxpop_simulator.stances.amounts import is_price_point, price_named, usual_price
from voxpop_simulator.stances.stance import AnswerPlan, plan_of, taken

_WISH = Pattern(
    r"\b(?:would|will|are) you\b.{0,40}\b(?:buy|buying|purchas\w+|pay|paying|subscrib\w+|us(?:e|ing)"
    r"|try(?:ing)?|order\w*|switch\w*|sign\w* up|get|getting|join\w*|tak(?:e|ing)|want|interested|consider)\b"
    r"|\bhow (?:likely|interested|willing)\b",
    re.I,
)
_GAIN = Pattern(
    r"\b(?:off|discounts?|coupons?|rebates?|refunds?|cash back|bonus\w*|rewards?|sav(?:e|es|ed|ing)|win|won"
    r"|earn\w*|gift cards?|wages?|salar(?:y|ies)|jobs?|an hour|per hour|raise|incomes?|paid|receiv\w*"
    r"|inherit\w*|million|billion)\b",
    re.I,
)
"""Words for amounts received or amounts that are not a price: higher ones do not lower demand."""
_SLOPE = 1.6
"""Stances per unit of ln price, so that answers to price lists agree with the spread of open ones (0.62)."""
_FROM_TABLE, _FARTHEST = 0.6, 1.2
"""Weight of a price relative to the usual one, which may be for another size, and its maximum effect."""


def price_put(question: Question) -> float | None:
    """Return the price of the offer in a coded question, or None.

    Examples
    --------
    >>> price_put(Question("Would you buy a box of tea for $12?", "yes_no"))
    12.0
    >>> price_put(Question("Would you take a job for $20 an hour?", "yes_no")) is None
    True
    """
    if not question.shape.single:
        return None
    plan = plan_of(question)
    if plan.sign < 0 or not _WISH.search(plan.sentence) or _GAIN.search(plan.sentence):
        return None
    return price_named(plan.sentence) or price_named(offer_in(question.text))


def is_same_thing(one: Question, two: Question) -> bool:
    """Return whether two questions are about the same thing, at any price.

    Examples
    --------
    >>> tea = Question("Would you buy a box of tea for $12?", "yes_no")
    >>> is_same_thing(tea, Question("Would you buy a box of tea for $20?", "yes_no"))
    True
    """
    offer = offer_in(one.text)
    return offer == offer_in(two.text) if offer else _thing(one) == _thing(two) != frozenset()


def _thing(question: Question) -> frozenset[str]:
    return content(PRICE.sub(" ", plan_of(question).sentence))


def wants_same(one: Question, two: Question) -> bool:
    """Return whether two questions are on wanting the same thing: the same name or offer, or the same words.

    Examples
    --------
    >>> from voxpop.engines.question import Scale
    >>> rated = Question("How likely are you to buy Oatly in the next month?", "scale", scale=Scale(1, 5))
    >>> wants_same(rated, Question("Would you buy Oatly for $4?", "yes_no"))
    True
    """
    if not (plan_of(one).frame is plan_of(two).frame is INTENT):
        return False
    name = name_in(one.text)
    return name == name_in(two.text) if name else is_same_thing(one, two)


def wish_for(question: Question) -> Question:
    """Return the question whether one would buy the offer that a question is about.

    Reactions to an offer follow the stance on it, so that they agree with the wish to buy it.

    Examples
    --------
    >>> wish_for(Question("Imagine a tea made from old bread. What do you think of it?", "open")).text
    'Imagine a tea made from old bread. How likely would you be to buy it?'
    """
    text = f"{offer_in(question.text)} How likely would you be to buy it?"
    return Question(text, "scale", scale=Scale(1, 5))


def lowest_answers(question: Question) -> tuple[Any, Any] | None:
    """Return the lowest answer to a question on wanting a thing, and the one above it; None for others.

    Examples
    --------
    >>> from voxpop.engines.question import Scale
    >>> lowest_answers(Question("How likely are you to buy Oatly?", "scale", scale=Scale(1, 5)))
    (1, 2)
    """
    plan = plan_of(question)
    if plan.frame is not INTENT or plan.sign < 0:
        return None
    if question.shape is INTEGER and question.scale is not None:
        low, high = question.scale.min, question.scale.max
        return (high, high - 1) if plan.flip else (low, low + 1)
    if question.shape is CATEGORY and plan.order is not None and plan.order.levels > 2:
        ranks = plan.order.ranks
        return question.options[ranks.index(0)], question.options[ranks.index(1)]
    return None


def price_weight(price: float, earlier: float) -> float:
    """Return the reduction of demand by a price above an earlier one, in stances.

    Examples
    --------
    >>> price_weight(20, 10), price_weight(10, 10)
    (1.109, 0.0)
    """
    return round(_SLOPE * math.log(price / earlier), 4)


def price_burden(question: Question, earlier: Sequence[Question]) -> float:
    """Return the reduction of demand by the price in a question, in stances.

    The first price for a thing in a study is compared with the usual price, if known; later prices are
    compared with the first.
    """
    price = price_put(question)
    if not price:
        return 0.0
    put = [price_put(each) for each in earlier if is_same_thing(each, question)]
    first = next((each for each in put if each), price)
    usual = usual_price(question)
    against = _FROM_TABLE * _SLOPE * math.log(first / usual) if usual else 0.0
    return round(min(max(against, -_FARTHEST), _FARTHEST), 4) + price_weight(price, first)


@dataclass(frozen=True, slots=True)
class Mark:
    """Information of an earlier question on a thing's value: the price it named, or a request for one."""

    plan: AnswerPlan
    price: float | None
    asks_worth: bool


def mark_of(question: Question) -> Mark:
    """Return the information that answers to a question give on the value of its subject."""
    return Mark(plan_of(question), price_put(question), is_worth(question))


def bounds_of_worth(said: Iterable[tuple[Mark, Any]]) -> tuple[float, float]:
    """Return the lowest and the highest possible value of a thing, given the agent's earlier answers.

    Its value is at least the prices that the agent accepted, and below those that it refused.
    """
    low, high = 0.0, math.inf
    for mark, value in said:
        put = mark.price
        if put and value is not None:
            took = _would_take(mark.plan, value)
            low, high = max(low, put if took else 0.0), min(high, put if took is False else math.inf)
        elif mark.asks_worth and isinstance(value, int | float):
            low, high = max(low, value), min(high, math.nextafter(value, math.inf))
    return low, high


def _would_take(plan: AnswerPlan, value: Any) -> bool | None:
    """Return whether an answer accepts an offer, or None if that is open."""
    if isinstance(value, bool):
        return value
    side = taken(plan, value)
    return True if side > _SURELY else False if side < 0 else None


_SURELY = 1.0


def is_worth(question: Question) -> bool:
    """Return whether a question asks for the willingness to pay, rather than for a point on a price meter."""
    return question.shape is NUMBER and not is_price_point(question.text) and "pay" in question.text.lower()


def said_before(price: float, said: Iterable[tuple[Mark, Any]]) -> bool | None:
    """Return the answer to an offer at a price, if earlier answers determine it."""
    low, high = bounds_of_worth(said)
    return True if price <= low else False if price >= high else None


def within_worth(question: Question, value: float, said: Iterable[tuple[Mark, Any]]) -> float:
    """Return the agent's willingness to pay, between the prices it accepted and refused before."""
    if not is_worth(question):
        return value
    low, high = bounds_of_worth(said)
    if value >= high:
        value = high * 0.8 if high > 5 else high / 2
        value = max(low, float(int(value)) if value >= 1 else value)
    return max(value, low)
