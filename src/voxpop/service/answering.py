"""Successful responses, encoded once in the requested format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from fastapi import Response

JSON = "application/json"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

BULK_FORMS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            NDJSON: {"schema": {"type": "string", "description": "One record on each line."}},
            ARROW: {"schema": {"type": "string", "format": "binary", "description": "An Arrow IPC stream."}},
        }
    }
}
"""Formats of bulk reads besides JSON, by Accept header."""

_encoder = msgspec.json.Encoder()


def encoded(data: Any, status: int = 200) -> Response:
    """Return a JSON response of plain values, records and agents.

    Examples
    --------
    >>> encoded({"count": 1}).body
    b'{"count":1}'
    """
    return Response(_encoder.encode(data), status, media_type=JSON)


def paged(name: str, items: Iterable[Any], *, total: int, limit: int, offset: int) -> Response:
    """Return the response of a list paged by ``limit`` and ``offset``."""
    return encoded({name: list(items), "total": total, "limit": limit, "offset": offset})


def preferred(accept: str | None, forms: Sequence[str]) -> str:
    """Return the format preferred by an Accept header, or the first one.

    Examples
    --------
    >>> preferred("application/x-ndjson, application/json;q=0.5", (JSON, NDJSON))
    'application/x-ndjson'
    >>> preferred("*/*", (JSON, NDJSON)), preferred(None, (JSON, NDJSON))
    ('application/json', 'application/json')
    """
    best, chosen = 0.0, forms[0]
    for part in (accept or "").split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((_number(text[2:]) for text in parameters if text.startswith("q=")), 1.0)
        if name in forms and weight > best:
            best, chosen = weight, name
    return chosen


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
