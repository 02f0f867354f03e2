"""The table of question types: one row per type, which defines all type-specific behaviour.

A row defines the parts of a question that the type takes and the shape (:mod:`voxpop.vocabulary.shapes`)
of its answers. To add a type, add a row with :func:`add_question_type`; questions of the type can then be
asked, answered, stored, tabulated, charted, exported and edited.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import nearest
from voxpop.vocabulary.question_parts import MAX_OPTIONS, MAX_SCALE, wrong_part
from voxpop.vocabulary.shapes import (
    BOOLEAN,
    CATEGORIES,
    CATEGORY,
    INTEGER,
    NUMBER,
    RANKING,
    WORDS,
    Misfit,
    QuestionParts,
    Scale,
    Shape,
)

Part = Literal["options", "scale", "unit"]
Chart = Literal["none", "bars", "columns"]
DefaultTable = Literal["none", "crosstab", "means", "by_values"]
BuiltInType = Literal["open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking"]
"""Names of the types below, for type checkers; a test compares them with the table."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """One type of question.

    Attributes
    ----------
    name : str
        Name on the wire: at most 16 lower-case letters, digits and ``_``.
    shape : Shape
        Shape of the coded answers.
    label, offer : str
        Name on pages, and in the type menu of an editor.
    takes : frozenset of str
        Parts among ``options``, ``scale`` and ``unit``. A type with options needs at least two of them, and
        they can be shuffled.
    default_scale : Scale or None
        Scale of a question that specifies none.
    max_scale : int
        Maximum distance between the ends.
    step : int or float or None
        Distance between two consecutive answers, counted from the lower end of the scale.
    chart : str
        Chart type: ``columns`` for few ordered levels, ``bars`` for all others.
    default_table : str
        Default table of an explorer: ``crosstab``, ``means``, or ``by_values`` for a crosstab of few distinct
        values and means of many.

    Examples
    --------
    >>> QUESTION_TYPES["multi_choice"].shape, QUESTION_TYPES["multi_choice"].has_options
    (<Shape categories>, True)
    """

    name: str
    shape: Shape
    label: str
    offer: str
    takes: frozenset[Part] = frozenset()
    default_scale: Scale | None = None
    max_scale: int = MAX_SCALE
    step: int | float | None = None
    chart: Chart = "bars"
    default_table: DefaultTable = "crosstab"

    @property
    def has_options(self) -> bool:
        """Return whether questions have a list of options."""
        return "options" in self.takes

    @property
    def has_scale(self) -> bool:
        """Return whether questions have a scale."""
        return "scale" in self.takes

    def read(self, question: QuestionParts, value: Any) -> Any:
        """Return the normalized coded value of an engine's answer.

        Raises
        ------
        Misfit
            The value does not fit the question.
        """
        read = self.shape.read(question, value)
        if self.step is not None and read != self.settled(question, read):
            raise Misfit(f'"value" must be in steps of {self.step}, not {read}.')
        return read

    def settled(self, question: QuestionParts, value: float) -> float:
        """Return the nearest valid answer: within the ends of the scale and on its steps."""
        if question.scale is not None:
            value = min(max(value, question.scale.min), question.scale.max)
        if self.step is None:
            return value
        low = 0 if question.scale is None else question.scale.min
        found = low + round((value - low) / self.step) * self.step
        if question.scale is not None and found > question.scale.max:
            found -= self.step
        return int(found) if found == int(found) else found

    def instruction(self, question: QuestionParts) -> str | None:
        """Return the instruction for a language model on filling in ``"value"``."""
        told = self.shape.instruction(question)
        return told if told is None or self.step is None else f"{told} Use steps of {self.step}."

    def schema(self, question: QuestionParts) -> dict[str, Any] | None:
        """Return the JSON schema of a language model's value, or None if there is none."""
        return self.shape.schema(question)

    def check(self, options: Sequence[str], scale: Scale | None) -> None:
        """Check that a question of this type may have the given parts.

        Raises
        ------
        InvalidRequest
            A part is not allowed; ``details["fields"]`` maps it to messages.
        """
        if options and scale and not (self.has_options and self.has_scale):
            raise wrong_part("scale", "a question has options or a scale, not both.")
        if options and not self.has_options:
            others = _listed([one.name for one in QUESTION_TYPES.values() if one.has_options])
            raise wrong_part("options", f"a {self.name} question takes no options; use {others}.")
        if scale and not self.has_scale:
            others = _listed([one.name for one in QUESTION_TYPES.values() if one.has_scale])
            raise wrong_part("scale", f"a {self.name} question takes no scale; use the type {others}.")

    def check_complete(self, options: Sequence[str], *, shuffled: bool) -> None:
        """Check that a question is complete after its text was interpreted.

        Raises
        ------
        InvalidRequest
            Options are missing, or a question that has none is to be shuffled.
        """
        if self.has_options and len(options) < 2:
            told = f"a {self.name} question needs 2 to {MAX_OPTIONS} options, and its words list none."
            raise wrong_part("options", told)
        if shuffled and not self.has_options:
            told = f"only questions with options can be shuffled; this one is read as {self.name}."
            raise wrong_part("shuffle_options", told)


_OPTIONS: frozenset[Part] = frozenset({"options"})
_SCALE: frozenset[Part] = frozenset({"scale"})
_ROWS: dict[str, QuestionType] = {
    row.name: row
    for row in (
        QuestionType(
            name="open",
            shape=WORDS,
            label="Open question",
            offer="Open answer",
            chart="none",
            default_table="none",
        ),
        QuestionType(name="yes_no", shape=BOOLEAN, label="Yes or no", offer="Yes or no"),
        QuestionType(
            name="single_choice",
            shape=CATEGORY,
            label="One choice",
            offer="One of several options",
            takes=_OPTIONS,
        ),
        QuestionType(
            name="multi_choice",
            shape=CATEGORIES,
            label="Several choices",
            offer="Several options",
            takes=_OPTIONS,
        ),
        QuestionType(
            name="scale",
            shape=INTEGER,
            label="Scale",
            offer="Scale",
            takes=_SCALE,
            default_scale=Scale(0, 10),
            chart="columns",
        ),
        QuestionType(
            name="number",
            shape=NUMBER,
            label="Number",
            offer="Number",
            takes=frozenset({"unit"}),
            default_table="by_values",
        ),
        QuestionType(name="ranking", shape=RANKING, label="Ranking", offer="Ranking", takes=_OPTIONS),
    )
}
QUESTION_TYPES: Mapping[str, QuestionType] = MappingProxyType(_ROWS)
"""All question types by name, in the order of the editor's menu."""


def add_question_type(row: QuestionType) -> QuestionType:
    """Add a question type to the table of this process.

    Service, engines and toolkit read the same table, so add the type in every process that needs it.

    Parameters
    ----------
    row : QuestionType
        The row of the new type.

    Raises
    ------
    UsageError
        The name is taken or invalid, or the row is inconsistent.

    Examples
    --------
    >>> add_question_type(QUESTION_TYPES["scale"])
    Traceback (most recent call last):
    ...
    voxpop.errors.UsageError: There is a question type 'scale' already.
    """
    if not _NAME.fullmatch(row.name):
        raise UsageError(
            f"A question type name has 1 to 16 lower-case letters, digits and _, not {row.name!r}."
        )
    if row.name in _ROWS:
        raise UsageError(f"There is a question type {row.name!r} already.")
    if row.shape in (CATEGORY, CATEGORIES, RANKING) and not row.has_options:
        raise UsageError(f"{row.name}: answers of the shape {row.shape.name} need options in takes.")
    if row.shape is INTEGER and not (row.has_scale and row.default_scale):
        raise UsageError(f"{row.name}: answers of the shape integer need a scale and its default ends.")
    if row.step is not None and not (row.shape.numeric and row.step > 0):
        raise UsageError(f"{row.name}: a step is a positive number, of answers that are numbers.")
    _ROWS[row.name] = row
    return row


def question_type(name: str) -> QuestionType:
    """Return the row of a type.

    Raises
    ------
    UsageError
        The type is unknown in this process.

    Examples
    --------
    >>> question_type("ranking").label
    'Ranking'
    """
    if name not in QUESTION_TYPES:
        raise UsageError(
            f"This process knows no question type {name!r}; import the module that adds it to the table."
        )
    return QUESTION_TYPES[name]


def shape_of(name: str | None) -> Shape | None:
    """Return the shape of a type's answers, or None for an unknown type.

    Examples
    --------
    >>> shape_of("ranking"), shape_of("unheard_of")
    (<Shape ordered categories>, None)
    """
    row = QUESTION_TYPES.get(name or "")
    return None if row is None else row.shape


def type_labels() -> dict[str, str]:
    """Return the display name of each type."""
    return {name: row.label for name, row in QUESTION_TYPES.items()}


def is_open(name: str | None) -> bool:
    """Return whether answers of a type are text only; False for an unknown type.

    Examples
    --------
    >>> is_open("open"), is_open("number"), is_open("unheard_of")
    (True, False, False)
    """
    return shape_of(name) is WORDS


def checked_type(name: str | None) -> QuestionType | None:
    """Return the row of a named type, or None if no type is given.

    Raises
    ------
    InvalidRequest
        The table has no such type.
    """
    if name is None:
        return None
    if name not in QUESTION_TYPES:
        near = nearest(str(name), QUESTION_TYPES, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise wrong_part("type", f"{name!r} is none of {', '.join(QUESTION_TYPES)}{hint}")
    return QUESTION_TYPES[name]


def most_apart(name: str | None) -> int:
    """Return the maximum distance between the ends of a scale, for a given type or for none."""
    row = QUESTION_TYPES.get(name or "")
    return row.max_scale if row is not None and row.has_scale else MAX_SCALE


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
