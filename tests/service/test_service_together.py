"""Many callers at once: nothing fails, nothing mixes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from running_service import Service, ask, new_study, recruit

THREADS = 20


@pytest.fixture
def crowded(home: Path, tmp_path: Path, database_url: str) -> Iterator[Service]:
    running = Service(home, tmp_path, database_url)
    yield running
    running.close()


def test_twenty_callers_at_once_get_no_server_error(crowded: Service) -> None:
    key = crowded.key(organization="crowd")
    first = new_study(crowded.client(key), 50)

    def work(number: int) -> list[int]:
        http = crowded.client(key)
        codes = []

        def call(method: str, path: str, **rest: Any) -> Any:
            answer = http.request(method, path, **rest)
            codes.append(answer.status_code)
            return answer.json()

        place = f"/research-studies/{first['id']}"
        group = {"filters": {"country": "USA"}, "group_size": 10}
        for turn in range(2):
            call("POST", "/research-groups/recruit", json=group)
            call("POST", f"{place}/questions", json={"question": "Do you smoke?", "key": f"k{number}_{turn}"})
            asked = call("GET", f"{place}/questions")
            call("GET", "/agents/search", params={"age_min": 30, "page": number + 1})
            call("GET", "/filters", params={"country": "USA", "fields": "gender,bmi"})
            assert asked["study_id"] == first["id"]
        return codes

    with ThreadPoolExecutor(THREADS) as crowd:
        codes = [code for found in crowd.map(work, range(THREADS)) for code in found]
    assert set(codes) <= {200, 201, 202}
    listed = crowded.client(key).get(f"/research-studies/{first['id']}/questions").json()
    assert listed["count"] == 2 * THREADS


def test_groups_that_are_recruited_at_once_have_seeds_of_their_own(crowded: Service) -> None:
    key = crowded.key(organization="seeds")

    def draw(_: int) -> int:
        return recruit(crowded.client(key), 30)["group"]["seed"]

    with ThreadPoolExecutor(THREADS) as crowd:
        seeds = list(crowd.map(draw, range(THREADS)))
    assert len(set(seeds)) == THREADS


def test_the_hint_on_when_to_ask_again_grows_with_the_open_answers(embedded: Service) -> None:
    hints = [embedded.state.poll_after(left) for left in (1, 100, 10_000, 1_000_000)]
    assert hints == sorted(hints)
    assert (hints[0], hints[2], hints[-1]) == (0.05, 0.5, 2.0)


def test_the_list_of_questions_hints_until_the_last_answer(caller: httpx.Client) -> None:
    study = new_study(caller, 12)
    path = f"/research-studies/{study['id']}/questions"
    assert caller.get(path).json()["poll_after_s"] is None
    ask(caller, study, "Do you smoke?")
    assert caller.get(path).json()["poll_after_s"] is None
    many = new_study(caller, 2_000)
    path = f"/research-studies/{many['id']}/questions"
    caller.post(path, json={"question": "Why?"})
    assert caller.get(path, params={"answers": False}).json()["poll_after_s"] > 0
