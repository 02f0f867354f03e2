"""The simulation finds faults: each of these, put into the code, is caught in some hundred schedules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from schedules import first_failure
from world import small_parts

from voxpop.jobs import asking, completing, conducting, steps
from voxpop.jobs.recruiting import Recruiter
from voxpop.jobs.runner import Runner
from voxpop.records import groups, jobs, operations, questions, requests, studies, usage, work_items
from voxpop.records.schema import work_items as items_table
from voxpop.service import accepting

Patch = pytest.MonkeyPatch
WITHIN = 400


def effects_are_not_idempotent(patch: Patch) -> None:
    """Every worker that ends an item counts all of its answers, even after another worker."""

    def finish(c: sa.Connection, item: work_items.Item) -> bool:
        c.execute(items_table.update().where(items_table.c.id == item.id).values(state="done"))
        return True

    def finish_answered(c: sa.Connection, item: work_items.Item) -> int:
        answered(c, item)
        return len(jobs.of_item(c, item.id))

    answered = jobs.finish_answered
    patch.setattr(work_items, "finish", finish)
    patch.setattr(jobs, "finish_answered", finish_answered)


def an_item_ends_before_its_effects(patch: Patch) -> None:
    """The item is done in a transaction of its own, and the answers are stored in the next."""

    def save(database: Any, clock: Any, item: work_items.Item, outcome: Any, job_of: Any) -> None:
        rows = asking.answer_rows(item, outcome.replies, job_of, clock())
        with database.begin() as c:
            if not work_items.finish(c, item):
                return
        with database.begin() as c:
            questions.save_answers(c, rows)
            asking.close(c, item, outcome.failures, ("no_answer", ""))

    patch.setattr(asking, "_save", save)


def usage_is_counted_outside_the_transaction(patch: Patch) -> None:
    """A call is counted first, and then accepted."""
    begin, record = accepting._begin, usage.record

    def begin_later(call: Any, *rest: Any) -> Any:
        meter = usage.Meter(call.organization, "live", None)
        with call.state.database.begin() as c:
            event = record(c, meter, 3)
        patch.setattr(usage, "record", lambda *_, **__: event)
        return begin(call, *rest)

    patch.setattr(accepting, "_begin", begin_later)


def the_lease_is_ignored(patch: Patch) -> None:
    """An item can be claimed while another worker has it."""
    unfinished = items_table.c.state.in_(work_items.UNFINISHED)
    for name in ("claim", "waiting"):
        statement = getattr(work_items._OWN_CLOCK, name)._generate()
        others = (items_table.c.id == sa.bindparam("item"), ~work_items._BLOCKED) if name == "claim" else ()
        statement._where_criteria = (sa.and_(unfinished, *others),)
        patch.setattr(work_items._OWN_CLOCK, name, statement)


def a_death_is_a_failure(patch: Patch) -> None:
    """The tries of an item are used up by its processes, too."""
    patch.setattr(work_items.Item, "failures", property(lambda item: item.attempts))


def the_next_question_is_not_woken(patch: Patch) -> None:
    """The worker that ends a question announces nothing."""
    patch.setattr(Runner, "_wake_next", lambda *_: None)


def an_idempotency_key_is_forgotten(patch: Patch) -> None:
    """A call that is sent again is another call."""
    begin, numbers = operations.begin, count()

    def forget(c: sa.Connection, whose: int, *, key: str, kind: str, digest: str) -> Any:
        return begin(c, whose, key=f"{key} {next(numbers)}", kind=kind, digest=digest)

    patch.setattr(operations, "begin", forget)


def a_group_is_made_before_its_request_ends(patch: Patch) -> None:
    """The group is made in a transaction of its own, and its request ends in the next."""

    def recruit(recruiter: Recruiter, task: Any) -> requests.GroupRequest:
        request = task.request
        told = {"name": "g", "description": request.request_text, "filters": {}, "sample_method": "random"}
        members = recruiter._candidates(task, request.group_size)
        with recruiter._held(task) as c:
            group = groups.create(c, 1, seed=request.seed, shortfall=0, agent_ids=members, **told)
        with recruiter._ending(task) as c:
            if task.last:
                jobs.finish(c, task.job_id, {"status": "completed"})
            return requests.change(c, request, status="completed", phase="done", group_id=group.id)

    patch.setattr(Recruiter, "_recruit", recruit)


def a_completion_overlooks_later_questions(patch: Patch) -> None:
    """A study is completed although a question came in while it was analysed."""

    def leave(c: sa.Connection, item: work_items.Item, stage: str) -> None:
        assert item.study_id is not None
        studies.set_stage(c, item.organization_id, item.study_id, stage)

    patch.setattr(steps, "leave_completing", leave)


def an_analysis_is_kept_in_part(patch: Patch) -> None:
    """A job of an analysis that is taken over goes on behind the last step, and keeps none of it."""
    complete = completing.complete_study

    def begun_before(database: Any, population: Any, job: Any, clock: Any, **rest: Any) -> dict[str, Any]:
        if job.done:
            return {"study_id": job.study_id, "steps": []}
        return complete(database, population, job, clock, **rest)

    patch.setattr(completing, "complete_study", begun_before)


def what_is_reserved_is_never_settled(patch: Patch) -> None:
    """A study request ends without releasing its reserved answers."""
    patch.setattr(usage, "settle", lambda *_: None)


def the_questions_of_a_study_request_are_counted_again(patch: Patch) -> None:
    """Usage reserved for a study request is recorded again for its questions."""

    def ask(c: sa.Connection, whose: int, study: Any, question: Any, *, reserved: str) -> Any:
        return asking.ask_study(c, whose, study, question, meter=usage.Meter(whose, "live", None))

    patch.setattr(conducting, "ask_study", ask)


MUTANTS: tuple[Callable[[Patch], None], ...] = (
    effects_are_not_idempotent,
    an_item_ends_before_its_effects,
    usage_is_counted_outside_the_transaction,
    the_lease_is_ignored,
    a_death_is_a_failure,
    the_next_question_is_not_woken,
    an_idempotency_key_is_forgotten,
    a_group_is_made_before_its_request_ends,
    a_completion_overlooks_later_questions,
    an_analysis_is_kept_in_part,
    what_is_reserved_is_never_settled,
    the_questions_of_a_study_request_are_counted_again,
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_fault_is_found(mutant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    mutant(monkeypatch)
    with small_parts() as database:
        assert first_failure(range(WITHIN), database) is not None
