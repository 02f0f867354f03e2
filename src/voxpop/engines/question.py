"""Questions as engines receive them: type, options, scale, attachments, and earlier exchanges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from voxpop.vocabulary.question_types import QuestionType, question_type
from voxpop.vocabulary.shapes import Scale as Scale
from voxpop.vocabulary.shapes import Shape


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to a question; engines that support attachments read its bytes.

    Attributes
    ----------
    filename, mime : str
        File name and media type, for example ``image/png``.
    size : int
        Size in bytes.
    read : callable
        Returns the bytes.
    """

    filename: str
    mime: str
    size: int
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A question: text, type, and the settings of the type.

    Earlier questions (:class:`Exchange`) have no attachments. ``notice`` is a caution for users of the
    answers; answers do not depend on it.
    """

    text: str
    type: str
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    unit: str | None = None
    shuffle_options: bool = False
    key: str | None = None
    attachments: tuple[Attachment, ...] = ()
    notice: str | None = field(default=None, compare=False)

    @property
    def row(self) -> QuestionType:
        """Return the row of its type in the table of question types."""
        return question_type(self.type)

    @property
    def shape(self) -> Shape:
        """Return the shape of its answers, by which an engine can answer unknown types."""
        return question_type(self.type).shape


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier answer of the same agent in the same study."""

    question: Question
    text: str
    value: Any
