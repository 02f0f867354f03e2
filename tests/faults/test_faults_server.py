"""A database server that stalls, disappears or refuses connections, and workers that start and stop."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from errands import SETTINGS, Site, asking, check_the_books, thesis

from machines import Machine, cluster
from running_service import new_study, recruit
from served_service import voxpop
from voxpop.cli import main
from voxpop.records.database import Database

BIG = 5_000


@pytest.fixture
def stranger(postgres_site: Site) -> Iterator[httpx.Client]:
    """A caller of another organization."""
    http = httpx.Client(base_url=postgres_site.http.base_url, timeout=60)
    http.headers["Authorization"] = f"Bearer {postgres_site.key('other')}"
    yield http
    http.close()


def test_a_server_that_stalls_for_a_while_holds_everything_up_and_loses_nothing(postgres_site: Site) -> None:
    server = postgres_site.server
    assert server is not None
    errand = thesis(postgres_site)
    errand.begin()
    time.sleep(0.3)
    server.send(signal.SIGSTOP)
    time.sleep(3.0)  # twice the time after which work is taken over
    server.send(signal.SIGCONT)
    errand.check()
    check_the_books(postgres_site)


def test_while_the_server_is_away_callers_are_told_and_all_goes_on_when_it_is_back(
    postgres_site: Site,
) -> None:
    server, http = postgres_site.server, postgres_site.http
    assert server is not None
    errand = asking(postgres_site)
    errand.begin()
    errand.await_accepted()
    server.kill()
    for method, path in (("GET", "/research-studies"), ("POST", "/research-groups/recruit")):
        body = None if method == "GET" else {"filters": {}, "group_size": 5}
        answer = http.request(method, path, json=body)
        assert answer.status_code == 503, answer.text
        assert int(answer.headers["Retry-After"]) >= 1
    server.start()
    errand.check()
    check_the_books(postgres_site)
    assert {machine.log.read_text().count("Traceback") for machine in postgres_site.workers} == {0}


def until_it_waits(worker: Machine, times: int) -> None:
    ends = time.monotonic() + 30
    while worker.log.read_text().count("is not ready; waiting for it") < times:
        assert worker.running, worker.log.read_text()
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_worker_waits_for_a_server_that_starts_and_ends_at_once_for_good_reasons(tmp_path: Path) -> None:
    with cluster() as server:
        address = server.create("late")
        Database.open(address).close()
        server.run("CREATE TABLE ballast AS SELECT generate_series(1, 400000)", "late")
        server.kill()
        worker = Machine(tmp_path / "worker", "worker", "--database", address, **SETTINGS)
        worker.begin()
        until_it_waits(worker, 1)
        server.start()
        told = worker.refused()  # it has reached the database, on which no service was started
        assert "start voxpop serve first" in told
        server.kill()
        worker.begin()
        until_it_waits(worker, 2)
        assert worker.terminate() < 10
        server.start()
        nowhere = Machine(
            tmp_path / "nowhere", "worker", "--database", address.replace("/late", "/nowhere"), **SETTINGS
        )
        nowhere.begin()
        assert 'database "nowhere" does not exist' in nowhere.refused()
        assert "waiting for it" not in nowhere.log.read_text()


def test_a_server_that_takes_nobody_more_is_told_of_and_those_who_are_in_go_on(
    postgres_site: Site, tmp_path: Path
) -> None:
    server = postgres_site.server
    assert server is not None
    url = sa.make_url(server.address()).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, poolclass=sa.pool.NullPool)
    crowd = []
    with pytest.raises(sa.exc.OperationalError):  # noqa: PT012
        while True:
            crowd.append(engine.connect())
    late = Machine(tmp_path / "late", "worker", *postgres_site.place, **SETTINGS)
    late.begin()
    told = [line for line in late.refused().splitlines() if " INFO " not in line]
    assert len(told) == 1
    assert "cannot be opened" in told[0]
    with ThreadPoolExecutor(20) as callers:
        answers = list(callers.map(lambda _: postgres_site.http.get("/research-studies"), range(60)))
    assert {answer.status_code for answer in answers} <= {200, 503}
    for connection in crowd:
        connection.close()
    errand = asking(postgres_site)
    errand.begin()
    errand.check()


def test_a_small_question_of_one_organization_does_not_wait_for_a_large_one_of_another(
    postgres_site: Site, stranger: httpx.Client
) -> None:
    http = postgres_site.http
    small = new_study(stranger, 10)
    group = recruit(http, BIG, filters={})["group"]
    study = http.post("/research-studies", json={"title": "t", "research_group_uuid": group["uuid"]}).json()
    path = f"/research-studies/{study['study']['id']}/questions"
    asked = [http.post(path, json={"question": text}).json() for text in ("Do you smoke?", "Why?")]
    one = stranger.post(f"/research-studies/{small['id']}/questions", json={"question": "Do you smoke?"})
    (first, *_) = one.json()["job_ids"]
    assert stranger.get(f"/jobs/{first}", params={"wait_seconds": 60}).json()["status"] == "finished"
    left = http.get(f"/jobs/{asked[-1]['job_ids'][-1]}").json()
    assert left["status"] == "started"  # the large one is far from its end
    postgres_site.await_end()


def test_a_worker_that_is_told_to_stop_finishes_what_it_has_in_hand(
    postgres_site: Site, tmp_path: Path
) -> None:
    one, two = postgres_site.workers
    two.terminate()
    errand = asking(postgres_site)
    errand.begin()
    errand.await_accepted()
    while not postgres_site.rows("SELECT 1 FROM work_items WHERE state = 'claimed'"):
        time.sleep(0.005)
    one.terminate(within=20)
    assert postgres_site.rows("SELECT count(*) FROM work_items WHERE state = 'claimed'") == [(0,)]
    assert postgres_site.rows("SELECT count(*) FROM work_items WHERE state = 'queued'")[0][0] > 0
    for worker in (one, two):
        worker.start()
    errand.check()
    check_the_books(postgres_site)


def test_several_upgrades_at_once_make_the_tables_once(postgres_site: Site) -> None:
    assert postgres_site.server is not None
    address = postgres_site.server.create("upgraded")
    with ThreadPoolExecutor(4) as crowd:
        done = list(crowd.map(lambda _: voxpop("db", "upgrade", "--database", address), range(3)))
    assert [(each.returncode, each.stderr) for each in done] == [(0, "")] * 3
    assert len({each.stdout for each in done}) == 1
    assert postgres_site.server.run("SELECT count(*) FROM alembic_version", "upgraded") == [(1,)]
    assert postgres_site.server.run("SELECT count(*) FROM voxpop_queue.procrastinate_jobs", "upgraded") == [
        (0,)
    ]


def test_a_worker_says_what_it_lacks(
    postgres_site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert postgres_site.server is not None
    nobody = voxpop("worker", "--database", postgres_site.server.create("empty"))
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "start voxpop serve first" in nobody.stderr
    for arguments, lacking in (
        (["worker", "--database", f"sqlite:///{tmp_path}/voxpop.sqlite"], "postgresql://"),
        (["worker"], "VOXPOP_DATABASE_URL"),
        (["serve", "--no-work", "--data", str(tmp_path)], "voxpop worker"),
    ):
        assert main(arguments) == 2
        assert lacking in capsys.readouterr().err
