"""Theses: a claim, the panels that test it, and the verdict."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from voxpop.wire.base import In, Out, Words
from voxpop.wire.jobs import Progress
from voxpop.wire.operations import Accepted, WaitSeconds
from voxpop.wire.requests import Clarification, Refusal, Review

ThesisStatus = Literal[
    "composing", "recruiting", "asking", "completed", "needs_clarification", "awaiting_review", "failed"
]
PanelKind = Literal["channel_check", "expert_call"]
PanelStatus = Literal["planned", "asking", "completed", "failed"]
Support = Literal["supports", "contradicts", "mixed", "inconclusive"]

SMALLEST_PANEL, LARGEST_PANEL = 5, 500
"""Allowed panel sizes."""


class ThesisIn(In):
    """Body of ``POST /v1/thesis:compose-and-recruit``."""

    raw_input: Words = Field(
        min_length=1,
        max_length=10_000,
        description="The thesis in a sentence or two, 1 to 10,000 characters.",
    )
    panel_size: int = Field(
        default=25, ge=SMALLEST_PANEL, le=LARGEST_PANEL, description="Agents of each panel, 5 to 500."
    )
    wait_seconds: WaitSeconds | None = Field(
        default=None, description="Seconds to wait for the job to end; at most 60."
    )


class ThesisRespondIn(In):
    """Body of ``POST /v1/thesis/{id}/respond``: ``answer`` to a question, or ``approve`` of a review."""

    answer: Words | None = Field(
        default=None,
        min_length=1,
        max_length=10_000,
        description="The answer to the question of a thesis that needs clarification.",
    )
    approve: bool | None = Field(
        default=None,
        description="Of a thesis that awaits review: true goes on with the agents there are, false ends it.",
    )
    group_size: int | None = Field(
        default=None,
        ge=SMALLEST_PANEL,
        le=LARGEST_PANEL,
        description="With approve: true, how many agents a panel is to have now, 5 to 500.",
    )


class PanelState(Out):
    """State of a panel."""

    id: int = Field(description="The panel's id.")
    kind: PanelKind | str = Field(description="channel_check or expert_call.")
    status: PanelStatus | str = Field(description="planned, asking, completed or failed.")
    agent_count: int = Field(description="How many agents it has; while planned, how many it wants.")
    headline: str | None = Field(
        default=None, description="What it says, with its base; null before its end."
    )


class ThesisState(Out):
    """The lightweight state of a thesis, for polling."""

    thesis_id: int = Field(description="The thesis's id.")
    status: ThesisStatus | str = Field(
        description=(
            "composing, recruiting, asking, completed, needs_clarification, awaiting_review or failed."
        )
    )
    phase: str | None = Field(default=None, description="Where it is, as one word.")
    progress: Progress = Field(default_factory=Progress, description="Answers that have ended, of all.")
    progress_message: str | None = Field(default=None, description="Progress as one sentence.")
    panels: list[PanelState] = Field(default_factory=list, description="Its panels in their order.")
    updated_at: datetime | None = Field(default=None, description="Time of the last change, UTC.")
    poll_after_s: float | None = Field(
        default=None,
        description="Suggested seconds until the next poll; null if there is nothing to wait for.",
    )


class Subject(Out):
    """A subject of a thesis."""

    name: str = Field(description="Its name.")
    kind: str = Field(description="company, product, category, sector or macro.")


class PanelQuestion(Out):
    """A question of a panel."""

    key: str | None = Field(default=None, description="The variable's name.")
    question: str = Field(description="The question's words.")
    type: str = Field(description="open, yes_no, single_choice, multi_choice, scale, number or ranking.")
    options: list[str] | None = Field(default=None, description="What could be chosen; null otherwise.")
    scale: dict[str, Any] | None = Field(default=None, description="The ends of a scale; null otherwise.")
    question_id: int | None = Field(default=None, description="Its number, once it was asked.")
    asked_count: int = Field(default=0, description="How many agents were asked.")
    answer_count: int = Field(default=0, description="Number of agents that answered.")
    failed_count: int = Field(default=0, description="How many have failed to.")


class PanelDetail(PanelState):
    """A panel with its audience and questions."""

    audience: str = Field(default="", description="Who is asked, in words.")
    filters: dict[str, Any] = Field(default_factory=dict, description="Who is asked, as a filter.")
    group_id: int | None = Field(default=None, description="Its group, once recruited.")
    study_id: int | None = Field(default=None, description="Its study, once asked.")
    questions: list[PanelQuestion] = Field(default_factory=list, description="What it is asked, in order.")


class Evidence(Out):
    """A claim with its source answers."""

    claim: str = Field(description="One sentence.")
    answer_ids: list[int] = Field(default_factory=list, description="The answers it rests on.")


class Verdict(Out):
    """Verdict of the panels on the thesis. Their answers are simulated, not evidence about people."""

    support: Support | str = Field(description="supports, contradicts, mixed or inconclusive.")
    confidence: float = Field(
        description="0 to 1: how firmly the answers lean; not how likely the thesis is to be true."
    )
    evidence: list[Evidence] = Field(default_factory=list, description="The claims behind it.")
    note: str | None = Field(default=None, description="How to read it.")


class ThesisDetail(ThesisState):
    """A thesis in full detail."""

    uuid: str | None = Field(default=None, description="The thesis's UUID.")
    raw_input: str | None = Field(default=None, description="The thesis as it was submitted.")
    notice: str | None = Field(
        default=None, description="What of the thesis was not read; null where all of it was."
    )
    panel_size: int | None = Field(default=None, description="Agents of each panel.")
    subjects: list[Subject] = Field(default_factory=list, description="What it is about, the first one most.")
    stance: str | None = Field(default=None, description="bullish, bearish or neutral on the first subject.")
    primary_driver: str | None = Field(default=None, description="Why, in its own words.")
    secondary_drivers: list[str] = Field(default_factory=list, description="Further reasons.")
    read_as: str | None = Field(
        default=None, description="The sentence a language model made of it; null where it was read as it is."
    )
    falsifiable_claim: str | None = Field(
        default=None, description="What the panels have to answer if it is right."
    )
    clarification: Clarification | None = Field(
        default=None, description="The pending question; null unless clarification is needed."
    )
    review: Review | None = Field(default=None, description="The pending review; null unless one is awaited.")
    refusal: Refusal | None = Field(
        default=None, description="Why nobody is asked; null unless it was refused."
    )
    panels: list[PanelDetail] = Field(  # type: ignore[assignment]
        default_factory=list, description="Its panels in their order, with their questions."
    )
    verdict: Verdict | None = Field(default=None, description="What the answers say; null before the end.")
    operation_id: str | None = Field(default=None, description="The operation it belongs to.")
    job_id: str | None = Field(default=None, description="The current or last job.")
    created_at: datetime | None = Field(default=None, description="When it was submitted, UTC.")


class ThesisName(Out):
    """An accepted thesis."""

    id: int = Field(description="The thesis's id.")
    uuid: str = Field(description="The thesis's UUID.")
    state_url: str = Field(description="Where its state is polled.")


class PlannedPanel(Out):
    """A planned panel."""

    id: int = Field(description="The panel's id.")
    kind: PanelKind | str = Field(description="channel_check or expert_call.")
    audience: str = Field(description="Who will be asked, in words.")
    size: int = Field(description="How many agents.")
    questions: int = Field(description="How many questions.")


class ThesisAccepted(Accepted):
    """Response of submitting a thesis."""

    thesis: ThesisName = Field(description="The thesis.")
    planned_panels: list[PlannedPanel] = Field(
        default_factory=list, description="Its panels; none when it has to be made clear first."
    )
    notice: str | None = Field(
        default=None, description="What of the thesis was not read; null where all of it was."
    )


class ThesisResponse(Out):
    """Response of responding to a thesis."""

    thesis: ThesisState = Field(description="How far the thesis is.")
    job_id: str | None = Field(default=None, description="The current or last job.")
