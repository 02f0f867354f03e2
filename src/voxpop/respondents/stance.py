"""Where an agent stands on a question: leanings, the subject, and what it said earlier in the study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

from voxpop.respondents.draws import draws, key, normal
from voxpop.respondents.facts import Fact, fact_asked
from voxpop.respondents.leanings import LEANING, Leaning
from voxpop.respondents.ordinals import Ordered, read_order
from voxpop.respondents.profile import ProfileAnswer, falls, profile_answer
from voxpop.respondents.protocol import Exchange, Question
from voxpop.respondents.reading import main_sentence
from voxpop.respondents.topics import Frame, content, frame_of, topics_of, turned

_GLAD = ("satisfaction", "liking", "recommend", "trust")
_BURDENS = ("health_worry", "strain", "money_worry")
_BLESSINGS = ("life", "job", "trust")
_FROM_LEANINGS, _FROM_SUBJECT, _FROM_MOMENT = 0.78, 0.55, 0.25
_AXES = {
    frozenset(("favour", "use")): 0.75,
    frozenset(("favour", "importance")): 0.5,
    frozenset(("use", "importance")): 0.5,
    frozenset(("worry", "importance")): 0.4,
}
_POINTING = ("it", "this", "that", "them", "these", "those", "one")


@dataclass(frozen=True, slots=True)
class Plan:
    """A question worked out once, for all the agents that will answer it."""

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
    profile: ProfileAnswer | None
    fact: Fact | None
    flip: bool
    topics: tuple[tuple[str, float], ...]


@lru_cache(maxsize=1024)
def plan_of(question: Question) -> Plan:
    """Return the plan of a question; it depends on nothing but the question."""
    sentence = main_sentence(question.text)
    frame = frame_of(sentence)
    sign = -1 if turned(sentence) else 1
    words = content(sentence) or content(question.text)
    subject = key("subject", *sorted(words))
    shift = (normal(draws(subject, frame.axis.encode()))) * 0.055
    mean = min(max(frame.mean + shift, 0.12), 0.88)
    yes = min(max(frame.yes + shift * 1.6, 0.08), 0.92)
    topics = topics_of(sentence) or topics_of(question.text)
    scale = question.scale
    order = read_order(question.options) if question.type == "single_choice" else None
    return Plan(
        question=question,
        sentence=sentence,
        frame=frame,
        leanings=_loadings(frame, topics, sign),
        subject=subject,
        moment=key("moment", question.text, question.type, *sorted(question.options)),
        sign=sign,
        mean=round(mean, 4),
        threshold=round(-NormalDist().inv_cdf(yes), 4),
        order=order,
        profile=profile_answer(question),
        fact=fact_asked(sentence) if question.type == "yes_no" else None,
        flip=falls(scale.min_label, scale.max_label) if scale else False,
        topics=topics,
    )


def _loadings(
    frame: Frame, topics: tuple[tuple[str, float], ...], sign: int
) -> tuple[tuple[Leaning, float], ...]:
    """Return leanings with weights whose squares add to one, signed so that a high stance means a yes."""
    weights: dict[str, float] = {}
    for name, weight in topics:
        against = (frame.name in _GLAD and name in _BURDENS) or (frame.axis == "worry" and name in _BLESSINGS)
        weights[name] = weight * sign * (-1 if against else 1)
    for name, weight in frame.leanings:
        weights[name] = weights.get(name, 0.0) + weight
    if not weights:
        weights = {"assent": 0.5, "novelty": 0.5}
    size = round(sum(weight * weight for weight in weights.values()) ** 0.5, 6)
    return tuple((LEANING[name], round(weight / size, 6)) for name, weight in weights.items() if weight)


def own_stance(plan: Plan, person: tuple[float, ...], uuid: bytes, moment: tuple[int, ...]) -> float:
    """Return an agent's stance from its leanings, the subject and the moment; about -3 to 3, high for yes."""
    total = plan.sign * _FROM_SUBJECT * normal(draws(plan.subject, uuid)) + _FROM_MOMENT * normal(moment)
    for leaning, weight in plan.leanings:
        total += _FROM_LEANINGS * weight * leaning.of(person, uuid)
    return total


def remembered(links: Sequence[tuple[float, Plan, Exchange]], own: float) -> float:
    """Return the stance with the earlier answers of the study in it; the strongest link counts."""
    best, said = 0.0, 0.0
    for weight, plan, exchange in links:
        earlier = stance_of(plan, exchange.value)
        if earlier is not None and abs(weight) >= abs(best):
            best, said = weight, earlier
    if not best:
        return own
    return best * said + (1 - abs(best)) * own


def stance_of(plan: Plan, value: Any) -> float | None:
    """Return the stance that a coded answer shows; None when it shows none."""
    question = plan.question
    if isinstance(value, bool):
        if plan.fact is not None or plan.profile is not None:
            return 1.2 if value else -2.6
        return plan.threshold + (0.9 if value else -0.9)
    if question.type == "scale" and question.scale is not None and isinstance(value, int):
        at = question.scale.max - value if plan.flip else value - question.scale.min
        return ((at + 0.5) / question.scale.points - plan.mean) / plan.frame.spread
    if question.type == "single_choice" and plan.order is not None and value in question.options:
        rank = plan.order.ranks[question.options.index(value)]
        if rank is not None:
            return ((rank + 0.5) / plan.order.levels - plan.mean) / plan.frame.spread
    if question.type == "number" and value == 0:
        return -2.2
    return None


@lru_cache(maxsize=4096)
def link(earlier: Question, later: Question) -> float:
    """Return how strongly an earlier question binds a later one, -1 to 1; 0 when they have nothing in common.

    Examples
    --------
    >>> a = Question("How likely are you to switch to a lower-sugar snack?", "open")
    >>> b = Question("Would you switch to a lower-sugar snack?", "yes_no")
    >>> link(a, b), link(a, Question("Do you like your job?", "yes_no"))
    (0.93, 0.0)
    """
    one, two = plan_of(earlier), plan_of(later)
    a, b = content(one.sentence), content(two.sentence)
    shared = len(a & b)
    if shared:
        near = shared / min(len(a), len(b)) >= 0.5
    else:
        words = later.text.lower().replace("?", " ").split()
        near = len(b) <= 1 and any(word in _POINTING for word in words)
    if not near:
        return 0.0
    strength = (
        0.93
        if one.frame.axis == two.frame.axis
        else _AXES.get(frozenset((one.frame.axis, two.frame.axis)), 0.0)
    )
    if one.fact is not None or (one.profile is not None and shared):
        strength = 0.9 if two.frame.axis in ("use", "favour") else 0.0
    return strength * one.sign * two.sign
