"""The service as a process: starting, refusing to start, stopping, and logging."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from running_service import finish, new_study, recruit
from served_service import Served, voxpop

OTHER_AGENTS = "12000"  # a population that other tests need too


def caller(service: Served, key: str) -> httpx.Client:
    return httpx.Client(base_url=service.base_url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("served"))
    yield running
    running.close()


def test_sigterm_amid_answers_of_5000_ends_soon_and_loses_and_doubles_none(tmp_path: Path) -> None:
    served = Served(tmp_path, agents=OTHER_AGENTS)
    key = served.key()
    with caller(served, key) as http:
        group = recruit(http, 5_000, filters={})["group"]
        body = {"title": "t", "research_group_uuid": group["uuid"]}
        study = http.post("/research-studies", json=body).json()["study"]
        assert study["agent_count"] == 5_000
        path = f"/research-studies/{study['id']}"
        asked = [
            http.post(f"{path}/questions", json={"question": text}).json()
            for text in ("Do you smoke?", "What is your favourite snack?", "Why?")
        ]
    assert served.terminate() < 10
    again = Served(tmp_path, agents=OTHER_AGENTS)
    try:
        with caller(again, key) as http:
            finish(http, [question["job_ids"][-1] for question in asked])
            for question in asked:
                for start in range(0, 5_000, 1_000):
                    ids = ",".join(question["job_ids"][start : start + 1_000])
                    told = http.get("/jobs", params={"ids": ids}).json()
                    assert {job["status"] for job in told["jobs"]} == {"finished"}
            answers = http.get(f"{path}/answers").json()["answers"]
        given = Counter((answer["question_id"], answer["agent_id"]) for answer in answers)
        assert len(given) == 3 * 5_000
        assert set(given.values()) == {1}
    finally:
        again.close()


def test_a_key_that_is_revoked_beside_the_service_is_soon_dead(served: Served) -> None:
    key = served.key()
    with caller(served, key) as http:
        assert http.get("/research-studies").status_code == 200
        assert voxpop("keys", "revoke", key[:16], "--data", str(served.data)).returncode == 0
        revoked = time.monotonic()
        while http.get("/research-studies").status_code == 200:
            assert time.monotonic() - revoked < 5, "a revoked key still opens the door"
        assert http.get("/research-studies").status_code == 401


def test_the_log_holds_no_key_no_answer_and_no_share_link(served: Served) -> None:
    key = served.key()
    with caller(served, key) as http:
        study = new_study(http, 20)
        path = f"/research-studies/{study['id']}"
        asked = http.post(f"{path}/questions", json={"question": "What is your favourite snack?"}).json()
        answers = [job["result"]["response_text"] for job in finish(http, asked["job_ids"])]
        link = http.post(f"{path}/share", json={"enabled": True}).json()["url"]
        httpx.get(link)
        http.get("/research-studies", headers={"Authorization": "Bearer vp_live_wrong"})
    log = served.log.read_text()
    token = link.rsplit("/", 1)[1]
    assert not [secret for secret in (key, key[8:], token, "vp_live_", *answers) if secret in log]
    assert len(log.splitlines()) < 15


def refused(*arguments: str) -> str:
    """Return the one line with which `voxpop serve` says why it does not start."""
    done = voxpop("serve", "--port", "0", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    lines = [line for line in done.stderr.splitlines() if " INFO " not in line]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_groups_of_another_population_keep_the_service_from_starting(tmp_path: Path) -> None:
    Served(tmp_path, agents=OTHER_AGENTS).terminate()
    served = Served(tmp_path)  # no groups yet: another population is welcome
    with caller(served, served.key()) as http:
        new_study(http, 2)
    served.terminate()
    told = refused("--data", str(served.data), "--agents", OTHER_AGENTS)
    assert "-7-12000" in told
    assert "-7-3000" in told
    assert "Start it with 3000 agents and seed 7, or choose another data folder or database." in told


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "voxpop.sqlite").write_bytes(b"This is not a database. " * 100)
    told = refused("--data", str(tmp_path), "--agents", "3000")
    assert "voxpop.sqlite is damaged (file is not a database)" in told


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "voxpop.sqlite") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    told = refused("--data", str(tmp_path), "--agents", "3000")
    assert "holds the tables of another program" in told
    tables = other.execute("SELECT name FROM sqlite_master").fetchall()
    other.close()
    assert tables == [("recipes",)]


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    assert "data" in refused("--data", str(tmp_path / "data"), "--agents", "3000")


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refused("--data", str(tmp_path), "--agents", "3000", "--port", str(port))
    assert f"cannot listen on 127.0.0.1:{port}" in told


def test_two_services_on_one_folder_are_one_too_many(served: Served) -> None:
    assert "Another service is using the data folder" in refused(
        "--data", str(served.data), "--agents", OTHER_AGENTS
    )
