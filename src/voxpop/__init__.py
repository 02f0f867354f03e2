"""Audience research with synthetic participants: recruit, ask, tabulate, export, verify.

Agents are simulated. What they answer is not evidence about people.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from voxpop.version import __version__

if TYPE_CHECKING:  # for type checkers; at run time names load on first use, see _HOMES
    from voxpop import examples as examples
    from voxpop import widgets as widgets
    from voxpop.analysis import AnalysisWarning as AnalysisWarning
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
    from voxpop.analysis import drivers as drivers
    from voxpop.analysis import estimate as estimate
    from voxpop.analysis import price_ladder as price_ladder
    from voxpop.analysis import price_range as price_range
    from voxpop.analysis import proportions as proportions
    from voxpop.analysis import regress as regress
    from voxpop.analysis import segments as segments
    from voxpop.checking import verify
    from voxpop.client import Client
    from voxpop.client import Polling as Polling
    from voxpop.combining import combine as combine
    from voxpop.connecting import connect, local
    from voxpop.errors import FilterError as FilterError
    from voxpop.errors import ServiceError as ServiceError
    from voxpop.errors import UsageError as UsageError
    from voxpop.errors import VoxpopError
    from voxpop.fieldwork import Study, recruit
    from voxpop.fieldwork import people as people
    from voxpop.fieldwork import pull as pull
    from voxpop.own_survey import knowledge as knowledge
    from voxpop.survey import Calibration as Calibration
    from voxpop.survey import Design as Design
    from voxpop.survey import Replicates as Replicates
    from voxpop.survey import Survey as Survey
    from voxpop.survey import declare as declare
    from voxpop.survey import stack as stack
    from voxpop.tables import Store, open_export
    from voxpop.tables import data as data
    from voxpop.tables import diff as diff
    from voxpop.validation import benchmark as benchmark
    from voxpop.validation import benchmarks as benchmarks
    from voxpop.validation import validate as validate
    from voxpop.verbatims import Words as Words
    from voxpop.verbatims import agreement as agreement
    from voxpop.verbatims import codeframe as codeframe
    from voxpop.verbatims import keywords as keywords
    from voxpop.verbatims import quotes as quotes
    from voxpop.verbatims import themes as themes
    from voxpop.vocabulary import Filter, between, where
    from voxpop.vocabulary import all_of as all_of
    from voxpop.vocabulary import any_of as any_of
    from voxpop.vocabulary import at_least as at_least
    from voxpop.vocabulary import at_most as at_most

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

# Home module of each public name; loaded on first use to keep `import voxpop` fast.
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

# Public names that are rarely needed: `vp.FilterError`, `vp.all_of`. They are not in `__all__`, so that a
# star import contains only what every notebook uses.
_ALSO = {
    "AnalysisWarning": "voxpop.analysis",
    "Calibration": "voxpop.survey",
    "Design": "voxpop.survey",
    "FilterError": "voxpop.errors",
    "Polling": "voxpop.client",
    "Replicates": "voxpop.survey",
    "ServiceError": "voxpop.errors",
    "Survey": "voxpop.survey",
    "UsageError": "voxpop.errors",
    "Words": "voxpop.verbatims",
    "agreement": "voxpop.verbatims",
    "all_of": "voxpop.vocabulary",
    "any_of": "voxpop.vocabulary",
    "at_least": "voxpop.vocabulary",
    "at_most": "voxpop.vocabulary",
    "benchmark": "voxpop.validation",
    "benchmarks": "voxpop.validation",
    "codeframe": "voxpop.verbatims",
    "combine": "voxpop.combining",
    "data": "voxpop.tables",
    "declare": "voxpop.survey",
    "diff": "voxpop.tables",
    "drivers": "voxpop.analysis",
    "estimate": "voxpop.analysis",
    "keywords": "voxpop.verbatims",
    "knowledge": "voxpop.own_survey",
    "people": "voxpop.fieldwork",
    "price_ladder": "voxpop.analysis",
    "price_range": "voxpop.analysis",
    "proportions": "voxpop.analysis",
    "pull": "voxpop.fieldwork",
    "quotes": "voxpop.verbatims",
    "regress": "voxpop.analysis",
    "segments": "voxpop.analysis",
    "stack": "voxpop.survey",
    "themes": "voxpop.verbatims",
    "validate": "voxpop.validation",
}

_MODULES = ("examples", "widgets")


if not TYPE_CHECKING:  # if a type checker saw this, it would accept every name

    def __getattr__(name: str) -> object:
        """Load a public name from its home module, or a submodule, on first use."""
        if name in _MODULES:
            return import_module(f"voxpop.{name}")
        home = _HOMES.get(name) or _ALSO.get(name)
        if home is None:
            raise AttributeError(f"module 'voxpop' has no attribute {name!r}")
        thing = getattr(import_module(home), name)
        globals()[name] = thing
        return thing


def __dir__() -> list[str]:
    return sorted({*__all__, *_ALSO, *_MODULES})
