"""What a respondent is: agents and a question go in, one reply or failure per agent comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voxpop.errors import Unavailable, VoxpopError
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


class Unanswerable(VoxpopError):
    """Raised inside a respondent for an agent that it cannot answer for.

    This is the only error that becomes survey data, a :class:`Failure` of that agent. Any other error is a
    fault of the program: it is logged with its traceback and ends the job.

    Parameters
    ----------
    message : str
        Why not, for the reader of the results.
    code : str
        The code of the agent's failure.

    Examples
    --------
    >>> Unanswerable("The agent's state is not known.").failure(7)
    Failure(agent_id=7, code='unanswerable', message="The agent's state is not known.", spent=None)
    """

    def __init__(self, message: str, code: str = "unanswerable") -> None:
        super().__init__(message)
        self.code = code

    def failure(self, agent_id: int) -> Failure:
        """Return this as the failure of an agent."""
        return Failure(agent_id, self.code, str(self))


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
        """Yield one reply or failure per agent, in the given order.

        An error that is raised here is a fault of the program and fails the whole work item.
        """
        ...
