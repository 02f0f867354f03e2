"""Previews: how a question would be read, and what its answers would rest on."""

from __future__ import annotations

from pydantic import Field

from voxpop.wire.base import Out
from voxpop.wire.questions import BASIS, NOTICE, Scale, TypeName


class PreviewedQuestion(Out):
    """A question as it would be asked."""

    key: str | None = Field(default=None, description="The variable's name in tables.")
    question: str = Field(description="The question's words.")
    type: TypeName | str = Field(description="The question type.")
    options: list[str] | None = Field(default=None, description="Options to choose from or rank.")
    scale: Scale | None = Field(default=None, description="The ends of a scale question.")
    unit: str | None = Field(default=None, description="The unit of a number question, for example USD.")
    shuffle_options: bool = Field(
        default=False, description="Whether each agent would see its own order of options."
    )
    notice: str | None = Field(default=None, description=NOTICE)


class BasisCount(Out):
    """Number of agents whose answers would rest on one kind of basis."""

    basis: str = Field(description=BASIS)
    agents: int = Field(description="Number of agents, of those looked at.")
    notes: list[str] = Field(
        default_factory=list, description="Sentences on the basis, the most frequent ones first; at most 5."
    )


class PreviewResponse(Out):
    """The expected basis of a study's answers to a question. Nothing was asked or counted."""

    question: PreviewedQuestion = Field(description="The question as it was read.")
    engine: str = Field(description="The engine that would answer.")
    agent_count: int = Field(description="Number of agents that would be asked.")
    looked_at: int = Field(
        description="Number of agents looked at: all up to 1,000, or 1,000 evenly spread over the group."
    )
    bases: list[BasisCount] = Field(
        default_factory=list, description="Number of agents per kind of basis, the firmest first."
    )
    placeholders: str | None = Field(
        default=None, description="A notice if no figure is known for some of the answers. Else null."
    )
