"""Stacking surveys, such as waves, with a report of what did not match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import duckdb
import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.survey.design import Design
from voxpop.survey.provenance import PROVENANCE_COLUMN
from voxpop.survey.relations import relation_of
from voxpop.survey.sql import enum, literal, quote
from voxpop.survey.survey import Survey
from voxpop.survey.variables import Variable, variables_of

Differing = Literal["raise", "drop"]

_FEW_LEVELS = 50
"""Most values of a text that are taken for levels, beside a survey that has levels."""


def stack(
    surveys: Sequence[Survey] | Mapping[str, Survey], by: str = "wave", *, differing: Differing = "raise"
) -> Survey:
    """Put surveys one below the other, such as waves of a tracker.

    Parameters
    ----------
    surveys : list or dict of Survey
        The surveys, in order; a dict names them, else their own names do.
    by : str, default "wave"
        Name of the variable that tells them apart.
    differing : {"raise", "drop"}, default "raise"
        What to do with variables that are of another kind in another survey, such as a number here and text
        there: an error that lists them, or leave them out.

    Returns
    -------
    Survey
        All variables, missing where a survey lacks them. Levels are those of all surveys, in order. ``notes``
        tells what did not match: variables, levels, codes, wordings, designs. Of surveys of people and of
        agents each row keeps who answered.

    Raises
    ------
    UsageError
        Names repeat, or variables differ in kind.

    Examples
    --------
    >>> import pandas as pd, voxpop as vp
    >>> one = vp.data(pd.DataFrame({"q": ["yes", "no"]}), name="spring")
    >>> two = vp.data(pd.DataFrame({"q": ["maybe"], "new": [1]}), name="autumn")
    >>> both = stack([one, two])
    >>> both.value_counts("wave").to_dict(), both.notes
    ({'spring': 2, 'autumn': 1}, ('new: not in spring.',))
    """
    parts = _named(surveys)
    if differing not in ("raise", "drop"):
        raise UsageError(f"differing must be raise or drop, not {differing!r}.")
    for name, one in parts.items():
        if by in one.variables:
            raise UsageError(f"stack: {name} already has a variable {by!r}; choose another name with by=.")
    notes: list[str] = []
    variables = _merged(parts, differing, notes)
    design = _design(parts, notes)
    origins = {one.provenance for one in parts.values()}
    if len(origins) > 1:
        variables.pop(PROVENANCE_COLUMN, None)
    rows = _rows(parts, variables, by, mark=len(origins) > 1)
    wave = Variable(by, by.capitalize(), "category", tuple(parts), ordered=True)
    sizes = ", ".join(f"{name} {len(one):,}" for name, one in parts.items())
    return Survey(
        rows,
        variables_of(rows, known={**variables, by: wave}).values(),
        design=design,
        provenance=None if len(origins) > 1 else origins.pop(),
        name=" + ".join(parts),
        source="; ".join(dict.fromkeys(one.source for one in parts.values() if one.source)),
        notes=notes,
        steps=(*_steps(parts), f"Stacked by {by}: {sizes} rows."),
    )


def _named(surveys: Any) -> dict[str, Survey]:
    """Return surveys by name."""
    given = list(surveys.items()) if isinstance(surveys, Mapping) else [(None, one) for one in surveys]
    if len(given) < 2:
        raise UsageError("stack takes two surveys or more.")
    made: dict[str, Survey] = {}
    for name, one in given:
        if not isinstance(one, Survey):
            raise UsageError(f"stack takes surveys: vp.data(...), not {type(one).__name__}.")
        called = str(one.name if name is None else name)
        if called in made:
            raise UsageError(
                f"stack: two surveys are named {called!r}; name them: "
                'vp.stack({"spring": wave1, "autumn": wave2}).'
            )
        made[called] = one
    return made


def _merged(parts: Mapping[str, Survey], differing: str, notes: list[str]) -> dict[str, Variable]:
    """Return each variable as that of all surveys, and note what did not match."""
    names = list(dict.fromkeys(name for one in parts.values() for name in one.variables))
    cased: dict[str, str] = {}
    for name in names:
        if (other := cased.setdefault(name.casefold(), name)) != name:
            raise UsageError(
                f"stack: {other!r} and {name!r} differ in upper and lower case alone; rename one."
            )
    made: dict[str, Variable] = {}
    wrong = []
    for name in names:
        held = {part: one.variables[name] for part, one in parts.items() if name in one.variables}
        if {one.kind for one in held.values()} == {"category", "text"}:
            held = {part: _as_levels(parts[part], one) for part, one in held.items()}
        if len({_sort_of(one) for one in held.values()}) > 1:
            wrong.append(f"{name} ({', '.join(f'{one.kind} in {part}' for part, one in held.items())})")
            continue
        if absent := [part for part in parts if part not in held]:
            notes.append(f"{name}: not in {', '.join(absent)}.")
        made[name] = _union(name, held, notes)
    if wrong and differing == "raise":
        raise UsageError(
            f"stack: of different kinds: {'; '.join(wrong)}. Make them alike with recode or derive, or leave "
            'them out with differing="drop".'
        )
    notes += [f"Left out, of different kinds: {one}." for one in wrong]
    return made


def _as_levels(survey: Survey, one: Variable) -> Variable:
    """Return a text with few values as one with levels, beside which another survey has levels."""
    if one.kind != "text":
        return one
    column = survey.relation.project(quote(one.name)).distinct().limit(_FEW_LEVELS + 2)
    found = sorted(text for (text,) in column.fetchall() if text is not None)
    return one if len(found) > _FEW_LEVELS else replace(one, kind="category", levels=tuple(found))


def _sort_of(one: Variable) -> str:
    return "text" if one.kind in ("category", "text") else one.kind


def _union(name: str, held: Mapping[str, Variable], notes: list[str]) -> Variable:
    """Return a variable with the levels of all surveys."""
    (first, one), *others = held.items()
    levels = dict.fromkeys(one.levels)
    codes: dict[Any, str] | None = dict(one.codes)
    for part, other in others:
        new = [level for level in other.levels if level not in levels]
        gone = [level for level in one.levels if level not in other.levels]
        if new and one.levels:
            notes.append(f"{name}: {_shown(new)} only in {part}.")
        if gone and other.levels:
            notes.append(f"{name}: {_shown(gone)} not in {part}.")
        if other.label != one.label and other.label and one.label:
            notes.append(f"{name}: other words in {part}: {other.label!r} instead of {one.label!r}.")
        levels |= dict.fromkeys(other.levels)
        if codes is not None and other.codes:
            clash = [code for code, text in other.codes.items() if codes.get(code, text) != text]
            if clash:
                code = clash[0]
                notes.append(
                    f"{name}: the code {code} is {codes[code]!r} in {first} and {other.codes[code]!r} in "
                    f"{part}; answers are matched by label."
                )
                codes = None
            else:
                codes |= dict(other.codes)
    category = any(each.kind == "category" for each in held.values())
    plain = any(each.kind == "text" for each in held.values())
    every = tuple(levels) if not plain else ()
    return replace(
        one,
        kind="text" if plain else "category" if category else one.kind,
        levels=every,
        codes=dict(sorted(codes.items(), key=lambda pair: str(pair[0]))) if codes and plain else codes or {},
        ordered=one.ordered and all(each.levels == one.levels for each in held.values()),
        lost=_summed(held.values()),
    )


def _summed(held: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in held:
        for text, count in one.lost.items():
            total[text] = total.get(text, 0) + count
    return total


def _shown(levels: Sequence[str]) -> str:
    more = f" and {len(levels) - 3} more" if len(levels) > 3 else ""
    return ", ".join(map(repr, levels[:3])) + more


def _design(parts: Mapping[str, Survey], notes: list[str]) -> Design:
    """Return the design if all surveys have the same."""
    designs = [one.design for one in parts.values()]
    if all(one == designs[0] for one in designs):
        return designs[0]
    told = "; ".join(f"{name} {one.design.words()}" for name, one in parts.items())
    notes.append(
        f"The designs differ ({told}), so the whole has none; name one with vp.data(stacked, weight=...)."
    )
    return Design()


def _rows(parts: Mapping[str, Survey], variables: Mapping[str, Variable], by: str, *, mark: bool) -> Any:
    """Return all rows with the same columns; in DuckDB if all come from one connection."""
    pieces = []
    for name, one in parts.items():
        columns = [f"{literal(name)} AS {quote(by)}"]
        if mark:
            who = one.provenance
            columns.append(_origin(one, who))
        columns += [_column(one, variable) for variable in variables.values()]
        pieces.append(one.relation.project(", ".join(columns)))
    try:
        rows = pieces[0]
        for piece in pieces[1:]:
            rows = rows.union(piece)
    except duckdb.InvalidInputException:  # of several connections
        tables = [piece.to_arrow_table() for piece in pieces]
        rows = relation_of(pa.concat_tables(tables, promote_options="permissive"))
    casts = [f"{quote(by)}::{enum(parts)} AS {quote(by)}"]
    casts += [
        f"{quote(name)}::{enum(one.levels)} AS {quote(name)}"
        for name, one in variables.items()
        if one.kind == "category" and one.levels
    ]
    return rows.project(f"* REPLACE ({', '.join(casts)})")


def _origin(one: Survey, who: str) -> str:
    if PROVENANCE_COLUMN in one.variables:
        return f"{PROVENANCE_COLUMN}::VARCHAR AS {PROVENANCE_COLUMN}"
    told = literal(who) if who in ("human", "simulated") else "NULL::VARCHAR"
    return f"{told} AS {PROVENANCE_COLUMN}"


def _column(one: Survey, variable: Variable) -> str:
    name = quote(variable.name)
    if variable.name not in one.variables:
        return f"NULL AS {name}"
    return f"{name}::VARCHAR AS {name}" if variable.kind in ("category", "text") else name


def _steps(parts: Mapping[str, Survey]) -> list[str]:
    return [f"{name}: {step}" for name, one in parts.items() for step in one.steps]
