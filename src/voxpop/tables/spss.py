"""SPSS ``.sav`` file of a study: one row per agent, labels, and a code per kind of missing value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.engines.basis import KINDS
from voxpop.tables.optional import load
from voxpop.tables.people import (
    PROFILE_COLUMNS,
    RESPONDENTS,
    WEIGHT_COLUMNS,
    Variable,
    respondents_table,
    variables,
)
from voxpop.tables.schema import HEALTH_FIELDS, TABLES
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import RANKING, WORDS, Shape

MISSING: Mapping[str, tuple[float, str]] = {
    "no_value": (-91, "answered, but nothing that could be coded"),
    "not_asked": (-92, "not asked"),
    "failed": (-93, "failed to answer"),
    "outstanding": (-94, "answer outstanding"),
    "unknown": (-95, "no answer, reason not told"),
}
"""Codes of missing answers, declared as missing; health columns have one more."""

NOT_ASSIGNED = (-96.0, "no health data assigned")
_LONGEST = 32_767
_NOTE = 80  # bytes of a line of the file's notes
_RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}
_CLOCK = slice(92, 109)  # date and time in the header of a system file


@dataclass(slots=True)
class _File:
    """Columns of the file under construction."""

    columns: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[float, str]] = field(default_factory=dict)
    missing: dict[str, list[dict[str, float]]] = field(default_factory=dict)
    measures: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, held: Any, label: str, measure: str, values: Mapping[float, str]) -> str:
        """Add a column under a valid and unique SPSS name."""
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:56]
        plain = f"v_{plain}" if not plain[:1].isalpha() or plain.lower() in _RESERVED else plain
        taken = {one.lower() for one in self.columns}
        made, number = plain, 2
        while made.lower() in taken:
            made, number = f"{plain}_{number}", number + 1
        self.columns[made], self.labels[made], self.measures[made] = held, label[:255], measure
        if values:
            self.values[made] = {code: text[:120] for code, text in values.items()}
        return made

    def declare(self, name: str, codes: Mapping[float, str]) -> None:
        """Declare codes as missing."""
        self.values.setdefault(name, {}).update(codes)
        self.missing[name] = [{"lo": min(codes), "hi": max(codes)}]


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``respondents.sav``: choices as labelled numbers, multiple choices as one column per option.

    An option of a multiple choice is 1 if chosen and 0 if not; an option of a ranking is its place.
    """
    pyreadstat = load("pyreadstat", "spss", "SPSS files need")
    people = respondents_table(cursor, study["study_uuid"])
    made = _File()
    for name in (*PROFILE_COLUMNS, "removed", *WEIGHT_COLUMNS):
        _profile(made, name, people[name].combine_chunks(), people["health_source"].is_valid())
    why = _reasons(cursor, study["study_uuid"])
    for asked in variables(cursor, study["study_uuid"]):
        codes = why.get(asked.question_uuid, {})
        _question(made, asked, people[asked.name].combine_chunks(), people["agent_uuid"], codes)
        if asked.about.get("bases"):
            _basis(cursor, made, asked, people["agent_uuid"])
    path = folder / "spss" / f"{RESPONDENTS}.sav"
    pyreadstat.write_sav(
        pd.DataFrame(made.columns),
        str(path),
        file_label=(study["title"] or "Study").encode()[:64].decode(errors="ignore"),
        column_labels=made.labels,
        variable_value_labels=made.values,
        missing_ranges=made.missing,
        row_compress=True,
        variable_measure=made.measures,
        note=made.notes or None,
    )
    _set_clock(path, created)


def _basis(cursor: DuckDBPyConnection, made: _File, asked: Variable, agents: Any) -> None:
    """Add what each answer to a question rests on, and the notes to the notes of the file."""
    query = "SELECT agent_uuid, basis::VARCHAR FROM answers WHERE question_uuid = ? AND basis IS NOT NULL"
    held = dict(cursor.execute(query, [asked.question_uuid]).fetchall())
    kinds = [*KINDS, *sorted(set(held.values()) - set(KINDS))]
    codes = {kind: float(place) for place, kind in enumerate(kinds, 1)}
    cells = [codes.get(held.get(agent, "")) for agent in agents.to_pylist()]
    words = {code: kind for kind, code in codes.items()}
    made.add(f"{asked.name}_basis", _floats(cells), f"Basis of {asked.name}", "nominal", words)
    for one in asked.about["bases"]:
        for note in one["notes"]:
            made.notes += _lines(f"{asked.name}, {one['kind']}: {note}")


def _lines(text: str) -> Iterator[str]:
    """Yield a note in lines of so many bytes, broken at spaces where there are any."""
    while len(text.encode()) > _NOTE:
        line = text.encode()[: _NOTE + 1].decode(errors="ignore")
        cut = line.rfind(" ")
        cut = cut if cut > 0 else len(line.encode()[:_NOTE].decode(errors="ignore"))
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


def _reasons(cursor: DuckDBPyConnection, study_uuid: str) -> dict[str, dict[str, float]]:
    """Return for each question the missing code of each agent without a coded answer."""
    found: dict[str, dict[str, float]] = {}
    for question, agent, status in cursor.execute(
        "SELECT question_uuid, agent_uuid, status::VARCHAR FROM responses "
        "WHERE study_uuid = ? AND status <> 'answered'",
        [study_uuid],
    ).fetchall():
        found.setdefault(question, {})[agent] = MISSING[status][0]
    return found


def _profile(made: _File, name: str, held: pa.Array, assigned: Any) -> None:
    about = FIELDS.get(name)
    known = next((one for one in TABLES["agents"].columns if one.name == name), None)
    label = about.meaning if about else (known.meaning if known else name.replace("_", " "))
    health = name in HEALTH_FIELDS
    if pa.types.is_list(held.type):
        for level in sorted({one for row in held.to_pylist() for one in row or ()}):
            ticked = [None if row is None else float(level in row) for row in held.to_pylist()]
            column = made.add(f"{name}_{level}", _floats(ticked), f"{label} {level}", "nominal", _TICKED)
            if health:
                _unassigned(made, column, assigned)
        return
    if pa.types.is_dictionary(held.type) or (
        about is not None and pa.types.is_string(held.type) and about.levels
    ):
        column = _coded(made, name, held, label, about is not None and about.ordered)
    elif pa.types.is_boolean(held.type):
        column = made.add(name, _floats(held.to_pylist()), label, "nominal", {0.0: "no", 1.0: "yes"})
    elif pa.types.is_string(held.type):
        made.add(name, _texts(held), label, "nominal", {})
        return
    else:
        column = made.add(name, _floats(held.to_pylist()), label, "scale", {})
    if health:
        _unassigned(made, column, assigned)


def _unassigned(made: _File, column: str, assigned: Any) -> None:
    held = made.columns[column]
    held[~np.asarray(assigned)] = NOT_ASSIGNED[0]
    made.declare(column, {NOT_ASSIGNED[0]: NOT_ASSIGNED[1]})


def _question(made: _File, asked: Variable, held: pa.Array, agents: Any, codes: Mapping[str, float]) -> None:
    shape, label = shape_of(asked.about["type"]) or WORDS, asked.about.get("text") or asked.name
    if not shape.coded:
        made.add(asked.name, _texts(held), label, "nominal", {})
        return
    if pa.types.is_list(held.type):
        levels = asked.about.get("options", ())
        given = held.to_pylist()
        for number, level in enumerate(levels, 1):
            cells = [None if row is None else _place(row, level, shape) for row in given]
            values = {} if shape is RANKING else _TICKED
            name = f"{asked.name}_{number}"
            column = made.add(name, _floats(cells), f"{level}: {label}", shape.measure, values)
            _say_why(made, column, agents, codes)
        return
    if pa.types.is_dictionary(held.type):
        column = _coded(made, asked.name, held, label, False)
    else:
        ends = {
            float(asked.about[end]): asked.about.get(f"{end}_label")
            for end in ("min", "max")
            if end in asked.about
        }
        words = {code: text for code, text in ends.items() if text}
        unit = f" ({asked.about['unit']})" if "unit" in asked.about else ""
        column = made.add(asked.name, _floats(held.to_pylist()), f"{label}{unit}", shape.measure, words)
    _say_why(made, column, agents, codes)


_TICKED = {0.0: "not chosen", 1.0: "chosen"}


def _place(row: Sequence[str], level: str, shape: Shape) -> float | None:
    """Return whether a level was chosen, or its place from 1; a level that was not ranked has none."""
    if shape is not RANKING:
        return float(level in row)
    return float(row.index(level) + 1) if level in row else None


def _say_why(made: _File, column: str, agents: Any, codes: Mapping[str, float]) -> None:
    """Fill missing answers with the code of the reason, below all answered values."""
    held = made.columns[column]
    least = np.nanmin(held) if np.isfinite(held).any() else 0.0
    down = 0.0 if least > -90 else 1e9  # never a value that an agent gave
    for place, agent in enumerate(agents.to_pylist()):
        if np.isnan(held[place]) and agent in codes:
            held[place] = codes[agent] - down
    made.declare(column, {code - down: words for code, words in MISSING.values()})


def _coded(made: _File, name: str, held: pa.Array, label: str, ordered: bool) -> str:
    levels = _levels(held)
    numbers = {level: float(place) for place, level in enumerate(levels, 1)}
    cells = [numbers.get(one) for one in held.to_pylist()]
    words = {code: level for level, code in numbers.items()}
    return made.add(name, _floats(cells), label, "ordinal" if ordered else "nominal", words)


def _levels(held: pa.Array) -> list[str]:
    if pa.types.is_dictionary(held.type):
        return [level for level in held.dictionary.to_pylist() if level != ""]
    return sorted({one for one in held.to_pylist() if one is not None})


def _floats(cells: Sequence[Any]) -> Any:
    return np.array([np.nan if one is None else float(one) for one in cells], dtype=np.float64)


def _texts(held: pa.Array) -> Any:
    """Convert texts to SPSS strings: missing is empty, and long texts are cut with an ellipsis."""
    return pd.array([_short(one or "") for one in held.to_pylist()], dtype=object)


def _short(text: str) -> str:
    plain = text.replace("\0", "\ufffd")
    if len(plain.encode()) <= _LONGEST:
        return plain
    return plain.encode()[: _LONGEST - 3].decode(errors="ignore") + "…"


def _set_clock(path: Path, created: datetime | None) -> None:
    """Write the study's time into the header instead of the current time."""
    time = created or datetime(1980, 1, 1)
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[
        time.month - 1
    ]
    with path.open("r+b") as file:
        file.seek(_CLOCK.start)
        file.write(f"{time.day:02d} {month} {time.year % 100:02d}{time:%H:%M:%S}".encode())
