"""Request bodies: JSON with a bounded number of values, so that parsing never blocks other calls."""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Self

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

MOST_VALUES = 50_000
"""Maximum number of values in a body, counted by commas and brackets before parsing."""

MOST_NAMES = 100
"""Maximum number of names in one object, more than any known object has."""

_PIECE = 2**20
_MARKS = (b",", b"[", b"{")


class Crowded(HTTPException):
    """Raised for a body that is too large to parse; ``detail`` says so."""

    def __init__(self, reason: str) -> None:
        super().__init__(400, reason)


class JsonRequest(Request):
    """A request that parses its body only within these limits."""

    @asynccontextmanager
    async def received(self) -> AsyncIterator[Self]:
        """Receive the body before taking shared resources, so that a slow caller delays nobody."""
        try:
            await self.body()
        except ClientDisconnect:
            raise HTTPException(400, "the caller has hung up") from None
        yield self

    async def json(self) -> Any:
        """Return the parsed JSON body."""
        if not hasattr(self, "_json"):
            body = await self.body()
            refuse_many_values(body)
            self._json = json.loads(body)
            refuse_many_names(self._json)
        return self._json

    async def digest(self) -> str:
        """Return a digest of address and body; equal JSON values have equal digests."""
        body = await self.body()
        return digest_of(self.method, self.url.path, self.url.query, await self.json() if body else None)


def digest_of(method: str, path: str, query: str, sent: Any) -> str:
    """Digest a call: the order of names, white space and ``wait_seconds`` do not count.

    Examples
    --------
    >>> one = digest_of("POST", "/a", "", {"x": 1, "y": [2.0], "wait_seconds": 5})
    >>> one == digest_of("POST", "/a", "", {"y": [2], "x": 1})
    True
    >>> one == digest_of("POST", "/b", "", {"y": [2], "x": 1})
    False
    """
    if isinstance(sent, dict):
        sent = {name: value for name, value in sent.items() if name != "wait_seconds"}
    # An earlier version digested the path alone, and its operations are repeated for ever.
    place = path if method == "POST" and not query else f"{method} {path}?{query}"
    text = json.dumps([place, _plain(sent)], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Write numbers in one way, so that 2.0 and 2 are the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def refuse_many_values(body: bytes | bytearray | mmap.mmap) -> None:
    """Raise :class:`Crowded` for JSON text with more than :data:`MOST_VALUES` values.

    Examples
    --------
    >>> refuse_many_values(b'{"agent_ids": [1, 2]}')
    >>> refuse_many_values(b"[" * 60_000)
    Traceback (most recent call last):
    ...
    voxpop.service.bodies.Crowded: 400: the body has more than 50,000 commas and brackets
    """
    found = 0
    for start in range(0, len(body), _PIECE):  # in between, other threads may run
        piece = body[start : start + _PIECE]
        found += sum(piece.count(mark) for mark in _MARKS)
    if found > MOST_VALUES:
        raise Crowded(f"the body has more than {MOST_VALUES:,} commas and brackets")


def refuse_many_names(data: Any) -> None:
    """Raise :class:`Crowded` when an object has more than :data:`MOST_NAMES` names."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            if len(value) > MOST_NAMES:
                raise Crowded(f"an object has {len(value):,} names; no more than {MOST_NAMES} are read")
            left += value.values()
        elif isinstance(value, list):
            left += value
