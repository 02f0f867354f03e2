"""Selection of the payment provider."""

from __future__ import annotations

from voxpop.errors import ServiceStartError
from voxpop.records import billing
from voxpop.records.database import Database
from voxpop.service.payments import Payments
from voxpop.service.payments_local import LocalPayments
from voxpop.settings import PaymentsSettings


def open_payments(database: Database, settings: PaymentsSettings) -> Payments:
    """Return the payment provider named in the settings.

    Raises
    ------
    ServiceStartError
        The provider's library is not installed.
    """
    if settings.provider == billing.LOCAL:
        return LocalPayments(database)
    try:
        from voxpop.service.payments_stripe import StripePayments  # imported where used: it takes a second
    except ModuleNotFoundError as error:
        raise ServiceStartError(
            f"VOXPOP_PAYMENTS=stripe needs the library {error.name}: pip install 'voxpop[stripe]'."
        ) from error
    return StripePayments(database, settings)
