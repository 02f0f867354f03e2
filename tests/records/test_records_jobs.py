"""Jobs end once, work items are claimed by one worker at a time, and questions keep their order."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Connection

from run_out import run_out
from voxpop.engines.question import Question
from voxpop.errors import Forbidden, NotFound
from voxpop.records import groups, jobs, questions, studies, work_items
from voxpop.records.questions import AskedQuestion
from voxpop.records.studies import Study


@pytest.fixture
def question(c: Connection, org: int, study: Study) -> AskedQuestion:
    return questions.create(c, org, study.id, Question("Would you switch?", "yes_no"))


def ask(c: Connection, org: int, study: Study) -> list[int]:
    asked = questions.create(c, org, study.id, Question("And?", "open"))
    return jobs.create_question_jobs(c, org, asked, [30, 10, 20, 50, 40])[1]


def claimed(c: Connection, item_id: int) -> work_items.Item:
    item = work_items.claim(c, item_id)
    assert item is not None
    return item


def end(c: Connection, item_id: int) -> None:
    assert work_items.finish(c, claimed(c, item_id))


def test_a_question_makes_a_job_per_agent_and_an_item_per_hundred(c: Connection, org: int) -> None:
    group = groups.create(
        c,
        org,
        name="g",
        description=None,
        filters={},
        sample_method="random",
        seed=1,
        shortfall=0,
        agent_ids=range(1, 251),
    )
    study = studies.create(c, org, title="t", objective=None, group=group)
    question = questions.create(c, org, study.id, Question("?", "open"))
    job_ids, item_ids = jobs.create_question_jobs(c, org, question, list(range(250, 0, -1)))
    assert len(job_ids) == len(set(job_ids)) == 250
    assert len(item_ids) == 3
    found, _ = jobs.get_many(c, org, job_ids)
    assert [job.agent_id for job in found] == list(range(250, 0, -1))
    assert [len(jobs.of_item(c, item)) for item in item_ids] == [100, 100, 50]
    assert jobs.open_jobs(c, org, study.id) == job_ids
    assert jobs.open_jobs(c, org, study.id, limit=20) == job_ids[:20]


def test_whom_the_next_items_ask_is_known_ahead(c: Connection, org: int, study: Study) -> None:
    (first,), (second,) = (ask(c, org, study) for _ in range(2))
    assert sorted(jobs.agents_ahead(c, claimed(c, first))) == [10, 20, 30, 40, 50]
    assert jobs.agents_ahead(c, work_items.Item(second, org, "question", study.id, 999, 1)) == []


def test_a_question_to_nobody_has_no_jobs(c: Connection, org: int, question: AskedQuestion) -> None:
    assert jobs.create_question_jobs(c, org, question, []) == ([], [])


def test_a_job_id_is_safe_in_addresses(c: Connection, org: int, question: AskedQuestion) -> None:
    job_ids, _ = jobs.create_question_jobs(c, org, question, [30])
    assert re.fullmatch(r"job_[a-z0-9]{26}", job_ids[0])


def test_waiting_work_shows_as_started(
    c: Connection, org: int, study: Study, question: AskedQuestion
) -> None:
    (job_id,), _ = jobs.create_question_jobs(c, org, question, [30])
    job = jobs.get(c, org, job_id)
    assert (job.kind, job.status, job.result, job.error) == ("question", "started", None, None)
    assert (job.study_id, job.question_id, job.agent_id) == (study.id, question.id, 30)
    assert (job.started_at, job.finished_at, job.attempts) == (None, None, 0)
    assert (job.done, job.total) == (0, 5)


def test_a_finished_question_job_gives_the_answer(
    c: Connection, org: int, study: Study, question: AskedQuestion, clock: Any
) -> None:
    (first, second), (item_id,) = jobs.create_question_jobs(c, org, question, [30, 10])
    created = clock()
    clock.advance(seconds=3)
    item = claimed(c, item_id)
    row = {"organization_id": org, "study_id": study.id, "question_id": question.id, "agent_id": 30}
    told = {"job_id": first, "text": "Yes.", "value": True, "option_order": None, "engine": "fake-1"}
    questions.save_answers(c, [row | told | {"answered_at": clock()}])
    assert jobs.finish_answered(c, item) == 1
    assert jobs.finish_answered(c, item) == 0
    jobs.fail(c, {second: ("no_answer", "Silence.")})
    job, failed = jobs.get(c, org, first), jobs.get(c, org, second)
    assert job.result == {
        "agent_id": 30,
        "question_id": question.id,
        "study_id": study.id,
        "response_text": "Yes.",
        "value": True,
    }
    assert (job.status, job.created_at, job.started_at) == ("finished", created, clock())
    assert (job.finished_at, job.attempts, job.error) == (clock(), 1, None)
    assert (failed.status, failed.result) == ("failed", None)
    assert failed.error == {"code": "no_answer", "message": "Silence."}


def test_a_job_ends_once(c: Connection, org: int, study: Study) -> None:
    job_id, _ = jobs.create_job(
        c, org, jobs.COMPLETION, study_id=study.id, detail={"steps": ["stats"]}, total=3
    )
    jobs.set_progress(c, job_id, 1, 3)
    assert (jobs.get(c, org, job_id).done, jobs.get(c, org, job_id).total) == (1, 3)
    jobs.finish(c, job_id, {"steps": ["stats"]})
    jobs.fail(c, {job_id: ("late", "Too late.")})
    job = jobs.get(c, org, job_id)
    assert (job.status, job.error, job.result) == ("finished", None, {"steps": ["stats"]})
    assert (job.done, job.total, job.detail) == (3, 3, {"steps": ["stats"]})


def test_a_job_of_another_organization_is_forbidden_and_an_unknown_one_not_found(
    c: Connection, org: int, other: int, study: Study, question: AskedQuestion
) -> None:
    (job_id,), _ = jobs.create_question_jobs(c, org, question, [30])
    with pytest.raises(Forbidden, match=job_id):
        jobs.get(c, other, job_id)
    with pytest.raises(NotFound, match="There is no job 'job_nothing'"):
        jobs.get(c, org, "job_nothing")
    assert jobs.get_many(c, other, [job_id]) == ([], [job_id])
    assert jobs.open_jobs(c, other, study.id) == []


def test_many_jobs_come_in_the_order_asked_for_once_each(
    c: Connection, org: int, question: AskedQuestion
) -> None:
    job_ids, _ = jobs.create_question_jobs(c, org, question, [30, 10, 20])
    found, missing = jobs.get_many(c, org, [job_ids[2], "job_x", job_ids[0], job_ids[2], "job_y"])
    assert [job.id for job in found] == [job_ids[2], job_ids[0]]
    assert missing == ["job_x", "job_y"]


def test_an_item_is_claimed_by_one_worker(c: Connection, org: int, study: Study) -> None:
    (item_id,) = ask(c, org, study)
    item = claimed(c, item_id)
    assert (item.id, item.kind, item.study_id, item.attempts) == (item_id, "question", study.id, 1)
    assert work_items.claim(c, item_id) is None
    assert work_items.waiting(c) == []
    assert work_items.finish(c, item)
    assert work_items.claim(c, item_id) is None


def test_a_released_item_waits_again(c: Connection, org: int, study: Study) -> None:
    (item_id,) = ask(c, org, study)
    assert work_items.release(c, claimed(c, item_id))
    assert work_items.waiting(c) == [item_id]
    assert claimed(c, item_id).attempts == 2


def test_an_item_whose_lease_ran_out_passes_to_another_worker(c: Connection, org: int, study: Study) -> None:
    (item_id,) = ask(c, org, study)
    first = claimed(c, item_id)
    assert work_items.claim(c, item_id) is None
    run_out(c)
    assert work_items.waiting(c) == [item_id]
    second = claimed(c, item_id)
    assert not work_items.finish(c, first)
    assert not work_items.release(c, first)
    assert work_items.finish(c, second)


def test_a_start_takes_back_what_a_stopped_process_had_claimed(c: Connection, org: int, study: Study) -> None:
    (item_id,) = ask(c, org, study)
    claimed(c, item_id)
    assert work_items.release_left(c) == 1
    assert work_items.waiting(c) == [item_id]


def test_a_later_question_waits_for_the_earlier_one_of_its_study(
    c: Connection, org: int, study: Study
) -> None:
    (first,), (second,), (third,) = (ask(c, org, study) for _ in range(3))
    assert work_items.claim(c, second) is None
    item = claimed(c, first)
    assert work_items.claim(c, second) is None
    assert work_items.next_question(c, item) == []
    work_items.finish(c, item)
    assert work_items.next_question(c, item) == [second]
    end(c, second)
    end(c, third)


def test_studies_do_not_wait_for_each_other(c: Connection, org: int, study: Study) -> None:
    ask(c, org, study)
    second = studies.create(c, org, title="t", objective=None, group=groups.get(c, org, study.group_uuid))
    (item_id,) = ask(c, org, second)
    end(c, item_id)
