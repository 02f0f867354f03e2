"""Writing calls: effects, audit entry, idempotency key and response in one transaction."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from fastapi import Header, Response

from voxpop.engines.agents import Agent
from voxpop.errors import Conflict
from voxpop.records import audit, idempotency
from voxpop.records.database import Database
from voxpop.records.idempotency import FirstResponse
from voxpop.service.answering import JSON, encoded

REPLAYED = "Idempotent-Replayed"

OptionalKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern="^[ -~]+$",
        description=(
            "Your own key, 1 to 255 printable characters. For 24 hours the same key and body give the first "
            "answer again and change nothing more; with another body they are a 409."
        ),
    ),
]

_AGENTS = "$agents"
_MARK = b'{"$agents":'

Agents = Callable[[Sequence[int]], Sequence[Agent]]
"""Returns agent records by id."""


class Replayed(Exception):
    """Another call used this key first; ``answer`` is its response."""

    def __init__(self, answer: FirstResponse) -> None:
        super().__init__()
        self.answer = answer


@dataclass(slots=True)
class Writing:
    """Context of a writing call: organization, key and effects.

    Attributes
    ----------
    database, agents
        The database to write to, and the source of agent records.
    organization, key_id, request_id
        Owner and identity of the call.
    action : str
        Action name in the audit log, for example ``study.create``.
    key, digest : str or None
        The caller's idempotency key, and the digest of address and body.
    """

    database: Database
    agents: Agents
    organization: int
    key_id: int
    request_id: str
    action: str
    key: str | None = None
    digest: str = ""
    object_kind: str = ""
    object_id: object = None
    quantity: int | None = None

    def about(
        self, kind: str, number: object, quantity: int | None = None, *, action: str | None = None
    ) -> None:
        """Set the object of the call, its quantity, and the action if it varies."""
        self.object_kind, self.object_id, self.quantity = kind, number, quantity
        self.action = action or self.action

    def log(self, c: sa.Connection) -> None:
        """Write the audit entry in the transaction of the effect."""
        kind = self.object_kind or self.action.partition(".")[0]
        audit.write(
            c,
            self.organization,
            self.action,
            kind,
            self.object_id,
            actor=audit.KEY,
            key_id=self.key_id,
            quantity=self.quantity,
            request_id=self.request_id,
        )

    def log_reading(self, kind: str, number: object) -> None:
        """Write the audit entry of a bulk read."""
        self.about(kind, number)
        with self.database.begin() as c:
            self.log(c)

    def carry_out(self, work: Callable[[], Response]) -> Response:
        """Run the call in one transaction with its key, audit entry and stored response.

        An exception rolls everything back, so that the call can be repeated. A used key replays its response;
        of two concurrent calls the second waits for the response of the first.
        """
        try:
            self._look()
            with self.database.together(self._claim) as joined:
                answer = work()
                if answer.status_code >= 400:
                    raise RuntimeError(f"{self.action} answered {answer.status_code} instead of raising.")
                c = joined.connection()
                self.log(c)
                if self.key is not None:
                    idempotency.keep(c, self.organization, self.key, answer.status_code, bytes(answer.body))
        except Replayed as known:
            return self._again(known.answer)
        return self._told(answer)

    def _look(self) -> None:
        if self.key is not None:
            with self.database.read() as c:
                known = idempotency.find(c, self.organization, self.key, self.digest)
            if known is not None:
                raise Replayed(known)

    def _claim(self, c: sa.Connection) -> None:
        if self.key is not None:
            known = idempotency.claim(c, self.organization, self.key, self.digest)
            if known is not None:
                raise Replayed(known)

    def _again(self, first: FirstResponse) -> Response:
        if first.body is None:
            raise Conflict(
                "This call was carried out before; its answer was too large to be kept. Read what it made.",
                details={"status": "done"},
            )
        media_type = JSON if first.body else None
        answer = self._told(Response(first.body, first.status, media_type=media_type))
        answer.headers[REPLAYED] = "true"
        return answer

    def _told(self, answer: Response) -> Response:
        """Insert agent records where the stored response has their ids."""
        if _MARK not in bytes(answer.body):
            return answer
        data = msgspec.json.decode(answer.body)
        whole = {
            name: self.agents(part[_AGENTS]) if isinstance(part, dict) and [*part] == [_AGENTS] else part
            for name, part in data.items()
        }
        return encoded(whole, answer.status_code)


def numbered(agent_ids: Sequence[int]) -> dict[str, Sequence[int]]:
    """Return a placeholder for agents; their records are inserted when the response is sent.

    This keeps the transaction and the stored response short for large groups.
    """
    return {_AGENTS: agent_ids}


def one_transaction(endpoint: Callable[..., Response]) -> Callable[..., Response]:
    """Wrap the function of a route to run as :class:`Writing` describes."""

    @functools.wraps(endpoint)
    def carried_out(**given: Any) -> Response:
        writing: Writing = given["call"].writing
        return writing.carry_out(lambda: endpoint(**given))

    return carried_out
