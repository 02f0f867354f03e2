"""Direct questions, free questions and surveys of the client: requests sent and results returned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from scripted_service import Script, refuse

from voxpop.client import Client, Polling
from voxpop.errors import Conflict, JobFailed, JobTimeout, QuotaExceeded, UsageError
from voxpop.wire.agents import Agent
from voxpop.wire.groups import Group

UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"
GROUP = {"id": 7, "uuid": UUID, "name": "g", "agent_count": 2}
ASKED = {"status_url": "/v1/jobs/job_1", "question_id": 5, "question_uuid": UUID, "poll_after_s": 2.0}
ACCEPTED = {
    "job": {"id": "job_1", "poll_url": "/v1/jobs/job_1", "status": "started"},
    "operation": {"id": UUID, "status": "running"},
    "usage_recorded": [{"event_id": "e", "kind": "answers", "quantity": 12, "status": "recorded"}],
    "poll_after_s": 2.0,
}


def record(status: str, **more: Any) -> dict[str, Any]:
    return {"id": 5, "uuid": UUID, "question": "Why?", "status": status, "targets": [], **more}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


def test_asking_sends_the_documented_body(client: Client, script: Script) -> None:
    script.on("POST", "/research-agents/17/questions", ASKED | {"job_id": "job_1"})
    script.on("POST", "/research-groups/7/questions", ASKED | {"job_ids": ["job_1", "job_2"]})
    agent = Agent(id=17, uuid=UUID, name="A", age=30, gender="male", country="USA")
    for one in (17, "17", agent):
        assert client.direct_questions.ask_agent(one, "Why?").job_id == "job_1"
        assert script.body() == {"question": "Why?"}
    for one in (7, Group(**GROUP)):
        assert client.direct_questions.ask_group(one, "Why?").job_ids == ["job_1", "job_2"]
        assert script.body() == {"question": "Why?"}


def test_additions_are_sent_when_asked_for(client: Client, script: Script) -> None:
    script.on("POST", "/research-groups/7/questions", ASKED | {"job_ids": []})
    client.direct_questions.ask_group(
        7, "Which?", type="ranking", options=("A", "B"), shuffle_options=True, attachments=[3, UUID]
    )
    assert script.body() == {
        "question": "Which?",
        "type": "ranking",
        "options": ["A", "B"],
        "shuffle_options": True,
        "attachments": [3, UUID],
    }
    client.direct_questions.ask_group(7, "How?", scale=(1, 5))
    assert script.body() == {"question": "How?", "scale": {"min": 1, "max": 5}}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c: c.direct_questions.ask_agent(17, " "), "question must be the question's words"),
        (lambda c: c.direct_questions.ask_agent("a/b", "Why?"), "id or UUID of a agent"),
        (lambda c: c.direct_questions.ask_group(7, "Why?", type="opne"), "did you mean open"),
        (lambda c: c.direct_questions.ask_group(7, "Why?", options=["A"]), "at least two"),
        (lambda c: c.direct_questions.get("no id"), "direct question"),
        (lambda c: c.groups.ask(7, ""), "question must be"),
        (lambda c: c.groups.ask(7, "Why?", wait_seconds=-1), "wait_seconds"),
        (lambda c: c.free.ask("x" * 10_001), "10,001 characters"),
        (lambda c: c.surveys.create("t", "Which?", ["A"], group=UUID), "at least two"),
        (
            lambda c: c.surveys.create("t", "Which?", [str(n) for n in range(21)], group=UUID),
            "answer_options",
        ),
        (lambda c: c.surveys.create(" ", "Which?", ["A", "B"], group=UUID), "title"),
        (lambda c: c.surveys.create("t", "Which?", ["A", "B"], group=7), "its number"),
        (lambda c: c.surveys.results(1, page_size=501), "page_size must be a whole number from 1 to 500"),
    ],
)
def test_mistakes_are_found_before_the_call(
    client: Client, script: Script, call: Callable[[Client], Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        call(client)
    assert script.calls == []


def test_a_record_is_read_by_what_asking_gave(client: Client, script: Script) -> None:
    script.on("POST", "/research-agents/17/questions", ASKED | {"job_id": "job_1"})
    answer = {"response_text": "So.", "value": None}
    target = {"agent": {"id": 17, "name": "A"}, "job_id": "job_1", "status": "finished", "answer": answer}
    script.on("GET", "/direct-questions/5", record("completed", targets=[target], colour="blue"))
    asked = client.direct_questions.ask_agent(17, "Why?")
    found = client.direct_questions.get(asked)
    assert found.targets[0].answer is not None
    assert (found.targets[0].answer.response_text, found.targets[0].agent.name) == ("So.", "A")
    assert client.direct_questions.get(found) == client.direct_questions.get(5) == found


def test_waiting_follows_the_hints_of_the_service(client: Client, script: Script) -> None:
    script.on("POST", "/research-agents/17/questions", ASKED | {"job_id": "job_1"})
    script.on("GET", "/direct-questions/5", record("running", poll_after_s=3.0), record("completed"))
    seen: list[str] = []
    asked = client.direct_questions.ask_agent(17, "Why?")
    done = client.direct_questions.wait(asked, on_look=lambda one: seen.append(one.status))
    assert (done.status, seen, script.slept) == ("completed", ["running", "completed"], [2.0, 3.0])


def test_what_has_ended_already_is_read_at_once(client: Client, script: Script) -> None:
    done = ACCEPTED | {"job": {"id": "job_1", "status": "finished"}, "poll_after_s": None, "question_id": 5}
    script.on("POST", "/research-groups/7:ask", done)
    script.on("POST", "/research-groups/7/questions", ASKED | {"job_ids": [], "poll_after_s": None})
    script.on("GET", "/direct-questions/5", record("completed"))
    client.direct_questions.wait(client.groups.ask(7, "Why?", wait_seconds=20))
    client.direct_questions.wait(client.direct_questions.ask_group(7, "Why?"))
    assert script.slept == []


def test_a_record_shows_the_question_the_summary_and_the_first_answers(
    client: Client, script: Script
) -> None:
    agents = [{"id": n, "name": f"Agent {n}", "age": 30, "state": "TX"} for n in range(7)]
    said = {"response_text": "<b>Why not?</b>", "value": None}
    targets = [{"agent": each, "status": "finished", "answer": said} for each in agents]
    targets[1] = {"agent": agents[1], "status": "failed", "error": {"code": "x", "message": "No words."}}
    more = {"targets": targets, "asked_count": 7, "answer_count": 6, "failed_count": 1}
    made = {"artifacts": [{"kind": "summary", "text": "Most say why not.", "answer_ids": [1]}]}
    files = {"attachments": [{"id": 3, "filename": "card.png"}], "web_url": "http://secret.test/abc"}
    script.on("GET", "/direct-questions/5", record("completed", type="open", **more, **made, **files))
    found = client.direct_questions.get(5)
    assert repr(found).splitlines() == [
        "Direct question 5 (completed): Why?",
        "open, 6 of 7 agents have answered, 1 failed",
        "With card.png",
        "Most say why not.",
        "Agent 0, 30, TX: <b>Why not?</b>",
        "Agent 1, 30, TX: No words.",
        *(f"Agent {n}, 30, TX: <b>Why not?</b>" for n in (2, 3, 4)),
        "… and 2 more in .targets",
    ]
    shown = found._repr_html_()
    assert "&lt;b&gt;Why not?" in shown
    assert "<b>Why not" not in shown
    assert "secret" not in shown


def test_waiting_ends_at_the_deadline(script: Script) -> None:
    script.on("GET", "/direct-questions/5", record("thinking"))
    with pytest.raises(JobTimeout, match="Direct question 5 has open jobs after 60 seconds"):
        script.client(polling=Polling(deadline=60)).direct_questions.wait(5)


def test_records_are_listed_page_by_page(client: Client, script: Script) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        offset = int(request.url.params["offset"])
        found = [record("completed") | {"id": n} for n in range(offset, min(offset + 50, 70))]
        return httpx.Response(200, json={"direct_questions": found, "total": 70})

    script.on("GET", "/direct-questions", page)
    assert [one.id for one in client.direct_questions.list()] == list(range(70))
    list(client.direct_questions.list(question=UUID))
    assert script.calls[-1].url.params["question_id"] == UUID


def test_sharing_hides_the_link(client: Client, script: Script) -> None:
    link = "http://service.test/shared/abc"
    script.on("POST", "/direct-questions/5/share", {"enabled": True, "url": link, "share_link": link})
    shared = client.direct_questions.share(5)
    assert (script.body(), str(shared.link)) == ({"enabled": True}, link)
    assert "abc" not in repr(shared)
    script.on("POST", "/direct-questions/5/share", {"enabled": False, "url": None, "share_link": None})
    assert client.direct_questions.unshare(5).link is None
    assert script.body() == {"enabled": False}
    script.on("GET", "/direct-questions/5/share", {"enabled": False})
    assert client.direct_questions.sharing(5).enabled is False


CALLS = [
    pytest.param(
        "/research-groups/7:ask",
        ACCEPTED | {"job_ids": ["job_1"], "question_id": 5},
        lambda c, **more: c.groups.ask(7, "Why?", **more),
        id="ask",
    ),
    pytest.param(
        "/free/questions",
        ACCEPTED | {"count": 12, "agents": [], "agent_ids": [1]},
        lambda c, **more: c.free.ask("Why?", **more),
        id="free",
    ),
]


@pytest.mark.parametrize(("path", "answer", "call"), CALLS)
def test_one_call_endpoints_are_sent_again_with_the_same_key(
    client: Client, script: Script, path: str, answer: Any, call: Callable[..., Any]
) -> None:
    script.on("POST", path, httpx.ReadError("broken"), refuse(503, "unavailable", "Later."), answer)
    made = call(client)
    assert (made.job.id, made.operation.status, made.usage_recorded[0].quantity) == ("job_1", "running", 12)
    keys = [request.headers["idempotency-key"] for request in script.calls]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    call(client)
    assert script.calls[-1].headers["idempotency-key"] != keys[0]
    assert script.body() == {"question": "Why?"}


@pytest.mark.parametrize(("path", "answer", "call"), CALLS)
def test_a_key_can_be_given(
    client: Client, script: Script, path: str, answer: Any, call: Callable[..., Any]
) -> None:
    script.on("POST", path, answer)
    call(client, idempotency_key="mine", wait_seconds=5)
    assert script.calls[-1].headers["idempotency-key"] == "mine"
    assert script.body() == {"question": "Why?", "wait_seconds": 5.0}
    script.on("POST", path, refuse(409, "idempotency_key_conflict", "It was used."))
    with pytest.raises(Conflict):
        call(client, idempotency_key="mine")
    script.on("POST", path, refuse(402, "quota_exceeded", "Too many.", details={"limit": 5}))
    with pytest.raises(QuotaExceeded) as caught:
        call(client)
    assert caught.value.details == {"limit": 5}


def test_the_replies_to_a_free_question_are_waited_for(client: Client, script: Script) -> None:
    script.on("POST", "/free/questions", ACCEPTED | {"count": 12, "agents": [], "agent_ids": [1]})
    result = {"results": [{"agent_id": 1, "reply": "So.", "name": "A", "age": 30}], "partial": True}
    running, done = {"id": "job_1", "status": "started"}, {"id": "job_1", "status": "finished"}
    script.on("GET", "/jobs/job_1", running, done | {"result": result})
    found = client.free.result(client.free.ask("Why?"))
    assert ([one.reply for one in found.results], found.partial) == (["So."], True)
    assert script.slept[0] == 2.0
    assert client.free.result("job_1") == found


def test_a_free_question_that_nobody_answers_is_an_error(client: Client, script: Script) -> None:
    failed = {"id": "job_1", "status": "failed", "error": {"code": "no_answer", "message": "Nobody."}}
    script.on("GET", "/jobs/job_1", failed)
    with pytest.raises(JobFailed, match=r"job_1: Nobody\.") as caught:
        client.free.result("job_1")
    assert (caught.value.job_id, caught.value.code) == ("job_1", "no_answer")


SURVEY = {"id": 3, "uuid": UUID, "title": "t", "question": "Which?", "status": "running"}


def test_a_survey_sends_the_documented_body(client: Client, script: Script) -> None:
    script.on("POST", "/zeitgeist/surveys/create", {"survey": SURVEY, "job_id": "job_1"})
    made = client.surveys.create("t", "Which?", ("A", "B"), group=Group(**GROUP))
    assert (made.survey.id, made.job_id) == (3, "job_1")
    assert script.body() == {
        "title": "t",
        "question": "Which?",
        "research_group_uuid": UUID,
        "answer_options": ["A", "B"],
    }


def test_surveys_are_read_listed_and_deleted(client: Client, script: Script) -> None:
    script.on("GET", "/zeitgeist/surveys/3", {"survey": SURVEY})
    script.on("GET", "/zeitgeist/surveys", {"surveys": [SURVEY], "total": 1})
    script.on("DELETE", "/zeitgeist/surveys/3", httpx.Response(204))
    survey = client.surveys.get(3)
    assert list(client.surveys.list()) == [survey]
    assert client.surveys.delete(survey) is None
    assert script.paths()[-1] == "/zeitgeist/surveys/3"


def test_responses_are_given_over_all_pages(client: Client, script: Script) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        number, size = (int(request.url.params[name]) for name in ("page", "page_size"))
        ids = range((number - 1) * size, min(number * size, 450))
        responses = [{"id": n, "agent_id": n, "response_text": "A"} for n in ids]
        results = [{"option": "A", "count": 450, "share": 1.0}, {"option": "B", "count": 0, "share": None}]
        shape = {"survey": SURVEY, "results": results, "responses": responses, "total": 450}
        return httpx.Response(200, json=shape | {"page": number, "page_size": size})

    script.on("GET", "/zeitgeist/surveys/3/results", page)
    assert [one.id for one in client.surveys.responses(3)] == list(range(450))
    assert len(script.calls) == 3
    found = client.surveys.results(3)
    assert [(row.option, row.share) for row in found.results] == [("A", 1.0), ("B", None)]
    assert (found.page, found.page_size, len(found.responses)) == (1, 50, 50)
