"""The database: open, migrate, read and write; the only module that knows its kind."""

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
from typing import Any

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

Clock = Callable[[], datetime]

logger: logging.Logger = logging.getLogger(__name__)

HEAD = "0016"
"""The newest migration; a test compares it with the migration files."""

LEASE = timedelta(seconds=30)
"""Lease of claimed work, after which a dead worker's work is free; live workers renew it."""

CONNECTIONS = 20
"""Maximum number of connections per process; a server typically allows 100 in total."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_ADVISORY_LOCK = 0x766F78  # any fixed number; keeps two first starts from migrating at the same time
_MOST_SEATS = 1_000
_SIT_DOWN = sa.text(
    "SELECT seat FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS seat "
    "WHERE pg_try_advisory_lock(seat) LIMIT 1"
)
_PROBE_S = 2.0  # between two writes that probe whether the disk is full


_TOGETHER: ContextVar[tuple[Database, Together] | None] = ContextVar("together", default=None)
"""The shared transaction of the current call in this thread or task."""


def utc_now() -> datetime:
    """Return the current time of this machine as an aware UTC datetime."""
    return datetime.now(UTC)


class Database:
    """The database of a service; create it with :meth:`open`.

    Attributes
    ----------
    clock : callable
        Source of all times that are written.
    lease : timedelta
        Lease of claimed work.
    alone : bool
        Whether a single process uses this database (SQLite), so that all work claimed at its start was
        left by a dead process.
    outdated : bool
        Whether its tables had an earlier version when it was opened.
    write_turns : WriteTurns
        Turns of the writing threads on a database with a single writer (SQLite).
    """

    def __init__(self, engine: sa.Engine, clock: Clock, lease: timedelta = LEASE) -> None:
        self._engine = engine.execution_options(clock=clock, lease=lease)
        self._reader = self._engine
        self.write_turns: WriteTurns = WriteTurns()
        self._written: list[Callable[[], None]] = []
        self.clock = clock
        self.lease = lease
        self.alone: bool = engine.dialect.name == "sqlite"
        self.outdated = False
        self._file = DatabaseFile(str(engine.url.database) if self.alone else None)
        self._group_commit = GroupCommit(self._file.path)
        self._written_at = -math.inf  # time of the last write probe
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
        """Open the database at an address and migrate its tables.

        All checks precede the first change, and a SQLite file is copied before it is migrated.

        Parameters
        ----------
        url
            ``sqlite:////data/voxpop.sqlite``, whose folder is created if missing, or
            ``postgresql://user@host/name``, whose database must exist.
        clock
            Returns aware UTC datetimes.
        lease
            Lease of claimed work.
        connections
            Maximum number of open connections to a server.
        check
            Called with the database before the migration; an exception prevents the migration.

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
        """Yield a connection in a write transaction, committed at the end or rolled back on an error.

        Within :meth:`together` it joins the transaction of that block.
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
        """Run all writes of this thread within the block in one transaction, and let it read them.

        Parameters
        ----------
        first
            Called when the transaction begins, which is at the first write.
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
        """Yield a connection in a separate write transaction, also within :meth:`together`.

        Use it for facts that stay true if the call fails, and before the call writes anything else: SQLite
        has a single writer.
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
        """Call a function now or, within :meth:`together`, after the commit."""
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
        """Register a function to call after every committed write transaction of this process."""
        self._written.append(call)

    @contextmanager
    def _alone_writing(self, **options: bool) -> Iterator[sa.Connection]:
        # SQLite has a single writer: the threads of this process take turns instead of polling the file.
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
        """Yield a read connection with a consistent snapshot."""
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
        """Return ``ok`` if the database can be read and written now, else what is wrong with it.

        Returns
        -------
        str
            ``ok``; ``damaged`` if it must be restored; ``full`` if its disk is full; or ``unavailable``.
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
        except OSError as error:  # the folder is gone
            logger.error("The database's disk cannot be looked at: %s.", error)
            return "unavailable"
        return "ok"

    def _probe(self) -> None:
        """Write one small row, unless another writer of this process shows that writing works."""
        row = {"name": "written", "value": self.clock().isoformat()}
        if not self.alone:
            with _served(self._engine) as connection:
                insert_or_replace(connection, service_facts, row, key=("name",))
        elif not self.write_turns.busy:
            with self._alone_writing() as connection:
                insert_or_replace(connection, service_facts, row, key=("name",))

    def check_in_background(self) -> threading.Thread | None:
        """Check a SQLite file that was too large to check at the start; None if nothing is left to do."""
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
        """The address for :meth:`open`, including the password."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def server_address(self) -> str:
        """The address for libpq, including the password, for separate connections."""
        return self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _held_version(self) -> str | None:
        """Return the schema version, or None without tables; refuse foreign tables."""
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
            elif version != HEAD:  # otherwise another process was first
                _upgrade(connection)

    @contextmanager
    def _copied(self, version: str | None) -> Iterator[None]:
        """Keep a copy of the file before the migration, and name it if the migration fails."""
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
        """Begin a transaction that may rebuild tables, the only way to change them in SQLite."""
        if not self.alone:
            with self.begin() as connection:
                yield connection
            return
        with self._alone_writing(rebuilds=True) as connection:
            yield connection
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise ServiceStartError(f"The database has a row of {broken[0]} that refers to nothing.")
        self._engine.dispose()  # do not reuse connections with foreign keys off

    @contextmanager
    def _first_start(self) -> Iterator[None]:
        """Lock the setup of a SQLite file; switching to WAL does not wait for other processes."""
        if not self.alone:
            yield
            return
        with FileLock(f"{self._engine.url.database}.lock", timeout=WAIT_S):
            if self._file.path is not None:
                self._file.path.chmod(
                    0o600
                )  # it contains share links and the signing key, and so does its WAL
            bare = self._engine.raw_connection()
            bare.cursor().execute("PRAGMA journal_mode=WAL")  # stored in the file
            bare.close()
            yield


@contextmanager
def _served(engine: sa.Engine, **options: Any) -> Iterator[sa.Connection]:
    """Yield a server connection in a transaction; temporary failures raise :class:`Unavailable`."""
    try:
        with engine.connect() as connection, connection.execution_options(**options).begin():
            yield connection
    except (OperationalError, NoConnectionError) as error:  # disconnected, timed out, full, or a deadlock
        logger.info("The database cannot be used now: %s.", why_failed(error))  # callers report it
        raise Unavailable("The database cannot be used now; try again.") from error


def _make_new(connection: sa.Connection) -> None:
    """Create the tables of the newest version directly; a test compares them with the migrations."""
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
    from alembic import command  # imported where used: a fifth of the start time
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def now(connection: sa.Connection) -> datetime:
    """Return the time of the database's clock for a connection."""
    clock: Clock = connection.get_execution_options()["clock"]
    return clock()


def lease_of(connection: sa.Connection) -> timedelta:
    """Return the lease of claimed work for a connection."""
    lease: timedelta = connection.get_execution_options()["lease"]
    return lease


def in_turn(connection: sa.Connection, what: str) -> None:
    """Serialize transactions on a name; others wait here until the holder ends."""
    if connection.dialect.name != "sqlite":  # write transactions are serialized anyway
        number = zlib.crc32(what.encode()) - 2**31
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK, number)))


def in_turn_or_not(connection: sa.Connection, what: str) -> bool:
    """Return whether this transaction gets the lock on a name; False while another holds it."""
    if connection.dialect.name == "sqlite":
        return True
    number = zlib.crc32(what.encode()) - 2**31
    return bool(
        connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(_ADVISORY_LOCK, number))).scalar()
    )


def gathered(connection: sa.Connection, column: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Return an expression that aggregates a column into one JSON list, as text."""
    if connection.dialect.name == "sqlite":
        return sa.func.json_group_array(column, type_=sa.Text)
    return sa.cast(sa.func.json_agg(column), sa.Text)


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
