"""The account of a text: for each of its spans, what it was understood as."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from voxpop.engines.audience import Span
from voxpop.vocabulary import Filter
from voxpop_simulator.audiences.audience_text import Reading
from voxpop_simulator.audiences.framing import Frame
from voxpop_simulator.audiences.mentions import Mention
from voxpop_simulator.audiences.text_quotas import Cells

Origins = tuple[int | None, ...]


def account(
    original: str, reading: Reading, origins: Origins, quotas: Mapping[str, Cells]
) -> tuple[Span, ...]:
    """Return the spans of a text in order; together they hold all of its words.

    Parameters
    ----------
    original : str
        The text as written; the spans have its words and places.
    reading : Reading
        The text as read, with corrected spelling.
    origins : tuple of int or None
        For each word of the text as read, the place of that word in the text as written; None for the words
        of an answer, whose spans start at the end of the text.
    quotas : mapping of str to cells
        The quotas that are understood, by their words.
    """
    found: list[tuple[int, int, str, Any]] = []
    for mention in reading.mentions:
        found.append((mention.start, mention.end, *_meaning(mention)))
    found += [(m.start, m.end, "unclear", None) for m in reading.unclear]
    taken = [(start, end) for start, end, _, _ in found]
    for frame in reading.frames:
        if not any(start < frame.end and frame.start < end for start, end in taken):
            found.append((frame.start, frame.end, *_of_frame(reading, frame, quotas)))
    found.sort(key=lambda one: one[:2])
    places = _Places(original, reading.text, origins)
    spans: list[Span] = []
    end = 0
    for start, stop, role, value in found:
        spans += places.glue(end, start)
        spans += places.span(start, stop, role, value)
        end = max(end, stop)
    return (*spans, *places.glue(end, len(reading.text)))


def words_of(reading: Reading, frame: Frame) -> str:
    """Return the words of a frame."""
    return reading.text[frame.start : frame.end].strip()


def quota_words(reading: Reading) -> list[str]:
    """Return the words of the quotas; a representative sample is none, because every sample is."""
    found = [words_of(reading, frame) for frame in reading.frames if frame.role == "quota"]
    return [words for words in found if not re.search(r"\brep", words, re.I)]


def _of_frame(reading: Reading, frame: Frame, quotas: Mapping[str, Cells]) -> tuple[str, Any]:
    words = words_of(reading, frame)
    if frame.role == "quota" and words in quota_words(reading):
        cells = quotas.get(words)
        if cells is None:
            return "unclear", None
        return "quota", [{"filters": one.to_json(), "size": number} for one, number in cells]
    return ("unclear", None) if frame.role == "wish" else (frame.role, frame.value)


def _meaning(mention: Mention) -> tuple[str, Any]:
    if mention.sense.options:
        return "unclear", list(mention.sense.options)
    if mention.sense.group is not None:
        group = ~mention.sense.group if mention.negated else mention.sense.group
        return "filter", (Filter("all") & group).to_json()["filters"]
    if not mention.sense.parts:
        return "screen", mention.sense.questions[0][0] if mention.sense.questions else None
    filters = Filter("all", mention.sense.parts).to_json()["filters"]
    return "filter", {"not": filters} if mention.negated else filters


def replaced(text: str, origins: Origins, gone: Sequence[tuple[int, int]], said: str) -> tuple[str, Origins]:
    """Return a text with some places replaced by an answer, and where its words come from.

    Parameters
    ----------
    text, origins
        The text as read, and for each of its words the place of that word in the text as written.
    gone
        The places to replace: a single one by the answer, several by nothing.
    said
        The answer; several places leave it for the end of the text.
    """
    words: list[str] = []
    kept: list[int | None] = []
    numbered = list(re.finditer(r"\S+", text))
    end = 0
    for start, stop in (*sorted(gone), (len(text), len(text))):
        for part in re.finditer(r"\S+", text[end:start]):
            words.append(part[0])
            at = next(at for at, whole in enumerate(numbered) if whole.end() > end + part.start())
            kept.append(origins[at] if at < len(origins) else None)
        if said and len(gone) == 1 and stop < len(text) + (start < len(text)):
            words += said.split()
            kept += [None] * len(said.split())
        end = stop
    if said and len(gone) != 1:
        words += [";", *said.split()]
        kept += [None] * (1 + len(said.split()))
    return " ".join(words), tuple(kept)


class _Places:
    """The places of the words of a text as read in the text as written."""

    def __init__(self, original: str, read: str, origins: Origins) -> None:
        self._original, self._read = original, read
        before = list(re.finditer(r"\S+", original))
        after = list(re.finditer(r"\S+", read))
        self._pairs = [
            (word, before[origin] if origin is not None and origin < len(before) else None)
            for word, origin in zip(after, origins, strict=False)
        ]

    def span(self, start: int, stop: int, role: str, value: Any) -> list[Span]:
        """Return the span between two places, without the white space around it; none if it is empty."""
        text = self._read[start:stop]
        start += len(text) - len(text.lstrip())
        stop = start + len(text.strip())
        if start >= stop:
            return []
        first, last = self._at(start), self._at(stop - 1, end=True)
        if first is None or last is None or last <= first:  # words of an answer
            return [Span(len(self._original), self._read[start:stop], role, value)]
        return [Span(first, self._original[first:last], role, value)]

    def glue(self, start: int, stop: int) -> list[Span]:
        """Return the words between two places as glue; none if there are only signs."""
        return self.span(start, stop, "glue", None) if re.search(r"\w", self._read[start:stop]) else []

    def _at(self, place: int, *, end: bool = False) -> int | None:
        for after, before in self._pairs:
            if not after.start() <= place < after.end():
                continue
            if before is None:
                return None
            if after[0] != before[0]:
                at_edge = place == after.end() - 1 if end else place == after.start()
                if at_edge:
                    return before.end() if end else before.start()
            return min(before.start() + place - after.start() + end, before.end())
        return None
