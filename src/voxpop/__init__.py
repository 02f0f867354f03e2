"""Audience research with synthetic participants: recruit, ask, tabulate, export, verify.

Agents are simulated. What they answer is not evidence about people.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from voxpop.version import __version__

if TYPE_CHECKING:
    from voxpop.analysis import Table, crosstab
    from voxpop.client import Client, Polling
    from voxpop.connecting import connect, local
    from voxpop.errors import FilterError, ServiceError, UsageError, VoxpopError
    from voxpop.fieldwork import Study, recruit
    from voxpop.tables import Store, open_export, verify
    from voxpop.vocabulary import Filter, all_of, any_of, between, where

__all__ = [
    "Client",
    "Filter",
    "FilterError",
    "Polling",
    "ServiceError",
    "Store",
    "Study",
    "Table",
    "UsageError",
    "VoxpopError",
    "__version__",
    "all_of",
    "any_of",
    "between",
    "connect",
    "crosstab",
    "local",
    "open_export",
    "recruit",
    "verify",
    "where",
]

# Where each public name lives; loaded at first use, so that `import voxpop` costs next to nothing.
_HOMES = {
    "Client": "voxpop.client",
    "Filter": "voxpop.vocabulary",
    "FilterError": "voxpop.errors",
    "Polling": "voxpop.client",
    "ServiceError": "voxpop.errors",
    "Store": "voxpop.tables",
    "Study": "voxpop.fieldwork",
    "Table": "voxpop.analysis",
    "UsageError": "voxpop.errors",
    "VoxpopError": "voxpop.errors",
    "all_of": "voxpop.vocabulary",
    "any_of": "voxpop.vocabulary",
    "between": "voxpop.vocabulary",
    "connect": "voxpop.connecting",
    "crosstab": "voxpop.analysis",
    "local": "voxpop.connecting",
    "open_export": "voxpop.tables",
    "recruit": "voxpop.fieldwork",
    "verify": "voxpop.tables",
    "where": "voxpop.vocabulary",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'voxpop' has no attribute {name!r}")
    thing = getattr(import_module(_HOMES[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
