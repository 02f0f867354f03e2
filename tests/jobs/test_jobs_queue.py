"""The local queue: wake-up, turns, errors, draining and recovery."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from run_out import run_out
from voxpop.engines.question import Question
from voxpop.errors import UsageError
from voxpop.jobs.asking import ask_directly
from voxpop.jobs.local import THREADS, LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.records import jobs, work_items
from voxpop.records.usage import Meter
from voxpop.records.work_items import Batch


class Runs:
    """A runner that records concurrent items; held items run until they are released."""

    def __init__(self, *held: int) -> None:
        self.done: list[int] = []
        self.beside: dict[int, set[int]] = {}
        self._held = {item: threading.Event() for item in held}
        self._now: set[int] = set()
        self._changed = threading.Condition()

    def __call__(self, item: int) -> None:
        with self._changed:
            for other in self._now:
                self.beside.setdefault(other, set()).add(item)
            self.beside.setdefault(item, set()).update(self._now)
            self._now.add(item)
            self._changed.notify_all()
        if item in self._held:
            assert self._held[item].wait(5)
        with self._changed:
            self._now.remove(item)
            self.done.append(item)
            self._changed.notify_all()

    def let_go(self, item: int) -> None:
        self._held[item].set()

    def until(self, done: int | None = None, begun: int | None = None) -> None:
        """Wait until an item was run, or is being run."""
        with self._changed:
            assert self._changed.wait_for(lambda: done in self.done or begun in self._now, 5)


def test_what_is_put_together_runs_in_its_order_as_soon_as_it_is_there() -> None:
    runs = Runs()
    queue = LocalQueue(every=60)
    queue.start(runs)
    queue.put(range(1, 50))
    runs.until(done=49)  # long before it would have looked around
    assert queue.stop(1)
    assert runs.done == list(range(1, 50))
    assert not any(runs.beside.values())


def test_a_small_batch_does_not_wait_for_the_end_of_a_large_one() -> None:
    runs = Runs(1)
    queue = LocalQueue(threads=1)
    queue.start(runs)
    queue.put([1, 2, 3, 4, 5])
    runs.until(begun=1)
    queue.put([6])
    queue.put([7, 8])
    runs.let_go(1)
    assert queue.stop(5)
    assert runs.done == [1, 6, 7, 2, 8, 3, 4, 5]


def test_one_long_item_holds_up_no_other_batch() -> None:
    runs = Runs(1)
    queue = LocalQueue(threads=2)
    queue.start(runs)
    queue.put([1, 2])
    runs.until(begun=1)
    queue.put([3, 4])
    runs.until(done=4)
    assert runs.done == [3, 4]
    runs.let_go(1)
    assert queue.stop(5)
    assert runs.done == [3, 4, 1, 2]


def test_the_work_of_one_study_is_done_in_its_order_whenever_it_was_put() -> None:
    runs = Runs(1)
    queue = LocalQueue(threads=3)
    queue.start(runs)
    queue.put([1, 2], study_id=7)
    runs.until(begun=1)
    queue.put([3, 2, 4], study_id=7)
    queue.put([5], study_id=8)
    runs.until(done=5)
    runs.let_go(1)
    runs.until(done=4)
    queue.put([6], study_id=7)
    assert queue.stop(5)
    assert runs.done == [5, 1, 2, 3, 4, 6]
    assert not runs.beside[2] | runs.beside[3] | runs.beside[4]


def test_where_items_wait_for_somebody_several_of_a_batch_run_at_once_and_the_next_batch_has_its_turn() -> (
    None
):
    runs = Runs(1, 2, 5)
    queue = LocalQueue(threads=3, at_once=2)
    queue.start(runs)
    queue.put([1, 2, 3], study_id=7)
    runs.until(begun=2)
    queue.put([5], study_id=8)
    runs.until(begun=5)
    runs.let_go(2)
    runs.until(done=3)
    runs.let_go(5)
    runs.let_go(1)
    assert queue.stop(5)
    assert runs.beside[1] >= {2, 3, 5}
    assert sorted(runs.done) == [1, 2, 3, 5]


def test_many_threads_run_every_item_once_and_each_batch_in_its_order() -> None:
    runs = Runs()
    queue = LocalQueue(threads=4)
    batches = [list(range(start, start + 20)) for start in range(0, 1000, 20)]
    for number, batch in enumerate(batches):
        queue.put(batch, study_id=number % 7 if number % 2 else None)
    queue.start(runs)
    assert queue.stop(10)
    assert sorted(runs.done) == list(range(1000))
    for batch in batches:
        assert [item for item in runs.done if item in batch] == batch
        assert not any(runs.beside[item] & set(batch) for item in batch)


def test_the_large_work_of_one_organization_delays_the_small_work_of_another_by_one_item() -> None:
    runs = Runs(1)
    queue = LocalQueue(threads=1, owner=lambda item: "small" if item > 5_000 else "large")
    queue.start(runs)
    queue.put(range(1, 1_001), study_id=1)  # 100,000 answers
    runs.until(begun=1)
    for study in range(2, 22):  # and twenty other studies of the same organization
        queue.put([1_000 + study], study_id=study)
    queue.put([5_001, 5_002], study_id=30)
    queue.put([5_003])
    runs.let_go(1)
    runs.until(done=5_003)
    queue.stop(0)
    assert runs.done[:6] == [1, 1_002, 5_001, 1_003, 5_003, 1_004]


def test_a_small_question_does_not_wait_for_a_large_one_of_its_organization(desk: Any) -> None:
    large = desk.ask("Large?")
    with desk.database.begin() as c:
        small = ask_directly(c, Meter(desk.org, "live", None), [1], Question("Small?", "open"))
        other = jobs.create_job(c, desk.org, "recruiting", detail={})[1]
    with desk.database.read() as c:
        assert work_items.turns_of(c, desk.org, 2) == [
            large.item_ids[0],
            *small.item_ids,
            other,
            large.item_ids[1],
        ]
    later = desk.ask("Later?")
    with desk.database.begin() as c:
        work_items.claim(c, large.item_ids[0])
    with desk.database.read() as c:
        assert not set(later.item_ids) & set(work_items.turns_of(c, desk.org, 9))  # the study goes in order


def test_what_runs_here_is_not_taken_up_however_long_it_runs() -> None:
    looked = threading.Semaphore(0)

    def find() -> list[Batch]:
        looked.release()
        return [Batch(None, [1])]

    runs = Runs(1)
    queue = LocalQueue(find, threads=2, every=0.01)
    queue.start(runs)
    queue.put([1])
    runs.until(begun=1)
    for _ in range(3):
        assert looked.acquire(timeout=5)
    assert runs.beside[1] == set()
    runs.let_go(1)
    assert queue.stop(5)


def test_its_threads_do_not_keep_a_process_alive() -> None:
    before = set(threading.enumerate())
    queue = LocalQueue()
    queue.start(lambda item: None)
    started = set(threading.enumerate()) - before
    assert len(started) == THREADS
    assert all(thread.daemon for thread in started)
    assert queue.stop(1)


def test_an_error_is_logged_and_the_thread_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    done = []

    def run(item: int) -> None:
        if item == 1:
            raise RuntimeError("the disk is full")
        done.append(item)

    queue = LocalQueue()
    queue.put([1, 2])
    queue.start(run)
    assert queue.stop(5)
    assert done == [2]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_what_broke_down_is_found_again_when_there_is_time() -> None:
    again = threading.Event()
    tries = []

    def run(item: int) -> None:
        tries.append(item)
        if len(tries) == 1:
            raise RuntimeError("the disk is full")
        again.set()

    queue = LocalQueue(lambda: [] if again.is_set() else [Batch(None, [7])], every=0.02)
    queue.put([7])
    queue.start(run)
    assert again.wait(5)
    assert queue.stop(1)
    assert tries[:2] == [7, 7]


def test_stopping_gives_up_after_the_time_out_and_leaves_the_rest() -> None:
    begun, let_go, done = threading.Event(), threading.Event(), []

    def run(item: int) -> None:
        begun.set()
        let_go.wait(5)
        done.append(item)

    others = set(threading.enumerate())
    queue = LocalQueue(grace=0.0)
    queue.put([1, 2])
    queue.start(run)
    assert begun.wait(5)
    assert not queue.stop(0.01)
    let_go.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(5)
    assert queue.stop(0)
    assert done == [1]


def test_a_queue_is_started_once() -> None:
    queue = LocalQueue()
    assert queue.stop(0)
    queue = LocalQueue()
    queue.start(lambda item: None)
    with pytest.raises(UsageError, match="already been started"):
        queue.start(lambda item: None)
    assert queue.stop(1)


def waiting(desk: Any) -> list[int]:
    return [item for batch in find(desk.database) for item in batch.items]


def test_a_start_takes_up_what_was_queued_and_what_was_in_hand(desk: Any) -> None:
    beside_others = not desk.database.alone  # then the claim has to run out first
    asked = desk.ask()
    with desk.database.begin() as c:
        work_items.claim(c, asked.item_ids[1])
    desk.queue.items.clear()
    assert recover(desk.database, desk.queue) == (2 if beside_others else 3)
    if beside_others:
        run_out(desk.database)
        desk.queue.items[:] = waiting(desk)
    assert desk.queue.items == asked.item_ids
    desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished"}
    assert recover(desk.database, desk.queue) == 0


def test_beside_other_workers_a_claim_has_to_run_out_first(desk: Any) -> None:
    asked = desk.ask()
    with desk.database.begin() as c:
        work_items.claim(c, asked.item_ids[0])
    assert waiting(desk) == asked.item_ids[1:]
    run_out(desk.database)
    assert waiting(desk) == asked.item_ids


def test_a_local_queue_carries_questions_through(desk: Any) -> None:
    queue = LocalQueue(lambda: find(desk.database))
    desk.runner.queue = queue
    first, second = desk.ask("First?"), desk.ask("Second?")
    queue.put(second.item_ids + first.item_ids)
    queue.start(desk.runner.run_item)
    assert queue.stop(10)
    assert {job.status for job in desk.jobs(first.job_ids + second.job_ids)} == {"finished"}


def test_unfinished_work_is_found_by_study_and_by_question(desk: Any) -> None:
    first, second = desk.ask("First?"), desk.ask("Second?")
    with desk.database.begin() as c:
        beside = ask_directly(c, Meter(desk.org, "live", None), range(1, 201), Question("Why?", "open"))
        job_id, alone = jobs.create_job(c, desk.org, "recruiting", detail={})
        assert job_id
    assert find(desk.database) == [
        Batch(desk.study.id, first.item_ids + second.item_ids),
        Batch(None, beside.item_ids),
        Batch(None, [alone]),
    ]
