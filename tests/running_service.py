"""A service on a real socket, for every test that speaks HTTP to it; used by several conftest files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa

from voxpop.records import keys
from voxpop.records.database import Clock, utc_now
from voxpop.records.schema import answers, jobs, questions
from voxpop.service.app import create_app
from voxpop.service.server import start_server
from voxpop.service.state import open_service
from voxpop.settings import ServiceSettings

AGENTS = 3_000
_AT_ONCE = 500  # jobs that one call names
READ_WRITE = ("studies:read", "studies:write")

UNLIMITED: dict[str, Any] = dict.fromkeys(
    ("rate_live", "rate_free", "rate_guesses", "quota_live", "quota_free")
)


class Service:
    """An embedded service with 3,000 agents, its address, and keys for it.

    Its database is a file in ``data``, or the one at ``database_url``.
    """

    def __init__(
        self,
        home: Path,
        data: Path,
        database_url: str | None = None,
        clock: Clock = utc_now,
        **settings: Any,
    ) -> None:
        self.state = open_service(
            data,
            database_url=database_url,
            agents=AGENTS,
            seed=7,
            home=home,
            settings=ServiceSettings(**(UNLIMITED | settings)),
            clock=clock,
        )
        self.app = create_app(self.state)
        self.server = start_server(self.app)
        self.root_url, self.base_url = self.server.root_url, self.server.base_url
        self._clients: list[httpx.Client] = []

    def key(self, *scopes: str, organization: str = "acme", kind: str = "live") -> str:
        with self.state.database.begin() as connection:
            number = keys.organization_id(connection, organization)
            if number is None:
                number = keys.create_organization(connection, organization)
            return keys.create_key(connection, number, scopes or READ_WRITE, kind=kind)

    def client(self, key: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = httpx.Client(base_url=self.base_url, headers=headers, timeout=60)
        self._clients.append(client)
        return client

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self.server.stop()
        self.state.close()


def finish(http: httpx.Client, job_ids: Iterable[str]) -> list[dict[str, Any]]:
    """Wait until the jobs have ended and return them; all of them are read with one call."""
    ids = list(job_ids)
    ended: dict[str, dict[str, Any]] = {}
    while waiting := [job_id for job_id in ids if job_id not in ended]:
        answer = http.get(f"/jobs/{waiting[-1]}", params={"wait_seconds": 60})
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] in ("finished", "failed")
        ended[waiting[-1]] = answer.json()
        for start in range(0, len(waiting) - 1, _AT_ONCE):
            listed = http.get("/jobs", params={"ids": ",".join(waiting[:-1][start : start + _AT_ONCE])})
            assert listed.status_code == 200, listed.text
            ended |= {job["id"]: job for job in listed.json()["jobs"] if job["status"] != "started"}
    return [ended[job_id] for job_id in ids]


def recruit(http: httpx.Client, size: int = 12, **body: Any) -> dict[str, Any]:
    """Recruit a group and return the whole answer."""
    answer = http.post(
        "/research-groups/recruit",
        json={"name": "g", "filters": {"country": "USA"}, "group_size": size, **body},
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def new_study(http: httpx.Client, size: int = 12, **body: Any) -> dict[str, Any]:
    """Recruit a group, make a study on it, and return the study."""
    group = recruit(http, size)["group"]
    answer = http.post(
        "/research-studies",
        json={"title": "Snacks", "objective": "Who switches?", "research_group_uuid": group["uuid"], **body},
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["study"]


def ask(http: httpx.Client, study: dict[str, Any], question: str, **body: Any) -> dict[str, Any]:
    """Ask a question, wait for its jobs, and return the answer of asking."""
    answer = http.post(f"/research-studies/{study['id']}/questions", json={"question": question, **body})
    assert answer.status_code == 202, answer.text
    finish(http, answer.json()["job_ids"])
    return answer.json()


def fail_one(service: Service, question_id: int) -> sa.Row[Any]:
    """Let the last answer to a question have failed instead; return the answer that was."""
    with service.state.database.begin() as c:
        given = sa.select(answers).where(answers.c.question_id == question_id)
        lost = c.execute(given.order_by(answers.c.id.desc()).limit(1)).one()
        c.execute(answers.delete().where(answers.c.id == lost.id))
        error = {"code": "engine", "message": "The engine gave no answer."}
        c.execute(jobs.update().where(jobs.c.id == lost.job_id).values(status="failed", error=error))
        counts = {"answer_count": questions.c.answer_count - 1, "failed_count": questions.c.failed_count + 1}
        c.execute(questions.update().where(questions.c.id == question_id).values(**counts))
    return lost
