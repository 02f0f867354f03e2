"""The contract for planning: an audience text as filters and screening questions, or a reason to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.engines.spent import Spent
from voxpop.errors import ServiceError
from voxpop.vocabulary import Filter


@dataclass(frozen=True, slots=True)
class Screen:
    """A criterion that no filter covers; candidates are asked about it.

    Attributes
    ----------
    criterion : str
        The words of the request.
    question : str
        A question to be answered with yes or no.
    keep : {"yes", "no"}
        The answer that stays in the group.
    """

    criterion: str
    question: str
    keep: str


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question to the caller before anybody is recruited.

    Attributes
    ----------
    question : str
        One question to the caller.
    missing : tuple of str
        The missing facts: field names, ``"audience"`` where nothing was understood, ``"logic"`` where the
        meaning of "and" and "or" is open.
    options : tuple of str
        Answers that are sure to be understood.
    """

    question: str
    missing: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an audience is not recruited.

    Attributes
    ----------
    reason : str
        One sentence that names the words that caused it.
    hint : str
        A request that could be recruited instead.
    """

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class AudiencePlan:
    """A plan for recruiting an audience, or the reason why there is none.

    Attributes
    ----------
    filters : Filter
        The part of the audience that filters express; empty where none do.
    screening : tuple of Screen
        The criteria that no filter covers, in the order of the text.
    clarification : Clarification or None
        A question to be answered first.
    refusal : Refusal or None
        The reason why the audience is not recruited; the rest of the plan is empty then.
    sensitive : str or None
        The reason for a review by a person, where a health condition comes with an ethnic group.
    understood : tuple of (str, str)
        The words of the text, each with the field that they were read as; ``"screening"`` for the others.
    spent : Spent or None
        Calls, tokens and cost, where a language model made the plan.
    """

    filters: Filter
    screening: tuple[Screen, ...]
    clarification: Clarification | None
    refusal: Refusal | None
    sensitive: str | None
    understood: tuple[tuple[str, str], ...]
    spent: Spent | None = None


class PlanNotMade(ServiceError):
    """Raised when a language model made no plan: ``code`` gives the reason, ``spent`` the cost of trying."""

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
            The audience in plain words.
        labels : mapping of str to sequence of str
            Field -> the values that agents of the population have.
        titles : mapping of str to str
            Job title or synonym, in lower case -> occupation.
        answers : sequence of (str, str), default ()
            Earlier clarification questions, each with its answer, the oldest first.

        Raises
        ------
        PlanNotMade
            A language model could not be asked, or did not say what it was asked for.
        """
        ...
