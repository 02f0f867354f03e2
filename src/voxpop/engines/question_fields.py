"""The fields of a question: checked where they are given, read from its words where they are not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from voxpop.engines.question import CHOICE_TYPES, QUESTION_TYPES, Question, Scale
from voxpop.errors import InvalidRequest
from voxpop.vocabulary.nearest import nearest

MAX_TEXT = 10_000
MAX_OPTIONS = 60
MAX_OPTION_TEXT = 500


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
            One of ``QUESTION_TYPES``, where the caller has said it.
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
        One of ``QUESTION_TYPES``; read from the words when None.
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
    given_options = _checked_options(options)
    given_scale = _checked_scale(scale)
    _check_rest(words, type, key)
    made = reader.read(words, type=type, options=given_options, scale=given_scale)
    _check_fit(made.type, given_options, given_scale)
    if made.type in CHOICE_TYPES and len(made.options) < 2:
        raise _wrong(
            "options", f"a {made.type} question needs 2 to {MAX_OPTIONS} options, and its words list none."
        )
    if shuffle_options and made.type not in CHOICE_TYPES:
        raise _wrong(
            "shuffle_options",
            f"only questions with options can be shuffled; this one is read as {made.type}.",
        )
    points = (made.scale or Scale(0, 10)) if made.type == "scale" else None
    return replace(made, text=words, scale=points, shuffle_options=bool(shuffle_options), key=key)


def _wrong(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(f"{field}: {message}", details={"fields": {field: [message]}})


def _checked_options(options: Sequence[str] | None) -> tuple[str, ...]:
    if options is None:
        return ()
    if isinstance(options, str) or not all(isinstance(option, str) for option in options):
        raise _wrong("options", "must be a list of texts.")
    cleaned = tuple(option.strip() for option in options)
    if not 2 <= len(cleaned) <= MAX_OPTIONS:
        raise _wrong("options", f"2 to {MAX_OPTIONS} options are allowed, not {len(cleaned)}.")
    if any(not option or len(option) > MAX_OPTION_TEXT for option in cleaned):
        raise _wrong("options", f"each option must have 1 to {MAX_OPTION_TEXT} characters.")
    seen: set[str] = set()
    for option in cleaned:
        if option.casefold() in seen:
            raise _wrong("options", f"{option!r} is listed twice.")
        seen.add(option.casefold())
    return cleaned


def _checked_scale(scale: Scale | Mapping[str, Any] | None) -> Scale | None:
    if scale is None or isinstance(scale, Scale):
        made = scale
    else:
        unknown = set(scale) - {"min", "max", "min_label", "max_label"}
        if unknown:
            raise _wrong(
                "scale", f"unknown {sorted(unknown)[0]!r}; a scale has min, max, min_label and max_label."
            )
        if any(
            isinstance(scale.get(end), bool) or not isinstance(scale.get(end), int) for end in ("min", "max")
        ):
            raise _wrong("scale", "min and max must be whole numbers.")
        made = Scale(scale["min"], scale["max"], scale.get("min_label"), scale.get("max_label"))
    if made is not None and made.min >= made.max:
        raise _wrong("scale", f"min must be below max, not {made.min} and {made.max}.")
    if made is not None and made.max - made.min > 100:
        raise _wrong("scale", f"min and max may be at most 100 apart, not {made.max - made.min}.")
    return made


def _check_rest(words: str, type: str | None, key: str | None) -> None:
    if not 1 <= len(words) <= MAX_TEXT:
        raise _wrong("question", f"must have 1 to {MAX_TEXT:,} characters, not {len(words):,}.")
    if type is not None and type not in QUESTION_TYPES:
        near = nearest(str(type), QUESTION_TYPES, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise _wrong("type", f"{type!r} is none of {', '.join(QUESTION_TYPES)}{hint}")
    if key is not None and not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", key):
        raise _wrong(
            "key", f"{key!r} must start with a lower-case letter and hold only a-z, 0-9 and _ (at most 64)."
        )


def _check_fit(chosen: str, options: tuple[str, ...], scale: Scale | None) -> None:
    if options and scale:
        raise _wrong("scale", "a question has options or a scale, not both.")
    if options and chosen not in CHOICE_TYPES:
        raise _wrong(
            "options", f"a {chosen} question takes no options; use single_choice, multi_choice or ranking."
        )
    if scale and chosen != "scale":
        raise _wrong("scale", f"a {chosen} question takes no scale; use the type scale.")
