"""New variables from others: recodes, nets, bands and expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from voxpop.errors import UsageError
from voxpop.survey.bands import Bands, bands
from voxpop.survey.choosing import Rule, places_of
from voxpop.survey.expressions import checked_expression
from voxpop.survey.frame_columns import label_of
from voxpop.survey.sql import enum, literal, quote, value
from voxpop.survey.variables import Variable, is_numeric, kind_of, variables_of
from voxpop.vocabulary.conditions import AnyOf, Between
from voxpop.vocabulary.nearest import did_you_mean, nearest

KEEP = "keep"

Prepared = tuple[duckdb.DuckDBPyRelation, Variable, str]
"""Rows with a variable added or replaced, the variable, and the step in words."""


def recoded(
    rows: duckdb.DuckDBPyRelation,
    held: Variable,
    groups: Mapping[str, Any],
    into: str | None,
    label: str | None,
    rest: str | None,
) -> Prepared:
    """Merge levels, or values of a number, into new levels."""
    if not isinstance(groups, Mapping) or not groups:
        raise UsageError(
            f'recode of {held.name!r} takes new levels, such as {{"Agree": ["agree", "agree fully"]}}.'
        )
    if held.kind == "several":
        raise UsageError(f"{held.name!r} has several answers per respondent; combine them with nets.")
    column = quote(held.name)
    kind = rows.types[rows.columns.index(held.name)]
    levels, raws = levels_of(rows, held, kind)
    taken: dict[int, str] = {}
    conditions = []
    for new, wanted in groups.items():
        parts, places = _members(held, kind, wanted, levels, raws, str(new))
        for place in places:
            if (other := taken.setdefault(place, str(new))) != str(new):
                raise UsageError(
                    f"recode: {levels[place]!r} of {held.name!r} is in {other!r} and in {str(new)!r}."
                )
        conditions.append((str(new), " OR ".join(parts)))
    order = _order(levels, taken, [str(new) for new in groups], rest)
    whens = " ".join(f"WHEN {test} THEN {literal(new)}" for new, test in conditions)
    text = (
        f"{column}::VARCHAR"
        if kind.id != "boolean"
        else f"CASE WHEN {column} THEN 'yes' WHEN NOT {column} THEN 'no' END"
    )
    other = (
        text
        if rest == KEEP
        else "NULL"
        if rest is None
        else f"CASE WHEN {column} IS NOT NULL THEN {literal(rest)} END"
    )
    if rest == KEEP and is_numeric(kind):
        shown = " ".join(
            f"WHEN {value(raw)} THEN {literal(one)}" for one, raw in zip(levels, raws, strict=True)
        )
        other = f"CASE {column} {shown} END" if shown else "NULL"
    sql = f"(CASE {whens} ELSE {other} END)::{enum(order)}"
    ordered = held.ordered and _is_monotone(levels, taken, order)
    made = Variable(into or held.name, label or held.label, "category", tuple(order), ordered=ordered)
    told = "; ".join(f"{new} = {_listed(wanted)}" for new, wanted in groups.items())
    left = {KEEP: "others as they are", None: "others missing"}.get(rest, f"others {rest}")
    return _with(rows, made.name, sql), made, f"{made.name}: recoded from {held.name} ({told}; {left})."


def levels_of(rows: duckdb.DuckDBPyRelation, held: Variable, kind: Any) -> tuple[list[str], list[Any]]:
    """Return the labels of a variable's values, in order, and the values."""
    if kind.id == "enum":
        levels = list(kind.children[0][1])
        return levels, levels
    column = quote(held.name)
    found = rows.project(f"{column} AS x").filter("x IS NOT NULL").distinct().fetchall()
    raws = sorted(one for (one,) in found if one == one)
    return [label_of(one) for one in raws], raws


def _members(
    held: Variable, kind: Any, wanted: Any, levels: Sequence[str], raws: Sequence[Any], new: str
) -> tuple[list[str], list[int]]:
    """Return the SQL conditions of a new level, and the old levels in it."""
    column = quote(held.name)
    parts: list[str] = []
    places: list[int] = []
    for one in _each(wanted):
        if isinstance(one, tuple | Between):
            low, high = (one.min, one.max) if isinstance(one, Between) else one
            if not is_numeric(kind):
                raise UsageError(
                    f"recode: {held.name!r} has levels, not numbers, so {one!r} is no range of it."
                )
            bounds = [f"{column} >= {value(low)}"] if low is not None else []
            bounds += [f"{column} <= {value(high)}"] if high is not None else []
            parts.append(f"({' AND '.join(bounds)})")
            places += [
                place
                for place, raw in enumerate(raws)
                if (low is None or raw >= low) and (high is None or raw <= high)
            ]
            continue
        found = _places(held, one, levels, is_number=is_numeric(kind))
        if not found:
            hint = did_you_mean(nearest(str(one), levels)) or f"; it has {', '.join(levels[:20])}"
            raise UsageError(f"recode: {held.name!r} has no level {one!r} for {new!r}{hint}")
        places += found
        parts.append(f"{column} IN ({', '.join(value(raws[place]) for place in found)})")
    if not parts:
        raise UsageError(f"recode: {new!r} of {held.name!r} has no levels.")
    return parts, places


def _each(wanted: Any) -> list[Any]:
    return [wanted] if isinstance(wanted, str | int | float | tuple | Between) else list(wanted)


def _places(held: Variable, wanted: Any, levels: Sequence[str], *, is_number: bool) -> list[int]:
    """Return the positions of the levels that a label or a code names."""
    if not isinstance(wanted, str | bool) and held.codes and wanted in held.codes:
        wanted = held.codes[wanted]
    rule = Rule(held.name, AnyOf((wanted,)), None)
    return [int(place) for place in places_of(rule, wanted, levels, is_number=is_number).nonzero()[0]]


def _order(
    levels: Sequence[str], taken: Mapping[int, str], groups: Sequence[str], rest: str | None
) -> list[str]:
    """Return the new levels, each where the first of its members was."""
    order: dict[str, None] = {}
    for place, level in enumerate(levels):
        if place in taken:
            order[taken[place]] = None
        elif rest == KEEP:
            order[level] = None
    order |= dict.fromkeys(groups)
    if rest not in (None, KEEP):
        order[str(rest)] = None
    return list(order)


def _is_monotone(levels: Sequence[str], taken: Mapping[int, str], order: Sequence[str]) -> bool:
    """Return whether new levels keep the order of the old ones."""
    places = [
        order.index(taken.get(place, level))
        for place, level in enumerate(levels)
        if taken.get(place, level) in order
    ]
    return places == sorted(places)


def netted(
    rows: duckdb.DuckDBPyRelation,
    held: Variable,
    groups: Mapping[str, Any],
    into: str | None,
    label: str | None,
) -> Prepared:
    """Return which nets each respondent belongs to; nets may overlap."""
    if not isinstance(groups, Mapping) or not groups:
        raise UsageError(f'nets of {held.name!r} take labels, such as {{"Top 2": ["4", "5"]}}.')
    column = quote(held.name)
    kind = rows.types[rows.columns.index(held.name)]
    several = held.kind == "several"
    if several:
        inside = rows.project(f"unnest({column}) AS {column}")
        levels, raws = levels_of(inside, held, kind.children[0][1])
        levels, raws = (
            list(dict.fromkeys([*held.levels, *levels])),
            list(dict.fromkeys([*held.levels, *raws])),
        )
    else:
        levels, raws = levels_of(rows, held, kind)
    own = kind.children[0][1] if several else kind
    parts = []
    for net, wanted in groups.items():
        found = [place for one in _each(wanted) for place in _named(held, one, levels, own, str(net))]
        listed = ", ".join(value(raws[place]) for place in found)
        test = f"list_has_any({column}, [{listed}])" if several else f"{column} IN ({listed})"
        parts.append(f"CASE WHEN {test} THEN {literal(str(net))} END")
    filled = f"list_filter([{', '.join(parts)}], lambda x: x IS NOT NULL)"
    sql = f"CASE WHEN {column} IS NULL THEN NULL ELSE {filled} END"
    name = into or f"{held.name}_nets"
    made = Variable(name, label or f"{held.label or held.name} (nets)", "several", tuple(map(str, groups)))
    told = "; ".join(f"{net} = {_listed(wanted)}" for net, wanted in groups.items())
    return _with(rows, name, sql), made, f"{name}: nets of {held.name} ({told})."


def _named(held: Variable, wanted: Any, levels: Sequence[str], kind: Any, net: str) -> list[int]:
    found = _places(held, wanted, levels, is_number=is_numeric(kind))
    if not found:
        hint = did_you_mean(nearest(str(wanted), levels)) or f"; it has {', '.join(levels[:20])}"
        raise UsageError(f"nets: {held.name!r} has no level {wanted!r} for {net!r}{hint}")
    return found


def banded(
    rows: duckdb.DuckDBPyRelation, held: Variable, starts: Iterable[float] | Bands | None, into: str | None
) -> Prepared:
    """Cut a number into bands, as ``vp.bands`` does."""
    cut = starts if isinstance(starts, Bands) else bands(held.name, starts)
    column = quote(held.name)
    kind = rows.types[rows.columns.index(held.name)]
    if not is_numeric(kind):
        raise UsageError(f"{held.name!r} must hold numbers to be cut into bands; it holds {held.kind}.")
    place = cut.sql(column)
    below, fraction = rows.aggregate(f"bool_or({place} < 2), bool_or({place} % 2 = 1)").fetchall()[0]
    labels = cut.labels(fractions=bool(fraction))
    levels = labels if below else labels[1:]
    name = into or f"{held.name}_band"
    whens = " ".join(f"WHEN {at} THEN {literal(text)}" for at, text in enumerate(labels) if text in levels)
    sql = f"(CASE ({place}) // 2 {whens} END)::{enum(levels)}"
    made = Variable(name, held.label or held.name, "category", tuple(levels), ordered=True)
    return _with(rows, name, sql), made, f"{name}: {held.name} in bands ({', '.join(levels)})."


def derived(
    rows: duckdb.DuckDBPyRelation,
    name: str,
    expression: str,
    label: str | None,
    variables: Mapping[str, Variable],
) -> Prepared:
    """Compute a variable from an SQL expression of one row."""
    text = checked_expression(name, expression, list(variables))
    try:
        made_rows = _with(rows, name, f"({text})")
        kind = made_rows.types[made_rows.columns.index(name)]
    except duckdb.Error as error:
        told = str(error).splitlines()[0]
        raise UsageError(f"derive: {name!r} cannot be computed from {text!r}: {told}") from error
    if kind_of(kind) == "other":
        raise UsageError(
            f"derive: {name!r} would hold {kind}; a variable is text, a number, yes/no, a date or a list."
        )
    found = variables_of(made_rows.project(quote(name)))[name]
    return made_rows, replace(found, label=label or ""), f"{name}: derived as {text}."


def _with(rows: duckdb.DuckDBPyRelation, name: str, sql: str) -> duckdb.DuckDBPyRelation:
    """Add a column at the end, or replace one in its place."""
    same = next((one for one in rows.columns if one.casefold() == name.casefold()), None)
    if same is not None and same != name:
        raise UsageError(
            f"The data have a column {same!r}, which differs from {name!r} in case alone; use another."
        )
    if same is not None:
        return rows.project(f"* REPLACE ({sql} AS {quote(name)})")
    return rows.project(f"*, {sql} AS {quote(name)}")


def _listed(wanted: Any) -> str:
    return ", ".join(f"{one[0]} to {one[1]}" if isinstance(one, tuple) else str(one) for one in _each(wanted))
