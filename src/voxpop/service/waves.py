"""Waves of a panel: create the next wave of a study, and list the waves."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from voxpop.jobs.waves import next_wave
from voxpop.records import studies, waves
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.filtering import from_body, unknown_in
from voxpop.service.groups import group_shape
from voxpop.service.studies import study_shape
from voxpop.wire.waves import NextWaveIn, NextWaveResponse, WaveList

router: APIRouter = APIRouter(
    prefix="/v1/research-studies/{study_id}", tags=["waves"], route_class=KeyedRoute
)


@router.post(
    "/next-wave",
    summary="Create a study of the same people again",
    response_model=NextWaveResponse,
    status_code=201,
    dependencies=[needs("studies:write", logs="study.next_wave")],
    responses=documented(400, 401, 403, 404, 409),
)
def create(call: CallDep, study_id: str, body: NextWaveIn) -> Response:
    """Create the next wave of a study; it asks nothing yet.

    Agents that were removed from the study do not take part. The agents that stay remember their answers in
    earlier waves.
    """
    state = call.state
    with state.database.begin() as connection:
        made = next_wave(
            connection,
            state.population,
            call.organization,
            study_id,
            refresh=body.refresh,
            attrition=body.attrition,
            seed=body.seed,
            title=body.title,
            objective=body.objective,
            ask=None if getattr(state.runner.respondent, "remote", False) else state.runner.screened,
        )
    call.writing.about("study", made.wave.study.id, made.wave.study.agent_count)
    answer = {
        "wave": wave_shape(made.wave, call.root_url),
        "group": group_shape(made.group, call.root_url),
        "fresh_agent_ids": made.fresh,
    }
    if made.wave.replaced:
        answer |= unknown_in(state.population, from_body(state, made.group.filters))
    return encoded(answer, 201)


@router.get(
    "/waves",
    summary="The waves of a study's panel",
    response_model=WaveList,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def listed(call: CallDep, study_id: str) -> Response:
    """Return all waves of the panel of a study, first to last."""
    with call.state.database.read() as connection:
        study = studies.get(connection, call.organization, study_id)
        found = waves.listed(connection, call.organization, study.panel_uuid)
    shapes = [wave_shape(wave, call.root_url) for wave in found]
    return encoded({"panel_uuid": study.panel_uuid, "waves": shapes})


def wave_shape(wave: waves.Wave, root_url: str) -> dict[str, Any]:
    """Return a wave in its wire form."""
    return {
        "study": study_shape(wave.study, root_url),
        "refresh": wave.refresh,
        "attrition": wave.attrition,
        "seed": wave.seed,
        "stayed": wave.stayed,
        "left_agent_ids": wave.left,
        "replaced_agent_ids": wave.replaced,
    }
