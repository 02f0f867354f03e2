"""Error answers become the class for their status, with code, message, details and request id."""

from __future__ import annotations

import httpx
import pytest
from scripted_service import Script, refuse

from voxpop import errors


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_request", errors.InvalidRequest),
        (401, "unauthorized", errors.Unauthorized),
        (402, "quota_exceeded", errors.QuotaExceeded),
        (403, "forbidden", errors.Forbidden),
        (404, "not_found", errors.NotFound),
        (405, "method_not_allowed", errors.InvalidRequest),
        (409, "conflict", errors.Conflict),
        (413, "payload_too_large", errors.InvalidRequest),
        (422, "invalid_request", errors.InvalidRequest),
        (418, "teapot", errors.ServiceError),
        (507, "full", errors.Unavailable),
    ],
)
def test_status_to_class(script: Script, status: int, code: str, kind: type[Exception]) -> None:
    details = {"fields": {"a": ["b"]}}
    told = refuse(status, code, "No.", details=details, headers={"X-Request-Id": "req_1"})
    script.on("GET", "/research-studies/1", told)
    with pytest.raises(errors.ServiceError) as caught:
        script.client().studies.get(1)
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.code, error.message, error.details, error.request_id) == (
        status,
        code,
        "No.",
        details,
        "req_1",
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            httpx.Response(404, text="<h1>nginx</h1>", headers={"Content-Type": "text/html"}),
            "404 Not Found with text/html",
        ),
        (httpx.Response(400, json=["what"]), "400 Bad Request"),
        (httpx.Response(400, json={"detail": "Bad things."}), "Bad things"),
        (httpx.Response(400, json={"error": "flat words"}), "flat words"),
        (
            httpx.Response(301, headers={"Location": "https://service.test/v1"}),
            "https://service.test/v1: use that",
        ),
        (httpx.Response(400, content=b"\xff\xfe"), "400 Bad Request"),
        (
            httpx.Response(400, json={"error": {"code": 7, "message": None, "details": "x"}}),
            "400 Bad Request",
        ),
    ],
)
def test_errors_of_another_shape_still_say_what_happened(
    script: Script, answer: httpx.Response, words: str
) -> None:
    script.on("GET", "/research-studies/1", answer)
    with pytest.raises(errors.ServiceError, match=words):
        script.client().studies.get(1)


def test_a_web_page_instead_of_json_says_that_the_address_may_be_wrong(script: Script) -> None:
    page = httpx.Response(
        200, text="<html>hello</html>", headers={"Content-Type": "text/html; charset=utf-8"}
    )
    script.on("GET", "/research-studies/1", page)
    with pytest.raises(errors.ServiceError, match="answered text/html instead of JSON"):
        script.client().studies.get(1)


def test_an_answer_of_another_shape_names_the_field(script: Script) -> None:
    script.on("GET", "/jobs/job_1", {"id": "job_1", "status": 5})
    with pytest.raises(errors.ServiceError, match="Job cannot be read: status"):
        script.client().jobs.get("job_1")


def test_a_key_that_the_service_repeats_is_not_passed_on(script: Script) -> None:
    script.on("GET", "/research-studies/1", refuse(401, "unauthorized", f"Unknown key {script.key}."))
    with pytest.raises(errors.Unauthorized) as caught:
        script.client().studies.get(1)
    assert caught.value.message == "Unknown key …a1b2."
    assert script.key not in repr(caught.value)
