"""The failed work of every kind is tried again on request; usage is counted once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.errors import Conflict
from voxpop.jobs import requesting
from voxpop.jobs.asking import ask, ask_directly
from voxpop.jobs.retrying import retry
from voxpop.jobs.steps import complete
from voxpop.jobs.surveying import SURVEY, survey
from voxpop.records import (
    direct_questions,
    operations,
    questions,
    requests,
    study_requests,
    usage,
    work_items,
)
from voxpop.records.usage import Meter

QUESTION = Question("Would you?", "yes_no")


def meter(desk: Any) -> Meter:
    return Meter(desk.org, "live", None)


def used(desk: Any) -> int:
    with desk.database.read() as c:
        return usage.this_month(c, meter(desk)).used


def some_fail(number: int) -> Reply | Failure:
    if number % 10 == 0:
        return Failure(number, "timeout", "The model took too long.")
    return Reply(number, f"agent {number}", True, None, "fake-1")


def again(desk: Any, job: str) -> list[str]:
    made = retry(desk.database, desk.queue, meter(desk), job).job_ids
    desk.respondent.says = None
    desk.run()
    return made


def test_a_direct_question_is_asked_again_of_those_who_failed(desk: Any) -> None:
    desk.respondent.says = some_fail
    with desk.database.begin() as c:
        asked = ask_directly(c, meter(desk), range(1, 121), QUESTION)
    desk.queue.put(asked.item_ids)
    desk.run()
    assert used(desk) == 108
    failed = [job.id for job in desk.jobs(asked.job_ids) if job.status == "failed"]
    made = again(desk, failed[0])
    assert len(made) == 12
    assert used(desk) == 120
    with desk.database.read() as c:
        stored = questions.get(c, desk.org, asked.question.id)
        targets = direct_questions.targets(c, [stored])[stored.id]
    assert (stored.answer_count, stored.failed_count) == (120, 0)
    assert Counter(target.agent_id for target in targets) == Counter(range(1, 121))
    assert {target.status for target in targets} == {"finished"}
    assert again(desk, failed[0]) == []
    with pytest.raises(Conflict, match="did not fail"):
        again(desk, made[0])


def test_a_question_of_a_study_is_retried_by_any_failed_job(desk: Any) -> None:
    desk.respondent.says = some_fail
    asked = ask(desk.database, desk.queue, desk.org, desk.study.id, QUESTION, meter=meter(desk))
    with pytest.raises(Conflict, match="has not ended"):
        again(desk, asked.job_ids[0])
    desk.run()
    assert len(again(desk, asked.job_ids[0])) == 25
    assert used(desk) == len(desk.answers()) == 250


@pytest.mark.parametrize("broken", [False, True])
def test_a_survey_asks_only_those_who_gave_no_answer(desk: Any, broken: bool) -> None:
    def says(number: int) -> Reply | Failure:
        if broken and number == 150:
            raise RuntimeError("a bug")
        return some_fail(number)

    desk.respondent.says = says
    with desk.database.begin() as c:
        detail = {"survey_uuid": "u"}
        asked = survey(c, meter(desk), SURVEY, range(1, 201), QUESTION, detail=detail)
    desk.queue.put([asked.item_id])
    desk.run()
    assert desk.job(asked.job_id).status == ("failed" if broken else "finished")
    assert used(desk) == (90 if broken else 180)
    desk.respondent.says, desk.respondent.asked = None, []
    (made,) = retry(desk.database, desk.queue, meter(desk), asked.job_id).job_ids
    assert retry(desk.database, desk.queue, meter(desk), asked.job_id).job_ids == [made]
    desk.run()
    assert len(desk.respondent.asked) == (110 if broken else 20)
    assert desk.job(made).status == "finished"
    assert used(desk) == 200
    with desk.database.read() as c:
        stored = questions.get(c, desk.org, asked.question.id)
    assert (stored.answer_count, stored.failed_count) == (200, 0)
    with pytest.raises(Conflict, match="did not fail"):
        retry(desk.database, desk.queue, meter(desk), made)


def test_a_completion_is_done_again(desk: Any) -> None:
    def fails(*_: Any) -> dict[str, Any]:
        raise RuntimeError("a bug")

    desk.ask()
    desk.run()
    desk.runner._complete_study = fails
    job, _ = complete(desk.database, desk.queue, desk.org, desk.study.id, ["stats"])
    desk.run()
    assert desk.job(job).status == "failed"
    desk.runner._complete_study = lambda *_: {"steps": ["stats"]}
    (made,) = again(desk, job)
    assert desk.job(made).status == "finished"
    assert desk.stage() == "completed"


def test_a_recruitment_request_goes_on_where_it_failed(desk: Any) -> None:
    request = requesting.request_group(desk.database, desk.queue, desk.org, "US adults", 5)
    desk.run()  # the population of the desk cannot be counted: that is a fault
    assert desk.job(request.job_id).status == "failed"
    (made,) = retry(desk.database, desk.queue, meter(desk), request.job_id).job_ids
    with desk.database.read() as c:
        now = requests.get(c, desk.org, request.id)
    assert (now.status, now.phase, now.job_id, now.refusal) == ("running", "reading", made, None)
    assert desk.job(made).status == "started"


def test_a_study_request_reserves_once_more_what_was_not_delivered(desk: Any) -> None:
    with desk.database.begin() as c:
        number, _ = operations.begin(c, desk.org, key="k", kind="study", digest="d")
        told = {"title": None, "objective": None, "questions": [QUESTION], "operation_id": number}
        request, _ = requesting.request_study(c, meter(desk), text="US adults", group_size=20, **told)
    assert used(desk) == 20
    with desk.database.read() as c:
        items = work_items.of_job(c, request.job_id)
    desk.queue.put(items)
    desk.run()
    assert desk.job(request.job_id).status == "failed"
    assert used(desk) == 0
    (made,) = retry(desk.database, desk.queue, meter(desk), request.job_id).job_ids
    assert used(desk) == 20
    with desk.database.read() as c:
        now = study_requests.get(c, desk.org, request.id)
    assert (now.status, now.phase, now.job_id) == ("running", "recruiting", made)
    desk.run()
    assert desk.job(made).status == "failed"
    assert used(desk) == 0
