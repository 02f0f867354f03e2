"""The arguments of a combination, checked before any row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from voxpop.combining.sides import Attribute
from voxpop.errors import UsageError
from voxpop.stats.prediction_models import FAMILIES
from voxpop.survey.declaring import provenance_of
from voxpop.vocabulary.nearest import did_you_mean, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The arguments of :func:`voxpop.combining.combine`."""

    question: str
    level: str | None
    by: tuple[Attribute, ...]
    twins: str | None
    on: tuple[Attribute, ...]
    strata: tuple[Attribute, ...]
    quantile: float | None
    model: str | None
    terms: tuple[Attribute, ...]
    weight: str | None
    agent_weight: str | None
    min_base: float
    small_base: float

    def keys(self) -> list[Attribute]:
        """Return all columns that are read, weights apart."""
        named = [] if self.twins is None else [self.twins]
        return [self.question, *self.by, *self.on, *self.strata, *self.terms, *named]

    def check(self) -> None:
        """Refuse arguments that do not go together."""
        if self.twins is None and not self.on:
            raise UsageError(
                "combine needs a prediction for each person: name profile columns, such as on=['age', "
                "'gender'], or "
                "the column that pairs people with their agents, such as twins='person_id'."
            )
        if self.quantile is not None and not 0 < self.quantile < 1:
            raise UsageError(f"quantile must lie between 0 and 1, not {self.quantile}; the median is 0.5.")
        if self.model is not None and self.model not in FAMILIES:
            hint = did_you_mean(nearest(str(self.model), FAMILIES)) or "."
            raise UsageError(f"model must be one of {', '.join(FAMILIES)}, not {self.model!r}{hint}")
        if (self.model is None) != (not self.terms):
            raise UsageError("A regression needs both model='linear' or 'logistic' and terms=[...].")
        if self.model is not None and (self.by or self.strata or self.quantile is not None):
            raise UsageError("A regression takes no by, strata or quantile; add these columns to terms.")
        if self.model == "logistic" and self.level is None:
            raise UsageError(
                "model='logistic' needs the level whose odds are estimated, such as level='yes'."
            )
        if self.level is not None and (self.quantile is not None or self.model == "linear"):
            raise UsageError("quantile= and model='linear' apply to numbers; leave out level=.")
        if self.min_base < 0 or self.small_base < 0:
            raise UsageError(
                f"min_base and small_base must be 0 or more, not {self.min_base} and {self.small_base}."
            )


def check_provenance(human: Any, agents: Any) -> None:
    """Refuse agents in the place of people, and people in the place of agents."""
    if provenance_of(human) in ("simulated", "mixed"):
        raise UsageError(
            f"The first argument must hold answers of people; its provenance is {provenance_of(human)}."
        )
    if provenance_of(agents) in ("human", "mixed"):
        raise UsageError(
            f"The second argument must hold answers of agents; its provenance is {provenance_of(agents)}."
        )
