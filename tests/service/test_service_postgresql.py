"""`voxpop serve` on a PostgreSQL server: it starts, keeps the password to itself, and is not alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from postgres_server import PostgresServer
from run_out import run_out
from running_service import Service, finish, new_study
from served_service import Served, voxpop
from voxpop.settings import WorkSettings

SECRET = "hunter2"


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database, as people write it: without the driver, with a password."""
    made = postgres.new()
    url = sa.make_url(made).set(drivername="postgresql", password=SECRET)
    yield url.render_as_string(hide_password=False)
    postgres.give_back(made)


def caller(service: Served, key: str) -> httpx.Client:
    return httpx.Client(base_url=service.base_url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def test_two_services_work_on_one_database(tmp_path: Path, address: str) -> None:
    (tmp_path / "second").mkdir()
    services = [Served(tmp_path, database=address), Served(tmp_path / "second", database=address)]
    try:
        key = services[0].key()
        with caller(services[0], key) as first, caller(services[1], key) as second:
            study = new_study(first, 20)
            path = f"/research-studies/{study['id']}/questions"
            asked = [http.post(path, json={"question": "Do you smoke?"}).json() for http in (first, second)]
            for http, question in ((second, asked[0]), (first, asked[1])):
                assert {job["status"] for job in finish(http, question["job_ids"])} == {"finished"}
            assert first.get(path).json() == second.get(path).json()
        listed = voxpop("keys", "list", "--database", address)
        assert key[:16] in listed.stdout
        assert voxpop("keys", "revoke", key[:16], "--database", address).returncode == 0
        for service in services:
            assert service.terminate() < 10
            assert SECRET not in service.log.read_text()
    finally:
        for service in services:
            service.close()


def test_what_a_killed_service_was_asked_is_done_by_the_one_beside_it(
    home: Path, tmp_path: Path, address: str
) -> None:
    killed = Served(tmp_path, database=address)
    beside = Service(home, tmp_path / "beside", address, work=WorkSettings(takeover_s=2))
    try:
        key = killed.key()
        with caller(killed, key) as http:
            study = new_study(http, 2_000)
            path = f"/research-studies/{study['id']}/questions"
            asked = [http.post(path, json={"question": text}).json() for text in ("Why?", "What else?")]
        killed.close()
        run_out(beside.state.database)
        http = beside.client(key)
        for question in asked:
            finish(http, question["job_ids"][99::100])  # the last one of each work item
        answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
        given = Counter((answer["question_id"], answer["agent_id"]) for answer in answers)
        assert len(given) == 2 * study["agent_count"] > 3_000
        assert set(given.values()) == {1}
    finally:
        killed.close()
        beside.close()


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("keys", "list")])
def test_a_server_that_is_not_there_is_named_without_the_password(command: tuple[str, ...]) -> None:
    done = voxpop(*command, "--database", f"postgresql://me:{SECRET}@127.0.0.1:1/voxpop?password={SECRET}")
    assert done.returncode == 1
    assert "me:***@127.0.0.1:1/voxpop cannot be opened" in done.stderr
    assert SECRET not in done.stderr + done.stdout
    assert len([line for line in done.stderr.splitlines() if " INFO " not in line]) == 1


def test_while_the_server_is_away_calls_are_answered_with_503(
    home: Path, tmp_path: Path, postgres: PostgresServer
) -> None:
    made = postgres.new()
    service = Service(home, tmp_path, made)
    try:
        http = service.client(service.key())
        assert http.get("/research-studies").status_code == 200
        postgres.allow(made, False)
        answer = http.get("/research-studies")
        assert answer.status_code == 503, answer.text
        assert answer.headers["Retry-After"] == "1"
        assert answer.json()["error"]["code"] == "unavailable"
        postgres.allow(made, True)
        assert http.get("/research-studies").status_code == 200
    finally:
        postgres.allow(made, True)
        service.close()
        postgres.give_back(made)
