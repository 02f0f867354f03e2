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

from voxpop.client import Client, jsonrows
from voxpop.errors import ConnectionFailed, NotFound, ServiceError, UsageError


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
        ({"options": ["a", "A "]}, "is repeated"),
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


def listed(count: int, answers: int) -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "question": "Why?",
            "answers": [
                {"id": number * 1000 + place, "agent_id": place, "response_text": "t", "value": None}
                for place in range(answers)
            ],
        }
        for number in range(1, count + 1)
    ]


def test_the_documented_list_comes_some_questions_at_a_time(client: Client, script: Script) -> None:
    questions = listed(7, 3)

    def page(request: httpx.Request) -> Any:
        limit, offset = (int(request.url.params[name]) for name in ("limit", "offset"))
        return {"questions": questions[offset : offset + limit], "count": 7}

    script.on(*LIST, page)
    assert read_all(client) == [answer["id"] for question in questions for answer in question["answers"]]
    asked = [dict(request.url.params) for request in script.calls[1:]]
    assert asked == [
        {"limit": "1", "offset": "0"},
        {"limit": "500", "offset": "1"},
        {"limit": "500", "offset": "7"},
    ]


def test_a_service_that_gives_fewer_questions_than_asked_is_followed_to_the_end(
    client: Client, script: Script
) -> None:
    questions = listed(7, 3)

    def page(request: httpx.Request) -> Any:
        offset = int(request.url.params["offset"])
        return {"questions": questions[offset : offset + min(2, int(request.url.params["limit"]))]}

    script.on(*LIST, page)
    assert len(read_all(client)) == 21


@pytest.mark.parametrize("count", [1, 5])
def test_a_service_that_knows_no_pages_of_questions_gives_them_once(
    client: Client, script: Script, count: int
) -> None:
    script.on(*LIST, {"questions": listed(count, 2)})
    assert len(read_all(client)) == 2 * count


def test_answers_that_nobody_wanted_are_passed_over(client: Client, script: Script) -> None:
    script.on(*LIST, {"questions": listed(2, 3), "count": 2, "poll_after_s": 4.5})
    told = client.questions.progress(1)
    assert ([one.answers or [] for one in told.questions], told.poll_after_s) == ([[], []], 4.5)
    script.on(*LIST, httpx.Response(200, text="<html>"))
    with pytest.raises(ServiceError, match="not return a list of questions"):
        client.questions.progress(1)


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


def arrow_answer(*parts: bytes, broken: bool = False) -> httpx.Response:
    class Stream(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield from parts
            if broken:
                raise httpx.ReadError("reset")

    return httpx.Response(200, stream=Stream(), headers={"Content-Type": ARROW})


def read_all(client: Client, **given: Any) -> list[int]:
    """Return the numbers of all answers that come."""
    with client.questions.answer_batches(1, **given) as batches:
        return [
            row["id"]
            for batch in batches
            for row in (batch if isinstance(batch, list) else batch.to_pylist())
        ]


def test_answers_come_as_arrow_batches_where_the_service_offers_them(client: Client, script: Script) -> None:
    script.on(*BULK, arrow_answer(arrow_stream(4)))
    with client.questions.answer_batches(1, after=2) as batches:
        assert [batch.num_rows for batch in batches] == [3, 3, 3, 3]
    accept = script.calls[0].headers["Accept"]
    assert accept.startswith(ARROW)
    assert "application/json;q=0.5" in accept
    assert script.calls[0].url.params["after"] == "2"


AWKWARD = [
    '},{"',
    "}, {",
    '"quoted"',
    "back\\slash",
    "\u0000",
    "line\nbreak",
    "",
    "👩‍👩‍👧 עברית",
    "x" * 1_000_000,
]


def answer_rows() -> list[dict[str, Any]]:
    return [
        {"id": number, "question_id": 4, "agent_id": number, "response_text": text, "value": ["a", text]}
        for number, text in enumerate(AWKWARD, 1)
    ]


@pytest.mark.parametrize("form", ["json", "spaced json", "lines", "documented"])
def test_other_forms_come_as_batches_of_the_same_shape(client: Client, script: Script, form: str) -> None:
    rows = answer_rows()
    if form == "documented":
        script.on(*BULK, refuse(404, "not_found", "No such page."))
        told = [{name: value for name, value in row.items() if name != "question_id"} for row in rows]
        script.on(*LIST, {"questions": [{"id": 4, "question": "Why?", "answers": told}]})
    elif form == "lines":
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        script.on(*BULK, httpx.Response(200, text=lines, headers={"Content-Type": "application/x-ndjson"}))
    else:
        body = json.dumps({"answers": rows}, separators=None if form == "spaced json" else (",", ":"))
        script.on(*BULK, httpx.Response(200, text=body, headers={"Content-Type": "application/json"}))
    with client.questions.answer_batches(1) as batches:
        read = [row for batch in batches for row in batch.to_pylist()]
    assert [row["response_text"] for row in read] == AWKWARD
    assert [json.loads(row["value"]) for row in read] == [["a", text] for text in AWKWARD]
    assert {row["question_id"] for row in read} == {4}


def test_what_documented_answers_tell_of_an_agent_comes_with_its_first_answer(
    client: Client, script: Script
) -> None:
    script.on(*BULK, refuse(404, "not_found", "No such page."))
    told = [{"id": 1, "agent_id": 7, "response_text": "Yes.", "value": True, "agent_name": "Ann"}]
    again = [{**told[0], "id": 2}]
    new = [{**told[0], "id": number, "agent_id": 6 + number} for number in (3, 4)]
    listed = [{"id": place, "answers": given} for place, given in enumerate((told, again, new), 1)]
    script.on(*LIST, {"questions": [{"question": "Why?", **one} for one in listed]})
    with client.questions.answer_batches(1) as batches:
        read = [[row.get("agent_name") for row in batch.to_pylist()] for batch in batches]
    assert read == [["Ann"], [None], ["Ann", "Ann"]]


def test_json_is_cut_between_answers_and_never_inside_a_text() -> None:
    body = json.dumps({"answers": answer_rows()[:8] * 50}, separators=(",", ":")).encode()
    pieces = [body[start : start + 97] for start in range(0, len(body), 97)]
    held = jsonrows.PIECE
    jsonrows.PIECE = 64
    try:
        batches = list(jsonrows.from_json(pieces, "x"))
    finally:
        jsonrows.PIECE = held
    assert len(batches) > 50
    assert [text for batch in batches for text in batch["response_text"].to_pylist()] == AWKWARD[:8] * 50


def test_answers_of_another_shape_come_as_they_are(client: Client, script: Script) -> None:
    script.on(*BULK, {"answers": [{"id": "a1", "question_id": "q", "agent_id": "x", "response_text": "t"}]})
    assert read_all(client) == ["a1"]


def test_an_answer_that_is_no_list_of_answers_is_told(client: Client, script: Script) -> None:
    script.on(*BULK, {"something": "else"})
    with pytest.raises(ServiceError, match="did not return answers"):
        read_all(client)


def test_a_stream_that_breaks_off_is_taken_up_behind_the_last_answer(client: Client, script: Script) -> None:
    whole, rest = arrow_stream(4), arrow_stream(2)
    script.on(*BULK, arrow_answer(whole[:-200], broken=True), arrow_answer(rest))
    assert read_all(client)[:9] == list(range(9))
    assert script.calls[1].url.params["after"] == "8"
    assert script.slept == [0.5]


@pytest.mark.parametrize("cut", [8, 200])
def test_a_truncated_stream_is_noticed_and_told(client: Client, script: Script, cut: int) -> None:
    script.on(*BULK, lambda _: arrow_answer(arrow_stream(4)[:-cut]))
    with pytest.raises(ConnectionFailed, match="truncated"):
        read_all(client)
    assert len(script.calls) > 2


def test_json_that_breaks_off_is_told(client: Client, script: Script) -> None:
    body = json.dumps({"answers": answer_rows()[:3]})[:-30]
    script.on(*BULK, httpx.Response(200, text=body, headers={"Content-Type": "application/json"}))
    with pytest.raises(ConnectionFailed, match="broke off"):
        read_all(client)


def test_what_has_no_answer_is_read_with_its_reason(client: Client, script: Script) -> None:
    failed = {"job_id": "j", "question_id": 1, "agent_id": 2, "status": "failed"}
    script.on(
        "GET",
        "/research-studies/1/unanswered",
        {"unanswered": [failed | {"error": {"code": "engine", "message": "It failed."}}]},
    )
    (one,) = client.questions.unanswered(1)
    assert (one.agent_id, one.error.message) == (2, "It failed.")
