"""A small service in memory, in two forms: with the additions of the contract, and as documented alone."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pyarrow as pa

from voxpop.client import Client

KEY = "vp_live_" + "k3y" * 13 + "a1b2"
ARROW = "application/vnd.apache.arrow.stream"
AGENTS = [
    {
        "id": number,
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "name": f"Agent {number}",
        "age": 30 + number,
        "gender": "female" if number % 2 else "male",
        "country": "USA",
        "health_profile": None,
    }
    for number in range(1, 5)
]


class Service:
    """Four agents that answer what they are told to; jobs end after so many looks."""

    def __init__(self, *, additions: bool) -> None:
        self.additions = additions
        self.calls: list[httpx.Request] = []
        self.slept: list[float] = []
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.looks_before_the_end = 0
        self.failing: set[int] = set()
        self.analysis_status: dict[str, Any] = {"status": "finished"}
        self.shortfall = 0
        self.bodies: list[dict[str, Any]] = []
        self.questions: list[dict[str, Any]] = []
        self.jobs: dict[str, dict[str, Any]] = {}
        self.removed: set[int] = set()
        self.answered = 0

    def client(self, **options: Any) -> Client:
        def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.now += timedelta(seconds=seconds)

        return Client(
            "http://service.test",
            KEY,
            transport=httpx.MockTransport(self._answer),
            sleep=sleep,
            clock=lambda: self.now,
            **options,
        )

    def paths(self, method: str = "GET") -> list[str]:
        return [call.url.path.removeprefix("/v1") for call in self.calls if call.method == method]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.calls.append(request)
        path = request.url.path.removeprefix("/v1")
        body = json.loads(request.content) if request.content else {}
        if request.method != "GET":
            self.bodies.append(body)
        if path.startswith("/jobs/"):
            return self._json(self._job(path.removeprefix("/jobs/")))
        name = f"{request.method} {path}".replace("/research-studies/1", "/S").replace(
            "/research-studies", "/SS"
        )
        documented = {
            "POST /research-groups/recruit": self._recruit,
            "POST /SS": self._create,
            "GET /S": lambda _: {"study": self._study()},
            "POST /S/questions": self._ask,
            "GET /S/questions": lambda _: self._listed(request.url.params.get("answers") != "false"),
            "POST /S/complete": self._complete,
            "POST /S/share": self._share,
            "DELETE /S/agents": self._remove,
        }
        added = {
            "GET /jobs": lambda _: {"jobs": [self._job(one) for one in request.url.params["ids"].split(",")]},
            "GET /S/analysis": lambda _: {
                "study_id": 1,
                "stage": "completed",
                "steps": {"stats": {"agents": 4}},
            },
            "GET /S/unanswered": lambda _: {"unanswered": self._unanswered()},
            "GET /S/agents": lambda _: {
                "agents": [agent | {"agent_removed": agent["id"] in self.removed} for agent in AGENTS]
            },
            "GET /healthz": lambda _: {"version": "9.9", "population": {"version": "p1", "agents": 4}},
        }
        if self.additions and name == "GET /S/answers":
            return self._bulk(int(request.url.params.get("after", "0")), request.headers["Accept"])
        known = documented | (added if self.additions else {})
        if name not in known:
            return httpx.Response(404, json={"error": {"code": "not_found", "message": f"No page {path}."}})
        return self._json(known[name](body))

    def _json(self, data: Any) -> httpx.Response:
        return data if isinstance(data, httpx.Response) else httpx.Response(200, json=data)

    def _recruit(self, body: dict[str, Any]) -> Any:
        group = {"id": 1, "uuid": "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"}
        if self.additions:
            group |= {"name": body["name"], "agent_count": 4, "shortfall": self.shortfall, "seed": 1}
        return {"group": group}

    def _create(self, body: dict[str, Any]) -> Any:
        self.title = body["title"]
        return {"study": self._study()}

    def _study(self) -> dict[str, Any]:
        if not self.additions:
            return {"id": 1}
        return {
            "id": 1,
            "uuid": "9c1a1f0e-6a53-4f0e-9d0e-2f8b6a1c7e22",
            "title": getattr(self, "title", "Snacks"),
            "stage": "active",
            "agent_count": 4 - len(self.removed),
            "question_count": len(self.questions),
            "created_at": "2026-01-01T00:00:00Z",
        }

    def _ask(self, body: dict[str, Any]) -> Any:
        number = len(self.questions) + 1
        question = {"id": number, "question": body["question"], "answers": []}
        if self.additions:
            question |= {
                "uuid": f"10000000-0000-4000-8000-{number:012d}",
                "key": body.get("key"),
                "type": body.get("type", "open"),
                "asked_count": 4,
                "answer_count": 0,
                "failed_count": 0,
            }
        self.questions.append(question)
        ids = []
        for agent in AGENTS:
            job_id = f"job_{number}_{agent['id']}"
            self.jobs[job_id] = {"looks": self.looks_before_the_end, "agent": agent, "question": question}
            ids.append(job_id)
        answer: dict[str, Any] = {"job_ids": ids}
        return answer | (
            {"question_id": number, "question": question, "poll_after_s": 0.5} if self.additions else {}
        )

    def _job(self, job_id: str) -> dict[str, Any]:
        job = self.jobs[job_id]
        meta = {"poll_after_s": 0.25} if self.additions else {}
        if job["looks"] > 0:
            job["looks"] -= 1
            return {"id": job_id, "status": "started", "result": None, "error": None, "meta": meta}
        if "agent" not in job:
            return {"result": {"summary": "done"}, "error": None, "meta": {}} | job["end"]
        if job["agent"]["id"] in self.failing:
            self._count(job, "failed_count")
            return {"id": job_id, "status": "failed", "result": None, "error": {"code": "x", "message": "y"}}
        self._count(job, "answer_count")
        return {"id": job_id, "status": "finished", "result": {"agent_id": job["agent"]["id"]}, "error": None}

    def _count(self, job: dict[str, Any], name: str) -> None:
        if job.get("ended"):
            return
        job["ended"] = True
        if self.additions:
            job["question"][name] += 1
        if name == "answer_count":
            self.answered += 1
            agent = job["agent"]
            answer = {"id": self.answered, "agent_id": agent["id"], "response_text": f"I am {agent['name']}."}
            answer |= {"agent_name": agent["name"], "agent_age": agent["age"]}
            job["question"]["answers"].append(answer)

    def _unanswered(self) -> list[dict[str, Any]]:
        """The jobs that have failed, each agent's with a reason of its own but the first ones' alike."""
        return [
            {
                "job_id": job_id,
                "question_id": job["question"]["id"],
                "agent_id": job["agent"]["id"],
                "status": "failed",
                "error": {"code": "x", "message": f"Reason {max(2, job['agent']['id'])}."},
            }
            for job_id, job in self.jobs.items()
            if "agent" in job and job["agent"]["id"] in self.failing
        ]

    def _listed(self, answers: bool) -> dict[str, Any]:
        shown = [
            question | {"answers": question["answers"] if answers or not self.additions else []}
            for question in self.questions
        ]
        return {"questions": shown} | ({"study_id": 1, "count": len(shown)} if self.additions else {})

    def _bulk(self, after: int, accept: str) -> httpx.Response:
        rows = [
            {
                "id": answer["id"],
                "question_id": question["id"],
                "agent_id": answer["agent_id"],
                "response_text": answer["response_text"],
            }
            for question in self.questions
            for answer in question["answers"]
            if answer["id"] > after
        ]
        names = {
            "id": pa.int64(),
            "question_id": pa.int64(),
            "agent_id": pa.int64(),
            "response_text": pa.string(),
        }
        table = pa.Table.from_pylist(rows, schema=pa.schema(names.items()))
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        if accept != ARROW:
            return httpx.Response(200, json={"answers": rows})
        return httpx.Response(200, content=sink.getvalue(), headers={"Content-Type": ARROW})

    def _complete(self, body: dict[str, Any]) -> Any:
        self.jobs["job_c"] = {"looks": self.looks_before_the_end, "end": self.analysis_status}
        return {"job_id": "job_c", "queued_steps": body.get("steps", ["stats"])}

    def _share(self, body: dict[str, Any]) -> Any:
        link = "http://service.test/shared/" + "s" * 43 if body["enabled"] else None
        return {"enabled": body["enabled"], "share_link": link, "url": link}

    def _remove(self, body: dict[str, Any]) -> Any:
        self.removed |= set(body["agent_ids"])
        return {"removed": body["agent_ids"], "not_found": [], "agent_count": 4 - len(self.removed)}
