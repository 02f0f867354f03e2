"""Settings, read from the environment only when a client or a service is made."""

from __future__ import annotations

import os
import re
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


def _limit(name: str, default: int | None, environ: Mapping[str, str] | None) -> int | None:
    """Read a limit: a whole number from 1, or ``none``."""
    text = (os.environ if environ is None else environ).get(name, "").strip().lower()
    if not text:
        return default
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise UsageError(f"{name} must be a whole number from 1, or none for no limit, not {text!r}.")
    return int(text)


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
class PaymentsSettings:
    """Who takes payments: the embedded provider, with which no money moves, or Stripe."""

    provider: str = "local"
    stripe_key: str | None = field(default=None, repr=False)
    stripe_price: str | None = None
    stripe_url: str | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> PaymentsSettings:
        """Read ``VOXPOP_PAYMENTS`` (local or stripe), ``VOXPOP_STRIPE_KEY``, ``_PRICE`` and ``_URL``.

        Raises
        ------
        UsageError
            The provider is unknown, or Stripe lacks its key or its price, or its address is not encrypted.
        """
        source = os.environ if environ is None else environ
        made = cls(
            provider=source.get("VOXPOP_PAYMENTS", "").strip().lower() or "local",
            stripe_key=source.get("VOXPOP_STRIPE_KEY", "").strip() or None,
            stripe_price=source.get("VOXPOP_STRIPE_PRICE", "").strip() or None,
            stripe_url=source.get("VOXPOP_STRIPE_URL", "").strip().rstrip("/") or None,
        )
        if made.provider not in ("local", "stripe"):
            raise UsageError(f"VOXPOP_PAYMENTS must be local or stripe, not {made.provider!r}.")
        if made.provider == "stripe":
            made._check_stripe()
        return made

    def _check_stripe(self) -> None:
        needed = {"VOXPOP_STRIPE_KEY": self.stripe_key, "VOXPOP_STRIPE_PRICE": self.stripe_price}
        missing = [name for name, value in needed.items() if value is None]
        if missing:
            raise UsageError(f"VOXPOP_PAYMENTS=stripe needs {' and '.join(missing)} too.")
        start = self.stripe_url or "https://api.stripe.com"
        if not re.match(r"(https://[^/@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/|$)", start):
            raise UsageError(
                "VOXPOP_STRIPE_URL must be an https address without user name, because the key is sent to it."
            )


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How a service behaves; one object, made once when the service starts.

    Attributes
    ----------
    strict_filters : bool
        Whether an unknown value of a finite field is an error instead of matching nothing.
    thesis_lightweight : bool
        Whether a thesis is given without its details unless these are asked for.
    rate_live, rate_free : int or None
        Calls a minute of one key of each kind; None is no limit.
    quota_live, quota_free : int or None
        Answers a calendar month of one organization through keys of each kind; None is no limit.
    max_body_bytes : int
        The largest body that is read.
    payments : PaymentsSettings
        How subscriptions are paid.
    """

    strict_filters: bool = False
    thesis_lightweight: bool = False
    rate_live: int | None = 600
    rate_free: int | None = 60
    quota_live: int | None = 100_000
    quota_free: int | None = 500
    max_body_bytes: int = 30 * 1024 * 1024
    payments: PaymentsSettings = PaymentsSettings()

    def rate(self, kind: str) -> int | None:
        """Return how many calls a minute a key of this kind may make."""
        return self.rate_free if kind == "free" else self.rate_live

    def quota(self, kind: str) -> int | None:
        """Return how many answers a month an organization may have through keys of this kind."""
        return self.quota_free if kind == "free" else self.quota_live

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ServiceSettings:
        """Read the flags and limits of contract 10 and 12, and how payments are taken.

        Raises
        ------
        UsageError
            A flag is neither 1 nor 0, or a limit is not a whole number from 1.
        """
        default = cls()
        return cls(
            strict_filters=flag("API_V1_STRICT_INVALID_FILTERS", environ),
            thesis_lightweight=flag("THESIS_DETAIL_LIGHTWEIGHT_DEFAULT", environ),
            rate_live=_limit("VOXPOP_RATE_LIVE", default.rate_live, environ),
            rate_free=_limit("VOXPOP_RATE_FREE", default.rate_free, environ),
            quota_live=_limit("VOXPOP_QUOTA_LIVE", default.quota_live, environ),
            quota_free=_limit("VOXPOP_QUOTA_FREE", default.quota_free, environ),
            payments=PaymentsSettings.from_environment(environ),
        )
