"""The canonical workflow as somebody runs it who has nothing but curl and the documentation."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served_service import Served


class Curl:
    """Calls with a key, each one real `curl` command."""

    def __init__(self, service: Served) -> None:
        assert shutil.which("curl"), "This test runs curl, and there is none on this machine: install it."
        self._base_url = service.base_url
        self._key = service.key()

    def __call__(self, method: str, path: str, body: Any = None, *options: str) -> Any:
        """Return the answer's JSON; an error answer fails the test."""
        command = ["curl", "--silent", "--show-error", "--fail-with-body", "--max-time", "70", "-X", method]
        command += ["-H", f"Authorization: Bearer {self._key}", *options]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "--data-binary", json.dumps(body)]
        done = subprocess.run(
            [*command, self._base_url + path], capture_output=True, text=True, timeout=90, check=False
        )
        assert done.returncode == 0, (done.stdout, done.stderr)
        return json.loads(done.stdout)

    def finished(self, job_id: str) -> dict[str, Any]:
        """Poll a job until it has ended."""
        while (job := self("GET", f"/jobs/{job_id}?wait_seconds=60"))["status"] == "started":
            pass
        assert job["status"] == "finished", job
        return job

    def recruit(self, size: int, **filters: Any) -> dict[str, Any]:
        """Recruit a group by filters."""
        body = {"name": "Snackers", "filters": {"match": "all", "filters": filters}, "group_size": size}
        return self("POST", "/research-groups/recruit", body, "-H", "X-Filter-Raw-DSL: true")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("workflow"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def curl(served: Served) -> Curl:
    return Curl(served)


def test_the_seven_steps(curl: Curl, served: Served, tmp_path: Path) -> None:
    # 1 and 2: a group, here by raw filters
    recruited = curl.recruit(25, country={"any": ["USA"]}, age={"min": 25, "max": 64})
    group = recruited["group"]
    assert recruited["raw_dsl_mode"] == "explicit_opt_in"
    assert group["agent_count"] == len(recruited["recruited_agents"]) == 25
    assert all(25 <= agent["age"] <= 64 for agent in recruited["recruited_agents"])
    # 3: a study
    body = {"title": "Snack switching", "objective": "Who switches?", "research_group_uuid": group["uuid"]}
    study = curl("POST", "/research-studies", body)["study"]
    path = f"/research-studies/{study['id']}"
    # 4: one question
    asked = curl("POST", f"{path}/questions", {"question": "Would you switch to a lower-sugar snack?"})
    assert len(asked["job_ids"]) == 25
    # 5: its jobs
    for job_id in asked["job_ids"]:
        assert curl.finished(job_id)["result"]["question_id"] == asked["question_id"]
    (question,) = curl("GET", f"{path}/questions")["questions"]
    assert len(question["answers"]) == question["answer_count"] == 25
    # 6: completion
    completed = curl("POST", f"{path}/complete", {"force": False})
    assert completed["queued_steps"]
    curl.finished(completed["job_id"])
    assert curl("GET", path)["study"]["stage"] == "completed"
    assert set(curl("GET", f"{path}/analysis")["steps"]) == set(completed["queued_steps"])
    # 7: sharing
    link = curl("POST", f"{path}/share", {"enabled": True})["url"]
    page = tmp_path / "page.html"
    public = ["curl", "--silent", "--fail", "-o", str(page), "-w", "%{http_code}", f"{link}?utm_source=blog"]
    assert subprocess.run(public, capture_output=True, text=True, check=True).stdout == "200"
    assert "Snack switching" in page.read_text()
    curl("POST", f"{path}/share", {"enabled": False})
    assert subprocess.run(public, capture_output=True, text=True, check=False).stdout == "404"


def test_over_recruit_and_curate(curl: Curl) -> None:
    group = curl.recruit(60, country="USA")["group"]
    study = curl("POST", "/research-studies", {"title": "t", "research_group_uuid": group["uuid"]})["study"]
    path = f"/research-studies/{study['id']}"
    screening = curl("POST", f"{path}/questions", {"question": "Are you a parent?", "key": "parent"})
    for job_id in screening["job_ids"]:
        curl.finished(job_id)
    (question,) = curl("GET", f"{path}/questions")["questions"]
    mismatched = [answer["agent_id"] for answer in question["answers"] if answer["value"] is not True]
    assert 0 < len(mismatched) < 60
    removal = curl("DELETE", f"{path}/agents", {"agent_ids": mismatched})
    assert removal == {"removed": mismatched, "not_found": [], "agent_count": 60 - len(mismatched)}
    asked = curl("POST", f"{path}/questions", {"question": "How many children do you have?"})
    assert len(asked["job_ids"]) == 60 - len(mismatched)
    for job_id in asked["job_ids"]:
        assert curl.finished(job_id)["result"]["agent_id"] not in mismatched
    removed = {
        answer["agent_id"] for answer in curl("GET", f"{path}/answers")["answers"] if answer["agent_removed"]
    }
    assert removed == set(mismatched)
