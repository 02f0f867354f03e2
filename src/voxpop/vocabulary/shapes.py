"""The shapes of coded answers, independent of the wording of their questions.

Question types (:mod:`voxpop.vocabulary.question_types`) share these few shapes. Storage, tables, exports,
charts and engines depend on the shape only, so a new type needs no change there.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

YES_NO = ("yes", "no")
"""Text form of yes/no answers in tables."""

AnswerColumn = Literal["response_text", "value_text", "value_number", "value_list"]
SqlType = Literal["VARCHAR", "ENUM", "VARCHAR[]", "INTEGER", "DOUBLE"]
Measure = Literal["nominal", "ordinal", "scale"]
Stored = tuple[str | None, float | None, list[str] | None]
"""A coded answer in the three typed columns: text, number, list."""

_LARGEST = 1e12
_MOST_LISTED = 101  # points of a scale; strict schemas have at most some hundred entries
_WRITTEN = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_PLAIN_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}|[0-9]{1,3}(,[0-9]{2,3}){0,4},[0-9]{3})(\.[0-9]{1,15})?")
_PUNCTUATION = str.maketrans("‘’“”–—‑", "''\"\"---")


class Misfit(Exception):
    """Raised for a value that does not fit its question; the message may be shown to a language model."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The two ends of a rating scale, with optional labels for their meaning.

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
        """Return the number of points of the scale."""
        return self.max - self.min + 1


class QuestionParts(Protocol):
    """The parts of a question that determine the valid answers."""

    @property
    def options(self) -> Sequence[str]:
        """Return the options to choose from or to rank."""
        ...

    @property
    def scale(self) -> Scale | None:
        """Return the ends of the scale."""
        ...

    @property
    def unit(self) -> str | None:
        """Return the unit of a number."""
        ...


class Shape:
    """One shape of coded answers.

    Attributes
    ----------
    name : str
        Name of the shape.
    coded : bool
        Whether an answer has a value in addition to its text.
    column : str
        Column of the answers table that holds the value.
    sql : str
        SQL type of the question's column in a table with one row per agent.
    numeric : bool
        Whether the values have a mean.
    several : bool
        Whether a value is a list of options.
    ordered : bool
        Whether the levels are points of a scale.
    single : bool
        Whether each agent has exactly one of few levels, so that agents can be screened by it.
    measure : str
        Measurement level in SPSS.
    phrase : str
        Completion of "the agents who ..." for one level.
    """

    name: ClassVar[str]
    coded: ClassVar[bool] = True
    column: ClassVar[AnswerColumn] = "value_text"
    sql: ClassVar[SqlType] = "ENUM"
    numeric: ClassVar[bool] = False
    several: ClassVar[bool] = False
    ordered: ClassVar[bool] = False
    single: ClassVar[bool] = False
    measure: ClassVar[Measure] = "nominal"
    phrase: ClassVar[str] = ""

    def __repr__(self) -> str:
        return f"<Shape {self.name}>"

    def levels(self, asked: QuestionParts) -> tuple[Any, ...]:
        """Return the declared levels in order; empty if the values are open."""
        return ()

    def stored(self, value: Any) -> Stored:
        """Return a non-null value as text, number or list."""
        return as_text(value), None, None

    def read(self, asked: QuestionParts, value: Any) -> Any:
        """Return the normalized coded value of an engine's answer.

        Raises
        ------
        Misfit
            The value does not fit the question.
        """
        return value

    def instruction(self, asked: QuestionParts) -> str | None:
        """Return the instruction for a language model on filling in ``"value"``."""
        return None

    def schema(self, asked: QuestionParts) -> dict[str, Any] | None:
        """Return the JSON schema of ``"value"``, or None if answers have no value."""
        return None

    def spoken(self, value: Any) -> str:
        """Return a value in words."""
        return str(value)


class Words(Shape):
    """An answer that is text only."""

    name = "none"
    coded = False
    column = "response_text"
    sql = "VARCHAR"


class Boolean(Shape):
    """Yes or no."""

    name = "boolean"
    single = True

    def levels(self, asked: QuestionParts) -> tuple[str, ...]:
        """Return yes and no."""
        return YES_NO

    def stored(self, value: Any) -> Stored:
        """Return yes or no as text."""
        text = as_text(value)
        return _WRITTEN.get(text.strip().casefold(), text), None, None

    def read(self, asked: QuestionParts, value: Any) -> bool:
        """Return true or false."""
        if isinstance(value, bool):
            return value
        word = value.strip(" .!").casefold() if isinstance(value, str) else ""
        if word not in YES_NO:
            raise Misfit('"value" must be "yes", "no" or null.')
        return word == "yes"

    def instruction(self, asked: QuestionParts) -> str:
        """Ask for yes or no."""
        return 'Answer "yes" or "no" in "value".'

    def schema(self, asked: QuestionParts) -> dict[str, Any]:
        """Return an enumeration of yes and no."""
        return {"type": "string", "enum": list(YES_NO)}

    def spoken(self, value: Any) -> str:
        """Return a sentence of one word."""
        return "Yes." if value else "No."


class Category(Shape):
    """One of the options."""

    name = "category"
    single = True
    phrase = "choose {}"

    def levels(self, asked: QuestionParts) -> tuple[str, ...]:
        """Return the options."""
        return tuple(asked.options or ())

    def read(self, asked: QuestionParts, value: Any) -> str:
        """Return an option as spelled in the question."""
        return option_of(asked, value)

    def instruction(self, asked: QuestionParts) -> str:
        """Ask for one option; the options follow."""
        return 'Choose exactly one of these options and copy it letter by letter into "value":'

    def schema(self, asked: QuestionParts) -> dict[str, Any]:
        """Return an enumeration of the options."""
        return {"type": "string", "enum": list(asked.options)}


class Categories(Shape):
    """Several of the options."""

    name = "categories"
    column = "value_list"
    sql = "VARCHAR[]"
    several = True
    phrase = "name {}"

    def levels(self, asked: QuestionParts) -> tuple[str, ...]:
        """Return the options."""
        return tuple(asked.options or ())

    def stored(self, value: Any) -> Stored:
        """Return a list of strings; a single value becomes a list of one."""
        return None, None, [as_text(part) for part in (value if isinstance(value, list | tuple) else [value])]

    def read(self, asked: QuestionParts, value: Any) -> list[str]:
        """Return the chosen options without duplicates."""
        if not isinstance(value, list | tuple):
            raise Misfit('"value" must be a list of options.')
        found = list(dict.fromkeys(option_of(asked, one) for one in value[: len(asked.options) + 1]))
        if not found:
            raise Misfit('"value" must hold at least one option, or be null.')
        return found

    def instruction(self, asked: QuestionParts) -> str:
        """Ask for all options that apply; the options follow."""
        return 'List all of these options that apply in "value", copied letter by letter:'

    def schema(self, asked: QuestionParts) -> dict[str, Any]:
        """Return a list of at most all the options."""
        choice = {"type": "string", "enum": list(asked.options)}
        return {"type": "array", "items": choice, "maxItems": len(asked.options)}

    def spoken(self, value: Any) -> str:
        """Return the options separated by commas."""
        return ", ".join(value)


class Ranking(Categories):
    """All of the options, in order of preference."""

    name = "ordered categories"
    measure = "ordinal"
    phrase = "rank {} first"

    def read(self, asked: QuestionParts, value: Any) -> list[str]:
        """Return all options, each exactly once."""
        found = super().read(asked, value)
        if len(found) != len(asked.options) or len(value) != len(found):
            raise Misfit(f'"value" must hold each of the {len(asked.options)} options exactly once.')
        return found

    def instruction(self, asked: QuestionParts) -> str:
        """Ask for all options in order; the options follow."""
        return 'List all of these options in "value", the first first, copied letter by letter:'


class Number(Shape):
    """A number, within the scale if the question has one."""

    name = "number"
    column = "value_number"
    sql: ClassVar[SqlType] = "DOUBLE"
    numeric = True
    measure = "scale"

    def stored(self, value: Any) -> Stored:
        """Return a number, parsed from text if necessary; other text is returned unchanged."""
        number = _plain_number(value)
        return (None, number, None) if number is not None else (as_text(value), None, None)

    def read(self, asked: QuestionParts, value: Any) -> int | float:
        """Return a number within the scale."""
        number = _finite(value)
        if number is None:
            raise Misfit(f'"value" must be one number, without a unit or other words, not {_short(value)}.')
        if asked.scale is not None and not asked.scale.min <= number <= asked.scale.max:
            raise Misfit(f'"value" must be a number{_bounds(asked)}, not {_short(value)}.')
        return int(number) if number == int(number) else number

    def instruction(self, asked: QuestionParts) -> str | None:
        """Ask for a number."""
        unit = f" in {asked.unit}" if asked.unit else ""
        number = f"a number{_bounds(asked)}{_meaning(asked)}{unit}"
        return f'Give {number} in "value", without a unit or other words.'

    def schema(self, asked: QuestionParts) -> dict[str, Any]:
        """Return a number with its bounds."""
        ends = {} if asked.scale is None else {"minimum": asked.scale.min, "maximum": asked.scale.max}
        return {"type": "number", **ends}


class Integer(Number):
    """A whole number on a scale whose points are the levels."""

    name = "integer"
    sql = "INTEGER"
    ordered = True
    single = True

    def levels(self, asked: QuestionParts) -> tuple[int, ...]:
        """Return the points of the scale."""
        return () if asked.scale is None else tuple(range(asked.scale.min, asked.scale.max + 1))

    def read(self, asked: QuestionParts, value: Any) -> int:
        """Return a point of the scale."""
        number, scale = _finite(value), asked.scale
        if number is None or number != int(number) or scale is None or not scale.min <= number <= scale.max:
            raise Misfit(f'"value" must be a whole number{_bounds(asked)}, not {_short(value)}.')
        return int(number)

    def instruction(self, asked: QuestionParts) -> str | None:
        """Ask for a point of the scale."""
        if asked.scale is None:
            return None
        return f'Give a whole number{_bounds(asked)}{_meaning(asked)} in "value".'

    def schema(self, asked: QuestionParts) -> dict[str, Any]:
        """Return an enumeration of the points of the scale; of a long one the bounds."""
        if asked.scale is None:
            return {"type": "integer"}
        if asked.scale.points <= _MOST_LISTED:
            return {"type": "integer", "enum": list(self.levels(asked))}
        return {"type": "integer", "minimum": asked.scale.min, "maximum": asked.scale.max}


WORDS, BOOLEAN, CATEGORY, CATEGORIES = Words(), Boolean(), Category(), Categories()
RANKING, INTEGER, NUMBER = Ranking(), Integer(), Number()
SHAPES = {one.name: one for one in (WORDS, BOOLEAN, CATEGORY, CATEGORIES, RANKING, INTEGER, NUMBER)}
"""All shapes by name."""


def as_text(value: Any) -> str:
    """Return a value as text: yes and no for booleans, JSON for values without a plain text form.

    Examples
    --------
    >>> as_text(True), as_text("Tea"), as_text(1.5)
    ('yes', 'Tea', '1.5')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def option_of(asked: QuestionParts, value: Any) -> str:
    """Return the option that a text refers to, ignoring case, quotation marks and a full stop.

    Raises
    ------
    Misfit
        The text matches no option, or more than one.
    """
    if isinstance(value, str):
        if value in asked.options:
            return value
        folded = _folded(value)
        alike = [option for option in asked.options if _folded(option) == folded]
        if len(alike) == 1:
            return alike[0]
    raise Misfit(f'"value" must hold options of the question, letter by letter; {_short(value)} is none.')


def _folded(text: str) -> str:
    return " ".join(text.casefold().translate(_PUNCTUATION).strip(" .\"'").split())


def _finite(value: Any) -> float | None:
    """Return a number, also from text such as ``"1,200"`` or ``"$5"``; None for anything else.

    Commas separate thousands only: ``"1,5"`` may mean one and a half and is rejected.
    """
    if isinstance(value, str):
        bare = value.strip().strip("$€£% ")
        if not _NUMBER.fullmatch(bare):
            return None
        value = float(bare.replace(",", ""))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not -_LARGEST <= value <= _LARGEST or not math.isfinite(value):
        return None
    return float(value)


def _plain_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and _PLAIN_NUMBER.fullmatch(value.strip()) else None


def _bounds(asked: QuestionParts) -> str:
    return "" if asked.scale is None else f" from {asked.scale.min} to {asked.scale.max}"


def _meaning(asked: QuestionParts) -> str:
    if asked.scale is None:
        return ""
    ends = ((asked.scale.min, asked.scale.min_label), (asked.scale.max, asked.scale.max_label))
    told = [f"{end} means {label}" for end, label in ends if label]
    return f" ({'; '.join(told)})" if told else ""


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=True, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "..."
