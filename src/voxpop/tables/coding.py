"""Respondents as coded columns: names, labels, codes of levels and of missing answers, for trade formats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from voxpop.engines.basis import KINDS
from voxpop.tables.people import (
    PANEL_COLUMNS,
    PROFILE_COLUMNS,
    WEIGHT_COLUMNS,
    Variable,
    respondents_table,
    variables,
)
from voxpop.tables.schema import HEALTH_FIELDS, PROVENANCE_COLUMN, TABLES
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import INTEGER, RANKING, WORDS, Shape

MISSING: Mapping[str, tuple[float, str]] = {
    "no_value": (-91, "answered, but nothing that could be coded"),
    "not_asked": (-92, "not asked"),
    "failed": (-93, "failed to answer"),
    "outstanding": (-94, "answer outstanding"),
    "unknown": (-95, "no answer, reason not told"),
}
"""Codes of missing answers, declared as missing; health columns have one more."""

NOT_ASSIGNED = (-96.0, "no health data assigned")
WEIGHT = "design_weight"
SERIAL = "agent_id"
TICKED = {0.0: "not chosen", 1.0: "chosen"}
_RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}
_LONGEST_NAME = 56

Kind = Literal["single", "option", "place", "quantity", "logical", "text"]
"""How to read a column: one level, an option that was ticked or not, the place of an option in a ranking, a
number, true or false, or a text."""


@dataclass(slots=True)
class Coded:
    """One column with codes, numbers or texts, and their meaning.

    Attributes
    ----------
    name : str
        A name valid in SPSS: letters, digits and underscores.
    label : str
        The meaning of the column, such as the wording of its question.
    kind, measure : str
        How to read the cells, and the measurement level in SPSS.
    cells : array
        Float codes and numbers, NaN if missing without a reason; or texts, empty if missing.
    values : dict
        Labels of codes.
    missing : dict
        Labels of the codes of missing answers.
    wording, unit, notice : str
        Question, unit and notice, if the column holds answers.
    of : str
        Name of the options of one question together.
    of_label : str
        Their meaning together.
    option : str
        The option itself.
    points : tuple of int or None
        Ends of a rating scale.
    """

    name: str
    label: str
    kind: Kind
    measure: str
    cells: Any
    values: dict[float, str] = field(default_factory=dict)
    missing: dict[float, str] = field(default_factory=dict)
    wording: str = ""
    unit: str = ""
    notice: str = ""
    of: str = ""
    of_label: str = ""
    option: str = ""
    points: tuple[int, int] | None = None

    @property
    def texts(self) -> bool:
        """Whether the cells are texts."""
        return self.kind == "text"

    def valid(self) -> Any:
        """Return which cells hold an answer."""
        if self.texts:
            return np.array([bool(cell) for cell in self.cells], dtype=np.bool_)
        return ~(np.isnan(self.cells) | np.isin(self.cells, list(self.missing)))


@dataclass(slots=True)
class Respondents:
    """Coded columns in order, and remarks on what answers rest on."""

    columns: list[Coded] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def name(self, name: str) -> str:
        """Reserve a valid and unique name for a column, or for the options of a question together."""
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:_LONGEST_NAME]
        plain = f"v_{plain}" if not plain[:1].isalpha() or plain.lower() in _RESERVED else plain
        made, number = plain, 2
        while made.lower() in self.taken:
            made, number = f"{plain}_{number}", number + 1
        self.taken.add(made.lower())
        return made

    def add(self, name: str, made: Coded) -> Coded:
        """Add a column under a valid and unique name."""
        made.name = self.name(name)
        self.columns.append(made)
        return made

    @property
    def rows(self) -> int:
        """Number of agents."""
        return len(self.columns[0].cells) if self.columns else 0

    def families(self) -> Iterator[list[Coded]]:
        """Yield columns in order, the options of one question together."""
        held: list[Coded] = []
        for column in self.columns:
            if held and not (column.of and column.of == held[0].of):
                yield held
                held = []
            held.append(column)
        if held:
            yield held


def respondents_coded(cursor: DuckDBPyConnection, study_uuid: str) -> Respondents:
    """Return one row per agent, including removed ones, as coded columns.

    An option of a multiple choice is 1 if chosen and 0 if not; an option of a ranking is its place.
    """
    people = respondents_table(cursor, study_uuid)
    made = Respondents()
    panel = [one for one in PANEL_COLUMNS if one in people.column_names]
    for name in (*PROFILE_COLUMNS, PROVENANCE_COLUMN, *panel, "removed", *WEIGHT_COLUMNS):
        _profile(made, name, people[name].combine_chunks(), people["health_source"].is_valid())
    why = _reasons(cursor, study_uuid)
    agents = people["agent_uuid"].to_pylist()
    for asked in variables(cursor, study_uuid):
        codes = why.get(asked.question_uuid, {})
        _question(made, asked, people[asked.name].combine_chunks(), [codes.get(agent) for agent in agents])
        if asked.about.get("bases"):
            _basis(cursor, made, asked, agents)
    return made


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


def _basis(cursor: DuckDBPyConnection, made: Respondents, asked: Variable, agents: Sequence[str]) -> None:
    """Add what each answer to a question rests on, and the notes to the remarks."""
    query = "SELECT agent_uuid, basis::VARCHAR FROM answers WHERE question_uuid = ? AND basis IS NOT NULL"
    held = dict(cursor.execute(query, [asked.question_uuid]).fetchall())
    kinds = [*KINDS, *sorted(set(held.values()) - set(KINDS))]
    codes = {kind: float(place) for place, kind in enumerate(kinds, 1)}
    cells = _floats([codes.get(held.get(agent, "")) for agent in agents])
    words = {code: kind for kind, code in codes.items()}
    made.add(f"{asked.name}_basis", Coded("", f"Basis of {asked.name}", "single", "nominal", cells, words))
    for one in asked.about["bases"]:
        made.remarks += [f"{asked.name}, {one['kind']}: {note}" for note in one["notes"]]


_MARK = "Who gave the answers: simulated agents. No person was asked."


def _meaning(name: str) -> str:
    if name in FIELDS:
        return FIELDS[name].meaning
    if name == PROVENANCE_COLUMN:
        return _MARK
    known = next((one for one in TABLES["agents"].columns if one.name == name), None)
    return known.meaning if known else name.replace("_", " ")


def _profile(made: Respondents, name: str, held: pa.Array, assigned: Any) -> None:
    about, label = FIELDS.get(name), _meaning(name)
    if pa.types.is_list(held.type):
        rows, together = held.to_pylist(), made.name(name)
        for level in sorted({one for row in rows for one in row or ()}):
            cells = _floats([None if row is None else float(level in row) for row in rows])
            option = Coded("", f"{label} {level}", "option", "nominal", cells, dict(TICKED), of=together)
            option.option, option.of_label = level, label
            _unassigned(made.add(f"{name}_{level}", option), name, assigned)
        return
    if pa.types.is_dictionary(held.type) or (about and pa.types.is_string(held.type) and about.levels):
        column = _levelled(held, label, "ordinal" if about and about.ordered else "nominal")
    elif pa.types.is_boolean(held.type):
        words = {0.0: "no", 1.0: "yes"}
        column = Coded("", label, "logical", "nominal", _floats(held.to_pylist()), words)
    elif pa.types.is_string(held.type):
        column = Coded("", label, "text", "nominal", _texts(held))
    else:
        unit = (about.unit if about else None) or ""
        column = Coded("", label, "quantity", "scale", _floats(held.to_pylist()), unit=unit)
    made.add(name, column)
    if not column.texts:
        _unassigned(column, name, assigned)


def _unassigned(column: Coded, name: str, assigned: Any) -> None:
    if name in HEALTH_FIELDS:
        column.cells[~np.asarray(assigned)] = NOT_ASSIGNED[0]
        column.missing = dict([NOT_ASSIGNED])


def _question(made: Respondents, asked: Variable, held: pa.Array, why: Sequence[float | None]) -> None:
    shape, about = shape_of(asked.about["type"]) or WORDS, asked.about
    label = about.get("text") or asked.name
    said = {"wording": label, "notice": about.get("notice", ""), "unit": about.get("unit", "")}
    if not shape.coded:
        made.add(asked.name, Coded("", label, "text", "nominal", _texts(held), **said))
    elif pa.types.is_list(held.type):
        given, together = held.to_pylist(), made.name(asked.name)
        for number, level in enumerate(about.get("options", ()), 1):
            cells = _floats([None if row is None else _place(row, level, shape) for row in given])
            words = {} if shape is RANKING else dict(TICKED)
            kind: Kind = "place" if shape is RANKING else "option"
            option = Coded("", f"{level}: {label}", kind, shape.measure, cells, words, **said)
            option.of, option.of_label, option.option = together, label, level
            _say_why(made.add(f"{asked.name}_{number}", option), why)
    elif pa.types.is_dictionary(held.type):
        column = _levelled(held, label, "nominal")
        column.wording, column.notice, column.unit = said["wording"], said["notice"], said["unit"]
        _say_why(made.add(asked.name, column), why)
    else:
        _say_why(made.add(asked.name, _numeric(about, held, label, shape, said)), why)


def _numeric(about: Mapping[str, Any], held: pa.Array, label: str, shape: Shape, said: Any) -> Coded:
    ends = {float(about[end]): about.get(f"{end}_label") for end in ("min", "max") if end in about}
    words = {code: text for code, text in ends.items() if text}
    unit = f" ({about['unit']})" if "unit" in about else ""
    made = Coded("", f"{label}{unit}", "quantity", shape.measure, _floats(held.to_pylist()), words, **said)
    if shape is INTEGER and len(ends) == 2:
        made.points = (int(about["min"]), int(about["max"]))
    return made


def _place(row: Sequence[str], level: str, shape: Shape) -> float | None:
    """Return whether a level was chosen, or its place from 1; a level that was not ranked has none."""
    if shape is not RANKING:
        return float(level in row)
    return float(row.index(level) + 1) if level in row else None


def _say_why(column: Coded, why: Sequence[float | None]) -> None:
    """Fill missing answers with the code of the reason, below all answered values."""
    held = column.cells
    least = np.nanmin(held) if np.isfinite(held).any() else 0.0
    down = 0.0 if least > -90 else 1e9  # never a value that an agent gave
    for place, code in enumerate(why):
        if code is not None and np.isnan(held[place]):
            held[place] = code - down
    column.missing = {code - down: words for code, words in MISSING.values()}


def _levelled(held: pa.Array, label: str, measure: str) -> Coded:
    levels = _levels(held)
    numbers = {level: float(place) for place, level in enumerate(levels, 1)}
    cells = _floats([numbers.get(one) for one in held.to_pylist()])
    words = {code: level for level, code in numbers.items()}
    return Coded("", label, "single", measure, cells, words)


def _levels(held: pa.Array) -> list[str]:
    if pa.types.is_dictionary(held.type):
        return [level for level in held.dictionary.to_pylist() if level != ""]
    return sorted({one for one in held.to_pylist() if one is not None})


def _floats(cells: Sequence[Any]) -> Any:
    return np.array([np.nan if one is None else float(one) for one in cells], dtype=np.float64)


def _texts(held: pa.Array) -> list[str]:
    return [one or "" for one in held.to_pylist()]
