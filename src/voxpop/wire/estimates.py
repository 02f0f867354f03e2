"""The cost of questions before they are asked."""

from __future__ import annotations

from pydantic import Field

from voxpop.wire.base import In, Out
from voxpop.wire.questions import AskIn

MOST_ESTIMATED = 200
"""Maximum number of questions of an estimate."""


class EstimateIn(In):
    """Body of ``POST /v1/research-studies/{study_id}/estimate``."""

    questions: list[AskIn] = Field(
        min_length=1, max_length=MOST_ESTIMATED, description="The questions as they would be asked, in order."
    )


class QuestionCost(Out):
    """Expected cost of one question to the agents of a study."""

    question: str = Field(description="The question's words.")
    engine: str = Field(description="The engine that would answer.")
    calls: int = Field(
        description="Calls of a language model, repairs included; 0 for an engine without one."
    )
    input_tokens: int = Field(description="Tokens read.")
    output_tokens: int = Field(description="Tokens written.")
    cost_dollars: float | None = Field(
        default=None, description="Null where the price of the model is not known, which is not nothing."
    )
    seconds: float | None = Field(
        default=None, description="Null where no call of the model was observed yet."
    )
    observed_calls: int = Field(
        default=0, description="Calls of the model on which the sizes rest; 0 where they are usual ones."
    )


class Estimate(Out):
    """Response of ``POST /v1/research-studies/{study_id}/estimate``. Nothing was asked or charged."""

    agent_count: int = Field(description="How many agents would be asked.")
    calls: int = Field(description="Calls for all questions.")
    input_tokens: int = Field(description="Tokens read for all questions.")
    output_tokens: int = Field(description="Tokens written for all questions.")
    cost_dollars: float | None = Field(default=None, description="Null if any price is not known.")
    seconds: float | None = Field(default=None, description="Null if any duration is not known.")
    questions: list[QuestionCost] = Field(description="The questions, in the order given.")
    notes: list[str] = Field(default_factory=list, description="What is not known, and what figures rest on.")

    @property
    def minutes(self) -> float | None:
        """Duration in minutes; None if it is not known."""
        return None if self.seconds is None else self.seconds / 60
