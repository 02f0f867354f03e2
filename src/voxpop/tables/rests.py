"""The bases of the answers to each question in a store."""

from __future__ import annotations

from itertools import groupby

from duckdb import DuckDBPyConnection

from voxpop.engines.basis_counts import Counted, counted


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
