"""The store: studies as typed tables in one DuckDB file, or in memory."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation

from voxpop.errors import StoreError, UsageError
from voxpop.tables import saving
from voxpop.tables.export import write_export
from voxpop.tables.people import respondents_view
from voxpop.tables.saving import Saved
from voxpop.tables.schema import SCHEMA_VERSION, TABLES, quote
from voxpop.tables.writing import Change, upsert


class Store:
    """Studies in typed DuckDB tables. A store never holds a key or a share link.

    Each thread works on a cursor of its own; relations stay usable until the store is closed.

    Parameters
    ----------
    path : str or Path, default ":memory:"
        A DuckDB file, made when it is new; one program at a time can have it open.

    Raises
    ------
    StoreError
        When the file is open in another program, is not a store, or was made by a newer version.

    Examples
    --------
    >>> with Store() as store:
    ...     store
    <Store :memory: 0 studies, 0 questions, 0 answers>
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = str(path)
        self._lock = threading.RLock()
        self._cursors: list[DuckDBPyConnection] = []
        self._local = threading.local()
        self._connection: DuckDBPyConnection | None = _connect(self.path)
        try:
            _prepare(self._cursor(), self.path)
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
    ) -> Saved:
        """Write a study: new rows are added, changed rows updated; all of it, or nothing at all.

        Parameters
        ----------
        study : wire model or dict
            With ``uuid``; ``id``, ``title`` and so on.
        questions : iterable of wire models or dicts
            All questions of the study, in the order asked.
        answers : iterable of wire models or dicts, Arrow table or reader, optional
            Any part of the answers, each with ``question_id`` (or ``question_uuid``) and ``agent_id`` (or
            ``agent_uuid``). In Arrow a text column ``value`` holds JSON. Without it the answers nested in
            ``questions`` are taken. May be a generator: it is read in batches.
        agents : iterable of wire models or dicts, Arrow table or reader, optional
            All agents of the study, in group order; agents in the store that are missing here, or say
            ``agent_removed``, are marked as removed. Without it the agents in the store stay as they are.
        source : dict, optional
            Where it comes from: ``base_url``, ``version`` (of the service), ``population`` (its name, or a
            dict with ``name`` or ``version``). Keys in addresses are dropped.

        Returns
        -------
        Saved
            Rows by what happened to them; ``str()`` says it in a sentence.

        Raises
        ------
        UsageError
            When an answer belongs to a question that is not among ``questions``.
        """
        with self._lock, _transaction(self._cursor()) as cursor:
            return saving.save(cursor, study, questions, answers, agents, source)

    def fill(self, table: str, rows: pa.Table) -> Change:
        """Add rows in the shape of the schema to one table, updating those whose key is there already."""
        if table not in TABLES:
            raise UsageError(f"A store has no table {table!r}; it has {', '.join(TABLES)}.")
        with self._lock, _transaction(self._cursor()) as cursor:
            return upsert(cursor, table, rows)

    def respondents(self, study: Any = None, *, removed: bool = False) -> DuckDBPyRelation:
        """Return one row per agent of a study: its profile, then one column per question.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title, optional
            Which study; it need not be named in a store that holds one study only.
        removed : bool, default False
            Whether agents that were removed from the study are there too, with a column ``removed``.

        Returns
        -------
        DuckDBPyRelation
            A question's column is named by its key (``<key>_answer`` where a profile column has that name).
            Yes/no is an ENUM of ``yes`` and ``no``, a choice an ENUM in the order of its options, several
            choices and rankings a LIST of such, a scale an INTEGER, a number a DOUBLE, an open answer its
            text. NULL: no answer. Health columns are NULL for agents without assigned health data.
        """
        return respondents_view(self._cursor(), self.study_uuid(study), removed=removed)

    def sql(self, text: str, params: Any = None) -> DuckDBPyRelation:
        """Run SQL on the tables and return a relation; ``params`` fill the ``?`` in the text."""
        return self._cursor().sql(text) if params is None else self._cursor().sql(text, params=params)

    def studies(self) -> DuckDBPyRelation:
        """Return the studies in the store, by title."""
        return self._cursor().sql("SELECT * FROM studies ORDER BY title, study_uuid")

    def tables(self) -> dict[str, int]:
        """Return the number of rows of each table."""
        cursor = self._cursor()
        return {
            name: int(cursor.execute(f"SELECT count(*) FROM {quote(name)}").fetchall()[0][0])
            for name in TABLES
        }

    def study_uuid(self, study: Any) -> str:
        """Find a study by handle, wire model, UUID, number or unique title, or raise :class:`StoreError`."""
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

    def _only_study(self) -> str:
        known = self._held_studies()
        if len(known) != 1:
            raise StoreError(f"Which study? Name one: the store has {_list_of(known)}.")
        return str(known[0][0])

    def _held_studies(self) -> list[tuple[Any, ...]]:
        cursor = self._cursor()
        return cursor.execute(
            "SELECT study_uuid, study_id, title FROM studies ORDER BY title, study_uuid"
        ).fetchall()

    def export(self, study: Any, directory: str | Path) -> Path:
        """Write a study as a folder that another person can check bit for bit.

        Parameters
        ----------
        study : study handle, wire model, UUID, number or unique title
            Which study.
        directory : str or Path
            A new or empty folder, or an earlier export, which is replaced as a whole.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        StoreError
            When the folder holds anything else, or cannot be written.
        """
        return write_export(self._cursor(), self.study_uuid(study), Path(directory))

    def close(self) -> None:
        """Close the store; its relations end with it."""
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


@contextmanager
def _transaction(cursor: DuckDBPyConnection) -> Iterator[DuckDBPyConnection]:
    """Keep all that is written inside the block, or nothing of it."""
    cursor.begin()
    try:
        yield cursor
    except BaseException:
        cursor.rollback()
        raise
    cursor.commit()


def _connect(path: str) -> DuckDBPyConnection:
    try:
        return duckdb.connect(path)
    except duckdb.Error as error:
        raise StoreError(_explain(path, str(error))) from error


def _explain(path: str, reason: str) -> str:
    if "lock" in reason.lower():
        process = re.search(r"PID (\d+)", reason)
        who = f" (process {process[1]})" if process else ""
        return f"The store {path} is open in another program{who}; close it there first."
    if "newer" in reason or "version number" in reason or "storage version" in reason.lower():
        return f"The store {path} was made by a newer DuckDB; upgrade duckdb to open it."
    if "not a valid DuckDB" in reason:
        return f"{path} is not a voxpop store: it is not a DuckDB file."
    if Path(path).is_dir():
        return f"{path} is a folder; a store is a file, for example {Path(path) / 'study.duckdb'}."
    if not Path(path).absolute().parent.is_dir():
        return f"The store {path} cannot be made: its folder does not exist."
    return f"The store {path} cannot be opened: {reason.splitlines()[0]}"


def _prepare(cursor: DuckDBPyConnection, path: str) -> None:
    """Make the tables of a new store; refuse what is not a store of this version or an older one."""
    held = {
        name
        for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    }
    if not held:
        cursor.begin()
        cursor.execute("CREATE TABLE voxpop_store (schema_version INTEGER)")
        cursor.execute("INSERT INTO voxpop_store VALUES (?)", [SCHEMA_VERSION])
        for table in TABLES.values():
            cursor.execute(table.ddl)
        cursor.commit()
        return
    if "voxpop_store" not in held:
        raise StoreError(
            f"{path} is not a voxpop store: it has other tables ({', '.join(sorted(held)[:5])})."
        )
    version = cursor.execute("SELECT max(schema_version) FROM voxpop_store").fetchall()[0][0]
    if version is None or version > SCHEMA_VERSION:
        raise StoreError(
            f"The store {path} was made by a newer voxpop (schema version {version}; this one knows up to "
            f"{SCHEMA_VERSION}). Upgrade voxpop to open it."
        )


def _list_of(known: list[tuple[Any, ...]]) -> str:
    """Name up to ten studies, for a message."""
    here = "; ".join(f"{title!r} (id {number}, {uuid})" for uuid, number, title in known[:10])
    return here or "no study yet; pull one first"
