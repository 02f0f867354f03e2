"""Questions as engines get them: type, options, scale, attachments, and earlier exchanges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

QUESTION_TYPES = ("open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking")
CHOICE_TYPES = ("single_choice", "multi_choice", "ranking")


@dataclass(frozen=True, slots=True)
class Scale:
    """A rating scale of whole numbers; the labels say which end means what.

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
        """How many answers the scale has."""
        return self.max - self.min + 1


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


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier answer of the same agent in the same study."""

    question: Question
    text: str
    value: Any
