"""Known keys of services, against which signatures are checked.

A key is trusted on first use and remembered with its address. A different key at the same address causes a
warning. Addresses of this machine are not compared, because any program can take a port.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from voxpop.errors import StoreError, UsageError
from voxpop.files import whole_file
from voxpop.settings import home
from voxpop.tables.rows import safe_address
from voxpop.wire.attestations import fingerprint, key_bytes

_FILE = "known_services.json"
_FINGERPRINT = 64  # hexadecimal digits


@dataclass(frozen=True, slots=True)
class Known:
    """A key known on this machine."""

    fingerprint: str
    name: str
    addresses: tuple[str, ...]
    since: str


def known() -> dict[str, Known]:
    """Return the known keys by fingerprint.

    Raises
    ------
    StoreError
        The file of known keys cannot be read.
    """
    path = _place()
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return {
            mark: Known(mark, str(one["name"]), tuple(one["addresses"]), str(one["since"]))
            for mark, one in held["keys"].items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(
            f"The known keys of services in {path} cannot be read: {error}. Delete the file to start over."
        ) from error


def note(attestation: Any, address: str) -> list[str]:
    """Remember the key of a service, and return warnings to show prominently.

    Parameters
    ----------
    attestation : Attestation
        An attestation just received from the service.
    address : str
        The address of the service.
    """
    from filelock import FileLock  # imported where used: most programs only read

    key = key_bytes(attestation.public_key)
    mark, where = fingerprint(key), str(safe_address(address))
    name = str(json.loads(attestation.statement)["service"]["name"])
    try:
        path = _place()
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")):
            keys = known()
            others = [one for one in keys.values() if where in one.addresses and one.fingerprint != mark]
            before = keys.get(mark)
            since = before.since if before else f"{datetime.now(UTC):%Y-%m-%d}"
            places = (where,) if _compared(where) else ()
            addresses = tuple(sorted({*(before.addresses if before else ()), *places}))
            made = Known(mark, name, addresses, since)
            if made != before:
                _write(path, keys | {mark: made})
    except OSError as error:
        return [f"The key of the service at {where} cannot be remembered: {error}."]
    if not others or before is not None:
        return []
    return [
        f"THE SERVICE AT {where} SIGNS WITH ANOTHER KEY THAN BEFORE: {mark[:16]}, until now "
        f"{', '.join(one.fingerprint[:16] for one in others)}. Ask its operator whether that is meant."
    ]


def fingerprint_of(given: str | Path) -> str:
    """Return the trusted fingerprint, given directly or as a file with the public key.

    Parameters
    ----------
    given : str or Path
        64 hexadecimal digits, or a file: the response of ``GET /v1/signing-key``, or the key in base64.

    Raises
    ------
    UsageError
        It is neither.
    """
    text = str(given).strip().lower().replace(" ", "").replace(":", "")
    if len(text) == _FINGERPRINT and set(text) <= set("0123456789abcdef"):
        return text
    path = Path(given)
    if not path.is_file():
        raise UsageError(
            f"key must be a fingerprint of {_FINGERPRINT} hexadecimal digits or a file with a public key, "
            f"not {str(given)[:100]!r}."
        )
    try:
        held = path.read_text(encoding="utf-8").strip()
        return fingerprint(key_bytes(json.loads(held)["public_key"] if held.startswith("{") else held))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"key: {path} contains no public key: {error}.") from error


def _place() -> Path:
    return home() / _FILE


def _compared(address: str) -> bool:
    """Return whether an address permanently identifies a service, unlike addresses of this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _write(path: Path, keys: Mapping[str, Known]) -> None:
    told = {
        mark: {"name": one.name, "addresses": list(one.addresses), "since": one.since}
        for mark, one in sorted(keys.items())
    }
    with whole_file(path) as draft:
        draft.write_text(json.dumps({"keys": told}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
