"""Settings declared with their dataclass fields: variable, parser and default."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar
from urllib.parse import urlsplit

from voxpop.errors import UsageError


class Declared(Protocol):
    """A dataclass whose fields may be declared as settings."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Settings = TypeVar("Settings", bound=Declared)
Read = TypeVar("Read")
Default = TypeVar("Default")
Environ = Mapping[str, str] | None
"""The variables to read; None means the environment of the process."""

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


def setting(
    variable: str, read: Callable[[str, str], Read], default: Default, *, secret: bool = False
) -> Read | Default:
    """Declare a dataclass field that is read from an environment variable.

    Parameters
    ----------
    variable
        The name of the variable.
    read
        Takes the name and the stripped, non-empty text; returns the value or raises :class:`UsageError`.
    default
        The value while the variable is unset or blank.
    secret
        Whether to leave the value out of the repr.
    """
    return field(default=default, repr=not secret, metadata={"variable": variable, "read": read})


def variables(environ: Environ) -> Mapping[str, str]:
    """Return the given variables, or those of the process."""
    return os.environ if environ is None else environ


def read_settings(kind: type[Settings], environ: Environ, **given: Any) -> Settings:
    """Return settings whose declared fields are read from the environment, except those given.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Pool:
    ...     size: int = setting("POOL_SIZE", whole(1, 64), 2)
    >>> read_settings(Pool, {"POOL_SIZE": " 8 "}), read_settings(Pool, {})
    (Pool(size=8), Pool(size=2))
    >>> read_settings(Pool, {"POOL_SIZE": "many"})
    Traceback (most recent call last):
    voxpop.errors.UsageError: POOL_SIZE must be a whole number from 1 to 64, not 'many'.
    """
    source = variables(environ)
    found = dict(given)
    for each in fields(kind):
        variable = each.metadata.get("variable")
        if variable is None or each.name in given:
            continue
        written = source.get(variable, "").strip()
        if written:
            found[each.name] = each.metadata["read"](variable, written)
    return kind(**found)


def text(variable: str, written: str) -> str:
    """Return a text unchanged."""
    return written


def address(variable: str, written: str) -> str:
    """Return an address without trailing slashes."""
    return written.rstrip("/")


def flag(variable: str, written: str) -> bool:
    """Parse a yes/no setting."""
    word = written.lower()
    if word not in _TRUE | _FALSE:
        raise UsageError(f"{variable} must be 1 or 0, not {word!r}.")
    return word in _TRUE


def limit(variable: str, written: str) -> int | None:
    """Parse a limit: a whole number from 1, or ``none``."""
    word = written.lower()
    if word == "none":
        return None
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise UsageError(f"{variable} must be a whole number from 1, or none for no limit, not {word!r}.")
    return int(word)


def number(least: float, most: float) -> Callable[[str, str], float]:
    """Return a reader of numbers within bounds."""

    def read(variable: str, written: str) -> float:
        return _bounded(variable, written, (least, most), r"[0-9]{1,9}(\.[0-9]{1,9})?", "a number")

    return read


def whole(least: int, most: int) -> Callable[[str, str], int]:
    """Return a reader of whole numbers within bounds."""

    def read(variable: str, written: str) -> int:
        return int(_bounded(variable, written, (least, most), r"[0-9]{1,9}", "a whole number"))

    return read


def _bounded(variable: str, written: str, bounds: tuple[float, float], pattern: str, kind: str) -> float:
    if not re.fullmatch(pattern, written) or not bounds[0] <= float(written) <= bounds[1]:
        raise UsageError(f"{variable} must be {kind} from {bounds[0]:,} to {bounds[1]:,}, not {written!r}.")
    return float(written)


def sendable(url: str) -> bool:
    """Return whether a path can be appended to an address."""
    try:
        return not set("?#") & set(url) and urlsplit(url).port != 0
    except ValueError:  # the port is not a number or is too high
        return False


def home(environ: Environ = None) -> Path:
    """Return the folder for voxpop's data and cache (``VOXPOP_HOME`` or the platform's data folder)."""
    chosen = variables(environ).get("VOXPOP_HOME")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # imported where used: a client never needs it

    return Path(platformdirs.user_data_dir("voxpop", appauthor=False))
