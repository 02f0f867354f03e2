"""The signing key of a service."""

from __future__ import annotations

import base64
from functools import cached_property
from typing import Any

from voxpop.wire.attestations import Attestation, fingerprint, written

_MOST_KEPT = 10_000


class Signer:
    """Signs with a service's name and key; loads the signing library on first use.

    Parameters
    ----------
    name
        Name of the service.
    key
        Private key, 32 bytes.
    """

    def __init__(self, name: str, key: bytes) -> None:
        self.name = name
        self._secret = key
        self.digests: dict[str, dict[str, Any]] = {}

    def __repr__(self) -> str:
        return f"Signer({self.name!r})"

    def remember(self, what: str, digest: dict[str, Any]) -> None:
        """Cache a digest of immutable data."""
        if len(self.digests) >= _MOST_KEPT:
            self.digests.clear()
        self.digests[what] = digest

    @cached_property
    def _private(self) -> Any:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._secret)

    @cached_property
    def public_key(self) -> bytes:
        """The public key, 32 bytes."""
        held: bytes = self._private.public_key().public_bytes_raw()
        return held

    def sign(self, statement: dict[str, Any]) -> Attestation:
        """Sign a statement together with the service's name and key fingerprint."""
        text = written(statement | {"key": fingerprint(self.public_key)})
        signature = self._private.sign(text.encode())
        return Attestation(
            statement=text,
            signature=base64.b64encode(signature).decode(),
            public_key=base64.b64encode(self.public_key).decode(),
        )
