"""Very many answers, column by column: the database writes each column as one JSON text.

A row that becomes a Python tuple costs more than reading it, and holds up all other threads meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.records.database import gathered
from voxpop.records.schema import answers, jobs, questions, study_agents, work_items

_numbers = msgspec.json.Decoder(list[int])
_texts = msgspec.json.Decoder(list[str | None])
_AS_TEXT = ("value", "option_order", "answered_at")


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """Answers of one study by number.

    Attributes
    ----------
    value, option_order : list of str or None
        JSON as it is stored.
    answered_at : list of str
        Times as the database writes them; :func:`moment` reads one.
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


_NAMES = tuple(AnswerColumns.__dataclass_fields__)
_NUMBERS = _NAMES[:3]


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """Answers of one study as the database gave them, at least one.

    Attributes
    ----------
    last : int
        The highest number.
    many : int
        How many there are.
    told : dict of str to str
        Each column as a JSON list, in any order of rows, the same one in all.
    """

    last: int
    many: int
    told: Mapping[str, str]

    def read(self) -> AnswerColumns:
        """Read the columns, in the order of the numbers."""
        read: dict[str, list[Any]] = {
            name: (_numbers if name in _NUMBERS else _texts).decode(text) for name, text in self.told.items()
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
    """Return up to ``limit`` answers of a study with a higher number than ``after``; None when there is none.

    Parameters
    ----------
    c, organization_id, study_id
        Where, whose, and of which study.
    question_id
        Only the answers to this question.
    after, limit
        Behind which answer, and how many at most.
    """
    wanted = answers.c.id > after
    if question_id is None:
        wanted &= answers.c.study_id == study_id
    else:  # without the study's number beside it, the database reads this question's answers alone
        asked_there = sa.exists().where(questions.c.id == question_id, questions.c.study_id == study_id)
        wanted &= (answers.c.question_id == question_id) & asked_there
    # The limit is looked for in the index: beside the columns, it has each row copied before it is gathered.
    numbers = sa.select(answers.c.id).where(wanted).order_by(answers.c.id).limit(limit).subquery()
    last = c.execute(sa.select(sa.func.max(numbers.c.id))).scalar()
    if last is None:
        return None
    found = _gathered(c, wanted & (answers.c.id <= last), organization_id)
    return None if found is None else replace(found, last=last)


def batches(
    c: sa.Connection, organization_id: int, study_id: int, *, question_id: int | None = None
) -> Iterator[StoredAnswers]:
    """Give all answers of a study, or of one of its questions, in parts."""
    after = 0
    while part := stored_answers(c, organization_id, study_id, question_id=question_id, after=after):
        yield part
        after = part.last


def answers_by_agent(
    c: sa.Connection, organization_id: int, question_id: int, *, after: int, limit: int
) -> tuple[StoredAnswers, int] | None:
    """Return up to ``limit`` answers to a question by the number of their agent, and the last such number.

    The rows are those of the agents behind ``after``, in any order; None when there are no more.
    """
    wanted = (answers.c.question_id == question_id) & (answers.c.agent_id > after)
    numbers = sa.select(answers.c.agent_id).where(wanted).order_by(answers.c.agent_id).limit(limit).subquery()
    last = c.execute(sa.select(sa.func.max(numbers.c.agent_id))).scalar()
    if last is None:
        return None
    found = _gathered(c, wanted & (answers.c.agent_id <= last), organization_id)
    return None if found is None else (found, last)


def last_answer(c: sa.Connection, question_id: int) -> tuple[int, int]:
    """Return how many answers to a question there are, and the highest number of one; 0 without any."""
    held = sa.select(sa.func.count(), sa.func.max(answers.c.id)).where(answers.c.question_id == question_id)
    many, last = c.execute(held).one()
    return many, last or 0


def _gathered(c: sa.Connection, wanted: Any, organization_id: int) -> StoredAnswers | None:
    """Read the answers of a condition column by column."""
    columns = [
        gathered(c, sa.cast(answers.c[name], sa.Text) if name in _AS_TEXT else answers.c[name])
        for name in _NAMES
    ]
    found = sa.select(sa.func.count(), sa.func.max(answers.c.id), *columns)
    many, last, *told = c.execute(found.where(wanted, answers.c.organization_id == organization_id)).one()
    return StoredAnswers(last, many, dict(zip(_NAMES, told, strict=True))) if many else None


def removed_agents(c: sa.Connection, study_id: int) -> frozenset[int]:
    """Return who was removed from a study."""
    gone = sa.select(study_agents.c.agent_id).where(
        study_agents.c.study_id == study_id, study_agents.c.removed_at.is_not(None)
    )
    return frozenset(c.execute(gone).scalars())


@dataclass(frozen=True, slots=True)
class UnansweredJob:
    """A question job of a study that has failed or not ended."""

    job_id: str
    question_id: int
    agent_id: int
    status: str
    error: dict[str, Any] | None
    finished_at: datetime | None


def unanswered(c: sa.Connection, organization_id: int, study_id: int) -> list[UnansweredJob]:
    """Return the question jobs of a study that have brought no answer, in the order asked.

    Of an agent that was asked again only the last job counts.
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
    """Read a time as a database writes it: with its zone, or in UTC without one.

    Examples
    --------
    >>> moment("2026-11-20 09:30:00.000000") == moment("2026-11-20 10:30:00+01")
    True
    >>> moment("2026-11-20 09:30:00.000000").isoformat()
    '2026-11-20T09:30:00+00:00'
    """
    read = datetime.fromisoformat(text)
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
