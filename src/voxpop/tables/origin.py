"""The source of a study's answers, as every file of an export states it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duckdb import DuckDBPyConnection

from voxpop.tables.codebook import NOTE
from voxpop.tables.people import sources
from voxpop.tables.schema import PROVENANCE_FIELDS

UNKNOWN = "not recorded"


@dataclass(frozen=True, slots=True)
class Origin:
    """Title of a study, and the engine, population and health data behind its answers.

    Examples
    --------
    >>> Origin("Snacks", "", ("embedded-1",), ("1-7-1000",), ()).line
    'engine embedded-1; population 1-7-1000'
    """

    title: str
    objective: str
    engines: tuple[str, ...]
    populations: tuple[str, ...]
    health_data: tuple[str, ...]

    @classmethod
    def of_study(cls, cursor: DuckDBPyConnection, study: Mapping[str, Any]) -> Origin:
        """Return the source of a study in a store."""
        return cls(study["title"] or "Study", study["objective"] or "", *sources(cursor, study["study_uuid"]))

    @classmethod
    def of_provenance(cls, told: Mapping[str, Any]) -> Origin:
        """Return the source stated in the provenance of an export."""
        study, population = told["study"], told["study"].get("population")
        notes = [" ".join(row[one] for one in PROVENANCE_FIELDS if row[one]) for row in told["health_data"]]
        return cls(
            study["title"] or "Study",
            study["objective"] or "",
            tuple(told["engines"]),
            (population,) if population else (),
            tuple(sorted({note for note in notes if note})),
        )

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Name and versions of each part that is known."""
        held = (("engine", self.engines), ("population", self.populations), ("health data", self.health_data))
        return tuple((name, ", ".join(values)) for name, values in held if values)

    @property
    def line(self) -> str:
        """Engine, population and health data in one line."""
        return "; ".join(f"{name} {versions}" for name, versions in self.parts)

    @property
    def statement(self) -> str:
        """That the answers are simulated, and by what, in one paragraph."""
        return f"{NOTE} Made by: {self.line or f'engine and population {UNKNOWN}'}."

    def facts(self) -> dict[str, str]:
        """Return the source as short texts by name, the same names in every format."""
        known = dict(self.parts)
        return {
            "title": self.title,
            "provenance": "simulated",
            "note": NOTE,
            "engine": known.get("engine", UNKNOWN),
            "population": known.get("population", UNKNOWN),
            "health_data": known.get("health data", UNKNOWN),
        }
