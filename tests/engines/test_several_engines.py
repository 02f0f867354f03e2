"""Several engines in one study: which one answers, what is refused, and what it would cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from model_server import ModelServer

import voxpop as vp
from running_service import Service, ask, finish, new_study
from voxpop.engines import Agent, Exchange, Failure, Question, Reply
from voxpop.errors import InvalidRequest, UsageError
from voxpop.settings import EngineSettings, ServiceSettings
from voxpop.settings.engines import engine_settings

MODEL = "openai:house-model"


class Parrot:
    """Answers every question with its own name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        for agent in agents:
            past = " after ".join(one.text for one in history.get(agent.id, ()))
            yield Reply(agent.id, f"{self.name} after {past}" if past else self.name, None, None, self.name)


def test_each_question_is_answered_by_the_engine_that_it_names() -> None:
    with vp.local(agents=1_000, engine=["simulator", Parrot("grey-1"), Parrot("green-1")]) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=3)
        study = vp.Study.create(client, group, title="Birds")
        first = study.ask("Do you like birds?", key="like", type="yes_no")
        study.ask("Why?", key="why", type="open", engine="grey-1")
        study.ask("Why, again?", key="again", type="open", engine="green-1")
        given = {question.key: question.engine for question in study.questions()}
        answers = study.answers()
        asked_again = study.ask("Why?", key="why", type="open", engine="grey-1")
        with pytest.raises(InvalidRequest, match="another engine"):
            study.ask("Why?", key="why", type="open", engine="green-1")
    assert first.engine is None
    assert given == {"like": None, "why": "grey-1", "again": "green-1"}
    by_question: dict[int | None, set[str | None]] = {}
    for answer in answers:
        by_question.setdefault(answer.question_id, set()).add(answer.engine)
    default, *others = [by_question[number] for number in sorted(by_question, key=str)]
    assert others == [{"grey-1"}, {"green-1"}]
    assert default.isdisjoint({"grey-1", "green-1"})
    assert all(" after " in answer.response_text for answer in answers if answer.engine == "green-1")
    assert asked_again.answer_count == 3


def test_every_other_way_of_asking_takes_an_engine_too() -> None:
    with vp.local(agents=1_000, engine=["simulator", Parrot("grey-1")]) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=2)
        member = client.groups.agents(group)[0]
        one = client.direct_questions.ask_agent(member, "Why?", engine="grey-1")
        all_ = client.direct_questions.ask_group(group, "Why?", engine="grey-1")
        once = client.groups.ask(group, "Why?", engine="grey-1")
        records = [client.direct_questions.wait(asked) for asked in (one, all_, once)]
        made = client.surveys.create("Birds", "Which?", ["Grey", "Green"], group=group, engine="grey-1")
        client.jobs.wait(made.job_id, first_wait=0.1)
        responses = list(client.surveys.responses(made.survey))
        questions = ["Do you like birds?", {"question": "Why?", "engine": "grey-1"}]
        asked = client.study_requests.create("2 adults in the USA", 2, questions=questions)
        study = client.study_requests.wait(asked).study
        answers = [one.engine for one in client.questions.answers(study)] if study else []
    assert [record.engine for record in records] == ["grey-1"] * 3
    said = [target.answer for record in records for target in record.targets]
    assert [(one.engine, one.response_text) for one in said if one] == [("grey-1", "grey-1")] * 5
    assert {one.engine for one in responses} == {"grey-1"}
    assert sorted(map(str, answers)) == ["embedded-1"] * 2 + ["grey-1"] * 2


def test_an_engine_that_the_service_does_not_have_is_refused_with_those_that_it_has(
    home: Path, tmp_path: Path
) -> None:
    others = (EngineSettings(name="grey-1", given=Parrot("grey-1")),)
    service = Service(home, tmp_path / "data", others=others)
    try:
        with service.client(service.key()) as http:
            study = new_study(http, 3)
            of_study, gray = f"/research-studies/{study['id']}", {"question": "Why?", "engine": "gray-1"}
            group = study["research_group_uuid"]
            closed = {"title": "t", "research_group_uuid": group, "answer_options": ["A", "B"]}
            for path, body in (
                (f"{of_study}/questions", gray),
                (f"{of_study}/questions", gray | {"engine": "openai:gpt-x@http://10.0.0.1/v1"}),
                (f"{of_study}/estimate", {"questions": [gray]}),
                (f"/research-groups/{group}/questions", gray),
                ("/zeitgeist/surveys/create", gray | closed),
                (
                    "/research-study-requests",
                    {"request_text": "2 adults", "group_size": 2, "questions": [gray]},
                ),
            ):
                answer = http.post(path, json=body, headers={"Idempotency-Key": path})
                assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
                assert "It has simulator, grey-1." in answer.json()["error"]["message"]
        with service.client(service.key("free:ask", kind="free")) as http:
            free = [
                http.post(
                    "/free/questions",
                    json={"question": "Why?", "engine": name},
                    headers={"Idempotency-Key": name},
                )
                for name in ("gray-1", "grey-1")
            ]
            (panel,) = finish(http, [free[1].json()["job"]["id"]])
        assert free[0].status_code == 400
        assert {one["reply"] for one in panel["result"]["results"]} == {"grey-1"}
    finally:
        service.close()


def test_a_question_whose_engine_is_gone_after_a_restart_fails_with_that_reason(
    home: Path, tmp_path: Path
) -> None:
    others = (EngineSettings(name="grey-1", given=Parrot("grey-1")),)
    service = Service(home, tmp_path / "data", others=others)
    with service.client(service.key()) as http:
        study = new_study(http, 2)
        asked = ask(http, study, "Why?", engine="grey-1")
        number = asked["question"]["id"]
    service.close()
    service = Service(home, tmp_path / "data")
    try:
        with service.state.database.begin() as c:
            c.exec_driver_sql("DELETE FROM answers")
            c.exec_driver_sql("UPDATE jobs SET status = 'failed', error = '{}' WHERE agent_id IS NOT NULL")
            c.exec_driver_sql("UPDATE questions SET answer_count = 0, failed_count = 2")
        with service.client(service.key()) as http:
            again = http.post(f"/research-studies/{study['id']}/questions/{number}/retry").json()
            ended = finish(http, again["job_ids"])
    finally:
        service.close()
    assert {job["error"]["code"] for job in ended} == {"engine_unknown"}
    assert "grey-1, which this service was started without" in ended[0]["error"]["message"]


def test_engines_are_read_from_the_environment_with_their_addresses() -> None:
    environ = {
        "VOXPOP_ENGINE": "simulator, openai:llama-3@http://10.0.0.5:8000/v1, anthropic:claude-x",
        "VOXPOP_ENGINE_KEY": "none",
        "ANTHROPIC_API_KEY": "k",
    }
    settings = ServiceSettings.from_environment(environ)
    assert (settings.engine.name, [(one.name, one.url) for one in settings.others]) == (
        "simulator",
        [("openai:llama-3", "http://10.0.0.5:8000/v1"), ("anthropic:claude-x", None)],
    )
    (alone,) = engine_settings(environ, engine="openai:llama-3", url="http://10.0.0.5:8000/v1")
    assert (alone.name, alone.url) == ("openai:llama-3", "http://10.0.0.5:8000/v1")


@pytest.mark.parametrize(
    ("engines", "url", "hint"),
    [
        ("openai:a, openai:b", "http://10.0.0.5/v1", "write each into the name of its engine"),
        ("openai:a@http://x/v1, openai:a@http://y/v1", None, "Two engines have the name openai:a"),
        (["simulator", Parrot("simulator")], None, "Two engines have the name simulator"),
        ([], None, "The list of engines is empty"),
    ],
)
def test_engines_that_cannot_be_told_apart_are_refused(engines: object, url: str | None, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        engine_settings({"VOXPOP_ENGINE_KEY": "none"}, engine=engines, url=url)


# ---- the cost before it starts


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    made = ModelServer()
    made.character = None
    monkeypatch.setenv("VOXPOP_ENGINE_KEY", "sk-test-4Nq8VeryMuchASecretKey")
    yield made
    made.close()


def test_an_estimate_asks_nothing_and_becomes_exact_with_experience(server: ModelServer) -> None:
    engines = ["simulator", f"openai:gpt-4o-mini@{server.url}", f"{MODEL}@{server.url}"]
    with vp.local(agents=1_000, engine=engines) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=30)
        study = vp.Study.create(client, group, title="Snacks")
        nothing = study.estimate("Would you switch?")
        before = study.estimate(
            ["Would you switch?", {"question": "Why?", "type": "open"}], engine="openai:gpt-4o-mini"
        )
        unpriced = study.estimate("Would you switch?", engine=MODEL)
        assert server.calls == []
        study.ask("Would you switch?", key="switch", type="yes_no", engine="openai:gpt-4o-mini")
        calls = len(server.calls)
        after = study.estimate("Would you switch again?", type="yes_no", engine="openai:gpt-4o-mini")
        assert len(server.calls) == calls
    assert (nothing.calls, nothing.cost_dollars, nothing.minutes) == (0, 0.0, None)
    assert (before.agent_count, before.calls, before.minutes) == (30, 60, None)
    assert before.questions[1].input_tokens > before.questions[0].input_tokens  # the first one is remembered
    assert before.cost_dollars is not None
    assert (unpriced.calls, unpriced.cost_dollars) == (30, None)
    assert unpriced.notes is not None
    assert any(note.startswith(f"The price of {MODEL} is not known") for note in unpriced.notes)
    assert after.notes == []
    assert (after.calls, after.output_tokens, after.questions[0].observed_calls) == (30, 30 * 50, 30)
    assert 30 * 400 <= after.input_tokens <= 30 * 500  # it was 400, and now there is a past
    assert after.minutes is not None
