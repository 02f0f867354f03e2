"""The planning contract: from an audience text to filters and screening questions, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voxpop.engines.spent import Spent
from voxpop.errors import ServiceError
from voxpop.vocabulary import Filter


@dataclass(frozen=True, slots=True)
class Screen:
    """A criterion that no filter covers; candidates are asked about it.

    Attributes
    ----------
    criterion : str
        The criterion, in the words of the request.
    question : str
        A yes/no question.
    keep : {"yes", "no"}
        Answer of the candidates that are kept.
    instead : tuple of str
        What could be asked for instead if the criterion cannot be screened, the nearest first.
    """

    criterion: str
    question: str
    keep: str
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question to the caller, asked before any agent is recruited.

    Attributes
    ----------
    question : str
        Text of the question.
    missing : tuple of str
        Missing facts: field names, ``"audience"`` if nothing was understood, ``"logic"`` if the combination
        of "and" and "or" is ambiguous.
    options : tuple of str
        Example answers that are certain to be understood.
    """

    question: str
    missing: tuple[str, ...]
    options: tuple[str, ...]


ROLES = ("filter", "screen", "quota", "size", "purpose", "glue", "unclear", "left_out")
"""What a span of a text can be understood as; ``unclear`` is asked about before anything is recruited, and
``left_out`` if the answer says so."""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of the text, with what it was understood as.

    Attributes
    ----------
    start : int
        Its place in the text, counted in characters.
    span : str
        Its words, as written.
    role : str
        One of :data:`ROLES`. A purpose is shown and has no effect; glue has no meaning of its own.
    value : any
        The JSON form of the filter, the screening question, or the number of agents; None for the others.
    """

    start: int
    span: str
    role: str
    value: Any = None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, ``{"span", "start", "as", "value"}``.

        Examples
        --------
        >>> Span(0, "women", "filter", {"gender": "female"}).to_json()
        {'span': 'women', 'start': 0, 'as': 'filter', 'value': {'gender': 'female'}}
        """
        return {"span": self.span, "start": self.start, "as": self.role, "value": self.value}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for refusing to recruit an audience.

    Attributes
    ----------
    reason : str
        One sentence that quotes the words at fault.
    hint : str
        A similar request that can be recruited.
    """

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class AudiencePlan:
    """A plan for recruiting an audience, or the reason for having none.

    Attributes
    ----------
    filters : Filter
        The part of the audience that filters can express; may be empty.
    screening : tuple of Screen
        Criteria that no filter covers, in the order of the text.
    clarification : Clarification or None
        A question that the caller must answer first.
    refusal : Refusal or None
        Reason for not recruiting the audience; the rest of the plan is then empty.
    sensitive : str or None
        Reason for a human review, set when a health condition is combined with an ethnic group.
    understood : tuple of Span
        All words of the text, in order, with what each was understood as.
    spent : Spent or None
        Calls, tokens and cost, if a language model made the plan.
    quotas : tuple of (Filter, int)
        Exclusive parts of the audience, with the relative number of agents of each.
    """

    filters: Filter
    screening: tuple[Screen, ...]
    clarification: Clarification | None
    refusal: Refusal | None
    sensitive: str | None
    understood: tuple[Span, ...]
    spent: Spent | None = None
    quotas: tuple[tuple[Filter, int], ...] = ()


class PlanNotMade(ServiceError):
    """Raised when a language model made no plan; ``code`` is the reason, ``spent`` the cost."""

    default_status = 503

    def __init__(self, message: str, *, code: str, spent: Spent) -> None:
        super().__init__(message, code=code)
        self.spent = spent


class Planner(Protocol):
    """Reads the text of a recruitment request."""

    name: str

    def plan(
        self,
        text: str,
        *,
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> AudiencePlan:
        """Return a plan for the audience that the text describes.

        Parameters
        ----------
        text : str
            The audience in plain language.
        labels : mapping of str to sequence of str
            Field -> values that occur in the population.
        titles : mapping of str to str
            Job title or synonym, in lower case -> occupation.
        answers : sequence of (str, str), default ()
            Earlier clarification questions and their answers, oldest first.

        Raises
        ------
        PlanNotMade
            The language model could not be called, or its response was not a plan.
        """
        ...
