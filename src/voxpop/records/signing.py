"""The private key that a service signs with: one for each database, or one for a machine's own services."""

from __future__ import annotations

import base64
import logging
import os
import secrets
from pathlib import Path

import sqlalchemy as sa

from voxpop.errors import ServiceStartError
from voxpop.files import sync
from voxpop.records.database import in_turn
from voxpop.records.facts import fact, keep_fact

logger: logging.Logger = logging.getLogger(__name__)

_FACT = "signing_key"
_BYTES = 32
_FILE = "signing.key"


def key_of_database(c: sa.Connection) -> bytes:
    """Return the signing key of all services on a database; the first start makes it.

    Parameters
    ----------
    c
        A connection that writes.
    """
    in_turn(c, _FACT)
    held = fact(c, _FACT)
    if held is not None:
        return base64.b64decode(held)
    made = secrets.token_bytes(_BYTES)
    keep_fact(c, _FACT, base64.b64encode(made).decode())
    return made


def key_of_machine(home: Path) -> bytes | None:
    """Return the signing key of the services that run inside the programs of this machine.

    Returns
    -------
    bytes or None
        None where ``home`` cannot be written; each service then has a key of its own.

    Raises
    ------
    ServiceStartError
        The file that keeps it holds something else.
    """
    path = home / _FILE
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, secrets.token_bytes(_BYTES))
        held = path.read_bytes()
    except OSError as error:
        logger.info("The signing key %s cannot be read or written: %s.", path, error)
        return None
    if len(held) != _BYTES:
        raise ServiceStartError(
            f"{path} is not a signing key: delete it, and the next start makes a new one."
        )
    return held


def _write_once(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads; of several processes at once the first one decides."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        sync(draft)
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:  # a file system without links
            os.replace(draft, path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
