"""Previews of study questions: their reading and the bases of their answers, before anything is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import Counted, counted, placeholder_notice
from voxpop.engines.engine import Engine
from voxpop.engines.question import Question
from voxpop.engines.question_fields import read_question
from voxpop.records import studies
from voxpop.service.answering import encoded
from voxpop.service.attaching import attachments_of
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.state import ServiceState
from voxpop.wire.preview import PreviewResponse
from voxpop.wire.questions import AskIn

router: APIRouter = APIRouter(
    prefix="/v1/research-studies/{study_id}", tags=["questions"], route_class=KeyedRoute
)

MOST_AGENTS = 1_000
"""Maximum number of agents looked at."""


@router.post(
    "/questions/preview",
    summary="What the answers to a question would rest on",
    response_model=PreviewResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404),
)
def preview(call: CallDep, study_id: str, body: AskIn) -> Response:
    """Read a question, and count what the answers of the study's agents would rest on.

    Nothing is asked, stored or counted against the quota. Of a large group, 1,000 agents evenly spread over
    it are looked at. Attachments are checked and not read; earlier answers are not considered.
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
        attachments_of(connection, call, body.attachments)
        study = studies.get(connection, call.organization, study_id)
        members = studies.agents(connection, call.organization, study.id)
    present = [member.agent_id for member in members if member.removed_at is None]
    looked_at = _spread(present)
    bases = _bases(call.state, engine, question, looked_at)
    lost = sum(one["answers"] for one in bases if one["kind"] == NONE)
    return encoded(
        {
            "question": _shape(question),
            "engine": engine.name,
            "agent_count": len(present),
            "looked_at": len(looked_at),
            "bases": [
                {"basis": one["kind"], "agents": one["answers"], "notes": one["notes"]} for one in bases
            ],
            "placeholders": placeholder_notice(question.key or question.text, lost, len(looked_at)),
        }
    )


def _spread(agents: Sequence[int]) -> Sequence[int]:
    """Return all agents of a small group, or so many evenly spread over a large one."""
    if len(agents) <= MOST_AGENTS:
        return agents
    return [agents[place * len(agents) // MOST_AGENTS] for place in range(MOST_AGENTS)]


def _bases(state: ServiceState, engine: Engine, question: Question, agents: Sequence[int]) -> Counted:
    if not agents:
        return []
    announced = Counter(engine.basis(question, state.population.agents(agents)))
    return counted((basis.kind, basis.note, count) for basis, count in announced.items())


def _shape(question: Question) -> dict[str, Any]:
    return {
        "key": question.key,
        "question": question.text,
        "type": question.type,
        "options": list(question.options) or None,
        "scale": question.scale,
        "unit": question.unit,
        "shuffle_options": question.shuffle_options,
        "notice": question.notice,
    }
