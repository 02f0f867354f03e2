"""Bases of answers: stored once per question and referenced by number from each answer.

Most questions have one to three bases, so an answer carries eight bytes instead of a sentence. Answers stored
before bases were kept have none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from voxpop.engines.basis import KINDS, Basis
from voxpop.records.inserting import insert_many
from voxpop.records.schema import question_bases, questions

LONGEST_NOTE = 600
"""Maximum number of characters of a stored note; the rest is cut off."""

MOST_LISTED = 20
"""Maximum number of bases listed for a question."""

_ALL = sa.select(question_bases.c.code, question_bases.c.kind, question_bases.c.note)
_OF_QUESTIONS = _ALL.where(question_bases.c.question_id.in_(sa.bindparam("questions", expanding=True)))
_LISTED = sa.select(question_bases.c.question_id, question_bases.c.kind, question_bases.c.note).where(
    question_bases.c.question_id.in_(sa.bindparam("questions", expanding=True))
)
_OF_STUDY = _ALL.where(
    question_bases.c.question_id.in_(
        sa.select(questions.c.id).where(questions.c.study_id == sa.bindparam("study"))
    )
)


@lru_cache(maxsize=4096)
def code_of(basis: Basis) -> int:
    """Return the number of a basis, made from its kind and its note.

    It has 53 bits, so JSON carries it exactly.

    Examples
    --------
    >>> code_of(Basis("profile", "The agent's age.")) == code_of(Basis("profile", "The agent's age."))
    True
    >>> code_of(Basis("profile", "The agent's age.")) == code_of(Basis("none", "The agent's age."))
    False
    """
    told = f"{basis.kind}\n{basis.note[:LONGEST_NOTE]}".encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8], "big") >> 11


def save(c: sa.Connection, question_id: int, found: Iterable[Basis]) -> None:
    """Store the bases of some answers to a question; those stored already stay.

    They are written in the order of their numbers, so that two processes never wait for each other.
    """
    rows = [
        {
            "question_id": question_id,
            "code": code_of(basis),
            "kind": basis.kind,
            "note": basis.note[:LONGEST_NOTE],
        }
        for basis in sorted(set(found), key=code_of)
    ]
    insert_many(c, question_bases, rows, new_by=("question_id", "code"))


def of_questions(c: sa.Connection, question_ids: Iterable[int]) -> Mapping[int, Basis]:
    """Return the bases of the answers to some questions, by number."""
    return _read(c.execute(_OF_QUESTIONS, {"questions": list(question_ids)}))


def of_study(c: sa.Connection, study_id: int | None, question_id: int | None = None) -> Mapping[int, Basis]:
    """Return the bases of the answers to one question, or to all questions of a study, by number."""
    if question_id is not None:
        return of_questions(c, [question_id])
    return _read(c.execute(_OF_STUDY, {"study": study_id}))


def listed(c: sa.Connection, question_ids: Iterable[int]) -> dict[int, list[Basis]]:
    """Return the bases of the answers to each of some questions, at most 20, from the firmest."""
    found: dict[int, list[Basis]] = {}
    for question, kind, note in c.execute(_LISTED, {"questions": list(question_ids)}):
        found.setdefault(question, []).append(Basis(kind, note))
    order = {kind: place for place, kind in enumerate(KINDS)}
    return {
        question: sorted(held, key=lambda one: (order[one.kind], one.note))[:MOST_LISTED]
        for question, held in found.items()
    }


def fields_of(basis: Basis | None) -> dict[str, str | None]:
    """Return a basis as an answer sends it; null if the answer was stored before bases were kept.

    Examples
    --------
    >>> fields_of(Basis("profile", "The agent's age."))
    {'basis': 'profile', 'basis_note': "The agent's age."}
    >>> fields_of(None)
    {'basis': None, 'basis_note': None}
    """
    kind, note = (basis.kind, basis.note) if basis is not None else (None, None)
    return {"basis": kind, "basis_note": note}


def _read(rows: Iterable[Any]) -> dict[int, Basis]:
    return {code: Basis(kind, note) for code, kind, note in rows}
