"""Settings, read from the environment only when a client or a service is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voxpop.errors import UsageError

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"", "0", "false", "no", "off"}


def home(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder for voxpop's data and cache (``VOXPOP_HOME`` or the platform's data folder)."""
    chosen = (os.environ if environ is None else environ).get("VOXPOP_HOME")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # imported where used: a client never needs it

    return Path(platformdirs.user_data_dir("voxpop", appauthor=False))


def flag(name: str, environ: Mapping[str, str] | None = None) -> bool:
    """Read a yes/no setting; raise :class:`UsageError` when its text is neither."""
    text = (os.environ if environ is None else environ).get(name, "").strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise UsageError(f"{name} must be 1 or 0, not {text!r}.")


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """Where a client connects to, and with which key."""

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ClientSettings:
        """Read ``VOXPOP_BASE_URL`` and ``VOXPOP_API_KEY``."""
        source = os.environ if environ is None else environ
        return cls(
            base_url=source.get("VOXPOP_BASE_URL") or None, api_key=source.get("VOXPOP_API_KEY") or None
        )


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How a service behaves; one object, made once when the service starts."""

    strict_filters: bool = False
    max_body_bytes: int = 30 * 1024 * 1024

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ServiceSettings:
        """Read ``API_V1_STRICT_INVALID_FILTERS``."""
        return cls(strict_filters=flag("API_V1_STRICT_INVALID_FILTERS", environ))
