"""Asking and reading answers: interface 2.8 and 4.3, contract 7."""

from __future__ import annotations

import json

import httpx
import pyarrow as pa
import pytest
import sqlalchemy as sa

from running_service import Service, ask, fail_one, finish, new_study, recruit
from voxpop.records.schema import answers, jobs
from voxpop.wire.estimates import Estimate
from voxpop.wire.questions import AnswerList, AskResponse, QuestionList, Unanswered, UnansweredList


def test_asking_queues_one_job_per_agent(http: httpx.Client) -> None:
    study = new_study(http, 5)
    answer = http.post(
        f"/research-studies/{study['id']}/questions", json={"question": "Do you smoke?", "key": "smokes"}
    )
    assert answer.status_code == 202
    asked = AskResponse.model_validate(answer.json())
    assert (len(set(asked.job_ids)), asked.status) == (5, "queued")
    assert (asked.question.key, asked.question.type, asked.question.id) == (
        "smokes",
        "yes_no",
        asked.question_id,
    )
    jobs = finish(http, asked.job_ids)
    in_group_order = [
        agent["id"] for agent in http.get(f"/research-studies/{study['id']}/agents").json()["agents"]
    ]
    assert [job["result"]["agent_id"] for job in jobs] == in_group_order
    assert http.get(f"/research-studies/{study['id']}").json()["study"]["question_count"] == 1


@pytest.mark.parametrize(
    ("text", "hardly"),
    [
        ("What do you think about coffee?", False),
        ("What do you do with the hubcaps of an old tractor?", True),
    ],
)
def test_who_asks_is_told_that_a_question_was_hardly_understood(
    http: httpx.Client, text: str, hardly: bool
) -> None:
    study = new_study(http, 2)
    answer = http.post(f"/research-studies/{study['id']}/questions", json={"question": text})
    notice = AskResponse.model_validate(answer.json()).notice
    assert (notice is not None and "fewer than half of the words" in notice) is hardly
    finish(http, answer.json()["job_ids"])
    (asked,) = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    assert asked["notice"] == notice, "it stays with the question"


def test_people_of_another_country_answer_by_what_is_known_of_them(http: httpx.Client) -> None:
    group = recruit(http, 40, filters={"country": ["Germany", "India"]})["group"]
    body = {"title": "Abroad", "objective": "What is known?", "research_group_uuid": group["uuid"]}
    study = http.post("/research-studies", json=body).json()["study"]
    questions = ("Do you live in Germany?", "Do you smoke?", "Do you have asthma?", "Do you have children?")
    for number, text in enumerate(questions):
        ask(http, study, text, key=f"q{number}", type="yes_no")
    ask(http, study, "What is your household income?", key="q4", type="number")
    ask(http, study, "What do you like about snacks?", key="q5", type="open")
    path = f"/research-studies/{study['id']}"
    people = {agent["id"]: agent for agent in http.get(f"{path}/agents").json()["agents"]}
    given = QuestionList.model_validate(http.get(f"{path}/questions").json()).questions
    lives, smokes, asthma, children, income, snacks = (
        {answer.agent_id: answer.value for answer in question.answers} for question in given
    )
    assert len(snacks) == len(people) == 40
    for number, agent in people.items():
        health = agent["health_profile"]
        assert lives[number] is (agent["country"] == "Germany")
        assert smokes[number] is (health["smoking_status"] == "current" if health else None)
        assert children[number] is agent["is_parent"]
        assert asthma[number] is income[number] is None
    accept = {"Accept": "application/vnd.apache.arrow.stream"}
    table = pa.ipc.open_stream(http.get(f"{path}/agents", headers=accept).content).read_all()
    assert set(table["country"].to_pylist()) == {"Germany", "India"}
    assert table["household_income"].null_count == 40


def test_answers_that_were_not_drawn_have_no_probabilities(
    http: httpx.Client, asked: dict[str, object]
) -> None:
    (first, *_) = http.get(f"/research-studies/{asked['id']}/questions").json()["questions"]
    told = http.get(f"/research-studies/{asked['id']}/questions/{first['id']}/probabilities")
    assert told.json() == {"question_id": first["id"], "probabilities": []}
    other = new_study(http, 1)["id"]
    assert http.get(f"/research-studies/{other}/questions/{first['id']}/probabilities").status_code == 404


def test_questions_come_with_their_answers(http: httpx.Client, asked: dict[str, object]) -> None:
    given = QuestionList.model_validate(http.get(f"/research-studies/{asked['id']}/questions").json())
    assert (given.study_id, given.count, len(given.questions)) == (asked["id"], 2, 2)
    smokes, snack = given.questions
    assert (smokes.key, smokes.asked_count, smokes.answer_count, smokes.failed_count) == ("smokes", 12, 12, 0)
    assert {True, False} >= {answer.value for answer in smokes.answers if answer.value is not None} != set()
    assert {answer.value for answer in snack.answers} <= {"Chips", "Nuts", "Fruit", None}
    assert all(answer.agent_name and answer.engine and answer.job_id for answer in smokes.answers)


def test_answers_about_the_profile_are_what_the_profile_says(
    http: httpx.Client, asked: dict[str, object]
) -> None:
    agents = http.get(f"/research-studies/{asked['id']}/agents").json()["agents"]
    smokes = {
        agent["id"]: agent["health_profile"]["smoking_status"] == "current"
        for agent in agents
        if agent["health_profile"]
    }
    answers = http.get(f"/research-studies/{asked['id']}/questions").json()["questions"][0]["answers"]
    assert {a["agent_id"]: a["value"] for a in answers if a["agent_id"] in smokes} == smokes


def test_questions_can_be_paged_and_read_without_answers(
    http: httpx.Client, asked: dict[str, object]
) -> None:
    path = f"/research-studies/{asked['id']}/questions"
    second = http.get(path, params={"limit": 1, "offset": 1}).json()
    assert (second["count"], [question["key"] for question in second["questions"]]) == (2, ["snack"])
    assert http.get(path, params={"offset": 1, "answers": "false"}).json()["questions"][0]["answers"] == []


def test_bulk_answers_say_the_same_in_three_forms(http: httpx.Client, asked: dict[str, object]) -> None:
    path = f"/research-studies/{asked['id']}/answers"
    plain = http.get(path).json()
    rows = AnswerList.model_validate(plain).answers
    assert [row.id for row in rows] == sorted(row.id for row in rows)
    assert len(rows) == 24
    lines = http.get(path, headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.text.splitlines()] == plain["answers"]
    arrow = http.get(path, headers={"Accept": "application/vnd.apache.arrow.stream"})
    assert arrow.headers["content-type"] == "application/vnd.apache.arrow.stream"
    table = pa.ipc.open_stream(arrow.content).read_all().to_pylist()
    assert [row["id"] for row in table] == [row.id for row in rows]
    assert [json.loads(row["value"] or "null") for row in table] == [row.value for row in rows]
    assert [row["answered_at"] for row in table] == [row.answered_at for row in rows]


def test_bulk_answers_give_what_is_new_since_an_answer(http: httpx.Client, asked: dict[str, object]) -> None:
    path = f"/research-studies/{asked['id']}/answers"
    everything = http.get(path).json()["answers"]
    since = everything[9]["id"]
    assert http.get(path, params={"after": since}).json()["answers"] == everything[10:]
    assert http.get(path, params={"after": everything[-1]["id"]}).json() == {"answers": []}
    nothing = http.get(
        path, params={"after": 2**62}, headers={"Accept": "application/vnd.apache.arrow.stream"}
    )
    assert pa.ipc.open_stream(nothing.content).read_all().num_rows == 0


def test_the_agents_of_a_study_come_in_three_forms_too(http: httpx.Client, asked: dict[str, object]) -> None:
    path = f"/research-studies/{asked['id']}/agents"
    plain = http.get(path).json()["agents"]
    lines = http.get(path, headers={"Accept": "application/x-ndjson"}).text.splitlines()
    assert [json.loads(line) for line in lines] == plain
    arrow = http.get(path, headers={"Accept": "application/vnd.apache.arrow.stream"}).content
    assert pa.ipc.open_stream(arrow).read_all().to_pylist() == plain


def test_a_key_is_unique_in_its_study(http: httpx.Client) -> None:
    study = new_study(http, 1)
    ask(http, study, "Do you smoke?", key="smokes")
    again = http.post(
        f"/research-studies/{study['id']}/questions",
        json={"question": "Do you still smoke?", "key": "smokes"},
    )
    assert again.status_code == 400
    assert "smokes" in again.json()["error"]["details"]["fields"]["key"][0]
    assert http.get(f"/research-studies/{study['id']}").json()["study"]["question_count"] == 1


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "question"),
        ({"question": ""}, "question"),
        ({"question": "  \n"}, "question"),
        ({"question": 5}, "question"),
        ({"question": "x" * 10_001}, "question"),
        ({"question": "Why?", "key": "Not a name"}, "key"),
        ({"question": "Why?", "type": "essay"}, "type"),
        ({"question": "Why?", "options": ["one"]}, "options"),
        ({"question": "Why?", "options": ["one", "one"]}, "options"),
        ({"question": "Why?", "type": "single_choice"}, "options"),
        ({"question": "How much?", "type": "scale", "scale": {"min": 5, "max": 1}}, "scale"),
        ({"question": "Why?", "attachments": [2**62]}, "attachments"),
        ({"question": "Why?", "opions": ["a", "b"]}, "opions"),
        ({"question": "Why?", "scale": {"min": 1, "maximum": 5}}, "scale.max"),
    ],
)
def test_a_question_that_cannot_be_asked_names_its_field(
    http: httpx.Client, asked: dict[str, object], body: dict[str, object], named: str
) -> None:
    answer = http.post(f"/research-studies/{asked['id']}/questions", json=body)
    assert answer.status_code == 400, answer.text
    assert named in answer.json()["error"]["details"]["fields"]
    assert http.get(f"/research-studies/{asked['id']}").json()["study"]["question_count"] == 2


def test_no_attachments_are_fine(http: httpx.Client) -> None:
    study = new_study(http, 1)
    assert ask(http, study, "Why do you snack?", attachments=[])["question"]["type"] == "open"


def test_shuffled_options_record_the_order_each_agent_saw(http: httpx.Client) -> None:
    study = new_study(http, 12)
    ask(
        http,
        study,
        "Which do you like best?",
        options=["Chips", "Nuts", "Fruit", "Bars"],
        shuffle_options=True,
    )
    answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    assert all(sorted(answer["option_order"]) == [0, 1, 2, 3] for answer in answers)
    assert len({tuple(answer["option_order"]) for answer in answers}) > 1


def test_asking_before_the_earlier_question_has_ended_is_run_in_order(http: httpx.Client) -> None:
    study = new_study(http, 300)
    path = f"/research-studies/{study['id']}/questions"
    first = http.post(path, json={"question": "Do you smoke?"}).json()
    second = http.post(path, json={"question": "Why?"}).json()
    finish(http, second["job_ids"][-1:])
    assert {job["status"] for job in finish(http, first["job_ids"])} == {"finished"}
    answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    order = [answer["question_id"] for answer in answers]
    assert order == sorted(order)


def test_agents_without_an_answer_are_named_with_the_reason(
    http: httpx.Client, stranger: httpx.Client, service: Service
) -> None:
    study = new_study(http, 6)
    question = ask(http, study, "Do you smoke?", key="smokes")
    path = f"/research-studies/{study['id']}/unanswered"
    assert http.get(path).json() == {"unanswered": []}
    given = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    failed, waiting = given[2], given[4]
    error = {"code": "engine", "message": "The engine gave no answer."}
    with service.state.database.begin() as c:
        c.execute(answers.delete().where(answers.c.id.in_([failed["id"], waiting["id"]])))
        for one, values in ((failed, {"status": "failed", "error": error}), (waiting, {"status": "started"})):
            told = {"finished_at": None, "error": sa.null()} | values
            c.execute(jobs.update().where(jobs.c.id == one["job_id"]).values(**told))
    first, second = UnansweredList.model_validate(http.get(path).json()).unanswered
    assert (first.job_id, first.agent_id, first.status) == (failed["job_id"], failed["agent_id"], "failed")
    assert first.error is not None
    assert first.error.model_dump() == error
    assert (second.agent_id, second.status, second.error) == (waiting["agent_id"], "started", None)
    assert {first.question_id, second.question_id} == {question["question_id"]}
    assert stranger.get(path).status_code == 404


def test_jobs_without_an_answer_say_why(http: httpx.Client, stranger: httpx.Client) -> None:
    study = new_study(http, 900)
    path = f"/research-studies/{study['id']}"
    asked = [http.post(f"{path}/questions", json={"question": f"Question {n}?"}).json() for n in (1, 2, 3)]

    def unanswered() -> list[Unanswered]:
        return UnansweredList.model_validate(http.get(f"{path}/unanswered").json()).unanswered

    assert {job.job_id for job in unanswered()} <= {job for one in asked for job in one["job_ids"]}
    agent = http.get(f"{path}/agents").json()["agents"][-1]["id"]
    assert http.post(f"{path}/agents/remove", json={"agent_ids": [agent]}).json()["removed"] == [agent]
    finish(http, [job.job_id for job in unanswered()])
    questions = http.get(f"{path}/questions", params={"answers": False}).json()["questions"]
    failed = unanswered()
    assert {job.question_id for job in failed} == {each["id"] for each in questions if each["failed_count"]}
    assert failed, "the third question is not asked of all 900 agents before one call is made"
    for job in failed:
        assert (job.agent_id, job.status, job.error and job.error.code) == (agent, "failed", "agent_removed")
        assert job.finished_at is not None
    assert stranger.get(f"{path}/unanswered").status_code == 404


def test_agents_that_failed_are_asked_again(
    http: httpx.Client, stranger: httpx.Client, service: Service
) -> None:
    study = new_study(http, 6)
    number = ask(http, study, "Do you smoke?", key="smokes")["question_id"]
    path = f"/research-studies/{study['id']}/questions/{number}/retry"
    assert http.post(path).json()["job_ids"] == []
    lost = fail_one(service, number)
    assert stranger.post(path).status_code == 404
    answer = http.post(path)
    assert answer.status_code == 202
    asked = AskResponse.model_validate(answer.json())
    assert (asked.question_id, asked.question.failed_count) == (number, 0)
    (job,) = finish(http, asked.job_ids)
    told = job["result"]
    assert (told["agent_id"], told["response_text"]) == (lost.agent_id, lost.text)
    assert [job["status"] for job in finish(http, [lost.job_id])] == ["failed"]
    last = http.get(f"/research-studies/{study['id']}/answers").json()["answers"][-1]
    assert (last["agent_id"], last["value"], last["job_id"]) == (lost.agent_id, lost.value, *asked.job_ids)
    other = new_study(http, 2)
    assert http.post(f"/research-studies/{other['id']}/questions/{number}/retry").status_code == 404


def test_nobody_is_asked_again_while_others_have_not_ended(http: httpx.Client) -> None:
    study = new_study(http, 900)
    path = f"/research-studies/{study['id']}/questions"
    http.post(path, json={"question": "Why?"})
    asked = http.post(path, json={"question": "Why not?"}).json()
    refused = http.post(f"{path}/{asked['question_id']}/retry")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")
    assert "have not ended" in refused.json()["error"]["message"]
    finish(http, asked["job_ids"][-1:])


def test_an_estimate_asks_nothing(http: httpx.Client) -> None:
    study = new_study(http, 5)
    path = f"/research-studies/{study['id']}/estimate"
    answer = http.post(path, json={"questions": [{"question": "Do you smoke?"}, {"question": "Why?"}]})
    assert answer.status_code == 200
    found = Estimate.model_validate(answer.json())
    assert (found.agent_count, found.calls, found.cost_dollars, len(found.questions)) == (5, 0, 0.0, 2)
    assert http.get(f"/research-studies/{study['id']}").json()["study"]["question_count"] == 0
    for body in ({"questions": []}, {"questions": [{"question": ""}]}, {}):
        assert http.post(path, json=body).status_code == 400
