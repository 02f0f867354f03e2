"""The frame of an audience text: greetings, the request itself, its size, its purpose, quotas and wishes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from voxpop_simulator.audiences.purpose_frames import blanked_studies, purposes, topics, without_study
from voxpop_simulator.audiences.quota_frames import COUNTED, quota_places

_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d{1,5})"
_START = (
    r"(?:(?:please|can|could|would|we|i|you|(?-i:us)|me|'d|'re|'m|am|are|kindly|just|also|really|like|want|need|wish|"
    r"hope|hoping|trying|planning|looking|look|searching|search|seeking|seek|recruiting|recruit|find|finding|get|"
    r"getting|give|show|interviewing|interview|surveying|survey|talk|talking|speak|speaking|hear|targeting|target|"
    r"select|reach|ask|poll|have|source|line|screen|send|invite|set|up|put|together|assemble|arrange|be|to|for|with|from|out|a|an|the|team|"
    r"group|panel|sample|focus|cohort|set|of)\b[\s,]*)+"
)
_ASKING = re.compile(
    r"^\W*(?=(?:please\b|can\b|could\b|would\b|kindly\b|(?:we|i)\b|look|search|seek|recruit|find|get|give|show|"
    r"interview|survey|talk|speak|hear|target|select|reach|ask\b|poll\b|need|want|source|(?:a|an|the)?\s*(?:\w+\s)?"
    r"(?:group|panel|sample|set|cohort) of\b))" + _START,
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?:^|(?<=[.!?,;:]\s)|(?<=\s))(?:(?:please|pls|plz)\s+recruit|could (?:we|you|i) (?:please )?(?:get|"
    r"have|find|"
    r"recruit)|can (?:we|you|i) (?:please )?(?:get|have|find|recruit)|(?:we|i)(?:'d)? (?:also )?(?:need|"
    r"want|would"
    r" like|like|are looking for|'re looking for)|looking for|please (?:find|include|get)|"
    r"(?:could|can|would) (?:you|we|i) (?:please )?(?:put together|set up|assemble|line up|source|"
    r"arrange))\s+"
    r"(?:to (?:talk|speak|hear|listen|reach out) (?:to|with|from)\s+|to (?:interview|survey|recruit|"
    r"reach|find|get|have|include)\s+)?"
    r"(?:an? (?:\w+ )?(?:group|panel|sample) of\s+)?",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear|good (?:morning|afternoon|day|evening))\b[^,.!:;–—-]{0,25}(?:[,.!:;]|"
    r"\s[-–—]\s|[–—])\s*",
    re.I,
)
_THANKS = re.compile(r"\W*\b(?:many thanks|thanks|thank you|thx|cheers|regards)\b[^.;?]{0,40}$", re.I)
_ROUGHLY = r"\b(?:roughly|about|around|approx(?:imately)?\.?|ca\.?|say|circa)\s+|~\s?"
_SIZES = (
    re.compile(rf"\bn\s*[=:]\s*{_NUMBER}\b", re.I),
    re.compile(rf"\b(?:total|sample size|group size|sample)(?: of| is|:|=)?\s*{_NUMBER}\b(?! ?%)", re.I),
    re.compile(
        rf"(?<!of )(?<!or )(?<!than )(?<!least )(?<!over )(?<!under "
        rf")(?:{_ROUGHLY})?\b{_NUMBER}\s?(?:people|adults|persons|ppl|"
        rf"interviews|completes|participants|respondents|agents|members|voices)(?: "
        rf"please)?(?=\s*(?:[.;,!?)–—-]|$|\bin total\b))",
        re.I,
    ),
    re.compile(
        rf"(?:{_ROUGHLY})?\b{_NUMBER} of (?:them|'?em|these|those)(?: please)?(?=\s*(?:[.;,!?)–—-]|$))", re.I
    ),
    re.compile(
        rf"\b{_NUMBER} (?:in total|total|altogether|overall|completes|respondents|participants)\b", re.I
    ),
)
_LEADING = re.compile(rf"^\W*{_NUMBER}(?=\s+[a-z]){COUNTED}(?:\s+of\b)?", re.I)
_LABEL = re.compile(
    r"^\W*(?:target )?(?:audience|sample|who|target|respondents|participants|criteria)\s*:\s*", re.I
)
_ANY = re.compile(
    r"\b(?:any|all|every|regardless of|irrespective of|no matter (?:the|what|which)) (?:genders?|sex|"
    r"incomes?|ages?|"
    r"races?|ethnicit(?:y|ies)|education|occupations?|jobs?|backgrounds?|marital status|levels? of \w+|"
    r"household "
    r"incomes?|regions?|states?|part(?:y|ies)|religions?|professions?|industr(?:y|ies)|sectors?|"
    r"ethnic backgrounds?|severit(?:y|ies)|stages?|types?|kinds?)(?: levels?| groups?| "
    r"ranges?)?(?=\s*(?:[,.;)]|and\b|or\b|$))(?! and \w+ \d)",
    re.I,
)
_WISH = re.compile(
    r"\b(?:preferred|preferably|preferable|ideally|a plus|a bonus|nice to have|optional|desirable|mostly|"
    r"mainly|"
    r"primarily|especially|particularly|(?-i:ok)|okay|welcome|if possible|bonus|(?:is|are|also|would "
    r"be) (?:fine|good|great)|"
    r"where possible|if you can)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the text that describes no people.

    Attributes
    ----------
    start, end : int
        Its place.
    role : {"glue", "size", "purpose", "topic", "quota", "wish"}
        What it says; ``wish`` is a preference, not a requirement, ``topic`` a purpose unless it names people.
    value : int or None
        The number of agents, for a size.
    """

    start: int
    end: int
    role: str
    value: int | None = None


def frames_of(text: str) -> list[Frame]:
    """Return the frame of a text, in order and without overlaps.

    Examples
    --------
    >>> [(f.role, f.value) for f in frames_of("Please recruit 24 nurses for a usability test of a scale")]
    [('glue', None), ('size', 24), ('purpose', None)]
    """
    found: list[Frame] = []
    for frame in _candidates(text):
        if frame.end > frame.start and not any(
            frame.start < other.end and other.start < frame.end for other in found
        ):
            found.append(frame)
    return sorted(found, key=lambda frame: frame.start)


def blanked(text: str, frames: list[Frame]) -> str:
    """Return the text with its frame as stops or spaces, at the same length."""
    for frame in frames:
        filling = " " * (frame.end - frame.start)
        if frame.role != "glue" and filling:
            filling = ";" + filling[1:] if frame.role != "size" else filling
        text = text[: frame.start] + filling + text[frame.end :]
    return text


def ungreeted(text: str) -> str:
    """Return a text without its greeting and a sentence on the study, which may look like a task.

    Examples
    --------
    >>> ungreeted("Hi team, nurses in Texas")
    'nurses in Texas'
    """
    found = _GREETING.match(text)
    rest = text[found.end() :] if found is not None else text
    plain = without_study(rest).strip()
    return plain if re.search(r"\w", plain) else text


def _candidates(text: str) -> Iterator[Frame]:
    start = 0
    for pattern in (_GREETING, _LABEL):
        found = pattern.match(text, start)
        if found is not None:
            yield Frame(start, found.end(), "glue")
            start = found.end()
    yield from (Frame(*found.span(), "glue") for found in _THANKS.finditer(text, start))
    yield from (Frame(*found.span(), "glue") for found in _ANY.finditer(text))
    yield from (_purpose(text, *place) for place in purposes(text, start))
    rest = text[:start] + blanked_studies(text[start:])
    start += len(rest[start:]) - len(rest[start:].lstrip())
    asking = _ASKING.match(rest[start:])
    opened = start + asking.end() if asking is not None else start
    if asking is not None:
        yield Frame(start, opened, "glue")
    for found in _AGAIN.finditer(text, opened):
        yield Frame(*found.span(), "glue")
    yield from _counts(rest, opened)
    for place in topics(rest, opened):
        yield replace(_purpose(text, *place), role="topic")


def _counts(text: str, opened: int) -> Iterator[Frame]:
    for pattern in _SIZES:
        for found in pattern.finditer(text, opened):
            yield Frame(*found.span(), "size", int(found[1].replace(",", "")))
    yield from (Frame(*place, "quota") for place in quota_places(text, opened))
    for start in (opened, *(found.end() for found in _AGAIN.finditer(text, opened))):
        leading = _LEADING.match(text[start:])
        if leading is not None:
            at = start + leading.start(1)
            yield Frame(at, start + leading.end(), "size", int(leading[1].replace(",", "")))
    for found in re.finditer(r"[^,.;:!?()—–]+", text[opened:]):
        if _WISH.search(found[0]):
            begin = opened + found.start()
            yield Frame(begin + len(found[0]) - len(found[0].lstrip()), opened + found.end(), "wish")


def _purpose(text: str, start: int, end: int) -> Frame:
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return Frame(start, end, "purpose")
