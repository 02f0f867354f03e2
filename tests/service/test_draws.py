"""Draws of new groups go side by side, and each knows how many groups there will be before it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from running_service import Service
from voxpop.errors import Unavailable
from voxpop.service import draws as module
from voxpop.service.draws import Draws


def test_each_draw_has_the_number_after_those_that_are_under_way() -> None:
    draws = Draws()
    with draws.place(lambda: 7) as first, draws.place(lambda: 7) as second, draws.place(lambda: 7) as third:
        assert [first.number, second.number, third.number] == [7, 8, 9]
    with draws.place(lambda: 10) as later:
        assert later.number == 10


def test_a_draw_waits_for_those_before_it_but_not_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws, stored = Draws(), list[int]()
    with draws.place(lambda: 0) as first:
        place = draws.place(lambda: 0)
        second = place.__enter__()

        def store() -> None:
            draws.await_turn(second)
            stored.append(second.number)

        thread = threading.Thread(target=store)
        thread.start()
        draws.await_turn(first)
        stored.append(first.number)
    thread.join(10)
    assert stored == [0, 1]
    monkeypatch.setattr(module, "_WAIT_S", 0.0)
    last = draws.place(lambda: 0)
    third = last.__enter__()
    with pytest.raises(Unavailable, match="busy recruiting"):
        draws.await_turn(third)
    for each in (place, last):
        each.__exit__(None, None, None)


def test_after_groups_that_were_made_beside_the_line_later_draws_are_right() -> None:
    draws = Draws()
    places = [draws.place(lambda: 0) for _ in range(4)]
    line = [place.__enter__() for place in places]
    assert [draw.number for draw in line] == [0, 1, 2, 3]
    for place in range(4):
        draws.correct(line[place], 2 + place)  # two were made by somebody else
    later = draws.place(lambda: 0)
    assert later.__enter__().number == 6
    for each in (*places, later):
        each.__exit__(None, None, None)


def test_a_draw_that_fails_does_not_let_the_next_one_go_before_those_before_it() -> None:
    draws, stored = Draws(), list[str]()
    places = [draws.place(lambda: 0) for _ in range(3)]
    line = [place.__enter__() for place in places]
    places[1].__exit__(None, None, None)  # the second one finds nobody

    def store() -> None:
        draws.await_turn(line[2])
        stored.append("third")

    thread = threading.Thread(target=store)
    thread.start()
    stored.append("first")
    places[0].__exit__(None, None, None)
    thread.join(10)
    places[2].__exit__(None, None, None)
    assert stored == ["first", "third"]
    with draws.place(lambda: 2) as later:
        assert (later.number, later.before) == (2, None)


def test_recruits_at_once_draw_what_recruits_one_by_one_draw(home: object, tmp_path_factory: object) -> None:
    made = []
    for callers in (1, 6):
        service = Service(home, tmp_path_factory.mktemp("data"))  # type: ignore[arg-type, attr-defined]
        try:
            http = service.client(service.key())

            def recruit(_: int, http: object = http) -> tuple[int, list[int]]:
                body = {"filters": {"country": "USA"}, "group_size": 8}
                answer = http.post("/research-groups/recruit", json=body).json()  # type: ignore[attr-defined]
                return answer["group"]["id"], [agent["id"] for agent in answer["recruited_agents"]]

            with ThreadPoolExecutor(callers) as pool:
                made.append(sorted(pool.map(recruit, range(18))))
        finally:
            service.close()
    assert made[0] == made[1]
