"""Asking and reading answers: what is sent, what is refused, Arrow where it is offered and JSON where not."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pyarrow as pa
import pytest
from scripted_service import Script, refuse

from voxpop.client import Client
from voxpop.errors import ConnectionFailed, NotFound, UsageError


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


ASK = ("POST", "/research-studies/1/questions")
LIST = ("GET", "/research-studies/1/questions")
BULK = ("GET", "/research-studies/1/answers")
ARROW = "application/vnd.apache.arrow.stream"


def test_a_plain_question_sends_only_the_documented_field(client: Client, script: Script) -> None:
    script.on(*ASK, {"job_ids": ["job_1"]})
    asked = client.questions.ask(1, "Why?")
    assert script.body() == {"question": "Why?"}
    assert (asked.job_ids, asked.question.question, asked.poll_after_s) == (["job_1"], "Why?", None)


def test_everything_about_a_question_is_sent(client: Client, script: Script) -> None:
    question = {"id": 4, "uuid": "u", "question": "How?", "type": "scale", "key": "how"}
    script.on(*ASK, {"job_ids": [], "question_id": 4, "question": question, "poll_after_s": 0.1})
    asked = client.questions.ask(
        1,
        "How?",
        key="how",
        type="scale",
        scale=(0, 10),
        options=["a", "b"],
        shuffle_options=True,
        attachments=[3],
    )
    assert script.body() == {
        "question": "How?",
        "key": "how",
        "type": "scale",
        "scale": {"min": 0, "max": 10},
        "options": ["a", "b"],
        "shuffle_options": True,
        "attachments": [3],
    }
    assert (asked.question.id, asked.poll_after_s) == (4, 0.1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"question": ""}, "1 to 10,000 characters"),
        ({"question": "  "}, "1 to 10,000 characters"),
        ({"question": 7}, "1 to 10,000 characters"),
        ({"question": "x" * 10_001}, "10,001 characters"),
        ({"key": "Brand Name"}, "'brand_name' would do"),
        ({"key": "1st"}, "'st' would do"),
        ({"key": "a" * 64}, "at most 63"),
        ({"type": "yesno"}, "did you mean yes_no"),
        ({"options": "yes, no"}, "list of texts"),
        ({"options": ["one"]}, "at least two"),
        ({"options": ["a", "A "]}, "is there twice"),
        ({"options": ["a", 2]}, "must be texts, not 2"),
        ({"scale": (10, 0)}, "min must be below max"),
        ({"scale": (1, 2, 3)}, r"\(0, 10\)"),
        ({"scale": {"min": 1, "max": 5, "low": "bad"}}, "low"),
        ({"scale": {"min": 1}}, "max"),
        ({"scale": 5}, r"\(0, 10\)"),
    ],
)
def test_mistakes_are_found_before_the_call(client: Client, script: Script, wrong: Any, words: str) -> None:
    given = {"question": "Why?"} | wrong
    with pytest.raises(UsageError, match=words):
        client.questions.ask(1, given.pop("question"), **given)
    assert script.calls == []


def test_questions_can_be_read_without_their_answers(client: Client, script: Script) -> None:
    script.on(*LIST, {"study_id": 1, "count": 1, "questions": [{"id": 4, "question": "Why?", "answers": []}]})
    assert client.questions.list(1, answers=False)[0].id == 4
    assert script.calls[0].url.params["answers"] == "false"


def test_answers_come_in_bulk(client: Client, script: Script) -> None:
    script.on(
        *BULK,
        {"answers": [{"id": 9, "agent_id": 5, "question_id": 4, "response_text": "yes", "value": True}]},
    )
    (answer,) = client.questions.answers(1, after=8)
    assert (answer.value, script.calls[0].url.params["after"]) == (True, "8")


def test_without_the_bulk_read_the_documented_list_gives_the_answers(client: Client, script: Script) -> None:
    answers = [{"id": number, "agent_id": 5, "response_text": "yes"} for number in (8, 9)]
    script.on(
        *LIST, {"study_id": 1, "count": 1, "questions": [{"id": 4, "question": "Why?", "answers": answers}]}
    )
    assert [(found.id, found.question_id) for found in client.questions.answers(1)] == [(8, 4), (9, 4)]
    assert [found.id for found in client.questions.answers(1, after=8)] == [9]


def test_an_unknown_study_is_not_taken_for_a_missing_bulk_read(client: Client, script: Script) -> None:
    script.on(*BULK, refuse(404, "not_found", "No study 1.")).on(
        *LIST, refuse(404, "not_found", "No study 1.")
    )
    with pytest.raises(NotFound, match="No study 1"):
        client.questions.answers(1)


def arrow_stream(parts: int, rows: int = 3) -> bytes:
    schema = pa.schema([("id", pa.int64()), ("value", pa.string())])
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, schema) as writer:
        for part in range(parts):
            columns = {"id": list(range(part * rows, (part + 1) * rows)), "value": [json.dumps("a")] * rows}
            writer.write_batch(pa.RecordBatch.from_pydict(columns, schema=schema))
    return sink.getvalue()


def test_answers_come_as_arrow_batches_where_the_service_offers_them(client: Client, script: Script) -> None:
    script.on(*BULK, httpx.Response(200, content=arrow_stream(4), headers={"Content-Type": ARROW}))
    with client.questions.answer_batches(1, after=2) as batches:
        assert batches is not None
        assert [batch.num_rows for batch in batches] == [3, 3, 3, 3]
    assert (script.calls[0].headers["Accept"], script.calls[0].url.params["after"]) == (ARROW, "2")


@pytest.mark.parametrize("other", ["missing", "not acceptable", "json"])
def test_no_arrow_is_said_as_none(client: Client, script: Script, other: str) -> None:
    if other != "missing":
        script.on(*BULK, {"answers": []} if other == "json" else refuse(406, "not_acceptable", "JSON only."))
    with client.questions.answer_batches(1) as batches:
        assert batches is None


def test_an_arrow_answer_that_breaks_off_is_a_connection_failure(client: Client, script: Script) -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            yield arrow_stream(4)[:-200]
            raise httpx.ReadError("reset")

    script.on(*BULK, httpx.Response(200, stream=Broken(), headers={"Content-Type": ARROW}))

    def read() -> None:
        with client.questions.answer_batches(1) as batches:
            list(batches or ())

    with pytest.raises(ConnectionFailed, match="broke off"):
        read()
