"""Wording of a table's arguments."""

from __future__ import annotations

from voxpop.analysis.cohort import WhereData
from voxpop.vocabulary.parse import parse


def filter_words(where: object) -> list[str]:
    """Describe a filter in words."""
    if where is None:
        return []
    if isinstance(where, str):
        return [where]
    words = where.words if isinstance(where, WhereData) else parse(where, columns=True).sentence()
    return [f"filter: {words}"]
