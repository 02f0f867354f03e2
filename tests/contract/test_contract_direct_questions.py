"""Direct questions: interface 2.7, 4.5, contract 10; a group asked in one call: contract 9."""

from __future__ import annotations

import threading
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from media_files import upload_body
from running_service import Service, ask, finish, new_study, recruit
from voxpop.jobs.placeholders import NOTHING_KNOWN
from voxpop.wire.direct_questions import AskOnceResponse, DirectQuestion, DirectQuestionList

RECORDS = "/direct-questions"
CHOICE = "Which snack do you like best: Chips, Nuts or Fruit?"


@pytest.fixture(scope="module")
def group(http: httpx.Client) -> dict[str, Any]:
    """A group of eight with its agents; tests only ask it."""
    return recruit(http, 8)


@pytest.fixture(scope="module")
def modelled_group(modelled_http: httpx.Client) -> dict[str, Any]:
    """A group of eight whose answers are never placeholders; tests only ask it."""
    return recruit(modelled_http, 8)


def ask_group(http: httpx.Client, group: dict[str, Any], question: str, **body: Any) -> dict[str, Any]:
    """Ask a group directly, wait for its jobs, and return the record."""
    answer = http.post(
        f"/research-groups/{group['group']['id']}/questions", json={"question": question, **body}
    )
    assert answer.status_code == 202, answer.text
    finish(http, answer.json()["job_ids"])
    return http.get(f"{RECORDS}/{answer.json()['question_id']}").json()


def test_one_agent_is_asked_and_its_record_holds_the_answer(
    http: httpx.Client, group: dict[str, Any]
) -> None:
    agent = next(one for one in group["recruited_agents"] if one["health_profile"])
    asked = http.post(f"/research-agents/{agent['id']}/questions", json={"question": "Do you smoke?"})
    assert asked.status_code == 202
    told = asked.json()
    assert told["status_url"] == f"/v1/jobs/{told['job_id']}"
    (job,) = finish(http, [told["job_id"]])
    assert job["resource_url"] == f"/v1/direct-questions/{told['question_id']}"
    assert set(job["result"]) == {"agent_id", "question_id", "study_id", "response_text", "value"}
    record = http.get(f"{RECORDS}/{told['question_uuid']}").json()
    (target,) = DirectQuestion.model_validate(record).targets
    assert record == httpx.get(told["question_url"], headers=http.headers).json()
    assert (record["status"], record["asked_of"], record["type"]) == ("completed", "agent", "yes_no")
    assert (target.agent.model_dump(), target.job_id, target.status) == (agent, told["job_id"], "finished")
    assert target.answer is not None
    assert target.answer.response_text == job["result"]["response_text"]
    assert target.answer.value is (agent["health_profile"]["smoking_status"] == "current")
    assert (target.answer.engine, target.answer.option_order) == ("embedded-1", None)
    (artifact,) = record["artifacts"]
    assert (artifact["kind"], artifact["answer_ids"]) == ("summary", [target.answer.id])
    assert target.answer.response_text in artifact["text"]


def test_who_asks_directly_is_told_too_that_a_question_was_hardly_understood(
    http: httpx.Client, group: dict[str, Any]
) -> None:
    agent, number = group["recruited_agents"][0]["id"], group["group"]["id"]
    body = {"question": "What do you do with the hubcaps of an old tractor?"}
    ways = (f"/research-agents/{agent}/questions", f"/research-groups/{number}/questions")
    for way in (*ways, f"/research-groups/{number}:ask"):
        told = http.post(way, json=body, headers={"Idempotency-Key": f"hubcaps {way}"}).json()
        assert "fewer than half of the words" in told["notice"]
        finish(http, told.get("job_ids") or [told["job_id"]])
        assert http.get(f"{RECORDS}/{told['question_id']}").json()["notice"] == told["notice"]


def test_an_agent_is_named_by_its_uuid_too(http: httpx.Client, group: dict[str, Any]) -> None:
    agent = group["recruited_agents"][1]
    asked = http.post(f"/research-agents/{agent['uuid']}/questions", json={"question": "Why do you get up?"})
    record = http.get(f"{RECORDS}/{asked.json()['question_id']}").json()
    assert [target["agent"]["id"] for target in record["targets"]] == [agent["id"]]


@pytest.mark.parametrize("name", ["0", "3001", str(2**63), "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11", "nobody"])
def test_an_agent_that_is_not_there_is_a_404(http: httpx.Client, name: str) -> None:
    answer = http.post(f"/research-agents/{name}/questions", json={"question": "Why?"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_group_is_asked_in_its_order(http: httpx.Client, group: dict[str, Any]) -> None:
    asked = http.post(f"/research-groups/{group['group']['uuid']}/questions", json={"question": CHOICE})
    assert asked.status_code == 202
    told = asked.json()
    jobs = finish(http, told["job_ids"])
    assert told["status_url"] == f"/v1/jobs/{told['job_ids'][-1]}"
    assert jobs[0]["meta"]["progress"] == {"done": 8, "total": 8}
    record = http.get(f"{RECORDS}/{told['question_id']}").json()
    assert [target["job_id"] for target in record["targets"]] == told["job_ids"]
    assert [target["agent"] for target in record["targets"]] == group["recruited_agents"]
    assert record["research_group_uuid"] == group["group"]["uuid"]
    assert (record["asked_count"], record["answer_count"], record["failed_count"]) == (8, 8, 0)
    assert record["options"] == ["Chips", "Nuts", "Fruit"]
    values = [target["answer"]["value"] for target in record["targets"]]
    assert set(values) <= {"Chips", "Nuts", "Fruit", None}


def test_what_a_group_chooses_is_counted(modelled_http: httpx.Client, modelled_group: dict[str, Any]) -> None:
    record = ask_group(modelled_http, modelled_group, CHOICE)
    values = [target["answer"]["value"] for target in record["targets"]]
    (artifact,) = record["artifacts"]
    best = max(record["options"], key=values.count)
    counting = [target["answer"] for target in record["targets"] if target["answer"]["value"] is not None]
    assert f"({values.count(best)} of {len(counting)}) choose “{best}”" in artifact["text"]
    assert artifact["answer_ids"] == sorted(answer["id"] for answer in counting)


@pytest.mark.parametrize("question", [CHOICE, "What do you have for breakfast, and why?"])
def test_placeholders_are_kept_and_marked_but_nothing_is_summed_up(
    http: httpx.Client, group: dict[str, Any], question: str
) -> None:
    record = ask_group(http, group, question)
    assert (record["answer_count"], record["failed_count"]) == (8, 0)
    answers = [target["answer"] for target in record["targets"]]
    assert all(answer["response_text"] and answer["basis_note"] for answer in answers)
    assert {answer["basis"] for answer in answers} == {"none"}
    assert record["artifacts"] == [{"kind": "summary", "text": NOTHING_KNOWN, "answer_ids": []}]


def test_the_fields_of_study_questions_are_taken_too(http: httpx.Client, group: dict[str, Any]) -> None:
    shuffled = ask_group(http, group, "Pick one.", options=["A", "B", "C"], shuffle_options=True)
    assert (shuffled["type"], shuffled["shuffle_options"]) == ("single_choice", True)
    orders = {tuple(target["answer"]["option_order"]) for target in shuffled["targets"]}
    assert len(orders) > 1
    scaled = ask_group(http, group, "How is your sleep?", type="scale", scale={"min": 1, "max": 5})
    points = [target["answer"]["value"] for target in scaled["targets"]]
    assert {type(point) for point in points} <= {int, type(None)}  # somebody may not know
    assert all(1 <= point <= 5 for point in points if point is not None)
    assert "on average, on a scale from 1 to 5" in scaled["artifacts"][0]["text"]


def test_an_open_question_is_summed_up_with_a_quote(
    modelled_http: httpx.Client, modelled_group: dict[str, Any]
) -> None:
    record = ask_group(modelled_http, modelled_group, "What do you have for breakfast, and why?")
    names = {target["agent"]["name"] for target in record["targets"]}
    (artifact,) = record["artifacts"]
    assert any(f"{name} says: “" in artifact["text"] for name in names)
    assert len(artifact["answer_ids"]) == 8


def test_agents_give_the_same_answer_as_in_a_study(http: httpx.Client) -> None:
    study = new_study(http, 6)
    ask(http, study, CHOICE)
    there = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    group = http.get(f"/research-groups/{study['research_group_uuid']}").json()["group"]
    record = ask_group(http, {"group": group}, CHOICE)
    assert [target["answer"]["value"] for target in record["targets"]] == [one["value"] for one in there]


def test_an_empty_group_makes_a_question_without_jobs(http: httpx.Client) -> None:
    nobody = recruit(http, 5, filters={"country": "USA", "age": {"min": 119}})
    asked = http.post(f"/research-groups/{nobody['group']['id']}/questions", json={"question": "Why?"})
    assert asked.status_code == 202
    told = asked.json()
    assert (told["job_ids"], told["status_url"], told["poll_after_s"]) == ([], None, None)
    record = http.get(f"{RECORDS}/{told['question_id']}").json()
    assert (record["status"], record["targets"], record["artifacts"]) == ("completed", [], [])


def test_an_archived_group_cannot_be_asked(http: httpx.Client) -> None:
    group = recruit(http, 2)["group"]
    assert http.delete(f"/research-groups/{group['id']}").status_code == 200
    plain = http.post(f"/research-groups/{group['id']}/questions", json={"question": "Why?"})
    once = http.post(
        f"/research-groups/{group['id']}:ask", json={"question": "Why?"}, headers={"Idempotency-Key": "a1"}
    )
    for answer in (plain, once):
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
        assert answer.json()["error"]["details"] == {"status": "archived"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "question"),
        ({"question": " "}, "question"),
        ({"question": "Why?", "key": "why"}, "key"),
        ({"question": "Why?", "size": 3}, "size"),
        ({"question": "Which?", "options": ["A"]}, "options"),
        ({"question": "Which?", "scale": {"min": 5, "max": 1}}, "scale"),
        ({"question": "Which?", "attachments": [123456]}, "attachments"),
    ],
)
def test_a_body_that_cannot_be_used_is_a_400_that_names_the_field(
    http: httpx.Client, group: dict[str, Any], body: dict[str, Any], field: str
) -> None:
    before = http.get(RECORDS).json()["total"]
    key = {"Idempotency-Key": uuid.uuid4().hex}
    agent, one = group["recruited_agents"][0]["id"], group["group"]["id"]
    for path in (
        f"/research-agents/{agent}/questions",
        f"/research-groups/{one}/questions",
        f"/research-groups/{one}:ask",
    ):
        answer = http.post(path, json=body, headers=key)
        assert answer.status_code == 400, answer.text
        assert list(answer.json()["error"]["details"]["fields"]) == [field]
    assert http.get(RECORDS).json()["total"] == before


def test_attachments_are_shown_with_the_question(http: httpx.Client, group: dict[str, Any]) -> None:
    asset = http.post("/media-assets", json=upload_body()).json()["media_asset"]
    record = ask_group(http, group, "Do you like it?", attachments=[{"media_asset_id": asset["id"]}])
    assert [one["uuid"] for one in record["attachments"]] == [asset["uuid"]]


def test_records_are_listed_newest_first(http: httpx.Client, group: dict[str, Any]) -> None:
    older, newer = ask_group(http, group, "Do you drive?"), ask_group(http, group, "Do you cook?")
    listed = http.get(RECORDS, params={"limit": 2}).json()
    page = DirectQuestionList.model_validate(listed)
    assert listed["direct_questions"] == [newer, older]
    assert (page.limit, page.offset, page.total >= 2) == (2, 0, True)
    assert http.get(RECORDS, params={"limit": 1, "offset": 1}).json()["direct_questions"] == [older]


def test_a_long_list_is_written_in_parts(
    http: httpx.Client, group: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_group(http, group, "Do you write?")
    whole = http.get(RECORDS).json()
    for size in (1, 10, 20):
        monkeypatch.setattr("voxpop.service.direct_questions._TARGETS_AT_ONCE", size)
        assert http.get(RECORDS).json() == whole
    beyond = http.get(RECORDS, params={"offset": 10_000}).json()
    assert beyond == {"direct_questions": [], "total": whole["total"], "limit": 50, "offset": 10_000}


def test_the_list_can_be_of_one_question(http: httpx.Client, group: dict[str, Any]) -> None:
    record = ask_group(http, group, "Do you read?")
    for name in (record["id"], record["uuid"]):
        listed = http.get(RECORDS, params={"question_id": name}).json()
        assert (listed["total"], listed["direct_questions"]) == (1, [record])
    for name in ("999999", str(uuid.uuid4()), "x"):
        listed = http.get(RECORDS, params={"question_id": name}).json()
        assert (listed["total"], listed["direct_questions"]) == (0, [])


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 501}, {"offset": -1}])
def test_pages_out_of_range_are_a_400(http: httpx.Client, query: dict[str, int]) -> None:
    assert http.get(RECORDS, params=query).status_code == 400


def test_study_questions_are_no_direct_questions(http: httpx.Client, asked: dict[str, Any]) -> None:
    question = http.get(f"/research-studies/{asked['id']}/questions").json()["questions"][0]
    assert http.get(f"{RECORDS}/{question['uuid']}").status_code == 404
    assert http.get(RECORDS, params={"question_id": question["id"]}).json()["total"] == 0


def test_other_organizations_see_nothing(
    http: httpx.Client, stranger: httpx.Client, group: dict[str, Any]
) -> None:
    record = ask_group(http, group, "Do you sing?")
    where = f"{RECORDS}/{record['id']}"
    one = f"/research-groups/{group['group']['id']}"
    answers = [
        stranger.get(where),
        stranger.get(f"{where}/share"),
        stranger.post(f"{where}/share", json={"enabled": True}),
        stranger.post(f"{one}/questions", json={"question": "Why?"}),
        stranger.post(f"{one}:ask", json={"question": "Why?"}, headers={"Idempotency-Key": "s1"}),
    ]
    assert [answer.status_code for answer in answers] == [404] * 5
    assert stranger.get(RECORDS).json()["total"] == 0


def test_a_shared_record_is_open_to_its_link_until_it_is_closed(
    http: httpx.Client, group: dict[str, Any]
) -> None:
    record = ask_group(http, group, "Do you dance?")
    where = f"{RECORDS}/{record['uuid']}/share"
    assert http.get(where).json() == {"enabled": False, "url": None, "share_link": None}
    opened = http.post(where, json={"enabled": True}).json()
    assert opened == http.get(where).json() == http.post(where, json={"enabled": True}).json()
    link = opened["share_link"]
    assert len(link.rpartition("/")[2]) == 43  # 256 bits
    page = httpx.get(link)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert "Do you dance?" in page.text
    assert record["targets"][0]["job_id"] not in page.text
    told = httpx.get(link, headers={"Accept": "application/json"}).json()
    assert (told["question"], len(told["targets"])) == ("Do you dance?", 8)
    assert "job_" not in str(told)
    assert http.post(where, json={"enabled": False}).json() == {
        "enabled": False,
        "url": None,
        "share_link": None,
    }
    assert httpx.get(link).status_code == 404
    again = http.post(where, json={"enabled": True}).json()["share_link"]
    assert again != link
    assert (httpx.get(link).status_code, httpx.get(again).status_code) == (404, 200)


def test_the_page_of_a_record_needs_a_key(
    service: Service, http: httpx.Client, stranger: httpx.Client, group: dict[str, Any]
) -> None:
    url = ask_group(http, group, "Do you paint?")["web_url"]
    key = http.headers["authorization"].removeprefix("Bearer ")
    asking = httpx.get(url)
    assert asking.status_code == 401
    assert 'type="password"' in asking.text
    assert "Do you paint?" not in asking.text
    by_header, by_form = httpx.get(url, headers=http.headers), httpx.post(url, data={"key": f" {key} "})
    for page in (by_header, by_form):
        assert page.status_code == 200, page.text
        assert "Do you paint?" in page.text
        assert "All answers are in" in page.text
        assert key not in page.text
        assert page.headers["cache-control"] == "no-store"
        assert "form-action 'self'" in page.headers["content-security-policy"]
    assert httpx.get(url, headers=stranger.headers).status_code == 404
    assert httpx.get(f"{url[:-4]}0000", headers=http.headers).status_code == 404
    assert httpx.get(f"{url[:-4]}0000").status_code == 401  # nobody learns what there is


@pytest.mark.parametrize(
    ("sent", "status"), [("", 401), ("key=", 401), ("key=vp_live_nobody", 401), ("key=%FF&x", 401)]
)
def test_a_form_without_a_good_key_is_given_back(
    http: httpx.Client, group: dict[str, Any], sent: str, status: int
) -> None:
    url = ask_group(http, group, "Do you run?")["web_url"]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = httpx.post(url, content=sent, headers=headers)
    assert answer.status_code == status
    assert 'type="password"' in answer.text
    assert "nobody" not in answer.text


def test_a_key_without_the_scope_does_not_open_the_page(
    service: Service, http: httpx.Client, group: dict[str, Any]
) -> None:
    url = ask_group(http, group, "Do you swim?")["web_url"]
    answer = httpx.post(url, data={"key": service.key("free:ask", kind="free")})
    assert answer.status_code == 403
    assert "Do you swim?" not in answer.text


def test_a_group_is_asked_in_one_call(http: httpx.Client, group: dict[str, Any]) -> None:
    path = f"/research-groups/{group['group']['uuid']}:ask"
    answer = http.post(
        path, json={"question": CHOICE, "wait_seconds": 60}, headers={"Idempotency-Key": "once 1"}
    )
    assert answer.status_code == 202
    told = AskOnceResponse.model_validate(answer.json())
    assert (told.job.status, told.operation.status) == ("finished", "completed")
    assert told.job.poll_url == f"/v1/jobs/{told.job.id}"
    assert [(one.kind, one.quantity, one.status) for one in told.usage_recorded] == [
        ("answers", 8, "recorded")
    ]
    assert len(told.job_ids) == 8
    record = http.get(f"{RECORDS}/{told.question_id}").json()
    assert [target["job_id"] for target in record["targets"]] == told.job_ids
    operation = http.get(f"/organization/operations/{told.operation.id}").json()["operation"]
    assert (operation["kind"], operation["status"]) == ("ask", "completed")
    assert operation["resource_url"] == f"/v1/direct-questions/{told.question_id}"
    jobs = finish(http, told.job_ids)
    assert {job["operation_id"] for job in jobs} == {told.operation.id}


def test_the_same_key_asks_once(http: httpx.Client, group: dict[str, Any]) -> None:
    path, key = f"/research-groups/{group['group']['id']}:ask", {"Idempotency-Key": "once 2"}
    first = http.post(path, json={"question": "Do you ski?"}, headers=key)
    before = http.get(RECORDS).json()["total"]
    again = http.post(path, json={"wait_seconds": 10, "question": "Do you ski?"}, headers=key)
    assert (first.headers.get("idempotent-replayed"), again.headers["idempotent-replayed"]) == (None, "true")
    for name in ("operation", "job_ids", "question_id", "usage_recorded"):
        one, other = first.json()[name], again.json()[name]
        assert (one["id"] if name == "operation" else one) == (other["id"] if name == "operation" else other)
    assert http.get(RECORDS).json()["total"] == before
    other = http.post(path, json={"question": "Do you surf?"}, headers=key)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_key_conflict")
    assert http.post(path, json={"question": "Do you ski?"}).status_code == 400


def test_an_empty_group_cannot_be_asked_in_one_call(http: httpx.Client) -> None:
    nobody = recruit(http, 5, filters={"country": "USA", "age": {"min": 119}})["group"]
    answer = http.post(
        f"/research-groups/{nobody['id']}:ask", json={"question": "Why?"}, headers={"Idempotency-Key": "e1"}
    )
    assert (answer.status_code, answer.json()["error"]["details"]) == (409, {"status": "empty"})


def test_twenty_callers_with_one_key_at_once_make_one_question(
    service: Service, http: httpx.Client, group: dict[str, Any]
) -> None:
    path, before = f"/research-groups/{group['group']['id']}:ask", http.get(RECORDS).json()["total"]
    start, answers = threading.Barrier(20), []
    callers = [service.client(http.headers["authorization"].removeprefix("Bearer ")) for _ in range(20)]

    def call(caller: httpx.Client) -> None:
        start.wait()
        sent = {"question": "Do you garden?"}
        answers.append(caller.post(path, json=sent, headers={"Idempotency-Key": "twenty"}))

    threads = [threading.Thread(target=call, args=(caller,)) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [202] * 20
    assert sum(answer.headers.get("idempotent-replayed") == "true" for answer in answers) == 19
    assert len({answer.json()["operation"]["id"] for answer in answers}) == 1
    assert len({answer.json()["question_id"] for answer in answers}) == 1
    assert http.get(RECORDS).json()["total"] == before + 1


def test_beyond_the_quota_nothing_is_queued(home: Path, tmp_path: Path) -> None:
    small = Service(home, tmp_path, quota_live=50)
    try:
        http = small.client(small.key(*("studies:read", "studies:write")))
        group = recruit(http, 40)["group"]
        ask_group(http, {"group": group}, "Do you knit?")
        one = f"/research-groups/{group['id']}"
        survey = {"title": "t", "question": "Which?", "research_group_uuid": group["uuid"]}
        answers = [
            http.post(f"{one}/questions", json={"question": "Do you sew?"}),
            http.post(f"{one}:ask", json={"question": "Do you sew?"}, headers={"Idempotency-Key": "q"}),
            http.post("/zeitgeist/surveys/create", json=survey | {"answer_options": ["A", "B"]}),
        ]
        for answer in answers:
            assert (answer.status_code, answer.json()["error"]["code"]) == (402, "quota_exceeded")
            details = answer.json()["error"]["details"]
            assert (details["limit"], details["used"], details["requested"]) == (50, 40, 40)
            assert details["cycle_end"].endswith("Z")
        assert http.get(RECORDS).json()["total"] == 1
        assert http.get("/zeitgeist/surveys").json()["total"] == 0
        usage = http.get("/billing/usage").json()
        assert (usage["quota"]["used"], usage["quota"]["limit"]) == (40, 50)
        ask_group(http, {"group": recruit(http, 10)["group"]}, "Do you weave?")
    finally:
        small.close()
