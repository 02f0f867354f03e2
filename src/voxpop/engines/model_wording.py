"""The prompt for the words of an answer that another engine has decided on, and the check of these words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voxpop.engines.basis import PROFILE, PUBLISHED, Basis
from voxpop.engines.contradictions import contradiction, other_numbers
from voxpop.engines.model_answers import LONGEST_ANSWER, Misfit, cleaned
from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Reply, without_unseen

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "description": "One to four sentences."}},
    "required": ["answer"],
    "additionalProperties": False,
}
"""JSON schema of the words of an answer."""


def is_settled(question: Question, basis: Basis) -> bool:
    """Return whether the content of an answer is settled before a model words it.

    It is for coded questions, and for open ones whose answer is known: what the profile records, or what a
    published share gives. The model answers the other open questions itself.

    Examples
    --------
    >>> is_settled(Question("Why?", "open"), Basis("none", "A placeholder."))
    False
    >>> is_settled(Question("Where do you live?", "open"), Basis("profile", "The agent's profile: state."))
    True
    """
    return question.shape.coded or basis.kind in (PROFILE, PUBLISHED)


def settled_words(question: Question, reply: Reply) -> str | None:
    """Return the content of a settled answer for a prompt; None if it is not settled."""
    if not is_settled(question, reply.basis):
        return None
    if question.shape.coded and reply.value is not None:
        return _spoken(question, reply.value)
    return json.dumps(without_unseen(reply.text), ensure_ascii=False)


def to_word(question: Question, settled: str | None, order: Sequence[int] | None = None) -> str:
    """Return a question with its settled answer as text for a prompt, options in the order shown.

    Examples
    --------
    >>> print(to_word(Question("Which one?", "single_choice", ("Tea", "Milk")), "Milk", (1, 0)))
    Which one?
    - Milk
    - Tea
    <BLANKLINE>
    This person's answer, which is settled: Milk
    """
    places = range(len(question.options)) if order is None else order
    asked = "".join([question.text, *(f"\n- {question.options[place]}" for place in places)])
    scale = question.scale
    if scale is not None:
        ends = ((scale.min, scale.min_label), (scale.max, scale.max_label))
        told = [f"{end} means {label}" for end, label in ends if label]
        asked += f"\n(From {scale.min} to {scale.max}{''.join(f'; {one}' for one in told)})"
    return asked if settled is None else f"{asked}\n\nThis person's answer, which is settled: {settled}"


def earlier_turn(exchange: Exchange) -> tuple[str, str]:
    """Return an earlier question with its settled answer, and the words given for it."""
    question, value = exchange.question, exchange.value
    settled = _spoken(question, value) if question.shape.coded and value is not None else None
    words = json.dumps({"answer": without_unseen(exchange.text)[:LONGEST_ANSWER]}, ensure_ascii=False)
    return to_word(question, settled), words


@dataclass(slots=True)
class Words:
    """Reads the words of an answer and holds them against the answer that they should express.

    Parameters
    ----------
    question, reply
        The question, and the answer of the engine that decided on it.

    Attributes
    ----------
    contradicted : bool
        Whether the words read last contradict the answer.
    """

    question: Question
    reply: Reply
    contradicted: bool = False

    def read(self, data: Mapping[str, Any]) -> str:
        """Return the words in the JSON object of a response.

        Raises
        ------
        Misfit
            There are none, or they contradict the settled answer.
        """
        self.contradicted = False
        given = data.get("answer")
        words = cleaned(given) if isinstance(given, str) else ""
        if not words:
            raise Misfit('"answer" must hold one to four sentences.')
        wrong = self._wrong(words)
        if wrong is not None:
            self.contradicted = True
            settled = settled_words(self.question, self.reply)
            raise Misfit(f'The words in "answer" contradict the settled answer ({settled}): {wrong}.')
        return words

    def _wrong(self, words: str) -> str | None:
        if self.question.shape.coded:
            return contradiction(self.question, self.reply.value, words)
        if is_settled(self.question, self.reply.basis):
            return other_numbers(self.reply.text, words)
        return None


def _spoken(question: Question, value: Any) -> str:
    said = question.shape.spoken(value)
    return f"{said} {question.unit}" if question.unit and question.shape.numeric else said
