"""How far simulated answers lie from what people said: benchmarks and distances."""

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
