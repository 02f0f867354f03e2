"""The agents of one study during a save: their identity, health data and removal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.schema import KEYS, TABLES
from voxpop.tables.writing import Change, staged, upsert

_AGENTS = TABLES["agents"].arrow
_HEALTH = TABLES["health_profiles"].arrow
_WEIGHTS = ("inclusion_probability", "design_weight")
_MARKS = ("agent_removed", "removed", "removed_at")
_TOLD = {"agent_id": "id", "agent_uuid": "uuid", **KEYS}
"""Columns with another name in the wire form."""
_COLUMN = {told: name for name, told in _TOLD.items()}


class Roster:
    """Agents of a study as two arrays of ids and UUIDs."""

    cursor: DuckDBPyConnection
    study_uuid: str
    namespace: str
    numbers: pa.Array
    uuids: pa.Array

    def __init__(self, cursor: DuckDBPyConnection, study_uuid: str, namespace: str) -> None:
        self.cursor, self.study_uuid, self.namespace = cursor, study_uuid, namespace
        held = cursor.sql(
            "SELECT agent_id, agent_uuid FROM study_agents WHERE study_uuid = ? AND agent_id IS NOT NULL",
            params=[study_uuid],
        ).to_arrow_table()
        self.numbers, self.uuids = _pair(held)
        self._by_number: dict[Any, str] | None = None
        self._strangers: dict[str, r.Row] = {}
        self._adopted: list[pa.Table] = []
        self._gone: set[str] = set()
        self._offered: dict[int, str] = {}

    def offer(self, agents: Any) -> None:
        """Keep the profiles of agents that may be in the study; those who answer are members."""
        people = save_people(self.cursor, agents, self.namespace).agents
        self._offered = {
            number: uuid
            for number, uuid in zip(
                people["agent_id"].to_pylist(), people["agent_uuid"].to_pylist(), strict=True
            )
            if number is not None
        }

    def save(self, agents: Any, *, saved: bool = False) -> Change:
        """Write agents with health profiles and places; mark those no longer in the study.

        With ``saved`` the store already has their records.
        """
        given = people_of(agents, self.namespace)
        people = given.agents
        self._know(people)
        change = Change(unchanged=people.num_rows) if saved else write_people(self.cursor, given)
        upsert(self.cursor, "study_agents", self._places(people, given.removed, weights=given.weights))
        self._mark("NOT IN", people.select(["agent_uuid"]))
        return change

    def _know(self, people: pa.Table) -> None:
        """Append agents to the arrays in order."""
        fresh = people.select(["agent_id", "agent_uuid"])
        fresh = fresh.filter(
            pc.and_(fresh["agent_id"].is_valid(), pc.invert(pc.is_in(fresh["agent_id"], self.numbers)))
        )
        if fresh.num_rows:
            _, first = np.unique(fresh["agent_id"].to_numpy(), return_index=True)
            numbers, uuids = _pair(fresh.take(pa.array(np.sort(first))))
            self.numbers = pa.concat_arrays([self.numbers, numbers])
            self.uuids = pa.concat_arrays([self.uuids, uuids])
        self._by_number = None

    def adopt(self, answers: pa.Table) -> None:
        """Add unlisted agents, with the details in the first answer of each."""
        ids = answers["agent_id"].to_numpy()
        _, first = np.unique(ids, return_index=True)
        told = answers.take(pa.array(np.sort(first)))
        numbers = told["agent_id"].to_pylist()
        columns: dict[str, Any] = {
            "agent_id": told["agent_id"],
            "agent_uuid": pa.array(list(map(self._made, numbers)), pa.string()),
        }
        columns |= {
            field.name: told[f"agent_{field.name}"]
            for field in _AGENTS
            if f"agent_{field.name}" in told.column_names
        }
        people = _shaped(pa.table(columns), _AGENTS)
        self._adopted.append(people)
        self._know(people)

    def uuid_of(self, answer: Mapping[str, Any]) -> str:
        """Return the UUID of an answer's agent; add an unlisted agent with the details in the answer."""
        if self._by_number is None:
            self._by_number = dict(zip(self.numbers.to_pylist(), self.uuids.to_pylist(), strict=True))
        number = answer.get("agent_id")
        found = answer.get("agent_uuid") or self._by_number.get(number)
        if found is None or (found not in self._strangers and number not in self._by_number):
            found = str(found or self._made(number))
            told = {
                name.removeprefix("agent_"): value
                for name, value in answer.items()
                if name.startswith("agent_")
            }
            self._strangers[found] = r.agent_row(self.namespace, {**told, "id": number, "uuid": found})
            self._by_number[number] = found
        if r.is_removed(answer):
            self._gone.add(str(found))
        return str(found)

    def _made(self, number: Any) -> str:
        return self._offered.get(number) or r.derived_uuid(self.namespace, "agent", number)

    def mark(self, answers: pa.Table) -> None:
        """Record that the agents of these answers were removed."""
        if answers.num_rows:
            wanted = pc.unique(answers["agent_id"])
            self._gone.update(self.uuids.filter(pc.is_in(self.numbers, wanted)).to_pylist())

    def save_strangers(self) -> None:
        """Write agents known only from answers, and the marks of removed ones."""
        people = r.table_of(TABLES["agents"], self._strangers.values())
        people = pa.concat_tables([people, *self._adopted])
        gone = pa.array(sorted(self._gone), pa.string())
        upsert(self.cursor, "agents", people, keep=_AGENTS.names[1:])
        removed = pc.is_in(people["agent_uuid"], gone)
        nowhere = pa.nulls(people.num_rows, pa.int64())
        upsert(self.cursor, "study_agents", self._places(people, removed, nowhere))
        self._mark("IN", pa.table({"agent_uuid": gone}))

    def removed(self) -> int:
        """Return the number of removed agents of the study."""
        query = "SELECT count(*) FROM study_agents WHERE study_uuid = ? AND removed"
        return int(self.cursor.execute(query, [self.study_uuid]).fetchall()[0][0])

    def _places(
        self, people: pa.Table, removed: Any, position: Any = None, weights: pa.Table | None = None
    ) -> pa.Table:
        many = people.num_rows
        held = pa.table({}) if weights is None else weights
        columns = {
            "study_uuid": pa.repeat(pa.scalar(self.study_uuid, pa.string()), many),
            "agent_uuid": people["agent_uuid"],
            "agent_id": people["agent_id"],
            "position": pa.array(range(1, many + 1), pa.int64()) if position is None else position,
            "removed": removed,
        }
        for name in _WEIGHTS:
            columns[name] = held[name] if name in held.column_names else pa.nulls(many, pa.float64())
        schema = TABLES["study_agents"].arrow
        return pa.Table.from_arrays([columns[field.name] for field in schema], schema=schema)

    def _mark(self, which: str, agents: pa.Table) -> None:
        """Mark agents of the study as removed: the given ones, or all others."""
        with staged(self.cursor, agents) as name:
            self.cursor.execute(
                "UPDATE study_agents SET removed = true WHERE study_uuid = ? AND NOT removed "
                f"AND agent_uuid {which} (SELECT agent_uuid FROM {name})",
                [self.study_uuid],
            )


def _pair(held: pa.Table) -> tuple[pa.Array, pa.Array]:
    """Return ids and UUIDs as two contiguous arrays."""
    whole = held.combine_chunks()
    numbers = whole["agent_id"].cast(pa.int64()).combine_chunks()
    uuids = whole["agent_uuid"].cast(pa.string()).combine_chunks()
    return (
        pa.concat_arrays([*numbers.chunks]) if isinstance(numbers, pa.ChunkedArray) else numbers,
        pa.concat_arrays([*uuids.chunks]) if isinstance(uuids, pa.ChunkedArray) else uuids,
    )


def save_people(cursor: DuckDBPyConnection, agents: Any, namespace: str) -> People:
    """Write agents and their health profiles, and return them."""
    people = people_of(agents, namespace)
    write_people(cursor, people)
    return people


def write_people(cursor: DuckDBPyConnection, people: People) -> Change:
    """Write agents and their health profiles."""
    change = upsert(cursor, "agents", people.agents)
    upsert(cursor, "health_profiles", people.health)
    _forget_health(cursor, people.agents["agent_uuid"], people.health["agent_uuid"])
    return change


def _forget_health(cursor: DuckDBPyConnection, people: Any, with_health: Any) -> None:
    """Delete the health data of agents that a service lists without any."""
    without = people.filter(pc.invert(pc.is_in(people, with_health.combine_chunks())))
    with staged(cursor, pa.table({"agent_uuid": without})) as name:
        cursor.execute(f"DELETE FROM health_profiles WHERE agent_uuid IN (SELECT agent_uuid FROM {name})")


@dataclass(frozen=True, slots=True)
class People:
    """Agents column by column, in the order given."""

    agents: pa.Table
    health: pa.Table
    removed: Any
    weights: pa.Table


def people_of(agents: Any, namespace: str) -> People:
    """Read agents, from Arrow directly or from records column by column."""
    if isinstance(agents, pa.RecordBatchReader):
        agents = agents.read_all()
    if isinstance(agents, pa.Table) and (found := _from_arrow(agents)) is not None:
        return found
    given = list(r.records(agents))
    if not all(one.get("uuid") for one in given):
        given = [{**one, "uuid": r.agent_row(namespace, one)["agent_uuid"]} for one in given]
    columns = {}
    for name in _AGENTS.names:
        told = _TOLD.get(name, name)
        columns[name] = [one.get(told) for one in given]
    columns["agent_uuid"] = list(map(str, columns["agent_uuid"]))
    removed = pa.array(map(r.is_removed, given), pa.bool_())
    weights = {name: pa.array([one.get(name) for one in given], pa.float64()) for name in _WEIGHTS}
    return People(pa.table(columns, schema=_AGENTS), _health_of(given), removed, pa.table(weights))


def _health_of(agents: list[Mapping[str, Any]]) -> pa.Table:
    with_health = [one for one in agents if one.get("health_profile") is not None]
    profiles = [r.record(one["health_profile"]) for one in with_health]
    columns: dict[str, list[Any]] = {"agent_uuid": [str(one["uuid"]) for one in with_health]}
    for name in _HEALTH.names[1:]:
        told = _TOLD.get(name, name)
        columns[name] = [profile.get(told) for profile in profiles]
    return pa.table(columns, schema=_HEALTH)


def _from_arrow(table: pa.Table) -> People | None:
    """Use Arrow columns directly; None if agents lack UUIDs or the health data have another form."""
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
    weights = {name: table[name].cast(pa.float64()) for name in _WEIGHTS if name in table.column_names}
    return People(_shaped(table, _AGENTS), health, removed, pa.table(weights))


def _shaped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the columns of a schema, in its order and types; absent ones are null."""
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
