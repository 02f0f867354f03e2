"""The packed tables of the library, read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from voxpop.text_files import rows_of

_FOLDER = Path(__file__).parent / "tables"


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a table.

    Examples
    --------
    >>> rows("heads")[0]["word"]
    'agree'
    """
    return rows_of(_FOLDER / f"{name}.csv")
