"""Borders between answers on the stance axis, from the wording, the frequency or the amount."""

from __future__ import annotations

import itertools
import math
import re
from functools import lru_cache

from voxpop.engines.option_order import ESCAPE
from voxpop.engines.question import Question
from voxpop_simulator.questions.clocks import clock_borders, clock_order
from voxpop_simulator.questions.how_often import USUAL, Habit, frequencies, habit_of
from voxpop_simulator.questions.ordinals import Ordered, ranked, read_order
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import FREQUENCY, HABIT, PAST, Frame
from voxpop_simulator.stances.amounts import known_amount
from voxpop_simulator.stances.normals import quantile

_LEAST_GAP = 0.06
_OFTEN = Pattern(
    r"\b(?:often|frequently|regularly)\b|\btimes (?:a|per)\b|\bhow many (?:days|nights|times)\b", re.I
)
_DAILY = Pattern(r"\b(?:every|each) (?:single )?(?:day|morning|night|evening)\b|\bdaily\b", re.I)
_WEEKLY = Pattern(
    r"\b(?:every|each|once a|this|past|last) week\b|\bweekly\b|\bregular|\boften\b|\busually\b", re.I
)
_EVER = Pattern(r"\bever\b|\bat all\b", re.I)
_LEAST = {"day": 250.0, "week": 40.0, "ever": 0.0, "": 8.0}


@lru_cache(maxsize=1024)
def order_of(question: Question, sentence: str) -> Ordered | None:
    """Return the order of a question's options: times of day, frequencies, scale words, or bands."""
    order = clock_order(question.options)
    if order is not None:
        return order
    order = read_order(question.options)
    often = _rates(question, sentence)
    if often is None or (order is not None and not order.numeric and not _OFTEN.search(sentence)):
        return order
    real = iter(ranked(often))
    ranks = tuple(None if ESCAPE.match(option) else next(real) for option in question.options)
    return Ordered(ranks, len(often), False)


def _rates(question: Question, sentence: str) -> tuple[float, ...] | None:
    real = tuple(option for option in question.options if not ESCAPE.match(option))
    return frequencies(real, habit_of(sentence) or USUAL) if len(real) > 1 else None


def borders_of(
    question: Question, sentence: str, order: Ordered | None, shape: Frame, mean: float
) -> tuple[float, ...]:
    """Return the stances between neighbouring answers, from low to high; empty for other questions."""
    if question.scale is not None:
        points = question.scale.points
        low, steps = (0.5, points - 1) if points >= 10 else (0.0, points)  # long scales: the nearest point
        return tuple(round(shape.stance_at((at - low) / steps, mean), 4) for at in range(1, points))
    if order is None:
        return ()
    if order.cuts:
        found = [shape.stance_at(cut, mean) for cut in order.cuts]
    elif clock_order(question.options) is not None:
        found = clock_borders(sentence, order.amounts)
    elif order.numeric:
        found = _by_amounts(question, sentence, order.amounts)
    else:
        found = _by_rates(_rates(question, sentence) or (), habit_of(sentence) or USUAL)
    return _apart(found)


def _apart(found: list[float]) -> tuple[float, ...]:
    """Return increasing borders, so that no answer becomes unreachable."""
    rising: list[float] = []
    for border in found:
        rising.append(max(border, rising[-1] + _LEAST_GAP) if rising else border)
    return tuple(round(border, 4) for border in rising)


def _by_rates(rates: tuple[float, ...], habit: Habit) -> list[float]:
    """Return borders at the geometric mean of neighbouring frequencies; "never" is below all others."""
    line = sorted(rates)
    never = quantile(habit.never)
    found = []
    for low, high in itertools.pairwise(line):
        if low <= 0:
            found.append(max(never, (math.log10(high / 6) - habit.middle) / habit.spread))
        else:
            found.append(max((math.log10(math.sqrt(low * high)) - habit.middle) / habit.spread, never))
    return found


def _by_amounts(question: Question, sentence: str, amounts: tuple[float, ...]) -> list[float]:
    """Return borders by amount: half from the usual amount, half from the bands.

    People take the middle bands as typical (Schwarz 1987), so only the bands count if the amount is unknown.
    """
    bounds = [bound for bound in amounts[1:] if bound > 0]
    if not bounds:
        return [0.0] * (len(amounts) - 1)
    suggested = math.exp(sum(math.log(bound) for bound in bounds) / len(bounds))
    known = known_amount(question)
    usual = math.sqrt(known.usual * suggested) if known else suggested
    width = max(known.width, 0.3 if known.kind == "percent" else 0.5) if known else 0.7
    least = known.none if known is not None and amounts[0] <= 0 and amounts[1] <= 1 else None
    lowest = [bound - 0.5 if bound == int(bound) and bound <= 10 else bound for bound in amounts[1:]]
    found = [(math.log(max(bound, 0.3)) - math.log(usual)) / width for bound in lowest]
    return found if least is None else [max(found[0], least), *found[1:]]


def habit_threshold(sentence: str, frame: Frame) -> float | None:
    """Return the minimum stance for a yes to "Do you ...?", for a behaviour with a known rate.

    "Every day" requires a daily rate, "regularly" a weekly one, "ever" any; a plain "do you" about monthly.

    Examples
    --------
    >>> round(habit_threshold("Do you eat fast food every week?", HABIT), 2)
    0.32
    """
    if frame not in (HABIT, PAST, FREQUENCY) or not re.match(
        r"(?:.*, )?(?:do|did|have) you\b", sentence, re.I
    ):
        return None
    habit = habit_of(sentence)
    if (
        habit is None
        or frame is PAST
        or re.search(r"\b(?:own|prefer|want|need|belong|wear|know)\b", sentence, re.I)
    ):
        return None
    often = (
        "day" if _DAILY.search(sentence)
        else "week" if _WEEKLY.search(sentence)
        else "ever" if _EVER.search(sentence)
        else ""
    )  # fmt: skip
    never = quantile(habit.never)
    least = _LEAST[often]
    return round(max(never, (math.log10(least) - habit.middle) / habit.spread) if least else never, 4)
