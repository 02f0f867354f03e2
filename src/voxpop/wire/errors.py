"""The uniform error response."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from voxpop.wire.base import Out


class ErrorBody(Out):
    """An error with a code for programs and a message for people."""

    code: str = Field(description="The kind of error as one word, for example invalid_request.")
    message: str = Field(description="One sentence for people.")
    details: dict[str, Any] | None = Field(
        default=None,
        description="What it was about: fields, filters, steps, required_scope, status or request_id.",
    )


class ErrorResponse(Out):
    """Body of every answer with a status of 400 or above."""

    error: ErrorBody = Field(description="The error.")
