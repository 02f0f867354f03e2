"""Distances between simulated answers and human benchmarks."""

from __future__ import annotations

from voxpop.validation.benchmarks import Benchmark, benchmark, benchmarks
from voxpop.validation.validating import Validation, validate

__all__ = [
    "Benchmark",
    "Validation",
    "benchmark",
    "benchmarks",
    "validate",
]
