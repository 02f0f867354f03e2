"""Usage: calls of this minute, answers of this month, and unsettled events."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from voxpop.wire.base import Out

NO_LIMIT = 2_147_483_647
"""Value of a limit if there is none, so that it is always an integer."""

UsageStatus = Literal["recorded", "reserved", "committed", "voided"]


class UsageEvent(Out):
    """One event of the usage ledger."""

    event_id: str = Field(description="The line's id.")
    kind: str = Field(description="What is counted: answers.")
    quantity: int = Field(description="How many; one is one agent's answer to one question.")
    status: UsageStatus | str = Field(
        description="recorded at acceptance; reserved until settled; committed when delivered, else voided."
    )


class Pending(Out):
    """The organization and its number of unsettled events."""

    organization_id: int = Field(description="The organization's id.")
    pending_event_count: int = Field(description="Lines that are reserved and not settled yet.")


class PerMinute(Out):
    """The calls of one key in this minute."""

    limit: int = Field(description=f"Calls a key may make in a minute; {NO_LIMIT} where there is no limit.")
    used: int = Field(description="Calls this key has made in this minute.")
    reset_in_s: int = Field(description="Seconds until the next minute begins.")


class Rate(Out):
    """Rate limit of this key."""

    per_minute: PerMinute = Field(description="The limit by the minute.")


class Quota(Out):
    """The answers of the organization in this calendar month."""

    limit: int = Field(description=f"Answers a month may have; {NO_LIMIT} where there is no limit.")
    used: int = Field(description="Answers asked for, less those that were not delivered.")
    cycle_start: datetime = Field(description="When the month began, UTC.")
    cycle_end: datetime = Field(description="When the next one begins, UTC.")


class ModelUsage(Out):
    """Language-model usage of the organization in this calendar month; replays are free."""

    calls: int = Field(description="How often a model was called, repairs included.")
    input_tokens: int = Field(description="Tokens read.")
    output_tokens: int = Field(description="Tokens written.")
    cost_microdollars: int = Field(description="Millionths of a dollar, of the calls whose price is known.")
    unpriced_calls: int = Field(description="Calls of models whose price is not known.")


class UsageSnapshot(Out):
    """Response of ``GET /billing/usage``."""

    usage: Pending = Field(description="Whose usage, and what is not settled yet.")
    rate: Rate = Field(description="Calls of this key.")
    quota: Quota = Field(description="Answers of the organization through keys of this kind.")
    models: ModelUsage | None = Field(default=None, description="What language models took this month.")
