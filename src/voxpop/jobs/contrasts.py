"""Key segments: cohorts whose answers to a coded question differ from those of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.jobs.cohorts import Cohort, cohorts
from voxpop.jobs.evidence import (
    SIMULATED,
    Claim,
    Column,
    Evidence,
    Outcome,
    claim,
    outcomes,
    quoted,
    share_text,
)
from voxpop.jobs.placeholders import leaving_out
from voxpop.stats.proportions import benjamini_hochberg, two_proportions

MIN_BASE = 30
SMALL_BASE = 100
LEVEL = 0.05
PER_QUESTION = 3

P_VALUES = (
    "Cohorts are compared with the others by two-proportion tests (pooled, two-sided, 5% level) with the"
    " Benjamini-Hochberg correction over all tests of the study. The agents are picked by filters and"
    " simulated: a p-value describes the noise of drawing them from the pool, nothing else."
)
BASES = "Cohorts below 30 answers are marked ** and not tested; below 100 they are marked *."

Floats = npt.NDArray[np.float64]


class Comparison:
    """Comparison of every cohort with the others, with outcomes as rows and cohorts as columns."""

    count: Floats
    base: Floats
    other_count: Floats
    other_base: Floats
    difference: Floats
    z: Floats

    def __init__(self, evidence: Evidence) -> None:
        self.cohorts: list[Cohort] = cohorts(evidence.agents)
        self.outcomes: list[Outcome] = [
            outcome for column in evidence.columns for outcome in _one_sided(column)
        ]
        members = _stack([cohort.members for cohort in self.cohorts], len(evidence.agents)).T
        others = _stack([cohort.others for cohort in self.cohorts], len(evidence.agents)).T
        chosen = _stack([outcome.chosen for outcome in self.outcomes], len(evidence.agents))
        base = _stack([outcome.column.base for outcome in self.outcomes], len(evidence.agents))
        self.count, self.base = chosen @ members, base @ members
        self.other_count, self.other_base = chosen @ others, base @ others
        self.difference, self.z, p = two_proportions(self.count, self.base, self.other_count, self.other_base)
        enough = np.minimum(self.base, self.other_base) >= MIN_BASE
        self.tested: npt.NDArray[np.bool_] = enough & ~np.isnan(p)
        self.p: Floats = np.where(self.tested, p, np.nan)
        self.p_adjusted: Floats = benjamini_hochberg(self.p)

    def flag(self, row: int, place: int) -> str:
        """Return ``**`` for a base too small to test, ``*`` for a small one."""
        base = min(self.base[row, place], self.other_base[row, place])
        return "**" if base < MIN_BASE else "*" if base < SMALL_BASE else ""

    def figures(self, row: int, place: int) -> dict[str, Any]:
        """Return the figures of one comparison; values are None without a base or a test."""
        cohort, outcome = self.cohorts[place], self.outcomes[row]
        return {
            "attribute": cohort.attribute,
            "level": cohort.level,
            "cohort": cohort.noun,
            "outcome": outcome.label,
            "difference": _number(self.difference[row, place]),
            "z": _number(self.z[row, place]) if self.tested[row, place] else None,
            "p": _number(self.p[row, place]),
            "p_adjusted": _number(self.p_adjusted[row, place]),
            "flag": self.flag(row, place),
        }


@leaving_out
def key_segments(evidence: Evidence) -> dict[str, Any]:
    """Find the cohorts that differ most on each coded question.

    Returns
    -------
    dict
        ``claims``: for each question up to three cohorts, of different attributes, whose difference is
        significant after the correction, largest first. ``questions``: for each question its main outcome in
        every cohort, with bases, differences (-1 to 1), p-values and flags. ``tests``: the number of tests
        that the correction covers. ``notes``.
    """
    if not evidence.agents:
        return {"claims": [], "questions": [], "tests": 0, "notes": [BASES, P_VALUES]}
    compared = Comparison(evidence)
    claims: list[Claim] = []
    tables = []
    for column in evidence.columns:
        rows = [place for place, outcome in enumerate(compared.outcomes) if outcome.column is column]
        if not rows or not column.size:
            continue
        claims += _segments(compared, rows)
        main = max(rows, key=lambda row: compared.outcomes[row].count)
        tables.append(
            {
                "question_id": column.question.id,
                "outcome": compared.outcomes[main].label,
                "cohorts": [_table_row(compared, main, place) for place in range(len(compared.cohorts))],
            }
        )
    notes = [BASES, P_VALUES, SIMULATED]
    if not claims:
        notes.insert(0, "No cohort of 30 or more answers differs significantly from the others.")
    return {"claims": claims, "questions": tables, "tests": int(compared.tested.sum()), "notes": notes}


def _one_sided(column: Column) -> list[Outcome]:
    """Leave out the second of two opposite outcomes, whose test would be the same."""
    found = outcomes(column)
    return found[:1] if len(found) == 2 else found


def _segments(compared: Comparison, rows: list[int]) -> list[Claim]:
    held = sorted(
        ((rows[int(row)], int(place)) for row, place in np.argwhere(compared.p_adjusted[rows] < LEVEL)),
        key=lambda pair: (-abs(round(float(compared.difference[pair]), 12)), pair),
    )
    claims: list[Claim] = []
    seen: set[str] = set()
    for row, place in held:
        if compared.cohorts[place].attribute not in seen and len(claims) < PER_QUESTION:
            seen.add(compared.cohorts[place].attribute)
            claims.append(_segment_claim(compared, row, place))
    return claims


def _segment_claim(compared: Comparison, row: int, place: int) -> Claim:
    cohort, outcome = compared.cohorts[place], compared.outcomes[row]
    column = outcome.column
    count, base = int(compared.count[row, place]), int(compared.base[row, place])
    other_count, other_base = int(compared.other_count[row, place]), int(compared.other_base[row, place])
    often = "more" if compared.difference[row, place] > 0 else "less"
    text = (
        f"{quoted(column.question.text)}: {cohort.noun} {outcome.phrase} {often} often than the others,"
        f" {share_text(count, base)} against {share_text(other_count, other_base)}."
    )
    others = {
        "count": other_count,
        "base": other_base,
        "answer_ids": column.answer_ids(outcome.chosen & cohort.others),
    }
    # If no agent in a cohort chose an outcome, describe the cohort by what they answered instead.
    rests_on = [(column, (outcome.chosen if count else column.base) & cohort.members)]
    return claim(text, rests_on, count=count, base=base, others=others, **compared.figures(row, place))


def _table_row(compared: Comparison, row: int, place: int) -> dict[str, Any]:
    count, base = int(compared.count[row, place]), int(compared.base[row, place])
    sizes = {"count": count, "base": base, "share": count / base if base else None}
    return {**compared.figures(row, place), **sizes}


def _stack(masks: list[npt.NDArray[np.bool_]], size: int) -> npt.NDArray[np.float64]:
    """Return masks as a matrix of 0 and 1, whose products are exact counts in any order of summation."""
    return np.array(masks, dtype=np.float64).reshape(len(masks), size)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
