"""The thread behind a widget: ordered work, newest-only where requested, and a clean end."""

from __future__ import annotations

import threading

import pytest

from voxpop.widgets.worker import Worker


def test_tasks_are_done_in_the_order_given_by_one_thread() -> None:
    worker, done = Worker("x"), []
    for number in range(5):
        worker.do(lambda number=number: done.append((number, threading.current_thread().name)))
    assert worker.idle(5)
    assert done == [(number, "voxpop x") for number in range(5)]
    worker.close()
    assert not worker.alive


def test_of_what_is_put_off_only_the_newest_is_done() -> None:
    worker, done = Worker("x"), []
    for number in range(5):
        worker.later("count", 60, lambda number=number: done.append(number))
    worker.hurry()
    assert worker.idle(5)
    assert done == [4]
    worker.close()


def test_closing_breaks_off_a_wait_and_drops_the_rest() -> None:
    worker, done, begun = Worker("x"), [], threading.Event()

    def task() -> None:
        begun.set()
        worker.pause(60)
        done.append("after the wait")

    worker.do(task)
    worker.do(lambda: done.append("the next"))
    assert begun.wait(5)
    worker.close()
    assert not worker.alive
    assert done == []
    worker.do(lambda: done.append("too late"))
    assert worker.idle(1)


def test_an_idle_thread_ends_by_itself_and_another_comes_when_needed() -> None:
    worker, done = Worker("x", linger=0.0), []
    worker.do(lambda: done.append(1))
    assert worker.idle(5)
    while worker.alive:
        pass
    worker.do(lambda: done.append(2))
    assert worker.idle(5)
    assert done == [1, 2]
    worker.close()


def test_a_fault_in_a_task_is_reported_and_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[type] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: reported.append(told.exc_type))
    worker, done, begun = Worker("x"), [], threading.Event()

    def task() -> None:
        begun.wait(5)
        done[0]

    worker.do(task)
    (thread,) = [one for one in threading.enumerate() if one.name == "voxpop x"]
    begun.set()
    thread.join(5)
    assert reported == [IndexError]
    worker.do(lambda: done.append("goes on"))
    assert worker.idle(5)
    assert done == ["goes on"]
    worker.close()
