"""Admission: a single tenant gets all capacity, and no tenant shuts out another."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Hashable
from hashlib import sha256
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from voxpop.service.admission import Admission, Holds, Share, Slots, run_in_threadpool, tenant_here


def test_one_tenant_alone_may_use_the_whole_capacity_and_no_more() -> None:
    share = Share(10)
    assert [share.enter("a") for _ in range(12)] == [True] * 10 + [False] * 2
    share.leave("a")
    assert share.enter("a")


def test_a_tenant_below_its_share_is_never_refused_by_thousands_of_another() -> None:
    share = Share(1_000)
    for _ in range(1_100):
        share.enter("flood")
    assert [share.enter("b") for _ in range(500)] == [True] * 500
    assert not share.enter("b")
    assert [share.enter("c") for _ in range(333)] == [True] * 333
    assert not share.enter("flood")


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_no_tenant_below_its_share_is_refused_and_all_is_bounded(seed: int) -> None:
    draw, share, most = random.Random(seed), Share(50), 50
    mine: Counter[str] = Counter()
    for _ in range(3_000):
        tenant = draw.choice("aaaaaaaabbcd")
        if draw.random() < 0.6:
            below = mine[tenant] < max(1, most // len({*(+mine), tenant}))
            entered = share.enter(tenant)
            assert entered or not below
            mine[tenant] += entered
        elif mine[tenant]:
            share.leave(tenant)
            mine[tenant] -= 1
        assert share.total == mine.total() <= 2 * most


def test_without_a_capacity_nobody_is_refused() -> None:
    share = Share(None)
    assert all(share.enter("a") for _ in range(2_000))


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Work:
    """Calls that hold a slot until they are let go, and note the order in which they got it."""

    def __init__(self, slots: Slots) -> None:
        self.slots, self.history, self.ends = slots, list[str](), dict[str, asyncio.Event]()

    async def begin(self, name: str) -> asyncio.Task[None]:
        self.ends[name] = asyncio.Event()

        async def work() -> None:
            async with self.slots.slot(name[0]):
                self.history.append(name)
                await self.ends[name].wait()

        task = asyncio.create_task(work())
        await settle()
        return task

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settle()


def test_the_next_slot_goes_to_the_tenant_that_has_the_fewest() -> None:
    async def scenario() -> list[str]:
        work = Work(Slots(3))
        for name in ("a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"):
            await work.begin(name)
        for name in ("a1", "a2", "a3"):
            await work.end(name)
        assert work.history == ["a1", "a2", "a3", "b1", "c1", "a4"]
        await work.end("b1")
        return work.history

    assert asyncio.run(scenario())[-1] == "b2"


def test_a_call_that_is_given_up_leaves_the_line_and_loses_no_slot() -> None:
    async def scenario() -> None:
        work = Work(Slots(1))
        await work.begin("a1")
        given_up, granted = await work.begin("b1"), await work.begin("c1")
        given_up.cancel()
        await settle()
        work.ends["a1"].set()
        await asyncio.sleep(0)  # the slot is handed to c1, which has not run since
        granted.cancel()
        await settle()
        await work.begin("d1")
        assert work.history in (["a1", "d1"], ["a1", "c1", "d1"])

    asyncio.run(scenario())


def test_polls_beyond_the_capacity_are_not_held_and_others_make_room() -> None:
    async def scenario() -> None:
        refused: list[None] = []
        holds = Holds(4, lambda: refused.append(None))
        first = [holds.hold("a") for _ in range(4)]
        held = [one.__enter__() for one in first]
        with holds.hold("a") as beyond:
            assert beyond is None
        with holds.hold("b") as other:
            assert other is not None
            assert not other.over.is_set()
            assert [one.over.is_set() for one in held if one is not None] == [True, False, False, False]
        assert len(refused) == 2
        for one in first:
            one.__exit__(None, None, None)
        assert (holds.share.total, holds.share.tenants()) == (0, 0)

    asyncio.run(scenario())


def test_a_call_of_a_tenant_that_holds_polls_takes_the_place_of_its_oldest_poll() -> None:
    async def scenario() -> None:
        refused: list[str] = []
        admission = Admission(4, refused=refused.append)
        tickets = [admission.enter("a") for _ in range(4)]
        polls = [admission.holds.hold("a") for _ in range(3)]
        held = [poll.__enter__() for poll in polls]
        more = [admission.enter("a") for _ in range(4)]
        assert [ticket is not None for ticket in more] == [True, True, True, False]
        assert all(hold is not None and hold.over.is_set() for hold in held)
        assert refused == ["hold"] * 3 + ["call"]
        for poll in polls:
            poll.__exit__(None, None, None)
        for ticket in (*tickets, *more):
            if ticket is not None:
                ticket.close()
        assert (admission.calls.total, admission.holds.share.total) == (0, 0)

    asyncio.run(scenario())


def test_a_poll_of_another_tenant_never_makes_room() -> None:
    async def scenario() -> None:
        admission = Admission(2)
        assert admission.enter("a") is not None
        assert admission.enter("a") is not None
        with admission.holds.hold("b") as held:
            assert admission.enter("a") is None
            assert held is not None
            assert not held.over.is_set()

    asyncio.run(scenario())


def test_a_thousand_held_polls_look_no_more_than_five_hundred_times_a_second() -> None:
    async def scenario() -> None:
        holds = Holds(None)
        with holds.hold("b") as alone:
            assert alone is not None
            assert alone.pause(0.01) == 0.01
            crowd = [holds.hold("a") for _ in range(1_000)]
            held = [one.__enter__() for one in crowd]
            assert held[0] is not None
            assert held[0].pause(0.01) == 1_000 * 2 / 500
            assert alone.pause(0.01) == 0.01  # nobody waits longer for the crowd of another
            for one in crowd:
                one.__exit__(None, None, None)

    asyncio.run(scenario())


def scope(key: str | None = None, address: str = "192.0.2.7") -> dict[str, Any]:
    headers = [] if key is None else [(b"authorization", f"Bearer {key}".encode())]
    return {"headers": headers, "client": (address, 4_000)}


def test_a_call_counts_for_its_address_until_its_key_was_good_once() -> None:
    admission = Admission(10)
    assert admission.tenant_of(scope()) == ("address", "192.0.2.7")
    assert admission.tenant_of(scope("key")) == ("address", "192.0.2.7")
    admission.know(sha256(b"key").digest(), 5)
    assert admission.tenant_of(scope("key")) == 5
    assert admission.tenant_of(scope("other")) == ("address", "192.0.2.7")


def test_a_call_whose_key_becomes_known_counts_for_its_organization() -> None:
    refused: list[str] = []
    admission = Admission(2, refused=refused.append)
    first, second = admission.enter(1), admission.enter(1)
    new = admission.enter("address")
    assert first is not None
    assert second is not None
    assert new is not None
    with pytest.raises(HTTPException) as refusal:
        admission.become(new, 1)
    assert (refusal.value.status_code, refusal.value.headers) == (503, {"Retry-After": "1"})
    new.close()
    second.close()
    other = admission.enter("address")
    assert other is not None
    admission.become(other, 2)
    assert tenant_here() == 2
    other.close()
    first.close()
    assert admission.calls.total == 0
    assert refused == ["call"]


def test_threads_are_shared_by_the_tenant_of_the_call() -> None:
    async def scenario() -> list[float]:
        waits: list[float] = []
        admission = Admission(None, threads=1, waited=lambda kind, seconds: waits.append(seconds))

        async def call(tenant: Hashable) -> object:
            ticket = admission.enter(tenant)
            assert ticket is not None
            try:
                return await run_in_threadpool(tenant_here)
            finally:
                ticket.close()

        made = [asyncio.create_task(call(tenant)) for tenant in (1, 1, 2)]
        assert await asyncio.gather(*made) == [1, 1, 2]
        return waits

    assert len(asyncio.run(scenario())) == 3
