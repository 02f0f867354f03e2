"""The engine as the service uses it: a respondent, completed with the parts of the default engine."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from voxpop.engines.agents import Agent
from voxpop.engines.audience import Planner
from voxpop.engines.basis import UNDECLARED, Basis
from voxpop.engines.composition import Restater, ThesisComposer
from voxpop.engines.guide import Guide
from voxpop.engines.question import Question
from voxpop.engines.question_fields import Reader
from voxpop.engines.respondent import Respondent
from voxpop.engines.writer import Writer
from voxpop.errors import UsageError

if TYPE_CHECKING:
    from voxpop.engines.matcher import Matcher

PARTS: dict[str, tuple[str, ...]] = {
    "reader": ("read",),
    "planner": ("plan",),
    "guide": ("interview_guide", "study_questions"),
    "composer": ("compose", "claim", "headline", "verdict"),
    "writer": ("retell", "follow_up"),
    "restater": ("restate",),
    "matcher": ("index",),
}
"""Optional parts of an engine, with their methods."""

LONGEST_NAME = 64


class Engine:
    """An engine with all the parts that the service needs.

    Parameters
    ----------
    respondent : Respondent
        Answers for agents. Its attributes named in :data:`PARTS` are used as parts.
    default : callable
        Returns the engine that provides the parts missing from the respondent. Called only when one of them
        is needed.

    Attributes
    ----------
    name : str
        Name stored with every answer.
    remote : bool
        Whether answers come from a slow remote service. More work items then run concurrently, and clients
        are told to poll less often.
    default : callable
        Returns the engine that provides missing parts.
    """

    def __init__(self, respondent: Respondent, default: Callable[[], Engine]) -> None:
        self.respondent = respondent
        self.name = respondent.name
        self.remote = bool(getattr(respondent, "remote", False))
        self.default = default

    @property
    def reader(self) -> Reader:
        """Reader of question texts."""
        own: Reader | None = getattr(self.respondent, "reader", None)
        return own or self.default().reader

    @property
    def planner(self) -> Planner:
        """Planner for the texts of recruitment requests."""
        own: Planner | None = getattr(self.respondent, "planner", None)
        return own or self.default().planner

    @property
    def guide(self) -> Guide:
        """Guide that proposes questions for an objective."""
        own: Guide | None = getattr(self.respondent, "guide", None)
        return own or self.default().guide

    @property
    def composer(self) -> ThesisComposer:
        """Composer of theses and their verdicts."""
        own: ThesisComposer | None = getattr(self.respondent, "composer", None)
        return own or self.default().composer

    @property
    def matcher(self) -> Matcher:
        """Matcher of questions with those of a survey of people."""
        own: Matcher | None = getattr(self.respondent, "matcher", None)
        return own or self.default().matcher

    @property
    def writer(self) -> Writer | None:
        """Writer of study findings; None selects the service's own sentences."""
        return getattr(self.respondent, "writer", None)

    @property
    def restater(self) -> Restater | None:
        """Restater of theses; None means that the original text is used."""
        return getattr(self.respondent, "restater", None)

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        """Return what the answers of these agents to a question would rest on, one basis per agent."""
        told: Callable[[Question, Sequence[Agent]], Iterator[Basis]] | None
        told = getattr(self.respondent, "basis", None)
        return repeat(UNDECLARED, len(agents)) if told is None else told(question, agents)

    def notice(self, question: Question) -> str | None:
        """Return a caution for users of the answers to a question, if the engine has one."""
        told: Callable[[Question], str | None] | None = getattr(self.respondent, "notice", None)
        return None if told is None else told(question)

    def close(self) -> None:
        """Cancel running work and close connections."""
        close: Callable[[], None] | None = getattr(self.respondent, "close", None)
        if close is not None:
            close()


def checked(given: Any, called: str = "The engine") -> Respondent:
    """Return the object if it meets the engine contract.

    Raises
    ------
    UsageError
        A name or a method is missing; the message lists everything that is missing.

    Examples
    --------
    >>> checked(object())
    Traceback (most recent call last):
    voxpop.errors.UsageError: The engine object lacks name (a text of 1 to 64 printable characters without
    spaces) and answer(agents, question, history, *, seed); see docs/engines.md.
    """
    if isinstance(given, type):
        raise UsageError(f"{called} {given.__name__} is a class; pass an instance: {given.__name__}().")
    missing = list(_missing(given))
    if missing:
        listed = " and ".join(missing)
        raise UsageError(f"{called} {type(given).__name__} lacks {listed}; see docs/engines.md.")
    respondent: Respondent = given
    return respondent


def _missing(given: Any) -> list[str]:
    found = []
    name = getattr(given, "name", None)
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME or not _is_plain(name):
        found.append(f"name (a text of 1 to {LONGEST_NAME} printable characters without spaces)")
    if not _takes(getattr(given, "answer", None)):
        found.append("answer(agents, question, history, *, seed)")
    for part, methods in PARTS.items():
        own = getattr(given, part, None)
        found += [
            f"{part}.{method}"
            for method in methods
            if own is not None and not callable(getattr(own, method, None))
        ]
    found += [
        f"{method} as a method"
        for method in ("notice", "basis", "close")
        if getattr(given, method, None) is not None and not callable(getattr(given, method))
    ]
    return found


def _is_plain(name: str) -> bool:
    return name.isprintable() and not any(letter.isspace() for letter in name)


def _takes(answer: Any) -> bool:
    """Return whether a method accepts the arguments that engines are called with."""
    if not callable(answer):
        return False
    try:
        inspect.signature(answer).bind((), None, {}, seed=0)
    except TypeError:
        return False
    return True
