"""Rows and labels as a source has them, before levels and missing values are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import duckdb

Measure = Literal["nominal", "ordinal", "scale", "unknown"]


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Columns that are the options of one question.

    Attributes
    ----------
    columns : tuple of str
        One column per option, or per mention.
    label : str
        Wording of the question.
    counted : optional
        The value that means chosen; None in a set of mentions, or where it is not said.
    mentions : bool, optional
        Whether each column holds the code of an option; None where it is not said.
    """

    columns: tuple[str, ...]
    label: str = ""
    counted: Any = None
    mentions: bool | None = None


@dataclass(slots=True)
class Raw:
    """A source's rows with its labels.

    Attributes
    ----------
    name : str
        Name of the survey.
    rows : DuckDB relation
        One row per respondent, with codes as in the file.
    labels : dict of str to str
        Wording of each column that has one.
    codes : dict of str to dict
        For each labelled column the label of each code, in the order of the codes.
    missing : dict of str to list
        Codes that are no answer: values, and pairs of the ends of a range.
    missing_labels : dict of str to dict
        Label of each code that is no answer, where the rows do not hold the codes (Stata).
    lost : dict of str to dict
        How many rows had each code that is no answer, where the rows do not hold the codes.
    measures : dict of str to str
        Whether the file calls a column nominal, ordinal or scale.
    sets : dict of str to OptionSet
        Multiple-response sets by name.
    levels : dict of str to tuple
        Declared levels of columns that hold labels.
    ordered : set of str
        Columns with ordered levels.
    about : dict of str to dict
        What voxpop wrote about a column.
    known : dict of str to Variable
        What a survey that is opened again knows of its variables.
    source, provenance : str
        What voxpop wrote about the whole.
    notes : list of str
        What reading found.
    """

    name: str
    rows: duckdb.DuckDBPyRelation
    labels: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[Any, str]] = field(default_factory=dict)
    missing: dict[str, list[Any]] = field(default_factory=dict)
    missing_labels: dict[str, dict[Any, str]] = field(default_factory=dict)
    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    sets: dict[str, OptionSet] = field(default_factory=dict)
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: set[str] = field(default_factory=set)
    about: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    provenance: Any = None
    notes: list[str] = field(default_factory=list)
