"""Writers take turns: callers before background work, organizations in rotation, nobody starves."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator

import pytest

from voxpop.errors import Unavailable
from voxpop.records.database import Database
from voxpop.records.write_turns import BACKGROUND, PASSED, SEATED, WriteTurns, write_as


class Line:
    """Writers that line up one after another while the turn is taken, and note the order of their turns."""

    def __init__(self) -> None:
        self.turns = WriteTurns()
        self.history: list[str] = []
        self._threads: list[threading.Thread] = []

    def join(self, name: str, writer: Hashable) -> None:
        """Let a writer line up, and return when it stands in line."""
        before = self.turns.waiting()

        def write() -> None:
            write_as(writer)
            with self.turns.turn(timeout=10):
                self.history.append(name)

        self._threads.append(threading.Thread(target=write))
        self._threads[-1].start()
        while self.turns.waiting() == before:
            assert self._threads[-1].is_alive()

    def end(self) -> str:
        for thread in self._threads:
            thread.join(10)
        return " ".join(self.history)


def test_the_calls_of_one_organization_go_first_come_first_served() -> None:
    line = Line()
    with line.turns.turn(1):
        for number in range(20):
            line.join(str(number), 1)
    assert line.end() == " ".join(map(str, range(20)))


def test_one_call_of_an_organization_waits_for_one_turn_of_another_with_many() -> None:
    line = Line()
    with line.turns.turn(1):
        for number in range(6):
            line.join(f"a{number}", 1)
        line.join("b0", 2)
        line.join("c0", 3)
        line.join("b1", 2)
    assert line.end() == "a0 b0 c0 a1 b1 a2 a3 a4 a5"


def test_callers_go_before_background_work_which_has_every_fifth_turn() -> None:
    line = Line()
    with line.turns.turn(1):
        for number in range(3):
            line.join(f"job{number}", BACKGROUND)
        for number in range(2 * PASSED + 1):
            line.join(f"a{number}", 1)
    assert line.end() == "a0 a1 a2 a3 job0 a4 a5 a6 a7 job1 a8 job2"


def test_what_stood_in_another_line_has_every_second_turn() -> None:
    line = Line()
    with line.turns.turn(1):
        for number in range(3):
            line.join(f"a{number}", number)
        for number in range(2):
            line.join(f"draw{number}", SEATED)
        line.join("job", BACKGROUND)
    assert line.end() == "draw0 a0 draw1 a1 job a2"


def test_whoever_does_not_get_its_turn_in_time_leaves_the_line() -> None:
    line = Line()
    with line.turns.turn(1):
        line.join("a", 1)

        def give_up() -> None:
            write_as(2)
            with pytest.raises(Unavailable, match="busy writing"), line.turns.turn(timeout=0.01):
                line.history.append("never")

        thread = threading.Thread(target=give_up)
        thread.start()
        thread.join(10)
        assert line.turns.waiting() == 1
        line.join("b", 1)
    assert line.end() == "a b"
    assert not line.turns.busy


def test_an_error_gives_the_turn_back_and_the_waits_are_told() -> None:
    waits: list[float] = []
    turns = WriteTurns(waits.append)
    with pytest.raises(RuntimeError), turns.turn(1):
        raise RuntimeError("the disk is full")
    with turns.turn(1):
        assert turns.busy
    assert len(waits) == 2


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database.open(database_url)
    yield opened
    opened.close()


def test_a_database_with_one_writer_writes_in_these_turns(database: Database) -> None:
    with database.begin() as c:
        assert database.write_turns.busy is database.alone
        c.exec_driver_sql("SELECT 1")
    with database.read():
        assert not database.write_turns.busy
