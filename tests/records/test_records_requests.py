"""Requests are stored with their job, visible to their organization, and answered once."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from voxpop.errors import Conflict, NotFound
from voxpop.records import jobs, requests, work_items
from voxpop.records.requests import GroupRequest


@pytest.fixture
def request_(c: Connection, org: int) -> GroupRequest:
    return requests.create(c, org, text="US adults", group_size=20, progress_message="Waiting.")


def test_a_new_request_is_queued_with_a_job_that_names_it(
    c: Connection, org: int, request_: GroupRequest
) -> None:
    assert request_.id.startswith("rgr_")
    assert (request_.status, request_.phase, request_.request_text) == ("queued", "waiting", "US adults")
    assert (request_.filters, request_.screening, request_.answers, request_.seed) == (None, [], [], None)
    assert request_.created_at == request_.updated_at
    job = jobs.get(c, org, request_.job_id)
    assert (job.kind, job.detail, job.total) == ("recruiting", {"request_id": request_.id}, 20)
    assert work_items.waiting(c) == work_items.of_job(c, job.id)


def test_requests_of_one_moment_have_their_own_ids(c: Connection, org: int) -> None:
    made = {requests.create(c, org, text="t", group_size=1, progress_message="").id for _ in range(50)}
    assert len(made) == 50


def test_another_organization_sees_none(c: Connection, org: int, other: int, request_: GroupRequest) -> None:
    assert requests.get(c, org, request_.id) == request_
    for owner, name in ((other, request_.id), (org, "rgr_none"), (org, "")):
        with pytest.raises(NotFound, match="no recruitment request"):
            requests.get(c, owner, name)


def test_what_is_changed_is_read_again(c: Connection, org: int, request_: GroupRequest) -> None:
    changed = requests.change(c, request_, status="running", screened=10, kept=[3, 1, 2], review={"a": 1})
    assert (changed.status, changed.screened, changed.review) == ("running", 10, {"a": 1})
    assert requests.kept(c, org, request_.id) == [3, 1, 2]
    assert requests.change(c, request_, review=None).review is None


def test_a_request_is_left_once(c: Connection, org: int, request_: GroupRequest) -> None:
    waiting = requests.change(c, request_, status="awaiting_review")
    assert requests.leave(c, waiting, "awaiting_review", status="running").status == "running"
    with pytest.raises(Conflict, match="running and takes no response") as caught:
        requests.leave(c, waiting, "awaiting_review", status="refused")
    assert caught.value.details == {"status": "running"}
    assert requests.get(c, org, request_.id).status == "running"


def test_a_request_that_goes_on_has_another_job(c: Connection, org: int, request_: GroupRequest) -> None:
    again = requests.requeue(c, request_)
    assert (again.id, again.job_id != request_.job_id) == (request_.id, True)
    assert jobs.get(c, org, again.job_id).detail == {"request_id": request_.id}


def test_a_claim_is_held_for_longer_by_its_holder_alone(c: Connection, request_: GroupRequest) -> None:
    (item_id,) = work_items.of_job(c, request_.job_id)
    item = work_items.claim(c, item_id)
    assert item is not None
    assert work_items.renew(c, item)
    assert work_items.release(c, item)
    assert not work_items.renew(c, item)
    later = work_items.claim(c, item_id)
    assert later is not None
    assert not work_items.renew(c, item)
    assert work_items.renew(c, later)
