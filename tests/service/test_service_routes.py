"""The app's routes against a table typed from interface section 4 and the contract, row by row."""

from __future__ import annotations

import httpx
import pytest
from fastapi.routing import APIRoute

from running_service import Service
from voxpop.records.keys import SCOPES
from voxpop.service.app import ROUTERS
from voxpop.service.auth import Needs

READ, WRITE, JOBS = ("studies:read",), ("studies:write",), ("studies:read", "free:ask")
TABLE = {
    ("GET", "/v1/filters", READ, 200),
    ("POST", "/v1/filters/count", READ, 200),
    ("GET", "/v1/agents/search", READ, 200),
    ("GET", "/v1/agents/find", READ, 200),
    ("POST", "/v1/agents/find", READ, 200),
    ("POST", "/v1/research-groups/recruit", WRITE, 201),
    ("GET", "/v1/research-groups", READ, 200),
    ("GET", "/v1/research-groups/{group_id}", READ, 200),
    ("POST", "/v1/research-groups/interview", WRITE, 201),
    ("POST", "/v1/research-groups/create", WRITE, 201),
    ("POST", "/v1/research-groups/bring", WRITE, 201),
    ("POST", "/v1/research-groups/{group_id}/people", WRITE, 200),
    ("DELETE", "/v1/research-groups/{group_id}/people", WRITE, 200),
    ("POST", "/v1/research-groups/{group_id}/update", WRITE, 200),
    ("DELETE", "/v1/research-groups/{group_id}", WRITE, 200),
    ("POST", "/v1/research-groups/{group_uuid}/append", WRITE, 200),
    ("POST", "/v1/research-groups/{group_id}/agents/add", WRITE, 200),
    ("POST", "/v1/research-groups/{group_id}/agents/remove", WRITE, 200),
    ("POST", "/v1/research-groups/{group_id}/agents/replace", WRITE, 200),
    ("POST", "/v1/research-group-requests", WRITE, 202),
    ("GET", "/v1/research-group-requests/{request_id}", READ, 200),
    ("POST", "/v1/research-group-requests/{request_id}/respond", WRITE, 202),
    ("POST", "/v1/research-studies", WRITE, 201),
    ("GET", "/v1/research-studies", READ, 200),
    ("GET", "/v1/research-studies/{study_id}", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/next-wave", WRITE, 201),
    ("GET", "/v1/research-studies/{study_id}/waves", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/questions", WRITE, 202),
    ("GET", "/v1/research-studies/{study_id}/questions", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/questions/preview", READ, 200),
    ("GET", "/v1/research-studies/{study_id}/questions/{question_id}/probabilities", READ, 200),
    ("GET", "/v1/research-studies/{study_id}/answers", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/questions/{question_id}/retry", WRITE, 202),
    ("GET", "/v1/research-studies/{study_id}/unanswered", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/estimate", READ, 200),
    ("GET", "/v1/research-studies/{study_id}/agents", READ, 200),
    ("DELETE", "/v1/research-studies/{study_id}/agents", WRITE, 200),
    ("POST", "/v1/research-studies/{study_id}/agents/remove", WRITE, 200),
    ("POST", "/v1/research-studies/{study_id}/complete", WRITE, 202),
    ("GET", "/v1/research-studies/{study_id}/analysis", READ, 200),
    ("GET", "/v1/research-studies/{study_id}/attestation", READ, 200),
    ("POST", "/v1/research-studies/{study_id}/share", WRITE, 200),
    ("GET", "/v1/research-studies/{study_id}/share", READ, 200),
    ("POST", "/v1/media-assets", WRITE, 201),
    ("GET", "/v1/media-assets", READ, 200),
    ("GET", "/v1/media-assets/{media_asset_id}", READ, 200),
    ("GET", "/v1/media-assets/{media_asset_id}/content", READ, 200),
    ("POST", "/v1/research-agents/{agent_id}/questions", WRITE, 202),
    ("POST", "/v1/research-groups/{group_id}/questions", WRITE, 202),
    ("POST", "/v1/research-groups/{group_id}:ask", WRITE, 202),
    ("GET", "/v1/direct-questions", READ, 200),
    ("GET", "/v1/direct-questions/{question_id}", READ, 200),
    ("POST", "/v1/direct-questions/{question_id}/share", WRITE, 200),
    ("GET", "/v1/direct-questions/{question_id}/share", READ, 200),
    ("POST", "/v1/free/questions", ("free:ask",), 202),
    ("POST", "/v1/zeitgeist/surveys/create", WRITE, 201),
    ("GET", "/v1/zeitgeist/surveys", READ, 200),
    ("GET", "/v1/zeitgeist/surveys/{survey_id}", READ, 200),
    ("GET", "/v1/zeitgeist/surveys/{survey_id}/results", READ, 200),
    ("DELETE", "/v1/zeitgeist/surveys/{survey_id}", WRITE, 204),
    ("POST", "/v1/research-groups:from-description", WRITE, 202),
    ("POST", "/v1/research-study-requests", WRITE, 202),
    ("GET", "/v1/research-study-requests/{request_id}", READ, 200),
    ("POST", "/v1/research-study-requests/{request_id}/respond", WRITE, 202),
    ("POST", "/v1/thesis:compose-and-recruit", WRITE, 202),
    ("GET", "/v1/thesis/{thesis_id}/state", READ, 200),
    ("GET", "/v1/thesis/{thesis_id}", READ, 200),
    ("GET", "/v1/thesis/{thesis_id}/detail", READ, 200),
    ("POST", "/v1/thesis/{thesis_id}/respond", WRITE, 202),
    ("GET", "/v1/organization/operations/{operation_id}", READ, 200),
    ("GET", "/v1/organization/audit-log", ("audit:read",), 200),
    ("POST", "/v1/billing/checkout", ("billing:write",), 201),
    ("GET", "/v1/billing/subscription", ("billing:read",), 200),
    ("GET", "/v1/billing/usage", SCOPES, 200),
    ("GET", "/v1/billing/invoices", ("billing:read",), 200),
    ("POST", "/v1/billing/portal", ("billing:write",), 200),
    ("POST", "/v1/billing/cancel", ("billing:write",), 200),
    ("GET", "/v1/jobs/{job_id}", JOBS, 200),
    ("GET", "/v1/jobs", JOBS, 200),
    ("GET", "/shared/{token}", (), 200),
    ("POST", "/v1/jobs/{job_id}/retry", ("studies:write",), 202),
    ("GET", "/healthz", (), 200),
    ("GET", "/livez", (), 200),
    ("GET", "/readyz", (), 200),
    ("GET", "/v1/signing-key", (), 200),
}
PUBLIC = {"/shared/{token}", "/healthz", "/livez", "/readyz", "/v1/signing-key"}
CONTENT = "/v1/media-assets/{media_asset_id}/content"
"""Answers with a file instead of a model."""

ROUTES = [
    route
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute) and route.include_in_schema  # pages for people have tests of their own
]
KEYED = [route for route in ROUTES if route.path not in PUBLIC]


def scopes(route: APIRoute) -> tuple[str, ...]:
    return tuple(
        scope
        for dependency in route.dependencies
        if isinstance(dependency.dependency, Needs)
        for scope in dependency.dependency.scopes
    )


def name(route: APIRoute) -> str:
    return f"{min(route.methods)} {route.path}"


def filled(route: APIRoute) -> str:
    named = {"group_id": 1, "group_uuid": 1, "study_id": 1, "request_id": "rgr_x", "job_id": "job_x"}
    named |= {
        "thesis_id": 1,
        "operation_id": "x",
        "media_asset_id": 1,
        "agent_id": 1,
        "question_id": 1,
        "survey_id": 1,
    }
    return route.path.format(**named, token="x")


@pytest.fixture(scope="module")
def nobody(embedded: Service) -> httpx.Client:
    return embedded.client()


def assert_error(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"].startswith("req_")
    assert set(answer.json()) == {"error"}
    error = answer.json()["error"]
    assert set(error) <= {"code", "message", "details"}
    assert error["code"] == code
    assert isinstance(error["message"], str)
    assert error["message"]
    return error.get("details", {})


def test_the_routes_are_the_ones_of_the_table() -> None:
    assert {(min(route.methods), route.path, scopes(route), route.status_code) for route in ROUTES} == TABLE
    assert len(ROUTES) == len(TABLE)


def test_only_the_public_routes_need_no_scope() -> None:
    assert {route.path for route in ROUTES if not scopes(route)} == PUBLIC


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_every_route_says_everything_about_itself(route: APIRoute) -> None:
    assert route.summary
    assert route.endpoint.__doc__
    assert len(route.methods) == 1
    assert "default" in route.responses
    without_model = route.path in ("/shared/{token}", CONTENT) or route.status_code == 204
    assert route.response_model is not None or without_model
    if route.path not in PUBLIC:
        assert ({401, 403} if set(scopes(route)) < set(SCOPES) else {401}) <= set(route.responses)


@pytest.mark.parametrize("route", KEYED, ids=name)
@pytest.mark.parametrize(
    "header", [None, "Bearer", "Bearer vp_live_nobody", "Basic dTpw", "Bearer ä".encode("latin-1")]
)
def test_without_a_good_key_every_route_is_a_401(
    nobody: httpx.Client, embedded: Service, route: APIRoute, header: str | bytes | None
) -> None:
    headers = {} if header is None else {"Authorization": header}
    answer = nobody.request(min(route.methods), embedded.root_url + filled(route), headers=headers)
    assert_error(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("route", [route for route in KEYED if set(scopes(route)) < set(SCOPES)], ids=name)
def test_without_the_scope_every_route_is_a_403(
    embedded: Service, nobody: httpx.Client, route: APIRoute
) -> None:
    others = sorted(set(SCOPES) - set(scopes(route)))
    headers = {"Authorization": f"Bearer {embedded.key(*others)}"}
    answer = nobody.request(min(route.methods), embedded.root_url + filled(route), headers=headers)
    assert assert_error(answer, 403, "forbidden") == {"required_scope": scopes(route)[0]}


@pytest.mark.parametrize("path", sorted({route.path for route in ROUTES}))
def test_a_wrong_method_is_a_405_that_names_the_right_ones(
    embedded: Service, nobody: httpx.Client, path: str
) -> None:
    same = [route for route in ROUTES if route.path == path]
    answer = nobody.request("PATCH", embedded.root_url + filled(same[0]))
    assert_error(answer, 405, "method_not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/nothing", "/v1/filters/", "/v2/filters", "/v1/research-studies/1/x"]
)
def test_an_unknown_path_is_a_404(embedded: Service, nobody: httpx.Client, path: str) -> None:
    assert_error(nobody.get(embedded.root_url + path), 404, "not_found")


def test_the_api_description_documents_every_error(embedded: Service, nobody: httpx.Client) -> None:
    document = nobody.get(f"{embedded.root_url}/openapi.json").json()
    for path in document["paths"].values():
        for operation in path.values():
            errors = {
                status: body for status, body in operation["responses"].items() if status[0] not in "23"
            }
            assert errors
            for body in errors.values():
                assert body["content"]["application/json"]["schema"] == {
                    "$ref": "#/components/schemas/ErrorResponse"
                }
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_health_and_documents_need_no_key(embedded: Service, nobody: httpx.Client) -> None:
    health = nobody.get(f"{embedded.root_url}/healthz").json()
    assert health["status"] == "ok"
    assert health["population"]["agents"] == 3_000
    assert nobody.get(f"{embedded.root_url}/docs").status_code == 200
