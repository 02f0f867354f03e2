"""The private signing key: one per database, or one shared by a machine's embedded services."""

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
    """Return the signing key of a database, creating it at the first start.

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
    """Return the signing key of the embedded services of this machine.

    Returns
    -------
    bytes or None
        None if ``home`` is not writable; each service then has its own key.

    Raises
    ------
    ServiceStartError
        The key file contains something else.
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
    """Write a private file; of several concurrent processes the first one wins."""
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
        except OSError:  # a file system without hard links
            os.replace(draft, path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
