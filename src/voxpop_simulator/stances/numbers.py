"""Usual numeric answers: a table of amounts in a text file, and the entry for a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from voxpop.text_files import text_of
from voxpop_simulator.questions.how_often import YEAR
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import sections_of
from voxpop_simulator.stances.options import SEEN

_FILE = Path(__file__).parent / "tables" / "numbers.txt"
_PERIOD = Pattern(
    r"\b(?:an?|per|each|every|past|last|this|in a|typical|average|previous)\s+"
    r"(day|night|weekday|weekend|week|month|year)\b|\b(dai|week|month|year|annual)ly\b"
    r"|\b(?:12|twelve) (month)s\b",
    re.I,
)
_LY = {"dai": "day", "week": "week", "month": "month", "year": "year", "annual": "year"}


@dataclass(frozen=True, slots=True)
class Number:
    """Distribution of one number.

    Attributes
    ----------
    usual : float
        Median of all answers, or of a distribution fitted to the non-zero answers if many are zero.
    per : str
        Period of the number, "-" for none.
    spread : float
        Standard deviation of the natural logarithm.
    none : float
        Share of zero answers, 0 to 1.
    most : float
        Maximum plausible number per period.
    seen : str
        "checked", "unverified" or "ours".
    """

    section: str
    name: str
    asks: Pattern
    usual: float
    per: str
    spread: float
    none: float
    most: float
    source: str
    seen: str

    def over(self, period: str) -> float:
        """Return how many of this entry's periods make up another: 7 days a week; 1 if either is unknown."""
        if period not in YEAR or self.per not in YEAR:
            return 1.0
        if {self.per, period} <= {"day", "night", "weekday"}:
            return 1.0
        return YEAR[self.per] / YEAR[period]


@cache
def numbers() -> dict[str, tuple[Number, ...]]:
    """Return the entries of the table by section: hours, counts, times, money, percent and prices.

    Examples
    --------
    >>> numbers()["hours"][0].name, numbers()["hours"][0].usual
    ('social media', 1.75)
    """
    return {
        section: tuple(_line(section, line) for line in lines)
        for section, lines in sections_of(text_of(_FILE)).items()
    }


def _line(section: str, line: str) -> Number:
    name, *words, usual, per, spread, none, most, source, seen = (cell.strip() for cell in line.split(" | "))
    if len(words) != 1 or seen not in SEEN:
        raise ValueError(f"no line of the table of numbers: {line!r}")
    return Number(section, name, Pattern(words[0], re.I), float(usual), per, float(spread), float(none) / 100,
                  float(most), source, seen)  # fmt: skip


@lru_cache(maxsize=2048)
def number_asked(section: str, text: str) -> Number | None:
    """Return the entry of a section that a question asks for, or None.

    Examples
    --------
    >>> number_asked("money", "How much do you spend on groceries a month?").name
    'groceries'
    """
    return next((line for line in numbers()[section] if line.asks.search(text)), None)


def period_of(text: str) -> str:
    """Return the period named in a question, or an empty string.

    Examples
    --------
    >>> period_of("What is your monthly phone bill?"), period_of("How many friends do you have?")
    ('month', '')
    """
    found = _PERIOD.search(text)
    if not found:
        return ""
    if found[3]:
        return "year"
    return found[1].lower() if found[1] else _LY[found[2].lower()]
