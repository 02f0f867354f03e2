"""Free questions: a fixed panel of twelve agents answers in one job."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Response

from voxpop.engines.agents import Agent
from voxpop.engines.question_fields import read_question
from voxpop.jobs.surveying import FREE, SHOWN_OF_AGENTS, survey
from voxpop.population.file import Population
from voxpop.population.sampling import AGE_BANDS
from voxpop.service.accepting import IdempotencyKey, Started, accepted
from voxpop.service.attaching import attachments_of
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.vocabulary.filters import where
from voxpop.wire.free import FreeAskIn, FreeAskResponse

router: APIRouter = APIRouter(prefix="/v1", tags=["free"], route_class=KeyedRoute)

_PANEL_SEED = 12


@router.post(
    "/free/questions",
    summary="Ask the free panel a question, in one call",
    response_model=FreeAskResponse,
    status_code=202,
    dependencies=[needs("free:ask", logs="free_question.ask")],
    responses=documented(400, 401, 402, 403, 409),
)
async def ask(call: CallDep, body: FreeAskIn, key: IdempotencyKey) -> Response:
    """Ask the panel once per idempotency key; the job's result has all replies."""
    engine = call.state.engines.asked(body.engine)
    question = call.state.noticed(read_question(body.question, engine.reader), engine)
    members = panel(call.state.population)

    def start(c: sa.Connection, operation_id: str) -> Started:
        agent_ids = [agent.id for agent in members]
        attached = attachments_of(c, call, body.attachments)
        asked = survey(
            c,
            call.meter,
            FREE,
            agent_ids,
            question,
            attachments=attached,
            engine=body.engine,
            operation_id=operation_id,
        )
        call.writing.about("free_question", asked.question.id, len(members))
        fields = {
            "count": len(members),
            "agents": [_shape(agent) for agent in members],
            "agent_ids": agent_ids,
            "notice": question.notice,
        }
        return Started(asked.job_id, None, [asked.usage], fields, [asked.item_id])

    return await accepted(call, "free", key, start, wait_seconds=body.wait_seconds)


@lru_cache(maxsize=2)
def panel(population: Population) -> tuple[Agent, ...]:
    """Return the fixed free panel: one man and one woman from each of six age bands."""
    drawn: list[int] = []
    for gender in ("male", "female"):
        adults = where(country="USA", gender=gender)
        drawn += population.sample(adults, len(AGE_BANDS) + 1, seed=_PANEL_SEED, method="balanced")
    return tuple(population.agents(sorted(drawn)))


def _shape(agent: Agent) -> dict[str, Any]:
    return {"id": agent.id, **{name: getattr(agent, name) for name in SHOWN_OF_AGENTS}}
