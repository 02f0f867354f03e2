"""Drafts of questions: editing, validation, sending and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voxpop.client.questions import LONGEST, checked_question, scale_body
from voxpop.errors import UsageError
from voxpop.vocabulary.conditions import code_of
from voxpop.vocabulary.question_types import QUESTION_TYPES, Part, QuestionType
from voxpop.widgets.wording_notes import wording_notes
from voxpop.wire.questions import Question


def offered_types() -> tuple[tuple[str, str], ...]:
    """Return the question types of the editor, by name; the first lets the service infer the type."""
    return (("", "Read from the words"), *((name, row.offer) for name, row in QUESTION_TYPES.items()))


@dataclass(slots=True)
class Draft:
    """A question of the panel, sent or not.

    Attributes
    ----------
    number : int
        Number in the panel, which stays the same when the question is moved.
    text, key, type : str
        As typed; empty if not given.
    options : tuple of str
        The answer options.
    low, high, low_label, high_label : str
        Ends of the scale, as typed.
    attachments : tuple of (int or str, str)
        Ids and names of attached files.
    question_id : int or None
        Id of the question in the service, once sent.
    asked, answered, failed : int
        Numbers of agents.
    notice : str or None
        The service's notes on the interpretation of the question.
    bases : tuple of (str, str)
        Kinds and notes of what the answers so far rest on.
    """

    number: int
    text: str = ""
    key: str = ""
    type: str = ""
    options: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    low_label: str = ""
    high_label: str = ""
    shuffle: bool = False
    attachments: tuple[tuple[int | str, str], ...] = ()
    question_id: int | None = None
    asked: int = 0
    answered: int = 0
    failed: int = 0
    job_ids: tuple[str, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    notice: str | None = None
    bases: tuple[tuple[str, str], ...] = ()

    @property
    def sent(self) -> bool:
        """Whether the question was sent; its text cannot change after that."""
        return self.question_id is not None

    @property
    def ended(self) -> bool:
        """Whether every agent asked has answered or failed."""
        return self.sent and self.answered + self.failed >= self.asked

    @property
    def row(self) -> QuestionType | None:
        """Return the specification of its type; None if no type is given."""
        return QUESTION_TYPES.get(self.type)

    def takes(self, part: Part) -> bool:
        """Return whether its type has options or a scale."""
        return self.row is not None and part in self.row.takes

    def problems(self, taken: Iterable[str] = ()) -> dict[str, str]:
        """Return validation errors by part of the question.

        Parameters
        ----------
        taken : list of str
            Keys of the other questions.
        """
        found: dict[str, str] = {}
        if not self.text.strip():
            found["text"] = "Write the question."
        elif len(self.text) > LONGEST:
            found["text"] = f"The question has {len(self.text):,} characters; {LONGEST:,} are allowed."
        if self.key:
            self._try(found, "key", lambda: checked_question("?", key=self.key))
            if self.key in set(taken):
                found["key"] = f"Another question has the key {self.key!r}; each needs its own."
        if self.takes("options") or (not self.type and self.options):
            self._try(found, "options", lambda: checked_question("?", options=list(self.options)))
        if self.takes("scale") and (self.low.strip() or self.high.strip()):
            self._try(found, "scale", self._scale)
        return found

    def notes(self) -> list[str]:
        """Return notes on the wording."""
        return wording_notes(self.text, type=self.type or None, options=self.options)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``Study.ask`` besides the text."""
        given: dict[str, Any] = {"key": self.key or None, "type": self.type or None}
        if self.options and (self.takes("options") or not self.type):
            given["options"] = list(self.options)
            given["shuffle_options"] = self.shuffle or None
        if self.takes("scale") and "scale" not in self.problems() and self.low.strip():
            given["scale"] = self._scale()
        if self.attachments:
            given["attachments"] = [one for one, _ in self.attachments]
        return {name: value for name, value in given.items() if value is not None}

    def code(self) -> str:
        """Return the code that asks the question."""
        parts = [code_of(self.text)]
        for name, value in self.arguments().items():
            if name == "scale" and set(value) == {"min", "max"}:
                parts.append(f"scale=({value['min']}, {value['max']})")
            elif isinstance(value, str):
                parts.append(f"{name}={code_of(value)}")
            elif isinstance(value, list):
                parts.append(f"{name}=[{', '.join(map(code_of, value))}]")
            elif isinstance(value, dict):
                inside = ", ".join(f"{code_of(one)}: {code_of(held)}" for one, held in value.items())
                parts.append(f"{name}={{{inside}}}")
            else:
                parts.append(f"{name}={value!r}")
        return f"study.ask({', '.join(parts)})"

    def see(self, question: Question) -> None:
        """Update the draft from a question of the service."""
        self.question_id = question.id
        self.text = question.question or self.text
        self.key = question.key or self.key
        self.type = question.type or self.type
        self.options = tuple(question.options or ())
        if question.scale is not None:
            scale = question.scale
            self.low, self.high = str(scale.min), str(scale.max)
            self.low_label, self.high_label = scale.min_label or "", scale.max_label or ""
        self.shuffle = bool(question.shuffle_options)
        self.asked = question.asked_count or self.asked
        self.answered = question.answer_count or 0
        self.failed = question.failed_count or 0
        self.notice = question.notice
        self.bases = tuple((one.basis, one.basis_note) for one in question.bases or ())
        if question.attachments:
            self.attachments = tuple((one.id, one.filename or "") for one in question.attachments)

    def _scale(self) -> dict[str, Any]:
        ends = {}
        for name, typed in (("min", self.low), ("max", self.high)):
            try:
                ends[name] = int(typed.strip())
            except ValueError:
                raise UsageError(
                    "Both ends of the scale must be whole numbers, for example 0 and 10."
                ) from None
        if ends["min"] >= ends["max"]:
            raise UsageError("The lowest point must be below the highest point.")
        labels = {"min_label": self.low_label.strip(), "max_label": self.high_label.strip()}
        return scale_body({**ends, **{name: text for name, text in labels.items() if text}})

    @staticmethod
    def _try(found: dict[str, str], part: str, check: Any) -> None:
        try:
            check()
        except UsageError as error:
            told = str(error)
            found[part] = told[:1].upper() + told[1:]


_KEPT = (
    *("text", "key", "type", "options", "low", "high", "low_label", "high_label", "shuffle", "attachments"),
    *("question_id", "asked", "answered", "failed"),
)


def to_state(draft: Draft) -> dict[str, Any]:
    """Return a draft as JSON values, without empty parts."""
    held = {name: getattr(draft, name) for name in _KEPT}
    held["options"] = list(draft.options)
    held["attachments"] = [list(one) for one in draft.attachments]
    return {name: value for name, value in held.items() if value not in ("", [], None, False, 0)}


def from_state(number: int, held: Mapping[str, Any]) -> Draft:
    """Return the draft of a saved state.

    Raises
    ------
    UsageError
        If the state has an unknown part.

    Examples
    --------
    >>> to_state(from_state(1, {"text": "Why?", "options": ["a", "b"]}))
    {'text': 'Why?', 'options': ['a', 'b']}
    """
    unknown = set(held) - set(_KEPT)
    if unknown:
        raise UsageError(
            f"state: {sorted(unknown)[0]!r} is not a part of a question; the parts are {', '.join(_KEPT)}."
        )
    given = dict(held)
    given["options"] = tuple(held.get("options", ()))
    given["attachments"] = tuple((one, name) for one, name in held.get("attachments", ()))
    return Draft(number, **given)


def drafted(
    number: int,
    question: str,
    *,
    key: str | None = None,
    type: str | None = None,
    options: Sequence[str] | None = None,
    scale: Any = None,
    shuffle_options: bool = False,
) -> Draft:
    """Return the draft for arguments of ``Study.ask``."""
    made = Draft(number, question, key or "", type or "", tuple(options or ()), shuffle=bool(shuffle_options))
    if scale is not None:
        held = scale_body(scale)
        made.type = made.type or "scale"
        made.low, made.high = str(held["min"]), str(held["max"])
        made.low_label, made.high_label = held.get("min_label", ""), held.get("max_label", "")
    return made
