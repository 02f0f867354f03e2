"""Settings of a client: the service's address and the key."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.settings.reading import Environ, read_settings, setting, text


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The address a client connects to, and its key."""

    base_url: str | None = setting("VOXPOP_BASE_URL", text, None)
    api_key: str | None = setting("VOXPOP_API_KEY", text, None, secret=True)

    @classmethod
    def from_environment(cls, environ: Environ = None) -> ClientSettings:
        """Read ``VOXPOP_BASE_URL`` and ``VOXPOP_API_KEY``."""
        return read_settings(cls, environ)
