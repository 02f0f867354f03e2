"""What a respondent is: agents and a question go in, one reply or failure per agent comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voxpop.errors import Unavailable
from voxpop.population.agents import Agent
from voxpop.questions.question import Exchange, Question
from voxpop.questions.spent import Spent


@dataclass(frozen=True, slots=True)
class Reply:
    """One agent's answer.

    Attributes
    ----------
    agent_id : int
        Who answered.
    text : str
        The answer in words.
    value : object
        The coded answer: bool for yes_no, str for single_choice, list of str for multi_choice and ranking,
        int for scale, int or float for number, None for open ones and for "don't know". An open question
        about an attribute of the profile carries that attribute.
    option_order : tuple of int or None
        The order in which the options were shown, as indices; None when they were shown as listed.
    engine : str
        The name of the respondent that made the answer.
    spent : Spent or None
        What it took, where a language model made it.
    """

    agent_id: int
    text: str
    value: Any
    option_order: tuple[int, ...] | None
    engine: str
    spent: Spent | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """One agent that could not be answered for, why, and what trying took."""

    agent_id: int
    code: str
    message: str
    spent: Spent | None = None


class EngineClosed(Unavailable):
    """The engine was closed while it was asked; nobody failed, and the work goes on at the next start."""


class Respondent(Protocol):
    """Anything that answers for agents."""

    name: str

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply or failure per agent, in the given order."""
        ...
