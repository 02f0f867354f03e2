"""Validation: comparison of synthetic answers with human ones, including the distance expected by chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from voxpop.analysis.cautions import NOUNS
from voxpop.analysis.columns import open_data
from voxpop.analysis.crosstab import crosstab
from voxpop.analysis.layout import Grid, html_of, text_of
from voxpop.analysis.picture import Picture
from voxpop.analysis.table import Table
from voxpop.engines.basis import NONE
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base
from voxpop.stats.divergence import (
    chance_distance,
    distribution,
    evenness,
    jensen_shannon,
    ks_distance,
    rank_correlation,
    spread,
    total_variation,
)
from voxpop.survey.bands import Bands, bands
from voxpop.validation.benchmarks import TOTAL, Benchmark, Human, read_benchmark
from voxpop.validation.chart import draw
from voxpop.validation.printing import grid_of
from voxpop.validation.validation_data import Compared, Floats, ValidationData
from voxpop.vocabulary.nearest import did_you_mean, nearest


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Validation(ValidationData):
    """The result of :func:`validate`: distances between synthetic and human answers."""

    def caption(self) -> str:
        """Return the caption: the question, and the human question if known."""
        grid = self._grid()
        return "\n".join((grid.title, grid.terms))

    def notes(self) -> list[str]:
        """Return the notes: sources, exclusions, and the limits of the comparison."""
        return list(self._grid().notes)

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def plot(self) -> Picture:
        """Draw human and synthetic shares, one panel per cohort. Needs the extra ``charts``."""
        return draw(self)

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _grid(self) -> Grid:
        return grid_of(self)


def validate(
    data: Any,
    question: str,
    benchmark: Any,
    *,
    by: str | Bands | None = None,
    levels: Mapping[Any, str | None] | None = None,
    cohorts: Mapping[str, str | Sequence[str]] | None = None,
    ordered: bool | None = None,
    weight: str | None = None,
    human_weight: str | None = None,
    where: Any = None,
) -> Validation:
    """Compare synthetic answers with human ones: distances, spread, and the distance expected by chance.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent, for example ``store.respondents(study)``. The data are not modified.
    question : str
        The column of a single-response question.
    benchmark : str, Benchmark, mapping, DataFrame or microdata
        The human answers: a shipped benchmark by name (``vp.benchmarks()`` lists them); a mapping of
        level to share or percent; a table with ``level`` and ``share``, ``percent`` or ``count`` (and
        a column named as ``by``); or microdata, one row per person, with a column named as the question.
    by : str or Bands, optional
        Attribute to compare by, in addition to the total. Ages are cut into the benchmark's bands; ages of
        agents and microdata as in :func:`voxpop.analysis.bands`.
    levels : mapping, optional
        Levels of the benchmark by answer of the agents; several answers may map to one level, None excludes
        one.
    cohorts : mapping, optional
        Levels of ``by`` for each cohort of the benchmark, if their names differ.
    ordered : bool, optional
        Whether the levels form a scale; by default as declared by the benchmark.
    weight, human_weight : str, optional
        Weight columns of the agents, and of microdata.
    where : Filter, dict or bools, optional
        Agents to include: the population that the people represent.

    Returns
    -------
    Validation
        ``.wide()`` has the measures, ``.long()`` the shares; see also ``.between()`` and ``.plot()``.

    Raises
    ------
    UsageError
        If a column, benchmark, level or cohort is unknown (with the nearest names), the question is open or
        multi-response, figures are not shares, or a cohort is empty.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"phone": ["yes"] * 90 + ["no"] * 10})
    >>> found = validate(people, "phone", {"yes": 85, "no": 15})
    >>> found.wide()[["total_variation", "expected_by_chance"]].round(3).values.tolist()
    [[0.05, 0.028]]
    """
    if by is not None and not isinstance(by, str | Bands):
        raise UsageError(
            f"by must be one column or vp.bands, not {by!r}; compare by one attribute at a time."
        )
    human = read_benchmark(benchmark, question, by, weight=human_weight, ordered=ordered)
    wanted: dict[tuple[str, str], Human] = {TOTAL: human.cohorts[TOTAL]} if TOTAL in human.cohorts else {}
    across: list[str | Bands] = []
    group = by.column if isinstance(by, Bands) else by
    if group is not None:
        cohorts_of = _of(human, group)
        wanted |= {(group, label): held for label, held in cohorts_of.items()}
        across = [by if isinstance(by, Bands) else _attribute(group, list(cohorts_of))]
    if not wanted:
        raise UsageError("The benchmark has no total; pass the column of its cohorts with by=.")
    table = crosstab(data, question, by=across or None, weight=weight, where=where)
    if table.multiple:
        raise UsageError(f"{question!r} has several answers per agent; validate needs one per agent.")
    place = _matched(table.levels, human, levels, question)
    holds = _holding(cohorts or {}, [label for of, label in wanted if of == group])
    made = [
        _compared(table, human, key, held, place, holds.get(key[1], held.holds))
        for key, held in wanted.items()
    ]
    asked = {
        "by": by.to_json() if isinstance(by, Bands) else by,
        "levels": None if levels is None else {str(level): to for level, to in levels.items()},
        "cohorts": None if cohorts is None else {name: list(own) for name, own in holds.items()},
        "ordered": human.ordered,
        "weight": weight,
        "human_weight": human_weight,
        "where": table.spec()["where"],
    }
    return Validation(
        question,
        table.text,
        human,
        tuple(made),
        (*_left_out(table, levels, place), *_rests(data, question)),
        table.source,
        asked,
        table.provenance,
    )


def _holding(cohorts: Mapping[str, str | Sequence[str]], known: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read the levels of each cohort of the benchmark."""
    for name in cohorts:
        if name not in known:
            hint = did_you_mean(nearest(str(name), known)) or f"; it has {', '.join(known) or 'none'}"
            raise UsageError(f"The benchmark has no cohort {name!r}{hint}")
    return {name: (own,) if isinstance(own, str) else tuple(own) for name, own in cohorts.items()}


def _of(human: Benchmark, by: str) -> dict[str, Human]:
    held = human.of(by)
    if not held:
        groups = ", ".join(human.groups()) or "no attribute"
        raise UsageError(f"The benchmark {human.name!r} has no cohorts by {by!r}; it has them by {groups}.")
    return held


def _attribute(by: str, labels: Sequence[str]) -> str | Bands:
    """Cut ages into the benchmark's bands: "18-29", "30-49", "65+"."""
    if by != "age":
        return by
    starts, ends = [], []
    for label in labels:
        low, _, high = label.removesuffix("+").partition("-")
        if not low.isdigit() or (high and not high.isdigit()):
            return by
        starts.append(int(low))
        ends += [int(high) + 1] if high else []
    return bands(by, sorted({*starts, *ends}))


def _matched(
    found: Sequence[str], human: Benchmark, levels: Mapping[Any, str | None] | None, question: str
) -> list[int | None]:
    """Return the benchmark's level of each answer of the agents; None for excluded answers."""
    told = {_label(level): to for level, to in (levels or {}).items()}
    folded = {level.casefold(): place for place, level in enumerate(human.levels)}
    for level in told:
        if level not in found:
            hint = did_you_mean(nearest(level, found)) or f"; it has {', '.join(found[:20])}"
            raise UsageError(f"{question!r} has no answer {level!r}{hint}")
    made: list[int | None] = []
    for level in found:
        to = told.get(level, level)
        if to is not None and str(to).casefold() not in folded:
            hint = did_you_mean(nearest(str(to), human.levels))
            raise UsageError(
                f"The answer {level!r} to {question!r} is not a level of the benchmark, which has "
                f"{', '.join(human.levels)}; map it to a level with levels=, or to None to leave it "
                f"out{hint or '.'}"
            )
        made.append(None if to is None else folded[str(to).casefold()])
    return made


def _label(level: Any) -> str:
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


def _compared(
    table: Table,
    human: Benchmark,
    key: tuple[str, str],
    held: Human,
    place: Sequence[int | None],
    holds: tuple[str, ...],
) -> Compared:
    """Compare one cohort."""
    group, label = key
    columns = _columns(table, group, holds or (label,))
    used = [row for row, to in enumerate(place) if to is not None]
    to = [level for level in place if level is not None]
    cells = table.figures.cells[:, used][:, :, columns].sum(axis=2)
    squares = float(table.figures.squares[used][:, columns].sum())
    if not cells[1].sum() > 0:
        cohort = "" if group == "Total" else f" in the cohort {label!r} of {group!r}"
        raise UsageError(f"Nobody gave an answer to {table.name!r} that the benchmark has{cohort}.")
    counts = np.zeros(len(human.levels))
    np.add.at(counts, to, cells[1])
    synthetic = distribution(counts)
    effective = float(effective_base(cells[1].sum(), squares))
    shares = np.array(held.shares)
    measures = _measures(synthetic, shares, human.ordered, effective, held.n)
    return Compared(group, label, int(cells[0].sum()), effective, held.n, synthetic, shares, measures)


def _columns(table: Table, group: str, labels: Sequence[str]) -> list[int]:
    if group == "Total":
        return [0]
    known = {column.label: place for place, column in enumerate(table.columns) if column.group == group}
    for label in labels:
        if label not in known:
            hint = did_you_mean(nearest(label, known)) or f"; it has {', '.join(list(known)[:20])}"
            raise UsageError(
                f"{group!r} has no level {label!r} as in the benchmark; name the levels of its "
                f"cohort in the argument cohorts{hint}"
            )
    return [known[label] for label in labels]


def _measures(
    synthetic: Floats, human: Floats, ordered: bool, effective: float, human_n: float | None
) -> dict[str, float]:
    both = effective if human_n is None else 1 / (1 / effective + 1 / human_n)
    many = human.size >= 3
    sd, human_sd = (spread(shares)[1] if ordered else math.nan for shares in (synthetic, human))
    even, human_even = evenness(synthetic), evenness(human)
    above, below = (sd, human_sd) if ordered else (even, human_even)
    return {
        "total_variation": total_variation(synthetic, human),
        "expected_by_chance": chance_distance(human, both),
        "jensen_shannon": jensen_shannon(synthetic, human),
        "ks": ks_distance(synthetic, human) if ordered else math.nan,
        "rank_correlation": rank_correlation(synthetic, human) if many else math.nan,
        "evenness": even,
        "human_evenness": human_even,
        "sd": sd,
        "human_sd": human_sd,
        "spread_ratio": above / below if below > 0 else math.nan,
    }


def _left_out(
    table: Table, levels: Mapping[Any, str | None] | None, place: Sequence[int | None]
) -> tuple[str, ...]:
    """Return notes on mixed sources, mapped answers and excluded answers."""
    told = [*table.grounds, *table.remarks]
    if levels:
        pairs = [f"{_label(level)} as {to}" for level, to in levels.items() if to is not None]
        if pairs:
            told.append(f"Counted: {'; '.join(pairs)}.")
    out = [level for level, to in zip(table.levels, place, strict=True) if to is None]
    if out:
        told.append(f"Left out: {', '.join(out)}.")
    missing = int(table.figures.missing[0, 0])
    if missing:
        noun = NOUNS[table.provenance]
        told.append(f"{missing:,} {noun} gave no coded answer and are left out.")
    return tuple(told)


def _rests(data: Any, question: str) -> tuple[str, ...]:
    """Return a note on what the answers rest on, if the data tell it of the question."""
    counted = open_data(data)[1].get(question, {}).get("bases") or ()
    if not counted:
        return ()
    kinds = ", ".join(f"{one['kind'] or 'unknown'} {one['answers']:,}" for one in counted)
    guessed = any(one["kind"] == NONE for one in counted)
    more = " Answers that rest on none are placeholders: no figure is known." if guessed else ""
    return (f"What the answers rest on: {kinds}.{more}",)
