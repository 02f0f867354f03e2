"""Filter discovery and counts: which values a field takes, and how many agents have each."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from voxpop.wire.base import In, Out, Texts


class ValueCount(Out):
    """One value of a field and how many agents have it."""

    value: str | bool = Field(description="The value, exactly as a filter takes it.")
    count: int = Field(description="How many agents have it; list fields count an agent under each value.")


class RangeSummary(Out):
    """Where the numbers of a range field lie; all three are null without agents."""

    min: float | None = Field(default=None, description="The smallest number.")
    max: float | None = Field(default=None, description="The largest number.")
    mean: float | None = Field(default=None, description="The mean.")


class Discovery(Out):
    """The answer of ``GET /v1/filters``: the agents of one country, counted per value."""

    country: str = Field(description="The country that was counted, by its canonical name.")
    recruitable_agent_count: int = Field(description="How many agents of this country can be recruited.")
    filters: dict[str, list[ValueCount]] = Field(description="Values and counts by field name.")
    ranges: dict[str, RangeSummary] = Field(
        default_factory=dict, description="Smallest, largest and mean number by range field."
    )


class CountIn(In):
    """The body of ``POST /v1/filters/count``."""

    filters: dict[str, Any] = Field(description="A filter, nested or flat; an empty one matches everybody.")
    fields: Texts | None = Field(
        default=None,
        description="The fields to count by value, none of them for an empty list; every field without it.",
    )


class CountAnswer(Out):
    """How many agents a filter matches, and how they divide."""

    count: int = Field(description="How many agents match.")
    filters: dict[str, list[ValueCount]] = Field(
        description="Values and counts by field name, under the filter."
    )
    ranges: dict[str, RangeSummary] = Field(
        default_factory=dict,
        description="Smallest, largest and mean number by range field, under the filter.",
    )
