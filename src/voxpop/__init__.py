"""Audience research with synthetic participants: recruit, ask, tabulate, export, verify.

Agents are simulated. What they answer is not evidence about people.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from voxpop.version import __version__

if TYPE_CHECKING:
    from voxpop.analysis import (
        SigTest,
        Table,
        bands,
        banner,
        box,
        cohorts,
        crosstab,
        means,
        multi,
        nps,
        power,
        rake,
    )
    from voxpop.checking import verify
    from voxpop.client import Client
    from voxpop.connecting import connect, local
    from voxpop.errors import VoxpopError
    from voxpop.fieldwork import Study, recruit
    from voxpop.tables import Store, open_export
    from voxpop.vocabulary import Filter, between, where

__all__ = [
    "Client",
    "Filter",
    "SigTest",
    "Store",
    "Study",
    "Table",
    "VoxpopError",
    "__version__",
    "bands",
    "banner",
    "between",
    "box",
    "cohorts",
    "connect",
    "crosstab",
    "local",
    "means",
    "multi",
    "nps",
    "open_export",
    "power",
    "rake",
    "recruit",
    "verify",
    "where",
]

# Where each public name lives; loaded at first use, so that `import voxpop` costs next to nothing.
_HOMES = {
    "Client": "voxpop.client",
    "Filter": "voxpop.vocabulary",
    "SigTest": "voxpop.analysis",
    "Store": "voxpop.tables",
    "Study": "voxpop.fieldwork",
    "Table": "voxpop.analysis",
    "VoxpopError": "voxpop.errors",
    "bands": "voxpop.analysis",
    "banner": "voxpop.analysis",
    "between": "voxpop.vocabulary",
    "box": "voxpop.analysis",
    "cohorts": "voxpop.analysis",
    "connect": "voxpop.connecting",
    "crosstab": "voxpop.analysis",
    "local": "voxpop.connecting",
    "means": "voxpop.analysis",
    "multi": "voxpop.analysis",
    "nps": "voxpop.analysis",
    "open_export": "voxpop.tables",
    "power": "voxpop.analysis",
    "rake": "voxpop.analysis",
    "recruit": "voxpop.fieldwork",
    "verify": "voxpop.checking",
    "where": "voxpop.vocabulary",
}

# Names of the same standing that are needed now and then: `vp.FilterError`, `vp.all_of`. They stay out of
# `__all__`, so that a star import and a completion list hold what every notebook uses.
_ALSO = {
    "AnalysisWarning": "voxpop.analysis",
    "FilterError": "voxpop.errors",
    "Polling": "voxpop.client",
    "ServiceError": "voxpop.errors",
    "UsageError": "voxpop.errors",
    "Words": "voxpop.verbatims",
    "agreement": "voxpop.verbatims",
    "all_of": "voxpop.vocabulary",
    "any_of": "voxpop.vocabulary",
    "benchmark": "voxpop.validation",
    "benchmarks": "voxpop.validation",
    "codeframe": "voxpop.verbatims",
    "declare": "voxpop.analysis",
    "diff": "voxpop.tables",
    "keywords": "voxpop.verbatims",
    "price_ladder": "voxpop.analysis",
    "price_range": "voxpop.analysis",
    "proportions": "voxpop.analysis",
    "pull": "voxpop.fieldwork",
    "quotes": "voxpop.verbatims",
    "themes": "voxpop.verbatims",
    "validate": "voxpop.validation",
}


_MODULES = ("examples",)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"voxpop.{name}")
    home = _HOMES.get(name) or _ALSO.get(name)
    if home is None:
        raise AttributeError(f"module 'voxpop' has no attribute {name!r}")
    thing = getattr(import_module(home), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
