"""Writing a study into a store: new rows added, changed rows updated, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.bulk import Known, bulk_rows
from voxpop.tables.schema import TABLES, TableSchema, enum, quote


@dataclass(frozen=True, slots=True)
class Change:
    """How many rows a save gave a table, by what happened to them."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    @property
    def total(self) -> int:
        """Return the number of rows handled."""
        return self.new + self.changed + self.unchanged

    def __add__(self, other: Change) -> Change:
        """Add up two batches."""
        return Change(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)

    def __str__(self) -> str:
        """Say it in words."""
        if self.new == self.total:
            return "all new"
        if self.unchanged == self.total:
            return "no change"
        return f"{self.new:,} new, {self.changed:,} changed"


@dataclass(frozen=True, slots=True, repr=False)
class Saved:
    """What a save did.

    Attributes
    ----------
    study_uuid, title : str
        The study.
    questions, agents, answers : Change
        Rows handled.
    removed : int
        Agents that are in the store but no longer in the study.
    """

    study_uuid: str
    title: str | None
    questions: Change
    agents: Change
    answers: Change
    removed: int = 0

    def __repr__(self) -> str:
        return f"<Saved {self.title!r}: {self}>"

    def __str__(self) -> str:
        """Say it in words."""
        parts = [
            f"{change.total:,} {name} ({change})" if change.total else f"no new {name}"
            for name, change in (
                ("questions", self.questions),
                ("agents", self.agents),
                ("answers", self.answers),
            )
        ]
        gone = f"; {self.removed:,} agents removed from the study" if self.removed else ""
        return f"{', '.join(parts)}{gone}"


def save(
    cursor: DuckDBPyConnection, study: Any, questions: Iterable[Any], answers: Any, agents: Any, source: Any
) -> Saved:
    """Write a study with its questions, agents and answers inside the cursor's transaction."""
    study_row = r.study_row(study, source)
    uuid = study_row["study_uuid"]
    if source is None:
        study_row |= _known_source(cursor, uuid)
    upsert(cursor, "studies", r.table_of(TABLES["studies"], [study_row]))
    given_questions = [r.record(item) for item in questions]
    question_rows = r.question_rows(uuid, given_questions)
    changed_questions = upsert(cursor, "questions", r.table_of(TABLES["questions"], question_rows))
    cast = _Cast(cursor, uuid)
    changed_agents = Change() if agents is None else cast.save(r.records(agents))
    changed_answers = Change()
    stream = r.answers_of(given_questions) if answers is None else answers
    for batch in _answers(stream, question_rows, cast):
        changed_answers += upsert(cursor, "answers", batch)
    cast.save_strangers()
    return Saved(uuid, study_row["title"], changed_questions, changed_agents, changed_answers, cast.removed())


def _known_source(cursor: DuckDBPyConnection, study_uuid: str) -> r.Row:
    """Return what the store knows already of where a study comes from."""
    names = ("service_url", "service_version", "population")
    query = f"SELECT {', '.join(names)} FROM studies WHERE study_uuid = ?"
    found = cursor.execute(query, [study_uuid]).fetchall()
    return dict(zip(names, found[0], strict=True)) if found else {}


def _answers(answers: Any, questions: list[r.Row], cast: _Cast) -> Iterator[pa.Table]:
    """Make answer rows, about ``BATCH`` at once: column by column out of Arrow, else row by row."""
    by_name = {name: row for row in questions for name in (row["question_id"], row["question_uuid"])}
    known = Known.of(questions, cast.uuids)
    held: list[pa.Table] = []
    for part in _parts(answers):
        quick = bulk_rows(part, known) if isinstance(part, pa.RecordBatch) else None
        if quick is None:
            rows = r.records([part]) if isinstance(part, pa.RecordBatch) else map(r.record, part)
            held.append(r.answer_table(rows, by_name, cast.uuid_of))
            known = Known.of(questions, cast.uuids)
        else:
            held += quick[0]
            cast.gone.update(quick[1])
        if sum(table.num_rows for table in held) >= r.BATCH:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)


def _parts(answers: Any) -> Iterator[Any]:
    """Cut a stream of answers: Arrow batches as they come, anything else in lists."""
    if isinstance(answers, pa.Table):
        answers = answers.to_batches(max_chunksize=r.BATCH)
    loose: list[Any] = []
    for item in answers:
        if isinstance(item, pa.Table | pa.RecordBatch):
            yield from item.to_batches() if isinstance(item, pa.Table) else [item]
            continue
        loose.append(item)
        if len(loose) >= r.BATCH:
            yield loose
            loose = []
    if loose:
        yield loose


class _Cast:
    """The agents of one study while it is saved: who is who, and who was removed."""

    def __init__(self, cursor: DuckDBPyConnection, study_uuid: str) -> None:
        self.cursor, self.study_uuid = cursor, study_uuid
        known = cursor.execute(
            "SELECT agent_id, agent_uuid FROM study_agents WHERE study_uuid = ?", [study_uuid]
        )
        self.uuids: dict[Any, str] = dict(known.fetchall())
        self.strangers: dict[str, r.Row] = {}
        self.gone: set[str] = set()

    def save(self, agents: Iterable[Mapping[str, Any]]) -> Change:
        """Write agents with health profiles and places; mark those that are in the study no longer."""
        people, health, places = [], [], []
        for position, given in enumerate(agents, 1):
            row = r.agent_row(self.study_uuid, given)
            people.append(row)
            self.uuids[row["agent_id"]] = row["agent_uuid"]
            if (profile := given.get("health_profile")) is not None:
                health.append(r.health_row(row["agent_uuid"], profile))
            places.append(self._place(row, position, r.is_removed(given)))
        change = upsert(self.cursor, "agents", r.table_of(TABLES["agents"], people))
        upsert(self.cursor, "health_profiles", r.table_of(TABLES["health_profiles"], health))
        self._forget_health([row["agent_uuid"] for row in people], [row["agent_uuid"] for row in health])
        upsert(self.cursor, "study_agents", r.table_of(TABLES["study_agents"], places))
        present = pa.array([row["agent_uuid"] for row in places], pa.string())
        with staged(self.cursor, pa.table({"agent_uuid": present})) as name:
            self.cursor.execute(
                f"UPDATE study_agents SET removed = true WHERE study_uuid = ? AND NOT removed "
                f"AND agent_uuid NOT IN (SELECT agent_uuid FROM {name})",
                [self.study_uuid],
            )
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
        people = list(self.strangers.values())
        upsert(self.cursor, "agents", r.table_of(TABLES["agents"], people))
        places = [self._place(row, None, row["agent_uuid"] in self.gone) for row in people]
        upsert(self.cursor, "study_agents", r.table_of(TABLES["study_agents"], places))
        with staged(self.cursor, pa.table({"agent_uuid": pa.array(sorted(self.gone), pa.string())})) as name:
            self.cursor.execute(
                f"UPDATE study_agents SET removed = true WHERE study_uuid = ? AND NOT removed "
                f"AND agent_uuid IN (SELECT agent_uuid FROM {name})",
                [self.study_uuid],
            )

    def removed(self) -> int:
        """Count the removed agents of the study."""
        query = "SELECT count(*) FROM study_agents WHERE study_uuid = ? AND removed"
        return int(self.cursor.execute(query, [self.study_uuid]).fetchall()[0][0])

    def _place(self, row: r.Row, position: int | None, removed: bool) -> r.Row:
        place = {"study_uuid": self.study_uuid, "agent_uuid": row["agent_uuid"], "agent_id": row["agent_id"]}
        return {**place, "position": position, "removed": removed}

    def _forget_health(self, people: list[str], with_health: list[str]) -> None:
        without = sorted(set(people) - set(with_health))
        with staged(self.cursor, pa.table({"agent_uuid": pa.array(without, pa.string())})) as name:
            query = f"DELETE FROM health_profiles WHERE agent_uuid IN (SELECT agent_uuid FROM {name})"
            self.cursor.execute(query)


@contextmanager
def staged(cursor: DuckDBPyConnection, data: pa.Table) -> Iterator[str]:
    """Lend rows to SQL under a name, inside a ``with`` block."""
    cursor.register("voxpop_staged", data)
    try:
        yield "voxpop_staged"
    finally:
        cursor.unregister("voxpop_staged")


def upsert(cursor: DuckDBPyConnection, table: str, data: pa.Table) -> Change:
    """Add new rows and update changed ones by the table's key; the last of equal keys in ``data`` counts."""
    schema = TABLES[table]
    data = _last_of_each(data, schema.key)
    if data.num_rows == 0:
        return Change()
    widen(cursor, schema, data)
    name, key = quote(table), ", ".join(map(quote, schema.key))
    with staged(cursor, data) as rows:
        given = f"(SELECT {', '.join(_typed(cursor, schema))} FROM {rows})"
        known = _count(cursor, f"FROM {given} s SEMI JOIN {name} t USING ({key})")
        if known == 0:
            cursor.execute(f"INSERT INTO {name} SELECT * FROM {given}")
            return Change(new=data.num_rows)
        rest = [quote(column) for column in schema.names if column not in schema.key]
        old, new = (f"row({', '.join(f'{side}.{column}' for column in rest)})" for side in ("t", "s"))
        changed = _count(
            cursor, f"FROM {given} s JOIN {name} t USING ({key}) WHERE {old} IS DISTINCT FROM {new}"
        )
        if changed or known < data.num_rows:
            cursor.execute(
                f"INSERT INTO {name} SELECT s.* FROM {given} s LEFT JOIN {name} t USING ({key}) "
                f"WHERE t.{quote(schema.key[0])} IS NULL OR {old} IS DISTINCT FROM {new} "
                f"ON CONFLICT ({key}) DO UPDATE SET "
                + ", ".join(f"{column} = excluded.{column}" for column in rest)
            )
        return Change(data.num_rows - known, changed, known - changed)


def _last_of_each(data: pa.Table, key: tuple[str, ...]) -> pa.Table:
    """Leave out rows that a later row with the same key replaces."""
    places = pa.array(range(data.num_rows), pa.int64())
    last = (
        data.select(list(key))
        .append_column("place", places)
        .group_by(list(key))
        .aggregate([("place", "max")])
    )
    if last.num_rows == data.num_rows:
        return data
    return data.take(last["place_max"].combine_chunks().sort())


def _count(cursor: DuckDBPyConnection, rest: str) -> int:
    return int(cursor.execute(f"SELECT count(*) {rest}").fetchall()[0][0])


def _typed(cursor: DuckDBPyConnection, schema: TableSchema) -> list[str]:
    """Cast each column to the type that the store's table has now."""
    types = dict(
        cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(schema.name)})").fetchall()
    )
    return [f"{quote(name)}::{types[name]} AS {quote(name)}" for name in schema.names]


def widen(cursor: DuckDBPyConnection, schema: TableSchema, data: pa.Table) -> None:
    """Append levels that the store does not know to its ENUM columns; known levels keep their order."""
    for column in schema.columns:
        if column.kind != "level" or not column.levels:
            continue
        known = levels_of(cursor, schema.name, column.name)
        seen = pc.unique(data[column.name]).drop_null().to_pylist()
        if extra := sorted(set(seen) - set(known)):
            change = f"ALTER COLUMN {quote(column.name)} TYPE {enum([*known, *extra])}"
            cursor.execute(f"ALTER TABLE {quote(schema.name)} {change}")


def levels_of(cursor: DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the levels that an ENUM column has in the store, in order."""
    query = f"SELECT enum_range(NULL::{_type_of(cursor, table, column)})"
    return tuple(cursor.execute(query).fetchall()[0][0])


def _type_of(cursor: DuckDBPyConnection, table: str, column: str) -> str:
    described = cursor.execute(f"SELECT column_name, column_type FROM (DESCRIBE {quote(table)})").fetchall()
    return str(dict(described)[column])
