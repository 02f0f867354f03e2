"""Estimates: what questions would cost, without asking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response

from voxpop.engines.cost import Cost, estimated
from voxpop.engines.question_fields import read_question
from voxpop.jobs.histories import as_asked
from voxpop.records import questions, studies
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.wire.estimates import Estimate, EstimateIn

router: APIRouter = APIRouter(prefix="/v1", tags=["questions"], route_class=KeyedRoute)

_SAMPLED = 20
"""Number of agents whose prompts are measured."""


@router.post(
    "/research-studies/{study_id}/estimate",
    summary="What questions to the study's agents would cost",
    response_model=Estimate,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(400, 401, 403, 404),
)
def estimate(call: CallDep, study_id: str, body: EstimateIn) -> Response:
    """Return calls, tokens, dollars and seconds, from what was observed of the engines; nothing is asked.

    Attachments are not counted.
    """
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        earlier = questions.list_(connection, call.organization, study.id)
        members = studies.agents(connection, call.organization, study.id)
    present = [one.agent_id for one in members if one.removed_at is None]
    sample = call.state.population.agents(present[:_SAMPLED])
    past = [as_asked(one) for one in earlier]
    rows: list[dict[str, Any]] = []
    for asked in body.questions:
        engine = call.state.engines.asked(asked.engine)
        question = read_question(
            asked.question,
            engine.reader,
            type=asked.type,
            options=asked.options,
            scale=asked.scale.model_dump() if asked.scale else None,
            shuffle_options=asked.shuffle_options,
            key=asked.key,
        )
        cost = estimated(engine, sample, len(present), question, past)
        rows.append({"question": question.text, "engine": engine.name, **_shape(cost)})
        past.append(question)
    told = {"agent_count": len(present), **_total(rows), "questions": rows, "notes": _notes(rows)}
    return encoded(told)


def _shape(cost: Cost) -> dict[str, Any]:
    dollars = None if cost.cost_microdollars is None else cost.cost_microdollars / 1_000_000
    return {
        "calls": cost.calls,
        "input_tokens": cost.input_tokens,
        "output_tokens": cost.output_tokens,
        "cost_dollars": dollars,
        "seconds": None if cost.seconds is None else round(cost.seconds, 1),
        "observed_calls": cost.observed,
    }


def _total(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the sums of the questions; a sum with an unknown part is unknown."""
    total: dict[str, Any] = {}
    for name in ("calls", "input_tokens", "output_tokens", "cost_dollars", "seconds"):
        parts = [row[name] for row in rows]
        total[name] = None if None in parts else round(sum(parts), 6)
    return total


def _notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return one sentence for each thing that is not known of an engine."""
    notes = []
    for row in rows:
        if row["cost_dollars"] is None:
            notes.append(
                f"The price of {row['engine']} is not known, so the cost is not either; "
                "VOXPOP_ENGINE_PRICES sets it."
            )
        if row["calls"] and not row["observed_calls"]:
            notes.append(
                f"No call of {row['engine']} was observed yet: tokens are usual sizes, time is unknown."
            )
    return list(dict.fromkeys(notes))
