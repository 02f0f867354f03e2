"""The population of a service is fixed once its data refer to agents."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from voxpop.engines.question import Question
from voxpop.errors import ServiceStartError
from voxpop.records import groups, jobs, questions
from voxpop.records.facts import keep_to_population, population_of


def recruited(c: Connection, org: int) -> None:
    groups.create(
        c,
        org,
        name="g",
        description=None,
        filters={},
        sample_method="random",
        seed=1,
        shortfall=0,
        agent_ids=[1],
    )


def asked(c: Connection, org: int) -> None:
    wording = Question("Which?", "single_choice", ("A", "B"))
    stored = questions.create_direct(c, org, wording, asked_of="agent", asked_count=1)
    jobs.create_question_jobs(c, org, stored, [3])


@pytest.mark.parametrize("named", [recruited, asked])
def test_once_agents_are_named_their_population_stays(
    c: Connection, org: int, named: Callable[[Connection, int], None]
) -> None:
    assert population_of(c) is None
    assert keep_to_population(c, "2026.3-7-1000") == "2026.3-7-1000"
    named(c, org)
    assert keep_to_population(c, "2026.4-7-1000") == "2026.3-7-1000"
    assert keep_to_population(c, "2026.3-7-1000") == "2026.3-7-1000"
    for other in ("2026.4-7-2000", "2026.4-8-1000", "2026.3-8-1000"):
        with pytest.raises(ServiceStartError, match="Start it with 1000 agents and seed 7"):
            keep_to_population(c, other)
    assert population_of(c) == "2026.3-7-1000"


def test_before_that_a_folder_takes_another_and_a_server_does_not(c: Connection, org: int) -> None:
    keep_to_population(c, "2026.3-7-1000")
    if c.dialect.name == "sqlite":
        assert keep_to_population(c, "2026.4-8-2000") == "2026.4-8-2000"
    else:  # others may have started on it
        with pytest.raises(ServiceStartError, match="Start it with 1000 agents and seed 7"):
            keep_to_population(c, "2026.4-8-2000")
        assert keep_to_population(c, "2026.4-7-1000") == "2026.3-7-1000"
