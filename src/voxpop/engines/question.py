"""Questions as engines get them: type, options, scale, attachments, and earlier exchanges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from voxpop.vocabulary.question_types import QuestionType, question_type
from voxpop.vocabulary.shapes import Scale as Scale
from voxpop.vocabulary.shapes import Shape


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to a question; an engine that looks at it reads its bytes.

    Attributes
    ----------
    filename, mime : str
        Its name and its media type, for example ``image/png``.
    size : int
        Its length in bytes.
    read : callable
        Returns the bytes.
    """

    filename: str
    mime: str
    size: int
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A question: words, type, and what the type needs.

    Earlier questions (:class:`Exchange`) come without their attachments. ``notice`` is a caution for users of
    the answers; no answer depends on it.
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
        """Return what the table of question types says of its type."""
        return question_type(self.type)

    @property
    def shape(self) -> Shape:
        """Return the shape of its answers, by which an engine answers types that it has never heard of."""
        return question_type(self.type).shape


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier answer of the same agent in the same study."""

    question: Question
    text: str
    value: Any
