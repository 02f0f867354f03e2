"""Artifacts of a direct question: a summary of its answers, worded as in the completion of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.jobs.evidence import Column, gather, quoted
from voxpop.jobs.findings import headline
from voxpop.jobs.placeholders import NOTHING_KNOWN, is_placeholder, known_part
from voxpop.jobs.quoting import pick_quotes
from voxpop.jobs.summarising import commonest_word
from voxpop.records.questions import Answer, AskedQuestion

_LONGEST_QUOTE = 300
_MOST_READ = 40  # maximum number of answers from which a quote is chosen
_KEPT = 10_000


def summary(
    question: AskedQuestion, answers: Iterable[Answer], agents: Mapping[int, Agent]
) -> dict[str, Any] | None:
    """Return a summary of all answers to a question whose jobs have ended, or None without answers.

    Parameters
    ----------
    question
        The question.
    answers
        All answers to the question.
    agents
        All agents who answered, by id.

    Returns
    -------
    dict or None
        ``kind, text, answer_ids``. Shares and means are based on every answer that counts. Placeholders do
        not; if there is nothing else, the text says just that.
    """
    given = list(answers)
    if not given:
        return None
    kept = _place_for(question.uuid, len(given))
    if not kept:
        known, told = known_part(gather([question], given, agents))
        lines = [_text(column, agents) for column in known.columns]
        kept.append(" ".join([*lines, told or ""]).strip() if lines else NOTHING_KNOWN)
    rests = [answer for answer in given if not is_placeholder(answer)]
    counting = [answer.id for answer in rests if not question.shape.coded or answer.value is not None]
    return {
        "kind": "summary",
        "text": kept[0],
        "answer_ids": sorted(counting or [answer.id for answer in rests]),
    }


@lru_cache(maxsize=_KEPT)
def _place_for(uuid: str, answers: int) -> list[str]:
    """Return the cell that caches the summary of this many answers; a retry can add answers."""
    return []


def _text(column: Column, agents: Mapping[int, Agent]) -> str:
    is_open = not column.question.shape.coded
    found = None
    if column.answered > 1:  # a single agent's answer needs no figures
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
