"""Share pages, readable by anybody with the link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from voxpop.records import direct_questions, questions, studies
from voxpop.service.answering import JSON, encoded, preferred
from voxpop.service.auth import FairRoute
from voxpop.service.direct_records import one_record, shared_record
from voxpop.service.errors import documented, error_answer
from voxpop.service.pages import page_headers
from voxpop.service.question_view import render_direct_question_page
from voxpop.service.share_view import SharedStudy, render_share_page, share_json
from voxpop.service.state import ServiceState

HTML = "text/html"

router: APIRouter = APIRouter(tags=["shared"], route_class=FairRoute)

_FORMS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What is shared as a page, or as JSON.",
        "content": {HTML: {"schema": {"type": "string"}}, JSON: {"schema": {"type": "object"}}},
    }
}


@router.get(
    "/shared/{token}",
    summary="A shared study or direct question, for whoever has the link",
    status_code=200,
    responses=_FORMS | documented(404),
)
def share_page(request: Request, token: str) -> Response:
    """Return the shared resource as a page without scripts or as JSON; 404 once sharing is disabled."""
    state: ServiceState = request.app.state.service
    shown = _study(state, token) or _question(state, token)
    if shown is None:
        answer = error_answer(404, "There is nothing shared here; the link may have been disabled.")
    elif preferred(request.headers.get("accept"), (HTML, JSON)) == JSON:
        answer = encoded(shown.as_json())
    else:
        answer = HTMLResponse(shown.as_page())
    answer.headers.update(page_headers() | {"Vary": "Accept"})
    return answer


@dataclass(frozen=True, slots=True)
class _Shown:
    """A shared resource as HTML and JSON."""

    as_json: Callable[[], dict[str, Any]]
    as_page: Callable[[], str]


def _study(state: ServiceState, token: str) -> _Shown | None:
    data = _shared(state, token)
    return None if data is None else _Shown(partial(share_json, data), partial(render_share_page, data))


def _question(state: ServiceState, token: str) -> _Shown | None:
    with state.database.read() as connection:
        opened = direct_questions.by_token(connection, token)
    if opened is None:
        return None
    record = one_record(state, opened[0], "", opened[1])
    return _Shown(partial(shared_record, record), partial(render_direct_question_page, record))


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
