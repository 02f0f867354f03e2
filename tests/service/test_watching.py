"""Metrics without names, log lines with ids but without secrets, and readiness."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pydantic
import pytest
from prometheus_client.parser import text_string_to_metric_families

from machines import Machine
from running_service import Service, finish, new_study, recruit
from served_service import voxpop
from voxpop.cli import main
from voxpop.jobs import watching
from voxpop.jobs.logs import JsonLines, TextLines, note, thread_of
from voxpop.jobs.readiness import Ready, look
from voxpop.service.app import ROUTERS

SECRET_NAME = "Umbrella Corporation"
ANSWERED = "What is your favourite snack?"
SAID = "I-drink-too-much"


class Watched:
    """`voxpop serve` with figures and JSON lines, which has asked twenty agents and met some bad callers."""

    def __init__(self, folder: Path) -> None:
        data = str(folder / "data")
        options = ("--log-format", "json", "--metrics-port", "0")
        self.machine = Machine(
            folder, "serve", "--port", "0", "--agents", "3000", "--data", data, *options
        ).start()
        made = voxpop(
            *("keys", "create", "--organization", SECRET_NAME, "--data", data),
            *("--scope", "studies:read", "--scope", "studies:write"),
        )
        self.key = made.stdout.strip()
        self.metrics_url = self.machine.ready["metrics_url"]
        with httpx.Client(base_url=self.machine.ready["base_url"], timeout=60) as http:
            http.get("/research-studies", headers={"Authorization": "Bearer vp_live_not-a-key"})
            http.headers["Authorization"] = f"Bearer {self.key}"
            study = new_study(http, 20)
            path = f"/research-studies/{study['id']}"
            self.asked = http.post(f"{path}/questions", json={"question": ANSWERED})
            self.job_ids = self.asked.json()["job_ids"]
            self.answers = [job["result"]["response_text"] for job in finish(http, self.job_ids)]
            self.link = http.post(f"{path}/share", json={"enabled": True}).json()["url"]
            httpx.get(self.link)
            http.get("/no/such%0A%7B%22level%22:%22critical%22%7D")
            body = {"description": "US adults", "group_size": 10}
            key = {"Idempotency-Key": "k"}
            described = http.post("/research-groups:from-description", json=body, headers=key)
            self.operation = described.json()["operation"]["id"]
            finish(http, [described.json()["job"]["id"]])
        self.figures = httpx.get(self.metrics_url).text
        self.machine.terminate()
        self.log = self.machine.log.read_text()

    def lines(self, logger: str) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.log.splitlines()) if line["logger"] == logger]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    return Watched(tmp_path_factory.mktemp("watched"))


# The log


def test_every_line_is_one_json_object_with_the_same_beginning(watched: Watched) -> None:
    for line in watched.log.splitlines():
        told = json.loads(line)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
        assert list(told)[:4] == ["time", "level", "logger", "message"]
        assert told["level"] in {"info", "warning", "error"}


def test_a_call_is_logged_with_its_id_its_route_and_the_ids_of_what_it_began(watched: Watched) -> None:
    number = watched.asked.headers["x-request-id"]
    (call,) = [line for line in watched.lines("voxpop.calls") if line["request_id"] == number]
    assert (call["method"], call["status"]) == ("POST", 202)
    assert call["route"] == "/v1/research-studies/{study_id}/questions"
    assert (call["jobs"], call["first_job"]) == (20, watched.job_ids[0])
    assert call["organization"] == call["key"] == 1
    (described,) = [line for line in watched.lines("voxpop.calls") if line.get("operation")]
    assert described["operation"] == watched.operation
    assert described["job_id"].startswith("job_")


def test_a_piece_of_work_is_logged_with_its_jobs_and_what_became_of_them(watched: Watched) -> None:
    (asking,) = [line for line in watched.lines("voxpop.work") if line["kind"] == "question"]
    assert (asking["first_job"], asking["last_job"]) == (watched.job_ids[0], watched.job_ids[-1])
    assert (asking["jobs"], asking["answered"], asking["failed"]) == (20, 20, 0)
    assert asking["message"].endswith(": done.")


def test_no_line_holds_a_key_an_answer_a_question_a_name_or_a_link(watched: Watched) -> None:
    token = watched.link.rsplit("/", 1)[1]
    secrets = (watched.key[8:], "not-a-key", token, SECRET_NAME, ANSWERED, *watched.answers)
    assert [secret for secret in secrets if secret in watched.log] == []


def test_without_being_asked_for_it_the_log_is_text_and_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(tmp_path / "data")
    quiet = Machine(tmp_path, "serve", "--port", "0", "--agents", "3000", "--data", data).start()
    httpx.get(f"{quiet.ready['root_url']}/healthz")
    assert "metrics_url" not in quiet.ready
    quiet.terminate()
    assert "healthz" not in quiet.log.read_text()
    assert main(["serve", "--data", data, "--log-format", "xml"]) == 2
    assert "text or json, not 'xml'" in capsys.readouterr().err


class Told(pydantic.BaseModel):
    answer: int


def failures() -> Iterator[BaseException]:
    """Return errors whose messages contain an answer or a secret."""
    try:
        Told.model_validate({"answer": SAID})
    except pydantic.ValidationError as error:
        try:
            raise RuntimeError("could not store it") from error
        except RuntimeError as outer:
            yield outer
    yield ValueError(f"null value violates\nDETAIL:  Failing row contains (1, {SAID}).\n[SQL: INSERT]")
    yield ValueError(f"no route to postgresql://voxpop:{SAID}@db/voxpop")
    yield ValueError(f"401 for Bearer {SAID}, key sk-ant-{SAID}, vp_live_{SAID}, /shared/{SAID}")


@pytest.mark.parametrize("lines", [TextLines(), JsonLines()], ids=lambda made: type(made).__name__)
@pytest.mark.parametrize("error", list(failures()), ids=lambda error: type(error).__name__)
def test_a_traceback_shows_where_and_why_but_not_what(lines: logging.Formatter, error: BaseException) -> None:
    about = (type(error), error, error.__traceback__)
    text = lines.format(logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), about))
    assert SAID not in text
    assert type(error).__name__ in text
    if error.__cause__ is not None:
        assert "answer: int_parsing" in text
        assert "Traceback" in text


@pytest.mark.parametrize("lines", [TextLines(), JsonLines()], ids=lambda made: type(made).__name__)
def test_what_a_caller_sends_cannot_begin_a_line(lines: logging.Formatter) -> None:
    sent = "/x\n2026-01-01 CRITICAL all is lost\r\x1b[2J"
    text = lines.format(logging.LogRecord("x", logging.INFO, "x.py", 1, "%s is unknown", (sent,), None))
    assert not re.search("[\x00-\x1f\x7f]", text)


def test_ids_belong_to_the_lines_inside_and_to_no_others() -> None:
    record = logging.LogRecord("x", logging.INFO, "x.py", 1, "hello", (), None)
    with thread_of(request_id="req_1"):
        note(job_id="job_1")
        inside = json.loads(JsonLines().format(record))
    note(job_id="job_2")
    assert (inside["request_id"], inside["job_id"]) == ("req_1", "job_1")
    assert set(json.loads(JsonLines().format(record))) == {"time", "level", "logger", "message"}


# The figures


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_calls_work_and_answers_are_counted(watched: Watched) -> None:
    told = samples(watched.figures)
    asked = {"method": "POST", "route": "/v1/research-studies/{study_id}/questions", "status": "202"}
    assert told["voxpop_http_request_seconds_count", tuple(sorted(asked.items()))] == 1
    refused = {"method": "GET", "route": "/v1/research-studies", "status": "401"}
    assert told["voxpop_http_request_seconds_count", tuple(sorted(refused.items()))] == 1
    unknown = {"method": "GET", "route": "none", "status": "404"}
    assert told["voxpop_http_request_seconds_count", tuple(sorted(unknown.items()))] == 1
    done = (("kind", "question"), ("outcome", "done"))
    assert told["voxpop_work_item_seconds_count", done] == 1
    assert told["voxpop_answers_total", (("outcome", "answered"),)] == 20
    for name in ("work_items_waiting", "work_items_claimed", "work_organizations", "work_oldest_seconds"):
        assert told[f"voxpop_{name}", ()] == 0
    assert told["voxpop_database_up", ()] == 1
    assert told["process_resident_memory_bytes", ()] > 10**7


def test_the_figures_have_no_names_and_only_labels_that_are_few(watched: Watched) -> None:
    for secret in (SECRET_NAME, "Umbrella", watched.key[:16], watched.job_ids[0], "Snacks", "snack"):
        assert secret not in watched.figures
    routes = {route.path for router in ROUTERS for route in router.routes} | {"none", "/mcp", "/openapi.json"}
    for name, labels in samples(watched.figures):
        assert {label for label, _ in labels} <= {
            *("method", "route", "status", "le", "kind", "outcome", "version", "program")
        }, name
        assert dict(labels).get("route", "none") in routes


def test_the_port_of_the_service_itself_has_no_figures(embedded: Service) -> None:
    assert httpx.get(f"{embedded.root_url}/metrics").status_code == 404


def test_the_port_of_the_figures_has_nothing_else_and_drops_whoever_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching._Handler, "timeout", 0.2)
    seen = [Ready("ok", "ok", "ok")]
    figures = watching.WatchServer(watching.Watch("worker"), lambda: seen[0], host="127.0.0.1", port=0)
    place = httpx.URL(figures.root_url)
    with httpx.Client(base_url=place) as http:
        assert http.get("/v1/research-studies").status_code == 404
        assert http.post("/metrics").status_code == 501
        assert http.get("/livez").json() == {"status": "ok"}
        assert http.get("/readyz").json() == {"status": "ok", "database": "ok", "queue": "ok"}
        seen[0] = Ready("unavailable", "ok", "unavailable")
        assert (http.get("/readyz").status_code, http.get("/livez").status_code) == (503, 200)
        assert 'voxpop_info{program="worker"' in http.get("/metrics").text
    with socket.create_connection((place.host, place.port), timeout=20) as silent:
        assert silent.recv(100) == b""
    figures.stop()


# Readiness


def test_a_service_says_that_it_is_alive_and_ready(embedded: Service) -> None:
    assert httpx.get(f"{embedded.root_url}/livez").json() == {"status": "ok"}
    assert httpx.get(f"{embedded.root_url}/readyz").json() == {
        "status": "ok",
        "database": "ok",
        "queue": "ok",
    }


def test_a_service_that_begins_to_stop_is_alive_and_not_ready(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path)
    recruit(service.client(service.key()), 2)
    service.state.closing.set()
    answer = httpx.get(f"{service.root_url}/readyz")
    assert (answer.status_code, int(answer.headers["retry-after"])) == (503, 1)
    assert "it is stopping" in answer.json()["error"]["message"]
    assert httpx.get(f"{service.root_url}/livez").status_code == 200
    service.close()
    assert not service.state.queue.working()


def test_a_process_without_work_of_its_own_needs_no_queue(embedded: Service) -> None:
    assert look(embedded.state.database, None).queue == "none"
