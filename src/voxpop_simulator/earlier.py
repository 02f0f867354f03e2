"""Earlier questions of a study: their effects on a later question, computed once for all agents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol

from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Remembered
from voxpop.vocabulary.bounds import as_read, is_read_whole
from voxpop.vocabulary.shapes import BOOLEAN, NUMBER
from voxpop_simulator.questions.follow_ups import in_study, name_in, probes
from voxpop_simulator.questions.offers import Offer, is_new
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import AWARE
from voxpop_simulator.questions.question_words import asks_reason, read_question, second_question
from voxpop_simulator.questions.subject_asked import AskedSubject
from voxpop_simulator.speech.answer_wording import asked_for, asks_why, offer_reacted_to, referent
from voxpop_simulator.speech.reasons import refers_back
from voxpop_simulator.stances.amounts import amount_of
from voxpop_simulator.stances.grounds import Grounds, grounds_of
from voxpop_simulator.stances.stance import AnswerPlan, Shown, asks_if_heard, link, plan_of, shown_range
from voxpop_simulator.stances.views import views_before
from voxpop_simulator.stances.worth import (
    Mark,
    is_same_thing,
    is_worth,
    lowest_answers,
    mark_of,
    price_burden,
    price_put,
    price_weight,
    wants_same,
    wish_for,
)

_HOW_MUCH = Pattern(
    r"^(?:and |if so,? )?how (?:much|many)(?: more| extra)?(?:,? (?:in|as a|per) [^?]*)?\?", re.I
)
_MOST_RANGES = 1_000  # maximum number of cached ranges per earlier question


class Past(Protocol):
    """Answers of one agent to earlier questions, by question index."""

    def __getitem__(self, place: int, /) -> Any:
        """Return the coded answer."""
        ...

    def text(self, place: int) -> str:
        """Return the text of the answer."""
        ...


class Told:
    """Answers of one agent, read from its exchanges."""

    __slots__ = ("_exchanges",)

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._exchanges = exchanges

    def __getitem__(self, place: int) -> Any:
        """Return the coded answer at an index."""
        return self._exchanges[place].value

    def text(self, place: int) -> str:
        """Return the text of the answer at an index."""
        return self._exchanges[place].text


class Recalled:
    """Answers of one agent, read from the columns of its study."""

    __slots__ = ("_agent", "_columns", "_places", "_row", "_study")

    def __init__(
        self,
        study: Remembered,
        places: Sequence[int],
        columns: Sequence[Sequence[Any]],
        agent: int,
        row: int,
    ) -> None:
        self._study, self._places, self._columns = study, places, columns
        self._agent, self._row = agent, row

    def __getitem__(self, place: int) -> Any:
        """Return the coded answer at an index."""
        return self._columns[place][self._row]

    def text(self, place: int) -> str:
        """Return the text of the answer at an index."""
        return self._study.text(self._agent, self._places[place])


@dataclass(frozen=True, slots=True)
class Binding:
    """A constraint from an earlier question: its index, its strength, and the stances implied by answers."""

    place: int
    weight: float
    plan: AnswerPlan
    _ranges: dict[tuple[Any, type], Shown | None] = field(default_factory=dict, compare=False, repr=False)

    def shown(self, value: Any) -> Shown | None:
        """Return the range of stances implied by an answer, or None."""
        if isinstance(value, list):
            return None  # options without an order
        name = (value, value.__class__)  # True and 1 are equal
        if name in self._ranges:
            return self._ranges[name]
        found = shown_range(self.plan, value)
        if len(self._ranges) < _MOST_RANGES:
            self._ranges[name] = found
        return found


@dataclass(frozen=True, slots=True)
class Telling:
    """Effects of earlier answers on an open question, or on the open part of a coded one.

    Attributes
    ----------
    plan, found
        The question, and its interpretation.
    about : Plan
        Subject of the agent's stance.
    reasons_of : tuple of Binding or None
        Earlier questions that may be meant, if the question asks for the reason of a coded answer.
    else_of : int or None
        Fallback for a question about reasons if none of those questions was answered.
    unheard : tuple of int
        Earlier questions on having heard of the subject.
    priced : tuple of int
        Earlier questions on an amount of money, last one first.
    first : bool
        Whether the agent was asked no question before.
    offer : Offer or None
        Offer that the question asks to react to.
    burden : float
        Effect of the price of that offer on the demand for it.
    """

    plan: AnswerPlan
    found: AskedSubject
    about: AnswerPlan
    reasons_of: tuple[Binding, ...] | None
    else_of: int | None
    unheard: tuple[int, ...]
    priced: tuple[int, ...]
    first: bool
    offer: Offer | None = None
    burden: float = 0.0


@dataclass(frozen=True, slots=True)
class InStudy:
    """A question with its earlier questions and their relations.

    Attributes
    ----------
    plan, before
        The question, and the earlier ones.
    grounds : Grounds
        What the answers rest on.
    burden : float
        Effect of a price on the demand for the subject.
    repeated : int or None
        Identical earlier question.
    declined : int or None
        Earlier yes/no question about the same offer, if this question asks for an amount.
    price : float or None
        Price of the offer in a yes/no question.
    marks : tuple
        Earlier questions about the same subject, by index.
    wishes : tuple
        Earlier ratings of wanting the same thing, by index, with their lowest answers; for an offer or a
        question on its worth.
    offers : tuple of int
        Earlier offers of the same thing and questions on its worth; for a rating of wanting it.
    lowest : tuple or None
        Lowest answer to such a rating, and the one above it.
    views : tuple
        Earlier questions that bound a rating of buying or recommending the same thing, by index.
    bindings, by_strength : tuple of Binding
        Constraints from earlier questions, in the order asked and weakest first.
    gives_reason : bool
        Whether a coded question also asks for the reason.
    open, second : Telling or None
        Effects of earlier questions on an open question, and on the open part of a coded one.
    second_text : str
        Text of the open part of a coded question.
    state : bytes
        Key of the random component of the stance if all views of one offer share it.
    """

    plan: AnswerPlan
    grounds: Grounds
    before: tuple[Question, ...]
    burden: float
    repeated: int | None
    declined: int | None
    price: float | None
    marks: tuple[tuple[int, Mark], ...]
    wishes: tuple[tuple[int, Any], ...]
    offers: tuple[int, ...]
    lowest: tuple[Any, Any] | None
    views: tuple[tuple[int, AnswerPlan], ...]
    bindings: tuple[Binding, ...]
    by_strength: tuple[Binding, ...]
    gives_reason: bool
    open: Telling | None
    second: Telling | None
    second_text: str
    state: bytes = b""


@lru_cache(maxsize=256)
def understood_in_study(question: Question, earlier: tuple[Question, ...]) -> InStudy:
    """Return a question as interpreted after the earlier ones of its study.

    Examples
    --------
    >>> box = Question("Would you buy a box of tea for $12?", "yes_no")
    >>> dearer = Question("Would you buy a box of tea for $20?", "yes_no")
    >>> found = understood_in_study(dearer, (box, Question("Do you like your job?", "yes_no")))
    >>> [each.place for each in found.bindings], [place for place, _ in found.marks], found.price
    ([0], [0], 20.0)
    """
    *before, now = in_study([*map(_as_read, earlier), plan_of(question).question])
    plan = _available(plan_of(now), before)
    bindings = tuple(
        Binding(place, weight, _at_price(plan, each))
        for place, each in enumerate(before)
        if (weight := link(each, plan.question))
    )
    coded = plan.question.shape.coded
    second = second_question(plan.question.text) if coded else None
    alike = []
    if price_put(now) is not None or now.shape is NUMBER:
        alike = [place for place, each in enumerate(before) if is_same_thing(each, now)]
    told = None if coded else _telling(plan, before, bindings)
    return InStudy(
        plan=plan,
        grounds=grounds_of(plan),
        before=tuple(before),
        burden=price_burden(now, before),
        repeated=_repeated(plan.question, before, question, earlier),
        declined=_declined(plan, before),
        price=price_put(plan.question) if plan.question.shape is BOOLEAN else None,
        marks=tuple((place, mark_of(before[place])) for place in alike),
        wishes=_wishes(now, before) if now.shape is BOOLEAN or is_worth(now) else (),
        offers=_offers(now, before),
        lowest=lowest_answers(now),
        views=views_before(now, before),
        bindings=bindings,
        by_strength=tuple(sorted(bindings, key=lambda each: abs(each.weight))),
        gives_reason=coded and second is None and asks_reason(plan.question.text),
        open=told,
        second=_telling(plan_of(read_question(second, type="open")), before, bindings) if second else None,
        second_text=second or "",
        state=(plan if told is None else told.about).state,
    )


def _available(plan: AnswerPlan, before: Sequence[Question]) -> AnswerPlan:
    """Return a plan by which nobody has bought or used what an earlier question describes as new."""
    if plan.funnel is None or plan.frame is AWARE:
        return plan
    if not is_new(name_in(plan.question.text), [each.text for each in before]):
        return plan
    return replace(plan, funnel=plan.funnel.unavailable())


def _telling(plan: AnswerPlan, before: Sequence[Question], bindings: Sequence[Binding]) -> Telling:
    coded = [place for place, each in enumerate(before) if each.shape.coded]
    wants_reason = bool(coded) and (asks_why(plan.sentence) or probes(plan.sentence))
    back = wants_reason and refers_back(plan.sentence, to_value=not before[-1].shape.coded)
    earlier = referent(plan, before) if before else None
    about = plan if earlier is None else plan_of(earlier)
    offer = offer_reacted_to(plan)
    wish = None if offer is None else wish_for(plan.question)
    if about.frame.axis != plan.frame.axis:
        about = plan
    return Telling(
        plan=plan,
        found=asked_for(plan, before),
        about=about if wish is None else plan_of(wish),
        reasons_of=tuple(each for each in bindings if each.place in coded) if wants_reason else None,
        else_of=coded[-1] if back else None,
        unheard=tuple(place for place, each in enumerate(before) if asks_if_heard(each, plan)),
        priced=tuple(
            place
            for place, each in reversed(list(enumerate(before)))
            if each.shape is NUMBER and amount_of(each).kind == "money"
        ),
        first=not before,
        offer=offer,
        burden=0.0 if wish is None else price_burden(wish, before),
    )


def _wishes(now: Question, before: Sequence[Question]) -> tuple[tuple[int, Any], ...]:
    rated = [(place, lowest_answers(each)) for place, each in enumerate(before) if wants_same(each, now)]
    return tuple((place, lowest[0]) for place, lowest in rated if lowest is not None)


def _offers(now: Question, before: Sequence[Question]) -> tuple[int, ...]:
    if lowest_answers(now) is None:
        return ()
    return tuple(
        place
        for place, each in enumerate(before)
        if (each.shape is BOOLEAN or is_worth(each)) and wants_same(each, now)
    )


def _as_read(question: Question) -> Question:
    text = as_read(question.text)
    return question if text == question.text else replace(question, text=text)


def _repeated(
    question: Question, before: Sequence[Question], whole: Question, wholes: Sequence[Question]
) -> int | None:
    """Return the index of the first question with this text, type, options and scale."""
    asked = (question.text, question.type, question.options, question.scale)
    for place, (each, told) in enumerate(zip(before, wholes, strict=True)):
        if (each.text, each.type, each.options, each.scale) != asked:
            continue
        if is_read_whole(whole.text) or told.text == whole.text:
            return place
    return None


def _declined(plan: AnswerPlan, before: Sequence[Question]) -> int | None:
    """Return the index of the latest question about the offer whose amount this question asks for."""
    if not before or before[-1].shape is not BOOLEAN or plan.question.shape is not NUMBER:
        return None
    return len(before) - 1 if _HOW_MUCH.match(plan.sentence) else None


def _at_price(plan: AnswerPlan, earlier: Question) -> AnswerPlan:
    """Return an earlier plan with its borders moved to the price in the current question."""
    before = plan_of(earlier)
    price, then = price_put(plan.question), price_put(earlier)
    if not price or not then or price == then or not is_same_thing(plan.question, earlier):
        return before
    dearer = price_weight(price, then)
    borders = tuple(round(border - dearer, 4) for border in before.borders)
    return replace(before, threshold=before.threshold - dearer, borders=borders)
