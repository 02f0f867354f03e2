"""Shared mindsets: answers to different questions that go together."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from voxpop.jobs.contrasts import LEVEL, MIN_BASE
from voxpop.jobs.evidence import SIMULATED, Claim, Evidence, Outcome, claim, outcomes, quoted, share_text
from voxpop.jobs.placeholders import leaving_out
from voxpop.stats.proportions import benjamini_hochberg, two_proportions

MIN_PAIRS = 10
MOST = 6

METHOD = (
    "Pairs of answers are compared by lift: how many times as often the second answer comes with the"
    " first one as it comes overall. They are tested like key segments; pairs on fewer than 30 agents,"
    " or shared by fewer than 10, are left out. That answers go together does not say that one causes"
    " the other."
)


@leaving_out
def shared_mindsets(evidence: Evidence) -> dict[str, Any]:
    """Find pairs of answers to two questions that the same agents give more often than by chance.

    Returns
    -------
    dict
        ``claims``: at most six, one for each pair of questions, clearest first. ``count`` is the number of
        agents who gave both answers (the claim names both answers of each), ``base`` all agents with an
        answer to both questions; ``first`` and ``second`` identify the answers, and ``lift, z, p,
        p_adjusted`` measure the association. ``tests``: the number of pairs tested. ``notes``.
    """
    pairs = [
        pair
        for left, right in combinations(evidence.columns, 2)
        for first in outcomes(left)
        for second in outcomes(right)
        if (pair := _pair(first, second)) is not None
    ]
    held = _that_hold(pairs)
    best: dict[tuple[int, int], dict[str, Any]] = {}
    for pair in sorted(held, key=lambda pair: -round(pair["z"], 9)):
        key = (pair["first"].column.question.id, pair["second"].column.question.id)
        best.setdefault(key, pair)
    claims = [_mindset_claim(pair) for pair in list(best.values())[:MOST]]
    notes = [METHOD, SIMULATED]
    if not claims:
        notes.insert(0, "No two answers occur together significantly more often than by chance.")
    return {"claims": claims, "tests": len(pairs), "notes": notes}


def _pair(first: Outcome, second: Outcome) -> dict[str, Any] | None:
    """Compute the figures of a pair of answers; None if too few agents gave them."""
    both_asked = first.column.base & second.column.base
    with_first = first.chosen & both_asked
    with_second = second.chosen & both_asked
    both = with_first & with_second
    base, count, has_first = (int(np.count_nonzero(mask)) for mask in (both_asked, both, with_first))
    if base < MIN_BASE or count < MIN_PAIRS or not 0 < has_first < base:
        return None
    return {
        "first": first,
        "second": second,
        "both": both,
        "count": count,
        "base": base,
        "has_first": has_first,
        "has_second": int(np.count_nonzero(with_second)),
    }


def _that_hold(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the pairs with a positive association that is significant at the corrected level."""
    count, base, first, second = (
        np.array([pair[name] for pair in pairs], dtype=np.float64)
        for name in ("count", "base", "has_first", "has_second")
    )
    _, z, p = two_proportions(count, first, second - count, base - first)
    adjusted = benjamini_hochberg(p)
    return [
        {**pair, "z": float(z[i]), "p": float(p[i]), "p_adjusted": float(adjusted[i])}
        for i, pair in enumerate(pairs)
        if z[i] > 0 and adjusted[i] < LEVEL
    ]


def _mindset_claim(pair: dict[str, Any]) -> Claim:
    first, second = pair["first"], pair["second"]
    lift = pair["count"] * pair["base"] / (pair["has_first"] * pair["has_second"])
    text = (
        f"Agents who {first.phrase} in {quoted(first.column.question.text, 70)} more often {second.phrase} in"
        f" {quoted(second.column.question.text, 70)}: {share_text(pair['count'], pair['has_first'])} against"
        f" {share_text(pair['has_second'], pair['base'])} of all who answered both."
    )
    sides = [
        {"question_id": side.column.question.id, "outcome": side.label, "count": pair[name]}
        for side, name in ((first, "has_first"), (second, "has_second"))
    ]
    rests_on = [(first.column, pair["both"]), (second.column, pair["both"])]
    tested = {name: pair[name] for name in ("z", "p", "p_adjusted")}
    more = {"first": sides[0], "second": sides[1], "lift": lift, **tested}
    return claim(text, rests_on, count=pair["count"], base=pair["base"], **more)
