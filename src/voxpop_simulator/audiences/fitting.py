"""Whether a word of the lexicon has its usual meaning at its place in an audience text."""

from __future__ import annotations

import re
from collections.abc import Callable

from voxpop_simulator.audiences.audience_places import SHORT_STATES
from voxpop_simulator.questions.wordlists import word_set

_VERBS_TOO = word_set(
    "clean cleans coach coaches cook cooks farm farms guard guards host hosts nurse nurses paint"
    " paints pilot pilots tutor tutors"
)
"""Job names that are also everyday activities: "who cook at home" names no job."""
_BY_ITSELF = word_set(
    "manufacturing retail construction healthcare finance banking hospitality education agriculture logistics"
)
"""Industries that one word names only where it stands by itself."""
_FAMILY = word_set("parents parent mother father mothers mom dad")
_STATES_OF_LIFE = word_set("city young older younger working employed active student")
_COLOURS = word_set("white black asian rich indian")
_CAPITALS = word_set("la may it add ace us")
_TYPES = word_set("t1 t2 t1s t2s")
_TITLES = word_set("nps np pas crnas ots")


def fits(text: str, start: int, end: int, phrase: str) -> bool:
    """Return whether a phrase has its usual meaning at its place in the text.

    Examples
    --------
    >>> fits("Ask us later", 4, 6, "us"), fits("nurses in the US", 14, 16, "us")
    (False, True)
    """
    if re.match(r"(?: State)? (?:University|College|High School|Times|Post)\b", text[end:]):
        return False
    return all(rule(text, start, end) for words, rule in _RULES if phrase in words)


def _as_noun(text: str, start: int, end: int) -> bool:
    before = text[:start].lower()
    return re.search(r"\b(?:who|that)\s+(?:\w+ly\s+|often\s+|never\s+)?$", before) is None


def _of_diabetes(text: str, start: int, end: int) -> bool:
    return text[start].isupper() and "diabet" not in text.lower()


def _abbreviated(text: str, start: int, end: int) -> bool:
    ended = re.match(r"\s*(?:[.,;/)&]|and\b|or\b|$)", text[end:]) is not None
    return text[start].isupper() and text[start + 1 : end].islower() and ended


def _by_itself(text: str, start: int, end: int) -> bool:
    before = re.search(r"(?:^|[,;:.(–—-]\s*|\s-\s)$", text[:start])
    return before is not None and re.match(r"\s*(?:$|[,;.)–—]|-\s)", text[end:]) is not None


def _direction(text: str, start: int, end: int) -> bool:
    return text[start].isupper() and _by_itself(text, start, end)


def _of_a_party(text: str, start: int, end: int) -> bool:
    return re.search(r"\bdem(?:s|ocrats?)\b", text, re.I) is not None


def _as_title(text: str, start: int, end: int) -> bool:
    return text[start : start + 2].isupper()


def _capital(text: str, start: int, end: int) -> bool:
    if text[start:end].isupper() or text[start:end].lower() != "us":
        return text[start:end].isupper()
    return text[:start].lower().endswith(("the ", "in ")) or _by_itself(text, start, end)


def _own(text: str, start: int, end: int) -> bool:
    before = text[:start].lower()
    return not re.search(r"\b(?:their|his|her|your|elderly|aging|ageing|of|my|our|a)\s+$", before)


def _of_people(text: str, start: int, end: int) -> bool:
    before, after = text[:start].lower(), text[end:].lower()
    if text[start:end] == "City":
        return False
    return not re.search(r"\b(?:big|york|the|salt lake|kansas|parents? of|physically)\s+$", before) and (
        not re.search(r"^\s+(?:kids|children|child|of|in|as|at|with|for)\b", after)
        or re.match(r"\s+in \w", after) is not None
    )


def _of_origin(text: str, start: int, end: int) -> bool:
    after = text[end:].lower()
    return not re.search(r"^[\s-]+(?:collar|friday|tea|coffee|car|food|in|hat|ocean)\b", after)


_RULES: tuple[tuple[frozenset[str], Callable[[str, int, int], bool]], ...] = (
    (_VERBS_TOO, _as_noun),
    (_TYPES, _of_diabetes),
    (frozenset((*SHORT_STATES, "aus")), _abbreviated),
    (_BY_ITSELF, _by_itself),
    (frozenset(("south", "west", "north")), _direction),
    (frozenset(("reps", "strong reps")), _of_a_party),
    (_TITLES, _as_title),
    (_CAPITALS, _capital),
    (_FAMILY, _own),
    (_STATES_OF_LIFE, _of_people),
    (_COLOURS, _of_origin),
)
