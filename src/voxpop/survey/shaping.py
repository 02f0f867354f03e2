"""Raw rows as rows of a survey, with levels for codes and no values for missing codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import label_of
from voxpop.survey.option_sets import with_sets
from voxpop.survey.raw import Raw
from voxpop.survey.sql import enum, literal, quote, value
from voxpop.survey.variables import Variable, Variables, is_integer, is_numeric, unknown_column, variables_of

_MOST_POINTS = 100
"""Most points between the labelled ends of a scale; labels farther apart than that name exceptions."""

_FEWEST_LABELS = 3
_FEWEST_ROWS = 3
"""Fewest variables that are taken for a grid."""

_MOST_PLACES = 1_000
"""Widest span of codes whose labels are looked up by place."""

_MOST_VALUES = 1_000
"""Values counted of a labelled column; an identifier with a few labelled exceptions has more."""


def shaped(raw: Raw, grids: Mapping[str, Sequence[str]] | None = None) -> tuple[Any, Variables]:
    """Return the rows with levels and missing values, and their variables.

    Adds to the notes of ``raw`` what was found.

    Raises
    ------
    UsageError
        Labels clash, or names in sets, grids, labels or missing are unknown.
    """
    seen = _values(raw)
    before = variables_of(raw.rows, raw.about, raw.known)
    parts: dict[str, str] = {}
    made: list[Variable] = []
    for name, kind in zip(raw.rows.columns, raw.rows.types, strict=True):
        one, sql = _read(raw, before[name], kind, seen.get(name))
        made.append(one)
        if sql != quote(name):
            parts[name] = sql
    rows = raw.rows
    if parts:
        rows = rows.project(f"* REPLACE ({', '.join(f'{sql} AS {quote(n)}' for n, sql in parts.items())})")
    variables = variables_of(rows, raw.about, {one.name: one for one in made})
    rows, variables = with_sets(raw, rows, variables)
    return rows, _with_grids(raw, variables, grids or {})


def _values(raw: Raw) -> dict[str, dict[Any, int]]:
    """Count the values of the columns that have codes or missing codes, in one pass."""
    kinds = dict(zip(raw.rows.columns, raw.rows.types, strict=True))
    names = [name for name in kinds if raw.codes.get(name) or raw.missing.get(name)]
    found: dict[str, dict[Any, int]] = {}
    for start in range(0, len(names), 100):
        some = names[start : start + 100]
        sums = [
            f"CASE WHEN approx_count_distinct({quote(name)}) <= {_MOST_VALUES} "
            f"THEN histogram({quote(name)}) END"
            for name in some
        ]
        row = raw.rows.aggregate(", ".join(sums)).fetchall()[0]
        found |= {name: held or {} for name, held in zip(some, row, strict=True)}
    return found


def _read(raw: Raw, known: Variable, kind: Any, seen: Mapping[Any, int] | None) -> tuple[Variable, str]:
    """Return a variable, and the SQL of its column."""
    name = known.name
    label = raw.labels.get(name) or known.label
    if name in raw.known and not ({name} & {*raw.codes, *raw.missing}):
        return replace(known, label=label, ordered=known.ordered or name in raw.ordered), quote(name)
    told = dict(raw.codes.get(name, {}))
    gone = raw.missing.get(name, [])
    lost = dict(raw.missing_labels.get(name, {}))
    counts = dict(raw.lost.get(name, {}))
    sql = quote(name)
    if gone:
        _check_codes(name, kind, gone)
        lost |= _lost_labels(gone, told, seen or {})
        for code, count in (seen or {}).items():
            if is_lost(code, gone):
                text = told.get(code) or str(code)
                counts[text] = counts.get(text, 0) + count
        told = {code: text for code, text in told.items() if not is_lost(code, gone)}
        sql = f"CASE WHEN {_condition(sql, gone)} THEN NULL ELSE {sql} END"
        if known.levels and kind.id == "enum":
            known = replace(known, levels=tuple(one for one in known.levels if not is_lost(one, gone)))
            sql = f"({sql})::VARCHAR::{enum(known.levels)}"
    held = {code: count for code, count in (seen or {}).items() if not is_lost(code, gone)}
    measure = raw.measures.get(name, "unknown")
    one = replace(
        known,
        label=label,
        codes=told,
        missing=lost,
        lost=counts,
        measured=measure != "nominal",
        ordered=known.ordered or name in raw.ordered or measure == "ordinal",
        levels=known.levels or raw.levels.get(name, ()),
    )
    if not told:
        return one, sql
    if not _is_category(told, held, measure):
        return _as_number(raw, one, held), sql
    levels = _levels(raw, name, told, held)
    one = replace(one, kind="category", codes=levels, levels=tuple(levels.values()))
    return one, _labelled(quote(name), kind, levels)


def _check_codes(name: str, kind: Any, gone: Sequence[Any]) -> None:
    """Refuse missing codes of another type than the column."""
    numeric = is_numeric(kind)
    for code in gone:
        for end in code if isinstance(code, tuple) else (code,):
            if isinstance(end, str) == numeric:
                raise UsageError(f"missing: {name!r} holds {kind}, so {end!r} cannot be one of its codes.")


def _is_category(told: Mapping[Any, str], held: Mapping[Any, int], measure: str) -> bool:
    """Return whether labels name the answers, not just the ends of a scale or exceptions."""
    if all(code in told for code in held):
        return bool(held) or len(told) >= _FEWEST_LABELS
    if measure in ("nominal", "ordinal"):
        return len(told) * 2 >= len(held)
    return len(told) >= _FEWEST_LABELS and len([code for code in held if code in told]) * 2 >= len(held)


def _as_number(raw: Raw, one: Variable, held: Mapping[Any, int]) -> Variable:
    """Return a number, with the ends of its scale if two labels name them."""
    codes = one.codes
    if len(codes) == 2 and all(isinstance(code, int) for code in codes):
        (low, low_label), (high, high_label) = sorted(codes.items())
        inside = all(isinstance(point, int) and low <= point <= high for point in held)
        if inside and high - low <= _MOST_POINTS:
            ends = {"min": low, "max": high, "min_label": low_label, "max_label": high_label}
            return replace(one, ordered=True, question={**one.question, **ends})
    words = ", ".join(f"{code} = {text}" for code, text in list(codes.items())[:3])
    raw.notes.append(
        f"{one.name}: {len(codes)} of its values have a label ({words}), so it stays a number; name "
        "those that are no answer with missing=."
    )
    return one


def _levels(raw: Raw, name: str, told: Mapping[Any, str], held: Mapping[Any, int]) -> dict[Any, str]:
    """Return the label of each code; codes without one are named by themselves."""
    without = [code for code in held if code not in told]
    if without:
        codes = ", ".join(map(label_of, without[:5]))
        raw.notes.append(f"{name}: no label for {codes}; shown as they are.")
    every = {**told, **{code: label_of(code) for code in without}}
    order = sorted(every, key=lambda code: (isinstance(code, str), code)) if without else list(every)
    texts = [every[code] for code in order]
    twice = {text for text in texts if texts.count(text) > 1}
    if twice:
        raw.notes.append(
            f"{name}: several codes have the label {sorted(twice)[0]!r}; the code is added to tell them "
            "apart. To merge them, use recode."
        )
    return {code: f"{every[code]} ({code})" if every[code] in twice else every[code] for code in order}


def _labelled(column: str, kind: Any, levels: Mapping[Any, str]) -> str:
    """Return the SQL of a column's labels; whole numbers are places of a list, which is fastest."""
    named = enum(levels.values())
    codes = [code for code in levels if isinstance(code, int)]
    if len(codes) < len(levels) or not is_integer(kind) or max(codes) - min(codes) > _MOST_PLACES:
        whens = " ".join(f"WHEN {value(code)} THEN {literal(text)}::{named}" for code, text in levels.items())
        return f"CASE {column} {whens} END"
    low = min(codes)
    every = [literal(levels[at]) if at in levels else "NULL" for at in range(low, max(codes) + 1)]
    return f"([{', '.join(every)}]::{named}[])[greatest({column}::BIGINT - {low - 1}, 0)]"


def is_lost(code: Any, gone: Sequence[Any]) -> bool:
    """Return whether a code is among those that are no answer: values, and pairs of the ends of a range."""
    for one in gone:
        if isinstance(one, tuple):
            if not isinstance(code, str) and one[0] <= code <= one[1]:
                return True
        elif code == one:
            return True
    return False


def _condition(column: str, gone: Sequence[Any]) -> str:
    single = [value(one) for one in gone if not isinstance(one, tuple)]
    parts = [f"{column} IN ({', '.join(single)})"] if single else []
    parts += [f"{column} BETWEEN {value(low)} AND {value(high)}" for low, high in _pairs(gone)]
    return " OR ".join(parts)


def _pairs(gone: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [one for one in gone if isinstance(one, tuple)]


def _lost_labels(gone: Sequence[Any], told: Mapping[Any, str], seen: Mapping[Any, int]) -> dict[Any, str]:
    """Return the label of each missing code, and of each range that holds no labelled one."""
    named = {code: text for code, text in told.items() if is_lost(code, gone)}
    single = {one: told.get(one, "") for one in gone if not isinstance(one, tuple)}
    ranges = {f"{float(low):g} to {float(high):g}": "" for low, high in _pairs(gone)}
    return {**named, **{code: text for code, text in single.items() if code not in named}, **ranges}


def _with_grids(raw: Raw, variables: Variables, given: Mapping[str, Sequence[str]]) -> Variables:
    """Name the grid of variables with the same levels and a common stem, as declared or as found."""
    rows: dict[str, list[str]] = {}
    for grid, names in given.items():
        for name in names:
            if name not in variables:
                raise UsageError(f"grids: {unknown_column(name, variables)}")
        if len({variables[name].levels for name in names}) > 1:
            raise UsageError(f"grids: the variables of {grid!r} have different levels; a grid has one scale.")
        rows[grid] = list(names)
    taken = {name for names in rows.values() for name in names}
    free = [one for one in variables.values() if one.name not in taken]
    for (levels, stem), same in groupby(free, key=_row_of_grid):
        found = [one.name for one in same]
        if stem and len(levels) > 1 and len(found) >= _FEWEST_ROWS and stem not in rows:
            rows[stem] = found
            raw.notes.append(
                f"{found[0]} to {found[-1]} are taken for the grid {stem!r}: {len(found)} variables with the "
                f"same {len(levels)} levels."
            )
    return variables.changed(
        *(replace(variables[name], grid=grid) for grid, names in rows.items() for name in names)
    )


def _row_of_grid(one: Variable) -> tuple[tuple[str, ...], str]:
    if one.kind != "category" or one.part_of or one.question.get("type"):
        return (), ""
    return one.levels, stem_of(one.label)


def stem_of(label: str) -> str:
    """Return what a label says before its last colon, dash or bracket.

    Examples
    --------
    >>> stem_of("How much do you trust: the police"), stem_of("Age")
    ('How much do you trust', '')
    """
    cut = max((label.rfind(mark) for mark in (": ", " - ", " – ", " [", "... ", "… ")), default=-1)
    return label[:cut].strip() if cut > 0 else ""
