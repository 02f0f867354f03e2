"""What a respondent is: agents and a question go in, one reply or failure per agent comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from voxpop.errors import Unavailable
from voxpop.population.agents import Agent

QUESTION_TYPES = ("open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking")
CHOICE_TYPES = ("single_choice", "multi_choice", "ranking")


@dataclass(frozen=True, slots=True)
class Scale:
    """A rating scale of whole numbers; the labels say which end means what.

    Examples
    --------
    >>> Scale(1, 5, min_label="best", max_label="worst").points
    5
    """

    min: int
    max: int
    min_label: str | None = None
    max_label: str | None = None

    @property
    def points(self) -> int:
        """How many answers the scale has."""
        return self.max - self.min + 1


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a question: what it is, and how its bytes are read by an engine that looks at it.

    Attributes
    ----------
    filename, mime : str
        Its name, and what it is, for example ``image/png``.
    size : int
        How many bytes it has.
    read : callable
        Gives the bytes.
    """

    filename: str
    mime: str
    size: int
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a respondent understands it: words, type and what the type needs.

    Earlier questions of an agent (:class:`Exchange`) are given without their attachments.
    """

    text: str
    type: str
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    unit: str | None = None
    shuffle_options: bool = False
    key: str | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier answer of the same agent in the same study."""

    question: Question
    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Spent:
    """What a language model was called with for one text, and what that took.

    Attributes
    ----------
    engine : str
        The engine's name, for example ``openai:gpt-x``.
    calls : int
        How often the model was called: more than once when its first text had to be repaired.
    input_tokens, output_tokens : int
        All calls together.
    cost_microdollars : int or None
        Millionths of a dollar; None where the price of the model is not known.
    cached : bool
        Whether the text is a replay: nothing was called, nothing was paid.
    temperature, seed
        What the model was called with.
    """

    engine: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_microdollars: int | None = None
    cached: bool = False
    temperature: float | None = None
    seed: int | None = None


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
