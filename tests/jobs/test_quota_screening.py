"""Screening within quotas: whom it asks, where it goes on, and what it expects beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from request_fakes import FakePopulation, PetRespondent

from voxpop.jobs import quota_screening
from voxpop.jobs.prospects import Outlook
from voxpop.jobs.quota_screening import QuotaScreening
from voxpop.jobs.screening import Screening
from voxpop.jobs.shelf import AgentShelf
from voxpop.population.designs import Line

CATS = [{"criterion": "cats", "question": "Do you have cats?", "keep": "yes"}]  # every fourth agent


class Interrupted(Exception):
    pass


def line_of(sizes: Sequence[int], quota: Sequence[int]) -> Line:
    """Cells of consecutive ids, in a mixed order."""
    many = sum(sizes)
    order = np.random.default_rng(1).permutation(many)
    cell = np.repeat(np.arange(len(sizes)), sizes)[order]
    reports: list[dict[str, Any]] = [
        {"kind": "margin", "field": "age", "level": str(place), "size": number, "available": size}
        for place, (size, number) in enumerate(zip(sizes, quota, strict=True))
    ]
    return Line(
        order + 1,
        cell,
        np.array(quota),
        np.array(quota, dtype=float),
        np.array(sizes),
        [cell == place for place in range(len(sizes))],
        reports,
    )


def screening(line: Line) -> tuple[QuotaScreening, PetRespondent]:
    population: Any = FakePopulation()
    respondent = PetRespondent()
    return QuotaScreening(Screening(AgentShelf(population), respondent, CATS, seed=7), line), respondent


def ignore(asked: list[int], kept: list[int]) -> None: ...


def test_each_quota_is_filled_and_full_ones_are_not_asked_again() -> None:
    line = line_of([2_000, 400, 1_000], [150, 40, 0])
    found, respondent = screening(line)
    asked, kept = found.run(asked=(), kept=(), note=ignore)
    drawn = quota_screening.members(line, asked, kept)
    assert [report["drawn"] for report in drawn.cells] == [150, 40, 0]
    assert asked[2] == 0
    assert len(respondent.asked) == len({agent for agent, _ in respondent.asked}) == sum(asked)
    assert sum(asked) < 1_200
    assert all(agent % 4 == 0 for agent in drawn.ids)


def test_an_interrupted_screening_goes_on_where_it_was_and_ends_the_same() -> None:
    line = line_of([2_000, 400], [150, 40])
    whole = screening(line)[0].run(asked=(), kept=(), note=ignore)
    state: dict[str, list[int]] = {"asked": [], "kept": []}

    def note(asked: list[int], kept: list[int]) -> None:
        state.update(asked=list(asked), kept=list(kept))
        raise Interrupted

    times = 0
    while True:
        try:
            ended = screening(line)[0].run(**state, note=note)
            break
        except Interrupted:
            times += 1
    assert times > 3
    assert ended == whole


def test_a_quota_without_enough_who_pass_is_asked_in_full_and_named() -> None:
    line = line_of([2_000, 40], [50, 30])
    asked, kept = screening(line)[0].run(asked=(), kept=(), note=ignore)
    assert asked[1] == 40
    drawn = quota_screening.members(line, asked, kept)
    assert quota_screening.short_of(drawn) == ["age 1: 10 of 30 (10 of 40 screened passed)"]


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (
            0.25,
            "About 25.0% pass, so about 240 of the 2,040 who match will be asked to fill the quotas. "
            "About 10 of 30 are expected of 'age 1'.",
        ),
        (None, "How many of the 2,040 who match will pass is not known before they are asked."),
        (0.0, "None of the first 400 passes; 2,040 can be asked."),
    ],
)
def test_the_number_to_ask_and_the_quotas_that_stay_short_are_told_before(
    share: float | None, told: str
) -> None:
    assert quota_screening.told(line_of([2_000, 40], [50, 30]), Outlook((), share)) == told
