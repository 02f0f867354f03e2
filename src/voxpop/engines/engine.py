"""An engine as the service uses it: its own parts, and the default engine's where it has none."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from voxpop.engines.audience import Planner
from voxpop.engines.composition import Restater, ThesisComposer
from voxpop.engines.guide import Guide
from voxpop.engines.question import Question
from voxpop.engines.question_fields import Reader
from voxpop.engines.respondent import Respondent
from voxpop.engines.writer import Writer
from voxpop.errors import UsageError

PARTS: dict[str, tuple[str, ...]] = {
    "reader": ("read",),
    "planner": ("plan",),
    "guide": ("interview_guide", "study_questions"),
    "composer": ("compose", "claim", "headline", "verdict"),
    "writer": ("retell", "follow_up"),
    "restater": ("restate",),
}
"""The parts that an engine may have beside answering, with their methods."""

LONGEST_NAME = 64


class Engine:
    """Everything that a service asks of an engine.

    Parameters
    ----------
    respondent : Respondent
        Answers for agents. Parts that it has as attributes (:data:`PARTS`) are used.
    default : callable
        Gives the engine whose parts are used where the respondent has none. It is not called before one of
        them is needed.

    Attributes
    ----------
    name : str
        Stands on every answer.
    remote : bool
        Whether answers come from elsewhere and take long: more work items are then asked for at once, and
        callers are told to look less often.
    """

    def __init__(self, respondent: Respondent, default: Callable[[], Engine]) -> None:
        self.respondent = respondent
        self.name = respondent.name
        self.remote = bool(getattr(respondent, "remote", False))
        self._default = default

    @property
    def reader(self) -> Reader:
        """Reads the words of questions."""
        own: Reader | None = getattr(self.respondent, "reader", None)
        return own or self._default().reader

    @property
    def planner(self) -> Planner:
        """Reads the texts of recruitment requests."""
        own: Planner | None = getattr(self.respondent, "planner", None)
        return own or self._default().planner

    @property
    def guide(self) -> Guide:
        """Proposes questions for an objective."""
        own: Guide | None = getattr(self.respondent, "guide", None)
        return own or self._default().guide

    @property
    def composer(self) -> ThesisComposer:
        """Composes theses, and draws their verdicts."""
        own: ThesisComposer | None = getattr(self.respondent, "composer", None)
        return own or self._default().composer

    @property
    def writer(self) -> Writer | None:
        """Tells the findings of studies; the service's own sentences are used without one."""
        return getattr(self.respondent, "writer", None)

    @property
    def restater(self) -> Restater | None:
        """Says what theses claim; without one they are taken in their own words."""
        return getattr(self.respondent, "restater", None)

    def notice(self, question: Question) -> str | None:
        """Return what to know before the answers to a question are used, where the engine can tell."""
        told: Callable[[Question], str | None] | None = getattr(self.respondent, "notice", None)
        return None if told is None else told(question)

    def close(self) -> None:
        """Stop what is under way and close connections."""
        close: Callable[[], None] | None = getattr(self.respondent, "close", None)
        if close is not None:
            close()


def checked(given: Any, called: str = "The engine") -> Respondent:
    """Return an object that has what an engine needs.

    Raises
    ------
    UsageError
        It lacks a name or a method; the message says all that is missing.

    Examples
    --------
    >>> checked(object())
    Traceback (most recent call last):
    voxpop.errors.UsageError: The engine object lacks name (a text of 1 to 64 printable characters without
    spaces) and answer(agents, question, history, *, seed); see docs/engines.md.
    """
    if isinstance(given, type):
        raise UsageError(f"{called} {given.__name__} is a class; give an object of it: {given.__name__}().")
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
        for method in ("notice", "close")
        if getattr(given, method, None) is not None and not callable(getattr(given, method))
    ]
    return found


def _is_plain(name: str) -> bool:
    return name.isprintable() and not any(letter.isspace() for letter in name)


def _takes(answer: Any) -> bool:
    """Return whether a method can be called as engines are asked."""
    if not callable(answer):
        return False
    try:
        inspect.signature(answer).bind((), None, {}, seed=0)
    except TypeError:
        return False
    return True
