"""Completion queues each missing step once and moves the study through its stages."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.errors import Conflict, InvalidRequest, NotFound
from voxpop.jobs.runner import Runner, complete
from voxpop.records import studies

ALL = ["stats", "overall_summary", "key_segments", "divergences", "shared_mindsets", "next_questions"]


class Steps:
    """A stand-in for the analysis that stores an empty result per step."""

    def __init__(self) -> None:
        self.done: list[list[str]] = []
        self.error: Exception | None = None
        self.meanwhile: Any = None

    def __call__(self, database: Any, population: Any, job: Any, clock: Any) -> dict[str, Any]:
        if self.error is not None:
            raise self.error
        with database.begin() as c:
            version = studies.data_version(c, job.study_id)
            for step in job.detail["steps"]:
                studies.save_step(c, job.organization_id, job.study_id, step, {"step": step})
            studies.mark_steps(c, job.study_id, job.detail["steps"], version)
        self.done.append(job.detail["steps"])
        if self.meanwhile is not None:
            self.meanwhile()
        return {"study_id": job.study_id, "steps": job.detail["steps"]}


@pytest.fixture
def steps(desk: Any) -> Steps:
    made = Steps()
    desk.runner = Runner(
        desk.database,
        desk.runner.population,
        desk.respondent,
        desk.clock,
        queue=desk.queue,
        complete_study=made,
    )
    desk.ask()
    desk.run()
    return made


def order(desk: Any, names: list[str] | None = None, *, force: bool = False) -> tuple[str | None, list[str]]:
    return complete(desk.database, desk.queue, desk.org, desk.study.id, names, force)


def test_a_completion_runs_all_steps_in_their_default_order(desk: Any, steps: Steps) -> None:
    job_id, queued = order(desk)
    assert queued == ALL
    assert desk.stage() == "completing"
    assert (desk.job(job_id).status, desk.job(job_id).done, desk.job(job_id).total) == ("started", 0, 6)
    desk.run()
    job = desk.job(job_id)
    assert (job.kind, job.status) == ("completion", "finished")
    assert job.result == {"study_id": desk.study.id, "steps": ALL}
    assert (job.done, job.total) == (6, 6)
    assert desk.stage() == "completed"


def test_named_steps_run_alone_and_once_in_default_order(desk: Any, steps: Steps) -> None:
    assert order(desk, ["next_questions", "stats", "stats"])[1] == ["stats", "next_questions"]
    desk.run()
    assert order(desk)[1] == ["overall_summary", "key_segments", "divergences", "shared_mindsets"]


def test_done_steps_are_skipped_unless_forced(desk: Any, steps: Steps) -> None:
    order(desk)
    desk.run()
    assert order(desk) == (None, [])
    assert desk.stage() == "completed"
    job_id, queued = order(desk, ["stats"], force=True)
    assert queued == ["stats"]
    desk.run()
    assert desk.job(job_id).status == "finished"
    assert steps.done == [ALL, ["stats"]]


def test_no_steps_is_nothing_to_do(desk: Any, steps: Steps) -> None:
    assert order(desk, []) == (None, [])


def test_a_new_answer_or_a_removed_agent_makes_steps_due_again(desk: Any, steps: Steps) -> None:
    order(desk)
    desk.run()
    desk.ask("And now?")
    desk.run()
    assert desk.stage() == "active"
    assert order(desk)[1] == ALL
    desk.run()
    desk.remove(3)
    assert order(desk)[1] == ALL


def test_ordering_twice_gives_the_job_that_waits(desk: Any, steps: Steps) -> None:
    job_id, _ = order(desk)
    assert order(desk) == (job_id, ALL)
    assert order(desk, ["stats"]) == (job_id, ["stats"])
    desk.run()
    assert len(steps.done) == 1


def test_steps_beside_those_that_wait_get_a_job_of_their_own(desk: Any, steps: Steps) -> None:
    first, _ = order(desk, ["stats"])
    second, queued = order(desk, ["stats", "divergences"])
    assert queued == ["divergences"]
    assert second != first
    desk.run()
    assert steps.done == [["stats"], ["divergences"]]
    assert desk.stage() == "completed"


def test_unknown_steps_are_named(desk: Any, steps: Steps) -> None:
    with pytest.raises(InvalidRequest, match=r"statz, sing; known: stats.* Did you mean stats\?") as caught:
        order(desk, ["statz", "stats", "sing", "statz"])
    assert caught.value.details == {"steps": ["statz", "sing"]}


def test_open_questions_are_a_conflict_that_names_jobs(desk: Any, steps: Steps) -> None:
    asked = desk.ask("And?")
    with pytest.raises(Conflict, match="still being answered") as caught:
        order(desk)
    assert caught.value.details == {"status": "active", "job_ids": asked.job_ids[:20]}
    desk.run()
    assert order(desk)[1] == ALL


def test_a_question_during_the_completion_keeps_the_study_active(desk: Any, steps: Steps) -> None:
    steps.meanwhile = lambda: desk.ask("In between?")
    job_id, _ = order(desk)
    desk.run()
    assert desk.job(job_id).status == "finished"
    assert desk.stage() == "active"
    assert order(desk)[1] == ALL


def test_a_failed_completion_says_so_and_can_be_ordered_again(desk: Any, steps: Steps) -> None:
    steps.error = RuntimeError("a bug")
    job_id, _ = order(desk)
    desk.run()
    job = desk.job(job_id)
    assert (job.status, job.error["code"], job.attempts) == ("failed", "internal_error", 3)
    assert desk.stage() == "active"
    steps.error = None
    assert order(desk)[1] == ALL
    desk.run()
    assert desk.stage() == "completed"


def test_another_organization_cannot_complete_it(desk: Any, steps: Steps) -> None:
    with pytest.raises(NotFound):
        complete(desk.database, desk.queue, desk.org + 1, desk.study.id)
