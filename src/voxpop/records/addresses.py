"""Database addresses, and the setup of SQLite and PostgreSQL connections."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from voxpop.errors import ServiceStartError

WAIT_S = 30.0
"""Seconds to wait for another writer: the longest write, 100,000 jobs, takes about two."""

_CONNECT_S = 10  # for a server to answer
_GONE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
_KEPT_OPEN = 10  # connections; the others are closed when they are not needed
_STARTING = re.compile(
    "the database system is (starting up|shutting down|in recovery mode|not yet accepting connections)"
    "|server closed the connection unexpectedly"
)
_REFUSED = re.compile("Connection refused|No such file or directory")
_SERVER_DRIVER = "postgresql+psycopg"
_PRAGMAS = (
    f"PRAGMA busy_timeout={int(WAIT_S * 1000)}",
    "PRAGMA synchronous=NORMAL",  # what is acknowledged is synced by voxpop.records.durability
    "PRAGMA foreign_keys=ON",
)
_SESSION = (
    "SET timezone = 'UTC'; SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '300s'; "
    f"SET lock_timeout = '{WAIT_S:.0f}s'"
)


def is_server(url: str) -> bool:
    """Return whether an address names a database server, which several services may share.

    Examples
    --------
    >>> is_server("postgresql://me@host/voxpop"), is_server("sqlite:///voxpop.sqlite")
    (True, False)
    """
    return url.startswith(("postgres:", "postgresql:", "postgresql+"))


def not_ready(url: str, *, refused: bool = False) -> str | None:
    """Return why a database server temporarily refuses connections; None if it does not.

    Parameters
    ----------
    url
        The address of the server.
    refused
        Whether to treat a refused connection as a server that is about to start.
    """
    engine = make_engine(url, 1)
    try:
        engine.connect().close()
    except OperationalError as error:  # no error code: only the message helps
        why = why_failed(error)
        return why if _STARTING.search(why) or (refused and _REFUSED.search(why)) else None
    finally:
        engine.dispose()
    return None


def make_engine(url: str, connections: int) -> sa.Engine:
    """Return an engine for an address.

    Parameters
    ----------
    url
        The address of a SQLite file or a PostgreSQL database.
    connections
        Maximum number of connections to a server.

    Raises
    ------
    ServiceStartError
        The address is malformed, its driver is not installed, or its folder cannot be made.
    """
    try:
        address, options = sa.make_url(url), dict[str, Any](pool_size=50, max_overflow=0)
        if address.drivername in ("postgres", "postgresql"):
            address = address.set(drivername=_SERVER_DRIVER)
        if address.drivername == _SERVER_DRIVER:
            defaults = {"connect_timeout": _CONNECT_S, "application_name": "voxpop", **_GONE}
            options = {
                "pool_size": min(_KEPT_OPEN, connections),
                "max_overflow": max(0, connections - _KEPT_OPEN),
                "pool_timeout": WAIT_S,
                "pool_pre_ping": True,
                "connect_args": {name: defaults[name] for name in defaults.keys() - address.query.keys()},
            }
        if address.get_backend_name() == "sqlite":
            if address.database in (None, "", ":memory:"):
                raise ServiceStartError("A SQLite address must name a file, such as sqlite:///voxpop.sqlite.")
            Path(str(address.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(
            address,
            json_serializer=_to_json,
            json_deserializer=msgspec.json.decode,
            hide_parameters=True,  # errors and logs must not contain what agents answered
            **options,
        )
    except (ArgumentError, NoSuchModuleError, ValueError) as error:  # the last one of a port
        raise ServiceStartError(
            f"{masked(url)} is not a database address; give one such as sqlite:///voxpop.sqlite."
        ) from error
    except ModuleNotFoundError as error:
        extra = "; voxpop[postgres] brings it" if error.name == "psycopg" else ""
        raise ServiceStartError(f"The database driver {error.name} is not installed{extra}.") from error
    except OSError as error:
        raise ServiceStartError(f"The database's folder cannot be made: {error}.") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    else:
        sa.event.listen(engine, "connect", _set_up_server)
    return engine


def _set_up_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun explicitly below, not by the driver
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _set_up_server(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.autocommit = True  # otherwise the settings would be rolled back with the first transaction
    connection.execute(_SESSION)
    connection.autocommit = False


def _begin_sqlite(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    writes = options.get("writes", False)
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    if options.get("rebuilds", False):
        driver.execute("PRAGMA foreign_keys=OFF")  # has no effect inside a transaction
    driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def _to_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def masked(url: str) -> str:
    """Return an address without its password."""
    try:
        # A password may stand in the query too.
        return sa.make_url(url).set(query={}).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "given"


def why_failed(error: BaseException) -> str:
    """Return the driver's message for an error, on one line."""
    told = error.orig if isinstance(error, DBAPIError) else error
    return " ".join(str(told).split()).rstrip(".")
