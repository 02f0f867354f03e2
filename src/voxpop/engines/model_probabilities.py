"""Token probabilities: a closed question as a list of letters, and the distribution over its answers.

The model is asked for one letter, and the probabilities of the letters as its next token are those of the
answers. The agent's answer is drawn from them with the agent's own draw.
"""

from __future__ import annotations

import asyncio
import logging
import string
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voxpop.engines.draws import draws
from voxpop.engines.model_answers import Misfit
from voxpop.engines.option_order import ESCAPE
from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.engines.spent import Spent, added
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, INTEGER

logger = logging.getLogger(__name__)

MOST_ANSWERS = 20
"""Number of likeliest tokens that servers report at most, and so of letters."""

LEAST_MASS = 0.5
"""Smallest total probability of the letters; below it the model would rather say something else."""

DONT_KNOW = "I honestly do not know"


@dataclass(frozen=True, slots=True)
class Ballot:
    """The answers to a question in the order shown, each with a letter.

    Attributes
    ----------
    values : tuple
        Coded answers in the order of the question; None for "don't know".
    labels : tuple of str
        Their names.
    shown : tuple of int
        Their indices in the order shown.
    """

    values: tuple[Any, ...]
    labels: tuple[str, ...]
    shown: tuple[int, ...]

    def listed(self) -> str:
        """Return the answers with their letters, one a line."""
        return "\n".join(
            f"{letter}) {self.labels[place]}"
            for letter, place in zip(string.ascii_uppercase, self.shown, strict=False)
        )

    def read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the distribution over the answers from the probabilities of tokens.

        Raises
        ------
        Misfit
            The letters have less than half of the probability.
        """
        found = [0.0] * len(self.values)
        for token, probability in data["tokens"]:
            letter = token.strip(" \n().:\"'*").upper()
            place = string.ascii_uppercase.find(letter) if len(letter) == 1 else -1
            if 0 <= place < len(self.shown):
                found[self.shown[place]] += probability
        mass = sum(found)
        if mass < LEAST_MASS:
            raise Misfit(
                f"Reply with one of the letters A to {string.ascii_uppercase[len(found) - 1]} alone."
            )
        return {
            "shares": {label: round(one / mass, 6) for label, one in zip(self.labels, found, strict=True)},
            "mass": round(mass, 6),
            "shown": [self.labels[place] for place in self.shown],
        }

    def drawn(self, shares: Mapping[str, float], *parts: bytes) -> Any:
        """Return the value at a seeded draw from a distribution."""
        high, low = draws(*parts, b"probabilities")[:2]
        place, total = (high * 65_536 + low) / 2**32, 0.0
        likely = [at for at, label in enumerate(self.labels) if shares[label] > 0]
        for at in likely:
            total += shares[self.labels[at]]
            if place < total:
                return self.values[at]
        return self.values[likely[-1]]


def ballot_of(question: Question, order: Sequence[int] | None, *parts: bytes) -> Ballot | None:
    """Return the ballot of a question for an agent; None if it is open, takes several answers or too many.

    Half of the agents see the answers in reverse, so that a leaning to the first letters evens out; shuffled
    options keep their own order.

    Examples
    --------
    >>> print(ballot_of(Question("Which?", "single_choice", ("Tea", "Milk")), (1, 0)).listed())
    A) Milk
    B) Tea
    C) I honestly do not know
    """
    if question.shape not in (BOOLEAN, CATEGORY, INTEGER):
        return None
    levels = question.shape.levels(question)
    values = (True, False) if question.shape is BOOLEAN else tuple(levels)
    labels = tuple(str(level) for level in levels)
    unsure = not any(ESCAPE.match(label) for label in labels)
    if not 2 <= len(values) <= MOST_ANSWERS - unsure:
        return None
    shown = tuple(range(len(values))) if order is None else tuple(order)
    if order is None and draws(*parts, b"reverse")[0] % 2:
        shown = shown[::-1]
    if unsure:
        values, labels, shown = (*values, None), (*labels, DONT_KNOW), (*shown, len(shown))
    return Ballot(values, labels, shown)


def by_letter(question: Question, ballot: Ballot) -> str:
    """Return a question with its ballot as text for a prompt."""
    scale = question.scale
    ends = () if scale is None else ((scale.min, scale.min_label), (scale.max, scale.max_label))
    meanings = "; ".join(f"{end} means {label}" for end, label in ends if label)
    meant = f"\n({meanings})" if meanings else ""
    return f"{question.text}{meant}\n\n{ballot.listed()}\n\nReply with the letter of the answer alone."


def spoken_turn(exchange: Exchange) -> tuple[str, str]:
    """Return an earlier question and its answer as plain text."""
    return exchange.question.text, exchange.text


class Weighing:
    """Finds out with the first question whether a server gives probabilities; if not, says so once.

    Parameters
    ----------
    name
        Name of the engine, for the log.
    """

    def __init__(self, name: str) -> None:
        self.gives: bool | None = None
        self._name = name
        self._one_at_a_time = asyncio.Lock()

    async def reply(
        self,
        weighed: Callable[[], Awaitable[Reply | Failure]],
        usual: Callable[[], Awaitable[Reply | Failure]],
    ) -> Reply | Failure:
        """Return the reply drawn from probabilities, or the usual one of a server that gives none."""
        if self.gives is None:
            async with self._one_at_a_time:
                if self.gives is None:
                    return await self._first(weighed, usual)
        return await (weighed() if self.gives else usual())

    async def _first(
        self,
        weighed: Callable[[], Awaitable[Reply | Failure]],
        usual: Callable[[], Awaitable[Reply | Failure]],
    ) -> Reply | Failure:
        said = await weighed()
        if isinstance(said, Reply):
            self.gives = True
            return said
        other = await usual()
        if said.spent is not None:
            other = replace(other, spent=added(said.spent, other.spent or Spent(self._name)))
        if isinstance(other, Reply):  # otherwise the server is down, and it is still not known
            self.gives = False
            logger.warning("%s (%s) Each agent gives one answer instead.", self.told(), said.message)
        return other

    def told(self) -> str:
        """Return the sentence on a server without probabilities."""
        return f"The server of {self._name} gives no usable token probabilities."
