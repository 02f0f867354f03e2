"""The agents of one study while it is saved: who is who, who has health data, who was removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.schema import TABLES
from voxpop.tables.writing import Change, staged, upsert

_AGENTS = TABLES["agents"].arrow
_HEALTH = TABLES["health_profiles"].arrow
_MARKS = ("agent_removed", "removed", "removed_at")
_TOLD = {
    "agent_id": "id",
    "agent_uuid": "uuid",
    "health_conditions": "conditions",
    "health_drug_classes": "drug_classes",
}
"""Columns whose name on the wire is another."""
_COLUMN = {told: name for name, told in _TOLD.items()}


class Roster:
    """The agents of a study by their numbers."""

    def __init__(self, cursor: DuckDBPyConnection, study_uuid: str) -> None:
        self.cursor, self.study_uuid = cursor, study_uuid
        known = cursor.execute(
            "SELECT agent_id, agent_uuid FROM study_agents WHERE study_uuid = ?", [study_uuid]
        )
        self.uuids: dict[Any, str] = dict(known.fetchall())
        self.strangers: dict[str, r.Row] = {}
        self.gone: set[str] = set()

    def save(self, agents: Any) -> Change:
        """Write agents with health profiles and places; mark those that are in the study no longer."""
        given = _people(agents, self.study_uuid)
        people, health = given.agents, given.health
        self.uuids |= dict(zip(people["agent_id"].to_pylist(), people["agent_uuid"].to_pylist(), strict=True))
        change = upsert(self.cursor, "agents", people)
        upsert(self.cursor, "health_profiles", health)
        self._forget_health(people["agent_uuid"], health["agent_uuid"])
        upsert(self.cursor, "study_agents", self._places(people, given.removed))
        self._mark("NOT IN", people.select(["agent_uuid"]))
        return change

    def uuid_of(self, answer: Mapping[str, Any]) -> str:
        """Find the agent of an answer; one that was never listed is kept with what the answer tells of it."""
        number = answer.get("agent_id")
        found = answer.get("agent_uuid") or self.uuids.get(number)
        if found is None or (found not in self.strangers and number not in self.uuids):
            found = str(found or r.derived_uuid(self.study_uuid, "agent", number))
            told = {
                name.removeprefix("agent_"): value
                for name, value in answer.items()
                if name.startswith("agent_")
            }
            self.strangers[found] = r.agent_row(self.study_uuid, {**told, "id": number, "uuid": found})
            self.uuids[number] = found
        if r.is_removed(answer):
            self.gone.add(str(found))
        return str(found)

    def save_strangers(self) -> None:
        """Write the agents that only answers told of, and the marks of removed ones."""
        people = r.table_of(TABLES["agents"], self.strangers.values())
        upsert(self.cursor, "agents", people)
        removed = pa.array([uuid in self.gone for uuid in self.strangers], pa.bool_())
        nowhere = pa.nulls(people.num_rows, pa.int64())
        upsert(self.cursor, "study_agents", self._places(people, removed, nowhere))
        self._mark("IN", pa.table({"agent_uuid": pa.array(sorted(self.gone), pa.string())}))

    def removed(self) -> int:
        """Count the removed agents of the study."""
        query = "SELECT count(*) FROM study_agents WHERE study_uuid = ? AND removed"
        return int(self.cursor.execute(query, [self.study_uuid]).fetchall()[0][0])

    def _places(self, people: pa.Table, removed: Any, position: Any = None) -> pa.Table:
        many = people.num_rows
        columns = {
            "study_uuid": pa.repeat(pa.scalar(self.study_uuid, pa.string()), many),
            "agent_uuid": people["agent_uuid"],
            "agent_id": people["agent_id"],
            "position": pa.array(range(1, many + 1), pa.int64()) if position is None else position,
            "removed": removed,
        }
        schema = TABLES["study_agents"].arrow
        return pa.Table.from_arrays([columns[field.name] for field in schema], schema=schema)

    def _mark(self, which: str, agents: pa.Table) -> None:
        """Mark agents of the study as removed: those given, or all others."""
        with staged(self.cursor, agents) as name:
            self.cursor.execute(
                "UPDATE study_agents SET removed = true WHERE study_uuid = ? AND NOT removed "
                f"AND agent_uuid {which} (SELECT agent_uuid FROM {name})",
                [self.study_uuid],
            )

    def _forget_health(self, people: Any, with_health: Any) -> None:
        without = people.filter(pc.invert(pc.is_in(people, with_health.combine_chunks())))
        with staged(self.cursor, pa.table({"agent_uuid": without})) as name:
            query = f"DELETE FROM health_profiles WHERE agent_uuid IN (SELECT agent_uuid FROM {name})"
            self.cursor.execute(query)


@dataclass(frozen=True, slots=True)
class _People:
    """Agents column by column, in the order given."""

    agents: pa.Table
    health: pa.Table
    removed: Any


def _people(agents: Any, study_uuid: str) -> _People:
    """Read agents, from Arrow as they are and from records column by column."""
    if isinstance(agents, pa.RecordBatchReader):
        agents = agents.read_all()
    if isinstance(agents, pa.Table) and (found := _from_arrow(agents, study_uuid)) is not None:
        return found
    given = list(r.records(agents))
    if not all(one.get("uuid") for one in given):
        given = [{**one, "uuid": r.agent_row(study_uuid, one)["agent_uuid"]} for one in given]
    columns = {}
    for name in _AGENTS.names:
        told = _TOLD.get(name, name)
        columns[name] = [one.get(told) for one in given]
    columns["agent_uuid"] = list(map(str, columns["agent_uuid"]))
    removed = pa.array(map(r.is_removed, given), pa.bool_())
    return _People(pa.table(columns, schema=_AGENTS), _health_of(given), removed)


def _health_of(agents: list[Mapping[str, Any]]) -> pa.Table:
    with_health = [one for one in agents if one.get("health_profile") is not None]
    profiles = [r.record(one["health_profile"]) for one in with_health]
    columns: dict[str, list[Any]] = {"agent_uuid": [str(one["uuid"]) for one in with_health]}
    for name in _HEALTH.names[1:]:
        told = _TOLD.get(name, name)
        columns[name] = [profile.get(told) for profile in profiles]
    return pa.table(columns, schema=_HEALTH)


def _from_arrow(table: pa.Table, study_uuid: str) -> _People | None:
    """Take Arrow columns as they are; None when agents have no UUIDs or the health data another shape."""
    names = table.column_names
    if not {"id", "uuid"} <= set(names) or table["uuid"].null_count:
        return None
    table = table.rename_columns([_COLUMN.get(name, name) for name in names])
    profiles = table["health_profile"].combine_chunks() if "health_profile" in names else None
    if profiles is None:
        health = _HEALTH.empty_table()
    elif pa.types.is_struct(profiles.type):
        held = profiles.drop_null()
        parts = pa.table(dict(zip(held.type.names, held.flatten(), strict=True)))
        parts = parts.rename_columns([_COLUMN.get(name, name) for name in parts.column_names])
        parts = parts.append_column("agent_uuid", table["agent_uuid"].filter(profiles.is_valid()))
        health = _shaped(parts, _HEALTH)
    else:
        return None
    marks = [
        pc.fill_null(table[name], False) if pa.types.is_boolean(table[name].type) else table[name].is_valid()
        for name in _MARKS
        if name in names
    ]
    removed = pa.repeat(pa.scalar(False), table.num_rows)
    for mark in marks:
        removed = pc.or_(removed, mark)
    return _People(_shaped(table, _AGENTS), health, removed)


def _shaped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Take the columns of a schema, in its order and types; what is not there is missing."""
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
