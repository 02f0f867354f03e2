"""Attestations: signed statements of a service about a study."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from voxpop.wire.base import Out

FORMAT = "voxpop-attestation"
FORMAT_VERSION = 1
"""Version of the statement and of the canonical rows covered by its digests."""

ALGORITHM = "ed25519"
_KEY_BYTES = 32


class SigningKey(Out):
    """The public key of a service, shared by all services on one database."""

    service: str = Field(description="What the service calls itself; anybody can choose this name.")
    algorithm: str = Field(description="ed25519.")
    public_key: str = Field(description="The public key's 32 bytes, in base64.")
    fingerprint: str = Field(description="The SHA-256 of these bytes, in hexadecimal: it tells keys apart.")


class Attestation(Out):
    """A statement about a study with the service's signature."""

    statement: str = Field(description="JSON, whose UTF-8 bytes are signed as they stand.")
    signature: str = Field(description="The ed25519 signature of the statement, in base64.")
    public_key: str = Field(description="The public key that it was signed with, in base64.")


class AttestationResponse(Out):
    """Response of ``GET …/attestation``."""

    attestation: Attestation = Field(description="The signed statement.")


def fingerprint(public_key: bytes) -> str:
    """Return the fingerprint of a public key.

    Examples
    --------
    >>> fingerprint(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(public_key).hexdigest()


def key_bytes(text: str) -> bytes:
    """Decode a base64 public key; raise ValueError if it is malformed."""
    try:
        held = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("the public key is not base64") from None
    if len(held) != _KEY_BYTES:
        raise ValueError(f"the public key has {len(held)} bytes, not {_KEY_BYTES}")
    return held


def holds(statement: str, signature: str, public_key: bytes) -> bool:
    """Return whether a signature of a statement is valid for a public key."""
    from cryptography.exceptions import InvalidSignature  # imported where used: rarely needed
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        made = base64.b64decode(signature, validate=True)
        Ed25519PublicKey.from_public_bytes(public_key).verify(made, statement.encode())
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def written(statement: Mapping[str, Any]) -> str:
    """Return the text of a statement that is signed."""
    return json.dumps(statement, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
