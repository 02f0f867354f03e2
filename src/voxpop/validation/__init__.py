"""Distances between simulated answers and human benchmarks, for a question or an engine."""

from __future__ import annotations

from voxpop.validation.benchmarks import Benchmark, benchmark, benchmarks
from voxpop.validation.engine_validation import EngineValidation, validate_engine
from voxpop.validation.gss_items import gss_items
from voxpop.validation.item_set import Group, Item, ItemSet
from voxpop.validation.item_tables import item_set
from voxpop.validation.validating import Validation, validate

__all__ = [
    "Benchmark",
    "EngineValidation",
    "Group",
    "Item",
    "ItemSet",
    "Validation",
    "benchmark",
    "benchmarks",
    "gss_items",
    "item_set",
    "validate",
    "validate_engine",
]
