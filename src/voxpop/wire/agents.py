"""Agent records, and the answers of search and find."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from voxpop.wire.base import Out
from voxpop.wire.filters import Unknown

Gender = Literal["male", "female", "non_binary"]


class HealthProfile(Out):
    """Health attributes of one agent. They are cohort attributes with provenance, not clinical facts.

    Null where the country has no figures: beyond the USA only three conditions and current smoking are known.
    """

    conditions: list[str] = Field(description="Condition slugs, for example diabetes_t2.")
    drug_classes: list[str] | None = Field(
        description="Drug class slugs, for example glp1_agonist; null where no figures exist."
    )
    rx_medication_count: int | None = Field(
        description="How many prescription medication classes are assigned."
    )
    smoking_status: str | None = Field(description="never, former or current.")
    alcohol_use: str | None = Field(description="none, light, moderate or heavy.")
    physical_activity_level: str | None = Field(description="low, moderate or high.")
    sleep_quality: str | None = Field(description="poor, fair or good.")
    diet_quality: str | None = Field(description="poor, mixed or healthy.")
    bmi: float | None = Field(description="Body mass index in kg/m2.")
    bmi_class: str | None = Field(description="underweight, normal, overweight, obese_1, obese_2 or obese_3.")
    phq9_score: float | None = Field(description="PHQ-9 depression score, 0 to 27.")
    phq9_severity: str | None = Field(description="minimal, mild, moderate, moderately_severe or severe.")
    source: str = Field(description="Provenance: where the figures come from.")
    method_version: str = Field(description="Provenance: how the values were assigned.")
    calibration_version: str = Field(description="Provenance: which figures they were fitted to.")
    reference_version: str = Field(description="Provenance: which edition of the reference figures.")


class Agent(Out):
    """One synthetic participant."""

    id: int = Field(description="The agent's number in its population.")
    uuid: str = Field(description="The agent's UUID.")
    name: str = Field(description="An invented name.")
    age: int = Field(description="Age in years.")
    gender: Gender | str = Field(description="male, female or non_binary.")
    country: str = Field(description="Canonical country name, for example USA.")
    state: str | None = Field(
        default=None, description="Two-letter code in the USA and Canada, else the region."
    )
    city: str | None = Field(default=None, description="Always null in this version.")
    ethnicity: str | None = Field(default=None, description="Ethnicity, by its full documented name.")
    is_parent: bool | None = Field(default=None, description="Whether the agent has children.")
    education: str | None = Field(default=None, description="Highest level of education.")
    household_income: str | None = Field(default=None, description="Band of yearly household income.")
    urban_rural: str | None = Field(default=None, description="urban or rural.")
    occupation: str | None = Field(default=None, description="Occupation; null without a job.")
    occupation_major_group: str | None = Field(default=None, description="Major group of the occupation.")
    industry: str | None = Field(default=None, description="Industry; null without a job.")
    labour_status: str | None = Field(default=None, description="employed, unemployed, retired and so on.")
    title_variant: str | None = Field(default=None, description="A job title that goes with the occupation.")
    summary: str | None = Field(default=None, description="Who the agent is, in a sentence or two.")
    health_profile: HealthProfile | None = Field(default=None, description="Health attributes, or null.")


class AgentAnswer(Unknown):
    """The answer of find: one agent."""

    agent: Agent = Field(description="The first agent that matches.")


class AgentPage(Unknown):
    """The answer of ``GET /v1/agents/search``: one page of the agents that match."""

    agents: list[Agent] = Field(description="The agents of this page, by id.")
    total: int = Field(description="How many agents match over all pages.")
    page: int = Field(description="The page given, from 1.")
    per_page: int = Field(description="How many agents a page holds, 1 to 500.")
    pages: int = Field(description="How many pages there are.")
