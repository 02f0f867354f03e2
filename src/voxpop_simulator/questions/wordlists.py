"""Reader for word lists and tables in text files."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from voxpop.text_files import text_of
from voxpop_simulator.questions.patterns import Pattern

_TABLES = Path(__file__).parent / "tables"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    Examples
    --------
    >>> sorted(word_set("now then now"))
    ['now', 'then']
    """
    return frozenset(text.split())


def sections_of(text: str) -> dict[str, tuple[str, ...]]:
    """Return the non-empty lines by heading ``# heading``; text before the first is a preface.

    Sections with equal headings are merged.

    Examples
    --------
    >>> sections_of("About fruit.\\n\\n# red\\napple\\n\\n# yellow\\npear")
    {'red': ('apple',), 'yellow': ('pear',)}
    """
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("# "):
            lines = found.setdefault(line[2:], [])
        elif line:
            lines.append(line)
    return {heading: tuple(told) for heading, told in found.items()}


def table_sections(table: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a table ``tables/*.txt`` by heading.

    Examples
    --------
    >>> "Toyota | car" in table_sections("brands")["brand of cars"]
    True
    """
    return sections_of(text_of(_TABLES / f"{table}.txt"))


def rows_of(table: str) -> tuple[tuple[str, str], ...]:
    """Return the rows ``name: text`` of a table ``tables/*.txt``, in order; text before is a preface.

    Examples
    --------
    >>> rows_of("topics")[0][0]
    'restaurants'
    """
    _, _, told = text_of(_TABLES / f"{table}.txt").partition("\n\n")
    rows = (line.partition(": ") for line in told.splitlines() if line.strip())
    return tuple((name, text) for name, _, text in rows)


def patterns_of(table: str) -> tuple[tuple[str, Pattern], ...]:
    """Return the names of a table ``tables/*.txt`` with their patterns, in order.

    Examples
    --------
    >>> name, pattern = patterns_of("topics")[0]
    >>> name, bool(pattern.search("where to eat"))
    ('restaurants', True)
    """
    return tuple(
        (name, Pattern("|".join(pattern for _, pattern in rows), re.I))
        for name, rows in groupby(rows_of(table), key=lambda row: row[0])
    )
