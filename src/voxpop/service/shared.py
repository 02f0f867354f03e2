"""The share page: whoever has the link may read the study, and nobody else."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from voxpop.records import questions, studies
from voxpop.service.answering import JSON, encoded, preferred
from voxpop.service.errors import documented, error_answer
from voxpop.service.pages import SharedStudy, render_share_page, share_headers, share_json
from voxpop.service.state import ServiceState

HTML = "text/html"

router = APIRouter(tags=["shared"])

_FORMS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The study as a page, or as JSON.",
        "content": {JSON: {"schema": {"type": "object"}}},
    }
}


@router.get(
    "/shared/{token}",
    summary="A shared study, for whoever has the link",
    status_code=200,
    responses=_FORMS | documented(404),
)
def share_page(request: Request, token: str) -> Response:
    """Give the study as a page without scripts, or as JSON; 404 as soon as sharing is disabled."""
    state: ServiceState = request.app.state.service
    data = _shared(state, token)
    if data is None:
        answer = error_answer(404, "There is no shared study here; the link may have been disabled.")
    elif preferred(request.headers.get("accept"), (HTML, JSON)) == JSON:
        answer = encoded(share_json(data))
    else:
        answer = HTMLResponse(render_share_page(data))
    answer.headers.update(share_headers() | {"Vary": "Accept"})
    return answer


def _shared(state: ServiceState, token: str) -> SharedStudy | None:
    with state.database.read() as connection:
        opened = studies.by_token(connection, token)
        if opened is None:
            return None
        organization, study_id = opened
        study = studies.get(connection, organization, study_id)
        asked = questions.list_(connection, organization, study_id)
        given = questions.answers(connection, organization, study_id)
        steps = studies.get_steps(connection, organization, study_id)
    wanted = sorted({answer.agent_id for answer in given})
    agents = state.population.agents(wanted) if wanted else []
    return SharedStudy(
        title=study.title,
        objective=study.objective,
        population=state.population.version,
        agent_count=study.agent_count,
        date=study.completed_at or study.created_at,
        questions=asked,
        answers=given,
        agents={agent.id: agent for agent in agents},
        steps=steps,
    )
