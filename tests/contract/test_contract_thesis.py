"""Theses: interface 4.9, contract 9."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from modelled_engine import Modelled
from running_service import Service, finish
from voxpop.client import Client
from voxpop.engines.composition import Verdict
from voxpop.errors import FieldworkWarning
from voxpop.jobs.placeholders import NOTHING_KNOWN
from voxpop.wire.thesis import ThesisAccepted, ThesisDetail, ThesisResponse, ThesisState

COMPOSE = "/thesis:compose-and-recruit"
STARBUCKS = "Starbucks is losing Gen Z because of price"
UNCLEAR = "Something will change soon"
SENSITIVE = "Coca-Cola is losing Black Americans with diabetes because of price"


def submit(http: httpx.Client, text: str = STARBUCKS, key: str | None = None, **body: Any) -> dict[str, Any]:
    """Submit a thesis and wait for its job."""
    sent = {"raw_input": text, "panel_size": 8, "wait_seconds": 60} | body
    answer = http.post(COMPOSE, json=sent, headers={"Idempotency-Key": key or uuid4().hex})
    assert answer.status_code == 202, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def tested(http: httpx.Client) -> dict[str, Any]:
    """A thesis that has its verdict; tests only read it."""
    return submit(http)


@pytest.fixture(scope="module")
def weighed(modelled_http: httpx.Client) -> dict[str, Any]:
    """A thesis whose verdict rests on answers that are not placeholders; tests only read it."""
    return submit(modelled_http)


def detail(http: httpx.Client, made: dict[str, Any]) -> dict[str, Any]:
    return http.get(f"/thesis/{made['thesis']['id']}/detail").json()


def usage_of(http: httpx.Client, made: dict[str, Any]) -> list[tuple[int, str]]:
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    return sorted((event["quantity"], event["status"]) for event in operation["usage_recorded"])


def test_one_call_composes_recruits_asks_and_draws_a_verdict(
    modelled_http: httpx.Client, weighed: dict[str, Any]
) -> None:
    accepted = ThesisAccepted.model_validate(weighed)
    assert accepted.thesis.state_url == f"/v1/thesis/{accepted.thesis.id}/state"
    assert accepted.operation.status == "completed"
    found = ThesisDetail.model_validate(detail(modelled_http, weighed))
    assert found.status == "completed"
    assert found.subjects[0].name == "Starbucks"
    assert (found.stance, found.primary_driver) == ("bearish", "price")
    assert found.falsifiable_claim
    assert [panel.id for panel in found.panels] == [panel.id for panel in accepted.planned_panels]
    assert {panel.kind for panel in found.panels} <= {"channel_check", "expert_call"}
    for panel in found.panels:
        assert panel.status == "completed"
        assert panel.headline.startswith("Starbucks: ")
        assert panel.agent_count == panel.questions[0].asked_count
        assert 3 <= len(panel.questions) <= 5
        assert all(question.answer_count == question.asked_count for question in panel.questions)
    assert found.verdict is not None
    assert found.verdict.support in ("supports", "contradicts", "mixed", "inconclusive")
    assert 0 <= found.verdict.confidence <= 1
    assert "simulated" in (found.verdict.note or "")
    assert "placeholders" not in found.verdict.note


def given_to(http: httpx.Client, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every answer that the panels of a thesis gave."""
    return [
        answer
        for panel in found["panels"]
        for question in http.get(f"/research-studies/{panel['study_id']}/questions").json()["questions"]
        for answer in question["answers"]
    ]


def assert_nothing_is_found(http: httpx.Client, made: dict[str, Any]) -> None:
    found = detail(http, made)
    given, verdict = given_to(http, found), found["verdict"]
    assert {answer["basis"] for answer in given} == {"none"}
    assert (verdict["support"], verdict["confidence"], verdict["evidence"]) == ("inconclusive", 0, [])
    count = f"{len(given)} of {len(given)} answers are placeholders"
    assert verdict["note"].startswith(f"{count} and left out: no figure is known.")
    assert "simulated" in verdict["note"]
    assert {panel["headline"] for panel in found["panels"]} == {NOTHING_KNOWN}
    told = f"{len(given)} answers of {len(found['panels'])} panels, all placeholders: inconclusive."
    assert found["progress_message"] == told


def test_a_verdict_on_placeholders_alone_is_inconclusive(http: httpx.Client, tested: dict[str, Any]) -> None:
    assert_nothing_is_found(http, tested)


def test_no_composer_can_find_anything_in_placeholders(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def certain(*_: Any) -> Verdict:
        return Verdict("supports", 1.0, ({"claim": "So it is.", "answer_ids": []},))

    with monkeypatch.context() as bold:
        bold.setattr("voxpop_simulator.theses.verdicts.verdict", certain)
        made = submit(http)
    assert_nothing_is_found(http, made)


def test_a_verdict_leaves_out_placeholders_among_other_answers(
    modelled_http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as halved:
        halved.setattr(Modelled, "models", staticmethod(lambda agent_id: agent_id % 2 == 0))
        made = submit(modelled_http, panel_size=20)
    found = detail(modelled_http, made)
    given, verdict = given_to(modelled_http, found), found["verdict"]
    lost = {answer["id"] for answer in given if answer["basis"] == "none"}
    assert 0 < len(lost) < len(given)
    assert verdict["note"].startswith(f"{len(lost)} of {len(given)} answers are placeholders and left out")
    cited = {number for claim in verdict["evidence"] for number in claim["answer_ids"]}
    assert cited
    assert not cited & lost
    told = f"{len(given)} answers of {len(found['panels'])} panels, {len(lost)} of them placeholders: "
    assert found["progress_message"] == f"{told}{verdict['support']}."


def test_every_claim_of_the_verdict_leads_to_answers_of_its_panels(
    modelled_http: httpx.Client, weighed: dict[str, Any]
) -> None:
    found = detail(modelled_http, weighed)
    given = {answer["id"] for answer in given_to(modelled_http, found)}
    evidence = found["verdict"]["evidence"]
    assert evidence
    for claim in evidence:
        assert claim["claim"]
        assert claim["answer_ids"]
        assert set(claim["answer_ids"]) <= given


def test_the_answers_of_all_panels_are_reserved_then_committed(
    http: httpx.Client, tested: dict[str, Any]
) -> None:
    reserved = [(event["quantity"], event["status"]) for event in tested["usage_recorded"]]
    planned = [(panel["size"] * panel["questions"], "reserved") for panel in tested["planned_panels"]]
    assert reserved == planned
    assert usage_of(http, tested) == sorted((quantity, "committed") for quantity, _ in reserved)


def test_the_job_tells_how_the_thesis_ended(http: httpx.Client, tested: dict[str, Any]) -> None:
    job = http.get(f"/jobs/{tested['job']['id']}").json()
    assert (job["status"], job["domain_status"]) == ("finished", "completed")
    assert job["resource_url"] == tested["thesis"]["state_url"]
    assert job["operation_id"] == tested["operation"]["id"]
    assert job["result"]["support"] == detail(http, tested)["verdict"]["support"]


def test_the_state_is_light_and_carries_an_etag(http: httpx.Client, tested: dict[str, Any]) -> None:
    place = f"/thesis/{tested['thesis']['id']}/state"
    first = http.get(place)
    state = ThesisState.model_validate(first.json())
    assert list(first.json()) == [
        "thesis_id",
        "status",
        "phase",
        "progress",
        "progress_message",
        "panels",
        "updated_at",
        "poll_after_s",
    ]
    assert state.progress.done == state.progress.total > 0
    tag = first.headers["ETag"]
    assert tag.startswith('"')
    assert tag.endswith('"')
    for known in (tag, f'"other", {tag}', "*", f"W/{tag}"):
        same = http.get(place, headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    other = http.get(place, headers={"If-None-Match": '"other"'})
    assert (other.status_code, other.json()) == (200, first.json())


def test_a_changed_state_has_another_etag(http: httpx.Client) -> None:
    made = submit(http, UNCLEAR)
    place = f"/thesis/{made['thesis']['id']}"
    before = http.get(f"{place}/state").headers["ETag"]
    options = http.get(place).json()["clarification"]["options"]
    http.post(f"{place}/respond", json={"answer": options[0]})
    after = http.get(f"{place}/state", headers={"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["ETag"] != before


def test_include_takes_full_alone(http: httpx.Client, tested: dict[str, Any]) -> None:
    place = f"/thesis/{tested['thesis']['uuid']}"
    whole = http.get(f"{place}/detail").json()
    assert http.get(place).json() == whole
    assert http.get(place, params={"include": "full"}).json() == whole
    for other in ("", "panels", "FULL"):
        refused = http.get(place, params={"include": other})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_include")


def test_where_light_is_the_default_full_is_asked_for(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path, thesis_lightweight=True)
    try:
        http = service.client(service.key())
        made = submit(http)
        place = f"/thesis/{made['thesis']['id']}"
        assert http.get(place).json() == http.get(f"{place}/state").json()
        assert "verdict" in http.get(place, params={"include": "full"}).json()
        assert "verdict" in http.get(f"{place}/detail").json()
    finally:
        service.close()


def test_what_is_unclear_goes_on_with_the_answer(http: httpx.Client) -> None:
    made = submit(http, UNCLEAR)
    assert made["operation"]["status"] == "needs_clarification"
    assert (made["planned_panels"], made["usage_recorded"]) == ([], [])
    job = http.get(f"/jobs/{made['job']['id']}").json()
    assert (job["status"], job["domain_status"]) == ("finished", "needs_clarification")
    place, answered = f"/thesis/{made['thesis']['id']}", 0
    while http.get(place).json()["status"] == "needs_clarification":
        option = http.get(place).json()["clarification"]["options"][0]
        response = http.post(f"{place}/respond", json={"answer": option})
        assert response.status_code == 202
        ThesisResponse.model_validate(response.json())
        finish(http, [response.json()["job_id"]])
        answered += 1
        assert answered < 6
    assert http.get(place).json()["status"] == "completed"
    assert {status for _, status in usage_of(http, made)} == {"committed"}
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert operation["status"] == "completed"


def test_a_sensitive_audience_awaits_a_review(http: httpx.Client) -> None:
    made = submit(http, SENSITIVE)
    place = f"/thesis/{made['thesis']['id']}"
    found = http.get(place).json()
    assert found["status"] == made["operation"]["status"] == "awaiting_review"
    assert found["review"]["reason"]
    approved = http.post(f"{place}/respond", json={"approve": True, "group_size": 5})
    assert approved.status_code == 202
    finish(http, [approved.json()["job_id"]])
    done = http.get(place).json()
    assert (done["status"], done["panel_size"], done["review"]) == ("completed", 5, None)
    assert all(panel["agent_count"] <= 5 for panel in done["panels"])


def test_what_is_declined_costs_nothing(http: httpx.Client) -> None:
    made = submit(http, SENSITIVE)
    place = f"/thesis/{made['thesis']['id']}"
    declined = http.post(f"{place}/respond", json={"approve": False})
    assert (declined.status_code, declined.json()["thesis"]["status"]) == (200, "failed")
    assert {status for _, status in usage_of(http, made)} == {"voided"}
    again = http.post(f"{place}/respond", json={"approve": True})
    assert (again.status_code, again.json()["error"]["details"]) == (409, {"status": "failed"})
    operation = http.get(f"/organization/operations/{made['operation']['id']}").json()["operation"]
    assert operation["status"] == "failed"


def test_the_same_key_gives_the_same_thesis(http: httpx.Client) -> None:
    key = uuid4().hex
    first, again = submit(http, key=key), submit(http, key=key)
    assert again["thesis"] == first["thesis"]
    assert again["usage_recorded"] == first["usage_recorded"]


def test_over_the_quota_nothing_is_planned(home: Path, tmp_path: Path) -> None:
    service = Service(home, tmp_path, quota_live=20)
    try:
        http = service.client(service.key())
        body = {"raw_input": STARBUCKS, "panel_size": 25}
        answer = http.post(COMPOSE, json=body, headers={"Idempotency-Key": "k"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (402, "quota_exceeded")
        assert http.get("/billing/usage").json()["quota"]["used"] == 0
        assert http.get("/thesis/1").status_code == 404
    finally:
        service.close()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"raw_input": ""}, "raw_input"),
        ({"raw_input": None}, "raw_input"),
        ({"panel_size": 4}, "panel_size"),
        ({"panel_size": 501}, "panel_size"),
        ({"size": 5}, "size"),
        ({"wait_seconds": -1}, "wait_seconds"),
    ],
)
def test_a_bad_field_is_named(http: httpx.Client, changes: dict[str, Any], field: str) -> None:
    answer = http.post(COMPOSE, json={"raw_input": STARBUCKS} | changes, headers={"Idempotency-Key": "bad"})
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fields"]) == [field]


def test_another_organization_sees_nothing_of_it(tested: dict[str, Any], stranger: httpx.Client) -> None:
    place = f"/thesis/{tested['thesis']['id']}"
    for path in (place, f"{place}/state", f"{place}/detail"):
        assert stranger.get(path).status_code == 404
    assert stranger.post(f"{place}/respond", json={"approve": True}).status_code == 404


@pytest.fixture
def readers(service: Service) -> httpx.Client:
    return service.client(service.key("studies:read"))


def test_it_takes_the_scope_to_write(readers: httpx.Client, tested: dict[str, Any]) -> None:
    refused = readers.post(COMPOSE, json={"raw_input": STARBUCKS}, headers={"Idempotency-Key": "k"})
    assert refused.status_code == 403
    assert readers.get(f"/thesis/{tested['thesis']['id']}").status_code == 200


class NobodyThere:
    """A population out of which no panel can be drawn."""

    seed = 7

    def sample(self, *_: Any, **__: Any) -> list[int]:
        raise RuntimeError("a fault of the population")


def used(http: httpx.Client) -> int:
    return http.get("/billing/usage").json()["quota"]["used"]


def retried(http: httpx.Client, made: dict[str, Any]) -> dict[str, Any]:
    """Retry the failed job of a thesis, twice as a caller does that heard nothing; return the job's end."""
    first, again = (http.post(f"/jobs/{made['job']['id']}/retry") for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.json()["job_ids"] == first.json()["job_ids"]
    (ended,) = finish(http, first.json()["job_ids"])
    return ended


def test_a_thesis_whose_panels_cannot_be_recruited_is_retried(
    modelled: Service, modelled_http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, before = modelled_http, used(modelled_http)
    with monkeypatch.context() as broken:
        broken.setattr(modelled.state.runner, "population", NobodyThere())
        made = submit(http)
    assert made["job"]["status"] == "failed"
    failed = detail(http, made)
    assert (failed["status"], {panel["status"] for panel in failed["panels"]}) == ("failed", {"failed"})
    assert {status for _, status in usage_of(http, made)} == {"voided"}
    assert used(http) == before
    ended = retried(http, made)
    assert (ended["status"], ended["domain_status"]) == ("finished", "completed")
    found = detail(http, made)
    assert found["verdict"]["evidence"]
    answered = sum(question["answer_count"] for panel in found["panels"] for question in panel["questions"])
    assert used(http) - before == answered > 0
    assert sum(quantity for quantity, status in usage_of(http, made) if status == "committed") == answered
    refused = http.post(f"/jobs/{ended['id']}/retry")
    assert (refused.status_code, refused.json()["error"]["details"]) == (409, {"status": "finished"})


def test_a_thesis_whose_panels_cannot_be_heard_is_retried_without_asking_anew(
    modelled_http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> str:
        raise RuntimeError("a fault of the verdict")

    http, before = modelled_http, used(modelled_http)
    with monkeypatch.context() as broken:
        broken.setattr("voxpop_simulator.theses.verdicts.headline", fails)
        made = submit(http)
    assert (made["job"]["status"], made["operation"]["status"]) == ("failed", "failed")
    asked = [panel["study_id"] for panel in detail(http, made)["panels"]]
    counted = used(http) - before
    assert counted > 0
    assert retried(http, made)["domain_status"] == "completed"
    assert used(http) - before == counted
    found = detail(http, made)
    assert [panel["study_id"] for panel in found["panels"]] == asked
    assert all(panel["headline"] for panel in found["panels"])


def test_a_thesis_that_is_read_in_part_says_so(http: httpx.Client, service: Service) -> None:
    long = f"{STARBUCKS}. {'We have looked at this for years. ' * 60}"
    made = submit(http, long)
    assert "reads the first and the last 750 characters of a long thesis" in made["notice"]
    assert detail(http, made)["notice"] == made["notice"]
    with Client(service.base_url, service.key()) as client:
        with pytest.warns(FieldworkWarning, match="of a long thesis"):
            accepted = client.thesis.compose(long, panel_size=8)
        assert made["notice"] in repr(client.thesis.get(accepted))


def test_a_thesis_that_is_read_whole_has_no_notice(http: httpx.Client, tested: dict[str, Any]) -> None:
    assert tested["notice"] is None
    assert detail(http, tested)["notice"] is None
