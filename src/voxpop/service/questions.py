"""Study questions: ask, and read questions and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from voxpop.engines.basis import Basis
from voxpop.engines.question_fields import read_question
from voxpop.jobs import asking
from voxpop.records import answer_bases, bulk, questions, studies
from voxpop.service.answering import BULK_FORMS, encoded
from voxpop.service.attaching import attachment_shapes, attachments_of
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.bulk import AnswerBatch, study_answers, with_profiles
from voxpop.service.errors import documented
from voxpop.wire.questions import AnswerList, AskIn, AskResponse, QuestionList, UnansweredList

router: APIRouter = APIRouter(
    prefix="/v1/research-studies/{study_id}", tags=["questions"], route_class=KeyedRoute
)


@router.post(
    "/questions",
    summary="Ask the study's agents a question",
    response_model=AskResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="question.ask")],
    responses=documented(400, 401, 402, 403, 404),
)
def ask(call: CallDep, study_id: str, body: AskIn) -> Response:
    """Queue one job per agent, in group order.

    The embedded engine does not read attachments: its agents answer from the words of the question alone, and
    every such answer says so.
    """
    engine = call.state.engines.asked(body.engine)
    read = read_question(
        body.question,
        engine.reader,
        type=body.type,
        options=body.options,
        scale=body.scale.model_dump() if body.scale else None,
        shuffle_options=body.shuffle_options,
        key=body.key,
    )
    question = call.state.noticed(read, engine)
    with call.state.database.read() as connection:
        attached = attachments_of(connection, call, body.attachments)
    asked = asking.ask(
        call.state.database,
        call.state.queue,
        call.organization,
        study_id,
        question,
        meter=call.meter,
        attachments=attached,
        engine=body.engine,
    )
    return _queued(call, asked)


@router.post(
    "/questions/{question_id}/retry",
    summary="Ask the agents again that failed to answer",
    response_model=AskResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="question.retry")],
    responses=documented(400, 401, 402, 403, 404, 409),
)
def ask_again(call: CallDep, study_id: str, question_id: str) -> Response:
    """Queue a new job for each agent whose job failed; none if all have answered.

    Removed agents are not asked. 409 while jobs of the question are unfinished.
    """
    asked = asking.ask_again(
        call.state.database,
        call.state.queue,
        call.organization,
        study_id,
        question_id,
        meter=call.meter,
    )
    return _queued(call, asked)


def _queued(call: Call, asked: asking.AskResult) -> Response:
    with call.state.database.read() as connection:
        shown = attachment_shapes(connection, call, [asked.question])
    answer = {
        "job_ids": asked.job_ids,
        "question_id": asked.question.id,
        "status": "queued",
        "question": question_shape(asked.question, shown.get(asked.question.id)),
        "notice": asked.question.notice,
        "poll_after_s": call.state.poll_after(len(asked.job_ids)),
    }
    call.writing.about("question", asked.question.id, len(asked.job_ids))
    return encoded(answer, 202)


@router.get(
    "/questions",
    summary="The study's questions with their answers so far",
    response_model=QuestionList,
    status_code=200,
    dependencies=[needs("studies:read", logs="study.read_answers")],
    responses=documented(400, 401, 403, 404),
)
def list_questions(
    call: CallDep,
    study_id: str,
    answers: Annotated[bool, Query(description="false leaves the answers out.")] = True,
    limit: Annotated[int | None, Query(ge=1, le=500, description="Questions in one answer.")] = None,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Questions to skip.")] = 0,
) -> Response:
    """Return the questions in the order asked; all of them without ``limit`` and ``offset``."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        page = limit if limit is not None else (study.question_count or 1)
        found = questions.list_(connection, call.organization, study.id, limit=page, offset=offset)
        attached = attachment_shapes(connection, call, found)
        bases = answer_bases.listed(connection, [question.id for question in found])
        removed = bulk.removed_agents(connection, study.id)
        given = {
            question.id: [
                record
                for part in bulk.batches(connection, call.organization, study.id, question_id=question.id)
                for record in AnswerBatch(study.id, part, removed).records()
            ]
            for question in (found if answers else ())
        }
    if answers:
        call.writing.log_reading("study", study.id)
    told = with_profiles(call.state.population, given)
    shapes = [
        question_shape(question, attached.get(question.id), bases.get(question.id, ()))
        | {"answers": told.get(question.id, [])}
        for question in found
    ]
    waiting = sum(question.asked_count - question.answer_count - question.failed_count for question in found)
    return encoded(
        {
            "study_id": study.id,
            "count": study.question_count,
            "questions": shapes,
            "poll_after_s": call.state.poll_after(waiting) if waiting else None,
        }
    )


@router.get(
    "/answers",
    summary="The study's answers in bulk",
    response_model=AnswerList,
    status_code=200,
    dependencies=[needs("studies:read", logs="study.read_answers")],
    responses=BULK_FORMS | documented(400, 401, 403, 404),
)
def bulk_answers(
    call: CallDep,
    request: Request,
    study_id: str,
    after: Annotated[int, Query(ge=0, lt=2**63, description="Only answers with a higher id.")] = 0,
) -> Response:
    """Return one row per agent and question as JSON, NDJSON or Arrow, ordered by answer id."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
    call.writing.log_reading("study", study.id)
    return study_answers(
        call.state.database, call.organization, study.id, after, request.headers.get("accept")
    )


@router.get(
    "/unanswered",
    summary="The study's question jobs without an answer",
    response_model=UnansweredList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def unanswered(call: CallDep, study_id: str) -> Response:
    """Return failed question jobs with their reasons, and unfinished ones."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        found = bulk.unanswered(connection, call.organization, study.id)
    return encoded({"unanswered": found})


def question_shape(
    question: questions.AskedQuestion,
    attachments: Sequence[Mapping[str, Any]] | None = None,
    bases: Sequence[Basis] = (),
) -> dict[str, Any]:
    """Return a question in its wire form, without answers."""
    return {
        "id": question.id,
        "uuid": question.uuid,
        "key": question.key,
        "question": question.text,
        "type": question.type,
        "options": list(question.options) or None,
        "scale": question.scale,
        "unit": question.unit,
        "shuffle_options": question.shuffle_options,
        "asked_count": question.asked_count,
        "answer_count": question.answer_count,
        "failed_count": question.failed_count,
        "created_at": question.created_at,
        "attachments": list(attachments or ()),
        "notice": question.notice,
        "bases": [answer_bases.fields_of(basis) for basis in bases],
        "engine": question.engine,
    }
