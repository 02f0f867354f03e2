"""Stored answers become Arrow columns without a Python object each, and say the same as they did in JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxpop.engines.basis import Basis
from voxpop.records.bulk import StoredAnswers
from voxpop.service import columnar

AWKWARD = st.text(alphabet='",\\ []nul\n\x00é', max_size=4)
TEXTS = st.lists(st.none() | AWKWARD | st.sampled_from([",", ", ", '","', '", "', "null"]), min_size=1)


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["SQLite", "PostgreSQL"])
@given(texts=TEXTS)
def test_any_list_of_texts_is_read_as_it_was_written(
    texts: list[str | None], separators: tuple[str, str]
) -> None:
    told = json.dumps(texts, ensure_ascii=False, separators=separators)
    assert columnar._texts(told, len(texts)).to_pylist() == texts


def test_answers_come_by_number_whatever_way_the_database_took() -> None:
    columns = {
        "id": [3, 1, 2],
        "question_id": [8, 7, 7],
        "agent_id": [30, 10, 20],
        "job_id": ["c", "a", "b"],
        "text": ["third", "first", "second"],
        "value": [None, "true", '{"a": 1}'],
        "option_order": ["[1,0]", None, "[0,1]"],
        "answered_at": ["2026-11-01 00:00:00.000000"] * 3,
        "engine": ["made-1"] * 3,
        "basis_code": [None, 12, 11],
    }
    bases = {11: Basis("none", "No figure is known."), 12: Basis("profile", "The agent's age.")}
    stored = StoredAnswers(3, 3, {name: json.dumps(column) for name, column in columns.items()}, bases)
    batch = columnar.answers(5, stored, {20})
    assert batch["id"].to_pylist() == [1, 2, 3]
    assert batch["response_text"].to_pylist() == ["first", "second", "third"]
    assert batch["option_order"].to_pylist() == [None, [0, 1], [1, 0]]
    assert batch["agent_removed"].to_pylist() == [False, True, False]
    assert batch["basis"].to_pylist() == ["profile", "none", None]
    assert batch["basis_note"].to_pylist() == ["The agent's age.", "No figure is known.", None]
    read = stored.read()
    assert (read.id, read.text) == ([1, 2, 3], ["first", "second", "third"])
    assert (read.question_id, read.value) == ([7, 7, 8], ["true", '{"a": 1}', None])
