"""Batches: half the price, one batch for all agents, faults line by line, and a restart in between."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from batch_server import BatchServer
from model_server import KEY

import voxpop as vp
from running_service import Service, finish, new_study
from served_service import Served
from voxpop.engines import EngineClosed, Question, Reply
from voxpop.engines.agents import Agent
from voxpop.engines.registry import open_engine
from voxpop.errors import UsageError
from voxpop.records import model_calls
from voxpop.settings import EngineSettings

ENGINE = "openai:gpt-4o-mini"
QUESTION = {"question": "Would you switch to oat milk?", "type": "yes_no"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    made = BatchServer()
    monkeypatch.setenv("VOXPOP_ENGINE_BATCH", "1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("voxpop.engines.model_batches.FIRST_POLL_S", 0.05)
    monkeypatch.setattr("voxpop.engines.model_batches.GATHER_S", 0.2)
    yield made
    made.close()


def settings(server: BatchServer, **more: object) -> EngineSettings:
    return EngineSettings(**{"name": ENGINE, "url": server.url, "key": KEY, "batch": True, **more})  # type: ignore[arg-type]


def test_a_question_is_answered_in_one_batch_at_half_the_price(server: BatchServer) -> None:
    server.looks = 2
    with vp.local(agents=1_000, engine=f"{ENGINE}@{server.url}") as client:
        group = vp.recruit(client, vp.where(country="USA"), size=250)
        study = vp.Study.create(client, group, title="Milk")
        before = study.estimate("Would you switch?", type="yes_no")
        study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        study.ask("Why?", key="why", type="open")
        answers = list(study.answers())
        usage = client.billing.usage().models
        after = study.estimate("Would you switch?", type="yes_no")
    assert [len(lines) for lines in server.batches.values()] == [250, 250]
    assert len(answers) == 500
    assert {one.value for one in answers} == {True, None}
    assert (usage.calls, usage.input_tokens) == (500, 200_000)
    assert usage.cost_microdollars == 500 * 45  # 400 tokens at 0.075 and 50 at 0.30 dollars a million
    assert before.cost_dollars == pytest.approx(
        (before.input_tokens * 0.075 + before.output_tokens * 0.3) / 1e6
    )
    assert after.questions[0].observed_calls == 500
    second = next(line for line in server.batches["batch_1"])
    assert "oat milk" in str(second["body"]["input"])


def test_lines_that_expire_or_fail_are_sent_again_and_wrong_ones_repaired(
    server: BatchServer, home: Path, tmp_path: Path
) -> None:
    faults = {0: "expired", 1: "busy", 2: "wrong", 8: "wrong", 9: "expired"}
    server.fault = lambda number: faults.get(number)
    service = Service(home, tmp_path / "data", engine=settings(server, first_wait_s=0.05))
    with service.client(service.key()) as http:
        study = new_study(http, 8)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
        ended = finish(http, asked["job_ids"])
    with service.state.database.read() as c:
        total = model_calls.total(c, engine=ENGINE)
    service.close()
    sent = [len(lines) for lines in server.batches.values()]
    failed = [job["error"] for job in ended if job["status"] == "failed"]
    assert sent[0] == 8
    assert sum(sent) >= 8 + 3 + 1
    assert [one["code"] for one in failed] in ([], ["invalid_answer"])  # the repair may be wrong again
    assert total.calls == sum(sent) - 3  # expired and refused lines cost nothing


def test_a_provider_that_refuses_batches_fails_the_question_with_that_reason(
    server: BatchServer, home: Path, tmp_path: Path
) -> None:
    server.refuses = True
    service = Service(home, tmp_path / "data", engine=settings(server))
    with service.client(service.key()) as http:
        study = new_study(http, 3)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
        ended = finish(http, asked["job_ids"])
    service.close()
    assert {job["error"]["message"] for job in ended} == {"The provider refuses the batch (403)."}


def test_a_batch_survives_a_stop_and_is_not_sent_again(
    server: BatchServer, home: Path, tmp_path: Path
) -> None:
    server.looks = None
    service = Service(home, tmp_path / "data", engine=settings(server))
    with service.client(service.key()) as http:
        study = new_study(http, 120)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
        while not server.batches:
            time.sleep(0.02)
        assert http.get(f"/jobs/{asked['job_ids'][0]}").json()["status"] == "started"
    service.close()
    server.looks = 0
    service = Service(home, tmp_path / "data", engine=settings(server))
    with service.client(service.key()) as http:
        ended = finish(http, asked["job_ids"])
    service.close()
    assert {job["status"] for job in ended} == {"finished"}
    assert [len(lines) for lines in server.batches.values()] == [120]


def test_a_batch_survives_a_kill(
    server: BatchServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXPOP_ENGINE", f"{ENGINE}@{server.url}")
    server.looks = None
    first = Served(tmp_path)
    headers = {"Authorization": f"Bearer {first.key()}"}
    with httpx.Client(base_url=first.base_url, headers=headers, timeout=60) as http:
        study = new_study(http, 30)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
    kept = Path(os.environ["VOXPOP_HOME"]) / "batches"
    while not any(kept.glob("*/*/*.json")):
        time.sleep(0.02)
    first.close()  # SIGKILL
    server.looks = 0
    second = Served(tmp_path)
    with httpx.Client(base_url=second.base_url, headers=headers, timeout=60) as http:
        ended = finish(http, asked["job_ids"])
    second.terminate()
    assert {job["status"] for job in ended} == {"finished"}
    assert [len(lines) for lines in server.batches.values()] == [30]
    assert not any(kept.glob("*/*/*.json"))


def test_anthropics_message_batches_are_spoken_too(server: BatchServer, home: Path, tmp_path: Path) -> None:
    server.fault = lambda number: "expired" if number == 0 else None
    chosen = settings(server, name="anthropic:claude-sonnet-4-5", url=server.root, first_wait_s=0.05)
    service = Service(home, tmp_path / "data", engine=chosen)
    with service.client(service.key()) as http:
        study = new_study(http, 6)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
        ended = finish(http, asked["job_ids"])
        usage = http.get("/billing/usage").json()["models"]
    service.close()
    assert {job["status"] for job in ended} == {"finished"}
    assert [len(lines) for lines in server.batches.values()] == [6, 1]
    assert usage["cost_microdollars"] == 6 * (400 * 1.5 + 50 * 7.5)


def test_a_batch_can_word_the_answers_of_another_engine(
    server: BatchServer, home: Path, tmp_path: Path
) -> None:
    chosen = settings(server, name=f"simulator+{ENGINE}", values_by="simulator")
    service = Service(home, tmp_path / "data", engine=chosen)
    with service.client(service.key()) as http:
        study = new_study(http, 6)
        asked = http.post(f"/research-studies/{study['id']}/questions", json=QUESTION).json()
        ended = finish(http, asked["job_ids"])
    service.close()
    assert {job["result"]["response_text"] for job in ended} == {"I would say so."}
    assert [len(lines) for lines in server.batches.values()] == [6]


def test_a_batch_that_another_process_has_sent_is_awaited(
    server: BatchServer, agents: list[Agent], tmp_path: Path
) -> None:
    server.looks = None
    question = Question("Would you?", "yes_no")
    first, second = (open_engine(settings(server, cache=False), home=tmp_path) for _ in range(2))
    with ThreadPoolExecutor(1) as threads:
        lost = threads.submit(lambda: list(first.respondent.answer(agents[:2], question, {}, seed=7)))
        while not any((tmp_path / "batches").glob("*/*/*.json")):
            time.sleep(0.02)
        first.close()
        assert isinstance(lost.exception(), EngineClosed)
    server.looks = 0
    said = list(second.respondent.answer(agents[:2], question, {}, seed=7))
    second.close()
    assert all(isinstance(one, Reply) for one in said)
    assert len(server.batches) == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"name": "openrouter:qwen/qwen3-32b"}, "has no batch API; openai, anthropic and google have"),
        ({"probabilities": True}, "Batches have no token probabilities"),
    ],
)
def test_what_has_no_batches_is_refused_at_the_start(
    more: dict[str, object], told: str, server: BatchServer, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=told):
        open_engine(settings(server, **more), home=tmp_path)
