"""Numeric answers: skewed around a usual amount, with heaping on round figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from voxpop.engines.question import Question
from voxpop_simulator.questions.how_often import YEAR, habit_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.topics import turned
from voxpop_simulator.questions.units import OF_SO_MANY, PRICE, SIGNS, SPELT, currency, read_unit
from voxpop_simulator.stances.normals import quantile
from voxpop_simulator.stances.numbers import Number, number_asked, period_of

# willingness to pay is a price; what one pays, earns, owes or has is an amount of the table of numbers
_WOULD = Pattern(
    r"\b(?:would|willing|could|will) (?:you |it |your )|\bwilling\b|\bmost you\b|\bmaximum\b|\bworth\b"
    r"|\bfair price\b|\bexpect\b",
    re.I,
)
_YEAR_OF = Pattern(r"\b(?:what|which) year\b", re.I)
_THIS_YEAR = 2025  # the reference year of the population's ages
_AGED = Pattern(r"\bage\b|\bhow old\b", re.I)
_HOW_LONG = Pattern(r"\bhow (?:much time|long|many (?:minutes|hours))\b|\btime (?:do|did) you\b")
_PERIODS = {
    "day": (2.0, 12),
    "night": (1.0, 8),
    "week": (2.6, 14),
    "month": (4.0, 31),
    "year": (8.0, 200),
    "hour": (1.0, 20),
    "weekday": (1.5, 8),
    "weekend": (1.5, 8),
}
_RATES = {
    "JPY": 150.0,
    "INR": 85.0,
    "BRL": 5.5,
    "MXN": 18.0,
    "CAD": 1.35,
    "AUD": 1.5,
    "EUR": 0.92,
    "GBP": 0.8,
}
_STEPS = (
    (10, 1),
    (20, 5),
    (50, 5),
    (100, 10),
    (200, 25),
    (500, 50),
    (1_000, 100),
    (5_000, 500),
    (20_000, 1_000),
    (100_000, 5_000),
    (10**12, 25_000),
)
_FINE = (
    (5, 0.5),
    (20, 1),
    (50, 5),
    (100, 5),
    (200, 10),
    (500, 25),
    (1_000, 50),
    (5_000, 100),
    (20_000, 500),
    (100_000, 1_000),
    (10**12, 10_000),
)


@dataclass(frozen=True, slots=True)
class Amount:
    """Usual answer to a number question."""

    kind: str
    usual: float
    most: float
    width: float
    sign: str
    turn: int
    none: float = -9.0
    least: int = 0


@lru_cache(maxsize=1024)
def amount_of(question: Question) -> Amount:
    """Return the usual amount for a number question: an amount in its text, or one for its subject."""
    text, unit = question.text.lower(), question.unit or ""
    asked = OF_SO_MANY.search(text)
    if asked and asked["many"]:
        many = int(asked["many"]) if asked["many"].isdigit() else SPELT.index(asked["many"])
        return Amount("count", 0.6 * many, many, 0.5, "", -1 if turned(text) else 1, -1.9)
    known = _of_table(text, unit)
    if known is not None:
        return known
    if unit in SIGNS:
        return _money(text, unit)
    if unit == "%":
        return Amount("percent", 32, 100, 0.75, "", 1)
    if unit == "number" and _YEAR_OF.search(text):
        return Amount("year", 6, 60, 0.8, "", 1)
    if unit in ("years", "number"):
        aged = bool(_AGED.search(text))
        line = number_asked("ages", text) if aged else None
        if line is not None:
            return _amount(line, "years", text, 1.0)
        return Amount("years", 18 if aged else 6, 120, 0.4 if aged else 0.8, "", 1)
    if unit in ("minutes", "seconds"):
        return Amount("minutes", 26, 240, 0.6, "", 1)
    if unit in ("in", "lb", "pounds"):
        return Amount("body", 67 if unit == "in" else 178, 400, 0.05 if unit == "in" else 0.2, "", 1)
    period = unit.rpartition(" a ")[2]
    often = _often(text, unit, period)
    if often:
        return often
    usual, most = _PERIODS.get(period, (3.0, 50))
    return Amount("count", usual, most, 0.75, "", -1 if turned(text) else 1, *_none(text))


def _of_table(text: str, unit: str) -> Amount | None:
    """Return the entry of the table of numbers, converted to the period of the question."""
    line = _line(text, unit)
    if line is None:
        return None
    if line.section == "money":
        return _amount(line, "money", text, _RATES.get(unit, 1.0), SIGNS[unit])
    if line.section == "hours":
        many = 60.0 if unit.startswith("minutes") else 1.0
        return _amount(line, "minutes" if many > 1 else "count", text, many)
    return _amount(line, "percent" if line.section == "percent" else "count", text, 1.0)


def _line(text: str, unit: str) -> Number | None:
    kind = re.match(r"hours|minutes|times|days|nights", unit)
    if unit in SIGNS:
        if _WOULD.search(text) or is_price_point(text) or re.search(r"[$£€¥₹]\s?\d", text):
            return None
        return number_asked("money", text)
    if unit == "%":
        return number_asked("percent", text)
    if kind and kind[0] in ("hours", "minutes"):
        return number_asked("hours", text)
    if unit == "number" or re.search(r"\bage\b|how old", text):
        return None
    line = number_asked("times", text)
    if line is None and not (kind or (habit_of(text) and _often(text, unit, period_of(text)))):
        line = number_asked("counts", text)
    return line


def amount_line(question: Question) -> Number | None:
    """Return the entry of the table of numbers that the answers to a question follow, or None.

    Examples
    --------
    >>> amount_line(Question("How many hours a day do you watch TV?", "number", unit="hours a day")).source
    'BLS, American Time Use Survey 2022: 2 h 47 min a day'
    >>> amount_line(Question("How much would you pay for it?", "number", unit="USD")) is None
    True
    """
    text = question.text.lower()
    return None if OF_SO_MANY.search(text) else _line(text, question.unit or "")


def _amount(line: Number, kind: str, text: str, many: float, sign: str = "") -> Amount:
    over = line.over(period_of(text)) * many
    none = round(quantile(line.none), 4) if line.none > 0 else -9.0
    most = max(line.most * over, 1.0)
    least = 1 if line.none == 0 and kind == "count" else 0
    return Amount(kind, line.usual * over, most, line.spread, sign, 1, none, least)


def known_amount(question: Question) -> Amount | None:
    """Return the usual amount for a question with number bands, or None if unknown.

    Times are in minutes, as in the bands.
    """
    text = question.text.lower()
    if any("%" in option for option in question.options):
        line = number_asked("percent", text)
        return None if line is None else _amount(line, "percent", text, 1.0)
    if any(re.search(r"[$£€¥₹]", option) for option in question.options):
        code = currency(" ".join(question.options)) or "USD"
        line = None if _WOULD.search(text) else number_asked("money", text)
        if line is not None:
            return _amount(line, "money", text, _RATES.get(code, 1.0), SIGNS[code])
        price = number_asked("prices", text)
        return None if price is None else _amount(price, "money", text, _RATES.get(code, 1.0))
    if _HOW_LONG.search(text) and any(re.search(r"min|hour|hr", each, re.I) for each in question.options):
        line = number_asked("hours", text)
        return None if line is None else _amount(line, "minutes", text, 60.0)
    unit = read_unit(text) or ""
    often = _often(text, unit, unit.rpartition(" a ")[2])
    line = None if often else number_asked("times", text) or number_asked("counts", text)
    return often if line is None else _amount(line, "count", text, 1.0)


def _often(text: str, unit: str, period: str) -> Amount | None:
    """Return the usual number of times in a period, or of days in it, for a known behaviour."""
    habit = habit_of(text)
    if habit is None or period not in YEAR or not re.match(r"(?:times|days|nights|\w*meals)\b", unit):
        return None
    days = unit.startswith(("days", "nights"))
    most = {"week": 7, "month": 31, "year": 366}.get(period, 24) if days else _PERIODS[period][1] * 2
    usual = min(10**habit.middle / YEAR[period], 0.75 * most)
    never = quantile(habit.never) if usual < 7 else -9.0
    return Amount("count", usual, int(most), min(2.3 * habit.spread, 1.3), "", 1, round(never, 4))


def _none(text: str) -> tuple[float]:
    """Return the stance below which a count is zero: from the behaviour's table, or else one in ten."""
    habit = habit_of(text)
    return (round(quantile(habit.never), 4) if habit else -1.25,)


def price_named(text: str) -> float | None:
    """Return the first price in a question, if any.

    Examples
    --------
    >>> price_named("Imagine a tea for $1,200.50 a year. Would you buy it?")
    1200.5
    """
    named = PRICE.search(text)
    return float(named[0][1:].strip().replace(",", "")) if named else None


def _money(text: str, unit: str) -> Amount:
    named, price = price_named(text), number_asked("prices", text)
    usual = named * 0.95 if named else (price.usual if price else _UNKNOWN) * _RATES.get(unit, 1.0)
    usual *= next((times for pattern, times in POINTS if pattern.search(text)), 1.0)
    return Amount("money", usual, usual * 10, 0.62, SIGNS[unit], 1, -1.9)


def price_behind(question: Question) -> str:
    """Return the price that answers on what one would pay are spread around, or an empty string.

    Examples
    --------
    >>> price_behind(Question("How much would you pay for a pint of ice cream?", "number", unit="USD"))
    'a guess of $5'
    >>> price_behind(Question("How much do you spend on coffee a week?", "number", unit="USD"))
    ''
    """
    text, unit = question.text.lower(), question.unit or ""
    if unit not in SIGNS or _of_table(text, unit) is not None or OF_SO_MANY.search(text):
        return ""
    if price_named(text):
        return "the price that the question names"
    price = number_asked("prices", text)
    return f"a guess of ${_UNKNOWN if price is None else price.usual:,g}"


def is_price_point(text: str) -> bool:
    """Return whether a question asks for the price that is too cheap, a bargain or too expensive.

    Examples
    --------
    >>> is_price_point("At what price would it be a bargain?"), is_price_point("What would you pay for it?")
    (True, False)
    """
    return any(pattern.search(text.lower()) for pattern, _ in POINTS)


def usual_price(question: Question) -> float | None:
    """Return the usual price of the subject, in the question's currency, or None if unknown."""
    line = number_asked("prices", question.text.lower())
    return None if line is None else line.usual * _RATES.get(currency(question.text) or "USD", 1.0)


POINTS = tuple(
    (Pattern(pattern), times)
    for pattern, times in (
        (r"\b(?:too|so) (?:cheap|low|inexpensive)\b|\b(?:doubt|question) (?:the|its) quality", 0.5),
        (r"\b(?:too|so) expensive\b|\b(?:not|never|n't) (?:even )?consider\b", 1.7),
        (r"\b(?:bargain|(?:good|great) (?:value|buy|deal))\b", 0.8),
        (
            r"\b(?:getting|start\w* to|begin\w* to|a bit)\b.{0,12}\bexpensive\b|\bexpensive,? but\b",
            1.3,
        ),
    )
)
"""Van Westendorp's four prices (Price Sensitivity Meter, 1976) in usual prices; our values."""
_UNKNOWN = 20.0  # US dollars, for an unknown thing


def number(amount: Amount, stance: float, fine: int) -> int | float:
    """Return the number for a stance; ``fine`` (0..65535) is the agent's precision of counting.

    Examples
    --------
    >>> price = Amount("money", 14, 140, 0.62, "$", 1, -1.9)
    >>> number(price, 0.0, 0), number(price, 1.0, 0), number(price, -2.5, 0)
    (14, 25, 0)
    """
    stance *= amount.turn
    if stance < amount.none:
        return 0
    power = amount.width * min(max(stance, -2.5), 2.8)
    grown = 1 + power / 16  # (1 + x/16)^16 is close to e^x and exact on every machine
    grown *= grown
    grown *= grown
    grown *= grown
    raw = min(amount.usual * grown * grown, amount.most)
    if amount.kind == "money":
        return _heaped(raw, fine)
    if amount.kind == "percent":
        step = 5 if fine % 3 == 0 else 10
        return min(int(raw / step + 0.5) * step, 100)
    if amount.kind == "minutes":
        step = 5 if raw < 20 or fine % 3 == 0 else 15
        return max(int(raw / step + 0.5) * step, 5)
    count = max(int(raw + 0.5), amount.least)
    if amount.kind == "year":
        return _THIS_YEAR - count
    if count >= 100 and amount.kind == "count":
        return int(_heaped(raw, fine))
    if count > 12 and amount.kind in ("count", "years") and fine % 5:
        count = int(count / 5 + 0.5) * 5
    return min(count, int(amount.most))


def point_price(question: Question, amount: Amount, stance: float, fine: int) -> int | float:
    """Return one of Van Westendorp's four prices; the four of an agent always rise.

    Examples
    --------
    >>> texts = ("so cheap that you would doubt its quality", "a bargain", "too expensive to consider")
    >>> asked = [Question(f"At what price is it {text}?", "number", unit="USD") for text in texts]
    >>> [point_price(each, amount_of(each), 0.3, 0) for each in asked]
    [12, 19, 40]
    """
    text = question.text.lower()
    times = next(times for pattern, times in POINTS if pattern.search(text))
    last: float = 0
    for each in sorted(each for _, each in POINTS if each <= times):
        price = number(replace(amount, usual=amount.usual / times * each, none=-9.0), stance, fine)
        last = price if price > last else last + _step(last, fine)
    return int(last) if last == int(last) else last


def _step(value: float, fine: int) -> float:
    steps = _FINE if fine < 13_000 else _STEPS
    return next(step for limit, step in steps if value < limit)


def _heaped(raw: float, fine: int) -> int | float:
    step = _step(raw, fine)
    value = max(int(raw / step + 0.5), 1) * step
    return int(value) if value == int(value) else value


def spoken(amount: Amount, value: float) -> str:
    """Return a formatted number with its currency sign.

    Examples
    --------
    >>> spoken(Amount("money", 14, 112, 0.5, "$", 1), 2.5)
    '$2.50'
    """
    if amount.kind == "money":
        return f"{amount.sign}{value:,.0f}" if value == int(value) else f"{amount.sign}{value:,.2f}"
    if amount.kind == "percent":
        return f"{value:g}%"
    return f"{value}" if amount.kind == "year" else f"{value:,}"
