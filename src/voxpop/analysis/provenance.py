"""Provenance of answers: simulated agents, people, both, or unknown.

Provenance is stored with the data. Rows returned by voxpop have a column ``voxpop_provenance``, which
survives filters, joins, files and ``pandas.concat``. Other data can declare it as a whole, in
``attrs["voxpop"]["provenance"]`` of a DataFrame or in the metadata of an Arrow table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar, get_args

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import UsageError
from voxpop.tables.schema import PROVENANCE_COLUMN, literal, quote

Provenance = Literal["simulated", "human", "mixed", "unknown"]

Declared = Literal["simulated", "human"]
DECLARED: tuple[str, ...] = get_args(Declared)
Data = TypeVar("Data")


def declare(data: Data, provenance: Declared) -> Data:
    """Return the data with the declaration that agents or people gave the answers.

    Tables, charts and lists word their notes accordingly: answers of agents are not evidence about people,
    and their intervals have another meaning. Data without a declaration get neutral notes.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per respondent. Not modified. ``store.respondents(study)`` already declares "simulated".
    provenance : {"human", "simulated"}
        The kind of respondents.

    Returns
    -------
    DataFrame, Table or relation
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


def _marked(data: Any, provenance: str) -> Any:
    """Return data of any kind with a provenance column."""
    if isinstance(data, pa.Table):
        column = pa.array([provenance] * data.num_rows, pa.string())
        if PROVENANCE_COLUMN in data.column_names:
            return data.set_column(data.column_names.index(PROVENANCE_COLUMN), PROVENANCE_COLUMN, column)
        return data.append_column(PROVENANCE_COLUMN, column)
    if isinstance(data, duckdb.DuckDBPyRelation):
        names = [quote(name) for name in data.columns if name != PROVENANCE_COLUMN]
        return data.project(", ".join([*names, f"{literal(provenance)} AS {PROVENANCE_COLUMN}"]))
    if not _is_frame(data):
        raise UsageError(
            "data must be a pandas DataFrame, an Arrow table or a DuckDB relation, "
            f"not {type(data).__name__}."
        )
    return data.assign(**{PROVENANCE_COLUMN: provenance})


def provenance_of(data: Any) -> Provenance:
    """Return the provenance of the answers in data.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        Other types have unknown provenance.

    Returns
    -------
    {"simulated", "human", "mixed", "unknown"}
        "mixed" also if only some of the rows declare their provenance.

    Raises
    ------
    UsageError
        If the column ``voxpop_provenance`` has an unknown value.
    """
    if isinstance(data, duckdb.DuckDBPyRelation):
        if PROVENANCE_COLUMN not in data.columns:
            return "unknown"
        if data.alias.startswith("respondents_"):
            return "simulated"  # the view of a store: the rows need not be read
        return _of_rows(value for (value,) in data.project(PROVENANCE_COLUMN).distinct().fetchall())
    if isinstance(data, pa.Table):
        if PROVENANCE_COLUMN in data.column_names:
            return _of_rows(pc.unique(data[PROVENANCE_COLUMN]).to_pylist())
        return _of_whole(json.loads((data.schema.metadata or {}).get(b"voxpop", b"{}")))
    if not _is_frame(data):
        return "unknown"
    if PROVENANCE_COLUMN in data.columns:
        return _of_rows(data[PROVENANCE_COLUMN].unique())
    return _of_whole(data.attrs.get("voxpop"))


def _of_rows(values: Iterable[Any]) -> Provenance:
    kinds = {value if isinstance(value, str) else "unknown" for value in values}
    if strange := sorted(kinds - {*DECLARED, "unknown"}):
        raise UsageError(f"{PROVENANCE_COLUMN!r} holds {strange[0]!r}; allowed are simulated, human or null.")
    if len(kinds) > 1:
        return "mixed"
    return "simulated" if "simulated" in kinds else "human" if "human" in kinds else "unknown"


def _of_whole(told: Any) -> Provenance:
    given = told.get("provenance") if isinstance(told, Mapping) else None
    if given is None:  # data of earlier versions declare only an engine or a population
        source = str(told.get("source", "")) if isinstance(told, Mapping) else ""
        return "simulated" if source.startswith(("engine ", "population ")) else "unknown"
    if given not in (*DECLARED, "mixed", "unknown"):
        raise UsageError(f"provenance is {given!r}; allowed are {', '.join(DECLARED)}, mixed and unknown.")
    return given  # type: ignore[no-any-return]


def _is_frame(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)
