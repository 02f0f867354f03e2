"""Benchmarks: human survey results, with the source of each figure."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import pandas as pd

from voxpop.analysis.crosstab import crosstab
from voxpop.errors import UsageError
from voxpop.stats.divergence import distribution
from voxpop.survey.bands import Bands
from voxpop.survey.declaring import provenance_of
from voxpop.vocabulary.nearest import did_you_mean, nearest

TOTAL = ("Total", "Total")
_VALUES = ("share", "percent", "count")


@dataclass(frozen=True, slots=True)
class Human:
    """Answers of one cohort of people: shares (0 to 1) per level, and the number of respondents if known.

    ``total`` is the sum of the given shares before scaling to 1.
    """

    shares: tuple[float, ...]
    n: float | None = None
    holds: tuple[str, ...] = ()
    total: float = 1.0


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Human answers to one question, from :func:`benchmark` or from your own figures.

    Attributes
    ----------
    name, question : str
        Name, and the wording of the question.
    levels : tuple of str
        The answers, in order.
    ordered : bool
        Whether the levels form a scale.
    cohorts : dict
        Answers by (attribute, cohort); ``("Total", "Total")`` is the total.
    population, source, url, fielded : str
        Population, source, where it is published, and field dates.
    seen : {"publisher", "secondary", "given"}
        Where the figures were read: on the publisher's page, in a secondary report, or given by you.
    fitted : bool
        Whether the population or the embedded engine was fitted to, or set in view of, a figure of this
        survey. Agreement is no evidence in this case.
    note : str
        Further notes.
    """

    name: str
    question: str
    levels: tuple[str, ...]
    ordered: bool
    cohorts: Mapping[tuple[str, str], Human]
    population: str = ""
    source: str = "given with the call"
    url: str = ""
    fielded: str = ""
    seen: Literal["publisher", "secondary", "given"] = "given"
    fitted: bool = False
    note: str = ""
    remarks: tuple[str, ...] = ()

    def groups(self) -> tuple[str, ...]:
        """Return the attributes that have cohorts."""
        return tuple(dict.fromkeys(by for by, _ in self.cohorts if by != "Total"))

    def of(self, by: str) -> dict[str, Human]:
        """Return the cohorts of an attribute."""
        return {cohort: held for (group, cohort), held in self.cohorts.items() if group == by}

    def long(self) -> pd.DataFrame:
        """Return one row per cohort and level, with its share from 0 to 1."""
        rows = [
            (by, cohort, level, share, held.n)
            for (by, cohort), held in self.cohorts.items()
            for level, share in zip(self.levels, held.shares, strict=True)
        ]
        return pd.DataFrame(rows, columns=["column_group", "column", "level", "share", "n"])

    def cited(self) -> list[str]:
        """Return sentences about the source and the limitations of the figures."""
        parts = [part for part in (self.source, self.fielded, self.url) if part]
        told = [f"Human figures: {', '.join(parts)}."]
        if self.seen == "secondary":
            told.append("Not verified: these figures were read in a report of the survey, not in itself.")
        if self.fitted:
            told.append(
                "Agents were fitted to this survey, or set with it in view: agreement proves nothing."
            )
        return [*told, *self.remarks, *([self.note] if self.note else [])]


@cache
def _shipped() -> dict[str, Benchmark]:
    folder = files("voxpop.validation") / "toplines"
    rows = list(csv.DictReader((folder / "shares.csv").read_text(encoding="utf-8").splitlines()))
    about = csv.DictReader((folder / "benchmarks.csv").read_text(encoding="utf-8").splitlines())
    return {row["name"]: _made(row, [r for r in rows if r["benchmark"] == row["name"]]) for row in about}


def _made(about: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> Benchmark:
    levels = tuple(dict.fromkeys(row["level"] for row in rows))
    held: dict[tuple[str, str], Human] = {}
    left = 0.0
    for key in dict.fromkeys((row["by"], row["cohort"]) for row in rows):
        own = {row["level"]: row for row in rows if (row["by"], row["cohort"]) == key}
        percents = [float(own[level]["percent"]) for level in levels]
        left = max(left, 100 - sum(percents))
        holds = next(iter(own.values()))["holds"]
        total = key == ("", "")
        held[TOTAL if total else key] = Human(
            tuple(distribution(percents).tolist()),
            float(about["n"]) if total and about["n"] else None,
            tuple(holds.split("|")) if holds else (),
        )
    remarks = []
    derived = sorted({row["level"] for row in rows if row["derived"] == "yes"})
    if derived:
        remarks.append(f"“{derived[0]}” is all the rest, people without an answer included.")
    if left > 1:
        remarks.append(f"Up to {left:g} % gave no such answer and are left out.")
    return Benchmark(
        name=about["name"],
        question=about["question"],
        levels=levels,
        ordered=about["ordered"] == "yes",
        cohorts=held,
        population=about["population"],
        source=about["source"],
        url=about["url"],
        fielded=about["fielded"],
        seen="publisher" if about["seen"] == "publisher" else "secondary",
        fitted=about["fitted"] == "yes",
        note=about["note"],
        remarks=tuple(remarks),
    )


def benchmark(name: str) -> Benchmark:
    """Return a shipped benchmark: a published US topline with its source.

    Parameters
    ----------
    name : str
        A name listed by :func:`voxpop.validation.benchmarks`.

    Raises
    ------
    UsageError
        If the name is unknown; the message has the nearest ones.

    Examples
    --------
    >>> found = benchmark("smartphone_2021")
    >>> found.cohorts["age", "65+"].shares
    (0.61, 0.39)
    """
    held = _shipped()
    if name not in held:
        hint = did_you_mean(nearest(str(name), held)) or f"; there are {', '.join(held)}"
        raise UsageError(f"There is no benchmark {name!r}{hint}")
    return held[name]


def benchmarks() -> pd.DataFrame:
    """List the shipped benchmarks.

    Returns
    -------
    pandas.DataFrame
        One row per benchmark: ``name``, ``question``, ``levels``, ``by`` (attributes with cohorts),
        ``population``, ``source``, ``fielded``, ``n``, ``seen`` (publisher: read on the publisher's own page;
        secondary: in a report, not verified), ``fitted`` (agents were fitted to a figure of it), ``url``,
        ``note``.

    Examples
    --------
    >>> benchmarks().set_index("name").loc["trust_2024", "seen"]
    'secondary'
    """
    return pd.DataFrame(
        [
            {
                "name": held.name,
                "question": held.question,
                "levels": list(held.levels),
                "by": list(held.groups()),
                "population": held.population,
                "source": held.source,
                "fielded": held.fielded,
                "n": held.cohorts[TOTAL].n,
                "seen": held.seen,
                "fitted": held.fitted,
                "url": held.url,
                "note": held.note,
            }
            for held in _shipped().values()
        ]
    )


def read_benchmark(
    given: Any, question: str, by: str | Bands | None, *, weight: str | None, ordered: bool | None
) -> Benchmark:
    """Read a benchmark from any supported form.

    Parameters
    ----------
    given : str, Benchmark, mapping or data
        A shipped benchmark by name; a mapping of level to share or percent; a table with ``level`` and one
        of ``share``, ``percent``, ``count`` (and a column named as ``by``, empty for the total); or
        microdata, one row per person with a column named as the question.
    question, by : str
        The question's column and the attribute of the cohorts.
    weight : str, optional
        Weight column of microdata.
    ordered : bool, optional
        Whether the levels form a scale; by default, whether all of them are numbers.

    Raises
    ------
    UsageError
        If the form is not supported, or the figures are not shares.
    """
    is_table = isinstance(given, pd.DataFrame) and "level" in given and not set(_VALUES).isdisjoint(given)
    if weight is not None and (is_table or isinstance(given, str | Benchmark | Mapping)):
        raise UsageError(f"human_weight={weight!r} needs microdata, and the benchmark has shares.")
    if isinstance(given, str):
        made = benchmark(given)
    elif isinstance(given, Benchmark):
        made = given
    elif isinstance(given, Mapping):
        levels = tuple(_level(level) for level in given)
        made = _own(levels, {TOTAL: _human(list(given.values()), given, "The benchmark")})
    elif is_table:
        made = _from_table(given, by.column if isinstance(by, Bands) else by)
    else:
        made = _from_microdata(given, question, by, weight)
    if ordered is None:
        return made
    return replace(made, ordered=ordered)


def _own(
    levels: tuple[str, ...], cohorts: Mapping[tuple[str, str], Human], source: str = "given with the call"
) -> Benchmark:
    if len({level.casefold() for level in levels}) < len(levels):
        raise UsageError(f"The benchmark has a level twice; its levels are {', '.join(levels)}.")
    numeric = all(level.removeprefix("-").replace(".", "", 1).isdecimal() for level in levels)
    if numeric:  # a numeric scale has its own order
        order = sorted(range(len(levels)), key=lambda place: float(levels[place]))
        levels = tuple(levels[place] for place in order)
        cohorts = {
            key: replace(held, shares=tuple(held.shares[place] for place in order))
            for key, held in cohorts.items()
        }
    worst = max((held.total for held in cohorts.values()), key=lambda total: abs(total - 1), default=1.0)
    scaled = (
        ()
        if abs(worst - 1) <= 0.011
        else (f"Figures that add up to {100 * worst:.0f} % are scaled to 100 %.",)
    )
    return Benchmark("given", "", levels, numeric, cohorts, source=source, remarks=scaled)


def _level(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _human(values: Sequence[Any], kind: Any, what: str) -> Human:
    """Read shares, percentages or counts; counts also give the number of people."""
    try:
        numbers = [float(value) for value in values]
        shares = distribution(numbers)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{what} needs figures of 0 or more, not all 0; it has {list(values)}.") from None
    total = sum(numbers)
    near = [total / whole for whole in (1, 100) if abs(total - whole) <= 0.06 * whole]
    if kind == "count":
        return Human(tuple(shares.tolist()), total)
    if not near:
        raise UsageError(
            f"{what} adds up to {total:g}, neither 1 nor 100; pass counts in a table with a column 'count'."
        )
    return Human(tuple(shares.tolist()), total=near[0])


def _from_table(table: pd.DataFrame, by: str | None) -> Benchmark:
    value = next(name for name in _VALUES if name in table.columns)
    if table.level.isna().any():
        raise UsageError("The benchmark has a row without a level; add the level, or remove the row.")
    levels = tuple(dict.fromkeys(_level(level) for level in table.level))
    keys = table[by] if by is not None and by in table.columns else pd.Series([None] * len(table))
    held: dict[tuple[str, str], Human] = {}
    for cohort in dict.fromkeys(
        None if pd.isna(key) or key in ("", "Total") else _level(key) for key in keys
    ):
        inside = [(None if pd.isna(key) or key in ("", "Total") else _level(key)) == cohort for key in keys]
        own = table[inside]
        if own.level.duplicated().any():
            raise UsageError("The benchmark has a level twice; pass the column of its cohorts with by=.")
        figures = dict(zip(map(_level, own.level), own[value], strict=True))
        key = TOTAL if cohort is None else (str(by), cohort)
        what = "The benchmark" if cohort is None else f"The benchmark's cohort {cohort!r}"
        held[key] = _human([figures.get(level, 0) for level in levels], value, what)
    return _own(levels, held)


def _from_microdata(given: Any, question: str, by: str | Bands | None, weight: str | None) -> Benchmark:
    if (whose := provenance_of(given)) in ("simulated", "mixed"):
        raise UsageError(
            f"The benchmark must be answers of people, not {whose}; pass data of agents as first argument."
        )
    try:
        table = crosstab(given, question, by=by, weight=weight)
    except UsageError as error:
        raise UsageError(f"The benchmark, read as one row per person: {error}") from None
    if table.multiple:
        raise UsageError(f"{question!r} has several answers per person; validate needs one per person.")
    codes = len(table.levels)
    held = {}
    for place, column in enumerate(table.columns):
        counts = table.figures.cells[1, :codes, place]
        if counts.sum() > 0:
            key = TOTAL if column.group == "Total" else (column.group, column.label)
            held[key] = Human(tuple(distribution(counts).tolist()), float(table.figures.bases[2, place]))
    return _own(table.levels, held, table.source or "microdata given with the call")
