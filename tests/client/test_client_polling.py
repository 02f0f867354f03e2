"""Waiting for jobs: the documented 45 and 20 seconds, the service's hints, and what counts as the end."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from scripted_service import Script, refuse

from voxpop.client import Polling, ended, succeeded
from voxpop.errors import JobTimeout, Unavailable, UsageError
from voxpop.wire.jobs import Job


@pytest.fixture
def script() -> Script:
    return Script()


def job(status: str, job_id: str = "job_1", **rest: Any) -> dict[str, Any]:
    return {"id": job_id, "status": status, "result": None, "error": None, "meta": {}, **rest}


def test_the_documented_pattern_is_45_seconds_and_then_every_20(script: Script) -> None:
    script.on("GET", "/jobs/job_1", job("started"), job("started"), job("started"), job("finished"))
    (done,) = script.client().jobs.wait("job_1")
    assert (done.status, script.slept) == ("finished", [45.0, 20.0, 20.0, 20.0])


def test_hints_of_the_service_replace_the_pattern(script: Script) -> None:
    running = job("started", meta={"poll_after_s": 0.25})
    script.on("GET", "/jobs/job_1", running, running, job("finished"))
    script.client().jobs.wait("job_1", first_wait=0.1)
    assert script.slept == [0.1, 0.25, 0.25]


def test_a_status_nobody_knows_means_still_running(script: Script) -> None:
    script.on("GET", "/jobs/job_1", job("queued"), job("polishing"), job("failed"))
    (done,) = script.client().jobs.wait("job_1")
    assert (done.status, len(script.calls)) == ("failed", 3)


def test_a_deadline_ends_the_waiting_and_names_the_jobs(script: Script) -> None:
    script.on("GET", "/jobs/job_1", job("started"))
    with pytest.raises(JobTimeout, match="within 100 seconds") as caught:
        script.client(polling=Polling(deadline=100)).jobs.wait("job_1")
    assert (caught.value.job_ids, sum(script.slept)) == (("job_1",), 100.0)


def test_a_rate_limit_while_polling_is_waited_out(script: Script) -> None:
    limit = refuse(429, "rate_limited", "Slowly.", headers={"Retry-After": "30"})
    script.on("GET", "/jobs/job_1", *[limit] * 6, job("finished"))
    (done,) = script.client(retries=1).jobs.wait("job_1")
    assert done.status == "finished"
    assert script.slept == [45.0, *[30.0] * 6]


def test_a_busy_service_while_polling_is_waited_out(script: Script) -> None:
    busy = refuse(503, "unavailable", "Your organization has its share.", headers={"Retry-After": "2"})
    script.on("GET", "/jobs/job_1", *[busy] * 9, job("finished"))
    (done,) = script.client(retries=1).jobs.wait("job_1")
    assert done.status == "finished"
    assert script.slept == [45.0, *[2.0] * 9]


@pytest.mark.parametrize(
    "told", [{"headers": {}}, {"headers": {"Retry-After": "2"}, "details": {"database": "damaged"}}]
)
def test_a_service_that_is_broken_while_polling_ends_the_waiting(
    script: Script, told: dict[str, Any]
) -> None:
    script.on("GET", "/jobs/job_1", *[refuse(503, "unavailable", "Broken.", **told)] * 9, job("finished"))
    with pytest.raises(Unavailable, match="Broken"):
        script.client(retries=1).jobs.wait("job_1")


def test_many_jobs_are_watched_through_the_last_one_and_then_read_at_once(script: Script) -> None:
    ids = [f"job_{number}" for number in range(5)]
    script.on("GET", "/jobs/job_4", job("started", "job_4"), job("finished", "job_4"))
    script.on("GET", "/jobs", {"jobs": [job("finished", one) for one in ids[:4]], "missing": []})
    looks: list[tuple[int, int]] = []
    done = script.client().jobs.wait(ids, on_look=lambda *counts: looks.append(counts))
    assert [one.id for one in done] == ids
    assert looks == [(0, 5), (5, 5)]
    assert script.calls[-1].url.params["ids"] == "job_0,job_1,job_2,job_3"


def test_jobs_that_lag_behind_are_waited_for_too(script: Script) -> None:
    script.on("GET", "/jobs/job_b", job("finished", "job_b"))
    script.on("GET", "/jobs/job_a", job("started", "job_a"), job("finished", "job_a"))
    done = script.client().jobs.wait(["job_a", "job_b"])
    assert [one.status for one in done] == ["finished", "finished"]
    assert script.slept == [45.0, 20.0]


def test_no_jobs_are_done_at_once(script: Script) -> None:
    assert script.client().jobs.wait([]) == []
    assert script.slept == []


def test_a_service_without_the_bulk_read_is_asked_one_by_one(script: Script) -> None:
    for one in ("job_1", "job_2"):
        script.on("GET", f"/jobs/{one}", {"status": "finished", "result": {}, "error": None, "meta": {}})
    client = script.client()
    assert [found.id for found in client.jobs.get_many(["job_1", "job_2"])] == ["job_1", "job_2"]
    client.jobs.get_many(["job_1", "job_2"])
    assert script.paths().count("/jobs") == 1


def test_an_unknown_job_is_named(script: Script) -> None:
    from voxpop.errors import NotFound

    script.on("GET", "/jobs", {"jobs": [job("finished")], "missing": ["job_2"]})
    with pytest.raises(NotFound, match="no job job_2"):
        script.client().jobs.get_many(["job_1", "job_2"])


@pytest.mark.parametrize(
    ("status", "domain", "is_over", "is_good"),
    [
        ("started", None, False, False),
        ("queued", None, False, False),
        ("finished", None, True, True),
        ("finished", "completed", True, True),
        ("finished", "needs_clarification", True, False),
        ("finished", "awaiting_review", True, False),
        ("finished", "failed", True, False),
        ("failed", None, True, False),
    ],
)
def test_finished_alone_is_not_success(status: str, domain: str | None, is_over: bool, is_good: bool) -> None:
    found = Job(id="job_1", status=status, domain_status=domain)
    assert (ended(found), succeeded(found)) == (is_over, is_good)


@pytest.mark.parametrize("wrong", [{"first_wait": -1}, {"step": 0}, {"deadline": 0}, {"step": float("nan")}])
def test_patterns_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Polling(**wrong)


def test_patterns_are_values() -> None:
    assert Polling() == Polling(45.0, 20.0, 3600.0)
    with pytest.raises(AttributeError):
        Polling().step = 1.0  # type: ignore[misc]


@pytest.mark.parametrize("wrong", ["", "a/b", "a?b", None, True])
def test_what_is_no_job_is_refused_before_the_call(script: Script, wrong: Any) -> None:
    with pytest.raises(UsageError, match="job"):
        script.client().jobs.get(wrong)
    assert script.calls == []


def test_questions_are_waited_for_by_their_counts(script: Script) -> None:
    def listed(answered: int, failed: int) -> httpx.Response:
        counts = {"asked_count": 3, "answer_count": answered, "failed_count": failed}
        return httpx.Response(200, json={"study_id": 1, "count": 1, "questions": [{"id": 1, **counts}]})

    script.on("GET", "/research-studies/1/questions", listed(1, 0), listed(2, 1))
    (question,) = script.client().questions.wait(1)
    assert (question.answer_count, question.failed_count, script.slept) == (2, 1, [20.0])
