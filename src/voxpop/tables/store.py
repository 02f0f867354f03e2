"""The store: studies as typed tables in one DuckDB file, or in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation

from voxpop.errors import StoreError, UsageError
from voxpop.survey.survey import Survey
from voxpop.tables import families, saving
from voxpop.tables.export import Wishes, write_export
from voxpop.tables.migrating import connect, is_damage, prepare, told_damaged
from voxpop.tables.panels import panel_view, waves_of
from voxpop.tables.parquet import read_parquet, write_parquet
from voxpop.tables.people import respondents_frame, respondents_survey, respondents_view
from voxpop.tables.results import Results
from voxpop.tables.saving import Captured, Saved
from voxpop.tables.schema import TABLES, quote
from voxpop.tables.store_relations import answers_of, dictionary, rates_of
from voxpop.tables.writing import Change, upsert
from voxpop.vocabulary.markup import escaped


class Store:
    """Studies as typed DuckDB tables, without keys or share links.

    Each thread uses its own cursor; relations stay usable until the store is closed.

    Parameters
    ----------
    path : str or Path, default ":memory:"
        A DuckDB file, created if it does not exist; only one program can have it open at a time.

    Raises
    ------
    StoreError
        The file is open in another program, is not a store, or was created by a newer version.

    Examples
    --------
    >>> with Store() as store:
    ...     store
    <Store :memory: 0 studies, 0 questions, 0 answers>
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path: str = str(path)
        self._lock = threading.RLock()
        self._cursors: list[DuckDBPyConnection] = []
        self._local = threading.local()
        self._connection: DuckDBPyConnection | None = connect(self.path)
        try:
            with self._reading() as cursor:
                prepare(cursor, self.path)
        except BaseException:
            self.close()
            raise

    def save_study(
        self,
        study: Any,
        questions: Iterable[Any],
        answers: Any = None,
        agents: Any = None,
        source: Mapping[str, Any] | None = None,
        *,
        profiles: Any = None,
        unanswered: Iterable[Any] | None = None,
        agents_saved: bool = False,
    ) -> Saved:
        """Write a study in one transaction: new rows are added and changed rows updated.

        Parameters
        ----------
        study : wire model or dict
            With ``uuid``; ``id``, ``title`` and so on.
        questions : iterable of wire models or dicts
            All questions of the study, in the order asked, with their ``attachments``.
        answers : iterable of wire models or dicts, Arrow table or reader, optional
            Any part of the answers, each with ``question_id`` (or ``question_uuid``) and ``agent_id`` (or
            ``agent_uuid``). In Arrow, a text column ``value`` holds JSON. Defaults to the answers nested in
            ``questions``. May be a generator: it is read in batches.
        agents : iterable of wire models or dicts, Arrow table or reader, optional
            All agents of the study, in group order; agents in the store that are absent here, or have
            ``agent_removed``, are marked as removed. By default the agents in the store stay unchanged.
        source : dict, optional
            Origin of the data: ``base_url``, ``version`` (of the service), ``population`` (its name, or a
            dict with ``name`` or ``version``), ``pulled_at``. Keys in addresses are dropped.
        profiles : iterable of wire models or dicts, optional
            Agents that may be in the study, for services that do not list its agents; those who answer are
            members.
        unanswered : iterable of wire models or dicts, optional
            Question jobs that failed or have not ended; they replace those in the store.
        agents_saved : bool
            Whether the store already has the records of ``agents``, as after :meth:`save_group`; they are
            then not compared again.

        Returns
        -------
        Saved
            Number of new, changed and unchanged rows; ``str()`` gives a summary.

        Raises
        ------
        UsageError
            An answer belongs to a question that is not among ``questions``.
        StoreError
            The store cannot be written, for example on a full disk; it is left unchanged.
        """
        told = Captured(study, questions, answers, agents, profiles, unanswered, source, agents_saved)
        with self._writing() as cursor:
            return saving.save(cursor, told)

    def save_group(
        self,
        group: Any,
        agents: Iterable[Any] | None = None,
        source: Mapping[str, Any] | None = None,
        weights: Iterable[Any] | None = None,
    ) -> Change:
        """Write a group, its members and their weights; former members stay, marked as removed."""
        with self._writing() as cursor:
            return families.save_group(cursor, group, agents, source, weights)

    def save_content(self, question_uuid: str, attachment_uuid: str, content: bytes, sha256: str) -> None:
        """Write the bytes of an attached file."""
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE attachments SET content = ?, sha256 = ? "
                "WHERE question_uuid = ? AND attachment_uuid = ?",
                [content, sha256, question_uuid, attachment_uuid],
            )

    def save_direct_question(self, question: Any, source: Mapping[str, Any] | None = None) -> Change:
        """Write the record of a direct question with its targets and answers."""
        with self._writing() as cursor:
            return families.save_direct_question(cursor, question, source)

    def save_survey(
        self, survey: Any, responses: Iterable[Any] | None = None, source: Mapping[str, Any] | None = None
    ) -> Change:
        """Write a survey and its responses."""
        with self._writing() as cursor:
            return families.save_survey(cursor, survey, responses, source)

    def save_usage(self, usage: Any, source: Mapping[str, Any] | None = None) -> Change:
        """Write a usage snapshot: one row per quota cycle."""
        with self._writing() as cursor:
            return families.save_usage(cursor, usage, source)

    def fill(self, table: str, rows: pa.Table) -> Change:
        """Add rows of the schema to one table, updating those whose key already exists."""
        if table not in TABLES:
            raise UsageError(f"A store has no table {table!r}; it has {', '.join(TABLES)}.")
        with self._writing() as cursor:
            return upsert(cursor, table, rows)

    def respondents(self, study: Any = None, *, removed: bool = False, waves: bool = False) -> Survey:
        """Return one row per agent of a study: its profile, then one column per question.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title, or a list of them, optional
            The study; optional in a store with only one study. A list of waves of one panel gives one row per
            agent and wave, with a column ``wave``; the answers to questions of one key share a column.
        waves : bool, default False
            Whether to include all waves of the study's panel that the store has.
        removed : bool, default False
            Whether to include agents that were removed from the study, with a column ``removed``.

        Returns
        -------
        Survey
            The rows as a DuckDB relation (``.relation``), a DataFrame (``.df()``) or an Arrow table
            (``.arrow()``), with the wording and the levels of each question in ``.variables``. The column of
            a question is named by its key (``<key>_answer`` if a profile column has that name).
            Yes/no is an ENUM of ``yes`` and ``no``, a choice an ENUM in the order of its options, several
            choices and rankings a LIST of texts, a scale an INTEGER, a number a DOUBLE, an open answer its
            text. NULL: no answer. Health columns are NULL for agents without assigned health data.
        """
        rows = self._respondents(self._cursor(), study, removed=removed, waves=waves)
        return respondents_survey(rows, self._title(study))

    def frame(self, study: Any = None, *, removed: bool = False, waves: bool = False) -> pd.DataFrame:
        """Return :meth:`respondents` as a DataFrame to add columns to, such as weights.

        Its ``attrs`` hold the same metadata for tables as the relation: the wording of the questions, the
        order of options, the ends of scales, and the origin of the answers.

        Parameters
        ----------
        study, removed, waves
            As in :meth:`respondents`.
        """
        with self._reading() as cursor:
            return respondents_frame(self._respondents(cursor, study, removed=removed, waves=waves))

    def answers(self, study: Any = None, key: str | None = None) -> DuckDBPyRelation:
        """Return one row per answer of a study, by question and agent, with the coded value by its type.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title, optional
            The study; optional in a store with only one study.
        key : str, optional
            Restrict to the answers to this question.
        """
        return answers_of(self._cursor(), self.study_uuid(study), key)

    def response_rates(self, study: Any = None, by: str | Iterable[str] = ()) -> DuckDBPyRelation:
        """Return how many agents were asked, answered, failed or were removed, per question and cohort.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title, optional
            The study; optional in a store with only one study.
        by : str or list of str, optional
            Fields of the agents: one row per question and combination of their values.
        """
        return rates_of(self._cursor(), self.study_uuid(study), by)

    def dictionary(self) -> DuckDBPyRelation:
        """Return the data dictionary: one row per column of every table and view."""
        return dictionary(self._cursor())

    def to_parquet(self, folder: str | Path) -> list[Path]:
        """Write every table as a Parquet file into a folder, and return the files."""
        with _as_store_error(f"The folder {folder} cannot be written"), self._reading() as cursor:
            return write_parquet(cursor, Path(folder))

    def read_parquet(self, folder: str | Path) -> dict[str, Change]:
        """Load the tables written by :meth:`to_parquet`; rows with existing keys are updated."""
        with self._writing() as cursor:
            return read_parquet(cursor, Path(folder))

    def sql(self, text: str, params: Any = None) -> DuckDBPyRelation:
        """Run SQL on the tables and return a relation; ``params`` fill the ``?`` placeholders."""
        return self._cursor().sql(text) if params is None else self._cursor().sql(text, params=params)

    def studies(self) -> DuckDBPyRelation:
        """Return the studies in the store, by title."""
        return self._cursor().sql("SELECT * FROM studies ORDER BY title, study_uuid")

    def tables(self) -> dict[str, int]:
        """Return the number of rows of each table."""
        with self._reading() as cursor:
            return {
                name: int(cursor.execute(f"SELECT count(*) FROM {quote(name)}").fetchall()[0][0])
                for name in TABLES
            }

    def study_uuid(self, study: Any) -> str:
        """Return a study by handle, wire model, UUID, id or unique title, or raise :class:`StoreError`."""
        if study is None:
            return self._only_study()
        wanted = study.get("uuid") if isinstance(study, Mapping) else getattr(study, "uuid", study)
        known = self._held_studies()
        text = str(wanted).strip()
        for place in range(3):
            found = [row for row in known if row[place] is not None and str(row[place]) == text]
            if len(found) == 1:
                return str(found[0][0])
            if found:
                names = ", ".join(row[0] for row in found)
                raise StoreError(
                    f"{text!r} names {len(found)} studies of the store; take one of their UUIDs: {names}."
                )
        raise StoreError(f"The store has no study {text!r}. It has {_list_of(known)}.")

    def _respondents(
        self, cursor: DuckDBPyConnection, study: Any, *, removed: bool, waves: bool
    ) -> DuckDBPyRelation:
        if isinstance(study, list | tuple):
            return panel_view(cursor, [self.study_uuid(one) for one in study], removed=removed)
        uuid = self.study_uuid(study)
        if waves:
            return panel_view(cursor, waves_of(cursor, uuid), removed=removed)
        return respondents_view(cursor, uuid, removed=removed)

    def _title(self, study: Any) -> str:
        """Return the title of a study, or of the first of several."""
        first = study[0] if isinstance(study, list | tuple) else study
        uuid = self.study_uuid(first)
        return next((str(title) for one, _, title in self._held_studies() if one == uuid and title), "study")

    def _only_study(self) -> str:
        known = self._held_studies()
        if len(known) != 1:
            raise StoreError(f"Which study? Name one: the store has {_list_of(known)}.")
        return str(known[0][0])

    def _held_studies(self) -> list[tuple[Any, ...]]:
        with self._reading() as cursor:
            return cursor.execute(
                "SELECT study_uuid, study_id, title FROM studies ORDER BY title, study_uuid"
            ).fetchall()

    def export(
        self,
        study: Any,
        directory: str | Path,
        *,
        formats: str | Iterable[str] = (),
        tables: Any = (),
        data: Any = None,
    ) -> Path:
        """Write a study as a folder that others can verify bit for bit.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title
            The study.
        directory : str or Path
            A new or empty folder, or an earlier export, which is replaced completely.
        formats : str or list of str, optional
            Formats in addition to Parquet, by their names in :data:`voxpop.tables.formats.FORMATS`, such as
            ``csv``.
        tables : table, report or list of them, optional
            Results computed from the data, such as those of :func:`voxpop.crosstab`. Their specifications and
            figures are written, and :func:`voxpop.verify` computes them again.
        data : DataFrame, Arrow table or DuckDB relation, optional
            The data from which the tables were computed, one row per agent with ``agent_id``, unless that is
            ``respondents(study)`` unchanged: its rows, and added columns such as weights, are written too.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        StoreError
            The folder contains anything else, or cannot be written.
        UsageError
            A format needs an extra that is not installed, or ``tables`` or ``data`` have an invalid type.
        """
        uuid = self.study_uuid(study)
        with self._reading() as cursor:
            known = respondents_view(cursor, uuid, removed=True).columns
            wishes = Wishes.of(formats, Results.of(tables, data, known))
            return write_export(cursor, uuid, Path(directory), wishes)

    def close(self) -> None:
        """Close the store and its relations."""
        for cursor in self._cursors:
            cursor.close()
        self._cursors.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._connection is None:
            return f"<Store {self.path} closed>"
        rows = self.tables()
        parts = ", ".join(
            f"{rows[name]:,} {one if rows[name] == 1 else name}"
            for name, one in (("studies", "study"), ("questions", "question"), ("answers", "answer"))
        )
        return f"<Store {self.path} {parts}>"

    def _repr_html_(self) -> str:
        if self._connection is None:
            return f"<p>Store {escaped(self.path)}, closed</p>"
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escaped(name)}</th>"
            f"<td style='text-align:right'>{count:,}</td></tr>"
            for name, count in self.tables().items()
            if count
        )
        heads = "<tr><th scope='col' style='text-align:left'>table</th><th scope='col'>rows</th></tr>"
        return (
            f"<table><caption>Store {escaped(self.path)}</caption>"
            f"<thead>{heads}</thead><tbody>{rows}</tbody></table>"
        )

    @contextmanager
    def _writing(self) -> Iterator[DuckDBPyConnection]:
        """Commit everything written inside the block, or nothing."""
        with self._lock:
            unwritten = f"The store {self.path} cannot be written and is as it was before"
            with self._reading() as cursor, _as_store_error(unwritten):
                cursor.begin()
                try:
                    yield cursor
                except BaseException:
                    with suppress(duckdb.Error):  # a full disk ends the transaction by itself
                        cursor.rollback()
                    raise
                cursor.commit()

    @contextmanager
    def _reading(self) -> Iterator[DuckDBPyConnection]:
        """Yield this thread's cursor; raise an error that names the file if it turns out to be damaged."""
        try:
            yield self._cursor()
        except (duckdb.Error, StoreError) as error:
            if is_damage(error) and not str(error).startswith(f"The store {self.path} is damaged"):
                raise StoreError(told_damaged(self.path, error.__cause__ or error)) from error
            raise

    def _cursor(self) -> DuckDBPyConnection:
        if self._connection is None:
            raise StoreError(f"The store {self.path} is closed; open it again with Store({self.path!r}).")
        cursor: DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            with self._lock:
                cursor = self._connection.cursor()
                self._cursors.append(cursor)
            self._local.cursor = cursor
        return cursor


_UNWRITTEN = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.OutOfMemoryException,
    duckdb.TransactionException,  # a commit that ran out of space
)


@contextmanager
def _as_store_error(told: str) -> Iterator[None]:
    try:
        yield
    except _UNWRITTEN as error:
        raise StoreError(f"{told}: {str(error).splitlines()[0]}") from error


def _list_of(known: list[tuple[Any, ...]]) -> str:
    """Return up to ten studies as text for a message."""
    here = "; ".join(f"{title!r} (id {number}, {uuid})" for uuid, number, title in known[:10])
    return here or "no study yet; pull one first"
