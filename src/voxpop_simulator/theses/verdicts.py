"""The verdict on a thesis, computed from the answers of its panels alone.

**Direction.** In each panel's decisive question (``change``, or ``outlook`` for the future), ``a`` answers
agree with the direction of the thesis and ``b`` oppose it. The share ``a / (a + b)`` has a 95 % Wilson
interval: completely above one half, the panel supports the thesis; completely below, it contradicts it;
otherwise it is undecided. "X does not fall" is tested as "X rises". For "X stays the same", the share of
"about the same" among all answers decides; the thesis is contradicted if the answers that report a change
clearly lean to one side. Panels with fewer than five coded answers are undecided.

**Driver.** The option for the primary driver is refuted if its Wilson interval is completely below that of
the most frequent reason.

**Support.** ``mixed`` if panels contradict each other, or if the direction is supported and the driver is
refuted; otherwise ``supports`` or ``contradicts`` if any panel is decided; otherwise ``inconclusive``.

**Confidence.** With ``z = (a - b) / sqrt(a + b)`` of each panel, ``Z`` the sum of z over the square root of
the number of panels (Stouffer's method) and ``n`` the number of decisive answers: ``(2 Φ(|Z|) - 1) · n / (n +
20)``, halved if the verdict is mixed or inconclusive. It is 0 for evenly split answers, at most 0.5 with 20
answers, and always below 1. It measures how clearly *these answers* lean, not how likely the thesis is to be
true: the agents are simulated.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from voxpop.engines.composition import EXPERT_CALL, Composition, Panel, PanelAnswer, PanelPlan, Verdict
from voxpop.stats import wilson
from voxpop_simulator.theses.thesis_questions import CHANGES, FOR_EXPERTS, HIGHER, LOWER

FEWEST = 5
"""Minimum number of coded answers for a decided panel."""
SMALL_BASE = 30
"""Number of coded answers below which a headline mentions the small base."""
_HALF_WEIGHT = 20
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class _Count:
    """Decisive answers of a panel."""

    ids: tuple[int, ...]
    lower: int
    same: int
    higher: int

    @property
    def base(self) -> int:
        return self.lower + self.same + self.higher

    def told(self, who: str) -> str:
        """Return the counts as a sentence."""
        return (
            f"Of {self.base:,} {who}, {self.lower:,} say lower, {self.higher:,} say higher and "
            f"{self.same:,} say "
            "about the same."
        )

    def parts(self, claimed: str) -> tuple[int, int]:
        """Return the number of answers for the claim, and the number against it."""
        if claimed == "same":
            return self.same, self.lower + self.higher
        up = claimed in ("up", "not_down")
        return (self.higher, self.lower) if up else (self.lower, self.higher)


def headline(plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
    """Return the result of a panel in one or two sentences, including its base.

    Examples
    --------
    >>> plan = PanelPlan("channel_check", "US adults", None, 3, (), "Starbucks", "down")
    >>> said = ("Much lower", "Somewhat lower", "About the same")
    >>> headline(plan, [PanelAnswer(at, "change", at, value, value) for at, value in enumerate(said)])
    'Starbucks: 67% say lower and 0% higher than 12 months ago, 33% about the same (n = 3, a small base).'
    """
    count = _counted(plan, answers)
    if not count.base:
        return f"{_capital(plan.subject)}: no answers to count (n = 0)."
    small = ", a small base" if count.base < SMALL_BASE else ""
    said, when = _spoken(plan)
    told = (
        f"{_capital(plan.subject)}: {_share(count.lower, count.base)} {said} lower and "
        f"{_share(count.higher, count.base)} higher {when}, {_share(count.same, count.base)} about the same "
        f"(n = {count.base:,}{small})."
    )
    reasons = _reasons([(plan, answers)])
    if reasons:
        (name, most), base = reasons.most_common(1)[0], reasons.total()
        told += f' Named most often as the reason: "{name}" ({_share(most, base)}, n = {base:,}).'
    return told


def verdict(composition: Composition, panels: Sequence[Panel]) -> Verdict:
    """Return the verdict on a thesis from the answers of its panels.

    Parameters
    ----------
    composition : Composition
        The thesis; only its wording is used.
    panels : sequence of (PanelPlan, sequence of PanelAnswer)
        Each panel with its answers; answers to unknown questions are ignored.
    """
    counts = [(plan, _counted(plan, answers)) for plan, answers in panels]
    outcomes = {outcome for plan, count in counts if (outcome := _outcome(plan, count)) != "inconclusive"}
    refuted = _refuted(panels)
    if outcomes == {"supports"}:
        support = "mixed" if refuted else "supports"
    elif outcomes:
        support = "contradicts" if outcomes == {"contradicts"} else "mixed"
    else:
        support = "inconclusive"
    evidence = [_direction_claim(plan, count) for plan, count in counts if count.base]
    evidence += [_rival_claim(plan, answers) for plan, answers in panels if _of(answers, "rival_change")]
    evidence += _driver_claim(composition, panels)
    evidence += [claim for plan, answers in panels for claim in _quote(plan, answers)]
    return Verdict(support, _confidence(counts, support), tuple(evidence))


def _of(answers: Sequence[PanelAnswer], key: str) -> list[PanelAnswer]:
    return [answer for answer in answers if answer.key == key]


def _counted(plan: PanelPlan, answers: Sequence[PanelAnswer], key: str = "") -> _Count:
    coded = [answer for answer in _of(answers, key or plan.decisive) if answer.value in CHANGES]
    values = Counter(answer.value for answer in coded)
    lower, higher = (sum(values[value] for value in side) for side in (LOWER, HIGHER))
    return _Count(tuple(answer.id for answer in coded), lower, values[CHANGES[2]], higher)


def _interval(part: int, base: int) -> tuple[float, float]:
    low, high = wilson(part / base, base)
    return float(low), float(high)


def _outcome(plan: PanelPlan, count: _Count) -> str:
    """Return supports, contradicts or inconclusive for one panel."""
    if count.base < FEWEST:
        return "inconclusive"
    if plan.claimed == "same":
        moved = _side(count.higher, count.lower)
        return "contradicts" if moved else "supports" if _side(*count.parts("same")) > 0 else "inconclusive"
    return {1: "supports", -1: "contradicts"}.get(_side(*count.parts(plan.claimed)), "inconclusive")


def _side(one: int, other: int) -> int:
    """Return 1 or -1 if the interval of a share is completely on one side of one half, else 0."""
    if not one + other:
        return 0
    low, high = _interval(one, one + other)
    return 1 if low > _HALF else -1 if high < _HALF else 0


def _confidence(counts: Sequence[tuple[PanelPlan, _Count]], support: str) -> float:
    scores = []
    for plan, count in counts:
        one, other = count.parts(plan.claimed)
        if one + other:
            scores.append((one - other) / math.sqrt(one + other))
    base = sum(count.base for _, count in counts)
    if not scores:
        return 0.0
    certain = 2 * NormalDist().cdf(abs(math.fsum(scores)) / math.sqrt(len(scores))) - 1
    decided = 1.0 if support in ("supports", "contradicts") else _HALF
    return round(certain * base / (base + _HALF_WEIGHT) * decided, 2)


def _reasons(panels: Sequence[Panel]) -> Counter[str]:
    """Return the number of mentions of each reason, in the wording of the first panel."""
    return Counter(
        answer.value
        for _, answers in panels
        for answer in _of(answers, "reason")
        if isinstance(answer.value, str)
    )


def _with_driver(panels: Sequence[Panel]) -> tuple[Counter[str], int, list[int]]:
    """Return the reasons of all panels, the mentions of the primary driver, and the answer ids."""
    named: Counter[str] = Counter()
    driver, ids = 0, []
    for plan, answers in panels:
        if not plan.driver:
            continue
        coded = [answer for answer in _of(answers, "reason") if isinstance(answer.value, str)]
        ids += [answer.id for answer in coded]
        driver += sum(answer.value == plan.driver for answer in coded)
        others = (answer.value for answer in coded if answer.value != plan.driver)
        named.update(FOR_EXPERTS.get(value, value) for value in others)  # both wordings are one reason
    return named, driver, ids


def _refuted(panels: Sequence[Panel]) -> bool:
    others, driver, ids = _with_driver(panels)
    if len(ids) < FEWEST or not others:
        return False
    most = others.most_common(1)[0][1]
    return _interval(driver, len(ids))[1] < _interval(most, len(ids))[0]


def _direction_claim(plan: PanelPlan, count: _Count) -> dict[str, Any]:
    who = "people who see the market at work" if plan.kind == EXPERT_CALL else "people asked"
    claim = f"{_asked(plan, plan.decisive)}{count.told(who)}"
    one, other = count.parts(plan.claimed)
    if one + other:
        low, high = _interval(one, one + other)
        of = "them" if plan.claimed == "same" else f"the {one + other:,} who see a change"
        way = "see none" if plan.claimed == "same" else "see it as the thesis says"
        claim += f" Of {of}, {_share(one, one + other)} {way} (95% interval {low:.0%} to {high:.0%})."
    if count.base < FEWEST:
        claim += " That is too few to decide anything."
    return {"claim": claim, "answer_ids": list(count.ids)}


def _spoken(plan: PanelPlan) -> tuple[str, str]:
    if plan.decisive == "outlook":
        return "expect", "over the next 12 months"
    return "say", "than 12 months ago"


def _rival_claim(plan: PanelPlan, answers: Sequence[PanelAnswer]) -> dict[str, Any]:
    count = _counted(plan, answers, "rival_change")
    claim = f"{_asked(plan, 'rival_change')}{count.told('people asked')}"
    return {"claim": claim, "answer_ids": list(count.ids)}


def _asked(plan: PanelPlan, key: str) -> str:
    """Return a panel question, to precede its results."""
    return next((f"{question.text} " for question in plan.questions if question.key == key), "")


def _driver_claim(composition: Composition, panels: Sequence[Panel]) -> list[dict[str, Any]]:
    others, driver, ids = _with_driver(panels)
    if not ids:
        return []
    name = next(plan.driver for plan, _ in panels if plan.driver)
    low, high = _interval(driver, len(ids))
    claim = (
        f'Of {len(ids):,} answers on reasons, {driver:,} name "{name}" ({_share(driver, len(ids))}, '
        f"95% interval {low:.0%} to {high:.0%})"
    )
    top, most = others.most_common(1)[0] if others else ("", 0)
    if driver >= most:
        claim += "; none is named more often."
    else:
        claim += f'; "{top}" is named most often ({_share(most, len(ids))}).'
    if composition.primary_driver and composition.primary_driver.casefold() != name.casefold():
        claim += f' The option stands for "{composition.primary_driver}".'
    return [{"claim": claim, "answer_ids": ids}]


def _quote(plan: PanelPlan, answers: Sequence[PanelAnswer]) -> list[dict[str, Any]]:
    """Return one answer in words from each side of a panel."""
    lower, higher = "sees it lower", "sees it higher"
    found = []
    for side, told in ((LOWER, lower), (HIGHER, higher)):
        agents = {answer.agent_id for answer in _of(answers, plan.decisive) if answer.value in side}
        said = [answer for answer in _of(answers, "why") if answer.agent_id in agents and answer.text.strip()]
        if said:
            one = min(said, key=lambda answer: answer.id)
            claim = f"{_capital(plan.subject)}: somebody who {told} says: “{one.text.strip()}”"
            found.append({"claim": claim, "answer_ids": [one.id]})
    return found


def _share(part: int, base: int) -> str:
    return f"{part / base:.0%}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:] if words[1:2].islower() or not words[1:2].isalpha() else words
