"""The audit log of an organization."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from voxpop.wire.base import Out

MOST_ENTRIES = 500


class AuditEntry(Out):
    """One entry, without question texts, answers or secrets."""

    id: int = Field(description="Its number; later entries have higher ones.")
    at: datetime = Field(description="When it was done, UTC.")
    actor: str = Field(description="key, link, command line or service.")
    key_id: int | None = Field(default=None, description="The number of the key that acted; null for others.")
    key_prefix: str | None = Field(
        default=None, description="The first characters of that key, as `voxpop keys list` shows them."
    )
    action: str = Field(description="What was done, such as study.create, question.ask or key.revoke.")
    object_kind: str = Field(description="What was acted on, such as study or key.")
    object_id: str | None = Field(default=None, description="Its id; null where there is none.")
    quantity: int | None = Field(default=None, description="How many agents, answers or steps it was about.")
    outcome: str = Field(description="done: calls that failed changed nothing and have no entry.")
    request_id: str | None = Field(default=None, description="The X-Request-Id of the call.")


class AuditLog(Out):
    """Response of ``GET /v1/organization/audit-log``: entries, oldest first."""

    entries: list[AuditEntry] = Field(description="The entries after the one named, oldest first.")
    limit: int = Field(description="The most that one answer holds, 1 to 500.")
    next_after: int | None = Field(
        default=None, description="The `after` of the next page; null when there is no more now."
    )
