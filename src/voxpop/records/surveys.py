"""Zeitgeist surveys: rows, counts per option, and paged responses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.engines.basis import NONE
from voxpop.records import answer_bases
from voxpop.records.database import now
from voxpop.records.inserting import insert
from voxpop.records.questions import ANSWER_COLUMNS, Answer, answer_of
from voxpop.records.references import find, missing
from voxpop.records.schema import answers, groups, jobs, question_bases, questions, surveys

SURVEY = "survey"
"""Job kind of surveys, and the target of their questions."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey with its question and the status of its job.

    Attributes
    ----------
    job_status : str
        ``started``, ``finished`` or ``failed``.
    """

    id: int
    uuid: str
    title: str
    question_id: int
    job_id: str
    created_at: datetime
    question: str
    options: tuple[str, ...]
    asked_count: int
    answer_count: int
    failed_count: int
    group_uuid: str
    job_status: str


_SURVEY = (
    sa.select(
        surveys.c.id,
        surveys.c.uuid,
        surveys.c.title,
        surveys.c.question_id,
        surveys.c.job_id,
        surveys.c.created_at,
        questions.c.text.label("question"),
        questions.c.options,
        questions.c.asked_count,
        questions.c.answer_count,
        questions.c.failed_count,
        groups.c.uuid.label("group_uuid"),
        jobs.c.status.label("job_status"),
    )
    .join(questions, questions.c.id == surveys.c.question_id)
    .join(groups, groups.c.id == questions.c.group_id)
    .join(jobs, jobs.c.id == surveys.c.job_id)
)
_RESPONSE = [*ANSWER_COLUMNS, sa.literal(False).label("agent_removed")]  # only agents of studies can be


def create(
    c: sa.Connection, organization_id: int, *, uuid: str, title: str, question_id: int, job_id: str
) -> int:
    """Store a survey whose question and job exist, and return its id."""
    return insert(
        c,
        surveys,
        uuid=uuid,
        organization_id=organization_id,
        title=title,
        question_id=question_id,
        job_id=job_id,
        created_at=now(c),
    )


def get(c: sa.Connection, organization_id: int, reference: int | str) -> Survey:
    """Return one survey by number or UUID; :class:`NotFound` when there is none, or when it was deleted."""
    condition = find(surveys, organization_id, reference, noun="survey")
    row = c.execute(_SURVEY.where(condition, surveys.c.deleted_at.is_(None))).first()
    if row is None:
        raise missing("survey", reference)
    return _survey(row)


def list_(c: sa.Connection, organization_id: int, *, limit: int, offset: int) -> tuple[int, list[Survey]]:
    """Return how many surveys there are and one page of them, newest first."""
    mine = sa.and_(surveys.c.organization_id == organization_id, surveys.c.deleted_at.is_(None))
    total = c.execute(sa.select(sa.func.count()).select_from(surveys).where(mine)).scalar_one()
    page = _SURVEY.where(mine).order_by(surveys.c.id.desc()).limit(limit).offset(offset)
    return total, [_survey(row) for row in c.execute(page)]


def set_job(c: sa.Connection, job_id: str, to: str) -> None:
    """Replace the job of a survey by another one, which now represents its status."""
    c.execute(surveys.update().where(surveys.c.job_id == job_id).values(job_id=to))


def delete(c: sa.Connection, organization_id: int, reference: int | str) -> None:
    """Delete a survey; its job stays readable.

    Raises
    ------
    NotFound
        There is no such survey.
    """
    condition = find(surveys, organization_id, reference, noun="survey")
    gone = surveys.update().where(condition, surveys.c.deleted_at.is_(None)).values(deleted_at=now(c))
    if not c.execute(gone).rowcount:
        raise missing("survey", reference)


def counts(c: sa.Connection, question_id: int) -> dict[Any, int]:
    """Return the number of agents per value; None is an answer without a choice."""
    value = sa.cast(answers.c.value, sa.Text)
    statement = sa.select(value, sa.func.count()).where(answers.c.question_id == question_id).group_by(value)
    rows = c.execute(statement).all()
    return {None if text is None else msgspec.json.decode(text): count for text, count in rows}


def placeholders(c: sa.Connection, question_id: int) -> int:
    """Return the number of answers for which no figure is known."""
    codes = sa.select(question_bases.c.code).where(
        question_bases.c.question_id == question_id, question_bases.c.kind == NONE
    )
    found = answers.c.question_id == question_id, answers.c.basis_code.in_(codes)
    return c.execute(sa.select(sa.func.count()).select_from(answers).where(*found)).scalar_one()


def responses(c: sa.Connection, question_id: int, *, limit: int, offset: int) -> list[Answer]:
    """Return one page of the answers to a survey's question, in the order given."""
    statement = (
        sa.select(*_RESPONSE)
        .where(answers.c.question_id == question_id)
        .order_by(answers.c.id)
        .limit(limit)
        .offset(offset)
    )
    told = answer_bases.of_questions(c, [question_id])
    return [answer_of(row, told) for row in c.execute(statement).all()]


def _survey(row: Any) -> Survey:
    values = dict(row._mapping)
    return Survey(**(values | {"options": tuple(values["options"])}))
