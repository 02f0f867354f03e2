"""Errands for a service: calls repeated until accepted, with the checks of their results."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import sqlalchemy as sa

from machines import Cluster, Machine
from served_service import key_at

AGENTS = "12000"
DOGS = "US adults aged 30 to 50 who own a dog"
STARBUCKS = "Starbucks is losing Gen Z because of price"
TAKEOVER_S = 1.5
PATIENCE_S = 120.0
SETTINGS = {
    "VOXPOP_RATE_LIVE": "none",
    "VOXPOP_QUOTA_LIVE": "none",
    "VOXPOP_TAKEOVER": str(TAKEOVER_S),
}


class Site:
    """A service with a key to it: by itself on SQLite, or with workers on a PostgreSQL.

    Parameters
    ----------
    folder
        Where its data and its logs lie.
    server
        The PostgreSQL; SQLite without it.
    workers
        How many of them do the work; None where the service does it.
    """

    def __init__(self, folder: Path, server: Cluster | None = None, workers: int | None = None) -> None:
        self.server = server
        if server is None:
            (folder / "data").mkdir(parents=True)
            self.place = ["--data", str(folder / "data")]
            self.url = f"sqlite:///{folder / 'data' / 'voxpop.sqlite'}"
        else:
            self.url = server.create(f"site_{uuid4().hex[:8]}")
            self.place = ["--database", self.url]
        work = [] if workers is None else ["--no-work"]
        port = _free_port()
        options = ["--port", str(port), "--agents", AGENTS, *self.place, *work]
        self.service = Machine(folder / "service", "serve", *options, **SETTINGS)
        self.workers = [
            Machine(folder / f"worker-{number}", "worker", *self.place, **SETTINGS)
            for number in range(workers or 0)
        ]
        self.service.start()
        for worker in self.workers:
            worker.begin()
        for worker in self.workers:
            worker.await_ready()
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=PATIENCE_S)
        self.http.headers["Authorization"] = f"Bearer {self.key()}"

    def key(self, organization: str = "acme") -> str:
        """Make a key beside the running service."""
        return key_at(self.url, organization)

    def kill(self, victim: str) -> Callable[[], object]:
        """Kill the service, a worker or the database server, and return what starts it again."""
        if victim == "postgres":
            assert self.server is not None
            self.server.kill()
            return self.server.start
        machine = self.service if victim == "service" else self.workers[0]
        machine.kill()
        return machine.start

    def call(self, method: str, path: str, **rest: Any) -> dict[str, Any]:
        """Make a call again and again until it is answered, as a caller does who has to have it done."""
        return self.answer(method, path, **rest).json()  # type: ignore[no-any-return]

    def answer(self, method: str, path: str, **rest: Any) -> httpx.Response:
        """Make a call like :meth:`call`, and return the whole answer."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            try:
                answer = self.http.request(method, path, **rest)
            except httpx.TransportError:
                assert time.monotonic() < ends
            else:
                assert answer.status_code < 400 or answer.status_code == 503, answer.text
                if answer.status_code != 503:
                    return answer
                assert int(answer.headers["Retry-After"]) >= 1
            time.sleep(0.05)

    def await_end(self) -> None:
        """Wait until no job is open any more."""
        ends = time.monotonic() + PATIENCE_S
        while left := self.rows("SELECT count(*) FROM jobs WHERE status = 'started'")[0][0]:
            assert time.monotonic() < ends, f"{left} jobs do not end:\n{self.told()}"
            time.sleep(0.05)
        while self.rows("SELECT count(*) FROM work_items WHERE state <> 'done'")[0][0]:
            assert time.monotonic() < ends, f"work is left over:\n{self.told()}"
            time.sleep(0.05)

    def rows(self, statement: str) -> list[Any]:
        """Look into the database, past the service."""
        engine = sa.create_engine(
            self.url.replace("postgresql:", "postgresql+psycopg:"), poolclass=sa.pool.NullPool
        )
        with engine.connect() as c:
            return list(c.exec_driver_sql(statement).all())

    def told(self) -> str:
        """Return the ends of all logs."""
        return "\n".join(each.log.read_text()[-2_000:] for each in (self.service, *self.workers))

    def close(self) -> None:
        """End everything, in any case."""
        self.http.close()
        for machine in (self.service, *self.workers):
            machine.kill()


class Errand:
    """An idempotent call to a service, which may be repeated and must take effect once.

    Parameters
    ----------
    site
        Whose service.
    path, body
        The call.
    """

    def __init__(self, site: Site, path: str, body: dict[str, Any]) -> None:
        self._site, self._path, self._body = site, path, body
        self._key = uuid4().hex
        self._thread = threading.Thread(target=self._insist)
        self.accepted: dict[str, Any] = {}

    def begin(self) -> None:
        """Send the call, and go on sending it until it is accepted."""
        self._thread.start()

    def _insist(self) -> None:
        self.accepted = self._send().json()

    def _send(self) -> httpx.Response:
        return self._site.answer("POST", self._path, json=self._body, headers={"Idempotency-Key": self._key})

    def await_accepted(self) -> None:
        """Wait until the call is accepted."""
        self._thread.join(PATIENCE_S)
        assert self.accepted, "never accepted"

    def check(self) -> None:
        """Wait for its end; it went well, and whoever sends the call again is told the same."""
        self.await_accepted()
        self._site.await_end()
        job = self._site.call("GET", f"/jobs/{self.accepted['job']['id']}")
        assert (job["status"], job["error"]) == ("finished", None)
        again = self._send()
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.json()["operation"]["id"] == self.accepted["operation"]["id"]


def recruiting(site: Site) -> Errand:
    """Screen thousands of candidates for a group of 300."""
    return Errand(site, "/research-groups:from-description", {"description": DOGS, "group_size": 300})


def asking(site: Site) -> Errand:
    """Ask a group of 5,000."""
    body = {"filters": {}, "group_size": 5_000}
    group = site.call("POST", "/research-groups/recruit", json=body)["group"]
    return Errand(site, f"/research-groups/{group['uuid']}:ask", {"question": "Do you smoke?"})


def studying(site: Site) -> Errand:
    """Recruit 300, ask them two questions in order, and complete the study."""
    questions = [{"question": "Do you smoke?", "key": "smoke"}, {"question": "Why?", "key": "why"}]
    body = {"request_text": "US adults", "group_size": 300, "questions": questions}
    return Errand(site, "/research-study-requests", body)


def thesis(site: Site) -> Errand:
    """Have a thesis tested by panels of 100."""
    return Errand(site, "/thesis:compose-and-recruit", {"raw_input": STARBUCKS, "panel_size": 100})


def check_the_books(site: Site) -> None:
    """Every question has each of its answers once, nothing failed, and the usage is what was answered."""
    asked = site.rows(
        "SELECT q.asked_count, q.answer_count, q.failed_count, count(a.id), count(DISTINCT a.agent_id) "
        "FROM questions q LEFT JOIN answers a ON a.question_id = q.id GROUP BY q.id, q.asked_count, "
        "q.answer_count, q.failed_count"
    )
    for wanted, answered, failed, stored, distinct in asked:
        assert (answered, failed, stored, distinct) == (wanted, 0, wanted, wanted)
    assert site.rows("SELECT count(*) FROM jobs WHERE status <> 'finished'")[0][0] == 0
    counted = dict(
        (status, quantity)
        for status, quantity in site.rows("SELECT status, sum(quantity) FROM usage_events GROUP BY status")
    )
    assert "reserved" not in counted
    used = counted.get("recorded", 0) + counted.get("committed", 0)
    assert site.rows("SELECT coalesce(sum(used), 0) FROM usage_cycles")[0][0] == used
    assert site.rows("SELECT count(*) FROM answers")[0][0] == used


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
