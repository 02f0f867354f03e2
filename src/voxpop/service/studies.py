"""Studies: create, read, complete, share, and remove agents."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from voxpop.errors import InvalidRequest
from voxpop.jobs import steps
from voxpop.records import groups, studies
from voxpop.service.answering import BULK_FORMS, encoded, paged
from voxpop.service.auth import Call, CallDep, KeyedRoute, needs
from voxpop.service.bulk import study_agents
from voxpop.service.errors import documented
from voxpop.wire.studies import (
    COMPLETION_STEPS,
    Analysis,
    CompleteIn,
    CompleteResponse,
    RemoveAgentsIn,
    RemoveAgentsResponse,
    ShareIn,
    ShareResponse,
    StudyAgents,
    StudyIn,
    StudyList,
    StudyResponse,
)

router: APIRouter = APIRouter(prefix="/v1/research-studies", tags=["studies"], route_class=KeyedRoute)


@router.post(
    "",
    summary="Create a study on a group",
    response_model=StudyResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="study.create")],
    responses=documented(400, 401, 403, 404, 409),
)
def create(call: CallDep, body: StudyIn) -> Response:
    """Create a study of the current agents of a group."""
    reference = group_reference(body.research_group_uuid)
    with call.state.database.begin() as connection:
        group = groups.hold(
            connection, call.organization, reference
        )  # locked, so that nobody joins it meanwhile
        study = studies.create(
            connection, call.organization, title=body.title, objective=body.objective, group=group
        )
    call.writing.about("study", study.id, study.agent_count)
    return encoded({"study": study_shape(study, call.root_url)}, 201)


@router.get(
    "",
    summary="Studies, newest first",
    response_model=StudyList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403),
)
def list_studies(
    call: CallDep,
    limit: Annotated[int, Query(ge=1, le=500, description="Studies in one answer.")] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**63, description="Studies to skip.")] = 0,
) -> Response:
    """Return one page of the organization's studies."""
    with call.state.database.read() as connection:
        total, found = studies.list_(connection, call.organization, limit=limit, offset=offset)
    shapes = [study_shape(study, call.root_url) for study in found]
    return paged("studies", shapes, total=total, limit=limit, offset=offset)


@router.get(
    "/{study_id}",
    summary="One study",
    response_model=StudyResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, study_id: str) -> Response:
    """Return a study by id or UUID."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
    return encoded({"study": study_shape(study, call.root_url)})


@router.post(
    "/{study_id}/complete",
    summary="Run the analysis of a study",
    response_model=CompleteResponse,
    status_code=202,
    dependencies=[needs("studies:write", logs="study.complete")],
    responses=documented(400, 401, 403, 404, 409),
)
def complete(call: CallDep, study_id: str, body: CompleteIn) -> Response:
    """Queue the unfinished completion steps, or all of them with ``force``."""
    job_id, queued = steps.complete(
        call.state.database, call.state.queue, call.organization, study_id, body.steps, force=body.force
    )
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
    call.writing.about("study", study.id, len(queued))
    hint = call.state.poll_after(len(queued)) if job_id else None
    return encoded({"job_id": job_id, "queued_steps": queued, "poll_after_s": hint}, 202)


@router.get(
    "/{study_id}/analysis",
    summary="Results of the completion steps",
    response_model=Analysis,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def analysis(call: CallDep, study_id: str) -> Response:
    """Return the available results, by step."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        results = studies.get_steps(connection, call.organization, study.id)
    ordered = {step: results[step] for step in COMPLETION_STEPS if step in results}
    return encoded({"study_id": study.id, "stage": study.stage, "steps": ordered})


@router.post(
    "/{study_id}/share",
    summary="Enable or disable the share page",
    response_model=ShareResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="study.share")],
    responses=documented(400, 401, 403, 404),
)
def share(call: CallDep, study_id: str, body: ShareIn) -> Response:
    """Enable or disable the share link of the study."""
    with call.state.database.begin() as connection:
        study = studies.get(connection, call.organization, study_id)
        state = studies.share(connection, call.organization, study.id, body.enabled)
    call.writing.about("study", study.id, action="study.share" if body.enabled else "study.unshare")
    return _share_answer(call, state)


@router.get(
    "/{study_id}/share",
    summary="Sharing state",
    response_model=ShareResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def read_share(call: CallDep, study_id: str) -> Response:
    """Return the share state of the study."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        state = studies.get_share(connection, call.organization, study.id)
    return _share_answer(call, state)


@router.get(
    "/{study_id}/agents",
    summary="The study's agents",
    response_model=StudyAgents,
    status_code=200,
    dependencies=[needs("studies:read", logs="study.read_agents")],
    responses=BULK_FORMS | documented(401, 403, 404),
)
def agents(call: CallDep, request: Request, study_id: str) -> Response:
    """Return the full records of the study's agents as JSON, NDJSON or Arrow, with removed ones marked."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        members = studies.agents(connection, call.organization, study.id)
    call.writing.log_reading("study", study.id)
    return study_agents(call.state.population, members, request.headers.get("accept"))


@router.delete(
    "/{study_id}/agents",
    summary="Remove agents from a study",
    response_model=RemoveAgentsResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="study.remove_agents")],
    responses=documented(400, 401, 403, 404),
)
def remove_agents(call: CallDep, study_id: str, body: RemoveAgentsIn) -> Response:
    """Remove agents from the study; their earlier answers stay, marked as removed."""
    return _remove(call, study_id, body)


@router.post(
    "/{study_id}/agents/remove",
    summary="Remove agents from a study, for clients that send no body with DELETE",
    response_model=RemoveAgentsResponse,
    status_code=200,
    dependencies=[needs("studies:write", logs="study.remove_agents")],
    responses=documented(400, 401, 403, 404),
)
def remove_agents_by_post(call: CallDep, study_id: str, body: RemoveAgentsIn) -> Response:
    """Remove agents from the study; their earlier answers stay, marked as removed."""
    return _remove(call, study_id, body)


def study_shape(study: studies.Study, root_url: str) -> dict[str, Any]:
    """Return a study in its wire form."""
    return {
        "id": study.id,
        "uuid": study.uuid,
        "title": study.title,
        "objective": study.objective,
        "stage": study.stage,
        "research_group_uuid": study.group_uuid,
        "agent_count": study.agent_count,
        "question_count": study.question_count,
        "url": f"{root_url}/v1/research-studies/{study.id}",
        "created_at": study.created_at,
        "completed_at": study.completed_at,
        "wave": study.wave,
        "panel_uuid": study.panel_uuid,
    }


def _remove(call: Call, study_id: str, body: RemoveAgentsIn) -> Response:
    with call.state.database.begin() as connection:
        study = studies.get(connection, call.organization, study_id)
        removed, not_found = studies.remove_agents(connection, call.organization, study.id, body.agent_ids)
    call.writing.about("study", study.id, len(removed))
    left = study.agent_count - len(removed)
    return encoded({"removed": removed, "not_found": not_found, "agent_count": left})


def _share_answer(call: Call, state: studies.Share) -> Response:
    link = f"{call.root_url}/shared/{state.token}" if state.enabled else None
    return encoded({"enabled": state.enabled, "url": link, "share_link": link})


def group_reference(text: str) -> str:
    """Return the dashed UUID of the body's group; refuse an id."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        problem = f"must be the group's UUID, as in group.uuid of the recruit answer, not {text[:80]!r}"
        raise InvalidRequest(
            f"research_group_uuid {problem}.", details={"fields": {"research_group_uuid": [problem]}}
        ) from None
