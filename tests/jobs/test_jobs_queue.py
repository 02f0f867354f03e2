"""The local queue wakes at once, survives errors, drains at the end, and forgets nothing that matters."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

import pytest

from run_out import run_out
from voxpop.errors import UsageError
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.records import work


def test_work_runs_in_order_on_one_thread_as_soon_as_it_is_there() -> None:
    done, threads, last = [], set(), threading.Event()

    def run(item: int) -> None:
        done.append(item)
        threads.add(threading.current_thread().name)
        if item == 5:
            last.set()

    queue = LocalQueue(every=60)
    queue.start(run)
    began = time.monotonic()
    queue.put([1, 2, 3])
    queue.put([4, 5])
    assert last.wait(5)
    assert time.monotonic() - began < 1
    assert queue.stop(1)
    assert done == [1, 2, 3, 4, 5]
    assert threads == {"voxpop-jobs"}


def test_its_thread_does_not_keep_a_process_alive() -> None:
    before = set(threading.enumerate())
    queue = LocalQueue()
    queue.start(lambda item: None)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
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

    queue = LocalQueue(lambda: [] if again.is_set() else [7], every=0.02)
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

    queue = LocalQueue(grace=0.0)
    queue.put([1, 2])
    queue.start(run)
    assert begun.wait(5)
    assert not queue.stop(0.01)
    let_go.set()
    for thread in threading.enumerate():
        if thread.name == "voxpop-jobs":
            thread.join(5)
    assert queue.stop(0)
    assert done == [1]


def test_a_queue_is_started_once() -> None:
    queue = LocalQueue()
    assert queue.stop(0)
    queue = LocalQueue()
    queue.start(lambda item: None)
    with pytest.raises(UsageError, match="started already"):
        queue.start(lambda item: None)
    assert queue.stop(1)


def test_a_start_takes_up_what_was_queued_and_what_was_in_hand(desk: Any) -> None:
    beside_others = not desk.database.alone  # then the claim has to run out first
    asked = desk.ask()
    with desk.database.begin() as c:
        work.claim(c, asked.item_ids[1])
    desk.queue.items.clear()
    assert recover(desk.database, desk.queue) == (2 if beside_others else 3)
    if beside_others:
        run_out(desk.database)
        desk.queue.items[:] = find(desk.database)
    assert desk.queue.items == asked.item_ids
    desk.run()
    assert {job.status for job in desk.jobs(asked.job_ids)} == {"finished"}
    assert recover(desk.database, desk.queue) == 0


def test_beside_other_workers_a_claim_has_to_run_out_first(desk: Any) -> None:
    asked = desk.ask()
    with desk.database.begin() as c:
        work.claim(c, asked.item_ids[0])
    assert find(desk.database) == asked.item_ids[1:]
    run_out(desk.database)
    assert find(desk.database) == asked.item_ids


def test_a_local_queue_carries_questions_through(desk: Any) -> None:
    queue = LocalQueue(lambda: find(desk.database))
    desk.runner.queue = queue
    first, second = desk.ask("First?"), desk.ask("Second?")
    queue.put(second.item_ids + first.item_ids)
    queue.start(desk.runner.run_item)
    assert queue.stop(10)
    assert {job.status for job in desk.jobs(first.job_ids + second.job_ids)} == {"finished"}
