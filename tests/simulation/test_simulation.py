"""Five thousand schedules of service, queue and workers, with crashes everywhere: the history stays right."""

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


@pytest.mark.parametrize("start", range(0, 5_000, AT_ONCE))
def test_each_call_and_each_answer_is_there_once(database: SimulatedDatabase, start: int) -> None:
    told = first_failure(range(start, start + AT_ONCE), database)
    assert told is None, told
