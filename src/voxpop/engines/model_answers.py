"""Prompts and responses of a language model: a question as text, its JSON schema, and validation.

The model's text is never trusted. It is validated against the type of the question; an error is described in
a sentence that the model can use for a repair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import Misfit as Misfit

T = TypeVar("T")

LONGEST_ANSWER = 1_200
"""Maximum number of stored characters of an answer; the prompt asks for one to four sentences."""

_MOST_BRACES = 500
DONT_KNOW_WORDS = "I don't know."
"""Words of an agent that does not know."""

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]?\s")


def asked(question: Question, order: Sequence[int] | None = None) -> str:
    """Return a question as text, with its options in the order shown.

    Examples
    --------
    >>> print(asked(Question("Which one?", "single_choice", ("Tea", "Coffee")), (1, 0)))
    Which one?
    <BLANKLINE>
    Choose exactly one of these options and copy it letter by letter into "value":
    - Coffee
    - Tea
    """
    told = question.row.instruction(question)
    parts = [question.text, *([] if told is None else [told])]
    if question.options:
        places = range(len(question.options)) if order is None else order
        parts[-1] += "".join(f"\n- {question.options[place]}" for place in places)
    return "\n\n".join(parts)


def schema_of(question: Question) -> dict[str, Any]:
    """Return the JSON schema of an answer: its text and, for a coded question, ``value`` or null.

    Examples
    --------
    >>> schema_of(Question("Why?", "open"))["required"]
    ['answer']
    """
    fields: dict[str, Any] = {"answer": {"type": "string", "description": "One to four sentences."}}
    value = question.row.schema(question)
    if value is not None:
        fields["value"] = {"anyOf": [value, {"type": "null"}]}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def given(question: Question, text: str, value: Any) -> str:
    """Return an earlier answer in the form in which the model would have given it."""
    told: dict[str, Any] = {"answer": text[:LONGEST_ANSWER]}
    if question.shape.coded:
        told["value"] = ("yes" if value else "no") if isinstance(value, bool) else value
    return json.dumps(told, ensure_ascii=False)


def objects_in(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects in a model's text, in order, without those inside others.

    Examples
    --------
    >>> objects_in('Draft: {"answer": "No."} Better:\\n```json\\n{"answer": "Yes."}\\n```\\nIs that {fine}?')
    [{'answer': 'No.'}, {'answer': 'Yes.'}]
    """
    found: list[dict[str, Any]] = []
    place, tries = text.find("{"), 0
    while place >= 0 and tries < _MOST_BRACES:
        tries += 1
        try:
            one, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            found.append(one)
        place = text.find("{", end)
    return found


def fitting_object(text: str, read: Callable[[Mapping[str, Any]], T]) -> tuple[Mapping[str, Any], T]:
    """Return the last JSON object in a model's text that fits, and what was read from it.

    Parameters
    ----------
    text
        The text of the model; the object may be inside a code fence, after a draft or before a remark.
    read
        Reads an object, or raises :class:`Misfit`.

    Raises
    ------
    Misfit
        The text contains no JSON object, or none fits; the last one says why.

    Examples
    --------
    >>> why = Question("Why?", "open")
    >>> fitting_object('{"answer": "Yes."} {"note": 1}', lambda data: read_answer(why, data))
    ({'answer': 'Yes.'}, ('Yes.', None))
    """
    objects = objects_in(text)
    if not objects:
        raise Misfit("That was not one JSON object.")
    wrong: Misfit | None = None
    for data in reversed(objects):
        try:
            return data, read(data)
        except Misfit as misfit:
            wrong = wrong or misfit
    assert wrong is not None
    raise wrong


def _no_number(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_number, strict=False)  # strings may contain line breaks


def read_answer(question: Question, data: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the text and the value of an answer.

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
    if not question.shape.coded:
        if not text:
            raise Misfit('"answer" must hold one to four sentences.')
        return text, None
    value = data.get("value")
    if value is None:
        if "value" not in data:
            raise Misfit('"value" is missing.')
        return text or DONT_KNOW_WORDS, None
    read = question.row.read(question, value)
    return text or question.shape.spoken(read), read


def cleaned(text: str, most: int = LONGEST_ANSWER) -> str:
    """Return a text that can be stored: without control characters or lone surrogates, and not too long.

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
