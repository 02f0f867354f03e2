"""Summary of a study in a few sentences, and suggestions of what to ask next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxpop.jobs.contrasts import key_segments
from voxpop.jobs.divergences import divergences
from voxpop.jobs.evidence import (
    SIMULATED,
    Claim,
    Column,
    Evidence,
    claim,
    outcomes,
    quoted,
    scale_ends,
    share_text,
)
from voxpop.jobs.findings import headline, notices
from voxpop.jobs.mindsets import shared_mindsets
from voxpop.jobs.placeholders import leaving_out
from voxpop.jobs.quoting import recurring_words
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, INTEGER, NUMBER

MOST_SENTENCES = 6
MOST_HEADLINES = 3
MOST_FOLLOW_UPS = 5
UNSURE = 0.1
COMMON = 0.1


@leaving_out
def overall_summary(evidence: Evidence) -> dict[str, Any]:
    """Summarise the study in three to six sentences.

    Returns
    -------
    dict
        ``text``: the sentences in a row. ``claims``: each sentence with its evidence: the agents who
        answered, up to three headlines, then the most common word of an open question and the clearest
        segment, division and mindset found. ``notes``.
    """
    words = [line for column in evidence.columns if (line := commonest_word(column)) is not None]
    segments, divided = key_segments(evidence)["claims"], divergences(evidence)["claims"]
    more = [_plain(line) for lines in (words, segments, divided) for line in lines[:1]]
    claims = _participation(evidence)
    claims += _headlines(evidence.columns, min(MOST_HEADLINES, MOST_SENTENCES - len(claims) - len(more)))
    claims += more + [_plain(line) for line in shared_mindsets(evidence)["claims"][:1]]
    claims = claims[:MOST_SENTENCES]
    text = " ".join(line["text"] for line in claims) if claims else "No question has been answered yet."
    return {"text": text, "claims": claims, "notes": [*notices(evidence), SIMULATED]}


def _plain(line: Claim) -> Claim:
    """Keep the sentence and its evidence; the figures are in their own step."""
    return {name: line[name] for name in ("text", "answer_ids", "question_ids", "count", "base")}


def _participation(evidence: Evidence) -> list[Claim]:
    given = sum(column.answered for column in evidence.columns)
    if not given:
        return []
    left_out = evidence.removed_answers + evidence.placeholders
    asked = max(given, sum(c.question.asked_count for c in evidence.columns) - left_out)
    agents, questions = len(evidence.agents), len(evidence.columns)
    text = (
        f"{questions} question{'s' * (questions != 1)} to {agents:,} simulated agent{'s' * (agents != 1)}"
        f" brought {share_text(given, asked)} of the answers asked for."
    )
    rests_on = [(column, column.ids > 0) for column in evidence.columns]
    return [claim(text, rests_on, count=given, base=asked)]


def _headlines(columns: Sequence[Column], most: int) -> list[Claim]:
    """Return the headlines of the most decided questions, in the order asked."""
    lines = [(column, line) for column in columns if (line := headline(column)) is not None]
    best = sorted(range(len(lines)), key=lambda place: -_decided(lines[place][0]))[:most]
    return [_plain(lines[place][1]) for place in sorted(best)]


def _decided(column: Column) -> float:
    """Return how far a question's answers are from undecided, 0 to 1."""
    shape, base = column.question.shape, column.size
    if shape is INTEGER:
        low, high = scale_ends(column.question)
        values = [value for value in column.values if value is not None]
        return abs(float(sum(values)) / base - (low + high) / 2) / ((high - low) / 2)
    if shape is NUMBER:
        return 0.25
    found = outcomes(column)
    lead = float(max(outcome.count for outcome in found) / base)
    if shape in (BOOLEAN, CATEGORIES) or len(found) < 2:
        return abs(2 * lead - 1)
    return (lead * len(found) - 1) / (len(found) - 1)


def commonest_word(column: Column) -> Claim | None:
    """Return a claim on the most common word of an open question; None if no word is common."""
    words = [] if column.question.shape.coded else recurring_words(column)
    if not words or words[0].count < COMMON * column.size:
        return None
    text = f"{quoted(column.question.text)}: the word used most is “{words[0].text}”, with"
    text = f"{text} {share_text(words[0].count, column.size)}."
    return claim(text, [(column, words[0].used)], count=words[0].count, base=column.size)


@leaving_out
def next_questions(evidence: Evidence) -> dict[str, Any]:
    """Suggest follow-up questions, each with a reason based on answers.

    Returns
    -------
    dict
        ``claims``: two to five reasons; each has ``suggestion`` (``question, type`` and perhaps ``options``,
        ``scale``) and ``ask``, the agents to ask. ``notes``.
    """
    divided = divergences(evidence)["claims"]
    reasons = [_why_divided(line, evidence) for line in divided if "sides" in line][:2]
    about = [line["question_ids"] for line in reasons]
    segments = [line for line in key_segments(evidence)["claims"] if line["question_ids"] not in about]
    reasons += [_why_segment(line, evidence) for line in segments][:2]
    reasons += [_about_word(line, evidence) for line in divided if "word" in line][:1]
    reasons += [line for column in evidence.columns if (line := _when_unsure(column)) is not None][:1]
    reasons += [line for column in evidence.columns if (line := _price_limit(column)) is not None][:1]
    if all(column.question.shape.coded for column in evidence.columns):
        reasons += [_main_reason(column) for column in evidence.columns if column.size][:1]
    if len(reasons) < 2:
        reasons += [_anything_missed(column) for column in evidence.columns[-1:] if column.size]
    distinct = {line["suggestion"]["question"]: line for line in reversed(reasons)}
    ordered = sorted(distinct.values(), key=reasons.index)
    return {"claims": ordered[:MOST_FOLLOW_UPS], "notes": [SIMULATED]}


def _follow_up(line: Claim, reason: str, question: str, *, ask: str = "all agents", **rest: Any) -> Claim:
    suggestion = {"question": question, "type": "open", **rest}
    return {**_plain(line), "text": reason, "suggestion": suggestion, "ask": ask}


def _why_divided(line: Claim, evidence: Evidence) -> Claim:
    question = f"What decides your answer to {quoted(_column(evidence, line).question.text)}"
    return _follow_up(line, line["text"], _closed(question))


def _why_segment(line: Claim, evidence: Evidence) -> Claim:
    column = _column(evidence, line)
    question = f"What in your daily life explains your answer to {quoted(column.question.text)}"
    return _follow_up(line, line["text"], _closed(question), ask=line["cohort"])


def _about_word(line: Claim, evidence: Evidence) -> Claim:
    column = _column(evidence, line)
    question = (
        f"Thinking of {quoted(column.question.text)} How important is “{line['word']}” to you, from 0 to 10?"
    )
    scale = {"min": 0, "max": 10, "min_label": "not at all", "max_label": "very"}
    return _follow_up(line, line["text"], question, type="scale", scale=scale)


def _when_unsure(column: Column) -> Claim | None:
    unsure = (column.ids > 0) & ~column.base
    count = int(unsure.sum())
    if not column.question.shape.coded or count < UNSURE * max(column.answered, 1):
        return None
    asked = quoted(column.question.text)
    reason = f"{asked}: {share_text(count, column.answered)} do not know."
    line = claim(reason, [(column, unsure)], count=count, base=column.answered)
    return _follow_up(
        line, reason, _closed(f"What would you have to know to answer {asked}"), ask="those unsure"
    )


def _price_limit(column: Column) -> Claim | None:
    priced = column.question.shape is NUMBER and column.question.unit == "USD"
    line = headline(column) if priced else None
    if line is None:
        return None
    asked = quoted(column.question.text)
    question = f"Thinking of {asked} At what price, in dollars, would it be too expensive to consider?"
    return _follow_up(line, line["text"], question, type="number")


def _main_reason(column: Column) -> Claim:
    line = claim(
        f"No open question asks for reasons behind {quoted(column.question.text)} ({column.size:,} answers).",
        [(column, column.base)],
        count=column.size,
        base=column.size,
    )
    question = _closed(f"What is the main reason for your answer to {quoted(column.question.text)}")
    return _follow_up(line, line["text"], question)


def _anything_missed(column: Column) -> Claim:
    text = f"The last question was {quoted(column.question.text)} ({column.size:,} answers)."
    line = claim(text, [(column, column.base)], count=column.size, base=column.size)
    return _follow_up(line, text, "What else matters to you here that was not asked?")


def _column(evidence: Evidence, line: Claim) -> Column:
    return next(column for column in evidence.columns if column.question.id in line["question_ids"])


def _closed(question: str) -> str:
    """End a question that ends in a quotation with one question mark."""
    return question if question.endswith("?”") else f"{question}?"
