"""Validation of question fields, with defaults inferred from the question text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from voxpop.engines.question import Question, Scale
from voxpop.vocabulary.question_parts import checked_options, checked_scale, wrong_part
from voxpop.vocabulary.question_types import checked_type, most_apart

MAX_TEXT = 10_000


class Reader(Protocol):
    """Infers the type and the settings of a question from its text."""

    def read(
        self,
        text: str,
        *,
        type: str | None = None,
        options: Sequence[str] = (),
        scale: Scale | None = None,
    ) -> Question:
        """Return the question with type, options, scale and unit; given values are kept unchanged.

        Parameters
        ----------
        text : str
            1 to 10,000 characters.
        type : str, optional
            Question type given by the caller.
        options : sequence of str
            Options given by the caller.
        scale : Scale, optional
            Scale given by the caller.
        """
        ...


def read_question(
    text: str,
    reader: Reader,
    *,
    type: str | None = None,
    options: Sequence[str] | None = None,
    scale: Scale | Mapping[str, Any] | None = None,
    shuffle_options: bool = False,
    key: str | None = None,
) -> Question:
    """Return a validated question; a reader infers the fields that are not given.

    Parameters
    ----------
    text : str
        1 to 10,000 characters after stripping.
    reader : Reader
        Infers missing fields from the text.
    type : str, optional
        One of the table of question types; inferred from the text if None.
    options : sequence of str, optional
        2 to 60 distinct options, for single_choice (the default then), multi_choice and ranking.
    scale : Scale or mapping, optional
        ``{min, max, min_label, max_label}`` in whole numbers, at most 100 apart, for the type scale.
    shuffle_options : bool
        Show the options to each agent in a separate random order.
    key : str, optional
        A variable name: a lower-case letter, then lower-case letters, digits and ``_``.

    Raises
    ------
    InvalidRequest
        Fields are invalid or contradict each other; ``details["fields"]`` maps field names to messages.
    """
    words = text.strip() if isinstance(text, str) else ""
    given_options = checked_options(options)
    given_scale = checked_scale(scale, most_apart(type))
    _check_words(words)
    checked_type(type)
    _check_key(key)
    made = reader.read(words, type=type, options=given_options, scale=given_scale)
    made.row.check(given_options, given_scale)
    made.row.check_complete(made.options, shuffled=shuffle_options)
    ends = (made.scale or made.row.default_scale) if made.row.has_scale else None
    return replace(made, text=words, scale=ends, shuffle_options=bool(shuffle_options), key=key)


def _check_words(words: str) -> None:
    if not 1 <= len(words) <= MAX_TEXT:
        raise wrong_part("question", f"must have 1 to {MAX_TEXT:,} characters, not {len(words):,}.")


def _check_key(key: str | None) -> None:
    if key is not None and not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", key):
        told = f"{key!r} must start with a lower-case letter and hold only a-z, 0-9 and _ (at most 64)."
        raise wrong_part("key", told)
