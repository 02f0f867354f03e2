"""Import of optional libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from voxpop.errors import UsageError


def load(module: str, extra: str, purpose: str) -> Any:
    """Import a library of an extra, or raise an error that says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{purpose} the extra {extra!r}; install it with: pip install 'voxpop[{extra}]'"
        ) from error
