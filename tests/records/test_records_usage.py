"""The usage ledger: what is counted, settled, voided, and never goes over the quota."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Connection

from voxpop.errors import Conflict, NotFound, QuotaExceeded
from voxpop.records import jobs, keys, operations, usage
from voxpop.records.database import Database
from voxpop.records.usage import Meter


@pytest.fixture
def meter(org: int) -> Meter:
    return Meter(org, "live", 100)


def statuses(c: Connection, operation_id: str) -> list[tuple[int, str]]:
    return sorted((event.quantity, event.status) for event in usage.of_operation(c, operation_id))


@pytest.fixture
def operation(c: Connection, org: int) -> str:
    number, found = operations.begin(c, org, key="k", kind="ask", digest="d")
    assert found is None
    return number


def test_what_is_recorded_counts_at_once(c: Connection, meter: Meter) -> None:
    event = usage.record(c, meter, 40)
    assert (event.kind, event.quantity, event.status) == ("answers", 40, "recorded")
    month = usage.this_month(c, meter)
    assert (month.used, month.pending_event_count) == (40, 0)
    assert month.cycle_start == datetime(2026, 11, 1, tzinfo=UTC)
    assert month.cycle_end == datetime(2026, 12, 1, tzinfo=UTC)


def test_a_month_ends_with_the_calendar(c: Connection, meter: Meter, clock: Any) -> None:
    usage.record(c, meter, 100)
    clock.now = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    with pytest.raises(QuotaExceeded):
        usage.record(c, meter, 1)
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    usage.record(c, meter, 100)
    assert usage.this_month(c, meter).cycle_end == datetime(2027, 1, 1, tzinfo=UTC)


def test_a_quota_may_be_used_up_and_not_more(c: Connection, meter: Meter) -> None:
    usage.record(c, meter, 99)
    with pytest.raises(QuotaExceeded, match="needs 2 answers and the month has 1 of 100 left") as caught:
        usage.reserve(c, meter, 2)
    assert caught.value.details == {
        "limit": 100,
        "used": 99,
        "requested": 2,
        "cycle_end": "2026-12-01T00:00:00Z",
    }
    usage.reserve(c, meter, 1)
    assert usage.this_month(c, meter).used == 100


def test_kinds_of_keys_and_organizations_have_their_own(c: Connection, meter: Meter, other: int) -> None:
    usage.record(c, meter, 100)
    usage.record(c, Meter(meter.organization_id, "free", 12), 12)
    usage.record(c, Meter(other, "live", 100), 7)
    assert usage.this_month(c, meter).used == 100
    assert usage.this_month(c, Meter(other, "live", 100)).used == 7
    usage.record(c, Meter(other, "live", None), 1_000_000)  # no limit


def test_what_was_delivered_is_committed_and_the_rest_voided(
    c: Connection, meter: Meter, operation: str
) -> None:
    event = usage.reserve(c, meter, 50, operation_id=operation)
    assert usage.this_month(c, meter).pending_event_count == 1
    usage.settle(c, event.id, 30)
    assert statuses(c, operation) == [(20, "voided"), (30, "committed")]
    assert (usage.this_month(c, meter).used, usage.this_month(c, meter).pending_event_count) == (30, 0)
    usage.settle(c, event.id, 10)  # again changes nothing
    assert statuses(c, operation) == [(20, "voided"), (30, "committed")]


def test_what_was_not_delivered_at_all_is_voided_whole(c: Connection, meter: Meter, operation: str) -> None:
    event = usage.reserve(c, meter, 50, operation_id=operation)
    usage.settle(c, event.id, 0)
    assert statuses(c, operation) == [(50, "voided")]
    assert usage.this_month(c, meter).used == 0


def test_a_voided_part_goes_back_to_the_month_it_was_counted_in(
    c: Connection, meter: Meter, operation: str, clock: Any
) -> None:
    event = usage.record(c, meter, 60, operation_id=operation)
    clock.now = datetime(2026, 12, 3, tzinfo=UTC)
    usage.void_part(c, event.id, 10)
    assert statuses(c, operation) == [(10, "voided"), (50, "recorded")]
    assert usage.this_month(c, meter).used == 0
    clock.now = datetime(2026, 11, 30, tzinfo=UTC)
    assert usage.this_month(c, meter).used == 50


def test_more_can_be_reserved_within_the_quota(c: Connection, meter: Meter, operation: str) -> None:
    event = usage.reserve(c, meter, 60, operation_id=operation)
    usage.enlarge(c, meter, event.id, 40)
    assert statuses(c, operation) == [(100, "reserved")]
    with pytest.raises(QuotaExceeded):
        usage.enlarge(c, meter, event.id, 1)


class Ledger(RuleBasedStateMachine):
    """For any sequence of records, reservations and voids, the month is the sum of what was not voided."""

    database: Database

    def __init__(self) -> None:
        super().__init__()
        self._transaction = self.database.begin()
        self.c = self._transaction.__enter__()
        self.meter = Meter(keys.create_organization(self.c, uuid4().hex), "live", 1_000)
        self.expected: dict[str, int] = {}
        self.reserved: list[str] = []
        self.recorded: list[str] = []

    def teardown(self) -> None:
        self._transaction.__exit__(None, None, None)

    @rule(quantity=st.integers(0, 300), held=st.booleans())
    def count(self, quantity: int, held: bool) -> None:
        room = 1_000 - usage.this_month(self.c, self.meter).used
        take = usage.reserve if held else usage.record
        if quantity > room:
            with pytest.raises(QuotaExceeded):
                take(self.c, self.meter, quantity)
            return
        event = take(self.c, self.meter, quantity)
        self.expected[event.id] = quantity
        (self.reserved if held else self.recorded).append(event.id)

    @precondition(lambda self: self.reserved)
    @rule(data=st.data(), delivered=st.integers(0, 400))
    def settle(self, data: st.DataObject, delivered: int) -> None:
        event = data.draw(st.sampled_from(self.reserved))
        self.reserved.remove(event)
        usage.settle(self.c, event, delivered)
        self.expected[event] = min(delivered, self.expected[event])

    @precondition(lambda self: self.recorded)
    @rule(data=st.data(), quantity=st.integers(0, 400))
    def void(self, data: st.DataObject, quantity: int) -> None:
        event = data.draw(st.sampled_from(self.recorded))
        usage.void_part(self.c, event, quantity)
        self.expected[event] = max(0, self.expected[event] - quantity)

    @invariant()
    def the_month_is_the_sum(self) -> None:
        assert usage.this_month(self.c, self.meter).used == sum(self.expected.values())


def test_the_ledger_adds_up(database: Database) -> None:
    Ledger.database = database
    quick = settings(max_examples=40, stateful_step_count=25, deadline=None, derandomize=True, database=None)
    run_state_machine_as_test(Ledger, settings=quick)


def test_an_operation_takes_its_key_once(c: Connection, org: int, other: int) -> None:
    number, found = operations.begin(c, org, key="k", kind="ask", digest="d")
    assert found is None
    job_id, _ = jobs.create_job(c, org, jobs.COMPLETION, operation_id=number)
    operations.accept(c, number, job_id=job_id, resource_url="/v1/x", answer={"usage_recorded": []})
    again, stored = operations.begin(c, org, key="k", kind="ask", digest="d")
    assert stored == operations.get(c, org, number)
    assert (again, stored.job_id, stored.resource_url) == (number, job_id, "/v1/x")
    with pytest.raises(Conflict) as caught:
        operations.begin(c, org, key="k", kind="ask", digest="other")
    assert caught.value.code == "idempotency_key_conflict"
    assert operations.begin(c, other, key="k", kind="ask", digest="other")[1] is None
    with pytest.raises(NotFound):
        operations.get(c, other, number)


def test_an_operation_stands_as_its_open_job_or_else_its_last(
    c: Connection, org: int, operation: str
) -> None:
    first, _ = jobs.create_job(c, org, jobs.COMPLETION, operation_id=operation)
    second, _ = jobs.create_job(c, org, jobs.COMPLETION, operation_id=operation)
    jobs.finish(c, second, {})
    assert operations.last_job(c, org, operation).id == first
    jobs.finish(c, first, {})
    assert operations.last_job(c, org, operation).id == max(first, second)
