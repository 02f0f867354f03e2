"""Zeitgeist surveys: one closed question to a group, with counts and paged responses."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from voxpop.engines.basis_counts import placeholder_notice
from voxpop.engines.question_fields import read_question
from voxpop.jobs.surveying import survey
from voxpop.records import answer_bases, groups, surveys
from voxpop.records.questions import Answer
from voxpop.records.references import new_uuid
from voxpop.records.surveys import SURVEY, Survey
from voxpop.service.answering import encoded, paged
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.studies import group_reference
from voxpop.wire.surveys import SurveyCreated, SurveyIn, SurveyList, SurveyResponse, SurveyResults

router: APIRouter = APIRouter(prefix="/v1/zeitgeist/surveys", tags=["surveys"], route_class=KeyedRoute)

_STATUS = {"started": "running", "finished": "completed", "failed": "failed"}
_SHOWN_OF_AGENTS = ("name", "age", "city", "state", "country", "occupation", "summary")


@router.post(
    "/create",
    summary="Survey a group with one closed question",
    response_model=SurveyCreated,
    status_code=201,
    dependencies=[needs("studies:write", logs="survey.create")],
    responses=documented(400, 401, 402, 403, 404, 409),
)
def create(call: CallDep, body: SurveyIn) -> Response:
    """Queue one job that asks every current agent of the group."""
    reference = group_reference(body.research_group_uuid)
    engine = call.state.engines.asked(body.engine)
    question = read_question(body.question, engine.reader, type="single_choice", options=body.answer_options)
    number = new_uuid()
    with call.state.database.begin() as connection:
        group = groups.hold(connection, call.organization, reference)
        members = groups.member_ids(connection, call.organization, group.id)
        detail = {"survey_uuid": number}
        asked = survey(
            connection,
            call.meter,
            SURVEY,
            members,
            question,
            group_id=group.id,
            engine=body.engine,
            detail=detail,
        )
        surveys.create(
            connection,
            call.organization,
            uuid=number,
            title=body.title,
            question_id=asked.question.id,
            job_id=asked.job_id,
        )
        made = surveys.get(connection, call.organization, number)
    call.state.queue.put([asked.item_id])
    call.writing.about("survey", made.id, len(members))
    hint = call.state.poll_after(len(members))
    shape = survey_shape(made, call.root_url)
    return encoded({"survey": shape, "job_id": made.job_id, "poll_after_s": hint}, 201)


@router.get(
    "",
    summary="Surveys, newest first",
    response_model=SurveyList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def list_surveys(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=500, description="Surveys in one answer.")] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Surveys to skip.")] = 0,
) -> Response:
    """Return one page of the organization's surveys."""
    with call.state.database.read() as connection:
        total, found = surveys.list_(connection, call.organization, limit=limit, offset=offset)
    shapes = [survey_shape(one, call.root_url) for one in found]
    return paged("surveys", shapes, total=total, limit=limit, offset=offset)


@router.get(
    "/{survey_id}",
    summary="One survey",
    response_model=SurveyResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, survey_id: str) -> Response:
    """Return a survey by id or UUID."""
    with call.state.database.read() as connection:
        found = surveys.get(connection, call.organization, survey_id)
    return encoded({"survey": survey_shape(found, call.root_url)})


@router.get(
    "/{survey_id}/results",
    summary="How often each option was chosen, and the responses in pages",
    response_model=SurveyResults,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404),
)
def results(
    call: CallDep,
    survey_id: str,
    page: Annotated[int, Query(ge=1, le=10_000_000, description="The page of responses, from 1.")] = 1,
    page_size: Annotated[int, Query(ge=1, le=500, description="Responses on a page.")] = 50,
) -> Response:
    """Return the results so far, including options that nobody chose."""
    with call.state.database.read() as connection:
        found = surveys.get(connection, call.organization, survey_id)
        counts = surveys.counts(connection, found.question_id)
        lost = surveys.placeholders(connection, found.question_id)
        given = surveys.responses(
            connection, found.question_id, limit=page_size, offset=(page - 1) * page_size
        )
    base = sum(counts.get(option, 0) for option in found.options)
    total = sum(counts.values())
    answer = {
        "survey": survey_shape(found, call.root_url),
        "results": [_result(option, counts.get(option, 0), base) for option in found.options],
        "base": base,
        "no_value": total - base,
        "placeholders": placeholder_notice(found.title, lost, total),
        "responses": _responses(call, given),
        "page": page,
        "page_size": page_size,
        "total": total,
        "pages": -(-total // page_size),
    }
    return encoded(answer)


@router.delete(
    "/{survey_id}",
    summary="Delete a survey",
    response_class=Response,
    status_code=204,
    dependencies=[needs("studies:write", logs="survey.delete")],
    responses=documented(401, 403, 404),
)
def delete(call: CallDep, survey_id: str) -> Response:
    """Delete a survey and its results; its job stays readable."""
    with call.state.database.begin() as connection:
        found = surveys.get(connection, call.organization, survey_id)
        surveys.delete(connection, call.organization, found.id)
    call.writing.about("survey", found.id)
    return Response(status_code=204)


def survey_shape(one: Survey, root_url: str) -> dict[str, Any]:
    """Return a survey in its wire form."""
    return {
        "id": one.id,
        "uuid": one.uuid,
        "title": one.title,
        "question": one.question,
        "answer_options": list(one.options),
        "research_group_uuid": one.group_uuid,
        "status": _STATUS[one.job_status],
        "job_id": one.job_id,
        "asked_count": one.asked_count,
        "answer_count": one.answer_count,
        "failed_count": one.failed_count,
        "url": f"{root_url}/v1/zeitgeist/surveys/{one.id}",
        "created_at": one.created_at,
    }


def _result(option: str, count: int, base: int) -> dict[str, Any]:
    return {"option": option, "count": count, "share": count / base if base else None}


def _responses(call: Call, given: list[Answer]) -> list[dict[str, Any]]:
    agents = call.state.population.agents([answer.agent_id for answer in given]) if given else []
    return [
        {
            "id": answer.id,
            "question_id": answer.question_id,
            "agent_id": answer.agent_id,
            "job_id": answer.job_id,
            "response_text": answer.text,
            "value": answer.value,
            "option_order": answer.option_order,
            "answered_at": answer.answered_at,
            "engine": answer.engine,
            **answer_bases.fields_of(answer.basis),
            **{f"agent_{name}": getattr(agent, name) for name in _SHOWN_OF_AGENTS},
        }
        for answer, agent in zip(given, agents, strict=True)
    ]
