"""The account of a text: for each of its spans, what it was understood as."""

from __future__ import annotations

import re
from typing import Any

from voxpop.engines.audience import Span
from voxpop.vocabulary import Filter
from voxpop_simulator.audiences.audience_text import Reading
from voxpop_simulator.audiences.mentions import Mention


def account(original: str, reading: Reading) -> tuple[Span, ...]:
    """Return the spans of a text in order; together they hold all of its words.

    Parameters
    ----------
    original : str
        The text as written; the spans have its words and places.
    reading : Reading
        The text as read, with corrected spelling.
    """
    found: list[tuple[int, int, str, Any]] = []
    for mention in reading.mentions:
        found.append((mention.start, mention.end, *_meaning(mention)))
    found += [(m.start, m.end, "unclear", None) for m in reading.unclear]
    taken = [(start, end) for start, end, _, _ in found]
    for frame in reading.frames:
        if not any(start < frame.end and frame.start < end for start, end in taken):
            role = "unclear" if frame.role == "wish" else frame.role
            found.append((frame.start, frame.end, role, frame.value))
    found.sort(key=lambda one: one[:2])
    places = _Places(original, reading.text)
    spans: list[Span] = []
    end = 0
    for start, stop, role, value in found:
        spans += places.glue(end, start)
        spans += places.span(start, stop, role, value)
        end = max(end, stop)
    return (*spans, *places.glue(end, len(reading.text)))


def _meaning(mention: Mention) -> tuple[str, Any]:
    if mention.sense.options:
        return "unclear", list(mention.sense.options)
    if not mention.sense.parts:
        return "screen", mention.sense.questions[0][0] if mention.sense.questions else None
    filters = Filter("all", mention.sense.parts).to_json()["filters"]
    return "filter", {"not": filters} if mention.negated else filters


class _Places:
    """The places of words in a text before and after correction, which changes no number of words."""

    def __init__(self, original: str, read: str) -> None:
        self._original, self._read = original, read
        before, after = list(re.finditer(r"\S+", original)), list(re.finditer(r"\S+", read))
        self._pairs = list(zip(after, before, strict=False)) if len(before) == len(after) else []

    def span(self, start: int, stop: int, role: str, value: Any) -> list[Span]:
        """Return the span between two places, without the white space around it; none if it is empty."""
        text = self._read[start:stop]
        start += len(text) - len(text.lstrip())
        stop = start + len(text.strip())
        if start >= stop:
            return []
        first, last = self._at(start), self._at(stop - 1, end=True)
        return [Span(first, self._original[first:last], role, value)]

    def glue(self, start: int, stop: int) -> list[Span]:
        """Return the words between two places as glue; none if there are only signs."""
        return self.span(start, stop, "glue", None) if re.search(r"\w", self._read[start:stop]) else []

    def _at(self, place: int, *, end: bool = False) -> int:
        for after, before in self._pairs:
            if after.start() <= place < after.end():
                if after[0] == before[0]:
                    return before.start() + place - after.start() + end
                at_edge = place == after.end() - 1 if end else place == after.start()
                if at_edge:
                    return before.end() if end else before.start()
                return min(before.start() + place - after.start() + end, before.end())
        return min(place + end, len(self._original))
