"""Any number of threads may use one population."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from voxpop.population.queries import Population
from voxpop.vocabulary.filters import between, where


def test_threads_do_not_mix_up_their_answers(small: Population) -> None:
    def ask(number: int) -> tuple[int, int, list[int], str]:
        filter = where(age=between(18 + number % 40, 60))
        total, page = small.search(filter, limit=3)
        facets = small.facets(filter, ["gender"])["gender"]
        return (
            total,
            sum(count for _, count in facets),
            [agent.id for agent in page],
            small.agents([7])[0].uuid,
        )

    alone = [ask(number) for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ask, [number % 40 for number in range(160)]))
    assert together == [alone[number % 40] for number in range(160)]
    assert all(total == counted for total, counted, _, _ in alone)
