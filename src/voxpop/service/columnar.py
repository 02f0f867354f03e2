"""Arrow columns and streams of answers and agents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.records.bulk import StoredAnswers, moment

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
        ("agent_removed", pa.bool_()),
    ]
)

_TEXT, _WHOLE, _REAL, _TEXTS = pa.string(), pa.int64(), pa.float64(), pa.list_(pa.string())
_HEALTH = pa.struct(
    [
        ("conditions", _TEXTS),
        ("drug_classes", _TEXTS),
        ("rx_medication_count", _WHOLE),
        ("smoking_status", _TEXT),
        ("alcohol_use", _TEXT),
        ("physical_activity_level", _TEXT),
        ("sleep_quality", _TEXT),
        ("diet_quality", _TEXT),
        ("bmi", _REAL),
        ("bmi_class", _TEXT),
        ("phq9_score", _REAL),
        ("phq9_severity", _TEXT),
        ("source", _TEXT),
        ("method_version", _TEXT),
        ("calibration_version", _TEXT),
        ("reference_version", _TEXT),
    ]
)
_AGENTS = pa.schema(
    [
        ("id", _WHOLE),
        ("uuid", _TEXT),
        ("name", _TEXT),
        ("age", _WHOLE),
        ("gender", _TEXT),
        ("country", _TEXT),
        ("state", _TEXT),
        ("city", _TEXT),
        ("ethnicity", _TEXT),
        ("is_parent", pa.bool_()),
        ("education", _TEXT),
        ("household_income", _TEXT),
        ("urban_rural", _TEXT),
        ("occupation", _TEXT),
        ("occupation_major_group", _TEXT),
        ("industry", _TEXT),
        ("labour_status", _TEXT),
        ("title_variant", _TEXT),
        ("summary", _TEXT),
        ("health_profile", _HEALTH),
        ("agent_removed", pa.bool_()),
    ]
)

_SCHEMAS = {"answers": _ANSWERS, "agents": _AGENTS}
_decoder = msgspec.json.Decoder(list[str | None])
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
        pc.is_in(agents, value_set=pa.array(removed, _WHOLE)),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=_ANSWERS)
    ascending = bool((np.diff(columns[0]) > 0).all())
    return batch if ascending else batch.sort_by("id")


def agents(columns: pa.Table, removed: Sequence[bool]) -> pa.RecordBatch:
    """Convert agent columns to their wire form, with a flag for removed agents."""
    arrays = [columns[field.name].combine_chunks().cast(field.type) for field in list(_AGENTS)[:-1]]
    return pa.RecordBatch.from_arrays([*arrays, pa.array(removed, pa.bool_())], schema=_AGENTS)


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


def _distinct(texts: pa.Array, read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Parse a column of strings, each distinct one once."""
    encoded = texts.dictionary_encode()
    return pa.array(map(read, encoded.dictionary.to_pylist()), kind).take(encoded.indices)
