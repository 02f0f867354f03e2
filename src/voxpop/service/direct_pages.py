"""The page of a direct question, which requires a key of its organization.

The key is sent in a header or through the form of the page. It is checked and discarded: it appears in no
URL, cookie or page.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.security.utils import get_authorization_scheme_param

from voxpop.errors import Forbidden, NotFound, Unauthorized
from voxpop.records import direct_questions
from voxpop.service.admission import run_in_threadpool
from voxpop.service.auth import FairRoute, Needs, owner
from voxpop.service.direct_records import PAGES, one_record
from voxpop.service.pages import page_headers
from voxpop.service.question_view import render_direct_question_page, render_key_page
from voxpop.service.state import ServiceState

router: APIRouter = APIRouter(prefix=PAGES, tags=["pages"], include_in_schema=False, route_class=FairRoute)

_LONGEST_FORM = 4_096
_READERS = Needs("studies:read")


@router.get("/{question_id}")
async def page(request: Request, question_id: str) -> Response:
    """Show the question if the header has a key; otherwise ask for one."""
    scheme, key = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not key:
        return _html(render_key_page(), 401)
    return await _opened(request, question_id, key)


@router.post("/{question_id}")
async def page_by_form(request: Request, question_id: str) -> Response:
    """Show the question if the form has a key."""
    sent = (await request.body())[:_LONGEST_FORM].decode("utf-8", "replace")
    keys = parse_qs(sent, separator="&").get("key", [])
    if not keys or not keys[0].strip():
        return _html(render_key_page(refused="Give a key."), 401)
    return await _opened(request, question_id, keys[0].strip())


async def _opened(request: Request, question_id: str, key: str) -> Response:
    state: ServiceState = request.app.state.service
    try:
        caller = await _READERS.let_in(state, await owner(request, key))
        shown = await run_in_threadpool(_shown, state, caller.organization_id, state.root_url, question_id)
    except (Unauthorized, Forbidden) as refusal:
        return _html(render_key_page(refused=refusal.message), refusal.status)
    except NotFound:
        return _html(render_key_page(gone=True), 404)
    return _html(shown, 200)


def _shown(state: ServiceState, organization_id: int, root_url: str, question_id: str) -> str:
    with state.database.read() as connection:
        found = direct_questions.get(connection, organization_id, question_id)
    return render_direct_question_page(one_record(state, organization_id, root_url, found))


def _html(text: str, status: int) -> Response:
    answer = HTMLResponse(text, status, headers=page_headers(forms_to=["'self'"]))
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
