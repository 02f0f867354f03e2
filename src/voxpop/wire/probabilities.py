"""The distributions from which answers to a question were drawn."""

from __future__ import annotations

from pydantic import Field

from voxpop.wire.base import Out


class AnswerProbabilities(Out):
    """The distribution from which one agent's answer was drawn."""

    agent_id: int = Field(description="The agent's id.")
    engine: str = Field(description="The engine that gave it.")
    shares: dict[str, float] = Field(description="Probability of each answer; they add up to 1.")
    mass: float = Field(description="Their total before they were scaled to 1; the rest is other words.")
    shown: list[str] = Field(description="The answers in the order in which the model saw them.")


class ProbabilityList(Out):
    """Response of ``GET /v1/research-studies/{study_id}/questions/{question_id}/probabilities``."""

    question_id: int = Field(description="The question's id.")
    probabilities: list[AnswerProbabilities] = Field(
        description="One distribution per agent; empty where answers were not drawn from token probabilities."
    )
