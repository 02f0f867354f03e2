"""The two styles of pages, and services that leave out how many there are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from voxpop.client.pagination import by_offset, by_page

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
