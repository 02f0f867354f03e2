"""Screening in batches: the same agents whatever the batches, and few batches for rare criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voxpop.engines.question import Question
from voxpop.engines.respondent import Reply
from voxpop.jobs.screening import Screening


class Numbered:
    """Candidates of any number, of whom one in so many meets the criterion."""

    def __init__(self, one_in: int) -> None:
        self.one_in = one_in

    def take(self, ids: Sequence[int], ahead: object) -> list[Any]:
        return [type("Candidate", (), {"id": number})() for number in ids]

    def answer(
        self, agents: Sequence[Any], question: Question, history: Mapping[int, Any], *, seed: int
    ) -> Iterator[Reply]:
        for agent in agents:
            yield Reply(agent.id, "Said.", agent.id % self.one_in == 0, None, "fake")


def screen(one_in: int, wanted: int, *, screened: int = 0) -> tuple[int, list[int], int]:
    fake, batches = Numbered(one_in), []
    screening = Screening(fake, fake, [{"question": "Does it apply?", "keep": "yes"}], seed=1)  # type: ignore[arg-type]
    asked, kept = screening.run(
        range(1, 100_001),
        wanted,
        screened=screened,
        kept=[number for number in range(1, screened + 1) if number % one_in == 0],
        note=lambda asked, kept: batches.append(asked),
    )
    return asked, kept, len(batches)


def test_a_rare_criterion_takes_few_batches() -> None:
    asked, kept, batches = screen(9_999, 40)
    assert (asked, kept) == (100_000, [9_999 * place for place in range(1, 11)])
    assert batches < 150


def test_a_frequent_criterion_asks_few_candidates() -> None:
    asked, kept, batches = screen(2, 20)
    assert (asked, kept[:20], batches) == (100, [*range(2, 42, 2)], 1)


def test_an_interrupted_screen_keeps_the_same_agents() -> None:
    assert screen(70, 25)[1] == screen(70, 25, screened=500)[1][: len(screen(70, 25)[1])]
