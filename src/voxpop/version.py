"""The version of this package, in the one place that pyproject.toml reads it from."""

from __future__ import annotations

__version__ = "0.1.0"
