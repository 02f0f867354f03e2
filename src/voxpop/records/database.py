"""One database: how it is opened, migrated, read and written; the only module that knows which kind it is."""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from filelock import FileLock
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from voxpop.errors import BackupError, ServiceStartError, Unavailable
from voxpop.records import backup
from voxpop.records.addresses import WAIT_S, make_engine, masked, why_failed
from voxpop.records.durability import GroupCommit
from voxpop.records.inserting import insert_or_replace
from voxpop.records.integrity import DatabaseFile
from voxpop.records.schema import metadata, service_facts
from voxpop.records.together import Together
from voxpop.records.write_turns import WriteTurns, in_background

if TYPE_CHECKING:
    pass

Clock = Callable[[], datetime]

logger = logging.getLogger(__name__)

HEAD = "0010"
"""The newest migration; a test compares it with the migrations that are there."""

LEASE = timedelta(seconds=30)
"""For how long work is claimed before its claim is renewed; a dead worker's is free after that time."""

CONNECTIONS = 20
"""How many connections one process keeps to a server at most; a server gives 100 to all together."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_ADVISORY_LOCK = 0x766F78  # any fixed number; it keeps two first starts from migrating at once
_MOST_SEATS = 1_000
_SIT_DOWN = sa.text(
    "SELECT seat FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS seat "
    "WHERE pg_try_advisory_lock(seat) LIMIT 1"
)
_PROBE_S = 2.0  # between two small writes that show whether the disk takes any


_TOGETHER: ContextVar[tuple[Database, Together] | None] = ContextVar("together", default=None)
"""The transaction that whatever is done in this thread or task for one call is a part of."""


def utc_now() -> datetime:
    """Return the time of this machine, aware, in UTC."""
    return datetime.now(UTC)


class Database:
    """The service's state behind an address; make it with :meth:`open`.

    Attributes
    ----------
    clock : callable
        Gives every time that is written.
    lease : timedelta
        For how long work is claimed before its claim has to be renewed.
    alone : bool
        Whether one process alone works on this database (SQLite), so that whatever is claimed at its start
        was left by a process that is gone.
    outdated : bool
        Whether its tables were those of an earlier version when it was opened.
    write_turns : WriteTurns
        The turns of the threads that write to a database with one writer (SQLite).
    """

    def __init__(self, engine: sa.Engine, clock: Clock, lease: timedelta = LEASE) -> None:
        self._engine = engine.execution_options(clock=clock, lease=lease)
        self._reader = self._engine
        self.write_turns = WriteTurns()
        self._written: list[Callable[[], None]] = []
        self.clock = clock
        self.lease = lease
        self.alone = engine.dialect.name == "sqlite"
        self.outdated = False
        self._file = DatabaseFile(str(engine.url.database) if self.alone else None)
        self._group_commit = GroupCommit(self._file.path)
        self._written_at = -math.inf  # when a probe wrote last
        if not self.alone:
            self._reader = self._engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @classmethod
    def open(
        cls,
        url: str,
        *,
        clock: Clock = utc_now,
        lease: timedelta = LEASE,
        connections: int = CONNECTIONS,
        check: Callable[[Database], None] = lambda _: None,
    ) -> Database:
        """Open the database at an address and bring its tables up to date.

        Nothing is changed before everything was checked. A SQLite file is copied before its tables change.

        Parameters
        ----------
        url
            ``sqlite:////data/voxpop.sqlite``, whose folder is made when it is missing, or
            ``postgresql://user@host/name``, whose database has to be there.
        clock
            Gives aware UTC datetimes.
        lease
            For how long work is claimed before its claim has to be renewed.
        connections
            How many connections to a server are open at most.
        check
            Called with the database before its tables are brought up to date; what it raises leaves them as
            they are.

        Raises
        ------
        ServiceStartError
            The address is malformed, its driver is missing, it cannot be reached, it is damaged, or a newer
            voxpop wrote it.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     database = Database.open(f"sqlite:///{folder}/voxpop.sqlite")
        ...     with database.read() as connection:
        ...         connection.exec_driver_sql("SELECT count(*) FROM studies").scalar()
        ...     database.close()
        0
        """
        database = cls(make_engine(url, connections), clock, lease)
        try:
            database._file.refuse_start()
            version = database._held_version()
            database.outdated = version is not None and version != HEAD
            check(database)
            database._migrate(version)
        except (DBAPIError, sqlite3.Error) as error:  # the second one while a connection is set up
            database.close()
            raise ServiceStartError(
                f"The database {masked(url)} cannot be opened: {why_failed(error)}."
            ) from error
        except Unavailable as error:
            database.close()
            reason = why_failed(error.__cause__ or error)
            raise ServiceStartError(f"The database {masked(url)} cannot be opened: {reason}.") from error
        except OSError as error:
            database.close()
            raise ServiceStartError(f"The database {masked(url)} cannot be opened: {error}.") from error
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """Give a connection in one write transaction; it is committed at the end, or undone by an error.

        Within :meth:`together` it is a part of that transaction, which is committed at the end of its block.
        """
        joined = self._joined()
        if joined is not None:
            with joined.part() as connection:
                yield connection
            return
        with self._writing() as connection:
            yield connection
        self._committed()

    @contextmanager
    def together(self, first: Callable[[sa.Connection], None]) -> Iterator[Together]:
        """Make one transaction of all that this thread writes within the block, and let it read its writes.

        Parameters
        ----------
        first
            Called when the transaction begins, which is when something is written for the first time.
        """
        joined = Together(self._writing, first)
        mark = _TOGETHER.set((self, joined))
        try:
            with joined.kept():
                yield joined
        finally:
            _TOGETHER.reset(mark)
        if joined.open is not None:
            self._committed()
        joined.go_on()

    @contextmanager
    def apart(self) -> Iterator[sa.Connection]:
        """Give a connection in a write transaction of its own, within :meth:`together` too.

        For what stays true if the call fails. Use it before anything else of the call is written: SQLite has
        one writer at a time.
        """
        with self._writing() as connection:
            yield connection
        self._committed()

    def _committed(self) -> None:
        """Keep what a caller is about to be told safe from a power cut, and tell those who want to know.

        Background work is not waited for: what a power cut takes of it is done again.
        """
        if not in_background():
            self._group_commit.outlive()
        for call in self._written:
            call()

    def once_written(self, call: Callable[[], None]) -> None:
        """Call this now, or, within :meth:`together`, once its transaction is committed."""
        joined = self._joined()
        if joined is None:
            call()
        else:
            joined.afterwards(call)

    def _joined(self) -> Together | None:
        found = _TOGETHER.get()
        return found[1] if found is not None and found[0] is self else None

    def _writing(self) -> AbstractContextManager[sa.Connection]:
        self._file.refuse_use()
        return self._alone_writing() if self.alone else _served(self._engine)

    def after_write(self, call: Callable[[], None]) -> None:
        """Have this called after every write transaction of this process, once others can see it."""
        self._written.append(call)

    @contextmanager
    def _alone_writing(self, **options: bool) -> Iterator[sa.Connection]:
        # SQLite has one writer. Threads of this process take turns here instead of polling the file.
        with self.write_turns.turn(WAIT_S):
            try:
                with self._engine.connect() as bare, bare.execution_options(writes=True, **options).begin():
                    yield bare
            except (sqlite3.DatabaseError, DBAPIError) as error:  # the first one of BEGIN IMMEDIATE
                if (refusal := self._file.refusal(error)) is None:
                    raise
                raise refusal from error

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Give a connection for reading; all reads of it see one moment."""
        joined = self._joined()
        if joined is not None and joined.open is not None:
            yield joined.open
            return
        self._file.refuse_use()
        with self._alone_reading() if self.alone else _served(self._reader) as connection:
            yield connection

    @contextmanager
    def _alone_reading(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except (sqlite3.DatabaseError, DBAPIError) as error:
            if (refusal := self._file.refusal(error)) is None:
                raise
            raise refusal from error

    def state(self) -> str:
        """Return ``ok`` when the database can be read and written now, else what is wrong with it.

        Returns
        -------
        str
            ``ok``; ``damaged``, when it has to be restored; ``full``, when its disk takes no more; or
            ``unavailable``.
        """
        try:
            with self.read() as connection:
                connection.exec_driver_sql("SELECT 1").scalar()
            if self._file.has_no_room():
                return "full"
            if time.monotonic() - self._written_at > _PROBE_S:
                self._probe()
                self._written_at = time.monotonic()
        except Unavailable as error:
            return str(error.details.get("database", "unavailable"))
        except OSError as error:  # its folder is gone
            logger.error("The database's disk cannot be looked at: %s.", error)
            return "unavailable"
        return "ok"

    def _probe(self) -> None:
        """Write one small row; a writer of this process that is at work shows as well that writing works."""
        row = {"name": "written", "value": self.clock().isoformat()}
        if not self.alone:
            with _served(self._engine) as connection:
                insert_or_replace(connection, service_facts, row, key=("name",))
        elif not self.write_turns.busy:
            with self._alone_writing() as connection:
                insert_or_replace(connection, service_facts, row, key=("name",))

    def check_in_background(self) -> threading.Thread | None:
        """Check a SQLite file that was too large to be checked at the start; None when nothing is left."""
        return self._file.check_in_background()

    @contextmanager
    def seat(self, number: int, count: int) -> Iterator[bool]:
        """Hold one of the seats of this number for as long as the block takes.

        Parameters
        ----------
        number
            Whose seats, below a thousand million.
        count
            How many there are for all processes on this server together, 1 to 1,000. The seat of a process
            that dies is free as soon as the server notices.

        Yields
        ------
        bool
            False when all of them are taken.
        """
        first = (_ADVISORY_LOCK << 40) + number * _MOST_SEATS
        with _served(self._engine, isolation_level="AUTOCOMMIT") as connection:
            taken = connection.execute(_SIT_DOWN, {"first": first, "last": first + count - 1}).scalar()
            try:
                yield taken is not None
            finally:
                if taken is not None:
                    connection.execute(sa.select(sa.func.pg_advisory_unlock(taken)))

    @property
    def address(self) -> str:
        """The address as :meth:`open` takes it, password and all."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def server_address(self) -> str:
        """The address as PostgreSQL's own library reads it, password and all, for connections beside ours."""
        return self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _held_version(self) -> str | None:
        """Return the version of the tables, None where there are none; refuse those that are not ours."""
        with self.read() as connection:
            version = _version(connection)
            foreign = version is None and bool(sa.inspect(connection).get_table_names())
        if foreign or not (version or HEAD).isdigit():
            raise ServiceStartError(
                f"The database {masked(str(self._engine.url))} holds the tables of another program; "
                "name another one, or another data folder."
            )
        if version is not None and version > HEAD:
            raise ServiceStartError(
                f"A newer voxpop wrote the database (version {version}, ours is {HEAD}); update voxpop."
            )
        return version

    def _migrate(self, version: str | None) -> None:
        if version == HEAD:
            return
        with self._first_start(), self._copied(version), self._migrating() as connection:
            if not self.alone:
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
            version = _version(connection)
            if version is None:
                _make_new(connection)
            elif version != HEAD:  # else another process was first
                _upgrade(connection)

    @contextmanager
    def _copied(self, version: str | None) -> Iterator[None]:
        """Keep a copy of an earlier version's file, and name it when the migration fails."""
        with self.read() as connection:
            waited_for = _version(connection) == HEAD  # another process was first
        if version is None or self._file.path is None or waited_for:
            yield
            return
        try:
            copy = backup.keep_copy(self._file.path, version, self.clock())
        except BackupError as error:
            raise ServiceStartError(
                f"{error} Without a copy its tables are not brought up to date."
            ) from error
        logger.info("The database is brought from version %s to %s; a copy is kept: %s.", version, HEAD, copy)
        try:
            yield
        except Exception as error:
            raise ServiceStartError(
                f"The database could not be brought from version {version} to {HEAD} and is as it was: "
                f"{why_failed(error)}. A copy is kept: {copy}."
            ) from error

    @contextmanager
    def _migrating(self) -> Iterator[sa.Connection]:
        """Begin a transaction that may rebuild tables, which SQLite changes in no other way."""
        if not self.alone:
            with self.begin() as connection:
                yield connection
            return
        with self._alone_writing(rebuilds=True) as connection:
            yield connection
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise ServiceStartError(f"The database has a row of {broken[0]} that refers to nothing.")
        self._engine.dispose()  # connections that check no references do not live on

    @contextmanager
    def _first_start(self) -> Iterator[None]:
        """Let one process at a time set a SQLite file up; setting WAL does not wait for others by itself."""
        if not self.alone:
            yield
            return
        with FileLock(f"{self._engine.url.database}.lock", timeout=WAIT_S):
            if self._file.path is not None:
                self._file.path.chmod(
                    0o600
                )  # it holds share links and the signing key; its log is as private
            bare = self._engine.raw_connection()
            bare.cursor().execute("PRAGMA journal_mode=WAL")  # kept in the file
            bare.close()
            yield


@contextmanager
def _served(engine: sa.Engine, **options: Any) -> Iterator[sa.Connection]:
    """Give a server's connection in a transaction; what the server cannot do now is worth another try."""
    try:
        with engine.connect() as connection, connection.execution_options(**options).begin():
            yield connection
    except (OperationalError, NoConnectionError) as error:  # gone, too slow, full, or a deadlock
        logger.info("The database cannot be used now: %s.", why_failed(error))  # callers tell that it is so
        raise Unavailable("The database cannot be used now; try again.") from error


def _make_new(connection: sa.Connection) -> None:
    """Make the tables of the newest version at once; a test holds them against the migrations' own."""
    metadata.create_all(connection)
    mark = sa.Table(
        "alembic_version",
        sa.MetaData(),
        sa.Column("version_num", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
    )
    mark.create(connection)
    connection.execute(mark.insert().values(version_num=HEAD))


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command  # imported where used: it costs a fifth of a start
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def now(connection: sa.Connection) -> datetime:
    """Return the time by the clock of the database that the connection belongs to."""
    clock: Clock = connection.get_execution_options()["clock"]
    return clock()


def lease_of(connection: sa.Connection) -> timedelta:
    """Return for how long work is claimed in the database that the connection belongs to."""
    lease: timedelta = connection.get_execution_options()["lease"]
    return lease


def in_turn(connection: sa.Connection, what: str) -> None:
    """Let one transaction at a time go on with this; the others wait here until it has ended."""
    if connection.dialect.name != "sqlite":  # where transactions that write wait for each other anyway
        number = zlib.crc32(what.encode()) - 2**31
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK, number)))


def in_turn_or_not(connection: sa.Connection, what: str) -> bool:
    """Return whether this transaction may do this now: False while another one does it."""
    if connection.dialect.name == "sqlite":
        return True
    number = zlib.crc32(what.encode()) - 2**31
    return bool(
        connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(_ADVISORY_LOCK, number))).scalar()
    )


def gathered(connection: sa.Connection, column: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Return the expression that gathers a column of all rows into one JSON list, as text."""
    if connection.dialect.name == "sqlite":
        return sa.func.json_group_array(column, type_=sa.Text)
    return sa.cast(sa.func.json_agg(column), sa.Text)


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
