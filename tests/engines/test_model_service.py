"""The service with a language model: jobs end once, spending is recorded, and a kill loses nothing."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from model_server import KEY, Call, ModelServer

import voxpop as vp
from running_service import Service, ask, finish, new_study
from served_service import Served
from voxpop.engines import registry
from voxpop.engines.registry import open_engine
from voxpop.errors import ServiceStartError, UsageError
from voxpop.records import jobs, model_calls, questions
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.settings import EngineSettings

ENGINE = "openai:gpt-4o-mini"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The model's server, to which the environment points."""
    made = ModelServer()
    monkeypatch.setenv("VOXPOP_ENGINE_URL", made.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield made
    made.close()


@pytest.fixture
def service(server: ModelServer, home: Path, tmp_path: Path) -> Iterator[Service]:
    engine = EngineSettings(name=ENGINE, url=server.url, key=KEY, first_wait_s=0.02, timeout_s=3)
    running = Service(home, tmp_path / "data", engine=engine)
    yield running
    running.close()


def counts(http: httpx.Client, study: dict[str, Any]) -> list[tuple[int, int, int]]:
    listed = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    return [(one["asked_count"], one["answer_count"], one["failed_count"]) for one in listed]


def test_a_thousand_jobs_with_faults_end_finished_or_failed_with_a_reason(
    server: ModelServer, service: Service
) -> None:
    faults = ("slow", "wrong", "broken", "busy", "down", "garbled", "drop", "hang")
    server.retry_after, server.takes_s = 0, 0.02

    def fault(number: int, call: Call) -> str | None:
        if hashlib.sha256(call.persona.encode()).digest()[0] < 3:  # these never answer well
            return "wrong"
        return faults[number // 20 % len(faults)] if number % 20 == 0 else None

    server.fault = fault
    with service.client(service.key()) as http:
        study = new_study(http, 1_000)
        sent = {"question": "Would you switch to a lower-sugar snack?"}
        asked = http.post(f"/research-studies/{study['id']}/questions", json=sent).json()
        while sum(counts(http, study)[0][1:]) < 1_000:
            time.sleep(0.2)
        finish(http, asked["job_ids"][-1:])
        usage = http.get("/billing/usage").json()
    with service.state.database.read() as c:
        ended, missing = jobs.get_many(c, 1, asked["job_ids"])
        given = questions.answers(c, 1, study["id"])
        took = model_calls.of_question(c, 1, given[0].question_id)
    assert missing == []
    assert Counter(job.status for job in ended) == {"finished": len(given), "failed": 1_000 - len(given)}
    assert len({answer.agent_id for answer in given}) == len(given)
    assert 960 <= len(given) < 1_000
    assert {answer.engine for answer in given} == {ENGINE}
    failed = [job for job in ended if job.status == "failed"]
    assert {job.error["code"] for job in failed if job.error is not None} == {"invalid_answer"}
    assert server.most_at_once <= 16
    assert Counter(call.agent_id for call in took).most_common(1)[0][1] == 1
    assert sum(call.calls for call in took) == usage["models"]["calls"] > 1_000
    assert usage["models"]["input_tokens"] == 400 * usage["models"]["calls"]
    assert usage["models"]["cost_microdollars"] == 90 * usage["models"]["calls"]
    assert usage["quota"]["used"] == len(given)
    assert all(call.seed is not None and call.temperature == 1.0 for call in took)


def test_the_second_question_is_asked_with_the_first_answer(server: ModelServer, service: Service) -> None:
    with service.client(service.key()) as http:
        study = new_study(http, 5)
        ask(http, study, "Would you switch to a lower-sugar snack?")
        ask(http, study, "What would make you switch?")
    later = [call for call in server.calls if "What would make" in str(call.turns[-1]["content"])]
    assert len(later) == 5
    assert all("lower-sugar" in str(call.turns[0]["content"]) for call in later)


def test_the_budget_fails_what_does_not_fit_and_holds_after_a_restart(
    server: ModelServer, home: Path, tmp_path: Path
) -> None:
    engine = EngineSettings(name=ENGINE, url=server.url, key=KEY, budget_tokens=15_000)
    for time_ in (1, 2):
        running = Service(home, tmp_path / "data", engine=engine)
        with running.client(running.key()) as http:
            study = new_study(http, 60, title=f"Study {time_}")
            asked = ask(http, study, f"Would you switch, {time_}?", type="yes_no")
            ((_, answered, failed),) = counts(http, study)
            ended = finish(http, asked["job_ids"])
        running.close()
        assert answered + failed == 60
        assert (answered > 15) == (time_ == 1)
        codes = {job["error"]["code"] for job in ended if job["status"] == "failed"}
        assert codes == {"quota_exceeded"}
    database = Database.open(sqlite_url(tmp_path / "data"))
    with database.read() as c:
        total = model_calls.total(c, engine=ENGINE)
    database.close()
    assert 0 < total.input_tokens + total.output_tokens <= 15_000
    assert total.calls == len(server.calls)


def test_a_kill_in_the_middle_loses_no_answer_and_pays_none_twice(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXPOP_ENGINE", ENGINE)
    server.takes_s = 0.05
    first = Served(tmp_path)
    key = first.key()
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=first.base_url, headers=headers, timeout=60) as http:
        study = new_study(http, 300)
        asked = http.post(f"/research-studies/{study['id']}/questions", json={"question": "Would you?"})
        job_ids = asked.json()["job_ids"]
    while len(server.calls) < 140:
        time.sleep(0.01)
    first.close()  # SIGKILL
    second = Served(tmp_path)
    with httpx.Client(base_url=second.base_url, headers=headers, timeout=60) as http:
        ended = finish(http, job_ids)
        assert counts(http, study) == [(300, 300, 0)]
    second.terminate()
    assert {job["status"] for job in ended} == {"finished"}
    assert len(server.calls) <= 300 + 16  # those that were under way are asked again


def test_a_stop_does_not_wait_for_a_model_that_hangs(server: ModelServer, home: Path, tmp_path: Path) -> None:
    engine = EngineSettings(name=ENGINE, url=server.url, key=KEY, timeout_s=60)
    server.fault = lambda number, call: "hang"
    running = Service(home, tmp_path / "data", engine=engine)
    with running.client(running.key()) as http:
        study = new_study(http, 10)
        http.post(f"/research-studies/{study['id']}/questions", json={"question": "Would you?"})
    while not server.calls:
        time.sleep(0.01)
    began = time.monotonic()
    running.close()
    assert time.monotonic() - began < 8
    server.fault = lambda number, call: None
    running = Service(home, tmp_path / "data", engine=engine)
    with running.client(running.key()) as http:
        while counts(http, study) != [(10, 10, 0)]:
            time.sleep(0.05)
    running.close()


def test_a_survey_without_an_answer_says_why(server: ModelServer) -> None:
    server.fault = lambda number, call: "broke"
    with vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client:
        group = client.groups.recruit("g", filters=vp.where(country="USA"), size=3)
        made = client.surveys.create("Lunch", "Where do you eat lunch?", ["Home", "Work"], group=group)
        while (job := client.jobs.get(made.job_id)).status == "started":
            time.sleep(0.02)
    assert job.error is not None
    assert (job.status, job.error.code) == ("failed", "no_answer")
    assert "says that the account has nothing left" in job.error.message


def test_a_notebook_names_its_engine_and_so_do_its_tables_and_exports(
    server: ModelServer, tmp_path: Path
) -> None:
    os.environ.pop("VOXPOP_ENGINE_URL")  # monkeypatch puts it back, or rather away
    with vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client:
        group = client.groups.recruit("g", filters=vp.where(country="USA"), size=3)
        study = vp.Study.create(client, group, title="Snacks")
        study.ask("Would you switch?")
        assert {answer.engine for answer in study.answers()} == {ENGINE}
        store = vp.Store(tmp_path / "snacks.duckdb")
        study.pull(into=store)
        store.export(study, tmp_path / "out")
        store.close()
    assert ENGINE in (tmp_path / "out" / "provenance.json").read_text(encoding="utf-8")
    assert KEY not in "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    )


BAD_QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    (" ", {}),
    ("Why? " * 4_000, {}),
    ("Which?", {"options": ["Tea"]}),
    ("Which?", {"options": [f"Option {number}" for number in range(100)]}),
    ("Which?", {"options": ["Tea", "Tea"]}),
    ("How much?", {"type": "scale", "scale": {"min": 5, "max": 1}}),
]


def test_a_bad_question_is_refused_before_the_model_is_called(server: ModelServer, service: Service) -> None:
    with service.client(service.key()) as http:
        study = new_study(http, 3)
        for text, fields in BAD_QUESTIONS:
            body = {"question": text, **fields}
            answer = http.post(f"/research-studies/{study['id']}/questions", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request"), body
        asked = ask(http, study, "Which?", options=[f"Option {number}" for number in range(60)])
        ended = finish(http, asked["job_ids"])
    assert {job["status"] for job in ended} == {"finished"}
    assert len(server.calls) == 3


# ---- at the start

BAD = [
    ("oracle:x", {}, "ollama:MODEL, bedrock:MODEL, or the name of an installed engine"),
    ("opnai:gpt-x", {}, "Did you mean openai:gpt-x?"),
    ("openai", {}, "names no model"),
    ("openai:", {}, "names no model"),
    ("openai:gpt x", {}, "names no model"),
    ("openai:" + "m" * 80, {}, "at most 64 characters"),
    ("openai:gpt-x", {}, "set OPENAI_API_KEY"),
    ("anthropic:claude-x", {"OPENAI_API_KEY": "k"}, "set ANTHROPIC_API_KEY"),
    ("openai:gpt-x", {"VOXPOP_ENGINE_URL": "localhost:1"}, "must start with https:// or http://"),
    ("openai:gpt-x", {"VOXPOP_ENGINE_URL": "http://localhost:99999/v1"}, "a valid port and no ? or #"),
    ("openai:gpt-x", {"VOXPOP_ENGINE_URL": "https://a.example/v1?version=1"}, "a valid port and no ? or #"),
    ("openai:gpt-x", {"OPENAI_API_KEY": "sk-“quoted”"}, "a space or an invalid character"),
    ("openai:gpt-x", {"VOXPOP_ENGINE_URL": "http://a.example/v1", "OPENAI_API_KEY": "k"}, "must be https"),
    ("openai:gpt-x", {"OPENAI_API_KEY": "k", "VOXPOP_ENGINE_BUDGET": "much"}, "VOXPOP_ENGINE_BUDGET"),
    ("openai:gpt-x", {"OPENAI_API_KEY": "k", "VOXPOP_ENGINE_PRICES": "1"}, "VOXPOP_ENGINE_PRICES"),
    ("openai:gpt-x", {"OPENAI_API_KEY": "k", "VOXPOP_ENGINE_TEMPERATURE": "3"}, "from 0 to 2"),
    ("anthropic:c", {"ANTHROPIC_API_KEY": "k", "VOXPOP_ENGINE_TEMPERATURE": "1.5"}, "from 0 to 1"),
    ("openai:gpt-x", {"OPENAI_API_KEY": "k", "VOXPOP_ENGINE_CONCURRENCY": "0"}, "whole number from 1 to 256"),
]


@pytest.mark.parametrize(("name", "environ", "hint"), BAD)
def test_what_cannot_work_is_said_at_the_start(name: str, environ: dict[str, str], hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        EngineSettings.from_environment(environ, name=name)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_environment_says_how_the_model_is_called() -> None:
    environ = {
        "VOXPOP_ENGINE": "openai:llama-3",
        "VOXPOP_ENGINE_URL": "http://10.0.0.5:8000/v1/",
        "VOXPOP_ENGINE_KEY": "none",
        "OPENAI_API_KEY": "sk-secret",
        "VOXPOP_ENGINE_BUDGET": "1,000,000 tokens",
        "VOXPOP_ENGINE_CACHE": "off",
        "VOXPOP_ENGINE_REPLICATE": "3",
    }
    read = EngineSettings.from_environment(environ)
    assert (read.provider, read.model, read.url) == ("openai", "llama-3", "http://10.0.0.5:8000/v1")
    assert (read.key, read.budget_tokens, read.cache, read.replicate) == (None, 1_000_000, False, 3)
    environ |= {"VOXPOP_ENGINE_BUDGET": "$2.50", "VOXPOP_ENGINE_URL": "https://models.example/v1"}
    read = EngineSettings.from_environment(environ | {"VOXPOP_ENGINE_KEY": "sk-mine"})
    assert (read.budget_dollars, read.key) == (2.5, "sk-mine")
    assert "sk-mine" not in repr(read)


def test_an_address_without_a_model_is_not_passed_over() -> None:
    with pytest.raises(UsageError, match="needs the name of a model too"):
        vp.local(agents=1_000, engine_url="http://localhost:11434/v1")
    inherited = {"VOXPOP_ENGINE_URL": "http://localhost:11434/v1"}
    assert not EngineSettings.from_environment(inherited).is_model


def test_dollars_need_a_price(tmp_path: Path) -> None:
    unknown = EngineSettings(name="openai:of-tomorrow", key="k", budget_dollars=1.0)
    with pytest.raises(UsageError, match="VOXPOP_ENGINE_PRICES"):
        open_engine(unknown, home=tmp_path)
    open_engine(EngineSettings(**(_values(unknown) | {"prices": (1.0, 2.0)})), home=tmp_path).close()


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    with pytest.raises(ServiceStartError, match=r"pip install 'voxpop\[llm\]'"):
        open_engine(EngineSettings(name=ENGINE, key="k"), home=tmp_path)


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    environ = {name: text for name, text in os.environ.items() if name != "OPENAI_API_KEY"}
    done = subprocess.run(
        [sys.executable, "-m", "voxpop", "serve", "--engine", "openai:gpt-x", "--data", str(tmp_path / "d")],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "The engine openai:gpt-x needs a key: set OPENAI_API_KEY." in done.stderr
    assert not (tmp_path / "d").exists()


def test_the_command_line_names_the_missing_extra_in_one_line(tmp_path: Path) -> None:
    code = (
        "import sys, voxpop.engines.registry as registry\n"
        "registry.find_spec = lambda name: None\n"
        "from voxpop.cli import main\n"
        f"sys.argv = ['voxpop', 'serve', '--engine', {ENGINE!r}, '--data', {str(tmp_path / 'd')!r}]\n"
        "raise SystemExit(main())"
    )
    environ = os.environ | {"OPENAI_API_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].endswith("needs the library pydantic_ai: pip install 'voxpop[llm]'.")
    assert "Traceback" not in done.stderr
    assert KEY not in done.stderr


def test_the_embedded_engine_loads_nothing_of_it() -> None:
    code = (
        "import sys, voxpop as vp\n"
        "with vp.local(agents=1_000) as client:\n"
        "    client.filters.count(vp.where(age=vp.between(18)))\n"
        "sys.exit(', '.join({'pydantic_ai', 'openai', 'anthropic'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def _values(settings: EngineSettings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in EngineSettings.__dataclass_fields__}
