"""Word lists and tables written as running text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    Examples
    --------
    >>> sorted(word_set("now then now"))
    ['now', 'then']
    """
    return frozenset(text.split())


def sections_of(text: str) -> dict[str, tuple[str, ...]]:
    """Return the lines under each heading ``# heading``, without empty ones; what comes before is a preface.

    Headings that are the same go together.

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
