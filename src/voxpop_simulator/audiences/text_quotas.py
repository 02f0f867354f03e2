"""Quotas in an audience text: "50 men and 50 women", "60% female", "half women and half men"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from operator import and_

from voxpop.vocabulary import Filter
from voxpop_simulator.audiences.audience_text import Reading
from voxpop_simulator.audiences.shared_quotas import are_apart, shared_cells

Cells = tuple[tuple[Filter, int], ...]
"""Exclusive parts of an audience, each with its number of agents or its share in percent."""

_NUMBERED = re.compile(
    r"(?:^|[,;&/+]|\band\b|(?<=[a-z])(?=\s))\s*(\d{1,5})(?!\s*(?:-|–|to\b))\s+(?=[a-z])", re.I
)
_PERCENT = re.compile(
    r"(?:^|[,;&]|\band\b)\s*(\d{1,3})\s*%\s+(?:of (?:them|whom) (?:are )?)?(?=[a-z\d])", re.I
)
_AGES = re.compile(
    r"\b(\d{1,5})\s+((?:(?:aged?|ages)\s+)?\d\d\s*(?:(?:-|–|to)\s*\d\d\b|\+|(?:and|or) (?:over|older|up)))",
    re.I,
)
_EVEN = re.compile(
    r"^(?:an? )?(?:even|equal|50[/-]50|half[/-]half) (?:split|mix|numbers?)(?: of| between|:)? "
    r"(.+?)(?:\s*/\s*|\s+and\s+|\s*&\s*)(.+)$",
    re.I,
)
_RATIO = re.compile(r"^(\d{1,3}(?:\s*/\s*\d{1,3})+)\s+([a-z][a-z /-]*)$", re.I)
_HALVES = re.compile(
    r"^half\s+(?:of (?:them|whom)\s+)?(?:are\s+|being\s+)?(.+?),?\s+(?:and\s+)?half\s+(.+)$", re.I
)
_REST = re.compile(
    r"(?:elsewhere|not|the rest|others?|the others|the other half|anywhere else|outside(?: of it)?|none)",
    re.I,
)
_HALF = re.compile(r"^half\s+(?:of (?:them|whom)\s+)?(?:are\s+|being\s+)?(.+)$", re.I)


def cells_of(words: str, reading: Reading, read: Callable[[str], Reading]) -> Cells | None:
    """Return the cells of a quota, or None if it is not understood whole.

    Parameters
    ----------
    words : str
        The words of the quota.
    reading : Reading
        The text that they are in.
    read : callable
        Reads an audience text.
    """
    words = " ".join(words.split()).strip(" .,;")
    words = re.sub(r"\s+(?:please|pls|plz)$", "", words, flags=re.I)
    if (shared := shared_cells(words, reading.plain, reading.mentions)) is not None:
        return shared
    words = re.sub(r"^quotas?\s*:\s*", "", words, flags=re.I)
    if (ages := list(_AGES.finditer(words))) and not _AGES.sub("", words).strip(" ,;/&and"):
        return _cells([f"adults {one[2]}" for one in ages], [int(one[1]) for one in ages], read)
    if found := _EVEN.match(words):
        return _cells([found[1], found[2]], [1, 1], read)
    if found := _RATIO.match(words):
        numbers = [int(one) for one in found[1].split("/")]
        return _cells(found[2].split("/"), numbers, read)
    if found := _HALVES.match(words):
        if _REST.fullmatch(found[2].strip()):
            return _with_rest(found[1], 50, read)
        return _cells([found[1], found[2]], [50, 50], read)
    if found := _HALF.match(words):
        return _with_rest(found[1], 50, read)
    for pattern in (_PERCENT, _NUMBERED):
        parts = list(pattern.finditer(words))
        if not parts or parts[0].start() > 0:
            continue
        ends = [*(part.start() for part in parts[1:]), len(words)]
        labels = [words[part.end() : end].strip(" ,;&") for part, end in zip(parts, ends, strict=True)]
        numbers = [int(part[1]) for part in parts]
        if pattern is _PERCENT and len(parts) == 1:
            return _with_rest(labels[0], numbers[0], read)
        if pattern is _PERCENT and sum(numbers) != 100:
            return None
        return _cells(labels, numbers, read)
    return None


def _cells(labels: list[str], numbers: list[int], read: Callable[[str], Reading]) -> Cells | None:
    if len(labels) != len(numbers) or len(labels) < 2 or min(numbers) < 1:
        return None
    filters = [_filter(label, read) for label in labels]
    found = tuple((one, number) for one, number in zip(filters, numbers, strict=True) if one is not None)
    return found if len(found) == len(labels) and _exclusive([one for one, _ in found]) else None


def _with_rest(label: str, percent: int, read: Callable[[str], Reading]) -> Cells | None:
    one = _filter(label, read)
    return None if one is None or not 0 < percent < 100 else ((one, percent), (~one, 100 - percent))


def _filter(label: str, read: Callable[[str], Reading]) -> Filter | None:
    """Return what a label says as a filter, or None if it says more or something else."""
    reading = read(label.strip())
    plain = all(m.sense.parts and not m.sense.questions and not m.sense.options for m in reading.mentions)
    if not reading.mentions or not plain or reading.unclear or reading.frames or reading.doubt:
        return None
    rest = label.strip()
    for mention in reversed(reading.mentions):
        rest = rest[: mention.start] + rest[mention.end :]
    if re.search(r"\b(?:or|and|not|no|without)\b|[,/]", rest) or any(m.negated for m in reading.mentions):
        return None
    if len({name for m in reading.mentions for name in m.fields}) < sum(
        len(m.fields) for m in reading.mentions
    ):
        return None
    return reduce(and_, (Filter("all", m.sense.parts) for m in reading.mentions))


def _exclusive(filters: list[Filter]) -> bool:
    """Return whether the parts name the same fields, with nobody in two of them."""
    fields = [frozenset(name for name, _ in one.conditions) for one in filters]
    return len(set(fields)) == 1 and are_apart([one.conditions for one in filters])
