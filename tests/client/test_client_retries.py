"""Retries: which calls are repeated, after which delay, and when the client gives up."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from scripted_service import Script, refuse

from voxpop.errors import ConnectionFailed, RateLimited, Unavailable, UsageError


@pytest.fixture
def script() -> Script:
    return Script()


JOB = {"id": "job_1", "status": "finished"}
ASK = ("POST", "/research-studies/1/questions")
ASKED = {"job_ids": ["job_1"], "question_id": 1}


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_read_is_repeated_after_a_passing_fault_with_growing_waits(script: Script, status: int) -> None:
    script.on("GET", "/jobs/job_1", *[refuse(status, "unavailable", "Later.")] * 3, JOB)
    assert script.client().jobs.get("job_1").status == "finished"
    assert script.slept == [0.5, 1.0, 2.0]


def test_a_read_gives_up_after_the_retries_allowed(script: Script) -> None:
    script.on("GET", "/jobs/job_1", refuse(503, "unavailable", "Later."))
    with pytest.raises(Unavailable, match="Later"):
        script.client(retries=2).jobs.get("job_1")
    assert len(script.calls) == 3


def test_a_failure_of_the_service_itself_is_not_repeated(script: Script) -> None:
    script.on("GET", "/jobs/job_1", refuse(500, "internal_error", "Oops.", details={"request_id": "req_9"}))
    with pytest.raises(Unavailable) as caught:
        script.client().jobs.get("job_1")
    assert (len(script.calls), caught.value.request_id) == (1, "req_9")


def test_asking_is_not_repeated_after_a_fault_because_it_may_have_been_done(script: Script) -> None:
    script.on(*ASK, refuse(503, "unavailable", "Later.", headers={"Retry-After": "1"}))
    with pytest.raises(Unavailable):
        script.client().questions.ask(1, "Why?")
    assert (len(script.calls), script.slept) == (1, [])


def test_retry_after_in_seconds_is_obeyed_on_any_call(script: Script) -> None:
    script.on(*ASK, refuse(429, "rate_limited", "Slowly.", headers={"Retry-After": "7"}), ASKED)
    script.client().questions.ask(1, "Why?")
    assert script.slept == [7.0]


def test_retry_after_as_a_date_is_obeyed(script: Script) -> None:
    date = format_datetime(script.now + timedelta(seconds=12), usegmt=True)
    script.on(
        "GET", "/jobs/job_1", refuse(429, "rate_limited", "Slowly.", headers={"Retry-After": date}), JOB
    )
    script.client().jobs.get("job_1")
    assert script.slept == [12.0]


@pytest.mark.parametrize("told", [None, "soon", ""])
def test_without_a_readable_retry_after_at_least_a_second_is_waited(script: Script, told: Any) -> None:
    headers = {} if told is None else {"Retry-After": told}
    script.on("GET", "/jobs/job_1", refuse(429, "rate_limited", "Slowly.", headers=headers), JOB)
    script.client().jobs.get("job_1")
    assert script.slept == [1.0]


def test_a_very_long_retry_after_is_told_and_not_slept_through(script: Script) -> None:
    script.on("GET", "/jobs/job_1", refuse(429, "rate_limited", "Tomorrow.", headers={"Retry-After": "3600"}))
    with pytest.raises(RateLimited) as caught:
        script.client().jobs.get("job_1")
    assert (caught.value.retry_after, script.slept) == (3600.0, [])


def test_a_connection_that_was_never_made_is_tried_again_for_any_call(script: Script) -> None:
    script.on(*ASK, httpx.ConnectError("refused"), ASKED)
    assert script.client().questions.ask(1, "Why?").job_ids == ["job_1"]
    assert script.slept == [0.5]


def test_no_service_at_the_address_says_where_and_what_to_do(script: Script) -> None:
    script.on("GET", "/jobs/job_1", httpx.ConnectError("[Errno 111] Connection refused"))
    with pytest.raises(ConnectionFailed, match=r"http://service\.test/v1.*voxpop serve") as caught:
        script.client(retries=1).jobs.get("job_1")
    assert script.key not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_port_of_this_machine_where_nothing_listens_is_given_up_within_a_second(
    script: Script, host: str
) -> None:
    script.on("GET", "/jobs/job_1", httpx.ConnectError("[Errno 111] Connection refused"))
    client = script.client(base_url=f"http://{host}:9")
    with pytest.raises(ConnectionFailed, match="Nothing answers"):
        client.jobs.get("job_1")
    assert script.slept == [0.5]


def test_a_broken_connection_is_tried_again_only_for_reads(script: Script) -> None:
    broken = httpx.ReadError("reset")
    script.on("GET", "/jobs/job_1", broken, JOB).on(*ASK, broken, ASKED)
    client = script.client()
    assert client.jobs.get("job_1").id == "job_1"
    with pytest.raises(ConnectionFailed, match="not sent again"):
        client.questions.ask(1, "Why?")


def test_a_slow_service_is_named_with_the_time_allowed(script: Script) -> None:
    script.on("GET", "/jobs/job_1", httpx.ReadTimeout("slow"))
    with pytest.raises(ConnectionFailed, match="within 3 seconds"):
        script.client(timeout=3, retries=0).jobs.get("job_1")


KEPT = {"Idempotency-Hours": "24"}


def keys_of(script: Script) -> list[str | None]:
    return [request.headers.get("Idempotency-Key") for request in script.calls if request.method != "GET"]


def test_every_call_that_changes_something_has_a_key_of_its_own(script: Script) -> None:
    script.on(*ASK, ASKED)
    script.on("POST", "/filters/count", {"count": 1})
    client = script.client()
    client.questions.ask(1, "Why?")
    client.questions.ask(1, "Why?")
    client.questions.ask(1, "Why?", idempotency_key="mine")
    client.filters.count({"country": "USA"})
    first, second, third, none = keys_of(script)
    assert first is not None
    assert second is not None
    assert first != second
    assert (third, none) == ("mine", None)


def test_repetitions_of_one_call_carry_the_same_key(script: Script) -> None:
    script.on(*ASK, refuse(429, "rate_limited", "Slowly.", headers={"Retry-After": "1"}), ASKED)
    script.client().questions.ask(1, "Why?")
    first, again = keys_of(script)
    assert first == again is not None


@pytest.mark.parametrize(
    "fault", [refuse(503, "unavailable", "Later."), httpx.ReadError("broken"), httpx.ReadTimeout("late")]
)
def test_asking_is_repeated_where_the_service_has_said_that_it_keeps_keys(
    script: Script, fault: httpx.Response | Exception
) -> None:
    script.on("GET", "/jobs/job_1", httpx.Response(200, json=JOB, headers=KEPT))
    script.on(*ASK, fault, ASKED)
    client = script.client()
    client.jobs.get("job_1")
    assert client.questions.ask(1, "Why?").question_id == 1
    first, again = keys_of(script)
    assert first == again is not None


def test_an_answer_says_whether_it_was_given_before(script: Script) -> None:
    told = httpx.Response(202, json=ASKED, headers={"Idempotent-Replayed": "true"})
    script.on(*ASK, ASKED, told)
    client = script.client()
    assert [client.questions.ask(1, "Why?").replayed for _ in range(2)] == [False, True]


@pytest.mark.parametrize("key", ["", "k" * 256, "tab\there", "ümlaut", 7])
def test_a_key_that_cannot_be_sent_is_refused_before_anything_is(script: Script, key: Any) -> None:
    with pytest.raises(UsageError, match="idempotency_key must be 1 to 255"):
        script.client().questions.ask(1, "Why?", idempotency_key=key)
    assert script.calls == []
