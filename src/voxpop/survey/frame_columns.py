"""Columns of a DataFrame, an Arrow table or a DuckDB relation as types that DuckDB and tables support.

Types that DuckDB lacks (periods, intervals, dates with a time zone) are converted to ordered labels.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.errors import UsageError

Held = tuple[Any, Sequence[str]]
"""An Arrow column and its declared levels."""

_AS_TEXT = ("interval", "uuid", "time with time zone", "bit")
_NESTED = ("struct", "map", "union")


def plain_data(data: Any) -> Any:
    """Return Polars and other tables that stream Arrow data as an Arrow table, and other data unchanged."""
    if isinstance(data, pa.Table | duckdb.DuckDBPyRelation) or is_frame(data):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):
        data = data.collect()  # a lazy frame of Polars
    is_table = hasattr(data, "columns") or hasattr(data, "schema")  # a Series streams Arrow data as well
    return pa.table(data) if is_table and hasattr(data, "__arrow_c_stream__") else data


def is_frame(data: Any) -> bool:
    """Return whether the data are a DataFrame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def label_of(value: Any) -> str:
    """Return the level label of a value.

    Examples
    --------
    >>> [label_of(value) for value in (True, 2.0, 2.5, "2")]
    ['yes', '2', '2.5', '2']
    """
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def column_names(data: Any) -> list[str]:
    """Return the names of the columns as text; refuse anything that is no table."""
    if isinstance(data, pa.Table):
        return list(data.column_names)
    if is_frame(data):
        return list(map(str, data.columns))
    raise UsageError(
        f"data must be a pandas DataFrame, an Arrow table or a DuckDB relation, not {type(data).__name__}."
    )


def refuse_repeats(names: Sequence[str]) -> None:
    """Refuse columns with the same name."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(f"The data have several columns named {', '.join(repeated)}.")


def enum_levels(kind: Any) -> Sequence[str]:
    """Return the levels of an ENUM, or of a LIST of ENUM."""
    if kind.id == "list":
        return enum_levels(kind.children[0][1])
    return tuple(kind.children[0][1]) if kind.id == "enum" else ()


def projected(data: duckdb.DuckDBPyRelation, sql: Mapping[str, str]) -> duckdb.DuckDBPyRelation:
    """Select columns by position, under internal names and with supported types."""
    places = {name: place for place, name in enumerate(data.columns)}
    kinds = data.types
    parts = [f"{cast(name, places[name], kinds[places[name]])} AS {own}" for name, own in sql.items()]
    return data.project(", ".join(parts))


def cast(name: str, place: int, kind: Any) -> str:
    """Return the SQL expression of a column, by position, cast to a type supported by tables."""
    column = f"#{place + 1}"
    if kind.id in _NESTED:
        raise refused(name, kind)
    if kind.id in _AS_TEXT:
        return f"{column}::VARCHAR"
    return f"{column}::{kind.children[0][1]}[]" if kind.id == "array" else column


def refused(name: str, kind: Any) -> UsageError:
    """Return the error for a column of a type that tables do not take."""
    return UsageError(
        f"{name!r} holds {kind}; tables take text, numbers, booleans, dates, categories, or lists of these."
    )


def arrow_table(data: Any, names: list[str]) -> tuple[pa.Table, dict[str, Sequence[str]]]:
    """Return columns as an Arrow table of supported types, with their declared levels."""
    if isinstance(data, duckdb.DuckDBPyRelation):
        sql = {name: f"c{place}" for place, name in enumerate(names)}
        data = projected(data, sql).to_arrow_table().rename_columns(names)
    held: dict[str, Held] = {}
    for name in names:
        column = data[name] if isinstance(data, pa.Table) else series(data, name)
        try:
            held[name] = _plain(name, column) if isinstance(data, pa.Table) else _of_series(name, column)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise UsageError(f"Column {name!r} mixes types of values: {error}") from error
        except pa.ArrowNotImplementedError:
            raise refused(name, column.dtype if is_frame(data) else column.type) from None
    table = pa.table([column for column, _ in held.values()], names=names)
    return table, {name: declared for name, (_, declared) in held.items()}


def series(data: Any, name: str) -> Any:
    """Return a column of a DataFrame by its name as text."""
    return data.iloc[:, list(map(str, data.columns)).index(name)]


def _of_series(name: str, values: Any) -> Held:
    """Convert a column of a DataFrame to Arrow."""
    import pandas as pd

    values = values.infer_objects() if values.dtype == object else values
    kind = values.dtype
    if isinstance(kind, pd.SparseDtype):
        values = values.sparse.to_dense()
    if isinstance(kind, pd.CategoricalDtype):
        categories = kind.categories
        if isinstance(categories.dtype, pd.StringDtype) or pd.api.types.is_numeric_dtype(categories.dtype):
            return _plain(name, pa.Array.from_pandas(values))
        return _labelled(name, values.cat.codes.to_numpy(), categories)
    if isinstance(kind, pd.PeriodDtype | pd.IntervalDtype | pd.DatetimeTZDtype) or kind.kind == "m":
        codes, different = values.factorize(sort=True)
        return _labelled(name, codes, different)
    return _plain(name, pa.Array.from_pandas(values))


def _labelled(name: str, codes: npt.NDArray[Any], values: Any) -> Held:
    """Return a column of labels in the order of its values."""
    labels = [label_of(value) for value in values]
    _refuse_alike(name, labels)
    places = pa.array(codes, pa.int32(), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(places, pa.array(labels, pa.string())), labels


def _refuse_alike(name: str, labels: Sequence[str]) -> None:
    if alike := sorted({label for label in labels if labels.count(label) > 1}):
        raise UsageError(f"{name!r} has several levels with the same label {alike[0]!r}; rename one of them.")


def _plain(name: str, column: Any) -> Held:
    """Convert an Arrow column to a type supported by DuckDB and by tables."""
    kind, types = column.type, pa.types
    column = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if isinstance(kind, pa.BaseExtensionType):
        return _extension(name, column)
    if (types.is_timestamp(kind) and kind.tz is not None) or types.is_duration(kind):
        return _of_series(name, column.to_pandas())
    if types.is_dictionary(kind):
        return _dictionary(name, column)
    if types.is_fixed_size_list(kind) or types.is_list_view(kind) or types.is_large_list_view(kind):
        return _plain(name, column.cast(pa.list_(kind.value_type)))
    if types.is_list(kind) or types.is_large_list(kind):
        if types.is_nested(kind.value_type) and not types.is_dictionary(kind.value_type):
            raise refused(name, kind)
        return column, _listed(name, column)
    if types.is_null(kind) or types.is_string_view(kind):
        return column.cast(pa.string()), ()
    if types.is_float16(kind):
        return column.cast(pa.float32()), ()
    if types.is_nested(kind):
        raise refused(name, kind)
    return column, ()


def _extension(name: str, column: pa.ChunkedArray) -> Held:
    """Convert periods and intervals to ordered labels, and other extension types to text."""
    import pandas as pd

    values = column.to_pandas()
    if isinstance(values.dtype, pd.PeriodDtype | pd.IntervalDtype):
        return _of_series(name, values)
    return pa.array([None if value is None else str(value) for value in values], pa.string()), ()


def _dictionary(name: str, column: pa.ChunkedArray) -> Held:
    """Return categories as labels, or as numbers or booleans if they are such, with their order."""
    if not column.num_chunks:
        return column.cast(pa.string()), ()
    if pa.types.is_string_view(column.type.value_type):
        column = column.cast(pa.dictionary(pa.int32(), pa.string()))
    column = column.unify_dictionaries()
    values = column.chunk(0).dictionary
    if values.null_count:
        return _plain(name, pc.dictionary_encode(column.cast(values.type)))
    labels = [label_of(value) for value in values.to_pylist()]
    _refuse_alike(name, labels)
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        return column, labels
    if _is_simple(values.type):
        return column.cast(values.type), labels
    codes = np.asarray(pc.fill_null(column.combine_chunks().indices, -1))
    return _labelled(name, codes, values.to_pandas())


def _is_simple(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _listed(name: str, column: pa.ChunkedArray) -> Sequence[str]:
    """Return the levels declared by lists of categories."""
    if not pa.types.is_dictionary(column.type.value_type) or not column.num_chunks:
        return ()
    flat = pa.chunked_array([pc.list_flatten(part) for part in column.chunks], column.type.value_type)
    return _dictionary(name, flat)[1]
