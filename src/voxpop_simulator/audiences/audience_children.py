"""Parents in an audience text, by the number and the ages of their children.

The profile holds the number of own children under 18 at home and the age of the youngest. "With kids under 5"
is thus exact; ages that only an older child may have ("with teenagers") are not, and are asked back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from voxpop.vocabulary import Between
from voxpop_simulator.audiences.audience_numbers import number
from voxpop_simulator.audiences.mentions import Mention, Sense, sense

_NUMBER = r"(\d|one|two|three|four|five|six|seven)"
_KIDS = (
    r"(?:children|kids|child|kid)(?:\s+(?:under|younger than|below)\s+(?:the age of\s+)?18)?(?:\s+at home)?"
)
_HAVING = r"(?:with|who have|having|have|has|raising|raise|of)"
_WHO = r"(parents?|moms?|dads?|mothers?|fathers?|mums?)"
_ALONE = r"(?:(?<=^)|(?<=[,;(•] )|(?<=- )|(?<=and )|(?<=with ))"
_COUNTED: tuple[tuple[re.Pattern[str], int, int | None], ...] = tuple(
    (re.compile(rf"(?:\b{_WHO}\s+)?\b{_HAVING}\s+{words}", re.IGNORECASE), low, high)
    for words, low, high in (
        (rf"(?:at least|no fewer than|minimum(?: of)?)\s+{_NUMBER}\s+{_KIDS}\b", 0, None),
        (rf"(?:more than|over)\s+{_NUMBER}\s+{_KIDS}\b", 1, None),
        (rf"{_NUMBER}\s*(?:\+|or more|and more|plus)\s*{_KIDS}\b", 0, None),
        (rf"{_NUMBER}\s+{_KIDS}\s+or more\b", 0, None),
        (rf"(?:exactly|only|just)?\s*{_NUMBER}\s+{_KIDS}\b", 0, 0),
    )
)
_SEVERAL = re.compile(
    rf"(?:{_HAVING}\s+|{_ALONE})(?P<low>{_NUMBER})\s*(?:-|–|to|or)\s*(?P<high>{_NUMBER})\s+{_KIDS}\b", re.I
)
_BARE = re.compile(
    rf"{_ALONE}(?P<least>at least |min(?:imum)?(?: of)? )?(?P<low>{_NUMBER})(?P<more>\s*\+|\s+or more|"
    rf"\s+plus)?\s*{_KIDS}"
    r"(?P<most>\s+or more)?(?!\s+(?:aged?\b|\d|who\b|between\b|in\b|from\b|year))\b",
    re.I,
)
_YOUNGEST_AGE = re.compile(
    r"\b(?:(?:with|and|whose|where) )?(?:the(?:ir)? )?youngest(?: (?:child|kid|one))?(?: (?:is|being|"
    r"aged?|at home))*\s+"
    r"(?:(?P<under>under|below|younger than)\s+(?P<top>\d{1,2})|(?P<low>\d{1,2})\s*(?:-|–|to|"
    r"through)\s*(?P<high>\d{1,2}))"
    r"(?:\s*(?:years?(?: old| of age)?|yrs?(?: old)?|y/?o))?\b",
    re.I,
)
_CHILDREN = re.compile(
    rf"\b(?:{_WHO}\s+(?:of|with|to|raising|who have|having|have|has)|(?:with|who have|having|have|has|"
    rf"raising))\s+"
    r"(?:a |an |their |own |at least one )?(?P<which>(?:[\w'-]+\s+){0,2}?)"
    r"(?P<kids>children|kids|child|kid|toddlers?|babies|baby|infants?|newborns?|preschoolers|teenagers|teens|"
    r"adolescents|sons?|daughters?|boys|girls)"
    r"(?P<ages>(?:\s+(?:under|younger than|below)\s+(?:the age of\s+)?\d{1,2}|\s+(?:aged\s+|"
    r"ages\s+)?\d{1,2}\s*(?:-|"
    r"–|to)\s*\d{1,2}|\s+(?:over|above|older than)\s+\d{1,2}|\s*\(?\d{1,2}\s*(?:-|–|"
    r"to)\s*\d{1,2}\s*(?:months?|mo|m)\b\)?(?: old)?|\s+in (?:\w+ )?school|\s+in college|\s+at "
    r"home)?)"
    r"(?:\s+(?:years?(?: old| of age)?|yrs?(?: old)?|y/?o)\b)?(?!\w)",
    re.IGNORECASE,
)
_MONTHS = re.compile(r"(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})\s*m")
_PLAIN = re.compile(r"(?:a|any|minor|their|young|small|underage|own|\s)*", re.IGNORECASE)
_YOUNGEST = {
    "toddler": Between(1, 3),
    "baby": Between(0, 1),
    "babie": Between(0, 1),
    "infant": Between(0, 1),
    "newborn": Between(0, 0),
}
_SEXES: dict[str, dict[str, Any]] = {
    "m": {"gender": "female"},
    "d": {"gender": "male"},
    "f": {"gender": "male"},
}
_OF = re.compile(r"of\b", re.I)
_NO = re.compile(r"\b(?:don't|do not|not|never|doesn't|teachers?|work\w*)\s*$", re.I)


def parents(text: str) -> Iterator[Mention]:
    """Yield parents described by their children.

    Examples
    --------
    >>> [(m.words, dict(m.sense.parts)["children_count"]) for m in parents("moms with 2+ kids")]
    [('with 2+ kids', vp.between(2))]
    >>> [dict(m.sense.parts)["youngest_child_age"] for m in parents("with a child under 5")]
    [vp.between(max=4)]
    """
    taken: list[tuple[int, int]] = []
    for pattern, step, top in _COUNTED:
        for found in pattern.finditer(text):
            if any(found.start() < end and start < found.end() for start, end in taken):
                continue
            count = number(found[2].lower())
            bounds = Between(count + step, None if top is None else count)
            taken.append(found.span())
            if found[1] is not None or not _OF.match(found[0]):
                yield _mention(found, _parent(found[1], children_count=bounds))
    for pattern in (_SEVERAL, _BARE, _YOUNGEST_AGE):
        for found in pattern.finditer(text):
            if not any(found.start() < end and start < found.end() for start, end in taken):
                taken.append(found.span())
                start = found.start() + len(found[0]) - len(found[0].lstrip())
                yield Mention(start, found.end(), text[start : found.end()], _counted(found))
    for found in _CHILDREN.finditer(text):
        if any(found.start() < end and start < found.end() for start, end in taken):
            continue
        if found[1] is None and _NO.search(text[: found.start()]):
            continue
        meaning = _meaning(found)
        if meaning is not None:
            yield _mention(found, meaning)


def _counted(found: re.Match[str]) -> Sense:
    """Return the sense of a number of children without "with", or of the age of the youngest."""
    said = found.groupdict()
    if "under" in said:
        bounds = (
            Between(None, int(said["top"]) - 1)
            if said["under"]
            else Between(int(said["low"]), int(said["high"]))
        )
        return _parent(None, youngest_child_age=bounds)
    low = number(said["low"].lower())
    if "high" in said:
        return _parent(None, children_count=Between(low, number(said["high"].lower())))
    return _parent(
        None, children_count=Between(low, None if said["more"] or said["least"] or said["most"] else low)
    )


def _parent(who: str | None, **fields: Any) -> Sense:
    sex = _SEXES.get((who or "p")[0].lower(), {})
    return sense(**sex, is_parent=True, **fields)


def _mention(found: re.Match[str], meaning: Sense) -> Mention:
    start = found.start() if found[1] is None else found.end(1) + 1
    return Mention(start, found.end(), found.string[start : found.end()], meaning)


def _meaning(found: re.Match[str]) -> Sense | None:
    which, kids, ages = found["which"].lower(), found["kids"].lower(), found["ages"].lower()
    if kids.rstrip("s") in ("teenager", "teen", "adolescent", "son", "daughter", "boy", "girl"):
        return None
    months = _MONTHS.search(ages)
    if months is not None:
        youngest = Between(int(months[1]) // 12, int(months[2]) // 12)
        return _parent(found[1], youngest_child_age=youngest) if _PLAIN.fullmatch(which) else None
    if kids.startswith(("child", "kid")):
        if not _PLAIN.fullmatch(which):
            return None
        under = re.search(r"(?:under|younger than|below)\D*(\d+)", ages)
        if under is not None and int(under[1]) < 18:
            return _parent(found[1], youngest_child_age=Between(None, int(under[1]) - 1))
        plain = under is not None or not ages or ages.strip() == "at home"
        return _parent(found[1]) if plain else None
    if which.strip() or ages.strip():
        return None
    return _parent(found[1], youngest_child_age=_YOUNGEST[kids.rstrip("s") if kids != "baby" else "baby"])
