"""Content hashes of tables, independent of file format: canonical rows and their hash.

The first line of the stream is the JSON list of column names; each row follows as a JSON list in key order.
Strings are encoded as in RFC 8785, floats as text by ``repr``, times as RFC 3339 text in UTC, and missing
values as ``null``. Equal cells give equal hashes whatever library or compression wrote the file. Lines are
built column by column in batches, so time and memory stay bounded for long tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

CHUNK = 32_768
"""Rows per batch."""

_MOST_BYTES = 1 << 27
_AWKWARD = '["\\\\\\x00-\\x1f]'  # characters that JSON escapes
_encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a table: number of rows and their hash."""

    rows: int
    sha256: str


class Hasher:
    """Incremental hash of a table; :meth:`add` its parts in order, then read :attr:`content`."""

    def __init__(self, names: list[str]) -> None:
        self._whole = hashlib.sha256(_encode(names) + b"\n")
        self._rows = 0

    def add(self, table: pa.Table) -> None:
        """Add the next rows."""
        step = max(1, min(CHUNK, table.num_rows * _MOST_BYTES // max(table.nbytes, 1)))
        for start in range(0, table.num_rows, step):
            for block in _blocks(lines_of(table.slice(start, step).combine_chunks())):
                self._whole.update(block)
        self._rows += table.num_rows

    @property
    def content(self) -> Content:
        """Return the hash of all rows added."""
        return Content(self._rows, self._whole.hexdigest())


def content_of(table: pa.Table) -> Content:
    """Hash the rows of a table in their order.

    Examples
    --------
    >>> one = content_of(pa.table({"key": ["switch"], "value": [12.5]}))
    >>> one.rows, one.sha256[:8]
    (1, '96c36949')
    """
    hasher = Hasher(table.column_names)
    hasher.add(table)
    return hasher.content


def content_of_file(path: Path) -> Content:
    """Hash the rows of a Parquet file, a row group at a time."""
    with pq.ParquetFile(path) as file:
        hasher = Hasher(file.schema_arrow.names)
        for place in range(file.num_row_groups):
            hasher.add(file.read_row_group(place))
        return hasher.content


def lines_of(part: pa.Table) -> pa.Array:
    """Return each row as a JSON list with a line break."""
    texts = [cells_of(part[name]) for name in part.column_names]
    joined = texts[0] if len(texts) == 1 else pc.binary_join_element_wise(*texts, ",")
    return pc.binary_join_element_wise("[", joined, "]\n", "")


def cells_of(column: Any) -> pa.Array:
    """Return each cell of a column as JSON."""
    return _json(_array(column))


def _blocks(texts: pa.Array) -> Iterator[memoryview]:
    """Return the concatenated bytes of texts without a copy."""
    _, ends, data = texts.buffers()
    if data is not None and len(texts):
        wide = pa.types.is_large_string(texts.type)
        places = memoryview(ends).cast("q") if wide else memoryview(ends).cast("i")
        yield memoryview(data)[places[texts.offset] : places[texts.offset + len(texts)]]


def _array(column: Any) -> pa.Array:
    held = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return held.chunk(0) if isinstance(held, pa.ChunkedArray) else held


def _json(column: pa.Array) -> pa.Array:
    """Return each cell of a column as JSON text."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _json(column.cast(kind.value_type))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        made = _json_of_lists(column)
    elif pa.types.is_boolean(kind):
        made = pc.if_else(column, "true", "false")
    elif pa.types.is_timestamp(kind):
        text = column.cast(pa.timestamp("us")).cast(pa.string())
        made = pc.binary_join_element_wise('"', pc.replace_substring(text, " ", "T"), 'Z"', "")
    elif pa.types.is_floating(kind):
        made = _by_value(column, lambda value: _encode(repr(value)))
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        made = _json_of_texts(column)
    else:
        made = column.cast(pa.string())
    return pc.fill_null(made, "null")


def _json_of_texts(column: pa.Array) -> pa.Array:
    quoted = pc.binary_join_element_wise('"', column, '"', "")
    if not _holds_awkward(column):
        return quoted
    awkward = pc.fill_null(pc.match_substring_regex(column, _AWKWARD), False)
    escaped = [_encode(text).decode() for text in column.filter(awkward).to_pylist()]
    return pc.replace_with_mask(quoted, awkward, pa.array(escaped, quoted.type))


def _holds_awkward(column: pa.Array) -> bool:
    """Search all bytes at once, which is ten times faster than text by text."""
    for block in _blocks(column):
        held = np.frombuffer(block, np.uint8)
        if ((held < 0x20) | (held == ord('"')) | (held == ord("\\"))).any():
            return True
    return False


def _json_of_lists(column: pa.Array) -> pa.Array:
    items = _json(pc.list_flatten(column))
    lengths = pc.fill_null(pc.list_value_length(column), 0)
    ends = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths.cast(pa.int64()))])
    lists = pa.LargeListArray.from_arrays(ends, items)
    joined = pc.binary_join_element_wise("[", pc.binary_join(lists, ","), "]", "")
    return pc.if_else(column.is_valid(), joined, pa.scalar(None, joined.type))


def _by_value(column: pa.Array, write: Callable[[Any], bytes]) -> pa.Array:
    """Encode each distinct value once."""
    held = column.dictionary_encode()
    texts = pa.array([write(value).decode() for value in held.dictionary.to_pylist()], pa.string())
    return texts.take(held.indices)
