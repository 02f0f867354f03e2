"""The stance of an agent on a question: leanings, subject, and earlier answers in the study."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from voxpop.engines.draws import draws, key
from voxpop.engines.question import Question
from voxpop.vocabulary.bounds import as_read
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, INTEGER, NUMBER
from voxpop_simulator.library.answers import Match, library
from voxpop_simulator.questions.completion import in_full
from voxpop_simulator.questions.context import thing_described
from voxpop_simulator.questions.follow_ups import name_in, offer_in
from voxpop_simulator.questions.ordinals import Ordered
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import (
    AWARE,
    BELIEF,
    GENERAL,
    HEALTH,
    INTENT,
    LIKING,
    OWN_STATE,
    RECOMMEND,
    SATISFACTION,
    TRUST,
    Frame,
    frame_of,
    shape_of,
)
from voxpop_simulator.questions.question_words import main_sentence
from voxpop_simulator.questions.topics import content, same_subject, topics_of, turned
from voxpop_simulator.stances.amounts import amount_line, is_price_point
from voxpop_simulator.stances.borders import borders_of, habit_threshold, order_of
from voxpop_simulator.stances.choices import Known, known_options, used_fact
from voxpop_simulator.stances.funnel import Funnel, familiarity_of, funnel_of
from voxpop_simulator.stances.gates import Gate, gate_of
from voxpop_simulator.stances.leanings import LEANING, Leaning
from voxpop_simulator.stances.life_facts import Fact, fact_asked
from voxpop_simulator.stances.normals import normal, quantile
from voxpop_simulator.stances.profile import ProfileAnswer, falls, profile_answer
from voxpop_simulator.stances.toplines import topline_for, topline_of

_GLAD = ("satisfaction", "liking", "recommend", "trust", "state", "health")
_BURDENS = ("health_worry", "strain", "money_worry")
_BLESSINGS = ("life", "job", "trust", "technology", "novelty")
_FROM_LEANINGS, _FROM_SUBJECT, _FROM_MOMENT, _FROM_FAMILIARITY = 0.78, 0.55, 0.25, 0.4
_AXES = {
    frozenset(("favour", "use")): 0.75,
    frozenset(("favour", "importance")): 0.5,
    frozenset(("use", "importance")): 0.5,
    frozenset(("worry", "importance")): 0.4,
}
_POINTING = ("it", "this", "that", "them", "these", "those", "one")


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """A question prepared for all the agents that will answer it.

    ``frame`` is the meaning of a yes, ``shape`` the usual distribution of answers to such wording.
    ``borders`` are the stances between neighbouring answers of a scale or of ordered options, from low to
    high. ``state`` is the key of the component that all views of one offer share, and empty for others.
    """

    question: Question
    sentence: str
    frame: Frame
    leanings: tuple[tuple[Leaning, float], ...]
    subject: bytes
    moment: bytes
    sign: int
    mean: float
    threshold: float
    order: Ordered | None
    shape: Frame
    borders: tuple[float, ...]
    gate: Gate | None
    profile: ProfileAnswer | None
    fact: Fact | None
    flip: bool
    topics: tuple[tuple[str, float], ...]
    known: Known | None = None
    funnel: Funnel | None = None
    familiar: Funnel | None = None
    human: Match | None = None
    state: bytes = b""


@lru_cache(maxsize=1024)
def plan_of(question: Question) -> AnswerPlan:
    """Return the plan of a question, which depends on the question only."""
    question = replace(question, text=in_full(as_read(question.text)))
    sentence = main_sentence(question.text)
    if question.shape is NUMBER and is_price_point(sentence):
        sentence = _AT_WHAT_PRICE  # the four prices of one thing differ by their multiples only
    frame = _frame_of(question, sentence)
    order = order_of(question, sentence) if question.shape is CATEGORY else None
    asking = _without(sentence, question.options) if order else sentence
    sign = -1 if turned(asking) else 1
    offer = offer_in(question.text) if frame in _OF_THINGS else ""
    subject = key("subject", *sorted(content(offer) or _words_of(question, sentence)))
    shape = shape_of(question.options, frame) if order else frame
    topics = topics_of(asking) or topics_of(question.text)
    shift = _shift(frame, shape, topics, subject)
    mean = round(min(max(shape.mean + shift, 0.12), 0.88), 4)
    yes = min(max(frame.yes + shift * 1.6, 0.08), 0.92)
    told = topline_of(asking, frame, yes_no=question.shape is BOOLEAN)
    if told is not None:
        yes = told
        mean = _mean_for(told, shape, order)
    scale = question.scale
    usual = habit_threshold(sentence, frame) if question.shape is BOOLEAN and told is None else None
    gate = gate_of(sentence, frame) if told is None or question.shape is not BOOLEAN else None
    fact = _fact_of(sentence) if question.shape is BOOLEAN else None
    figures = fact is not None or _has_figures(question, asking, frame)
    profile = profile_answer(question)
    return AnswerPlan(
        question=question,
        sentence=sentence,
        frame=frame,
        leanings=_loadings(frame, topics, sign),
        subject=subject,
        moment=key("moment", _moment_of(question, sentence), question.type, *sorted(question.options)),
        sign=sign,
        mean=mean,
        threshold=round(-quantile(yes), 4) if usual is None else sign * usual,
        order=order,
        shape=shape,
        borders=borders_of(question, sentence, order, shape, mean),
        gate=gate,
        profile=profile,
        fact=fact,
        flip=falls(scale.min_label, scale.max_label) if scale else False,
        topics=topics,
        known=known_options(question, subject) if question.row.has_options and order is None else None,
        funnel=None if figures and not name_in(question.text) else funnel_of(question, sentence, order, gate),
        familiar=familiarity_of(question) if frame in _OF_THINGS else None,
        human=_human(question) if profile is None and fact is None else None,
        state=key("offer", *sorted(content(offer))) if offer else b"",
    )


def _shift(frame: Frame, shape: Frame, topics: tuple[tuple[str, float], ...], subject: bytes) -> float:
    """Return how far the usual answers to a question are from those of its frame; 0 on one's own state."""
    named = {name for name, _ in topics}
    if frame in OWN_STATE or (frame is SATISFACTION and {"life", "job"} & named):
        return 0.0
    return min(max(normal(draws(subject, frame.axis.encode())), -1.6), 1.6) * _APART * shape.spread


def _human(question: Question) -> Match | None:
    return library().find(question) if question.shape.coded else None


def _words_of(question: Question, sentence: str) -> frozenset[str]:
    """Return the subject words of a question; the four prices of one thing have the same."""
    words = content(sentence) or content(offer_in(question.text) or question.text)
    words = words - content(" ".join(question.options)) or words
    if sentence == _AT_WHAT_PRICE:
        return content(name_in(question.text) or offer_in(question.text)) or words - _PRICE_TALK
    return words


def _has_figures(question: Question, asking: str, frame: Frame) -> bool:
    """Return whether a published figure is on the very subject of a question, besides the facts."""
    line = amount_line(question)
    share = topline_for(asking, frame, yes_no=question.shape is BOOLEAN)
    same = share is not None and same_subject(question, share.question, share.words)
    return same or (line is not None and line.section == "times")


_OF_THINGS = (INTENT, RECOMMEND, LIKING, SATISFACTION, TRUST)
"""Frames of questions whose answers go with having bought the thing."""

_PRICE_TALK = content(
    "start begin getting consider considering doubt question quality cheap inexpensive low expensive bargain"
    " great value deal even still bit worth"
)
_AT_WHAT_PRICE = "At what price would you buy it?"


def _moment_of(question: Question, sentence: str) -> str:
    return question.text if sentence != _AT_WHAT_PRICE else sentence


def _mean_for(yes: float, shape: Frame, order: Ordered | None) -> float:
    """Return the mean that puts a given share of the answers in the upper half of a scale."""
    cuts = order.cuts if order is not None else ()
    half = cuts[len(cuts) // 2] if len(cuts) % 2 else 0.5
    stance = quantile(1 - yes)
    turn = -shape.skew if stance > 0 else shape.skew
    return round(min(max(half - shape.spread * (1 + turn) * stance, 0.02), 0.98), 4)


def _fact_of(sentence: str) -> Fact | None:
    """Return the fact in a yes/no question: a screening fact, or a thing of the table."""
    return fact_asked(sentence) or (used_fact(sentence) if _PLAIN.match(sentence) else None)


_PLAIN = Pattern(r"(?:.*[,:] )?(?:do you|have you ever)\b(?! (?:want|need|plan|prefer|think|trust))", re.I)


def _frame_of(question: Question, sentence: str) -> Frame:
    """Return the frame of a question, or of its options if they alone define the question."""
    frame = frame_of(sentence)
    if frame in (GENERAL, BELIEF) and _APPLIES.search(sentence):
        return frame_of(" ".join(question.options))
    return frame


_APPLIES = Pattern(r"\bwhich (?:one )?of (?:these|the following)\b.*\b(?:appl|describes?)", re.I)


def _without(sentence: str, options: tuple[str, ...]) -> str:
    """Return a question without its listed answers, which are not part of the subject."""
    left = sentence
    for option in sorted(options, key=len, reverse=True):
        left = re.sub(rf"(?<!\w){re.escape(option)}(?!\w)", " ", left, flags=re.I)
    return left if content(left) else sentence


_APART = 0.15  # variation between questions of one frame, in deviations of their answers


def _loadings(
    frame: Frame, topics: tuple[tuple[str, float], ...], sign: int
) -> tuple[tuple[Leaning, float], ...]:
    """Return leanings with weights whose squares sum to one, signed so that a high stance means a yes."""
    weights: dict[str, float] = {}
    for name, weight in topics:
        if frame is HEALTH and name in ("health_worry", "healthy_living", "exercise"):
            weights["own_health"] = sign
            continue
        if frame.axis == "worry" and name == "price":
            weight = abs(weight)  # price sensitivity lowers the stance in any wording
        against = (frame.name in _GLAD and name in _BURDENS) or (frame.axis == "worry" and name in _BLESSINGS)
        weights[name] = weight * sign * (-1 if against else 1)
    for name, weight in frame.leanings:
        weights[name] = weights.get(name, 0.0) + weight
    if not weights:
        weights = {"assent": 0.5, "novelty": 0.5}
    size = round(sum(weight * weight for weight in weights.values()) ** 0.5, 6)
    return tuple((LEANING[name], round(weight / size, 6)) for name, weight in weights.items() if weight)


def own_stance(plan: AnswerPlan, person: tuple[float, ...], uuid: bytes, moment: tuple[int, ...]) -> float:
    """Return a stance from leanings, subject and the random component; about -3 to 3, high for yes.

    The random component is that of the question, or that of the offer if all its views share one.
    """
    total = plan.sign * _FROM_SUBJECT * normal(draws(plan.subject, uuid))
    total += (plan.sign if plan.state else 1) * _FROM_MOMENT * normal(moment)
    for leaning, weight in plan.leanings:
        total += _FROM_LEANINGS * weight * leaning.of(person, uuid)
    if plan.familiar is not None:
        total += plan.sign * _FROM_FAMILIARITY * plan.familiar.leaning(person, uuid)
    return total


def remembered(earlier: Sequence[tuple[float, Shown]], own: float) -> float:
    """Return an agent's stance, adjusted to its earlier answers in the study.

    An earlier answer is a constraint: it implies a range of stances. A stance within that range, or within
    half a point of it, is kept; one outside is moved into the range, as far as the strength of the link
    requires. The strongest link is applied last.

    Parameters
    ----------
    earlier
        Strength and implied range of each earlier answer, weakest first.
    own
        The unadjusted stance.
    """
    stance = own
    for weight, (low, high, slack) in earlier:
        seen = stance if weight > 0 else -stance
        if seen < low - slack:
            moved = min(low + _inside(low - seen), max(high - slack, low))
        elif seen > high + slack:
            moved = max(high - _inside(seen - high), min(low + slack, high))
        else:
            continue
        seen += abs(weight) * (moved - seen)
        if abs(weight) > _CERTAIN:
            seen = min(max(seen, low - slack), high + slack)
        stance = seen if weight > 0 else -seen
    return stance


def _inside(gap: float) -> float:
    """Return the distance of an adjusted stance from the edge, spread out so that ratings do not pile up.

    It depends on the last digits of the gap, which are practically random and identical on every machine.
    """
    return 0.1 + 1.3 * (gap * 97.0 % 1.0)


_CERTAIN = 0.85  # from this strength on, a later answer stays within the range of the earlier one


Shown = tuple[float, float, float]
"""Range of stances implied by an answer: lowest, highest, and the tolerance outside."""


def shown_range(plan: AnswerPlan, value: Any) -> Shown | None:
    """Return (low, high, slack) of the stances implied by a coded answer, or None.

    An agent that does not own or know a thing does not use it; owning or knowing it implies nothing about
    frequency or opinion.
    """
    question = plan.question
    if isinstance(value, bool):
        unheard = plan.frame is AWARE and bool(name_in(question.text))
        if plan.fact is not None or plan.profile is not None or unheard:
            return None if value else (-9.0, -1.6, 0.0)
        return (plan.threshold, 9.0, 0.0) if value else (-9.0, plan.threshold, 0.0)
    if question.shape is INTEGER and question.scale is not None and isinstance(value, int):
        at = question.scale.max - value if plan.flip else value - question.scale.min
        return _point_range(plan, at, question.scale.points)
    if question.shape is CATEGORY and plan.order is not None and value in question.options:
        rank = plan.order.ranks[question.options.index(value)]
        if rank is not None:
            return _point_range(plan, rank, plan.order.levels)
    if question.shape is NUMBER and value == 0:
        return -9.0, -1.6, 0.0
    return None


def _point_range(plan: AnswerPlan, at: int, points: int) -> tuple[float, float, float]:
    low = -9.0 if at <= 0 else plan.borders[at - 1]
    high = 9.0 if at >= points - 1 else plan.borders[at]
    return low, high, 0.5 / points / plan.shape.spread


def taken(plan: AnswerPlan, value: Any) -> float:
    """Return the direction and clarity of a coded answer: about -2 to 2, high for yes.

    A rating counts by its position on the scale, whatever others usually answer: an agent that is somewhat
    satisfied talks about positive aspects, even if most are more satisfied.

    Examples
    --------
    >>> from voxpop.engines.question import Scale
    >>> asked = Question("How satisfied are you with your job?", "scale", scale=Scale(0, 10))
    >>> taken(plan_of(asked), 8) > 0.2, taken(plan_of(asked), 3) < -0.2
    (True, True)
    """
    question = plan.question
    if question.shape is INTEGER and question.scale is not None and isinstance(value, int):
        at = question.scale.max - value if plan.flip else value - question.scale.min
        return round(4 * (at / (question.scale.points - 1) - _EVEN), 6)
    rank = None
    if question.shape is CATEGORY and plan.order is not None and value in question.options:
        rank = plan.order.ranks[question.options.index(value)]
    if plan.order is not None and rank is not None:
        return round(4 * (rank / max(plan.order.levels - 1, 1) - _EVEN), 6)
    shown = shown_range(plan, value)
    if shown is None:
        return 0.5
    low, high, _ = shown
    if low <= -9.0:
        return high - 0.8
    return low + 0.8 if high >= 9.0 else (low + high) / 2


_EVEN = 0.55  # the neutral position on a scale


def _named_in(plan: AnswerPlan) -> frozenset[str]:
    """Return the subject words of a question, with those of the offered thing."""
    thing = thing_described(offer_in(plan.question.text)) or ""
    return content(plan.sentence) | content(thing)


def asks_if_heard(question: Question, plan: AnswerPlan) -> bool:
    """Return whether a question asks about having heard of the subject of a later one."""
    earlier = plan_of(question)
    name = name_in(earlier.sentence) if earlier.frame is AWARE else ""
    return bool(name) and name.lower() in plan.sentence.lower()


_TO_A_NUMBER = 0.4
"""Strength of an earlier answer for a number: certain buyers pay more, but not twice the price."""


@lru_cache(maxsize=4096)
def link(earlier: Question, later: Question) -> float:
    """Return the strength of an earlier question for a later one, -1 to 1; 0 if they are unrelated.

    Examples
    --------
    >>> a = Question("How likely are you to switch to a lower-sugar snack?", "open")
    >>> b = Question("Would you switch to a lower-sugar snack?", "yes_no")
    >>> link(a, b), link(a, Question("Do you like your job?", "yes_no"))
    (0.93, 0.0)
    """
    one, two = plan_of(earlier), plan_of(later)
    a, b = _named_in(one), _named_in(two)
    shared = len(a & b)
    if shared:
        near = shared / min(len(a), len(b)) >= 0.5
    else:
        words = later.text.lower().replace("?", " ").split()
        near = len(b) <= 1 and any(word in _POINTING for word in words)
    offer = offer_in(later.text)
    if not near and not (offer and offer == offer_in(earlier.text)):
        return 0.0
    strength = (
        0.93
        if one.frame.axis == two.frame.axis
        else _AXES.get(frozenset((one.frame.axis, two.frame.axis)), 0.0)
    )
    if one.fact is not None or (one.profile is not None and shared):
        strength = 0.9 if two.frame.axis == "use" else 0.0
    if one.frame is AWARE and two.frame.axis != "use":
        return 0.0
    if later.shape is NUMBER:
        strength *= _TO_A_NUMBER
    return strength * one.sign * two.sign
