"""The simulation has no fixtures of its own."""

from __future__ import annotations

collect_ignore = ["conftest.py"]  # no doctests here, and several modules of this name cannot be collected
