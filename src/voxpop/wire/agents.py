"""Agent records, and the responses of search and find.

The original fields of agents are written out for type checkers, and a test compares them with the field
table; other rows of the table are added to the models when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

from pydantic import Field, create_model

from voxpop.vocabulary.fields import FIELDS, in_records
from voxpop.wire.base import Out
from voxpop.wire.filters import Unknown

Gender = Literal["male", "female", "non_binary"]

_Model = TypeVar("_Model", bound=type[Out])

_FEW = 7
"""Maximum number of levels listed in a description."""

_KEYS = {row.record_key: row for row in FIELDS.values()}
_TYPES: dict[str, Any] = {"text": str, "texts": list[str], "boolean": bool, "integer": int, "number": float}


def _told(key: str) -> str:
    """Return the description of a record key from its field's row."""
    row = _KEYS[key]
    few = f" One of {', '.join(row.levels)}." if 0 < len(row.levels) <= _FEW else ""
    unit = f" In {row.unit}." if row.unit else ""
    return f"{row.meaning}{unit}{few}"


def _completed(*, health: bool) -> Callable[[_Model], _Model]:
    """Add the remaining fields to a model, as optional: older services do not send them."""

    def complete(model: _Model) -> _Model:
        written: type[Out] = model
        added: dict[str, Any] = {
            row.record_key: (_TYPES[row.sent] | None, Field(default=None, description=_told(row.record_key)))
            for row in in_records(health=health)
            if row.record_key not in written.model_fields
        }
        if not added:
            return model
        made = create_model(
            model.__name__, __base__=model, __module__=model.__module__, __doc__=model.__doc__, **added
        )
        return cast("_Model", made)

    return complete


@_completed(health=True)
class HealthProfile(Out):
    """Health attributes of one agent. They are cohort attributes with provenance, not clinical facts.

    Null where the country has no figures: abroad only three conditions and current smoking are known.
    """

    conditions: list[str] = Field(description=_told("conditions"))
    drug_classes: list[str] | None = Field(description=_told("drug_classes"))
    rx_medication_count: int | None = Field(description=_told("rx_medication_count"))
    smoking_status: str | None = Field(description=_told("smoking_status"))
    alcohol_use: str | None = Field(description=_told("alcohol_use"))
    physical_activity_level: str | None = Field(description=_told("physical_activity_level"))
    sleep_quality: str | None = Field(description=_told("sleep_quality"))
    diet_quality: str | None = Field(description=_told("diet_quality"))
    bmi: float | None = Field(description=_told("bmi"))
    bmi_class: str | None = Field(description=_told("bmi_class"))
    phq9_score: float | None = Field(description=_told("phq9_score"))
    phq9_severity: str | None = Field(description=_told("phq9_severity"))
    source: str = Field(description="Provenance: the source of the figures.")
    method_version: str = Field(description="Provenance: the method that assigned the values.")
    calibration_version: str = Field(description="Provenance: the figures that the values are calibrated to.")
    reference_version: str = Field(description="Provenance: the edition of the reference figures.")


@_completed(health=False)
class Agent(Out):
    """One synthetic participant."""

    id: int = Field(description="The agent's number in its population.")
    uuid: str = Field(description="The agent's UUID.")
    name: str = Field(description="An invented name.")
    age: int | None = Field(default=None, description=_told("age"))
    gender: Gender | str | None = Field(default=None, description=_told("gender"))
    country: str | None = Field(default=None, description=_told("country"))
    state: str | None = Field(default=None, description=_told("state"))
    city: str | None = Field(default=None, description="Always null in this version.")
    ethnicity: str | None = Field(default=None, description=_told("ethnicity"))
    is_parent: bool | None = Field(default=None, description=_told("is_parent"))
    education: str | None = Field(default=None, description=_told("education"))
    household_income: str | None = Field(default=None, description=_told("household_income"))
    urban_rural: str | None = Field(default=None, description=_told("urban_rural"))
    occupation: str | None = Field(default=None, description=_told("occupation"))
    occupation_major_group: str | None = Field(default=None, description=_told("occupation_major_group"))
    industry: str | None = Field(default=None, description=_told("industry"))
    labour_status: str | None = Field(default=None, description=_told("labour_status"))
    title_variant: str | None = Field(default=None, description=_told("title_variant"))
    summary: str | None = Field(
        default=None, description="A description of the agent in one or two sentences."
    )
    health_profile: HealthProfile | None = Field(default=None, description="Health attributes, or null.")
    profile_provenance: str | None = Field(
        default=None,
        description="Provenance of the other fields: the figures, their years, and how values were assigned.",
    )


class AgentResponse(Unknown):
    """Response of find: one agent."""

    agent: Agent = Field(description="The first agent that matches.")


class AgentPage(Unknown):
    """Response of ``GET /v1/agents/search``: one page of the agents that match."""

    agents: list[Agent] = Field(description="The agents of this page, by id.")
    total: int = Field(description="How many agents match over all pages.")
    page: int = Field(description="The page given, from 1.")
    per_page: int = Field(description="How many agents a page holds, 1 to 500.")
    pages: int = Field(description="Number of pages.")
