"""Counts of what answers rest on, and the notices above figures: placeholders, and sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from voxpop.engines.basis import KINDS, MODELLED, PUBLISHED

MOST_NOTES = 5
"""Notes given per kind; the most frequent ones come first."""

SURVEY_NOTES = ("Human records: ", "Estimated from ")
"""Beginnings of the notes of answers that rest on a survey of people, within its reach and beyond."""

PLACEHOLDERS = "Placeholders"
"""First word of the notice above figures made from placeholders."""

UNKNOWN = "recorded before bases were kept"
"""Words for answers without a basis."""

Counted = list[dict[str, Any]]
"""One entry per kind of basis: ``kind``, ``answers`` and ``notes``; the kind None is unknown."""

_SOURCED = {PUBLISHED: "Published", MODELLED: "Modelled"}
_LONGEST = 180
"""Characters of a note that stands above figures."""

_ORDER = {kind: place for place, kind in enumerate(KINDS)}


def counted(rows: Iterable[tuple[str | None, str | None, int]]) -> Counted:
    """Sum counts by kind and note to one entry per kind, from the firmest; empty if no kind is known.

    Parameters
    ----------
    rows
        Kind, note and number of answers.

    Examples
    --------
    >>> counted([("none", "No figure is known.", 2), ("profile", "The agent's age.", 1)])[1]
    {'kind': 'none', 'answers': 2, 'notes': ['No figure is known.']}
    >>> counted([(None, None, 3)])
    []
    """
    held = sorted(rows, key=lambda row: (_ORDER.get(row[0] or "", len(_ORDER)), -row[2], row[1] or ""))
    made = []
    for kind, some in groupby(held, lambda row: row[0]):
        parts = list(some)
        notes = [note for _, note, _ in parts if note][:MOST_NOTES]
        made.append({"kind": kind, "answers": sum(part[2] for part in parts), "notes": notes})
    return made if any(one["kind"] is not None for one in made) else []


def placeholder_notice(name: str, placeholders: int, answers: int) -> str | None:
    """Return the notice above figures made from placeholders; None if there are none.

    Parameters
    ----------
    name
        Name of the question.
    placeholders, answers
        Number of answers without a known figure, and of all answers to the question.

    Examples
    --------
    >>> placeholder_notice("switch", 120, 120)
    "Placeholders: no figure is known for 'switch' (120 of 120 answers). Nothing here is a finding."
    >>> placeholder_notice("price", 30, 1200)
    "Placeholders: no figure is known for 30 of 1,200 answers to 'price'."
    >>> placeholder_notice("age", 0, 120)
    """
    if not placeholders:
        return None
    share = f"{placeholders:,} of {answers:,} answers"
    if placeholders < answers:
        return f"{PLACEHOLDERS}: no figure is known for {share} to {name!r}."
    return f"{PLACEHOLDERS}: no figure is known for {name!r} ({share}). Nothing here is a finding."


def survey_notice(name: str, bases: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the notice above figures from a survey of people, whose error their intervals leave out.

    Parameters
    ----------
    name
        Name of the question.
    bases
        Entries of :func:`counted`.

    Examples
    --------
    >>> rests = counted([("published", "Human records: snacks, column q1.", 9)])
    >>> survey_notice("switch", rests)[:56]
    "Answers to 'switch' are drawn from a survey of people; i"
    >>> survey_notice("age", counted([("profile", "The agent's profile: age.", 9)]))
    """
    if not any(note.startswith(SURVEY_NOTES) for one in bases for note in one["notes"]):
        return None
    told = f"Answers to {name!r} are drawn from a survey of people"
    return f"{told}; its sampling error is in knowledge.shares, not here."


def source_notices(name: str, bases: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """Return the notices above figures that follow published or modelled figures, with their sources.

    Parameters
    ----------
    name
        Name of the question.
    bases
        What its answers rest on, as :func:`counted` gives it.

    Examples
    --------
    >>> told = counted([("published", "Shares of the survey of 2020.", 30), ("profile", "Age.", 10)])
    >>> source_notices("legal", told)
    ("Published, 30 of 40 answers to 'legal': Shares of the survey of 2020.",)
    """
    held = list(bases)
    total = sum(one["answers"] for one in held)
    return tuple(
        f"{_SOURCED[one['kind']]}, {_share(name, one['answers'], total)}: {_note(one['notes'])}"
        for one in held
        if one["kind"] in _SOURCED and one["notes"]
    )


def _share(name: str, answers: int, total: int) -> str:
    return repr(name) if answers == total else f"{answers:,} of {total:,} answers to {name!r}"


def _note(notes: list[str]) -> str:
    """Return the most frequent note, shortened, and how many others there are."""
    first = notes[0] if len(notes[0]) <= _LONGEST else f"{notes[0][:_LONGEST].rpartition(' ')[0]} …"
    if len(notes) == 1:
        return first
    more = len(notes) - 1
    return f"{first} (and {more}{' or more' if more == MOST_NOTES - 1 else ''} other note{'s' * (more > 1)})"
