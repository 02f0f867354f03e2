"""Canonical rows: hashes do not depend on libraries, batches or encodings."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

from voxpop.wire.content import Hasher, content_of

AWKWARD = ['a "quote"', "back\\slash", "line\nbreak\t\x00\x1f", "é 日本 🙂\u2028\x7f", "", None, "<b>/"]
TABLE = pa.table(
    {
        "text": AWKWARD,
        "number": pa.array([12.5, None, float("nan"), 1e22, -0.0, 1 / 3, float("inf")]),
        "whole": pa.array([1, None, -3, 4, 5, 6, 2**60]),
        "known": [True, False, None, True, True, False, None],
        "when": pa.array([datetime(2026, 1, 2, 3, 4, 5, 6), None, datetime(1960, 1, 1)] * 2 + [None]),
        "many": pa.array([["a", 'b"'], [], None, ["é"], ["x", "y"], None, []], pa.list_(pa.string())),
        "order": pa.array([[2, 0], [], None, [1], [1], None, []], pa.list_(pa.int64())),
        "level": pa.array(["lo", "hi", None, "lo", "lo", "hi", "lo"]).dictionary_encode(),
    }
)


def plain(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value)
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if isinstance(value, datetime) else value


def by_hand(table: pa.Table) -> str:
    lines = [table.column_names, *([plain(cell) for cell in row.values()] for row in table.to_pylist())]
    made = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines]
    return hashlib.sha256("".join(made).encode()).hexdigest()


@pytest.mark.parametrize(("start", "many"), [(0, 7), (1, 5), (3, 1), (0, 0)])
def test_the_hash_is_that_of_json_lines_written_by_hand(start: int, many: int) -> None:
    part = TABLE.slice(start, many)
    assert content_of(part).sha256 == by_hand(part)


def test_parts_change_nothing() -> None:
    hasher = Hasher(TABLE.column_names)
    for start in range(TABLE.num_rows):
        hasher.add(TABLE.slice(start, 1))
    assert hasher.content == content_of(TABLE)
