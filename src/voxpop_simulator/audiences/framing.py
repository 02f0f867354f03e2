"""The frame of an audience text: greetings, the request itself, its size, its purpose, quotas and wishes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COUNTED = (
    r"(?!\s*(?:\+|plus\b|or\b|to\b|and (?:over|older|up|above|under)|-|–|%|k\b|years?|yrs?|y/?o\b|"
    r"months?|weeks?"
    r"|days?|hours?|minutes?|times?|miles?|or more|(?:or more |different |daily |prescription )*"
    r"(?:medications?|medicines?|meds|drugs|pills|prescriptions?|conditions?|kids?|child(?:ren)?|pets?|dogs?|cats?"
    r"|cars?|employees|jobs?|states|somethings?)\b))"
)
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d{1,5})"
_START = (
    r"(?:(?:please|can|could|would|we|i|you|(?-i:us)|me|'d|'re|'m|am|are|kindly|just|also|really|like|want|need|wish|"
    r"hope|hoping|trying|planning|looking|look|searching|search|seeking|seek|recruiting|recruit|find|finding|get|"
    r"getting|give|show|interviewing|interview|surveying|survey|talk|talking|speak|speaking|hear|targeting|target|"
    r"select|reach|ask|poll|have|source|line|screen|send|invite|set|up|be|to|for|with|from|out|a|an|the|team|"
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
    r" like|are looking for|'re looking for)|looking for|please (?:find|include|get))\s+(?:to (?:talk|"
    r"speak) to\s+)?"
    r"(?:an? (?:group|panel|sample) of\s+)?",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear|good (?:morning|afternoon))\b[^,.!:;]{0,25}[,.!:;]\s*", re.I
)
_THANKS = re.compile(r"\W*\b(?:many thanks|thanks|thank you|thx|cheers|regards)\b[^.;?]{0,40}$", re.I)
_SIZES = (
    re.compile(rf"\bn\s*[=:]\s*{_NUMBER}\b", re.I),
    re.compile(rf"\b(?:total|sample size|group size|sample)(?: of| is|:|=)?\s*{_NUMBER}\b(?! ?%)", re.I),
    re.compile(rf"(?<=[.;] ){_NUMBER} (?:people|adults|persons)(?=\s*(?:[.;]|$))", re.I),
    re.compile(
        rf"\b{_NUMBER} (?:in total|total|altogether|overall|completes|respondents|participants)\b", re.I
    ),
)
_LEADING = re.compile(rf"^\W*{_NUMBER}(?=\s+[a-z]){_COUNTED}(?:\s+of\b)?", re.I)
_LABEL = re.compile(
    r"^\W*(?:target )?(?:audience|sample|who|target|respondents|participants|criteria)\s*:\s*", re.I
)
_ANY = re.compile(
    r"\b(?:any|all|every|regardless of|irrespective of|no matter (?:the|what|which)) (?:genders?|sex|"
    r"incomes?|ages?|"
    r"races?|ethnicit(?:y|ies)|education|occupations?|jobs?|backgrounds?|marital status|levels? of \w+|"
    r"household "
    r"incomes?|regions?|states?)(?: levels?| groups?| ranges?)?(?=\s*(?:[,.;)]|and\b|or\b|$))(?! and \w+ \d)",
    re.I,
)
_STUDY = (
    r"(?:study|studies|tests?|testing|surveys?|research|projects?|interviews?|idis?|panels?|focus "
    r"groups?|launch|"
    r"campaigns?|concepts?|pilot|trials?|workshops?|evaluation|poll|questionnaire|diary|paper|thesis|dissertation|"
    r"discussion|briefing|report)"
)
_PEOPLE_AGAIN = (
    r"\b(?:could we|can you|can we|could you|we need|i need|need|looking for|please|in|from|aged?|ages|"
    r"between|over|"
    r"under|who|whom|whose|living|with|without|among|across|near|at|where|excluding|except|\d)\b"
)
"""Words after which a purpose speaks of the people again."""
_TAIL = rf"(?:(?!{_PEOPLE_AGAIN})[^.,;:!?()])*"
_NOT_FOR = (
    r"(?<!look )(?<!care )(?<!cares )(?<!caring )(?<!work )(?<!works )(?<!worked )(?<!working )(?<!pay "
    r")(?<!paid )"
    r"(?<!paying )(?<!responsible )(?<!volunteer )(?<!volunteered )(?<!applied )(?<!apply )(?<!applying "
    r")(?<!passion )"
)
_WHAT_FOR = re.compile(
    rf"{_NOT_FOR}\b(?:not )?(?:for|as part of) (?:(?:an?|our|the|my|this|some|upcoming|new)\s+)?"
    r"(?:(?!(?:who|that|which|and|or|with|in|on|from|to|at|by|took|take|is|are|do|does|have|has|a|an|the|their)\b)"
    rf"[\w'&-]+\s+){{0,6}}?{_STUDY}\b(?=\s*(?:$|[.,;:!?()—–-]|(?:of|on|about|into|regarding|for|in|with|among|at|where"
    rf"|could|can|we|this|next)\b)){_TAIL}",
    re.I,
)
_PURPOSE = re.compile(r"\b(?:purpose|objective|goal|aim|topic|use case|study)\s*:[^.,;!?]*", re.I)
_RUNNING = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:we|i|our (?:team|company|client))(?:'re| are|'m| am| is)? (?:currently "
    r")?(?:running|"
    r"conducting|doing|planning|testing|launching|developing|building|designing|working on|studying|"
    r"researching|"
    r"exploring|evaluating|preparing|redesigning|writing|run|conduct|sell|make)\b[^.!?]*[.!?]",
    re.I,
)
_SO_THAT = re.compile(
    r"\b(?:to (?:test|evaluate|react to|respond to|comment on|discuss|review|try out|give (?:us )?feedback|"
    r"learn about|understand|"
    r"explore|help us|"
    r"share (?:their )?(?:views|feedback|opinions|thoughts)|tell us|talk about|find out|ask (?:them "
    r")?about)|so "
    rf"(?:that )?we can|in order to)\b{_TAIL}",
    re.I,
)
_ABOUT = re.compile(
    rf"^\W*(?:survey|interview|talk|speak|ask|poll|hear)\b[^.;!?]*?(\s(?:about|regarding|on the topic "
    rf"of)\s{_TAIL})",
    re.I,
)
_REPRESENTATIVE = re.compile(
    r"\b(?:a )?(?:nationally |census[- ])?representative(?: sample)?(?: of)?\b|\bnat(?:ional)?[- ]?rep\b",
    re.I,
)
_QUOTAS = (
    re.compile(
        r"\b(?:\d{1,3}\s*%|half)\s+[^,.;!?]*?(?:(?:,\s*(?:and\s+)?|\s+and\s+)(?:\d{1,3}\s*%|half)\s+[^,.;!?]*?)+"
        r"(?=\s*(?:[,.;!?)]|$))",
        re.I,
    ),
    re.compile(
        r"(?<!with )(?<!over )(?<!under )(?<!least )(?<!most )(?<!than )(?<!between )(?<!have )(?<!has )"
        rf"\b\d{{1,5}}{_COUNTED}\s+(?:[a-z-]+\s+){{1,5}}?and\s+\d{{1,5}}{_COUNTED}\s+[a-z-]+"
        r"(?:\s+(?!(?:in|for|from|who|with|aged?)\b)[a-z-]+){0,4}"
        r"(?=\s*(?:[,.;)]|$|\b(?:in|for|from|who|with|aged?)\b))",
        re.I,
    ),
    re.compile(r"\b\d{1,3}\s*/\s*\d{1,3}(?:\s*/\s*\d{1,3})*\s+[a-z/ -]+?(?=[,.;)]|$)", re.I),
    re.compile(r"\b(?:an? )?(?:\d{1,3}\s*%|half|a third|a quarter|two thirds|one third)\s+[^,.;!?]*", re.I),
    re.compile(
        r"\b(?:split|spread|balanced?|equally|evenly|an? (?:even|equal|good|balanced)|equal (?:numbers?|"
        r"parts?)|"
        r"even|50[/-]50)\b[^,.;!?]*\b(?:split|mix|spread|balance|numbers?|parts?|evenly|equally|across|between|by)"
        r"\b[^,.;!?]*",
        re.I,
    ),
    re.compile(
        r"\b(?:a )?(?:good |broad )?(?:mix|range|variety|spread) (?:of|between|across)\b[^,.;!?]*", re.I
    ),
    re.compile(r"\b\d+ (?:extra|additional|more)\b[^,.;!?]*|\b(?:boost|oversample)\w*\b[^,.;!?]*", re.I),
    re.compile(r"\b(?:\d+|half) (?:each|of each)\b|\bat least \d+ of (?:them|each|whom)\b[^,.;!?]*", re.I),
)
_CELL = re.compile(
    r"\b\d{1,5}\s+(?:[a-z-]+\s+){0,2}?(?:women|men|females?|males?|girls|boys|people|adults)\b"
    r"(?:\s+(?:aged\s+)?\d{2}\s*(?:-|–|to)\s*\d{2})?",
    re.I,
)
_WISH = re.compile(
    r"\b(?:preferred|preferably|preferable|ideally|a plus|a bonus|nice to have|optional|desirable|mostly|"
    r"mainly|"
    r"primarily|especially|particularly|ok|okay|welcome|if possible|bonus)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the text that describes no people.

    Attributes
    ----------
    start, end : int
        Its place.
    role : {"glue", "size", "purpose", "quota", "wish"}
        What it says; ``wish`` is a preference, not a requirement.
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
    plain = _RUNNING.sub("", rest).strip()
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
    for pattern in (_RUNNING, _PURPOSE, _WHAT_FOR, _SO_THAT):
        yield from (_purpose(text, *found.span()) for found in pattern.finditer(text, start))
    yield from (_purpose(text, *found.span(1)) for found in _ABOUT.finditer(text))
    rest = _RUNNING.sub(lambda found: " " * len(found[0]), text)
    start += len(rest[start:]) - len(rest[start:].lstrip())
    asking = _ASKING.match(rest[start:])
    opened = start + asking.end() if asking is not None else start
    if asking is not None:
        yield Frame(start, opened, "glue")
    for found in _AGAIN.finditer(text, opened):
        yield Frame(*found.span(), "glue")
    yield from _counts(rest, opened)


def _counts(text: str, opened: int) -> Iterator[Frame]:
    for pattern in _SIZES:
        for found in pattern.finditer(text, opened):
            yield Frame(*found.span(), "size", int(found[1].replace(",", "")))
    cells = list(_CELL.finditer(text, opened))
    if len(cells) > 1:
        yield Frame(cells[0].start(), cells[-1].end(), "quota")
    for pattern in _QUOTAS:
        yield from (Frame(*found.span(), "quota") for found in pattern.finditer(text, opened))
    yield from (Frame(*found.span(), "quota") for found in _REPRESENTATIVE.finditer(text, opened))
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
