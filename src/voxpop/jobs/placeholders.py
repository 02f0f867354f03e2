"""Placeholders in a study: answers without a known figure, which findings leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import Counted, counted
from voxpop.jobs.evidence import Column, Evidence, quoted
from voxpop.records.questions import Answer

NOTHING_KNOWN = (
    "Every answer is a placeholder: no figure is known for any question asked. Nothing here is a finding."
)
"""The only note of an analysis without any other answer."""

Step = Callable[[Evidence], dict[str, Any]]


def is_placeholder(answer: Answer | None) -> bool:
    """Return whether no figure is known for an answer."""
    return answer is not None and answer.basis is not None and answer.basis.kind == NONE


def leaving_out(step: Step) -> Step:
    """Let an analysis step read only answers that rest on something, and say what it leaves out.

    The sentence is the first of the ``notes``, and also under ``placeholders``.
    """

    @wraps(step)
    def run(evidence: Evidence) -> dict[str, Any]:
        known, told = known_part(evidence)
        made = step(known)
        if told is None:
            return made
        if known.columns or not evidence.columns:
            return made | {"placeholders": told, "notes": [told, *made["notes"]]}
        text = {"text": NOTHING_KNOWN} if "text" in made else {}
        return made | {"placeholders": NOTHING_KNOWN, "claims": [], "notes": [NOTHING_KNOWN]} | text

    return run


def known_part(evidence: Evidence) -> tuple[Evidence, str | None]:
    """Return the evidence without placeholders, and a sentence on what was left out, if anything was.

    A question with nothing but placeholders is left out as a whole.
    """
    kept, parts = [], []
    for column in evidence.columns:
        marked = np.fromiter(map(is_placeholder, column.answers), np.bool_, len(column.answers))
        lost, name = int(marked.sum()), quoted(column.question.key or column.question.text)
        if not lost:
            kept.append(column)
        elif lost == column.answered:
            parts.append(f"all answers to {name}")
        else:
            parts.append(f"{lost:,} of {column.answered:,} answers to {name}")
            kept.append(_without(column, marked, lost))
    if not parts:
        return evidence, None
    told = f"Placeholders are left out, because no figure is known for them: {', '.join(parts)}."
    return Evidence(tuple(kept), evidence.agents), told


def _without(column: Column, marked: Any, lost: int) -> Column:
    def blank(held: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(None if gone else one for one, gone in zip(held, marked, strict=True))

    return replace(
        column,
        answers=blank(column.answers),
        values=blank(column.values),
        ids=np.where(marked, 0, column.ids),
        base=column.base & ~marked,
        placeholders=lost,
    )


def bases_of(column: Column) -> Counted:
    """Return what the answers to a question rest on, counted by kind."""
    given = Counter(answer.basis for answer in column.answers if answer is not None)
    return counted(
        (None, None, count) if basis is None else (basis.kind, basis.note, count)
        for basis, count in given.items()
    )
