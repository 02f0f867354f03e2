"""The answering contract: agents and a question in, one reply or failure per agent out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voxpop.engines.agents import Agent
from voxpop.engines.basis import UNDECLARED, Basis
from voxpop.engines.question import Exchange, Question
from voxpop.engines.spent import Spent
from voxpop.errors import Unavailable, VoxpopError


@dataclass(frozen=True, slots=True)
class Reply:
    """One agent's answer.

    Attributes
    ----------
    agent_id : int
        The agent that answered.
    text : str
        The answer in words.
    value : object
        The coded answer: bool for yes_no, str for single_choice, list of str for multi_choice and ranking,
        int for scale, int or float for number, None for open questions and for "don't know". For an open
        question about an attribute of the profile it is that attribute.
    option_order : tuple of int or None
        Indices of the options in the order shown; None if they were shown as listed.
    engine : str
        Name of the respondent that made the answer.
    spent : Spent or None
        Calls, tokens and cost, if a language model made the answer.
    basis : Basis
        What the answer rests on.
    """

    agent_id: int
    text: str
    value: Any
    option_order: tuple[int, ...] | None
    engine: str
    spent: Spent | None = None
    basis: Basis = UNDECLARED


@dataclass(frozen=True, slots=True)
class Failure:
    """An agent without an answer, with the reason and the cost of the attempt."""

    agent_id: int
    code: str
    message: str
    spent: Spent | None = None


class Unanswerable(VoxpopError):
    """The reason for not answering for an agent.

    Raise it inside an engine, catch it there and yield its :meth:`failure`. A failure is survey data, whereas
    an exception that leaves ``answer`` is a bug: it is logged with its traceback and ends the job.

    Parameters
    ----------
    message : str
        Reason, for readers of the results.
    code : str
        Code of the agent's failure.

    Examples
    --------
    >>> Unanswerable("The agent's state is not known.").failure(7)
    Failure(agent_id=7, code='unanswerable', message="The agent's state is not known.", spent=None)
    """

    def __init__(self, message: str, code: str = "unanswerable") -> None:
        super().__init__(message)
        self.code = code

    def failure(self, agent_id: int) -> Failure:
        """Return the corresponding failure of an agent."""
        return Failure(agent_id, self.code, str(self))


class Remembered(Mapping[int, Sequence[Exchange]]):
    """Answers of agents to the earlier questions of their study, stored by question.

    As a mapping it returns the exchanges of each agent. An engine with ``reads_values`` set may read the
    columns instead, which is faster in long studies.

    Parameters
    ----------
    questions
        Earlier questions, in the order asked.
    columns
        Coded answers to each question, by row.
    rows
        Row of each agent.
    answered
        Bit mask of the questions that each agent has answered; bit 0 stands for the first one.
    words
        Returns the answers in words to the question at an index, by agent; called on demand.
    """

    __slots__ = ("_told", "_words", "answered", "columns", "questions", "rows")

    def __init__(
        self,
        questions: tuple[Question, ...],
        columns: Sequence[Sequence[Any]],
        rows: Mapping[int, int],
        answered: Mapping[int, int],
        words: Callable[[int], Mapping[int, str]],
    ) -> None:
        self.questions, self.columns = questions, columns
        self.rows, self.answered = rows, answered
        self._words = words
        self._told: dict[int, Mapping[int, str]] = {}

    def text(self, agent_id: int, place: int) -> str:
        """Return the answer of an agent to the question at an index, in words."""
        if place not in self._told:
            self._told[place] = self._words(place)
        return self._told[place][agent_id]

    def __getitem__(self, agent_id: int) -> Sequence[Exchange]:
        """Return the exchanges of an agent, oldest first."""
        answered, row = self.answered[agent_id], self.rows[agent_id]
        return [
            Exchange(question, self.text(agent_id, place), self.columns[place][row])
            for place, question in enumerate(self.questions)
            if answered >> place & 1
        ]

    def __iter__(self) -> Iterator[int]:
        """Iterate over the agents."""
        return iter(self.answered)

    def __len__(self) -> int:
        """Return the number of agents."""
        return len(self.answered)


class EngineClosed(Unavailable):
    """Raised when an engine is closed while it answers; the work resumes at the next start."""


class Respondent(Protocol):
    """An engine: an object with a name that answers for agents.

    docs/engines.md lists the rules for answers and the optional attributes of an engine.
    """

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

        An exception is a bug of the engine and fails the whole work item.
        """
        ...


_UNSEEN = "(Answered from the words of the question alone; {name} does not look at attachments.)"
_UNSEEN_AT_END = re.compile(r"\s*" + re.escape(_UNSEEN).replace(r"\{name\}", r"\S+") + r"$")


def unseen(name: str) -> str:
    """Return the note at the end of an answer by an engine that ignores the question's attachments.

    Examples
    --------
    >>> print(unseen("mine-1"))
    (Answered from the words of the question alone; mine-1 does not look at attachments.)
    """
    return _UNSEEN.format(name=name)


def without_unseen(text: str) -> str:
    """Return the text of an answer without that note.

    Examples
    --------
    >>> without_unseen(f"I like it. {unseen('mine-1')}")
    'I like it.'
    """
    return _UNSEEN_AT_END.sub("", text)


def reads_values(respondent: Respondent) -> bool:
    """Return whether an engine prefers histories as :class:`Remembered`."""
    return bool(getattr(respondent, "reads_values", False))


def decider(respondent: Respondent) -> Respondent:
    """Return the engine to ask where only the values of answers matter, as in screening.

    It is the attribute ``decider`` of an engine that has another one decide on its answers, else the engine.
    """
    own: Respondent | None = getattr(respondent, "decider", None)
    return own or respondent
