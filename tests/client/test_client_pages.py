"""Both styles of pagination, and services that do not send a total."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from itertools import islice

import pytest

from voxpop.client.ahead import ahead
from voxpop.client.pagination import AT_ONCE, by_offset, by_page

LETTERS = "abcdefg"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("told", [True, False])
def test_offset_pages_give_everything_once(size: int, told: bool) -> None:
    def fetch(limit: int, offset: int) -> tuple[Sequence[str], int | None]:
        return LETTERS[offset : offset + limit], len(LETTERS) if told else None

    assert "".join(by_offset(fetch, limit=size)) == LETTERS


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("told", [True, False])
def test_numbered_pages_give_everything_once(size: int, told: bool) -> None:
    def fetch(page: int, per_page: int) -> tuple[Sequence[str], int | None]:
        return LETTERS[(page - 1) * per_page : page * per_page], -(-len(LETTERS) // size) if told else None

    assert "".join(by_page(fetch, per_page=size)) == LETTERS


def test_a_service_that_gives_fewer_than_asked_is_followed_to_its_total() -> None:
    def fetch(limit: int, offset: int) -> tuple[Sequence[str], int | None]:
        return LETTERS[offset : offset + min(limit, 2)], len(LETTERS)

    assert "".join(by_offset(fetch, limit=5)) == LETTERS


def test_an_empty_page_ends_a_wrong_total() -> None:
    assert list(by_offset(lambda limit, offset: ((), 99))) == []
    assert list(by_page(lambda page, per_page: ((), 99))) == []


class Desk:
    """Gives pages of numbers and counts how many are asked for at the same time."""

    def __init__(self, total: int, wait_for: int = 1) -> None:
        self.total, self.asked, self.most = total, 0, 0
        self._now = 0
        self._lock = threading.Lock()
        self._together = threading.Barrier(wait_for)

    def page(self, limit: int, offset: int) -> tuple[Sequence[int], int | None]:
        with self._lock:
            self.asked += 1
            self._now += 1
            self.most = max(self.most, self._now)
        if offset >= 2 * limit:
            self._together.wait(10)
        with self._lock:
            self._now -= 1
        return range(offset, min(offset + limit, self.total)), self.total


def test_who_goes_on_has_pages_read_at_the_same_time_and_in_order() -> None:
    desk = Desk(100, wait_for=AT_ONCE)
    assert list(by_offset(desk.page, limit=10)) == list(range(100))
    assert (desk.asked, desk.most) == (10, AT_ONCE)


def test_who_stops_early_has_hardly_more_read() -> None:
    desk = Desk(10_000)
    assert list(islice(by_offset(desk.page, limit=10), 15)) == list(range(15))
    assert desk.asked == 2
    assert list(
        islice(by_page(lambda page, per: (desk.page(per, (page - 1) * per)[0], 1000), per_page=10), 25)
    )
    assert desk.asked <= 2 + 2 + AT_ONCE + 1


def test_a_page_that_comes_short_in_the_middle_is_completed() -> None:
    def fetch(limit: int, offset: int) -> tuple[Sequence[int], int | None]:
        most = limit if offset < 20 else 3
        return range(offset, min(offset + min(limit, most), 47)), 47

    assert list(by_offset(fetch, limit=10)) == list(range(47))


def test_an_error_of_a_later_page_comes_where_the_page_would_have_come() -> None:
    def fetch(limit: int, offset: int) -> tuple[Sequence[int], int | None]:
        if offset >= 50:
            raise ConnectionError("gone")
        return range(offset, offset + limit), 100

    read: list[int] = []
    with pytest.raises(ConnectionError, match="gone"):
        read.extend(by_offset(fetch, limit=10))
    assert read == list(range(50))


def letters(log: list[str], fail: bool = False) -> Generator[str]:
    try:
        for letter in LETTERS:
            log.append(letter)
            yield letter
            if fail and letter == "c":
                raise ConnectionError("gone")
    finally:
        log.append(threading.current_thread().name.partition("_")[0])


def test_reading_ahead_is_bounded_and_closes_what_it_reads() -> None:
    log: list[str] = []
    with ahead(letters(log), depth=2) as items:
        assert next(items) == "a"
    assert log[-1] == "voxpop-ahead"
    assert len(log) <= 5


def test_reading_ahead_begins_before_the_first_item_is_asked_for() -> None:
    begun = threading.Event()

    def items() -> Generator[str]:
        begun.set()
        yield "a"

    with ahead(items(), depth=1):
        assert begun.wait(5)


def test_an_error_in_reading_ahead_is_raised_in_its_place() -> None:
    log: list[str] = []
    read: list[str] = []
    with pytest.raises(ConnectionError, match="gone"), ahead(letters(log, fail=True), depth=2) as items:
        read.extend(items)
    assert read == ["a", "b", "c"]
