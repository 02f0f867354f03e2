"""Rating scales in the text of a question: range, end labels and direction."""

from __future__ import annotations

import re

from voxpop.engines.question import Scale
from voxpop_simulator.questions.patterns import Pattern

_NUMBER_WORDS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "nine": 9, "ten": 10, "eleven": 11}
_NUMBER = r"(-?\d{1,3})"
_TO = r"\s*(?:-|–|—|to|through|thru|and|up to)\s*"
_LABEL = r"\s*(?:\(([^()]{1,60})\)|=\s*([^,;.()?]{1,60}?)(?=\s*(?:,|;|\bto\b|-\s*\d|[.)?]|$)))"

_RANGES = (
    Pattern(
        r"\bscale\s*(?:of|from|between|that (?:goes|runs) from|ranging from|running from|:|,)?\s*"
        + _NUMBER
        + _TO
        + _NUMBER
    ),
    Pattern(
        r"\b(?:from|between|of)\s+"
        + _NUMBER
        + _TO
        + _NUMBER
        + r"\b(?=.{0,60}\b(?:where|with|being|meaning|scale|stars?)\b)"
    ),
    Pattern(
        r"\b(?:rate|rates|rated|rating|score|grade|mark|points?)\b.{0,160}?(?<![\d$£€-])\b"
        + _NUMBER
        + _TO
        + _NUMBER
        + r"(?![\d%])"
    ),
    Pattern(r"\bnumbered from " + _NUMBER + r"[^.?]{0,30}? to " + _NUMBER),
    Pattern(_NUMBER + _TO + _NUMBER + r"(?:[ -]point)?[ -](?:scale|stars?|rating)\b"),
    Pattern(
        r"[(\[]\s*(?:scale\s*)?"
        + _NUMBER
        + _TO
        + r"(?<![\d.])(3|4|5|6|7|9|10|11|100)\s*(?:[;,:].{0,80})?[)\]]"
    ),
    Pattern(
        r"(?<![\d$£€.-])\b([01])\s*(?:-|–|to)\s*(5|7|10|100)\b(?!\s*(?:%|percent|years?|times|hours"
        r"|days|minutes|dollars|people|children|kids|km|miles))"
    ),
)
_LABELLED = Pattern(r"(?<![\d$£€])" + _NUMBER + _LABEL + r".{0,30}?(?<![\d$£€])" + _NUMBER + _LABEL)
_IN_BRACKETS = Pattern(
    r"[(\[]\s*"
    + _NUMBER
    + r"\s+([a-z][a-z ']{2,40}?)\s*(?:-|–|—|to|,|;|/)\s*"
    + _NUMBER
    + r"\s+([a-z][a-z ']{2,40}?)\s*[)\]]"
)
"""Ends with their meaning, as in "(1 strongly disagree - 5 strongly agree)"."""
_OUT_OF = Pattern(
    r"(?<!how many )\bout of (5|7|10|100)\b(?! (?:people|days|times|americans|adults|households"
    r"|purchases|meals|\w+s\b))"
)
_POINTS = Pattern(r"\b(three|four|five|six|seven|nine|ten|eleven|\d{1,2})[- ]point\b.{0,20}\bscale\b")
_STARS = Pattern(r"\bhow many stars\b|\bstar rating\b|\bin stars\b")
_WHERE = Pattern(
    r"(?<![\d$£€])" + _NUMBER + r"\s*(?:is|means|meaning|being|stands for|represents|indicates|equals|=|:)\s*"
    r"(?:the\s+)?[\"'“‘]?(.{2,60}?)[\"'”’]?(?=\s*(?:,|;|\.|\?|\)|$|\band\s+-?\d|\bto\s+-?\d|\bwhile\b"
    r"|\bhow\b))"
)


def read_scale(text: str) -> Scale | None:
    """Return the rating scale in a question's text, or None.

    Examples
    --------
    >>> read_scale("On a scale where 1 is best and 5 is worst, how was the service?")
    Scale(min=1, max=5, min_label='best', max_label='worst')
    >>> read_scale("Are you between 25 and 64?") is None
    True
    """
    words = _SPELT.sub(_in_digits, " ".join(text.lower().split()))
    labels = {int(number): label.strip(" \"'“”‘’") for number, label in _WHERE.findall(words)}
    ends = _ends(words, labels)
    if ends is None:
        return None
    low, high = ends
    return Scale(low, high, labels.get(low), labels.get(high))


_SPELT = re.compile(r"\b(zero|one) (to|through) (five|seven|ten)\b")


def _in_digits(found: re.Match[str]) -> str:
    """Return "zero to ten" in digits."""
    return f"{0 if found[1] == 'zero' else 1} to {_NUMBER_WORDS[found[3]]}"


def _ends(words: str, labels: dict[int, str]) -> tuple[int, int] | None:
    labelled = _LABELLED.search(words)
    bracketed = _IN_BRACKETS.search(words)
    if bracketed and _plausible(low := int(bracketed[1]), high := int(bracketed[3])):
        labels.update({low: bracketed[2].strip(), high: bracketed[4].strip()})
        return min(low, high), max(low, high)
    if labelled:
        low, high = int(labelled[1]), int(labelled[4])
        if _plausible(low, high):
            labels.setdefault(low, (labelled[2] or labelled[3]).strip())
            labels.setdefault(high, (labelled[5] or labelled[6]).strip())
            return min(low, high), max(low, high)
    for pattern in _RANGES:
        found = pattern.search(words)
        if found and _plausible(int(found[1]), int(found[2])):
            ends = sorted((int(found[1]), int(found[2])))
            return ends[0], ends[1]
    if (
        len(labels) >= 2
        and re.search(r"\bscale\b|\brate\b|\bwhere\b", words)
        and _plausible(min(labels), max(labels))
    ):
        return min(labels), max(labels)
    return _single_number(words)


def _single_number(words: str) -> tuple[int, int] | None:
    found = _OUT_OF.search(words)
    if found:
        return (1, int(found[1])) if int(found[1]) < 10 else (0, int(found[1]))
    found = _POINTS.search(words)
    if found:
        points = _NUMBER_WORDS.get(found[1]) or int(found[1])
        return (0, 10) if points == 11 else (1, points)
    return (1, 5) if _STARS.search(words) else None


def _plausible(low: int, high: int) -> bool:
    low, high = min(low, high), max(low, high)
    return -10 <= low <= 1 and high - low >= 2 and high in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 100)
