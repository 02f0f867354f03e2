"""Questions, inside or outside a study, and their answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from voxpop.engines.basis import Basis
from voxpop.engines.question import Question
from voxpop.errors import InvalidRequest
from voxpop.records import answer_bases
from voxpop.records.database import now
from voxpop.records.inserting import insert, insert_many
from voxpop.records.references import missing, new_uuid, one
from voxpop.records.schema import answers as answers_table
from voxpop.records.schema import questions, studies, study_agents
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import WORDS, Scale, Shape

DIRECT = ("agent", "group")
"""Targets of direct questions; free questions and surveys have their own reads."""

LONGEST_UNIT = 32
"""Maximum number of characters of a stored unit; the rest is cut off."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was asked, and the number of agents who answered it.

    Attributes
    ----------
    study_id : int or None
        Its study; None for direct questions, free questions and surveys.
    asked_of : str
        ``study``; ``agent`` or ``group`` for direct questions; ``free`` or ``survey``.
    group_id : int or None
        The group, if a group was asked outside a study.
    attachments : tuple of int
        Ids of attached media assets.
    usage_event_id : str or None
        The ledger entry that counts its answers, if it has its own.
    notice : str or None
        A caveat to read before the answers are used.
    engine : str or None
        The engine that was asked for; None for the service's default.
    """

    id: int
    uuid: str
    study_id: int | None
    key: str | None
    text: str
    type: str
    options: tuple[str, ...]
    scale: Scale | None
    unit: str | None
    shuffle_options: bool
    asked_count: int
    answer_count: int
    failed_count: int
    created_at: datetime
    asked_of: str = "study"
    group_id: int | None = None
    attachments: tuple[int, ...] = ()
    usage_event_id: str | None = None
    notice: str | None = None
    engine: str | None = None

    @property
    def shape(self) -> Shape:
        """Return the shape of its answers; words alone where this process does not know the type."""
        return shape_of(self.type) or WORDS


@dataclass(frozen=True, slots=True)
class Answer:
    """One agent's answer to one question.

    ``basis`` is what it rests on; None for answers stored before bases were kept.
    """

    id: int
    question_id: int
    study_id: int | None
    agent_id: int
    job_id: str
    text: str
    value: Any
    option_order: list[int] | None
    answered_at: datetime
    engine: str
    agent_removed: bool
    basis: Basis | None = None


class Earlier(NamedTuple):
    """An agent's answer to an earlier question of the study."""

    question_id: int
    text: str
    value: Any


_COLUMNS = [questions.c[name] for name in AskedQuestion.__dataclass_fields__]
ANSWER_COLUMNS = [
    *[answers_table.c[name] for name in list(Answer.__dataclass_fields__)[:-2]],
    answers_table.c.basis_code,
]
"""The columns that :func:`answer_of` reads."""
# Built once, because they run for every work item.
_SELECT = sa.select(*_COLUMNS)
_AGENT_COUNT = sa.select(studies.c.agent_count)
_LIST = (
    sa.select(*_COLUMNS)
    .where(
        questions.c.organization_id == sa.bindparam("organization"),
        questions.c.study_id == sa.bindparam("study"),
    )
    .order_by(questions.c.id)
)
_BEFORE = sa.select(questions.c.id).where(
    questions.c.organization_id == sa.bindparam("organization"),
    questions.c.study_id == sa.bindparam("study"),
    questions.c.id < sa.bindparam("question"),
)
_HISTORY = (
    sa.select(
        answers_table.c.agent_id, answers_table.c.question_id, answers_table.c.text, answers_table.c.value
    )
    .where(
        answers_table.c.question_id.in_(sa.bindparam("questions", expanding=True)),
        answers_table.c.agent_id.in_(sa.bindparam("agents", expanding=True)),
    )
    .order_by(answers_table.c.question_id)
)
_AGENTS = answers_table.c.agent_id.in_(sa.bindparam("agents", expanding=True))
_VALUES = sa.select(answers_table.c.agent_id, answers_table.c.question_id, answers_table.c.value).where(
    answers_table.c.question_id.in_(sa.bindparam("questions", expanding=True)), _AGENTS
)
_WORDS = sa.select(answers_table.c.agent_id, answers_table.c.text).where(
    answers_table.c.question_id == sa.bindparam("question"), _AGENTS
)
_ENGINE = sa.select(questions.c.engine).where(questions.c.id == sa.bindparam("question"))
_COUNT = (
    questions.update()
    .where(questions.c.id == sa.bindparam("question"))
    .values(
        answer_count=questions.c.answer_count + sa.bindparam("answered", type_=sa.Integer),
        failed_count=questions.c.failed_count + sa.bindparam("failed", type_=sa.Integer),
    )
)


def create(
    c: sa.Connection,
    organization_id: int,
    study_id: int,
    question: Question,
    *,
    attachments: Sequence[int] = (),
    key: str | None = None,
    usage_event_id: str | None = None,
    engine: str | None = None,
) -> AskedQuestion:
    """Store a question to all current agents of a study.

    Parameters
    ----------
    c, organization_id, study_id, question
        A write connection, the organization, the study, and the question as it was read.
    attachments
        Ids of the attached media assets.
    key
        Its key in the study.
    usage_event_id
        The ledger entry that counts its answers.
    engine
        The engine that was asked for, if any.

    Raises
    ------
    InvalidRequest
        The study already has a question with this key (``details.fields``).
    """
    found = one(c, _AGENT_COUNT, studies, organization_id, study_id, noun="study")
    if found is None:
        raise missing("study", study_id)
    asked: int = found.agent_count
    if key is not None and key in {earlier.key for earlier in list_(c, organization_id, study_id)}:
        problem = f"{key!r} is the key of an earlier question of this study; choose another"
        raise InvalidRequest(f"key: {problem}.", details={"fields": {"key": [problem]}})
    return _insert(
        c,
        organization_id,
        question,
        attachments,
        study_id=study_id,
        asked_of="study",
        asked_count=asked,
        key=key,
        usage_event_id=usage_event_id,
        engine=engine,
    )


def create_direct(
    c: sa.Connection,
    organization_id: int,
    question: Question,
    *,
    asked_of: str,
    asked_count: int,
    attachments: Sequence[int] = (),
    group_id: int | None = None,
    usage_event_id: str | None = None,
    engine: str | None = None,
) -> AskedQuestion:
    """Store a question without a study.

    Parameters
    ----------
    c, organization_id, question
        A write connection, the organization, and the question as it was read.
    asked_of
        ``agent``, ``group``, ``free`` or ``survey``.
    asked_count
        Number of agents asked.
    attachments
        Ids of the attached media assets.
    group_id
        The group asked, if any.
    usage_event_id
        The ledger entry that counts its answers.
    engine
        The engine that was asked for, if any.
    """
    return _insert(
        c,
        organization_id,
        question,
        attachments,
        engine=engine,
        asked_of=asked_of,
        group_id=group_id,
        asked_count=asked_count,
        usage_event_id=usage_event_id,
    )


def get(c: sa.Connection, organization_id: int, reference: int | str) -> AskedQuestion:
    """Return one question by number or UUID; :class:`NotFound` when there is none."""
    row = one(c, _SELECT, questions, organization_id, reference, noun="question")
    if row is None:
        raise missing("question", reference)
    return _question(row)


def engine_of(c: sa.Connection, question_id: int) -> str | None:
    """Return the engine that a question asks for, or None for the default."""
    found: str | None = c.execute(_ENGINE, {"question": question_id}).scalar()
    return found


def list_direct(
    c: sa.Connection, organization_id: int, *, limit: int, offset: int, question_id: int | None = None
) -> tuple[int, list[AskedQuestion]]:
    """Return how many direct questions there are and one page of them, newest first.

    Parameters
    ----------
    c, organization_id
        Where, and whose.
    limit, offset
        Page size, and number of items to skip.
    question_id
        Only this one.
    """
    mine = sa.and_(questions.c.organization_id == organization_id, questions.c.asked_of.in_(DIRECT))
    if question_id is not None:
        mine = sa.and_(mine, questions.c.id == question_id)
    total = c.execute(sa.select(sa.func.count()).select_from(questions).where(mine)).scalar_one()
    page = sa.select(*_COLUMNS).where(mine).order_by(questions.c.id.desc()).limit(limit).offset(offset)
    return total, [_question(row) for row in c.execute(page)]


def list_(
    c: sa.Connection, organization_id: int, study_id: int, *, limit: int | None = None, offset: int = 0
) -> list[AskedQuestion]:
    """Return the questions of a study in the order asked: all of them, or a page."""
    statement = _LIST if limit is None else _LIST.limit(limit).offset(offset)
    rows = c.execute(statement, {"organization": organization_id, "study": study_id}).all()
    return [_question(row) for row in rows]


def answers(
    c: sa.Connection,
    organization_id: int,
    study_id: int | None,
    question_id: int | None = None,
) -> list[Answer]:
    """Return answers in the order given; use :mod:`voxpop.records.bulk` for large reads.

    Parameters
    ----------
    c, organization_id, study_id
        Connection, organization and study; None for a question outside a study.
    question_id
        Only the answers to this question.
    """
    removed_at = (  # not joined, as in voxpop.records.jobs
        sa.select(study_agents.c.removed_at)
        .where(
            study_agents.c.study_id == answers_table.c.study_id,
            study_agents.c.agent_id == answers_table.c.agent_id,
        )
        .scalar_subquery()
    )
    statement = (
        sa.select(*ANSWER_COLUMNS, removed_at.is_not(None))
        .where(answers_table.c.organization_id == organization_id)
        .order_by(answers_table.c.id)
    )
    if question_id is None:
        statement = statement.where(answers_table.c.study_id == study_id)
    else:  # filtering by the study as well would make the database read all answers of the study
        of_study = questions.c.study_id.is_(None) if study_id is None else questions.c.study_id == study_id
        asked_there = sa.exists().where(questions.c.id == question_id, of_study)
        statement = statement.where(answers_table.c.question_id == question_id, asked_there)
    bases = answer_bases.of_study(c, study_id, question_id)
    return [answer_of(row, bases) for row in c.execute(statement).all()]


def answer_of(row: Sequence[Any], told: Mapping[int, Basis]) -> Answer:
    """Return the answer of a row.

    Parameters
    ----------
    row
        Values of :data:`ANSWER_COLUMNS`, and whether the agent was removed from the study.
    told
        Bases by number.
    """
    *values, code, removed = row
    basis = None if code is None else told[code]
    return Answer(*[*values, removed, basis])


def save_answers(c: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> int:
    """Store answers and return their number; a second answer of an agent is ignored.

    Parameters
    ----------
    c
        A connection that writes.
    rows
        Mappings with ``organization_id, study_id, question_id, agent_id, job_id, text, value, option_order,
        answered_at, engine`` and ``basis_code``; :func:`voxpop.records.answer_bases.save` stores the bases
        behind the codes.
    """
    return insert_many(c, answers_table, rows, new_by=("question_id", "agent_id"))


def values(
    c: sa.Connection, question_ids: Sequence[int], agent_ids: Sequence[int]
) -> list[tuple[int, int, Any]]:
    """Return agent, question and coded value of the answers of some agents to some questions."""
    rows = c.execute(_VALUES, {"questions": question_ids, "agents": agent_ids}).all()
    return [(agent, question, value) for agent, question, value in rows]


def words(c: sa.Connection, question_id: int, agent_ids: Sequence[int]) -> dict[int, str]:
    """Return the answers of some agents to a question, in words."""
    rows = c.execute(_WORDS, {"question": question_id, "agents": agent_ids})
    return {agent: text for agent, text in rows}


def history(
    c: sa.Connection, organization_id: int, study_id: int, agent_ids: Iterable[int], before_question_id: int
) -> dict[int, list[Earlier]]:
    """Return the answers of some agents to earlier questions of the study, in the order asked."""
    wanted = {"organization": organization_id, "study": study_id}
    earlier = list(c.execute(_BEFORE, wanted | {"question": before_question_id}).scalars())
    return told(c, earlier, agent_ids)


def told(c: sa.Connection, question_ids: Sequence[int], agent_ids: Iterable[int]) -> dict[int, list[Earlier]]:
    """Return the answers of some agents to some questions, in the order asked."""
    found: defaultdict[int, list[Earlier]] = defaultdict(list)
    if question_ids:
        rows = c.execute(_HISTORY, {"questions": list(question_ids), "agents": list(agent_ids)}).all()
        for agent_id, question_id, text, value in rows:
            found[agent_id].append(Earlier(question_id, text, value))
    return dict(found)


def hold(c: sa.Connection, question_id: int) -> None:
    """Serialize the transactions that ask a question again."""
    c.execute(sa.select(questions.c.id).where(questions.c.id == question_id).with_for_update())


def count_ended(c: sa.Connection, question_id: int, *, answered: int, failed: int) -> None:
    """Add to the numbers of agents who answered a question and who failed."""
    c.execute(_COUNT, {"question": question_id, "answered": answered, "failed": failed})


def count_again(c: sa.Connection, question_id: int, failed: int, usage_event_id: str | None) -> None:
    """Count failed agents as pending again, and charge their answers to another event."""
    count_ended(c, question_id, answered=0, failed=-failed)
    counted = questions.update().where(questions.c.id == question_id)
    c.execute(counted.values(usage_event_id=usage_event_id))


def _insert(
    c: sa.Connection, organization_id: int, question: Question, attachments: Sequence[int], **values: Any
) -> AskedQuestion:
    number = insert(
        c,
        questions,
        uuid=new_uuid(),
        organization_id=organization_id,
        answer_count=0,
        failed_count=0,
        created_at=now(c),
        text=question.text,
        type=question.type,
        options=list(question.options),
        scale=asdict(question.scale) if question.scale is not None else None,
        unit=question.unit[:LONGEST_UNIT] if question.unit is not None else None,
        shuffle_options=question.shuffle_options,
        attachments=list(attachments),
        notice=question.notice,
        **values,
    )
    return get(c, organization_id, number)


def _question(row: sa.Row[Any]) -> AskedQuestion:
    values = dict(row._mapping)
    lists = {name: tuple(values[name]) for name in ("options", "attachments")}
    scale = Scale(**values["scale"]) if values["scale"] is not None else None
    return AskedQuestion(**(values | lists | {"scale": scale}))
