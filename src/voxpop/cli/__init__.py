"""The command line: one module per group of commands, one place that prints errors."""

from __future__ import annotations

from voxpop.cli.app import main

__all__ = ["main"]
