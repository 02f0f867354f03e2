"""Uniform error responses."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from voxpop.errors import FilterError, RateLimited, ServiceError, Unavailable, UsageError
from voxpop.service.bodies import Crowded
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.wire.errors import ErrorResponse

logger: logging.Logger = logging.getLogger("voxpop.service")

_CODES = {
    401: "unauthorized",
    402: "quota_exceeded",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "conflict",
    413: "payload_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
}
_ERROR_CONTENT = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}}
_MEANINGS = {
    400: "The call is malformed, or its filter or fields cannot be used.",
    401: "The key is missing, malformed, unknown or revoked.",
    402: "The month's quota of answers does not cover this call; nothing was queued.",
    403: "The key lacks the scope, or the job belongs to another organization.",
    404: "There is no such thing for this key.",
    409: "The state does not allow this call.",
    413: "The body is too large.",
    415: "The body is not JSON, or the file is not what it is said to be.",
    422: "Strict filters: a value is unknown; details.filters lists each with suggestions.",
    429: "Too many calls in this minute; Retry-After says how many seconds to wait.",
    503: "The service cannot answer now; Retry-After says when to try again.",
}
_KINDS = {
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large",
    "string_type": "must be text",
    "string_unicode": "must be valid Unicode text",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "none_required": "must be null",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be below {lt}",
    "literal_error": "must be {expected}",
    "string_pattern_mismatch": "must match {pattern}",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} character(s)",
    "too_long": "must have at most {max_length} entries",
    "too_short": "must have at least {min_length} entry",
}

_MOST_PROBLEMS = 50
"""Maximum number of problems reported for one body."""

_LONGEST_MESSAGE = 2_000
_LONGEST_NAME = 100

_SECRET_PATHS = ("/shared/", "/pay/checkout/", "/pay/portal/")
_JSON_WORDS = {"None": "null", "True": "true", "False": "false", "nan": "NaN"}


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the error responses of a route for OpenAPI; the list is not exhaustive.

    Routes that need a key (401) are rate-limited, so 429 is added to them.
    """
    wanted = {*statuses, 429} if 401 in statuses else set(statuses)
    # A reference, because the framework would build a parser of the model for every status.
    named: dict[int | str, dict[str, Any]] = {
        status: {"content": _ERROR_CONTENT, "description": _MEANINGS[status]} for status in sorted(wanted)
    }
    return named | {"default": {"model": ErrorResponse, "description": "Any other error, in the same shape."}}


def install(app: FastAPI) -> None:
    """Register handlers that replace the framework's own error responses."""
    app.exception_handlers.update(
        {
            ServiceError: _service_error,
            FilterError: _filter_error,
            UsageError: _usage_error,
            RequestValidationError: _validation_error,
            HTTPException: _http_exception,
        }
    )


def error_answer(
    status: int,
    message: str,
    *,
    code: str | None = None,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error response; the default code follows from the status."""
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}…"
    body: dict[str, Any] = {"code": code or _CODES.get(status, "invalid_request"), "message": message}
    if details:
        body["details"] = details
    content = msgspec.json.encode({"error": body})
    return Response(content, status, headers=dict(headers or {}), media_type="application/json")


def request_id(request: Request) -> str:
    """Return the request id, as sent in ``X-Request-Id``."""
    return str(request.scope.get("voxpop.request_id", ""))


def shown_path(scope: Scope) -> str:
    """Return the path of a call for logs, with the tokens of links masked."""
    path = str(scope["path"])
    secret = next((start for start in _SECRET_PATHS if path.startswith(start)), None)
    return path[:200] if secret is None else f"{secret}…"


async def _service_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    headers: dict[str, str] = {}
    details = dict(error.details)
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, RateLimited):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if error.status >= 500:
        details["request_id"] = request_id(request)
        told = (request.method, shown_path(request.scope), details["request_id"], error.message)
        logger.warning("%s %s failed, request %s: %s", *told)
        if error.status == 503:
            wait = error.retry_after if isinstance(error, Unavailable) else None
            headers["Retry-After"] = str(max(1, math.ceil(wait or 1.0)))
    return error_answer(error.status, error.message, code=error.code, details=details, headers=headers)


async def _filter_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, FilterError)
    return error_answer(
        400, _whole("The filter cannot be used", error.problems), details={"filters": error.problems}
    )


async def _usage_error(request: Request, error: Exception) -> Response:
    return error_answer(400, str(error))


async def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message, headers = str(error.detail), dict(error.headers or {})
    if error.status_code == 404:
        message = f"There is nothing at {request.url.path[:200]}."
    elif error.status_code == 405:
        allowed = ", ".join(_methods_here(request))
        headers["Allow"] = allowed
        message = f"{request.method} is not possible at {request.url.path[:200]}; allowed: {allowed}."
    elif error.status_code == 400:
        return _malformed(message if isinstance(error, Crowded) else "the body must be JSON in UTF-8")
    return error_answer(error.status_code, message, headers=headers)


def _methods_here(request: Request) -> list[str]:
    """Return all methods of a path; the framework reports only those of its first route."""
    found: set[str] = set()
    for method in ("DELETE", "GET", "PATCH", "POST", "PUT"):
        scope = dict(request.scope) | {"method": method}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.router.routes):
            found.add(method)
    return sorted(found)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        reason = problems[0].get("ctx", {}).get("error", "it cannot be read")
        return _malformed(f"the body is not JSON: {reason} at character {problems[0]['loc'][-1]}")
    if any(problem["loc"] == ("body",) and isinstance(problem.get("input"), bytes) for problem in problems):
        given = request.headers.get("content-type", "none")[:100]
        return error_answer(415, f"The body must be sent as Content-Type: application/json, not {given}.")
    fields: dict[str, list[str]] = {}
    for problem in problems[:_MOST_PROBLEMS]:
        place = problem["loc"]
        name = ".".join(str(part)[:_LONGEST_NAME] for part in place[1:]) or "body"
        fields.setdefault(name, []).append(_sentence(problem, _siblings(request, place)))
    return error_answer(400, _whole("The call cannot be used", fields), details={"fields": fields})


def _malformed(reason: str) -> Response:
    return error_answer(400, f"The call cannot be used: {reason}.", details={"fields": {"body": [reason]}})


def _whole(start: str, problems: Mapping[str, Sequence[str]]) -> str:
    told = [f"{name}: {text}" for name, texts in problems.items() for text in texts]
    more = f" (and {len(told) - 3} more)" if len(told) > 3 else ""
    return f"{start}: {'; '.join(told[:3])}{more}"


def _sentence(problem: Mapping[str, Any], siblings: Sequence[str]) -> str:
    kind, given = problem["type"], problem.get("input")
    if kind == "missing":
        return "is required"
    if kind == "extra_forbidden":
        return f"unknown field{_hint(str(problem['loc'][-1]), siblings)}"
    if kind == "value_error":
        return str(problem["ctx"]["error"])
    if kind not in _KINDS:
        return str(problem["msg"])
    from_url = problem["loc"][0] != "body"
    shown = str(given) if from_url else _JSON_WORDS.get(repr(given), repr(given))
    if kind.startswith(("string_too", "too_")):
        shown = str(len(given)) if isinstance(given, str | list) else shown
    return f"{_KINDS[kind].format(**problem.get('ctx', {}))}, not {shown[:80]}"


def _hint(word: str, siblings: Sequence[str]) -> str:
    """Return the field that was probably meant: one that contains the word or is spelled like it."""
    parts = [name for name in siblings if word.casefold() in name.split("_")]
    near = parts or nearest(word, siblings)
    return did_you_mean(near) or (f"; allowed: {', '.join(siblings)}" if siblings else "")


def _siblings(request: Request, place: Sequence[Any]) -> list[str]:
    """Return the field names allowed in the body or in an object inside it."""
    route = request.scope.get("route")
    field = route.body_field if isinstance(route, APIRoute) else None
    model = _model(field.field_info.annotation) if field is not None else None
    for part in place[1:-1]:
        known = model.model_fields.get(part) if model is not None else None
        model = _model(known.annotation) if known is not None else None
    return list(model.model_fields) if model is not None else []


def _model(kind: Any) -> type[BaseModel] | None:
    """Return the model of a field's type, ignoring null."""
    for part in (kind, *getattr(kind, "__args__", ())):
        if isinstance(part, type) and issubclass(part, BaseModel):
            return part
    return None
