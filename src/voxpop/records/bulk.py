"""Bulk reads of answers, column by column: the database returns each column as one JSON text.

Turning rows into Python tuples costs more than reading them, and blocks all other threads meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.engines.basis import Basis
from voxpop.records import answer_bases
from voxpop.records.database import gathered
from voxpop.records.schema import answers, jobs, questions, study_agents, work_items

_numbers = msgspec.json.Decoder(list[int])
_texts = msgspec.json.Decoder(list[str | None])
_codes = msgspec.json.Decoder(list[int | None])
_AS_TEXT = ("value", "option_order", "answered_at")


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """Answers of one study, as columns.

    Attributes
    ----------
    value, option_order : list of str or None
        JSON as stored.
    answered_at : list of str
        Times in the format of the database; parse one with :func:`moment`.
    basis_code : list of int or None
        Numbers of the bases; None for answers stored before bases were kept.
    """

    id: list[int]
    question_id: list[int]
    agent_id: list[int]
    job_id: list[str]
    text: list[str]
    value: list[str | None]
    option_order: list[str | None]
    answered_at: list[str]
    engine: list[str]
    basis_code: list[int | None]


_NAMES = tuple(AnswerColumns.__dataclass_fields__)
_DECODERS: Mapping[str, msgspec.json.Decoder[Any]] = {
    **dict.fromkeys(("id", "question_id", "agent_id"), _numbers),
    "basis_code": _codes,
}


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """Answers of one study as returned by the database; at least one.

    Attributes
    ----------
    last : int
        Highest answer id.
    many : int
        Number of answers.
    told : dict of str to str
        Each column as a JSON list; all columns have the same, arbitrary row order.
    bases : dict of int to Basis
        What the answers rest on, by number.
    """

    last: int
    many: int
    told: Mapping[str, str]
    bases: Mapping[int, Basis]

    def read(self) -> AnswerColumns:
        """Parse the columns and order them by answer id."""
        read: dict[str, list[Any]] = {
            name: _DECODERS.get(name, _texts).decode(text) for name, text in self.told.items()
        }
        if (ordered := sorted(read["id"])) != read["id"]:
            places = {number: place for place, number in enumerate(read["id"])}
            read = {name: [held[places[number]] for number in ordered] for name, held in read.items()}
        return AnswerColumns(**read)


def stored_answers(
    c: sa.Connection,
    organization_id: int,
    study_id: int,
    *,
    question_id: int | None = None,
    after: int = 0,
    limit: int = 10_000,
) -> StoredAnswers | None:
    """Return up to ``limit`` answers of a study with an id above ``after``; None if there are none.

    Parameters
    ----------
    c, organization_id, study_id
        Connection, organization and study.
    question_id
        Only the answers to this question.
    after, limit
        Id to continue after, and maximum number of answers.
    """
    wanted = answers.c.id > after
    if question_id is None:
        wanted &= answers.c.study_id == study_id
    else:  # filtering by the study as well would make the database read all answers of the study
        asked_there = sa.exists().where(questions.c.id == question_id, questions.c.study_id == study_id)
        wanted &= (answers.c.question_id == question_id) & asked_there
    # The limit is applied on the index: applied to the columns, every row would be copied before aggregation.
    numbers = sa.select(answers.c.id).where(wanted).order_by(answers.c.id).limit(limit).subquery()
    last = c.execute(sa.select(sa.func.max(numbers.c.id))).scalar()
    if last is None:
        return None
    told = answer_bases.of_study(c, study_id, question_id)
    found = _gathered(c, wanted & (answers.c.id <= last), organization_id, told)
    return None if found is None else replace(found, last=last)


def batches(
    c: sa.Connection, organization_id: int, study_id: int, *, question_id: int | None = None
) -> Iterator[StoredAnswers]:
    """Yield all answers of a study, or of one of its questions, in batches."""
    after = 0
    while part := stored_answers(c, organization_id, study_id, question_id=question_id, after=after):
        yield part
        after = part.last


def answers_by_agent(
    c: sa.Connection, organization_id: int, question_id: int, *, after: int, limit: int
) -> tuple[StoredAnswers, int] | None:
    """Return up to ``limit`` answers to a question ordered by agent id, and the last agent id.

    Only agents with an id above ``after`` are read, in any order; None if there are no more.
    """
    wanted = (answers.c.question_id == question_id) & (answers.c.agent_id > after)
    numbers = sa.select(answers.c.agent_id).where(wanted).order_by(answers.c.agent_id).limit(limit).subquery()
    last = c.execute(sa.select(sa.func.max(numbers.c.agent_id))).scalar()
    if last is None:
        return None
    told = answer_bases.of_questions(c, [question_id])
    found = _gathered(c, wanted & (answers.c.agent_id <= last), organization_id, told)
    return None if found is None else (found, last)


def last_answer(c: sa.Connection, question_id: int) -> tuple[int, int]:
    """Return the number of answers to a question and the highest answer id; 0 if there are none."""
    held = sa.select(sa.func.count(), sa.func.max(answers.c.id)).where(answers.c.question_id == question_id)
    many, last = c.execute(held).one()
    return many, last or 0


def _gathered(
    c: sa.Connection, wanted: Any, organization_id: int, told: Mapping[int, Basis]
) -> StoredAnswers | None:
    """Read the answers that meet a condition, column by column."""
    columns = [
        gathered(c, sa.cast(answers.c[name], sa.Text) if name in _AS_TEXT else answers.c[name])
        for name in _NAMES
    ]
    found = sa.select(sa.func.count(), sa.func.max(answers.c.id), *columns)
    many, last, *held = c.execute(found.where(wanted, answers.c.organization_id == organization_id)).one()
    return StoredAnswers(last, many, dict(zip(_NAMES, held, strict=True)), told) if many else None


def removed_agents(c: sa.Connection, study_id: int) -> frozenset[int]:
    """Return the agents removed from a study."""
    gone = sa.select(study_agents.c.agent_id).where(
        study_agents.c.study_id == study_id, study_agents.c.removed_at.is_not(None)
    )
    return frozenset(c.execute(gone).scalars())


@dataclass(frozen=True, slots=True)
class UnansweredJob:
    """A question job of a study that has failed or is not finished."""

    job_id: str
    question_id: int
    agent_id: int
    status: str
    error: dict[str, Any] | None
    finished_at: datetime | None


def unanswered(c: sa.Connection, organization_id: int, study_id: int) -> list[UnansweredJob]:
    """Return the question jobs of a study without an answer, in the order asked.

    If an agent was asked again, only the last job counts.
    """
    again, its_item = jobs.alias(), work_items.alias()
    asked_again = (
        sa.exists()
        .where(its_item.c.id == again.c.item_id, its_item.c.question_id == work_items.c.question_id)
        .where(again.c.agent_id == jobs.c.agent_id, again.c.item_id > jobs.c.item_id)
    )
    found = (
        sa.select(
            *(jobs.c.id, work_items.c.question_id, jobs.c.agent_id),
            *(jobs.c.status, jobs.c.error, jobs.c.finished_at),
        )
        .join(work_items, work_items.c.id == jobs.c.item_id)
        .where(
            work_items.c.organization_id == organization_id,
            work_items.c.study_id == study_id,
            work_items.c.kind == "question",
            jobs.c.status != "finished",
            sa.or_(jobs.c.status != "failed", ~asked_again),
        )
        .order_by(work_items.c.id, jobs.c.id)
    )
    return [UnansweredJob(*row) for row in c.execute(found).all()]


def moment(text: str) -> datetime:
    """Parse a time from the database; a time without a zone is in UTC.

    Examples
    --------
    >>> moment("2026-11-20 09:30:00.000000") == moment("2026-11-20 10:30:00+01")
    True
    >>> moment("2026-11-20 09:30:00.000000").isoformat()
    '2026-11-20T09:30:00+00:00'
    """
    read = datetime.fromisoformat(text)
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
