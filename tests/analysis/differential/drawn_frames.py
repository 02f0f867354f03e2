"""Random frames: columns of every type with odd labels and names, and the rows as Python values.

Hypothesis draws the outline (kinds, names, sizes, a seed); the rows are made from the seed, so that a frame
of 200,000 rows costs no more to draw than one of ten, and failures shrink to the outline that matters.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

Labels = npt.NDArray[np.object_]

ODD = (
    *(
        "a",
        "A",
        "b",
        "",
        " ",
        "it's",
        'say "no"',
        "two\nlines",
        "<b>bold</b>",
        "é",
        "e\u0301",
        "STRASSE",
        "straße",
    ),
    *(
        "10",
        "2",
        "None",
        "nan",
        "NULL",
        "null",
        "Total",
        "; DROP",
        "%s",
        "{}",
        "\\",
        "🙂",
        "no answer",
        "yes",
    ),
)
NUMERIC = ("10", "2", "1.5", "-3", "007", "7", "100", "9")
NAMES = (
    *(
        "q",
        "Q",
        "Age",
        "AGE",
        "w",
        "W",
        "c0",
        "C1",
        "a b",
        'quo"te',
        "it's",
        "select",
        "",
        "new\nline",
        "ünï",
    ),
    *(0, 1, 7, "weight", "count", "k0", "n", "v0", "%", "#1", "rowid"),
)


@dataclass(frozen=True)
class Column:
    """One column: its values, the label of each row (None where missing), and its levels in order."""

    values: Any
    labels: Labels
    levels: tuple[str, ...]
    kind: str
    numbers: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Case:
    """A frame and what it holds, by the text of each column's name."""

    frame: pd.DataFrame
    columns: dict[str, Column]
    weight: str | None
    weights: npt.NDArray[np.float64]
    form: str
    outline: str = field(default="")

    def data(self, database: duckdb.DuckDBPyConnection) -> Any:
        """Return the frame in its form: as it is, as an Arrow table, or as a relation of a database."""
        if self.form == "frame":
            return self.frame
        names = list(map(str, self.frame.columns))
        held = self.frame.set_axis([f"c{place}" for place in range(len(names))], axis=1)
        table = pa.Table.from_pandas(held, preserve_index=False).replace_schema_metadata(None)
        if self.form == "arrow":
            return table.rename_columns(names)
        database.from_arrow(table).create("t")
        parts = []
        for place, name in enumerate(names):
            own = self.columns.get(name)
            enum = ""
            if own is not None and own.kind.startswith("category"):
                levels = ", ".join("'" + level.replace("'", "''") + "'" for level in own.levels)
                enum = f"::ENUM({levels})"
            parts.append(f"c{place}{enum} AS " + '"' + name.replace('"', '""') + '"')
        return database.sql(f"SELECT {', '.join(parts)} FROM t")


def label(value: Any) -> str:
    """Return what a value is called in a table, told in plain words: 2.0 is 2, True is yes."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def in_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Sort texts: those that read as numbers by size, then the others by their letters."""

    def place(text: str) -> tuple[Any, ...]:
        number = re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text)
        return (0, float(text), text) if number else (1, text)

    return tuple(sorted(set(labels), key=place))


def _pick(chance: np.random.Generator, pool: Sequence[Any], rows: int, missing: float) -> Labels:
    made = np.empty(rows, dtype=object)
    for row, place in enumerate(chance.integers(0, len(pool), rows)):
        made[row] = pool[place]
    made[chance.random(rows) < missing] = None
    return made


def _some(chance: np.random.Generator, pool: Sequence[Any], most: int = 6) -> list[Any]:
    size = int(chance.integers(1, min(most, len(pool)) + 1))
    return [pool[place] for place in chance.permutation(len(pool))[:size]]


def _labels(values: Labels) -> Labels:
    return np.array([None if value is None else label(value) for value in values], dtype=object)


def _seen(labels: Labels) -> list[str]:
    return list(dict.fromkeys(one for one in labels if one is not None))


def _by_value(values: Labels) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label(one) for one in sorted({one for one in values if one is not None})))


def text(chance: np.random.Generator, rows: int, missing: float) -> Column:
    values = _pick(chance, _some(chance, ODD), rows, missing)
    return Column(pd.Series(values, dtype=object), _labels(values), in_order(_seen(values)), "text")


def numeric_text(chance: np.random.Generator, rows: int, missing: float) -> Column:
    values = _pick(chance, _some(chance, NUMERIC), rows, missing)
    return Column(pd.Series(values, dtype="str"), _labels(values), in_order(_seen(values)), "text")


def _floats(values: Labels) -> npt.NDArray[np.float64]:
    return np.array([np.nan if one is None else float(one) for one in values])


def integers(dtype: str) -> Callable[..., Column]:
    def make(chance: np.random.Generator, rows: int, missing: float) -> Column:
        small = "8" in dtype
        pool = [0, 1, 2, 3, 10, 100] if dtype[0] in "uU" else [-3, 0, 1, 2, 10, 100 if small else 2**40]
        values = _pick(chance, _some(chance, pool), rows, missing if dtype[0] in "IU" else 0.0)
        return Column(
            pd.Series(list(values), dtype=dtype),
            _labels(values),
            _by_value(values),
            "number",
            _floats(values),
        )

    return make


def floats(dtype: str) -> Callable[..., Column]:
    def make(chance: np.random.Generator, rows: int, missing: float) -> Column:
        values = _pick(chance, _some(chance, [-2.5, 0.0, 0.25, 1.0, 10.0, 2.0]), rows, missing)
        held = pd.Series([None if one is None else one for one in values], dtype=dtype)
        return Column(held, _labels(values), _by_value(values), "number", _floats(values))

    return make


def booleans(dtype: str) -> Callable[..., Column]:
    def make(chance: np.random.Generator, rows: int, missing: float) -> Column:
        values = _pick(chance, [True, False], rows, 0.0 if dtype == "bool" else missing)
        levels = ("yes", "no") if _seen(values) else ()
        return Column(pd.Series(values, dtype=dtype), _labels(values), levels, "boolean", _floats(values))

    return make


def categories(ordered: bool) -> Callable[..., Column]:
    def make(chance: np.random.Generator, rows: int, missing: float) -> Column:
        levels = _some(chance, ODD)
        values = _pick(chance, levels[: max(1, len(levels) - int(chance.integers(0, 2)))], rows, missing)
        held = pd.Series(pd.Categorical(values, levels, ordered=ordered))
        return Column(held, _labels(values), tuple(levels), "category, ordered" if ordered else "category")

    return make


def coded(chance: np.random.Generator, rows: int, missing: float) -> Column:
    """Categories that are whole numbers, in an order of their own."""
    levels = _some(chance, [1, 2, 3, 10, 20])
    values = _pick(chance, levels, rows, missing)
    held = pd.Series(pd.Categorical(values, levels))
    return Column(held, _labels(values), tuple(map(str, levels)), "codes", _floats(values))


def _times(make: Callable[[list[Any]], Any], pool: Sequence[Any], kind: str) -> Callable[..., Column]:
    def column(chance: np.random.Generator, rows: int, missing: float) -> Column:
        values = _pick(chance, _some(chance, pool), rows, missing)
        return Column(make(list(values)), _labels(values), _by_value(values), kind)

    return column


_DAYS = [pd.Timestamp("2024-01-31"), pd.Timestamp("2023-12-01 12:30"), pd.Timestamp("1969-07-20")]
_ZONED = [day.tz_localize("America/New_York") for day in [*_DAYS, pd.Timestamp("2024-07-01")]]
_MONTHS = [pd.Period(month, "M") for month in ("2024-10", "2024-02", "1999-12")]
_SPANS = [pd.Timedelta(hours) for hours in ("2h", "10h", "26h")]
_DATES = [datetime.date(2024, 10, 1), datetime.date(2024, 2, 1), datetime.date(1960, 1, 1)]


def _zoned(values: list[Any]) -> Any:
    return pd.Series(pd.DatetimeIndex(values).tz_localize("America/New_York") if not any(values) else values)


def intervals(chance: np.random.Generator, rows: int, missing: float) -> Column:
    numbers = np.where(chance.random(rows) < missing, np.nan, chance.uniform(0, 100, rows).round(1))
    held = pd.cut(pd.Series(numbers), [-1, 9.5, 20, 60, 100], right=bool(chance.integers(0, 2)))
    labels = np.array([None if pd.isna(one) else str(one) for one in held], dtype=object)
    return Column(held, labels, tuple(map(str, held.cat.categories)), "interval")


def lists(chance: np.random.Generator, rows: int, missing: float) -> Column:
    pool = _some(chance, ODD)
    made = np.empty(rows, dtype=object)
    for row, size in enumerate(chance.integers(0, len(pool) + 2, rows)):
        made[row] = [pool[place] for place in chance.integers(0, len(pool), size)]
    made[chance.random(rows) < missing] = None
    made[0] = pool[:1]  # a column without any list is none of lists
    return Column(pd.Series(made), made, in_order([one for own in made for one in own or ()]), "list")


SINGLE: dict[str, Callable[..., Column]] = {
    "text": text,
    "numeric text": numeric_text,
    **{f"integer {dtype}": integers(dtype) for dtype in ("int64", "int8", "uint16", "Int64", "UInt8")},
    **{f"float {dtype}": floats(dtype) for dtype in ("float64", "float32", "Float64", "float16")},
    **{f"boolean {dtype}": booleans(dtype) for dtype in ("bool", "boolean", "object")},
    "category": categories(False),
    "category, ordered": categories(True),
    "codes": coded,
    "date": _times(lambda values: pd.Series(values, dtype=object), _DATES, "date"),
    "time": _times(lambda values: pd.Series(pd.DatetimeIndex(values)), _DAYS, "time"),
    "zoned": _times(
        lambda values: pd.Series(pd.DatetimeIndex(values, tz="America/New_York")), _ZONED, "zoned"
    ),
    "period": _times(lambda values: pd.Series(pd.PeriodIndex(values, freq="M")), _MONTHS, "period"),
    "span": _times(lambda values: pd.Series(pd.TimedeltaIndex(values)), _SPANS, "span"),
    "interval": intervals,
}
FRAME_ONLY = ("zoned", "period", "span", "interval")
"""Kinds that no relation of DuckDB holds; an Arrow table holds all but intervals."""

WEIGHTS: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "none": lambda chance, rows: np.ones(rows),
    "one": lambda chance, rows: np.ones(rows),
    "usual": lambda chance, rows: chance.lognormal(0, 0.5, rows),
    "population": lambda chance, rows: chance.uniform(5_000, 200_000, rows),
    "wide": lambda chance, rows: 10.0 ** chance.uniform(-6, 9, rows),
    "small": lambda chance, rows: chance.uniform(1e-6, 2e-6, rows),
    "with zeros": lambda chance, rows: chance.integers(0, 2, rows) * chance.uniform(0.1, 3, rows),
    "whole": lambda chance, rows: chance.integers(0, 50, rows),
    "single": lambda chance, rows: chance.uniform(0.1, 3, rows).astype(np.float32),
}
SIZES = st.one_of(st.integers(1, 30), st.integers(1, 30), st.integers(31, 1_000))
SEVERAL = (20_001, 60_000, 200_000)
"""Numbers of rows of large frames."""

LARGE = st.sampled_from(SEVERAL)


@st.composite
def cases(
    draw: st.DrawFn, *kinds: Sequence[str], rows: Any = SIZES, weights: Sequence[str] = (*WEIGHTS,)
) -> Case:
    """Draw a frame of one column per group of kinds, a weight, an index, and the form it comes in."""
    size, seed = draw(rows), draw(st.integers(0, 2**32 - 1))
    chance = np.random.default_rng(seed)
    names = draw(
        st.lists(st.sampled_from(NAMES), min_size=len(kinds) + 1, max_size=len(kinds) + 1, unique_by=str)
    )
    columns, held, told = {}, {}, []
    for name, group in zip(names, kinds, strict=False):
        kind, missing = draw(st.sampled_from(group)), draw(st.sampled_from([0.0, 0.1, 0.6, 1.0]))
        own = (SINGLE | {"list": lists})[kind](chance, size, missing)
        columns[str(name)], held[name] = own, own.values
        told.append(kind)
    scheme = draw(st.sampled_from(weights))
    given = np.asarray(WEIGHTS[scheme](chance, size))
    given[0] = max(given[0], given.dtype.type(1e-6 if given.dtype.kind == "f" else 1))
    held[names[-1]] = given
    frame = pd.DataFrame(held)
    index = draw(st.sampled_from(["plain", "reversed", "text"]))
    if index != "plain":
        frame.index = (
            frame.index[::-1] if index == "reversed" else pd.Index([f"r{row}" for row in frame.index])
        )
    forms = ["frame", *(["arrow"] if "interval" not in told else [])]
    relation = not set(told) & {*FRAME_ONLY, "codes", "float float16"} and "" not in names
    forms += ["relation"] if relation else []
    form = draw(st.sampled_from(forms))
    weight = None if scheme == "none" else str(names[-1])
    outline = f"{form}, {size} rows, {told}, weights {scheme}, seed {seed}"
    return Case(frame, columns, weight, given.astype(np.float64), form, outline)
