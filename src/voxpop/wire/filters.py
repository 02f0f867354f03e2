"""Filter discovery and counts: the values of each field and the number of agents with each."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from voxpop.wire.base import In, Out, Texts


class UnknownValue(Out):
    """A filter value that no agent can have, so this part of the filter matches nobody."""

    field: str = Field(description="The field, by its canonical name.")
    value: str = Field(description="The value as it was read.")
    message: str = Field(description="What is wrong, in one sentence.")
    suggestions: list[str] = Field(default_factory=list, description="Right values near it, likeliest first.")


class UnknownField(Out):
    """A field that is unknown for the agents of a country, which does not mean that none of them matches."""

    field: str = Field(description="The field, by its canonical name.")
    country: str = Field(description="The country, by its canonical name.")
    reason: str = Field(description="Why it is unknown there, in one sentence.")


_UNKNOWN = (
    "Fields of the filter, and fields counted in its countries, that are unknown there: agents without a "
    "value meet no condition and are in no count."
)


class Unknown(Out):
    """Fields of every response to a filter."""

    unknown: list[UnknownField] = Field(default_factory=list, description=_UNKNOWN)

    unknown_values: list[UnknownValue] = Field(
        default_factory=list,
        description="Values of the filter that no agent can have, each with the right values near it.",
    )


class ValueCount(Out):
    """A value of a field and the number of agents with it."""

    value: str | bool = Field(description="The value, exactly as a filter takes it.")
    count: int = Field(description="How many agents have it; list fields count an agent under each value.")


class RangeSummary(Out):
    """Minimum, maximum and mean of a range field; null without agents."""

    min: float | None = Field(default=None, description="The smallest number.")
    max: float | None = Field(default=None, description="The largest number.")
    mean: float | None = Field(default=None, description="The mean.")


class Discovery(Out):
    """Response of ``GET /v1/filters``: the agents of one country, counted per value."""

    country: str = Field(description="The country that was counted, by its canonical name.")
    recruitable_agent_count: int = Field(description="How many agents of this country can be recruited.")
    filters: dict[str, list[ValueCount]] = Field(description="Values and counts by field name.")
    ranges: dict[str, RangeSummary] = Field(
        default_factory=dict, description="Smallest, largest and mean number by range field."
    )
    unknown: list[UnknownField] = Field(
        default_factory=list,
        description="Fields that are unknown for the agents of this country, in whole or for some values.",
    )


class CountIn(In):
    """Body of ``POST /v1/filters/count``."""

    filters: dict[str, Any] = Field(description="A filter, nested or flat; an empty one matches everybody.")
    fields: Texts | None = Field(
        default=None,
        description="The fields to count by value, none of them for an empty list; every field without it.",
    )


class CountResponse(Unknown):
    """Number of agents that match a filter, in total and per value."""

    count: int = Field(description="How many agents match.")
    filters: dict[str, list[ValueCount]] = Field(
        description="Values and counts by field name, under the filter."
    )
    ranges: dict[str, RangeSummary] = Field(
        default_factory=dict,
        description="Smallest, largest and mean number by range field, under the filter.",
    )
