"""The command line: one module per command group, and one place that prints errors."""

from __future__ import annotations

from voxpop.cli.app import main

__all__ = ["main"]
