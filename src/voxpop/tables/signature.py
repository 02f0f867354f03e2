"""Verification of an export's signature and of its key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from voxpop.errors import StoreError
from voxpop.tables import attested, trust
from voxpop.wire.attestations import fingerprint, holds, key_bytes

_SHOWN = 16


@dataclass(frozen=True, slots=True)
class Signature:
    """Result of checking an export's signature.

    Attributes
    ----------
    words : str
        One sentence: not signed, signed by which service, or invalid.
    name : str or None
        Name of the service, if the signature is valid and its key is known or was given.
    differences : tuple of str
        Reasons why the signature is invalid; empty if it is valid or missing.
    notes : tuple of str
        Further remarks.
    """

    words: str
    name: str | None = None
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check(folder: Path, key: str | Path | None = None) -> Signature:
    """Compare an export with the statement signed by its service.

    Parameters
    ----------
    folder : Path
        The export; its tables are readable.
    key : str or Path, optional
        The only key to trust, as in :func:`voxpop.tables.trust.fingerprint_of`; by default the keys known on
        this machine.
    """
    wanted = None if key is None else trust.fingerprint_of(key)
    path = folder / attested.NAME
    if not path.is_file():
        wrong = f"{attested.NAME}: missing; a signature with key {wanted} was asked for" if wanted else None
        return Signature("not signed", differences=(wrong,) if wrong else ())
    try:
        signed = json.loads(path.read_text(encoding="utf-8"))
        public = key_bytes(signed["public_key"])
        statement = attested.read_statement(signed)
        if not holds(signed["statement"], signed["signature"], public):
            return _broken("the statement is not the one that was signed, or the key is another")
        if statement is None:
            return _broken("a newer service signed it in a form unknown to this voxpop; upgrade it")
        if statement["key"] != fingerprint(public):
            return _broken("it was made with another key than the statement names")
        if found := tuple(attested.differences(folder, statement)):
            return _broken(*found)
        return _known(statement, fingerprint(public), wanted)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StoreError, pa.ArrowException) as error:
        return _broken(f"it cannot be checked: {type(error).__name__}: {error}")


def _broken(*why: str) -> Signature:
    lines = tuple(f"{attested.NAME}: the signature does not hold: {one}" for one in why)
    return Signature("signature does not hold", differences=lines)


def _known(statement: Mapping[str, Any], mark: str, wanted: str | None) -> Signature:
    """Return whose key it is, as far as known on this machine."""
    name = str(statement["service"]["name"])
    short, when = mark[:_SHOWN], statement["signed_at"]
    if wanted is not None:
        if mark != wanted:
            return _broken(f"it was made with key {mark}, not with {wanted}")
        return Signature(f"signed by {name}, key {short} (the key that was asked for), {when}", name)
    keys = trust.known()
    if (found := keys.get(mark)) is not None:
        where = f" from {', '.join(found.addresses)}" if found.addresses else ""
        words = f"signed by {name}, key {short} (known here since {found.since}{where}), {when}"
        return Signature(words, name)
    others = [one.fingerprint[:_SHOWN] for one in keys.values() if one.name == name]
    notes = (f"the key known here for {name!r} is another: {', '.join(others)}",) if others else ()
    words = f"signed with a key that is not known here: {mark}, which calls itself {name!r}, {when}"
    return Signature(words, notes=notes)
