"""Variables of a survey: wording, kind, levels, codes, missing codes, and the set or grid of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import duckdb

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import enum_levels
from voxpop.vocabulary.fields import FIELDS, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.question_types import is_open, shape_of

Kind = Literal["category", "yes/no", "number", "text", "several", "date", "other"]
_DATES = ("date", "time", "timestamp", "timestamp_ns", "timestamp_ms", "timestamp_s")
_TEXTS = ("varchar", "uuid", "bit")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of a survey.

    Attributes
    ----------
    name : str
        The column.
    label : str
        Wording of the question, or the label in the file; empty without one.
    kind : {"category", "yes/no", "number", "text", "several", "date", "other"}
        What a respondent's answer is; "several" are any number of options.
    levels : tuple of str
        Levels in order, where they are declared.
    codes : dict
        Label of each code in the file, in order.
    missing : dict
        Label of each code that is no answer; ranges are named by their ends.
    lost : dict of str to int
        How many rows had each of these codes when the data were read.
    ordered : bool
        Whether the levels form a scale.
    members : tuple of str
        Columns that a multiple-response set was made of.
    part_of : str, optional
        The multiple-response set that this column is an option of.
    grid : str, optional
        The grid that this variable is a row of.
    measured : bool
        Whether the codes may be averaged; not those of a nominal variable.
    provenance : str, optional
        Who answered, where it differs from the survey's other variables.
    question : dict
        What a study knows of its question: type, scale, options, what the answers rest on.
    """

    name: str
    label: str = ""
    kind: Kind = "other"
    levels: tuple[str, ...] = ()
    codes: Mapping[Any, str] = field(default_factory=dict)
    missing: Mapping[Any, str] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    ordered: bool = False
    members: tuple[str, ...] = ()
    part_of: str | None = None
    grid: str | None = None
    measured: bool = True
    provenance: str | None = None
    question: Mapping[str, Any] = field(default_factory=dict)

    @property
    def about(self) -> dict[str, Any]:
        """Return what tables use: wording, type, ends of a scale, options, and the number of each level."""
        told: dict[str, Any] = dict(self.question)
        if self.label:
            told.setdefault("text", self.label)
        if told and not self.question.get("type"):
            told["ordered"] = self.ordered
        if self.kind == "several" and self.levels:
            told.setdefault("options", list(self.levels))
        if self.kind == "category" and self.measured and (numbers := _numbers(self.codes)):
            told["codes"] = numbers
            told.setdefault("ordered", self.ordered)
        return told

    def renamed(self, name: str) -> Variable:
        """Return the variable under another name."""
        return replace(self, name=name)

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.label or 'without a label'}"]
        lines.append(f"  {self.kind}{', ordered' if self.ordered else ''}")
        told = {label: code for code, label in self.codes.items()}
        for level in self.levels[:_SHOWN]:
            code = f"{_plain(told[level])} = " if level in told else ""
            lines.append(f"    {code}{level}")
        if len(self.levels) > _SHOWN:
            lines.append(f"    and {len(self.levels) - _SHOWN} more")
        if not self.levels and self.codes:
            lines.append("  labels: " + ", ".join(f"{_plain(c)} = {text}" for c, text in self.codes.items()))
        if self.missing:
            named = (f"{_plain(c)} = {text}" if text else _plain(c) for c, text in self.missing.items())
            lines.append("  missing: " + ", ".join(named))
        for text, count in self.lost.items():
            lines.append(f"    {text}: {count:,} rows")
        if self.members:
            lines.append(f"  made of {', '.join(self.members)}")
        if self.part_of:
            lines.append(f"  an option of {self.part_of}")
        if self.grid:
            lines.append(f"  a row of the grid {self.grid}")
        return "\n".join(lines)


class Variables(Mapping[str, Variable]):
    """The variables of a survey by name, in the order of its columns."""

    __slots__ = ("_held",)

    def __init__(self, held: Iterable[Variable] = ()) -> None:
        self._held = {one.name: one for one in held}

    def __getitem__(self, name: str) -> Variable:
        """Return a variable; an unknown name is an error with the nearest names."""
        if name not in self._held:
            raise UsageError(unknown_column(name, self._held))
        return self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return "\n".join(f"{one.name:<16} {one.kind:<9} {one.label}".rstrip() for one in self._held.values())

    def changed(self, *others: Variable) -> Variables:
        """Return the variables with some replaced, or added at the end."""
        return Variables({**self._held, **{one.name: one for one in others}}.values())

    def among(self, names: Iterable[str]) -> Variables:
        """Return the variables of some columns, in the order of the columns."""
        return Variables(self._held[name] for name in names if name in self._held)


def unknown_column(name: object, names: Iterable[str], whose: str = "The data have") -> str:
    """Return the message that there is no such column, with the nearest names.

    Examples
    --------
    >>> unknown_column("gendr", ["age", "gender"])
    "The data have no column 'gendr'; did you mean gender?"
    """
    held = list(names)
    known = find_field(str(name))
    near = [known.name] if known is not None and known.name in held else nearest(str(name), held)
    hint = did_you_mean(near) or f"; the columns are {', '.join(held[:_SHOWN])}"
    return f"{whose} no column {name!r}{hint}"


def variables_of(
    data: duckdb.DuckDBPyRelation,
    about: Mapping[str, Mapping[str, Any]] | None = None,
    known: Mapping[str, Variable] | None = None,
) -> Variables:
    """Describe the columns of a relation by their types, beside what is known of them already.

    Parameters
    ----------
    data : DuckDB relation
        The rows.
    about : dict, optional
        What a store says of its columns.
    known : dict of str to Variable, optional
        Variables of the survey that the rows were taken from.
    """
    made = []
    for name, kind in zip(data.columns, data.types, strict=True):
        before = (known or {}).get(name)
        if before is not None and before.kind in (kind_of(kind), "several"):
            made.append(before)
        else:
            made.append(_described(name, kind, (about or {}).get(name, {})))
    return Variables(made)


def _described(name: str, kind: Any, about: Mapping[str, Any]) -> Variable:
    field_of = FIELDS.get(name) if not about else None
    shape = shape_of(about.get("type"))
    levels = tuple(enum_levels(kind)) or tuple(about.get("options", ()))
    label = str(about.get("text") or (field_of.label if field_of is not None else ""))
    ordered = shape.ordered if shape is not None else field_of is not None and field_of.ordered
    named: Kind = "text" if is_open(about.get("type")) else kind_of(kind)
    if not levels and field_of is not None and named == "several":
        levels = tuple(field_of.levels)
    return Variable(name, label, named, levels, ordered=bool(ordered), question=about)


def kind_of(kind: Any) -> Kind:
    """Return the kind of variable that a DuckDB type holds."""
    if kind.id == "enum":
        return "category"
    if kind.id in ("list", "array"):
        return "several"
    if kind.id == "boolean":
        return "yes/no"
    if kind.id in _TEXTS:
        return "text"
    if kind.id in _DATES or kind.id.startswith("timestamp") or kind.id == "interval":
        return "date"
    return "number" if is_numeric(kind) else "other"


def is_integer(kind: Any) -> bool:
    """Return whether a DuckDB type is a whole number."""
    return bool(kind.id.endswith(("int", "integer")))


def is_numeric(kind: Any) -> bool:
    """Return whether a DuckDB type is a number."""
    return kind.id in ("double", "float", "decimal") or is_integer(kind)


def _numbers(codes: Mapping[Any, str]) -> dict[str, float]:
    """Return the number of each label; empty if a code is no number."""
    numbers = {text: code for code, text in codes.items()}
    if not all(isinstance(code, int | float) and not isinstance(code, bool) for code in numbers.values()):
        return {}
    return {text: float(code) for text, code in numbers.items()}


def _plain(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)
