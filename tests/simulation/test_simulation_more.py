"""Five thousand more schedules, in a file of their own for a second process; many more on request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from schedules import first_failure
from world import SimulatedDatabase, small_parts

AT_ONCE = 500


@pytest.fixture(scope="module")
def database() -> Iterator[SimulatedDatabase]:
    with small_parts() as made:
        yield made


@pytest.mark.parametrize("start", range(5_000, 10_000, AT_ONCE))
def test_each_call_and_each_answer_is_there_once(database: SimulatedDatabase, start: int) -> None:
    told = first_failure(range(start, start + AT_ONCE), database)
    assert told is None, told


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 200_000, AT_ONCE))
def test_and_again_and_again(database: SimulatedDatabase, start: int) -> None:
    told = first_failure(range(start, start + AT_ONCE), database)
    assert told is None, told
