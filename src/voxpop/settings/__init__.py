"""Settings, read from the environment only when a client or a service is created."""

from __future__ import annotations

from voxpop.settings.client import ClientSettings
from voxpop.settings.engine import PROVIDERS, EngineSettings, Provider
from voxpop.settings.payments import PaymentsSettings
from voxpop.settings.reading import home
from voxpop.settings.service import ServiceSettings
from voxpop.settings.work import WorkSettings

__all__ = [
    "PROVIDERS",
    "ClientSettings",
    "EngineSettings",
    "PaymentsSettings",
    "Provider",
    "ServiceSettings",
    "WorkSettings",
    "home",
]
