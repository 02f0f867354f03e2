"""Where answers come from: simulated agents, people, both of them, or nobody knows.

It travels with the data. Rows that voxpop hands out say it themselves, in the column ``voxpop_provenance``,
so that it outlives filters, joins, files and ``pandas.concat``. Data without it may say it as a whole: in
``attrs["voxpop"]["provenance"]`` of a DataFrame, or in the metadata of an Arrow table.
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
    """Return data that say whether agents or people gave their answers.

    Tables, charts and lists word their notes by it: what agents answer is no evidence about people, and an
    interval means something else. Data that say nothing get notes that claim nothing.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per respondent. It is not changed. ``store.respondents(study)`` says "simulated" by itself.
    provenance : {"human", "simulated"}
        Who answered.

    Returns
    -------
    DataFrame, Table or relation
        The same with a column ``voxpop_provenance``.

    Raises
    ------
    UsageError
        For another word, other data, or rows that say the opposite.

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
        raise UsageError(f"These data are {held} already; declare each part before they are joined.")
    marked: Data = _marked(data, provenance)
    return marked


def _marked(data: Any, provenance: str) -> Any:
    """Return data of any kind with the column that says where they come from."""
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
    """Tell where the answers in data come from.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        Anything else is of unknown provenance.

    Returns
    -------
    {"simulated", "human", "mixed", "unknown"}
        "mixed" also where only some of the rows say what they are.

    Raises
    ------
    UsageError
        When the column ``voxpop_provenance`` holds another word.
    """
    if isinstance(data, duckdb.DuckDBPyRelation):
        if PROVENANCE_COLUMN not in data.columns:
            return "unknown"
        if data.alias.startswith("respondents_"):
            return "simulated"  # a store's own view: no need to look at its rows
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
        raise UsageError(
            f"{PROVENANCE_COLUMN!r} holds {strange[0]!r}; each row says simulated, human or nothing."
        )
    if len(kinds) > 1:
        return "mixed"
    return "simulated" if "simulated" in kinds else "human" if "human" in kinds else "unknown"


def _of_whole(told: Any) -> Provenance:
    given = told.get("provenance") if isinstance(told, Mapping) else None
    if given is None:  # data of an earlier version name their engine or population only
        source = str(told.get("source", "")) if isinstance(told, Mapping) else ""
        return "simulated" if source.startswith(("engine ", "population ")) else "unknown"
    if given not in (*DECLARED, "mixed", "unknown"):
        raise UsageError(f"provenance says {given!r}; it is {', '.join(DECLARED)}, mixed or unknown.")
    return given  # type: ignore[no-any-return]


def _is_frame(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)
