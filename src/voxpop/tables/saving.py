"""Saving a study with its questions, agents and answers to a store in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.bulk import ENCODED, Known, batch_of, bulk_rows, encoded, fits, removed_in
from voxpop.tables.families import note_pull, save_attachments, save_unanswered
from voxpop.tables.roster import Roster
from voxpop.tables.schema import TABLES, literal
from voxpop.tables.writing import Change, held_short, merge, upsert

PACKED = 122_880
"""Maximum number of rows per batch of columnar answers: DuckDB compresses this many together, and compresses
any remainder twice.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Saved:
    """Result of a save.

    Attributes
    ----------
    study_uuid, title : str
        The study.
    questions, agents, answers : Change
        Rows handled.
    removed : int
        Agents in the store that are no longer in the study.
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
        """Return a summary in words."""
        changes = (("questions", self.questions), ("agents", self.agents), ("answers", self.answers))
        agents = "agent" if self.removed == 1 else "agents"
        gone = f"; {self.removed:,} {agents} removed from the study" if self.removed else ""
        if all(change.total == change.unchanged for _, change in changes):
            return f"nothing new{gone}"
        parts = [
            f"{change.total:,} {name if change.total != 1 else name[:-1]} ({change})"
            for name, change in changes
            if change.total
        ]
        return f"{', '.join(parts)}{gone}"


@dataclass(frozen=True, slots=True)
class Captured:
    """Parts of a study as passed to :meth:`voxpop.tables.Store.save_study`."""

    study: Any
    questions: Iterable[Any]
    answers: Any = None
    agents: Any = None
    profiles: Any = None
    unanswered: Iterable[Any] | None = None
    source: Mapping[str, Any] | None = None
    agents_saved: bool = False


def save(cursor: DuckDBPyConnection, told: Captured) -> Saved:
    """Write a study with its questions, agents and answers inside the cursor's transaction."""
    study_row = r.study_row(told.study, told.source)
    uuid = study_row["study_uuid"]
    if told.source is None:
        study_row |= _known_source(cursor, uuid)
    upsert(cursor, "studies", r.table_of(TABLES["studies"], [study_row]))
    given_questions = [r.record(item) for item in told.questions]
    question_rows = r.question_rows(uuid, given_questions)
    changed_questions = upsert(cursor, "questions", r.table_of(TABLES["questions"], question_rows))
    namespace = study_row["service_url"] or uuid
    for given, row in zip(given_questions, question_rows, strict=True):
        save_attachments(cursor, row["question_uuid"], given.get("attachments") or (), namespace)
    roster = Roster(cursor, uuid, namespace)
    if told.profiles is not None:
        roster.offer(told.profiles)
    changed_agents = Change() if told.agents is None else roster.save(told.agents, saved=told.agents_saved)
    stream = r.answers_of(given_questions) if told.answers is None else told.answers
    made = AnswerRows(stream, question_rows, roster)
    within = f"study_uuid = {literal(uuid)}"
    with held_short(cursor):
        changed_answers = merge(cursor, "answers", made, ENCODED, within, unique=lambda: made.unique)
    roster.save_strangers()
    if told.unanswered is not None:
        save_unanswered(cursor, uuid, told.unanswered, {row["question_id"]: row for row in question_rows})
    cursor.execute("UPDATE pulls SET attestation = NULL WHERE what = 'study' AND uuid = ?", [uuid])
    if told.source and told.source.get("pulled_at"):
        note_pull(cursor, "study", uuid, told.source)
    return Saved(
        uuid, study_row["title"], changed_questions, changed_agents, changed_answers, roster.removed()
    )


def _known_source(cursor: DuckDBPyConnection, study_uuid: str) -> r.Row:
    """Return what the store already knows about the origin of a study."""
    names = ("service_url", "service_version", "population")
    query = f"SELECT {', '.join(names)} FROM studies WHERE study_uuid = ?"
    found = cursor.execute(query, [study_uuid]).fetchall()
    return dict(zip(names, found[0], strict=True)) if found else {}


class AnswerRows:
    """Rows to save, of the schema ``ENCODED``, made column by column where possible, otherwise row by row.

    Attributes
    ----------
    unique : bool
        Whether no pair of question and agent occurred twice so far; false if unknown.
    """

    def __init__(self, answers: Any, questions: list[r.Row], roster: Roster) -> None:
        self._answers, self._questions, self._roster = answers, questions, roster
        self._known = Known(questions, roster.numbers, roster.uuids)
        self._by_name = {
            name: row for row in questions for name in (row["question_id"], row["question_uuid"])
        }
        self._row_by_row = False

    @property
    def unique(self) -> bool:
        """Whether no pair of question and agent occurred twice."""
        return not (self._row_by_row or self._known.repeats)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for part in _parts(self._answers):
            table = part if isinstance(part, pa.Table) else batch_of(part)
            if table is not None and fits(table, self._known):
                self._meet(table)
                yield bulk_rows(table, self._known)
                self._roster.mark(removed_in(table))
            else:
                self._row_by_row = True
                rows = r.records([part]) if isinstance(part, pa.Table) else part
                yield from encoded(r.answer_table(rows, self._by_name, self._roster.uuid_of))

    def _meet(self, table: pa.Table) -> None:
        """Add agents that were not listed."""
        ids = table["agent_id"].to_numpy()
        strange = self._known.people(ids) < 0
        if strange.any():
            self._roster.adopt(table.filter(pa.array(strange)))
            self._known.extend(self._roster.numbers, self._roster.uuids)


def _parts(answers: Any) -> Iterator[pa.Table | list[Any]]:
    """Split a stream of answers into batches: Arrow tables, or lists of records."""
    if isinstance(answers, pa.Table):
        answers = [answers]
    held: list[Any] = []
    many, size, columnar = 0, 0, False
    for item in answers:
        arrow = isinstance(item, pa.Table | pa.RecordBatch)
        if held and arrow != columnar:
            yield _joined(held, columnar)
            held, many, size = [], 0, 0
        columnar = arrow
        if arrow:
            while many + item.num_rows >= PACKED:
                yield _joined([*held, item.slice(0, PACKED - many)], columnar)
                item, held, many, size = item.slice(PACKED - many), [], 0, 0
            held.append(item)
            many, size = many + item.num_rows, size + item.nbytes
        else:
            rows = [r.record(one) for one in item] if isinstance(item, list) else [r.record(item)]
            held.extend(rows)
            many += len(rows)
            size += sum(len(one.get("response_text") or "") for one in rows)
        if size >= r.MOST_BYTES or (many >= r.BATCH and not columnar):
            yield _joined(held, columnar)
            held, many, size = [], 0, 0
    if many:
        yield _joined(held, columnar)


def _joined(held: list[Any], columnar: bool) -> pa.Table | list[Any]:
    if not columnar:
        return held
    tables = [part if isinstance(part, pa.Table) else pa.Table.from_batches([part]) for part in held]
    return pa.concat_tables(tables, promote_options="default")
