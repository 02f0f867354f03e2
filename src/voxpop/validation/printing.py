"""Display of validations: shares of both sides, measures below, and notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from voxpop.analysis.cautions import caution
from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.rounding import one_decimal, whole
from voxpop.analysis.terms import filter_words
from voxpop.survey.provenance import Provenance
from voxpop.validation.validation_data import Compared, ValidationData

_NARROW = (
    "Spread: below 0.8 times that of people is called narrower (answers collapse onto few levels), above "
    "1.25 wider."
)


@dataclass(frozen=True, slots=True)
class Words:
    """Names of the two sides: the benchmark, and the data compared with it."""

    title: str
    benchmark: str
    data: str
    noun: str
    whose: str


_NEUTRAL = Words("Data against a benchmark", "benchmark", "data", "respondents", "data")
_WORDS: Mapping[Provenance, Words] = {
    "simulated": Words(
        "Synthetic agents against people", "human", "synthetic", "agents", "synthetic answers"
    ),
    "human": Words("People against a benchmark", "benchmark", "these people", "people", "answers of people"),
    "mixed": _NEUTRAL,
    "unknown": _NEUTRAL,
}


def words_of(provenance: Provenance) -> Words:
    """Return the names for data of this provenance."""
    return _WORDS[provenance]


def grid_of(held: ValidationData) -> Grid:
    """Lay out a validation: benchmark, data and their difference in points for each cohort."""
    words = words_of(held.provenance)
    heads, groups = [], {"Total": ""}
    for cohort in held.cohorts:
        name = "Total" if cohort.group == "Total" else f"{cohort.group}: {cohort.label}"
        groups[name] = name
        heads += [
            Head(name, words.benchmark, ""),
            Head(name, words.data, cohort.flag),
            Head(name, "diff", ""),
        ]
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
    spread = dict(zip(held.cohorts, held.wide()["collapse"], strict=True))
    lines.append(Line("Spread", _each(held, lambda c: ("", "", spread[c])), "stat"))
    return Grid(held.text, _terms(held), heads, groups, lines, _notes(held, words))


def _each(held: ValidationData, cells: Callable[[Compared], tuple[str, str, str]]) -> list[str]:
    return [cell for cohort in held.cohorts for cell in cells(cohort)]


def _shares(held: ValidationData) -> list[Line]:
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


def _last(held: ValidationData, measure: str, write: Callable[[float], str]) -> list[str]:
    return _each(held, lambda c: ("", "", write(c.measures[measure])))


def _pair(held: ValidationData, human: str, synthetic: str) -> list[str]:
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


def _terms(held: ValidationData) -> str:
    weight, words = held.asked["weight"], words_of(held.provenance)
    told = [
        words.title,
        f"{words.benchmark}: {held.benchmark.population or held.benchmark.source}",
        "% of those with an answer",
        f"{words.noun} weighted by {weight}" if weight else f"{words.noun} unweighted",
        *filter_words(held.asked["where"]),
    ]
    return " · ".join(told)


def _notes(held: ValidationData, words: Words) -> list[str]:
    notes = []
    if any(cohort.flag for cohort in held.cohorts):
        notes.append("** effective base below 30: too small to read")
    if held.benchmark.question:
        notes.append(f"People were asked: “{held.benchmark.question}”")
    notes += held.benchmark.cited()
    notes += held.remarks
    notes.append(
        "Total variation: points of answers that would have to change. Expected by chance: what a simple "
        f"random sample of people as large as these {words.noun} would show on average; a distance far above "
        "it is no noise."
    )
    notes.append(_NARROW)
    between = held.between()
    if between:
        first = "people lie" if words.noun == "agents" else "cohorts of the benchmark lie"
        notes.append(
            f"Between cohorts: {first} {_points(between['human'])} points from their average, "
            f"{words.noun} {_points(between['synthetic'])}"
            + ("." if math.isnan(between["ratio"]) else f" ({between['ratio']:.1f} times as far).")
        )
    if held.source:
        notes.append(f"Source of the {words.whose}: {held.source}.")
    notes.append(
        "Being close on one question says nothing about the next one, nor about another wording, time or "
        "cohort."
    )
    return [*notes, *caution(held.provenance)]
