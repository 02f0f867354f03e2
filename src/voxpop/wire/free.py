"""Free questions: one question to the fixed panel of twelve, for free-tier keys."""

from __future__ import annotations

from pydantic import Field

from voxpop.wire.base import In, Out, Words
from voxpop.wire.media import ATTACHMENTS, References
from voxpop.wire.operations import Accepted, WaitSeconds
from voxpop.wire.questions import BASIS, BASIS_NOTE, NOTICE, EngineName


class FreeAskIn(In):
    """Body of ``POST /v1/free/questions``."""

    question: Words = Field(
        min_length=1, max_length=10_000, description="The question's words, 1 to 10,000 characters."
    )
    attachments: References | None = Field(default=None, description=ATTACHMENTS)
    engine: EngineName = None
    wait_seconds: WaitSeconds | None = Field(
        default=None, description="How long to hold the answer for the job's end; more than 60 count as 60."
    )


class PanelAgent(Out):
    """Short record of an agent of the free panel."""

    id: int = Field(description="The agent's id.")
    name: str | None = Field(default=None, description="An invented name.")
    age: int | None = Field(default=None, description="Age in years.")
    city: str | None = Field(default=None, description="Always null in this version.")
    state: str | None = Field(default=None, description="Two-letter code of the state.")
    occupation: str | None = Field(default=None, description="Occupation; null without a job.")


class FreeAskResponse(Accepted):
    """Response of ``POST /v1/free/questions``."""

    count: int = Field(default=0, description="Number of agents asked.")
    agents: list[PanelAgent] = Field(
        default_factory=list, description="The panel, the same for every caller, in the order asked."
    )
    agent_ids: list[int] = Field(default_factory=list, description="Their numbers, in the same order.")
    notice: str | None = Field(default=None, description=NOTICE)


class FreeReply(Out):
    """Reply of one agent of the panel. It is simulated, not evidence about people."""

    agent_id: int = Field(description="The agent's id.")
    reply: str = Field(description="The answer in the agent's words.")
    basis: str | None = Field(default=None, description=BASIS)
    basis_note: str | None = Field(default=None, description=BASIS_NOTE)
    name: str | None = Field(default=None, description="An invented name.")
    age: int | None = Field(default=None, description="Age in years.")
    city: str | None = Field(default=None, description="Always null in this version.")
    state: str | None = Field(default=None, description="Two-letter code of the state.")
    occupation: str | None = Field(default=None, description="Occupation; null without a job.")


class FreeResult(Out):
    """The ``result`` of the job of a free question."""

    results: list[FreeReply] = Field(default_factory=list, description="The replies, in panel order.")
    partial: bool = Field(default=False, description="Whether some of the panel have not replied.")
