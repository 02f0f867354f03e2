"""Settings of payments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from voxpop.errors import UsageError
from voxpop.settings.reading import Environ, address, read_settings, setting, text


def _provider(variable: str, written: str) -> str:
    if written.lower() not in ("local", "stripe"):
        raise UsageError(f"{variable} must be local or stripe, not {written.lower()!r}.")
    return written.lower()


@dataclass(frozen=True, slots=True)
class PaymentsSettings:
    """The payment provider: the embedded one, which moves no money, or Stripe."""

    provider: str = setting("VOXPOP_PAYMENTS", _provider, "local")
    stripe_key: str | None = setting("VOXPOP_STRIPE_KEY", text, None, secret=True)
    stripe_price: str | None = setting("VOXPOP_STRIPE_PRICE", text, None)
    stripe_url: str | None = setting("VOXPOP_STRIPE_URL", address, None)

    @classmethod
    def from_environment(cls, environ: Environ = None) -> PaymentsSettings:
        """Read ``VOXPOP_PAYMENTS`` (local or stripe), ``VOXPOP_STRIPE_KEY``, ``_PRICE`` and ``_URL``.

        Raises
        ------
        UsageError
            The provider is unknown, or Stripe lacks its key or its price, or its address is not encrypted.
        """
        made = read_settings(cls, environ)
        if made.provider == "stripe":
            made._check_stripe()
        return made

    def _check_stripe(self) -> None:
        needed = {"VOXPOP_STRIPE_KEY": self.stripe_key, "VOXPOP_STRIPE_PRICE": self.stripe_price}
        missing = [name for name, value in needed.items() if value is None]
        if missing:
            raise UsageError(f"VOXPOP_PAYMENTS=stripe also needs {' and '.join(missing)}.")
        start = self.stripe_url or "https://api.stripe.com"
        if not re.match(r"(https://[^/@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/|$)", start):
            raise UsageError(
                "VOXPOP_STRIPE_URL must be an https address without user name, because the key is sent to it."
            )
