"""Answers and agents as Arrow columns, and batches of them as one stream."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.population.agents import Agent
from voxpop.records.bulk import AnswerColumns, moment

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


def answers(study_id: int, stored: AnswerColumns, removed: Collection[int]) -> pa.RecordBatch:
    """Put stored answers of a study into columns; ``removed`` are the agents that are in it no longer."""
    agents = pa.array(stored.agent_id, _WHOLE)
    columns = [
        pa.array(stored.id, _WHOLE),
        pa.repeat(pa.scalar(study_id, _WHOLE), len(agents)),
        pa.array(stored.question_id, _WHOLE),
        agents,
        pa.array(stored.job_id, _TEXT),
        pa.array(stored.text, _TEXT),
        pa.array(stored.value, _TEXT),
        _distinct(stored.option_order, msgspec.json.decode, _ORDER),
        _distinct(stored.answered_at, moment, _TIME),
        pa.array(stored.engine, _TEXT),
        pc.is_in(agents, value_set=pa.array(removed, _WHOLE)),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_ANSWERS)


def agents(records: Sequence[Agent], removed: Sequence[bool]) -> pa.RecordBatch:
    """Put full records of agents into columns, each with whether it was removed."""
    columns = [_column(records, field) for field in list(_AGENTS)[:-2]]
    columns += [_health(records), pa.array(removed, pa.bool_())]
    return pa.RecordBatch.from_arrays(columns, schema=_AGENTS)


def stream(name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
    """Give an Arrow stream of ``answers`` or ``agents`` piece by piece."""
    sink = _Pieces()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), _SCHEMAS[name]) as writer:
        yield sink.take()
        for batch in batches:
            writer.write_batch(batch)
            yield sink.take()
    yield sink.take()


def _health(records: Sequence[Agent]) -> pa.StructArray:
    profiles = [agent.health_profile for agent in records]
    parts = [_column(profiles, field) for field in _HEALTH]
    absent = pa.array([profile is None for profile in profiles], pa.bool_())
    return pa.StructArray.from_arrays(parts, fields=list(_HEALTH), mask=absent)


def _distinct(texts: Sequence[str | None], read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Read a column of texts, each different one once."""
    encoded = pa.array(texts, _TEXT).dictionary_encode()
    return pa.array(map(read, encoded.dictionary.to_pylist()), kind).take(encoded.indices)


def _column(things: Sequence[Any], field: pa.Field) -> pa.Array:
    return pa.array([getattr(thing, field.name, None) for thing in things], field.type)


class _Pieces:
    """A file that gives back what was written to it since the last time."""

    closed = False

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing has to be let go."""

    def take(self) -> bytes:
        data = bytes(self._written)
        self._written.clear()
        return data
