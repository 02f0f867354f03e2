"""A call that changes something: its effects, its audit entry, its key and its answer are one transaction."""

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
from voxpop.records.idempotency import FirstAnswer
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
"""Gives the records of agents by their numbers."""


class Replayed(Exception):
    """Another call with this key was first. ``answer`` is what it was told."""

    def __init__(self, answer: FirstAnswer) -> None:
        super().__init__()
        self.answer = answer


@dataclass(slots=True)
class Writing:
    """What a call changes, for whom, and under which key.

    Attributes
    ----------
    database, agents
        Where it writes, and who gives the records of agents.
    organization, key_id, request_id
        Whose call it is.
    action : str
        What the audit log calls it, as ``study.create``.
    key, digest : str or None
        The caller's idempotency key, and the digest of what was sent where.
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
        """Say what the call has acted on, and of how many agents or answers; ``action`` if it varies."""
        self.object_kind, self.object_id, self.quantity = kind, number, quantity
        self.action = action or self.action

    def log(self, c: sa.Connection) -> None:
        """Write the audit entry, in the transaction of the effect."""
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
        """Write the audit entry of a call that takes much with it and changes nothing."""
        self.about(kind, number)
        with self.database.begin() as c:
            self.log(c)

    def carry_out(self, work: Callable[[], Response]) -> Response:
        """Do the work of the call in one transaction with its key, its audit entry and its stored answer.

        An exception undoes all of it, so that the call can be sent again. A key that was used before gives
        the answer it gave then; of two calls at once the second one waits for the first one's answer.
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

    def _again(self, first: FirstAnswer) -> Response:
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
        """Put the records of agents where the stored answer has their numbers."""
        if _MARK not in bytes(answer.body):
            return answer
        data = msgspec.json.decode(answer.body)
        whole = {
            name: self.agents(part[_AGENTS]) if isinstance(part, dict) and [*part] == [_AGENTS] else part
            for name, part in data.items()
        }
        return encoded(whole, answer.status_code)


def numbered(agent_ids: Sequence[int]) -> dict[str, Sequence[int]]:
    """Return agents as the answer of a writing call is stored: their records are put in when it is told.

    So neither the transaction nor the stored answer is long where the agents are many.
    """
    return {_AGENTS: agent_ids}


def one_transaction(endpoint: Callable[..., Response]) -> Callable[..., Response]:
    """Return the function of a writing route so that all of it is carried out as :class:`Writing` says."""

    @functools.wraps(endpoint)
    def carried_out(**given: Any) -> Response:
        writing: Writing = given["call"].writing
        return writing.carry_out(lambda: endpoint(**given))

    return carried_out
