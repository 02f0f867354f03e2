"""Records of direct questions: targets, answers and share links."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from voxpop.records import answer_bases
from voxpop.records import questions as asked_questions
from voxpop.records.questions import ANSWER_COLUMNS, DIRECT, Answer, AskedQuestion, answer_of
from voxpop.records.references import find, missing
from voxpop.records.schema import answers, groups, jobs, questions, work_items
from voxpop.records.studies import Share

_STATES = ("queued", "claimed", "done")  # explicit, so that the index over study, state and question is used
_ANSWER = [*ANSWER_COLUMNS, sa.literal(False).label("agent_removed")]  # only agents of studies can be
_LOOK_UP = 500  # questions in one statement
_JOBS = (
    sa.select(
        work_items.c.question_id, jobs.c.id, jobs.c.agent_id, jobs.c.status, jobs.c.error, jobs.c.item_id
    )
    .join(jobs, jobs.c.item_id == work_items.c.id)
    .where(
        work_items.c.study_id.is_(None),
        work_items.c.state.in_(_STATES),
        work_items.c.question_id.in_(sa.bindparam("questions", expanding=True)),
    )
    .order_by(jobs.c.id)
)
# Not joined to the jobs, as in voxpop.records.jobs.
_SAID = sa.select(*_ANSWER).where(answers.c.question_id.in_(sa.bindparam("questions", expanding=True)))


@dataclass(frozen=True, slots=True)
class Target:
    """One agent that was asked, with the job, its status and the answer if there is one."""

    job_id: str
    agent_id: int
    status: str
    error: dict[str, Any] | None
    answer: Answer | None


def get(c: sa.Connection, organization_id: int, reference: int | str) -> AskedQuestion:
    """Return one direct question by number or UUID; :class:`NotFound` when there is none."""
    found = c.execute(
        sa.select(questions.c.id).where(
            find(questions, organization_id, reference, noun="direct question"),
            questions.c.asked_of.in_(DIRECT),
        )
    ).scalar()
    if found is None:
        raise missing("direct question", reference)
    return asked_questions.get(c, organization_id, found)


def targets(c: sa.Connection, asked: Sequence[AskedQuestion]) -> dict[int, list[Target]]:
    """Return the targets of direct questions, by question, in the order asked.

    If an agent was asked again, the last job counts.
    """
    found: defaultdict[int, dict[int, Target]] = defaultdict(dict)
    latest: dict[tuple[int, int], int] = {}
    numbers = [question.id for question in asked]
    for start in range(0, len(numbers), _LOOK_UP):
        some = {"questions": numbers[start : start + _LOOK_UP]}
        told = answer_bases.of_questions(c, some["questions"])
        given = [answer_of(row, told) for row in c.execute(_SAID, some)]
        said = {(answer.question_id, answer.agent_id): answer for answer in given}
        for question, job_id, agent_id, status, error, item in c.execute(_JOBS, some):
            if item < latest.get((question, agent_id), 0):
                continue
            latest[question, agent_id] = item
            answer = said.get((question, agent_id))
            found[question][agent_id] = Target(job_id, agent_id, status, error, answer)
    return {number: list(found[number].values()) for number in numbers}


def group_uuids(c: sa.Connection, asked: Sequence[AskedQuestion]) -> dict[int, str]:
    """Return the UUIDs of the groups with the given ids."""
    wanted = sorted({question.group_id for question in asked if question.group_id is not None})
    rows = c.execute(sa.select(groups.c.id, groups.c.uuid).where(groups.c.id.in_(wanted))).all()
    return {number: uuid for number, uuid in rows}


def share(c: sa.Connection, organization_id: int, question_id: int, enabled: bool) -> Share:
    """Enable or disable the share link of a direct question.

    Enabling twice keeps the link. Enabling after disabling creates a new link; the old one stays invalid.
    """
    current = get_share(c, organization_id, question_id)
    if enabled == current.enabled:
        return current
    token = secrets.token_urlsafe(32) if enabled else None
    c.execute(questions.update().where(questions.c.id == question_id).values(share_token=token))
    return Share(enabled, token)


def get_share(c: sa.Connection, organization_id: int, question_id: int) -> Share:
    """Return the share state of a direct question; raise :class:`NotFound` if it does not exist."""
    number = get(c, organization_id, question_id).id
    token = c.execute(sa.select(questions.c.share_token).where(questions.c.id == number)).scalar()
    return Share(token is not None, token)


def by_token(c: sa.Connection, token: str) -> tuple[int, AskedQuestion] | None:
    """Return the organization and direct question of a share token, or None."""
    row = c.execute(
        sa.select(questions.c.organization_id, questions.c.id, questions.c.share_token).where(
            questions.c.share_token == token, questions.c.asked_of.in_(DIRECT)
        )
    ).first()
    if row is None or not secrets.compare_digest(row[2], token):
        return None
    return row[0], asked_questions.get(c, row[0], row[1])
