"""Multiple-response sets: columns that are the options of one question, as one column of lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from voxpop.errors import UsageError
from voxpop.survey.raw import OptionSet, Raw
from voxpop.survey.sql import literal, quote, value
from voxpop.survey.variables import Variable, Variables, is_numeric, unknown_column

NOT_CHOSEN = ("no", "not selected", "not mentioned", "not chosen", "unchecked", "not ticked", "false", "0")
"""Labels that say that an option was not chosen."""

_MARKS = (": ", " - ", " – ", " [", "... ", "… ", "? ")


def with_sets(raw: Raw, rows: Any, variables: Variables) -> tuple[Any, Variables]:
    """Add a column of lists for each set, after the columns of the data.

    Raises
    ------
    UsageError
        A column is unknown, its chosen value cannot be told, or a name is taken.
    """
    parts, made = [], []
    for name, held in raw.sets.items():
        for column in held.columns:
            if column not in variables:
                raise UsageError(f"sets: {name!r}: {unknown_column(column, variables)}")
        own = f"{name}_set" if name in variables else name
        if own in variables:
            raise UsageError(f"sets: the data already have a column {own!r}; give the set another name.")
        members = [variables[column] for column in held.columns]
        sql, levels = _sql(name, held, members, raw)
        parts.append(f"{sql} AS {quote(own)}")
        label = held.label or _stem([one.label for one in members]) or ""
        made.append(Variable(own, label, "several", levels, members=held.columns, ordered=False))
    if not parts:
        return rows, variables
    options = [replace(variables[column], part_of=one.name) for one in made for column in one.members]
    return rows.project(f"*, {', '.join(parts)}"), variables.changed(*options, *made)


def _sql(name: str, held: OptionSet, members: list[Variable], raw: Raw) -> tuple[str, tuple[str, ...]]:
    """Return the SQL of a set as a list of options, NULL where nothing was asked, and its options."""
    columns = [quote(one.name) for one in members]
    nothing = " AND ".join(f"{column} IS NULL" for column in columns)
    mentions = held.mentions
    if mentions is None:
        mentions = held.counted is None and _are_mentions(members)
    if mentions:
        levels = tuple(dict.fromkeys(level for one in members for level in one.levels))
        chosen = [f"{column}::VARCHAR" for column in columns]
    else:
        levels = _options(name, members)
        chosen = [
            f"CASE WHEN {_is_chosen(name, held, one, raw)} THEN {literal(option)} END"
            for one, option in zip(members, levels, strict=True)
        ]
    filled = f"list_filter([{', '.join(chosen)}], lambda x: x IS NOT NULL)"
    return f"CASE WHEN {nothing} THEN NULL ELSE {filled} END", levels


def _are_mentions(members: list[Variable]) -> bool:
    """Return whether each column holds the code of an option, as sets of categories do."""
    return len(members[0].levels) > 2 and len({one.levels for one in members}) == 1


def _is_chosen(name: str, held: OptionSet, one: Variable, raw: Raw) -> str:
    """Return the SQL of whether an option was chosen."""
    column = quote(one.name)
    if held.counted is not None:
        counted: Any = held.counted
        if one.kind == "category":
            counted = _label(one.codes, counted)
            if counted not in one.levels:
                return "false"  # nobody chose it, and the file has no label for it
            return f"{column} = {literal(str(counted))}"
        return f"{column} = {value(number_of(counted))}"
    if one.kind == "yes/no":
        return column
    if one.kind == "category":
        ticked = [level for level in one.levels if level.strip().lower() not in NOT_CHOSEN]
        if len(ticked) == 1:
            return f"{column} = {literal(ticked[0])}"
    if is_numeric(raw.rows.types[raw.rows.columns.index(one.name)]):
        seen = {number for (number,) in raw.rows.project(column).distinct().limit(4).fetchall()} - {None}
        if seen <= {0, 1}:
            return f"{column} = 1"
    raise UsageError(
        f"sets: it cannot be told which value of {one.name!r} means chosen; say it with "
        f'sets={{{name!r}: {{"columns": [...], "counted": 1}}}}.'
    )


def _label(codes: Mapping[Any, str], code: Any) -> Any:
    """Return the label of a code that may be written as text."""
    return next((text for held, text in codes.items() if str(held) == str(number_of(code))), code)


def number_of(code: Any) -> Any:
    """Return a code that is written as text as the number that it is."""
    text = str(code).strip()
    return int(text) if text.lstrip("-").isdigit() else code


def _options(name: str, members: list[Variable]) -> tuple[str, ...]:
    """Return the wording of each option: its label without what all labels begin with."""
    labels = [one.label or one.name for one in members]
    stem = _stem(labels)
    short = tuple(label[len(stem) :].strip(" :-–[]?.…") or label for label in labels)
    if len(set(short)) < len(short):
        twice = next(text for text in short if short.count(text) > 1)
        raise UsageError(f"sets: two options of {name!r} have the label {twice!r}; change one with labels=.")
    return short


def _stem(labels: list[str]) -> str:
    """Return what all labels have in common up to a colon, dash, bracket or question mark."""
    if len(labels) < 2:
        return ""
    low, high = min(labels), max(labels)
    same = next((at for at, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    cut = max(low[:same].rfind(mark) for mark in _MARKS)
    return low[: cut + 1].rstrip(" :-–[") if cut > 0 else ""


def read_sets(given: Mapping[str, Any] | None) -> dict[str, OptionSet]:
    """Read sets: names with their columns, or with ``columns``, ``counted`` and ``label``.

    Raises
    ------
    UsageError
        A set has no columns, or another key.
    """
    made = {}
    for name, told in (given or {}).items():
        parts = dict(told) if isinstance(told, Mapping) else {"columns": told}
        columns = parts.pop("columns", ())
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
        strange = sorted(set(parts) - {"counted", "label"})
        if strange or not columns:
            what = f"has the key {strange[0]!r}" if strange else "has no columns"
            raise UsageError(f"sets: {name!r} {what}; a set has columns, and may have counted and label.")
        made[name] = OptionSet(columns, parts.get("label", ""), parts.get("counted"))
    return made
