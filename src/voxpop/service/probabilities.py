"""The distributions from which a language model's answers were drawn."""

from __future__ import annotations

from fastapi import APIRouter, Response

from voxpop.records import model_calls, questions, studies
from voxpop.records.references import missing
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.wire.probabilities import ProbabilityList

router: APIRouter = APIRouter(
    prefix="/v1/research-studies/{study_id}", tags=["questions"], route_class=KeyedRoute
)


@router.get(
    "/questions/{question_id}/probabilities",
    summary="The distributions from which answers were drawn",
    response_model=ProbabilityList,
    status_code=200,
    dependencies=[needs("studies:read", logs="study.read_answers")],
    responses=documented(401, 403, 404),
)
def read(call: CallDep, study_id: str, question_id: str) -> Response:
    """Return the latest distribution of each agent, by token probabilities of a language model.

    Only engines with ``VOXPOP_ENGINE_PROBABILITIES`` at a server that gives them have any.
    """
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        asked = questions.get(connection, call.organization, question_id)
        if asked.study_id != study.id:
            raise missing("question", question_id)
        calls = model_calls.of_question(connection, call.organization, asked.id)
    latest = {one.agent_id: one for one in calls if one.probabilities is not None}
    call.writing.log_reading("study", study.id)
    return encoded(
        {
            "question_id": asked.id,
            "probabilities": [
                {"agent_id": one.agent_id, "engine": one.engine, **(one.probabilities or {})}
                for one in latest.values()
            ],
        }
    )
