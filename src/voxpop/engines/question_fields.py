"""The fields of a question: checked where they are given, read from its words where they are not."""

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
    """Reads what a question asks for out of its own words."""

    def read(
        self,
        text: str,
        *,
        type: str | None = None,
        options: Sequence[str] = (),
        scale: Scale | None = None,
    ) -> Question:
        """Return the question with type, options, scale and unit; what is given is kept as it is.

        Parameters
        ----------
        text : str
            1 to 10,000 characters.
        type : str, optional
            One of the table of question types, where the caller has said it.
        options : sequence of str
            The options that the caller has listed.
        scale : Scale, optional
            The scale that the caller has given.
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
    """Return a question, checked; a reader finds in its words what the fields do not say.

    Parameters
    ----------
    text : str
        1 to 10,000 characters after stripping.
    reader : Reader
        Reads the words.
    type : str, optional
        One of the table of question types; read from the words when None.
    options : sequence of str, optional
        2 to 60 different options, for single_choice (the default then), multi_choice and ranking.
    scale : Scale or mapping, optional
        ``{min, max, min_label, max_label}`` in whole numbers, at most 100 apart, for the type scale.
    shuffle_options : bool
        Show the options to each agent in an order of its own.
    key : str, optional
        A variable name: a lower-case letter, then lower-case letters, digits and ``_``.

    Raises
    ------
    InvalidRequest
        With ``details["fields"]``, field name to messages, when fields are wrong or contradict each other.
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
