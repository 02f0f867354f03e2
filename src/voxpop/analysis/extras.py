"""Optional libraries, imported on use, with an install hint if missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from voxpop.errors import UsageError


def load(module: str, extra: str, purpose: str) -> Any:
    """Import a module of an extra.

    Parameters
    ----------
    module : str
        Import name, such as ``"sklearn.decomposition"``.
    extra : str
        The extra of voxpop that installs it.
    purpose : str
        Purpose of the module, as the start of the error message.

    Raises
    ------
    UsageError
        If the module is not installed; the message has the command that installs it.

    Examples
    --------
    >>> load("json", "text", "Themes").dumps([1])
    '[1]'
    >>> load("no_such_library", "text", "Themes need")
    Traceback (most recent call last):
    voxpop.errors.UsageError: Themes need the extra 'text'; install it with: pip install 'voxpop[text]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{purpose} the extra {extra!r}; install it with: pip install 'voxpop[{extra}]'"
        ) from error
