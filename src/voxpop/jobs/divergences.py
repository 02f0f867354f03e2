"""Divergences: questions on which opinion is divided, and minority views in open answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from voxpop.jobs.contrasts import MIN_BASE
from voxpop.jobs.evidence import (
    SIMULATED,
    Claim,
    Column,
    Evidence,
    Mask,
    Outcome,
    claim,
    number_text,
    outcomes,
    quoted,
    scale_ends,
    share_text,
)
from voxpop.jobs.placeholders import leaving_out
from voxpop.jobs.quoting import minority_words
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, INTEGER, NUMBER

LEAST_ANSWERS = 10
EVEN = 0.4
CLOSE = 0.1
END = 0.25

RULES = (
    "Opinion counts as divided when each side of a question holds 40% or more, when the first two"
    " options are within 10 points, when both ends of a scale hold a quarter, or when the upper"
    " quarter of a number starts at twice the lower one. A minority view is a word that 3 to 20% of"
    " the open answers use."
)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a divided question: ``says`` follows "62% (…)"."""

    label: str
    says: str
    chosen: Mask

    @property
    def count(self) -> int:
        """Number of agents on this side."""
        return int(np.count_nonzero(self.chosen))


@leaving_out
def divergences(evidence: Evidence) -> dict[str, Any]:
    """Find the questions on which opinion is divided.

    Returns
    -------
    dict
        ``claims``: divided questions first, the most evenly divided one at the top; ``count`` is the number
        of agents on both sides, and ``sides`` holds each with its own ``answer_ids``. Then minority views of
        open questions, with ``word``. ``notes``.
    """
    divided = [claim for column in evidence.columns if (claim := _divided(column)) is not None]
    divided.sort(key=lambda found: -min(side["count"] for side in found["sides"]) / found["base"])
    spoken = [column for column in evidence.columns if not column.question.shape.coded]
    minority = [claim for column in spoken for claim in _minority(column)]
    notes = [RULES, SIMULATED]
    if not divided and not minority:
        notes.insert(0, "Opinion is not clearly divided on any question.")
    return {"claims": divided + minority, "notes": notes}


def _divided(column: Column) -> Claim | None:
    if column.size < LEAST_ANSWERS:
        return None
    shape = column.question.shape
    if shape is INTEGER:
        sides = _scale_sides(column)
    elif shape is NUMBER:
        sides = _number_sides(column)
    else:
        sides = _choice_sides(column, outcomes(column))
    if sides is None:
        return None
    one, two = sides
    base = column.size
    text = (
        f"{quoted(column.question.text)} divides the agents: {share_text(one.count, base)} {one.says},"
        f" {share_text(two.count, base)} {two.says}."
    )
    listed = [
        {
            "label": side.label,
            "count": side.count,
            "share": side.count / base,
            "answer_ids": column.answer_ids(side.chosen),
        }
        for side in sides
    ]
    rests_on = [(column, one.chosen | two.chosen)]
    flag = "**" if base < MIN_BASE else ""
    return claim(text, rests_on, count=one.count + two.count, base=base, sides=listed, flag=flag)


def _side(outcome: Outcome) -> Side:
    return Side(outcome.label, outcome.phrase, outcome.chosen)


def _choice_sides(column: Column, found: list[Outcome]) -> tuple[Side, Side] | None:
    shape, base = column.question.shape, column.size
    if len(found) < 2:
        return None
    if shape is CATEGORIES:
        nearest = min(found, key=lambda outcome: abs(2 * outcome.count - base))
        label = quoted(nearest.label, 60)
        without = Side(f"not {nearest.label}", f"do not name {label}", column.base & ~nearest.chosen)
        sides = _side(nearest), without
        return sides if min(side.count for side in sides) >= EVEN * base else None
    first, second = sorted(found, key=lambda outcome: -outcome.count)[:2]
    even = second.count >= EVEN * base
    close = shape is not BOOLEAN and first.count - second.count <= CLOSE * base and second.count >= END * base
    return (_side(first), _side(second)) if even or close else None


def _scale_sides(column: Column) -> tuple[Side, Side] | None:
    low, high = scale_ends(column.question)
    third = (high - low) / 3
    lower = column.where(value is not None and value <= low + third for value in column.values)
    upper = column.where(value is not None and value >= high - third for value in column.values)
    sides = (
        Side("lower end", f"are at its lower end ({low} to {int(low + third)})", lower),
        Side("upper end", f"at its upper end ({high - int(third)} to {high})", upper),
    )
    return sides if min(side.count for side in sides) >= END * column.size else None


def _number_sides(column: Column) -> tuple[Side, Side] | None:
    unit = column.question.unit
    low, high = (
        float(cut)
        for cut in np.quantile([float(value) for value in column.values if value is not None], [0.25, 0.75])
    )
    if low <= 0 or high < 2 * low:
        return None
    lower = column.where(value is not None and value <= low for value in column.values)
    upper = column.where(value is not None and value >= high for value in column.values)
    below, above = number_text(low, unit), number_text(high, unit)
    return (
        Side(f"{below} or less", f"say {below} or less", lower),
        Side(f"{above} or more", f"say {above} or more", upper),
    )


def _minority(column: Column) -> list[Claim]:
    if column.size < LEAST_ANSWERS:
        return []
    common, rare = minority_words(column)
    if common is None:
        return []
    base = column.size
    most = f"the commonest is “{common.text}”, with {share_text(common.count, base)}"
    return [
        claim(
            f"{quoted(column.question.text)}: a smaller group, {share_text(word.count, base)}, uses the word"
            f" “{word.text}”; {most}.",
            [(column, word.used)],
            count=word.count,
            base=base,
            word=word.text,
            most_used={"word": common.text, "count": common.count},
            flag="**" if base < MIN_BASE else "",
        )
        for word in rare
    ]
