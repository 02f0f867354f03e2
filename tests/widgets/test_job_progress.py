"""`JobProgress`: the progress of jobs as a bar and as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hands import Hands, faults, walk

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import UsageError
from voxpop.widgets import JobProgress
from voxpop.widgets.panel import Panel

Take = Callable[[Panel], Hands]


@pytest.fixture
def study(client: Client) -> vp.Study:
    group = client.groups.recruit("g", filters=vp.where(country="USA"), size=20, seed=5)
    return vp.Study.create(client, group, title="Snacks")


def scripted(answers: dict[str, list[dict[str, Any]]]) -> Client:
    """Give a client of a service whose jobs go through these states, look by look."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/jobs"):
            ids = request.url.params["ids"].split(",")
        else:
            ids = [request.url.path.rpartition("/")[2]]
        found = [
            {"id": one, **(answers[one].pop(0) if len(answers[one]) > 1 else answers[one][0])} for one in ids
        ]
        return httpx.Response(200, json={"jobs": found} if request.url.path.endswith("/jobs") else found[0])

    transport = httpx.MockTransport(answer)
    return vp.Client(
        "http://jobs.test", "vp_live_" + "x" * 43, transport=transport, polling=vp.Polling(0, 0.01)
    )


def test_the_jobs_of_a_question_are_watched_to_their_end(
    client: Client, study: vp.Study, hands: Take
) -> None:
    asked = client.questions.ask(study, "Do you own a dog?")
    watched = JobProgress(client, asked, title="Dog owners")
    ui = hands(watched)
    assert watched.wait(30)
    assert (watched.done, watched.failed, watched.total) == (20, 0, 20)
    assert "20 of 20 jobs done." in ui.region("status")
    assert [job.id for job in watched.jobs] == asked.job_ids
    assert faults(ui.tree) == []


def test_any_answer_that_queued_something_is_watched(client: Client, study: vp.Study, hands: Take) -> None:
    study.ask("Do you own a dog?")
    for queued in (client.studies.complete(study), client.requests.create("US adults", 5)):
        watched = JobProgress(client, queued)
        hands(watched)
        assert watched.wait(30)
        assert (watched.done, watched.total) == (1, 1)


def test_failures_are_counted_hatched_and_told_with_their_reason(hands: Take) -> None:
    failed = {"status": "failed", "error": {"code": "x", "message": "The model gave no answer."}}
    client = scripted(
        {"job_a": [{"status": "finished"}], "job_b": [{"status": "started"}, failed], "job_c": [failed]}
    )
    watched = JobProgress(client, ["job_a", "job_b", "job_c"])
    ui = hands(watched)
    assert "1 of 3 jobs done, 2 failed." in ui.region("status")
    assert "2 × The model gave no answer." in ui.text
    (bar,) = [node for node in walk(ui.tree) if node[1].get("role") == "progressbar"]
    assert bar[1]["aria-valuetext"] == "1 of 3 jobs done, 2 failed."
    assert [part[1]["vars"]["--w"] for part in bar[2:]] == ["33.3%", "66.7%"]


def test_what_finished_without_success_is_a_failure(hands: Take) -> None:
    client = scripted({"job_a": [{"status": "finished", "domain_status": "needs_clarification"}]})
    watched = JobProgress(client, "job_a")
    ui = hands(watched)
    assert watched.failed == 1
    assert "It ended as needs_clarification." in ui.text


def test_one_job_tells_its_parts(hands: Take) -> None:
    running = {"status": "started", "meta": {"progress": {"done": 2, "total": 6}, "poll_after_s": 30}}
    watched = JobProgress(scripted({"job_a": [running]}), "job_a")
    while watched._next_look is None:
        pass
    assert "2 of 6 parts done." in str(watched._view)
    watched.close()
    assert not watched._worker.alive


def test_a_service_that_does_not_know_the_job_is_an_error_on_the_widget(client: Client, hands: Take) -> None:
    watched = JobProgress(client, "job_unknown")
    ui = hands(watched)
    assert isinstance(watched.error, vp.ServiceError)
    assert ui.region("alert") != [""]
    assert not watched.wait(1)


def test_a_saved_notebook_shows_the_counts_without_a_clock(
    client: Client, study: vp.Study, hands: Take
) -> None:
    watched = JobProgress(client, client.questions.ask(study, "Do you own a dog?"), title="Dog owners")
    hands(watched)
    assert watched.wait(30)
    assert repr(watched).splitlines() == [
        "Dog owners",
        "jobs    number",
        "done        20",
        "failed       0",
        "in all      20",
    ]


def test_only_jobs_can_be_watched(client: Client) -> None:
    with pytest.raises(UsageError, match="jobs must be jobs"):
        JobProgress(client, 17)
