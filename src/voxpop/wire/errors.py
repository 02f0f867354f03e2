"""The one shape of every error answer."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from voxpop.wire.base import Out


class ErrorBody(Out):
    """What went wrong, for programs and for people."""

    code: str = Field(description="The kind of error as one word, for example invalid_request.")
    message: str = Field(description="One sentence for people.")
    details: dict[str, Any] | None = Field(
        default=None,
        description="What it was about: fields, filters, steps, required_scope, status or request_id.",
    )


class ErrorAnswer(Out):
    """The body of every answer with a status of 400 or above."""

    error: ErrorBody = Field(description="The error.")
