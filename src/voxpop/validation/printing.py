"""A validation laid out for print: human beside synthetic shares, the measures below, honest notes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.printing import filter_words
from voxpop.analysis.rounding import one_decimal, whole

if TYPE_CHECKING:
    from voxpop.validation.validating import Compared, Validation

_NARROW = (
    "Spread: below 0.8 times that of people is called narrower (answers collapse onto few levels), above "
    "1.25 wider."
)


def grid_of(held: Validation, standing: str) -> Grid:
    """Lay a validation out: each cohort with human, synthetic and their difference in points."""
    heads, groups = [], {"Total": ""}
    for cohort in held.cohorts:
        name = "Total" if cohort.group == "Total" else f"{cohort.group}: {cohort.label}"
        groups[name] = name
        heads += [Head(name, "human", ""), Head(name, "synthetic", cohort.flag), Head(name, "diff", "")]
    lines = [
        Line("Base", _each(held, lambda c: (_count(c.human_n), whole(c.base), "")), "base"),
        *_shares(held),
        Line("Total variation", _last(held, "total_variation", _points), "stat"),
        Line("– expected by chance", _last(held, "expected_by_chance", _points), "stat"),
        Line("Jensen-Shannon (bits)", _last(held, "jensen_shannon", _three), "stat"),
    ]
    if held.benchmark.ordered:
        lines.append(Line("Kolmogorov-Smirnov", _last(held, "ks", _points), "stat"))
    if len(held.benchmark.levels) >= 3:
        lines.append(Line("Rank correlation", _last(held, "rank_correlation", _two), "stat"))
    lines.append(Line("Evenness (0 to 1)", _pair(held, "human_evenness", "evenness"), "stat"))
    if held.benchmark.ordered:
        lines.append(Line("SD (steps)", _pair(held, "human_sd", "sd"), "stat"))
    words = dict(zip(held.cohorts, held.wide()["collapse"], strict=True))
    lines.append(Line("Spread", _each(held, lambda c: ("", "", words[c])), "stat"))
    return Grid(held.text, _terms(held), heads, groups, lines, _notes(held, standing))


def _each(held: Validation, cells: Callable[[Compared], tuple[str, str, str]]) -> list[str]:
    return [cell for cohort in held.cohorts for cell in cells(cohort)]


def _shares(held: Validation) -> list[Line]:
    return [
        Line(
            level,
            _each(
                held,
                lambda c, place=place: (  # type: ignore[misc]
                    one_decimal(100 * c.human[place]),
                    one_decimal(100 * c.synthetic[place]),
                    _signed(100 * (c.synthetic[place] - c.human[place])),
                ),
            ),
            "code",
        )
        for place, level in enumerate(held.benchmark.levels)
    ]


def _last(held: Validation, measure: str, write: Callable[[float], str]) -> list[str]:
    return _each(held, lambda c: ("", "", write(c.measures[measure])))


def _pair(held: Validation, human: str, synthetic: str) -> list[str]:
    return _each(held, lambda c: (_two(c.measures[human]), _two(c.measures[synthetic]), ""))


def _count(n: float | None) -> str:
    return "" if n is None else whole(n)


def _points(value: float) -> str:
    return "" if math.isnan(value) else one_decimal(100 * value)


def _two(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def _three(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _signed(value: float) -> str:
    text = one_decimal(abs(value))
    return text if text == "0.0" else f"{'+' if value > 0 else '−'}{text}"


def _terms(held: Validation) -> str:
    weight = held.asked["weight"]
    told = [
        "Synthetic agents against people",
        f"human: {held.benchmark.population or held.benchmark.source}",
        "% of those with an answer",
        f"agents weighted by {weight}" if weight else "agents unweighted",
        *filter_words(held.asked["where"]),
    ]
    return " · ".join(told)


def _notes(held: Validation, standing: str) -> list[str]:
    notes = []
    if any(cohort.flag for cohort in held.cohorts):
        notes.append("** effective base below 30: too small to read")
    if held.benchmark.question:
        notes.append(f"People were asked: “{held.benchmark.question}”")
    notes += held.benchmark.cited()
    notes += held.remarks
    notes.append(
        "Total variation: points of answers that would have to change. Expected by chance: what a simple "
        "random sample of people as large as these agents would show on average; a distance far above it is "
        "no noise."
    )
    notes.append(_NARROW)
    between = held.between()
    if between:
        notes.append(
            f"Between cohorts: people lie {_points(between['human'])} points from their average, agents "
            f"{_points(between['synthetic'])}"
            + ("." if math.isnan(between["ratio"]) else f" ({between['ratio']:.1f} times as far).")
        )
    if held.source:
        notes.append(f"Source of the synthetic answers: {held.source}.")
    notes.append(
        "Being close on one question says nothing about the next one, nor about another wording, time or "
        "cohort."
    )
    return [*notes, standing]
