"""Occupations for everyday job names ("nurse", "truck driver")."""

from __future__ import annotations

import re
from functools import cache

from voxpop.vocabulary.name_lists import rows

_VAGUE = {
    "worker",
    "workers",
    "operator",
    "specialist",
    "assistant",
    "other",
    "aide",
    "person",
    "member",
    "hand",
    "attendant",
    "trainee",
}


@cache
def _index() -> dict[str, frozenset[str]]:
    """Return name -> occupations; a name is a title, or its last word if that is specific."""
    variants, others = rows("us_title_variants"), rows("us_titles_assumed")
    titles = [(row["occupation"], row["occupation"]) for row in (*variants, *others)]
    titles += [(row["title_variant"], row["occupation"]) for row in variants]
    found: dict[str, set[str]] = {}
    for title, occupation in dict.fromkeys(titles):
        for name in _names(title):
            found.setdefault(name, set()).add(occupation)
    return {name: frozenset(occupations) for name, occupations in found.items()}


def _names(title: str) -> set[str]:
    lower = re.sub(
        r"\(.*?\)|, (?:except|all other|general|restaurant|fast food|hand)\b.*", "", title.lower()
    ).strip()
    names = {_singular(lower)}
    for part in re.split(r",? and |, |/", lower):
        names.add(_singular(part.strip()))
        head = _singular(part.strip().split()[-1]) if part.strip() else ""
        if len(head) > 3 and head not in _VAGUE:
            names.add(head)
    return names - {""} - _VAGUE


def _singular(name: str) -> str:
    if name.endswith("sses"):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def occupations_named(name: str) -> frozenset[str]:
    """Return the occupation labels for a job name; empty if it is not a job.

    Examples
    --------
    >>> "Registered Nurses" in occupations_named("nurse"), occupations_named("vegetarian")
    (True, frozenset())
    """
    return _index().get(_singular(name.lower().strip()), frozenset())
