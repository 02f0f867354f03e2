"""Arrow columns and streams of answers and agents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.engines.basis import Basis
from voxpop.records.bulk import StoredAnswers, moment
from voxpop.vocabulary.fields import in_records

_ORDER, _TIME = pa.list_(pa.int32()), pa.timestamp("us", tz="UTC")
_ANSWERS = pa.schema(
    [
        ("id", pa.int64()),
        ("study_id", pa.int64()),
        ("question_id", pa.int64()),
        ("agent_id", pa.int64()),
        ("job_id", pa.string()),
        ("response_text", pa.string()),
        pa.field("value", pa.string(), metadata={"encoding": "json"}),
        ("option_order", _ORDER),
        ("answered_at", _TIME),
        ("engine", pa.string()),
        ("basis", pa.string()),
        ("basis_note", pa.string()),
        ("agent_removed", pa.bool_()),
    ]
)

_TEXT, _WHOLE = pa.string(), pa.int64()
_TYPES = {
    "text": _TEXT,
    "texts": pa.list_(pa.string()),
    "boolean": pa.bool_(),
    "integer": _WHOLE,
    "number": pa.float64(),
}
_PROVENANCE = ("source", "method_version", "calibration_version", "reference_version")


def _agents_schema() -> pa.Schema:
    """Return the columns of agents: the keys of their records, and whether each was removed."""
    record = [(row.record_key, _TYPES[row.sent]) for row in in_records(health=False)]
    record.insert([name for name, _ in record].index("state") + 1, ("city", _TEXT))
    profile = [(row.record_key, _TYPES[row.sent]) for row in in_records(health=True)]
    profile += [(name, _TEXT) for name in _PROVENANCE]
    return pa.schema(
        [
            *(("id", _WHOLE), ("uuid", _TEXT), ("name", _TEXT), *record, ("summary", _TEXT)),
            ("health_profile", pa.struct(profile)),
            ("profile_provenance", _TEXT),
            ("agent_removed", pa.bool_()),
            ("inclusion_probability", pa.float64()),
            ("design_weight", pa.float64()),
        ]
    )


_AGENTS = _agents_schema()
_SCHEMAS = {"answers": _ANSWERS, "agents": _AGENTS}
_decoder = msgspec.json.Decoder(list[str | None])
_codes = msgspec.json.Decoder(list[int | None])
_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


def answers(study_id: int, stored: StoredAnswers, removed: Collection[int]) -> pa.RecordBatch:
    """Convert stored answers of a study to columns; ``removed`` holds the removed agents."""
    told, many = stored.told, stored.many
    agents = _numbers(told["agent_id"])
    columns = [
        _numbers(told["id"]),
        pa.repeat(pa.scalar(study_id, _WHOLE), many),
        _numbers(told["question_id"]),
        agents,
        *(_texts(told[name], many) for name in ("job_id", "text", "value")),
        _distinct(_texts(told["option_order"], many), msgspec.json.decode, _ORDER),
        _distinct(_texts(told["answered_at"], many), moment, _TIME),
        _texts(told["engine"], many),
        *_bases(told["basis_code"], stored.bases),
        pc.is_in(agents, value_set=pa.array(removed, _WHOLE)),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=_ANSWERS)
    ascending = bool((np.diff(columns[0]) > 0).all())
    return batch if ascending else batch.sort_by("id")


def agents(
    columns: pa.Table,
    removed: Sequence[bool],
    shares: Sequence[float | None] | None = None,
    weights: Sequence[float | None] | None = None,
) -> pa.RecordBatch:
    """Convert agent columns to their wire form, with the marks and weights of a study's agents."""
    arrays = [columns[field.name].combine_chunks().cast(field.type) for field in list(_AGENTS)[:-3]]
    numbers = [
        pa.nulls(len(removed), pa.float64()) if one is None else pa.array(one, pa.float64())
        for one in (shares, weights)
    ]
    return pa.RecordBatch.from_arrays([*arrays, pa.array(removed, pa.bool_()), *numbers], schema=_AGENTS)


def stream(name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[bytes | memoryview]:
    """Yield an Arrow stream of ``answers`` or ``agents`` in chunks."""
    yield memoryview(_SCHEMAS[name].serialize())
    for batch in batches:
        yield memoryview(batch.serialize())
    yield _END


def _numbers(told: str) -> pa.Array:
    """Parse a JSON list of integers."""
    return pa.array(np.fromstring(told[1:-1], np.int64, sep=","))


def _texts(told: str, many: int) -> pa.Array:
    """Parse a JSON list of strings and nulls without creating Python strings where possible.

    Without backslashes no string contains a quotation mark, so a comma between two of them ends a string.
    """
    first, _, _ = told[1:-1].partition(",")
    if told == f"[{','.join([first] * many)}]":
        return pa.repeat(pa.scalar(msgspec.json.decode(first), _TEXT), many)
    if "\\" not in told and told.startswith('["') and told.endswith('"]'):
        inside = told[2:-2]
        for between in ('","', '", "'):  # as written by SQLite and by PostgreSQL
            if inside.count(between) == many - 1:
                return pc.split_pattern(pa.array([inside]), between).flatten()
    return pa.array(_decoder.decode(told), _TEXT)


def _bases(told: str, bases: Mapping[int, Basis]) -> tuple[pa.Array, pa.Array]:
    """Return the kind and the note behind each number of a JSON list of numbers and nulls."""
    codes = (
        _numbers(told) if "null" not in told else pa.array(_codes.decode(told), _WHOLE)
    ).dictionary_encode()
    known = [bases[code] for code in codes.dictionary.to_pylist()]
    kinds, notes = [one.kind for one in known], [one.note for one in known]
    return pa.array(kinds, _TEXT).take(codes.indices), pa.array(notes, _TEXT).take(codes.indices)


def _distinct(texts: pa.Array, read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Parse a column of strings, each distinct one once."""
    encoded = texts.dictionary_encode()
    return pa.array(map(read, encoded.dictionary.to_pylist()), kind).take(encoded.indices)
