"""Provenance of answers: simulated agents, people, both, or unknown.

Provenance is stored with the data. Rows returned by voxpop have a column ``voxpop_provenance``, which
survives filters, joins, files and ``pandas.concat``. Other data can declare it as a whole, in
``attrs["voxpop"]["provenance"]`` of a DataFrame or in the metadata of an Arrow table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import is_frame

Provenance = Literal["simulated", "human", "mixed", "unknown"]

Declared = Literal["simulated", "human"]
PROVENANCE_COLUMN = "voxpop_provenance"
"""Origin of each row: ``simulated`` in data from a store; other data may say ``human``."""

DECLARED: tuple[str, ...] = get_args(Declared)


def provenance_held(data: Any) -> Provenance:
    """Return the provenance that a DataFrame, an Arrow table or a relation declares.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
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
    if not is_frame(data):
        return "unknown"
    if PROVENANCE_COLUMN in data.columns:
        return _of_rows(data[PROVENANCE_COLUMN].unique())
    return _of_whole(data.attrs.get("voxpop"))


def read_provenance(given: Any) -> Provenance:
    """Return a provenance as given; refuse other words."""
    if given not in (*DECLARED, "mixed", "unknown"):
        raise UsageError(f"provenance must be {', '.join(DECLARED)}, mixed or unknown, not {given!r}.")
    return given  # type: ignore[no-any-return]


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
