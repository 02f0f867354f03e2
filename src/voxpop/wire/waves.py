"""Waves of a panel: ask the same people again in a later study."""

from __future__ import annotations

from pydantic import Field

from voxpop.wire.base import In, Out, Words
from voxpop.wire.filters import Unknown
from voxpop.wire.groups import Group
from voxpop.wire.studies import Study


class NextWaveIn(In):
    """Body of ``POST /v1/research-studies/{study_id}/next-wave``."""

    refresh: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Share of the agents that is replaced by fresh ones of the same quota or stratum.",
    )
    attrition: float = Field(
        default=0.0, ge=0, lt=1, description="Share of the agents that drops out without replacement."
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        lt=2**63,
        description="Seed of the draws: the same seed, study and population give the same agents.",
    )
    title: Words | None = Field(
        default=None, max_length=300, description="Title of the new study; the old one with its wave if null."
    )
    objective: str | None = Field(
        default=None, max_length=10_000, description="Objective of the new study; the old one if null."
    )


class Wave(Out):
    """A study of a panel, and how it differs from the wave before."""

    study: Study = Field(description="The study.")
    refresh: float = Field(default=0.0, description="The share replaced by fresh agents, as asked for.")
    attrition: float = Field(default=0.0, description="The share that dropped out, as asked for.")
    seed: int | None = Field(default=None, description="Seed of the draws; null in the first wave.")
    stayed: int = Field(default=0, description="Agents carried over from the wave before.")
    left_agent_ids: list[int] = Field(
        default_factory=list, description="Agents of the wave before that dropped out."
    )
    replaced_agent_ids: list[int] = Field(
        default_factory=list, description="Agents of the wave before that were replaced by fresh ones."
    )


class NextWaveResponse(Unknown):
    """Response of next-wave."""

    wave: Wave = Field(description="The new wave.")
    group: Group = Field(description="Its group: the agents that stayed, then the fresh ones.")
    fresh_agent_ids: list[int] = Field(
        default_factory=list, description="Fresh agents, who were in no earlier wave."
    )


class WaveList(Out):
    """The waves of a study's panel, first to last."""

    panel_uuid: str = Field(description="UUID of the first study.")
    waves: list[Wave] = Field(description="The waves.")
