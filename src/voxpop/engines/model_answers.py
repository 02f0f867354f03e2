"""What a language model is asked for and what may come back: the question in words, its schema, its reading.

A model's text is never trusted. It is read against the type of the question; what does not fit is named in a
sentence that the model can repair it by.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from voxpop.engines.question import Question

LONGEST_ANSWER = 1_200
"""How many characters of an answer are kept; one to four sentences are asked for."""

_LARGEST = 1e12
_YES_NO = ("yes", "no")
_DONT_KNOW = "I don't know."
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}|[0-9]{1,3}(,[0-9]{2,3}){0,4},[0-9]{3})(\.[0-9]{1,15})?")
_PLAIN = str.maketrans("‘’“”–—‑", "''\"\"---")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]?\s")


class Misfit(Exception):
    """A text that is no answer to the question; its words say why, to the model."""


def asked(question: Question, order: Sequence[int] | None = None) -> str:
    """Return a question in words, its options in the order shown.

    Examples
    --------
    >>> print(asked(Question("Which one?", "single_choice", ("Tea", "Coffee")), (1, 0)))
    Which one?
    <BLANKLINE>
    Choose exactly one of these options and copy it letter by letter into "value":
    - Coffee
    - Tea
    """
    parts = [question.text, *_told(question)]
    if question.options:
        places = range(len(question.options)) if order is None else order
        parts[-1] += "".join(f"\n- {question.options[place]}" for place in places)
    return "\n\n".join(parts)


def _told(question: Question) -> list[str]:
    match question.type:
        case "yes_no":
            return ['Answer "yes" or "no" in "value".']
        case "single_choice":
            return ['Choose exactly one of these options and copy it letter by letter into "value":']
        case "multi_choice":
            return ['List all of these options that apply in "value", copied letter by letter:']
        case "ranking":
            return ['List all of these options in "value", the first first, copied letter by letter:']
        case "scale" if question.scale is not None:
            scale = question.scale
            ends = [f"{end} means {label}" for end, label in _ends(question) if label]
            meaning = f" ({'; '.join(ends)})" if ends else ""
            return [f'Give a whole number from {scale.min} to {scale.max}{meaning} in "value".']
        case "number":
            unit = f" in {question.unit}" if question.unit else ""
            return [f'Give a number{unit} in "value", without a unit or other words.']
    return []


def _ends(question: Question) -> tuple[tuple[int, str | None], ...]:
    scale = question.scale
    return () if scale is None else ((scale.min, scale.min_label), (scale.max, scale.max_label))


def schema_of(question: Question) -> dict[str, Any]:
    """Return the JSON schema of an answer: its words, and for a coded question its ``value`` or null.

    Examples
    --------
    >>> schema_of(Question("Why?", "open"))["required"]
    ['answer']
    """
    fields: dict[str, Any] = {"answer": {"type": "string", "description": "One to four sentences."}}
    value = _value_schema(question)
    if value is not None:
        fields["value"] = {"anyOf": [value, {"type": "null"}]}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _value_schema(question: Question) -> dict[str, Any] | None:
    one = {"type": "string", "enum": list(question.options)}
    match question.type:
        case "yes_no":
            return {"type": "string", "enum": list(_YES_NO)}
        case "single_choice":
            return one
        case "multi_choice" | "ranking":
            return {"type": "array", "items": one}
        case "scale":
            return {"type": "integer"}
        case "number":
            return {"type": "number"}
    return None


def given(question: Question, text: str, value: Any) -> str:
    """Return an earlier answer as the model would have given it."""
    told: dict[str, Any] = {"answer": text[:LONGEST_ANSWER]}
    if question.type != "open":
        told["value"] = ("yes" if value else "no") if isinstance(value, bool) else value
    return json.dumps(told, ensure_ascii=False)


def as_object(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a model's text, which may stand in a code fence.

    Raises
    ------
    Misfit
        There is none.

    Examples
    --------
    >>> as_object('```json\\n{"answer": "Yes."}\\n```')
    {'answer': 'Yes.'}
    """
    start, end = text.find("{"), text.rfind("}")
    try:
        found = _DECODER.decode(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Misfit("That was not one JSON object.")
    return found


def _no_number(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_number, strict=False)  # lines may break within words


def read_answer(question: Question, data: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the words and the value of an answer.

    Raises
    ------
    Misfit
        The answer does not fit the type of the question.

    Examples
    --------
    >>> read_answer(Question("Tea or coffee?", "single_choice", ("Tea", "Coffee")), {"value": "tea."})
    ('Tea', 'Tea')
    """
    words = data.get("answer")
    text = cleaned(words) if isinstance(words, str) else ""
    if question.type == "open":
        if not text:
            raise Misfit('"answer" must hold one to four sentences.')
        return text, None
    value = data.get("value")
    if value is None:
        if "value" not in data:
            raise Misfit('"value" is missing.')
        return text or _DONT_KNOW, None
    read = _READERS[question.type](question, value)
    return text or _spoken(read), read


def cleaned(text: str, most: int = LONGEST_ANSWER) -> str:
    """Return a text as it can be stored: no control characters, no halves of characters, not too long.

    Examples
    --------
    >>> cleaned("So\\x00 it\\nis. " + "And on" * 9, most=20)
    'So it is.'
    """
    whole = text.encode("utf-8", "ignore").decode("utf-8")
    plain = " ".join("".join(mark if mark.isprintable() else " " for mark in whole).split())
    if len(plain) <= most:
        return plain
    cut = plain[:most]
    ends = [found.end() for found in _SENTENCE_END.finditer(cut)]
    return (cut[: ends[-1]] if ends else cut[: most - 1].rstrip() + "…").strip()


def _yes_no(question: Question, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip(" .!").casefold() if isinstance(value, str) else ""
    if word not in _YES_NO:
        raise Misfit('"value" must be "yes", "no" or null.')
    return word == "yes"


def _option(question: Question, value: Any) -> str:
    if isinstance(value, str):
        if value in question.options:
            return value
        folded = _folded(value)
        alike = [option for option in question.options if _folded(option) == folded]
        if len(alike) == 1:
            return alike[0]
    raise Misfit(f'"value" must hold options of the question, letter by letter; {_short(value)} is none.')


def _options(question: Question, value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Misfit('"value" must be a list of options.')
    found = list(dict.fromkeys(_option(question, one) for one in value[: len(question.options) + 1]))
    if not found:
        raise Misfit('"value" must hold at least one option, or be null.')
    return found


def _ranked(question: Question, value: Any) -> list[str]:
    found = _options(question, value)
    if len(found) != len(question.options) or len(value) != len(found):
        raise Misfit(f'"value" must hold each of the {len(question.options)} options exactly once.')
    return found


def _rating(question: Question, value: Any) -> int:
    scale, number = question.scale, _finite(value)
    if number is None or number != int(number) or scale is None or not scale.min <= number <= scale.max:
        bounds = f" from {scale.min} to {scale.max}" if scale is not None else ""
        raise Misfit(f'"value" must be a whole number{bounds}, not {_short(value)}.')
    return int(number)


def _amount(question: Question, value: Any) -> int | float:
    number = _finite(value)
    if number is None:
        raise Misfit(f'"value" must be one number, without a unit or other words, not {_short(value)}.')
    return int(number) if number == int(number) else number


def _finite(value: Any) -> float | None:
    """Return a number, also one written as a text like ``"1,200"`` or ``"$5"``; None for anything else.

    A comma parts thousands only: ``"1,5"`` is no number, for whoever writes so means one and a half.
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


_READERS: Mapping[str, Any] = {
    "yes_no": _yes_no,
    "single_choice": _option,
    "multi_choice": _options,
    "ranking": _ranked,
    "scale": _rating,
    "number": _amount,
}


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes." if value else "No."
    return ", ".join(value) if isinstance(value, list) else str(value)


def _folded(text: str) -> str:
    return " ".join(text.casefold().translate(_PLAIN).strip(" .\"'").split())


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=True, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "..."
