"""The search for the item that asks what a question asks: words both ways, direction, kind and person."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN
from voxpop_simulator.library.entries import Entry, entry_of
from voxpop_simulator.library.items import SOME, Item
from voxpop_simulator.library.levels import CLAIM, level
from voxpop_simulator.library.mapping import Places, mapped
from voxpop_simulator.library.wording import Wording, hedged, people, read, stems, subject
from voxpop_simulator.questions.patterns import Pattern

COVERED = 0.7
"""Least part of an item's own words, by weight, that a question must have."""
_SCARCE = 2.0
_NEAR, _FEWEST = 0.6, 2
"""Least part of words in common, by weight, and least number of them, for an item to be near a question."""
_MARGIN = 0.02
Mapping = Callable[[Question, Item, bool], tuple[Places, bool] | None]
_YOU = ("you", "your")
_FORM = Pattern(r"y$")


@dataclass(frozen=True, slots=True)
class Found:
    """An item that answers a question, the places of its answers, and the part of its words asked."""

    item: Item
    places: Places
    covered: float
    exact: bool


class Index:
    """The items that questions are compared with.

    Parameters
    ----------
    among : collection of Item
        The items.
    mapping : callable
        Returns how the answers of a question and an item map, as does
        :func:`~voxpop_simulator.library.mapping.mapped`.
    """

    def __init__(self, among: Collection[Item], mapping: Mapping = mapped) -> None:
        self._items = [item for item in among if item.asked != SOME]
        self._mapped = mapping

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        return tuple(entry_of(item) for item in self._items)

    @cached_property
    def _weights(self) -> dict[str, float]:
        counted = Counter(word for entry in self._entries for word in entry.near)
        size = len(self._entries)
        return {word: math.log(1 + size / number) for word, number in counted.items()}

    @cached_property
    def _by_word(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for place, entry in enumerate(self._entries):
            for word in entry.near:
                found.setdefault(word, []).append(place)
        return {word: tuple(places) for word, places in found.items()}

    def find(self, question: Question) -> Found | None:
        """Return the item that asks the same as a question, or None unless that is certain.

        Examples
        --------
        >>> from voxpop.engines.question import Question
        >>> from voxpop_simulator.library.items import items
        >>> Index(items()).find(Question("Should marijuana be illegal?", "yes_no")).places
        ((1,), (0,))
        """
        said = read(question.text)
        if not said.words or question.attachments or (question.shape is BOOLEAN and hedged(question.text)):
            return None
        near = {place for word in said.words for place in self._by_word.get(word, ())}
        found = [one for place in sorted(near) if (one := self._tried(self._entries[place], question, said))]
        if not found:
            return None
        best = max(found, key=lambda one: (one.exact, one.covered, one.item.people))
        close = [one for one in found if one.exact == best.exact and one.covered > best.covered - _MARGIN]
        return None if any(_another(one.item, best.item) for one in close) else best

    def nearest(self, question: Question) -> Item | None:
        """Return the item that has most words in common with a question, or None if none is near.

        Near is not the same: it may ask about other people, another time, or the opposite.

        Examples
        --------
        >>> from voxpop.engines.question import Question
        >>> from voxpop_simulator.library.items import items
        >>> index = Index(items())
        >>> index.nearest(Question("Have you used marijuana in the past 30 days?", "yes_no")).name
        'grass'
        >>> index.nearest(Question("Would you buy a lower-sugar snack?", "yes_no")) is None
        True
        """
        lists = {word for option in question.options for word in stems(option)}
        words = read(question.text).words
        said = words - lists or words
        best, most = None, _NEAR
        for place in sorted({place for word in said for place in self._by_word.get(word, ())}):
            entry = self._entries[place]
            for way in entry.ways:
                both = said & way
                near = 2 * self._weight(both) / (self._weight(said) + self._weight(way))
                if near > most and len(both) >= _FEWEST:
                    best, most = entry.item, near
        return best

    def _weight(self, words: Collection[str]) -> float:
        rarest = self._rarest
        return math.fsum(self._weights.get(word, rarest) for word in words)

    @cached_property
    def _rarest(self) -> float:
        return max(self._weights.values(), default=1.0)

    def _tried(self, entry: Entry, question: Question, said: Wording) -> Found | None:
        lists = {word for option in question.options for word in stems(option)}
        asked = said.words - (lists - entry.known)
        if not asked <= entry.known or asked & people() - entry.near:
            return None
        covered = max(self._part(way, said.words | lists) for way in entry.ways)
        if covered < COVERED or not asked & entry.near:
            return None
        turned = _turned(said, entry)
        if turned is None or (said.own != entry.wording.own and not _statement(entry)):
            return None
        first = subject(question.text)
        if said.kind == "past" and first and entry.subject and (first in _YOU) != (entry.subject in _YOU):
            return None
        got = self._mapped(question, entry.item, turned)
        if got is None:
            return None
        places, exact = got
        told = exact and not _claims(question) and "past" not in (said.kind, *entry.kinds)
        if said.kind not in entry.kinds and not told:
            return None
        return Found(entry.item, places, covered, exact)

    def _part(self, way: frozenset[str], said: Collection[str]) -> float:
        weight = {word: 1.0 if word.isdigit() else self._weights.get(word, _SCARCE) for word in way}
        whole = sum(weight.values())
        if any(word.isdigit() and word not in said for word in way):
            return 0.0
        return sum(weight[word] for word in way if word in said) / whole if whole else 0.0


def _claims(question: Question) -> bool:
    """Return whether the answers are yes and no, or the like, which do not tell what was asked."""
    placed = [level(option) for option in question.options]
    return question.shape is BOOLEAN or any(one is not None and one.axis == CLAIM for one in placed)


def _another(one: Item, other: Item) -> bool:
    """Return whether two items are not the forms of one question, whose names differ by a letter."""
    return _FORM.sub("", one.name) != _FORM.sub("", other.name)


def _statement(entry: Entry) -> bool:
    """Return whether an item has no sentence, so that it may leave out the person who answers."""
    text = entry.item.bare
    return not entry.wording.own and not text.endswith((".", "?", ")", "…")) and "?" not in text


def _turned(said: Wording, entry: Entry) -> bool | None:
    """Return whether a question says the opposite of an item, or None if that is not certain."""
    denials = said.denials + said.opposed
    difference = abs(denials - entry.wording.denials - entry.wording.opposed)
    if difference == 0:
        return False
    if difference == 1 and said.simple and (entry.wording.simple or said.opposed):
        return True
    return None
