"""What a request's text was understood as: filters, questions to screen by, or why it has to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from voxpop.engines.spent import Spent
from voxpop.errors import ServiceError
from voxpop.vocabulary import Filter


@dataclass(frozen=True, slots=True)
class Screen:
    """A criterion that no filter covers, found out by asking candidates.

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
    """What has to be answered before anybody is recruited.

    Attributes
    ----------
    question : str
        One question to whoever asked for the audience.
    missing : tuple of str
        What is not known yet: field names, ``"audience"`` where nothing was understood, ``"logic"`` where
        the meaning of "and" and "or" is open.
    options : tuple of str
        Answers that are certainly understood; others may be, too.
    """

    question: str
    missing: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why this audience is not recruited.

    Attributes
    ----------
    reason : str
        One sentence that names the words that caused it.
    hint : str
        What to ask for instead.
    """

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class AudiencePlan:
    """How an audience is recruited, or why it is not.

    Attributes
    ----------
    filters : Filter
        What filters can say about the audience; without conditions where nothing can be said.
    screening : tuple of Screen
        The criteria that no filter covers, in the order of the text.
    clarification : Clarification or None
        What has to be answered first.
    refusal : Refusal or None
        Why the audience is not recruited; the rest of the plan is empty then.
    sensitive : str or None
        Why a person must review the audience, where a health condition comes with an ethnic group.
    understood : tuple of (str, str)
        The words of the text, each with the field that they were read as; ``"screening"`` for the others.
    spent : Spent or None
        What it took, where a language model made the plan.
    """

    filters: Filter
    screening: tuple[Screen, ...]
    clarification: Clarification | None
    refusal: Refusal | None
    sensitive: str | None
    understood: tuple[tuple[str, str], ...]
    spent: Spent | None = None


class PlanNotMade(ServiceError):
    """A language model that was to make a plan did not; ``code`` says why, ``spent`` what trying took."""

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
        """Return what the text asks for.

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
