"""Counts of what the answers to each question rest on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from duckdb import DuckDBPyConnection

from voxpop.engines.basis import KINDS

MOST_NOTES = 5
"""Notes given per kind; the most frequent ones come first."""

UNKNOWN = "recorded before bases were kept"
"""Words for answers without a basis."""

_ORDER = {kind: place for place, kind in enumerate((*KINDS, None))}

Counted = list[dict[str, Any]]
"""One entry per kind of basis: ``kind``, ``answers`` and ``notes``; the kind None is unknown."""


def rests_of(cursor: DuckDBPyConnection, study_uuid: str, *, removed: bool) -> dict[str, Counted]:
    """Return what the answers to each question of a study rest on, by the question's UUID.

    Questions whose answers have no basis at all are left out.

    Parameters
    ----------
    cursor, study_uuid
        Cursor of a store, and the study.
    removed
        Whether to count the answers of removed agents.
    """
    without = "AND NOT coalesce(s.removed, false)"
    rows = cursor.execute(
        "SELECT a.question_uuid, a.basis::VARCHAR, a.basis_note, count(*) FROM answers a "
        "LEFT JOIN study_agents s USING (study_uuid, agent_uuid) "
        f"WHERE a.study_uuid = ? {'' if removed else without} GROUP BY ALL ORDER BY ALL",
        [study_uuid],
    ).fetchall()
    found = {uuid: counted(row[1:] for row in some) for uuid, some in groupby(rows, lambda row: row[0])}
    return {uuid: told for uuid, told in found.items() if told}


def counted(rows: Iterable[tuple[str | None, str | None, int]]) -> Counted:
    """Sum counts by kind and note to one entry per kind, from the firmest; empty if no kind is known.

    Examples
    --------
    >>> counted([("none", "No figure is known.", 2), ("profile", "The agent's age.", 1)])[1]
    {'kind': 'none', 'answers': 2, 'notes': ['No figure is known.']}
    >>> counted([(None, None, 3)])
    []
    """
    held = sorted(rows, key=lambda row: (_ORDER.get(row[0], len(_ORDER)), -row[2], row[1] or ""))
    made = []
    for kind, some in groupby(held, lambda row: row[0]):
        parts = list(some)
        notes = [note for _, note, _ in parts if note][:MOST_NOTES]
        made.append({"kind": kind, "answers": sum(part[2] for part in parts), "notes": notes})
    return made if any(one["kind"] is not None for one in made) else []
