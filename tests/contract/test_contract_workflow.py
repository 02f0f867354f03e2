"""The canonical workflow, run with the documentation and an HTTP library only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served_service import Served


class Caller:
    """Calls with a key, through the standard library alone."""

    def __init__(self, service: Served) -> None:
        self._base_url = service.base_url
        self._key = service.key()

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the answer's JSON; an error answer fails the test."""
        sent = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json", **headers}
        data = None if body is None else json.dumps(body).encode()
        call = urllib.request.Request(self._base_url + path, data, sent, method=method)
        with urllib.request.urlopen(call, timeout=70) as answer:
            return json.load(answer)

    def finished(self, job_id: str) -> dict[str, Any]:
        """Poll a job until it has ended."""
        while (job := self("GET", f"/jobs/{job_id}?wait_seconds=60"))["status"] == "started":
            pass
        assert job["status"] == "finished", job
        return job

    def recruit(self, size: int, **filters: Any) -> dict[str, Any]:
        """Recruit a group by filters."""
        body = {"name": "Snackers", "filters": {"match": "all", "filters": filters}, "group_size": size}
        return self("POST", "/research-groups/recruit", body, **{"X-Filter-Raw-DSL": "true"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("workflow"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def call(served: Served) -> Caller:
    return Caller(served)


def test_the_seven_steps(call: Caller) -> None:
    # 1 and 2: a group, here by raw filters
    recruited = call.recruit(25, country={"any": ["USA"]}, age={"min": 25, "max": 64})
    group = recruited["group"]
    assert recruited["raw_dsl_mode"] == "explicit_opt_in"
    assert group["agent_count"] == len(recruited["recruited_agents"]) == 25
    assert all(25 <= agent["age"] <= 64 for agent in recruited["recruited_agents"])
    # 3: a study
    body = {"title": "Snack switching", "objective": "Who switches?", "research_group_uuid": group["uuid"]}
    study = call("POST", "/research-studies", body)["study"]
    path = f"/research-studies/{study['id']}"
    # 4: one question
    asked = call("POST", f"{path}/questions", {"question": "Would you switch to a lower-sugar snack?"})
    assert len(asked["job_ids"]) == 25
    # 5: its jobs
    for job_id in asked["job_ids"]:
        assert call.finished(job_id)["result"]["question_id"] == asked["question_id"]
    (question,) = call("GET", f"{path}/questions")["questions"]
    assert len(question["answers"]) == question["answer_count"] == 25
    # 6: completion
    completed = call("POST", f"{path}/complete", {"force": False})
    assert completed["queued_steps"]
    call.finished(completed["job_id"])
    assert call("GET", path)["study"]["stage"] == "completed"
    assert set(call("GET", f"{path}/analysis")["steps"]) == set(completed["queued_steps"])
    # 7: sharing
    link = call("POST", f"{path}/share", {"enabled": True})["url"]
    public = f"{link}?utm_source=blog"
    with urllib.request.urlopen(public, timeout=20) as page:
        assert "Snack switching" in page.read().decode()
    call("POST", f"{path}/share", {"enabled": False})
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(public, timeout=20)


def test_over_recruit_and_curate(call: Caller) -> None:
    group = call.recruit(60, country="USA")["group"]
    study = call("POST", "/research-studies", {"title": "t", "research_group_uuid": group["uuid"]})["study"]
    path = f"/research-studies/{study['id']}"
    screening = call("POST", f"{path}/questions", {"question": "Are you a parent?", "key": "parent"})
    for job_id in screening["job_ids"]:
        call.finished(job_id)
    (question,) = call("GET", f"{path}/questions")["questions"]
    mismatched = [answer["agent_id"] for answer in question["answers"] if answer["value"] is not True]
    assert 0 < len(mismatched) < 60
    removal = call("DELETE", f"{path}/agents", {"agent_ids": mismatched})
    assert removal == {"removed": mismatched, "not_found": [], "agent_count": 60 - len(mismatched)}
    asked = call("POST", f"{path}/questions", {"question": "How many children do you have?"})
    assert len(asked["job_ids"]) == 60 - len(mismatched)
    for job_id in asked["job_ids"]:
        assert call.finished(job_id)["result"]["agent_id"] not in mismatched
    removed = {
        answer["agent_id"] for answer in call("GET", f"{path}/answers")["answers"] if answer["agent_removed"]
    }
    assert removed == set(mismatched)


SCRIPT = Path(__file__).with_name("workflow.sh")
STEPS = {
    "1 request": "rgr_",
    "2 group": "12 agents: US adults aged 25 to 64",
    "3 study": "number ",
    "4 question": "yes_no, asked of 12 agents",
    "5 jobs": "finished; the last agent says: ",
    "6 completed": "Every answer is a placeholder: no figure is known for any question asked.",
    "7 share page": "200 while shared, 404 after",
    "one agent": "",
    "a group": "“Do you own a car?”: ",
    "raw filters": "40 agents, explicit_opt_in",
    "curated": " of 40 agents are parents and stay",
    "next question": " agents asked; the last says: ",
    "picture": "asset ",
    "about the picture": "embedded-1 does not look at attachments",
    "done": "simulated",
}


def run_script(base_url: str, api_key: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    given = {**os.environ, "PATH": path, "BASE_URL": base_url, "API_KEY": api_key}
    command = ["bash", str(SCRIPT)]
    return subprocess.run(command, env=given, capture_output=True, text=True, timeout=300, check=False)


class TestTheScript:
    def test_it_goes_all_the_ways_and_says_so(self, served: Served) -> None:
        key = served.key()
        ran = run_script(served.base_url, key)
        assert ran.returncode == 0, ran.stderr
        lines = [(line[:22].strip(), line[22:]) for line in ran.stdout.splitlines()]
        assert list(dict(lines)) == list(STEPS)
        for name, told in lines:
            assert STEPS[name] in told, f"{name}: {told}"
        assert not ran.stderr
        assert key not in ran.stdout
        assert "/shared/" not in ran.stdout

    def test_it_ends_at_the_first_error_and_shows_it(self, served: Served) -> None:
        ran = run_script(served.base_url, "vp_live_" + "x" * 43)
        assert ran.returncode != 0
        assert "unauthorized" in ran.stdout + ran.stderr
        assert "1 request" not in ran.stdout
