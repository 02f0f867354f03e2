"""Names, texts and types as SQL."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def quote(name: str) -> str:
    """Quote a name as an SQL identifier.

    Examples
    --------
    >>> quote("age")
    '"age"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text as an SQL literal.

    Examples
    --------
    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def value(given: Any) -> str:
    """Return a text, a number or a boolean as SQL.

    Examples
    --------
    >>> value("it's"), value(2), value(2.5), value(True)
    ("'it''s'", '2', '2.5::DOUBLE', 'true')
    """
    if isinstance(given, str):
        return literal(given)
    if isinstance(given, bool):
        return "true" if given else "false"
    number = float(given)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return f"{number!r}::DOUBLE" if math.isfinite(number) else f"'{number!r}'::DOUBLE"


def enum(levels: Iterable[str]) -> str:
    """Return the ENUM type of some levels in order."""
    return f"ENUM({', '.join(map(literal, levels))})"
