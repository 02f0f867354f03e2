"""The library as engines use it: what people were asked, and an agent's answer as people like it gave it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache, cached_property, lru_cache
from math import erf
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.basis import PUBLISHED, Basis
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER
from voxpop_simulator.library.items import WORKERS, Item, items
from voxpop_simulator.library.latents import Latent
from voxpop_simulator.library.mapping import Places
from voxpop_simulator.library.matching import Index
from voxpop_simulator.library.profiles import known, profile_of, shares

_EMPLOYED = "employed"
_LETTER = re.compile(r"\s*(?:\. ?\. ?\.|…)\s*(?:\b[A-Z]\. )?")
"""Place in a wording from which the statements of a battery begin, each with a letter."""
_ROOT_HALF = 0.5**0.5
_LONGEST = 300
"""Characters of a wording that is offered."""


class Match:
    """A question, the item that asks the same, and the answers of agents.

    Attributes
    ----------
    item : Item
        What people were asked.
    values : tuple
        The coded values of the question: True and False, its options, or the points of its scale.
    places : tuple of tuple of int
        For each value the places of the item's answers that it counts; none for "don't know". Yes and no
        count nobody who took no side.
    merged : bool
        Whether a value counts several answers of the item, or answers that were not read out are left out.
    """

    def __init__(self, question: Question, item: Item, places: Places) -> None:
        self.item, self.places = item, places
        self.values = _values(question)
        self._value_at = {place: value for value, at in zip(self.values, places, strict=True) for place in at}
        self._kept = sorted(self._value_at)
        self.merged = len(self._kept) < len(item.options) or any(len(at) > 1 for at in places)
        self._latent = Latent(item.name, item.family)

    @cached_property
    def basis(self) -> Basis:
        """What the answers rest on, as :class:`~voxpop.engines.basis.Basis`."""
        note = self.item.note
        if self.item.asked == WORKERS:
            note = note.replace("item", "people with a job, item")
        if self.merged:
            note = f"{note[:-1]}, with answers merged."
        lost = sum(share for place, share in enumerate(self.item.shares) if place in self._sideless)
        return Basis(PUBLISHED, f"{note[:-1]}, without the {lost:.0%} who took no side." if lost else note)

    @property
    def _sideless(self) -> frozenset[int]:
        """Places of answers that take no side and that no value counts."""
        return self.item.undecided - set(self._kept)

    def is_for(self, agent: Agent) -> bool:
        """Return whether the item was put to people like an agent: US adults, or those of them with a job."""
        return known(agent) and (self.item.asked != WORKERS or agent.labour_status == _EMPLOYED)

    def shares(self, agent: Agent) -> tuple[float, ...]:
        """Return the shares of the question's values among people with an agent's profile; they sum to 1."""
        row = shares(self.item.name, profile_of(agent))
        whole = sum(row[place] for place in self._kept)
        return tuple(sum(row[place] for place in at) / whole for at in self.places)

    def answer(self, agent: Agent) -> Any:
        """Return an agent's coded value, or None if the item was not put to people like the agent.

        The same agent always gives the same answer, whatever the seed, and answers to related items go
        together.

        Examples
        --------
        >>> from voxpop.engines.sample_agents import AGENTS
        >>> match = library().find(Question("Should marijuana be legal?", "yes_no"))
        >>> match.answer(AGENTS[0]) in (True, False)
        True
        """
        if not self.is_for(agent):
            return None
        row = shares(self.item.name, profile_of(agent))
        score = self._latent.score(agent.uuid.encode())
        held = (1.0 + erf(score * _ROOT_HALF)) / 2.0 * sum([row[place] for place in self._kept])
        for place in self._kept:
            held -= row[place]
            if held < 0.0:
                return self._value_at[place]
        return self._value_at[self._kept[-1]]

    def answers(self, agents: Iterable[Agent]) -> list[Any]:
        """Return the coded values of agents, None for those whom the item was not put to."""
        return [self.answer(agent) for agent in agents]


def _values(question: Question) -> tuple[Any, ...]:
    if question.shape is BOOLEAN:
        return True, False
    if question.shape is INTEGER:
        assert question.scale is not None
        return tuple(range(question.scale.min, question.scale.max + 1))
    return question.options


class Library:
    """Human answers that questions are compared with.

    Parameters
    ----------
    without : collection of str, optional
        Names of items to leave out; a test leaves out those whose answers it compares with.

    Examples
    --------
    >>> match = library().find(Question("Do you think cannabis should be legal?", "yes_no"))
    >>> match.item.name, match.basis.kind
    ('grass', 'published')
    >>> match.basis.note
    "Shares of the General Social Survey 2020 (n = 1,228), item grass, by the agent's profile."
    >>> library().find(Question("Have you ever used marijuana?", "yes_no")) is None
    True
    """

    def __init__(self, without: Collection[str] = ()) -> None:
        self._index = Index([item for item in items() if item.name not in without])
        self._find = lru_cache(maxsize=1024)(self._found)

    def find(self, question: Question) -> Match | None:
        """Return the item that asks the same as a question, with how their answers map, or None.

        None means that no item certainly asks the same: another person, time, place, amount or thing, another
        set of answers, or a word that the item does not cover.
        """
        return self._find(question)

    def nearest(self, question: Question) -> Item | None:
        """Return the item nearest to a question among those whose own wording is answered, or None."""
        item = self._index.nearest(question)
        return None if item is None or self._own_words(item) is None else item

    def told_nearest(self, question: Question) -> str:
        """Return the nearest known question with its answers, which is answered in these words; or "".

        Examples
        --------
        >>> print(library().told_nearest(Question("Have you used marijuana lately?", "yes_no")))
        Do you think the use of marijuana should be made legal or not? (should be legal; should not be legal)
        """
        item = self.nearest(question)
        return "" if item is None else f"{self._own_words(item)} ({'; '.join(item.options)})"

    def _own_words(self, item: Item) -> str | None:
        """Return a wording of an item that is answered with its own answers, or None."""
        for text in (_LETTER.sub("… ", item.bare), item.core):
            asked = Question(text, "single_choice", options=item.options)
            match = self.find(asked) if len(text) <= _LONGEST else None
            if match is not None and match.item.family == item.family:
                return text
        return None

    def _found(self, question: Question) -> Match | None:
        found = self._index.find(question)
        return None if found is None else Match(question, found.item, found.places)


@cache
def library() -> Library:
    """Return the library of all items."""
    return Library()
