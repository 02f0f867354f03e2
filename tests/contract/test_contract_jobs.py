"""Jobs: interface 2.5 and 4.4, contract 8."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from running_service import Service, ask, finish, new_study
from voxpop.client import Client
from voxpop.engines.respondent import Failure
from voxpop.wire.jobs import Job, JobList


def test_a_finished_question_job_tells_its_answer(http: httpx.Client) -> None:
    study = new_study(http, 2)
    asked = ask(http, study, "How old are you?", key="age")
    raw = http.get(f"/jobs/{asked['job_ids'][0]}").json()
    job = Job.model_validate(raw)
    assert (job.id, job.status, job.error) == (asked["job_ids"][0], "finished", None)
    assert job.id.startswith("job_")
    assert set(job.result) == {"agent_id", "question_id", "study_id", "response_text", "value"}
    assert (job.meta.kind, job.meta.attempts, job.meta.poll_after_s) == ("question", 1, None)
    assert job.meta.progress.done == job.meta.progress.total
    assert job.meta.created_at <= job.meta.started_at <= job.meta.finished_at


def test_many_jobs_at_once_in_the_order_asked_for(http: httpx.Client) -> None:
    study = new_study(http, 3)
    ids = ask(http, study, "Do you smoke?")["job_ids"]
    answer = http.get("/jobs", params={"ids": ",".join([ids[2], "job_none", ids[0]])})
    assert answer.status_code == 200
    found = JobList.model_validate(answer.json())
    assert [job.id for job in found.jobs] == [ids[2], ids[0]]
    assert found.missing == ["job_none"]


def test_a_thousand_ids_and_no_more(http: httpx.Client) -> None:
    ids = [f"job_{number:026d}" for number in range(1_000)]
    answer = http.get("/jobs", params={"ids": ",".join(ids)})
    assert answer.status_code == 200
    assert answer.json() == {"jobs": [], "missing": ids}
    assert http.get("/jobs", params={"ids": ",".join([*ids, "one_more"])}).status_code == 400
    assert http.get("/jobs", params={"ids": ""}).status_code == 400
    assert http.get("/jobs").status_code == 400


def test_a_job_that_is_not_there_is_a_404(http: httpx.Client) -> None:
    answer = http.get("/jobs/job_none")
    assert answer.status_code == 404


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "soon"])
def test_wait_seconds_must_be_a_number_from_0(http: httpx.Client, seconds: str) -> None:
    answer = http.get("/jobs/job_none", params={"wait_seconds": seconds})
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == ["wait_seconds"]


def test_above_sixty_seconds_is_capped(http: httpx.Client) -> None:
    study = new_study(http, 1)
    (job_id,) = ask(http, study, "Do you smoke?")["job_ids"]
    assert http.get(f"/jobs/{job_id}", params={"wait_seconds": 9_999}).json()["status"] == "finished"


def test_free_keys_may_read_jobs_of_their_organization_and_nothing_else(
    http: httpx.Client, service: Service
) -> None:
    study = new_study(http, 1)
    (job_id,) = ask(http, study, "Do you smoke?")["job_ids"]
    free = service.client(service.key("free:ask", kind="free"))
    assert finish(free, [job_id])[0]["id"] == job_id
    assert free.get("/jobs", params={"ids": job_id}).json()["missing"] == []
    assert free.get("/research-studies").status_code == 403


def test_a_job_that_did_not_fail_is_not_retried(http: httpx.Client) -> None:
    study = new_study(http, 1)
    (job_id,) = ask(http, study, "Do you smoke?")["job_ids"]
    finish(http, [job_id])
    answer = http.post(f"/jobs/{job_id}/retry")
    assert answer.status_code == 409
    assert answer.json()["error"]["details"] == {"status": "finished"}
    assert http.post("/jobs/job_none/retry").status_code == 404


def test_a_failed_direct_question_is_retried_by_the_client(service: Service, http: httpx.Client) -> None:
    group = http.post("/research-groups/recruit", json={"filters": {}, "group_size": 2}).json()["group"]
    path = f"/research-groups/{group['uuid']}/questions"
    state, broken = service.state, BrokenEngine()
    whole, state.runner.respondent = state.runner.respondent, broken
    try:
        asked = http.post(path, json={"question": "Do you smoke?"}).json()
        finish(http, asked["job_ids"])
    finally:
        state.runner.respondent = whole
    failed = http.get(f"/jobs/{asked['job_ids'][0]}").json()
    assert (failed["status"], failed["error"]["code"]) == ("failed", "broken")
    with Client(service.base_url, service.key()) as client:
        made = client.jobs.retry(failed["id"])
        ended = client.jobs.wait(made.job_ids, first_wait=made.poll_after_s)
    assert [job.status for job in ended] == ["finished", "finished"]
    record = http.get(f"/direct-questions/{asked['question_id']}").json()
    assert {target["status"] for target in record["targets"]} == {"finished"}


class BrokenEngine:
    """Declares that it can answer for nobody."""

    name = "broken-1"

    def answer(self, agents: Any, question: Any, history: Any, *, seed: int) -> Any:
        return (Failure(agent.id, "broken", "It is broken.") for agent in agents)
