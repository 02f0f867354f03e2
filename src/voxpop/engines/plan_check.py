"""The check of a model's plan against the text: its claims stand there, and every word is claimed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from voxpop.engines.audience import Clarification, Span

LEAVE_OUT = "leave it out"
_LEFT_OUT = (LEAVE_OUT, "leave them out", "drop it", "drop them", "without it", "without them", "ignore it")
_FUNCTION = frozenset(
    (
        *(
            "a",
            "an",
            "the",
            "and",
            "or",
            "but",
            "of",
            "in",
            "on",
            "at",
            "to",
            "for",
            "from",
            "with",
            "by",
            "as",
        ),
        *("who", "that", "which", "are", "is", "am", "be", "all", "any", "both", "also", "please", "we", "i"),
        *("you", "us", "me", "need", "want", "find", "people", "adults", "persons", "individuals"),
        *("participants", "respondents", "those"),
    )
)
"""English words that may stay unclaimed; all other words, in any language, are asked about."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Claim:
    """Words of the text that a plan accounts for, as in :class:`~voxpop.engines.audience.Span`."""

    words: str
    role: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Account:
    """The spans of a text, with the words that no claim covers and the claims that are not in it.

    Attributes
    ----------
    spans : tuple of Span
        All words of the text, in order.
    unclaimed : tuple of str
        Runs of words that nothing accounts for.
    invented : tuple of str
        Words of claims that the text does not have.
    """

    spans: tuple[Span, ...]
    unclaimed: tuple[str, ...]
    invented: tuple[str, ...]


def account(text: str, claims: Iterable[Claim], doubted: Sequence[str] = ()) -> Account:
    """Return the account of a text by the claims of a plan.

    Parameters
    ----------
    text : str
        The text as written.
    claims : iterable of Claim
        What the plan says about parts of it.
    doubted : sequence of str
        Parts that mean something, so that no claim may call them glue.

    Examples
    --------
    >>> nurses = Claim("nurses", "filter", {"occupation": "Registered Nurses"})
    >>> account("nurses who bake bread", [nurses]).unclaimed
    ('bake bread',)
    """
    spans: list[Span] = []
    invented: list[str] = []
    for claim in claims:
        place = _place(text, claim.words, spans)
        if place is None:
            invented += [claim.words] if claim.role != "glue" else []
            continue
        start, end = place
        meaning = claim.role == "glue" and any(_overlap(text, place, one) for one in doubted)
        spans.append(Span(start, text[start:end], "unclear" if meaning else claim.role, claim.value))
    spans.sort(key=lambda span: span.start)
    unclaimed = [span.span for span in spans if span.role == "unclear"]
    every: list[Span] = []
    end = 0
    for span in (*spans, Span(len(text), "", "glue")):
        for gap in _gaps(text, end, span.start):
            every.append(gap)
            unclaimed += [gap.span] if gap.role == "unclear" else []
        every += [span] if span.span else []
        end = max(end, span.start + len(span.span))
    return Account(tuple(every), tuple(unclaimed), tuple(invented))


def _place(text: str, words: str, taken: Sequence[Span]) -> tuple[int, int] | None:
    wanted = r"\s+".join(re.escape(word) for word in words.split())
    if not wanted:
        return None
    first = None
    for found in re.finditer(wanted, text, re.IGNORECASE):
        first = first or found.span()
        if not any(found.start() < one.start + len(one.span) and one.start < found.end() for one in taken):
            return found.span()
    return None if first is None or any(one.start == first[0] for one in taken) else first


def _overlap(text: str, place: tuple[int, int], words: str) -> bool:
    at = text.find(words)
    return at >= 0 and at < place[1] and place[0] < at + len(words)


def _gaps(text: str, start: int, end: int) -> list[Span]:
    """Return the words between two claims, as glue or as not understood."""
    found = list(_WORD.finditer(text, start, max(start, end)))
    content = [one for one in found if one[0].casefold() not in _FUNCTION]
    if not content:
        return [Span(found[0].start(), text[found[0].start() : found[-1].end()], "glue")] if found else []
    low, high = content[0].start(), content[-1].end()
    parts = [(found[0].start(), low, "glue"), (low, high, "unclear"), (high, found[-1].end(), "glue")]
    return [
        Span(low + len(text[low:high]) - len(text[low:high].lstrip()), text[low:high].strip(), role)
        for low, high, role in parts
        if text[low:high].strip()
    ]


def question_of(found: Account, answers: Sequence[tuple[str, str]]) -> Clarification | None:
    """Return the question about what a plan does not account for, or None if there is none left.

    Parameters
    ----------
    found : Account
        The account of the text.
    answers : sequence of (str, str)
        Earlier questions and their answers; what they were about is not asked again.
    """
    asked = " ".join(question for question, _ in answers)
    open_ = [words for words in (*found.unclaimed, *found.invented) if f'"{words}"' not in asked]
    if not open_:
        return None
    told = ", ".join(f'"{words}"' for words in open_)
    if len(open_) == 1:
        question = f"{told} is not understood. Should it be left out, or what is meant?"
        return Clarification(question, ("wording",), (LEAVE_OUT,))
    question = f"{told} are not understood. Should they be left out, or what is meant?"
    return Clarification(question, ("wording",), ("leave them out",))


def settled(spans: Sequence[Span], answers: Sequence[tuple[str, str]]) -> tuple[Span, ...]:
    """Return the spans with those marked that an answer left out."""
    gone = " ".join(asked for asked, answer in answers if answer.strip().strip(".!").casefold() in _LEFT_OUT)
    return tuple(
        Span(one.start, one.span, "left_out") if one.role == "unclear" and f'"{one.span}"' in gone else one
        for one in spans
    )
