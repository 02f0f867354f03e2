"""Responses are parsed by several threads at once, including the first use of each model."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from voxpop.wire.base import Out


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("attempt", range(20))
def test_a_kind_of_answer_is_read_by_many_threads_the_first_time(attempt: int) -> None:
    class Inner(Out):
        name: str

    class Outer(Out):
        things: list[Inner]

    start = Barrier(8)

    def read(number: int) -> str:
        start.wait()
        return Outer.model_validate({"things": [{"name": f"n{number}", "new": 1}]}).things[0].name

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(read, range(8))) == sorted(f"n{number}" for number in range(8))
