"""What is made of the answers to a direct question: a summary, in the words of a study's completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.jobs.evidence import Column, gather, quoted
from voxpop.jobs.findings import headline
from voxpop.jobs.quoting import pick_quotes
from voxpop.jobs.summarising import commonest_word
from voxpop.records.questions import Answer, AskedQuestion

_LONGEST_QUOTE = 300
_MOST_READ = 40  # answers that a quote is chosen from
_KEPT = 10_000


def summary(
    question: AskedQuestion, answers: Iterable[Answer], agents: Mapping[int, Agent]
) -> dict[str, Any] | None:
    """Return a summary of all answers to a question whose jobs have ended; None where nobody has answered.

    Parameters
    ----------
    question
        The question.
    answers
        All answers to it.
    agents
        Everybody who answered, by number.

    Returns
    -------
    dict or None
        ``kind, text, answer_ids``: shares and means rest on every answer that counts.
    """
    given = list(answers)
    if not given:
        return None
    kept = _place_for(question.uuid, len(given))
    if not kept:
        (column,) = gather([question], given, agents).columns
        kept.append(_text(column, agents))
    counting = [answer.id for answer in given if question.type == "open" or answer.value is not None]
    return {
        "kind": "summary",
        "text": kept[0],
        "answer_ids": sorted(counting or [answer.id for answer in given]),
    }


@lru_cache(maxsize=_KEPT)
def _place_for(uuid: str, answers: int) -> list[str]:
    """Return where the text of a question with so many answers is kept; a retry can bring more of them."""
    return []


def _text(column: Column, agents: Mapping[int, Agent]) -> str:
    is_open = column.question.type == "open"
    found = None
    if column.answered > 1:  # what one agent says needs no counting
        found = commonest_word(column) if is_open else headline(column)
    lines = [found["text"]] if found is not None else []
    if is_open or not lines:
        lines.append(_typical(column, agents))
    return " ".join(lines)


def _typical(column: Column, agents: Mapping[int, Agent]) -> str:
    """Quote the most typical answer."""
    given = [answer for answer in column.answers if answer is not None]
    read = given[:: -(-len(given) // _MOST_READ)]
    chosen = pick_quotes([answer.text for answer in read], 1) or [0]
    answer = read[chosen[0]]
    return f"{agents[answer.agent_id].name} says: {quoted(answer.text, _LONGEST_QUOTE)}"
