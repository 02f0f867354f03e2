"""Contradictions between the words of an answer and the value that they should express.

The rules follow from the shape of the value alone. They find words that begin with another answer, name only
other options, or state only other numbers; a contradiction that takes understanding is not found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from voxpop.engines.option_order import ESCAPE
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, RANKING

_BEGINNINGS = {
    True: re.compile(r"\W*(yes|yeah|yep|yup)(?=\s*(?:[^\w\s'’]|$|i\b))", re.I),
    False: re.compile(r"\W*(no|nope|nah)(?=\s*(?:[^\w\s'’]|$|i\b))", re.I),
}
_NUMBER = re.compile(
    r"((?:(?<![\w.])-)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?:\s?(k|thousand|million|billion)\b)?", re.I
)
_TIMES = {"": 1.0, "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_IN_LETTERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)


def contradiction(question: Question, value: Any, words: str) -> str | None:
    """Return how words contradict a coded answer, as part of a sentence; None if they do not.

    Parameters
    ----------
    question : Question
        The question.
    value : object
        The coded answer; None for "don't know".
    words : str
        The answer in words.

    Examples
    --------
    >>> contradiction(Question("Do you like tea?", "yes_no"), True, "No, it is too bitter.")
    'they begin with "No"'
    >>> tea = Question("Which one?", "single_choice", ("Tea", "Green tea", "Milk"))
    >>> contradiction(tea, "Tea", "Green tea, since I never liked milk.")
    'they name "Green tea" and not "Tea"'
    >>> contradiction(tea, "Tea", "Tea, since I never liked milk.") is None
    True
    >>> contradiction(Question("How many?", "number"), 3, "About 4, I think.")
    'they say 4 and not 3'
    """
    if question.shape is BOOLEAN:
        return _of_yes_or_no(value, words)
    if question.row.has_options:
        return _of_options(question, value, words)
    if question.shape.numeric and value is not None:
        return _of_numbers(value, _without_scale(question, words))
    return None


def other_numbers(settled: str, words: str) -> str | None:
    """Return which numbers words state where a settled text has others; None if one is the same.

    Examples
    --------
    >>> other_numbers("I'm 34.", "Thirty-five, or 35 as they write it.")
    'they say 35 and not 34'
    >>> other_numbers("I live in Texas.", "Since 1999 in Texas.") is None
    True
    """
    wanted, found = _numbers(settled), _numbers(words)
    if not wanted or not found or set(wanted) & set(found):
        return None
    return f"they say {_listed(found)} and not {_listed(wanted)}"


def _of_yes_or_no(value: Any, words: str) -> str | None:
    for meaning, beginning in _BEGINNINGS.items():
        found = beginning.match(words)
        if found and value is not meaning:
            return f'they begin with "{found[1]}"'
    return None


def _of_options(question: Question, value: Any, words: str) -> str | None:
    named = [(question.options[place], start) for place, start in _named(question.options, words)]
    if not named:
        return None
    first, start = named[0]
    begins = not re.search(r"\w", words[:start])
    if value is None:
        return f'they begin with "{first}"' if begins and not ESCAPE.match(first) else None
    wanted = value if isinstance(value, list) else [value]
    if question.shape is RANKING:
        ahead = begins and bool(wanted) and first != wanted[0]
        return f'they begin with "{first}" and not with "{wanted[0]}"' if ahead else None
    if any(option in wanted for option, _ in named):
        return None
    return f'they name "{first}" and not "{_shown(wanted)}"'


def _of_numbers(value: Any, words: str) -> str | None:
    found = _numbers(words)
    in_letters = dict(enumerate(_IN_LETTERS)).get(value)
    if not found or float(value) in found or (in_letters and re.search(rf"\b{in_letters}\b", words, re.I)):
        return None
    return f"they say {_listed(found)} and not {value}"


def _numbers(words: str) -> list[float]:
    return [float(number.replace(",", "")) * _TIMES[unit.lower()] for number, unit in _NUMBER.findall(words)]


def _without_scale(question: Question, words: str) -> str:
    """Return words without the ends of the scale in "7 out of 10" and "from 0 to 10"."""
    scale = question.scale
    if scale is None:
        return words
    words = re.sub(rf"(?:\bout of|\bof|/)\s*{scale.max}\b", "", words, flags=re.I)
    return re.sub(rf"\b{scale.min}\s*(?:to|-|–)\s*{scale.max}\b", "", words, flags=re.I)


def _named(options: Sequence[str], words: str) -> list[tuple[int, int]]:
    """Return the options that words name, by index with the place of the first mention, in that order."""
    pattern, places = _pattern(tuple(options))
    found: dict[int, int] = {}
    for mention in pattern.finditer(_plain(words)):
        found.setdefault(places[mention[0]], mention.start())
    return list(found.items())


@lru_cache(maxsize=256)
def _pattern(options: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """Return a pattern of all options, long ones first since they may contain others, and their indices."""
    places = {_plain(option): place for place, option in enumerate(options)}
    longest_first = sorted(places, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), places


def _plain(text: str) -> str:
    """Return a text for comparison, of the same length."""
    lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_QUOTES)


_QUOTES = str.maketrans("‘’“”", "''\"\"")


def _shown(wanted: Sequence[str]) -> str:
    return '", "'.join(wanted)


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(f"{int(one) if one == int(one) else one}" for one in numbers)
