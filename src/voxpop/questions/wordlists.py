"""Word lists written as running text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    Examples
    --------
    >>> sorted(word_set("now then now"))
    ['now', 'then']
    """
    return frozenset(text.split())
