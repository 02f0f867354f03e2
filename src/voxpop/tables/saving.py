"""Saving a study: its record, questions, agents and answers into a store, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.tables import rows as r
from voxpop.tables.bulk import Known, batch_of, bulk_rows
from voxpop.tables.roster import Roster
from voxpop.tables.schema import TABLES, literal
from voxpop.tables.writing import Change, merge, upsert


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
    roster = Roster(cursor, uuid)
    changed_agents = Change() if agents is None else roster.save(agents)
    stream = r.answers_of(given_questions) if answers is None else answers
    made = _answers(stream, question_rows, roster)
    changed_answers = merge(cursor, "answers", made, within=f"study_uuid = {literal(uuid)}")
    roster.save_strangers()
    return Saved(
        uuid, study_row["title"], changed_questions, changed_agents, changed_answers, roster.removed()
    )


def _known_source(cursor: DuckDBPyConnection, study_uuid: str) -> r.Row:
    """Return what the store knows already of where a study comes from."""
    names = ("service_url", "service_version", "population")
    query = f"SELECT {', '.join(names)} FROM studies WHERE study_uuid = ?"
    found = cursor.execute(query, [study_uuid]).fetchall()
    return dict(zip(names, found[0], strict=True)) if found else {}


def _answers(answers: Any, questions: list[r.Row], roster: Roster) -> Iterator[pa.RecordBatch]:
    """Make answer rows: column by column where that is possible, else row by row."""
    by_name = {name: row for row in questions for name in (row["question_id"], row["question_uuid"])}
    known = Known.of(questions, roster.uuids)
    for part in _parts(answers):
        table = part if isinstance(part, pa.Table) else batch_of(part)
        quick = None if table is None else bulk_rows(table, known)
        if quick is None:
            rows = r.records([part]) if isinstance(part, pa.Table) else part
            yield from r.answer_table(rows, by_name, roster.uuid_of).to_batches()
            known = Known.of(questions, roster.uuids)
        else:
            yield from quick[0]
            roster.gone.update(quick[1])


def _parts(answers: Any) -> Iterator[pa.Table | list[Any]]:
    """Cut a stream of answers into parts of about ``BATCH``: Arrow tables, or lists of records."""
    if isinstance(answers, pa.Table):
        answers = answers.to_batches(max_chunksize=r.BATCH)
    held: list[Any] = []
    many, columnar = 0, False
    for item in answers:
        arrow = isinstance(item, pa.Table | pa.RecordBatch)
        if many >= r.BATCH or (held and arrow != columnar):
            yield _joined(held, columnar)
            held, many = [], 0
        columnar = arrow
        held.append(item if arrow else r.record(item))
        many += item.num_rows if arrow else 1
    if held:
        yield _joined(held, columnar)


def _joined(held: list[Any], columnar: bool) -> pa.Table | list[Any]:
    if not columnar:
        return held
    return pa.concat_tables(
        [part if isinstance(part, pa.Table) else pa.Table.from_batches([part]) for part in held]
    )
