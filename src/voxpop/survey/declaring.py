"""Declaring whether agents or people gave the answers, and asking for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import is_frame, plain_data
from voxpop.survey.provenance import DECLARED, PROVENANCE_COLUMN, Declared, Provenance, provenance_held
from voxpop.survey.sql import literal, quote
from voxpop.survey.survey import Survey

Data = TypeVar("Data")


def declare(data: Data, provenance: Declared) -> Data:
    """Return the data with the declaration that agents or people gave the answers.

    Tables, charts and lists word their notes accordingly: answers of agents are not evidence about people,
    and their intervals have another meaning. Data without a declaration get neutral notes.

    Parameters
    ----------
    data : Survey, DataFrame, Arrow table or DuckDB relation
        One row per respondent. Not modified. ``store.respondents(study)`` already declares "simulated".
    provenance : {"human", "simulated"}
        The kind of respondents.

    Returns
    -------
    Survey, DataFrame, Table or relation
        The data with a column ``voxpop_provenance``.

    Raises
    ------
    UsageError
        If the value or the type of the data is not supported, or rows declare the opposite.

    Examples
    --------
    >>> survey = pa.table({"switch": ["yes", "no"]})
    >>> provenance_of(survey), provenance_of(declare(survey, "human"))
    ('unknown', 'human')
    """
    if provenance not in DECLARED:
        raise UsageError(f"provenance must be {' or '.join(DECLARED)}, not {provenance!r}.")
    held = provenance_of(data)
    if held not in ("unknown", provenance):
        raise UsageError(f"These data are already declared as {held}; declare each part before joining them.")
    marked: Data = _marked(data, provenance)
    return marked


def _marked(data: Any, provenance: Declared) -> Any:
    """Return data of any kind with a provenance column."""
    if isinstance(data, Survey):
        return data.with_provenance(provenance)
    data = plain_data(data)
    if isinstance(data, pa.Table):
        column = pa.array([provenance] * data.num_rows, pa.string())
        if PROVENANCE_COLUMN in data.column_names:
            return data.set_column(data.column_names.index(PROVENANCE_COLUMN), PROVENANCE_COLUMN, column)
        return data.append_column(PROVENANCE_COLUMN, column)
    if isinstance(data, duckdb.DuckDBPyRelation):
        names = [quote(name) for name in data.columns if name != PROVENANCE_COLUMN]
        return data.project(", ".join([*names, f"{literal(provenance)} AS {PROVENANCE_COLUMN}"]))
    if not is_frame(data):
        raise UsageError(
            "data must be a pandas DataFrame, an Arrow table or a DuckDB relation, "
            f"not {type(data).__name__}."
        )
    return data.assign(**{PROVENANCE_COLUMN: provenance})


def provenance_of(data: Any, names: Iterable[str] | None = None) -> Provenance:
    """Return the provenance of the answers in data: simulated, human, mixed or unknown.

    Parameters
    ----------
    data : Survey, DataFrame, Arrow table or DuckDB relation
        Other types have unknown provenance.
    names : iterable of str, optional
        Ask for these variables of a survey alone.

    Raises
    ------
    UsageError
        If the column ``voxpop_provenance`` has an unknown value.
    """
    if not isinstance(data, Survey):
        return provenance_held(plain_data(data))
    return data.provenance if names is None else data.provenance_among(names)
