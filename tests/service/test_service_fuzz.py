"""For any request, valid or not, the service never fails and its responses match their schemas.

``FUZZ_EXAMPLES=500 pytest tests/service/test_service_fuzz.py`` sends so many calls per route and mode.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from media_files import upload_body
from running_service import READ_WRITE, Service, ask, new_study
from voxpop.service.app import ROUTERS

ROUTES = [
    route
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute) and route.include_in_schema
]
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "6"))
BARE = {"/v1/signing-key"}
"""Routes without a key, a parameter or a body: no call of these is wrong."""

CALLS = [
    pytest.param(route, mode, id=f"{min(route.methods)} {route.path} {mode.value}")
    for route in ROUTES
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or (route.path.startswith("/v1") and route.path not in BARE)
]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def real(embedded: Service) -> dict[str, Any]:
    """Path values that name something."""
    http = embedded.client(embedded.key())
    study = new_study(http, 2)
    job_id = ask(http, study, "Do you smoke?")["job_ids"][0]
    group = http.get("/research-groups", params={"limit": 1}).json()["groups"][0]
    asked = http.post("/research-group-requests", json={"request_text": "US adults", "group_size": 3_001})
    request_id = asked.json()["request"]["id"]
    asset = http.post("/media-assets", json=upload_body()).json()["media_asset"]
    direct = http.post(f"/research-groups/{group['id']}/questions", json={"question": "Do you smoke?"})
    survey = {"title": "t", "question": "Which?", "research_group_uuid": group["uuid"]}
    surveyed = http.post("/zeitgeist/surveys/create", json=survey | {"answer_options": ["A", "B"]})
    return {
        "study_id": study["id"],
        "group_id": group["uuid"],
        "group_uuid": group["uuid"],
        "job_id": job_id,
        "request_id": request_id,
        "media_asset_id": asset["uuid"],
        "agent_id": 1,
        "question_id": direct.json()["question_uuid"],
        "survey_id": surveyed.json()["survey"]["uuid"],
    }


@pytest.fixture(scope="module")
def api(embedded: Service) -> Any:
    return schemathesis.openapi.from_url(f"{embedded.root_url}/openapi.json")


@pytest.fixture(scope="module")
def authorization(embedded: Service) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {embedded.key(*READ_WRITE, 'free:ask', 'billing:read', 'billing:write')}"
    }


@pytest.mark.parametrize(("route", "mode"), CALLS)
def test_no_call_makes_the_service_fail(
    api: Any, real: dict[str, Any], authorization: dict[str, str], route: APIRoute, mode: GenerationMode
) -> None:
    operation = api[route.path][min(route.methods)]

    @given(case=operation.as_strategy(generation_mode=mode), named=st.booleans())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def calls(case: schemathesis.Case, named: bool) -> None:
        if named:
            for name in set(case.path_parameters or {}) & set(real):
                case.path_parameters[name] = real[name]
        case.call_and_validate(headers=authorization, checks=CHECKS)

    calls()
