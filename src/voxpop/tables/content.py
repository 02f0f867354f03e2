"""What a table says, apart from how its file is written: canonical rows and their hashes.

The first line of the stream is the JSON list of column names; each row follows as a JSON list in key order.
Strings are written as RFC 8785 writes them, floats as text by ``repr``, times as RFC 3339 text in UTC,
missing as ``null``. The same cells give the same hash whatever library or compression wrote the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

_CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class Content:
    """The hashes of a table: of all of it, of each column, and a short one of each row."""

    rows: int
    sha256: str
    columns: dict[str, str]
    digests: list[str]


def content_of(table: pa.Table) -> Content:
    """Hash a table's rows in the order they have.

    Examples
    --------
    >>> one = content_of(pa.table({"key": ["switch"], "value": [12.5]}))
    >>> one.rows, one.digests, one.sha256[:8]
    (1, ['0d625684c21e14c7'], '96c36949')
    """
    encoder = msgspec.json.Encoder()
    whole = hashlib.sha256(encoder.encode(table.column_names) + b"\n")
    parts = {name: hashlib.sha256() for name in table.column_names}
    digests: list[str] = []
    for columns in _chunks(table):
        for name, values in columns.items():
            parts[name].update(b"\n".join(map(encoder.encode, values)) + b"\n")
        lines = [encoder.encode(row) for row in zip(*columns.values(), strict=True)]
        whole.update(b"\n".join(lines) + b"\n")
        digests.extend(hashlib.blake2b(line, digest_size=8).hexdigest() for line in lines)
    hashes = {name: part.hexdigest() for name, part in parts.items()}
    return Content(table.num_rows, whole.hexdigest(), hashes, digests)


def _chunks(table: pa.Table) -> Iterator[dict[str, list[Any]]]:
    for start in range(0, table.num_rows, _CHUNK):
        part = table.slice(start, _CHUNK)
        yield {name: _plain(part[name]) for name in table.column_names}


def _plain(column: pa.ChunkedArray) -> list[Any]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _plain(column.cast(kind.value_type))
    if pa.types.is_floating(kind):
        return [None if value is None else repr(value) for value in column.to_pylist()]
    if pa.types.is_timestamp(kind):
        return list(pc.strftime(column.cast(pa.timestamp("us")), format="%Y-%m-%dT%H:%M:%SZ").to_pylist())
    values: list[Any] = column.to_pylist()
    return values
