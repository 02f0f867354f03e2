"""Every tool over streamable HTTP by the official client: what it gives is what the routes give."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from talking import Talk, ToolError

from running_service import Service, ask, finish, new_study
from voxpop.jobs.placeholders import NOTHING_KNOWN


@pytest.fixture(scope="session")
def http(service: Service) -> httpx.Client:
    return service.client(service.key())


@pytest.fixture(scope="session")
def study(talk: Talk) -> dict[str, Any]:
    """A study that was made and asked by tools alone."""
    group = talk("v1.research-groups.recruit", country="USA", group_size=20, seed=1, name="Twenty")["group"]
    made = talk(
        "v1.research-studies.create",
        title="Snacks",
        objective="Who switches?",
        research_group_uuid=group["uuid"],
    )["study"]
    for question in (
        {"question": "Do you smoke?", "key": "smokes", "type": "yes_no"},
        {"question": "How old are you?", "key": "age", "type": "number"},
        {"question": "Why would you switch to another snack?", "key": "why"},
    ):
        asked = talk("v1.research-studies.ask", study_id=made["id"], poll_timeout_seconds=60, **question)
        assert asked["status"] == "finished"
    return made


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_generations_of_the_protocol_are_spoken(service: Service, mode: str) -> None:
    talk = Talk(service.root_url, service.key(), mode)
    assert len(talk.with_client(lambda client: client.list_tools()).tools) == 10
    assert talk("v1.agents.find", country="Japan")["agent"]["country"] == "Japan"


def test_the_list_says_what_each_tool_does_to_the_world(talk: Talk) -> None:
    tools = {tool.name: tool for tool in talk.with_client(lambda client: client.list_tools()).tools}
    for name, tool in tools.items():
        assert tool.title
        assert tool.description
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.read_only_hint is (
            name.split(".")[-1] in ("get", "search", "find", "preview", "results")
        )


def test_preview_reads_a_question_and_asks_nobody(
    talk: Talk, http: httpx.Client, study: dict[str, Any]
) -> None:
    before = http.get("/billing/usage").json()["quota"]["used"]
    got = talk("v1.research-studies.preview", study_id=study["id"], question="Do you smoke?")
    sent = {"question": "Do you smoke?"}
    assert got == http.post(f"/research-studies/{study['id']}/questions/preview", json=sent).json()
    assert (got["question"]["type"], got["agent_count"], got["looked_at"]) == ("yes_no", 20, 20)
    assert sum(one["agents"] for one in got["bases"]) == 20
    said = talk.text("v1.research-studies.preview", study_id=study["id"], question="Do you smoke?")
    assert "none was asked" in said
    assert http.get("/billing/usage").json()["quota"]["used"] == before


def test_filters_get_is_discovery(talk: Talk, http: httpx.Client) -> None:
    got = talk("v1.filters.get", country="us", fields=["drug_class", "age", "gender"])
    assert got == http.get("/filters", params={"country": "us", "fields": "drug_class,age,gender"}).json()
    assert set(got["filters"]) == {"health_drug_classes", "gender"}
    assert talk("v1.filters.get", country="USA") == http.get("/filters", params={"country": "USA"}).json()


@pytest.mark.parametrize(
    ("arguments", "flat"),
    [
        ({"country": "USA", "age_min": 30}, {"country": "USA", "age_min": 30}),
        ({"drug_class": ["Ozempic", "statin"]}, {"health_drug_classes": {"any": ["glp1_agonist", "statin"]}}),
        ({"health_conditions": {"all": ["hypertension", "diabetes"]}, "bmi_max": 30}, None),
        ({"filters": {"state": ["CA", "TX"]}, "employment": "retired"}, None),
        ({"occupation": "nurse"}, {"occupation": "nurse"}),
        ({"match": "any", "smoking_status": "current", "is_parent": True}, None),
        ({}, {}),
    ],
)
def test_search_and_find_are_those_of_the_routes(
    talk: Talk, http: httpx.Client, arguments: dict[str, Any], flat: dict[str, Any] | None
) -> None:
    from voxpop.mcp.arguments import filter_of

    audience = filter_of(arguments, []) if flat is None else flat
    counted = http.post("/filters/count", json={"filters": audience, "fields": []}).json()["count"]
    got = talk("v1.agents.search", **arguments, page=2, per_page=3)
    assert (got["total"], got["page"], got["per_page"]) == (counted, 2, 3)
    assert counted > 0
    assert talk("v1.agents.find", **arguments) == http.post("/agents/find", json=audience).json()


def test_unknown_values_are_named_by_search_and_recruit(talk: Talk) -> None:
    asked = {"country": "USA", "ethnicity": "White"}
    for got in (
        talk("v1.agents.search", **asked),
        talk("v1.research-groups.recruit", group_size=3, **asked),
    ):
        (entry,) = got["unknown_values"]
        assert entry["suggestions"] == ["White, non-Hispanic"]


def test_recruit_keeps_a_group_and_shows_its_first_agents(talk: Talk, http: httpx.Client) -> None:
    got = talk(
        "v1.research-groups.recruit",
        name="Parents",
        description="Busy parents",
        is_parent=True,
        filters={"country": "USA"},
        group_size=40,
        sample_method="balanced",
        dedupe=False,
        seed=3,
    )
    assert got["raw_dsl_mode"] == "explicit_opt_in"
    read = http.get(f"/research-groups/{got['group']['uuid']}").json()
    assert read["group"] == got["group"]
    assert got["group"]["filters"]["filters"] == {"country": "USA", "is_parent": True}
    assert got["recruited_agents"] == read["agents"][:10]
    assert (got["group"]["agent_count"], got["group"]["sample_method"]) == (40, "balanced")


def test_recruit_takes_nested_filters_quotas_and_exclusions(talk: Talk, http: httpx.Client) -> None:
    women, men = ({"filters": {"gender": gender}, "size": 3} for gender in ("female", "male"))
    asked = {"country": "USA", "filters": {"not": {"state": "TX"}}, "group_size": 6, "quotas": [women, men]}
    first = talk("v1.research-groups.recruit", **asked)
    without = [first["group"]["id"]]
    again = talk("v1.research-groups.recruit", **asked, exclude_group_ids=without, seed=1)
    for made in (first, again):
        agents = made["recruited_agents"]
        assert sorted(agent["gender"] for agent in agents) == ["female"] * 3 + ["male"] * 3
        assert "TX" not in {agent["state"] for agent in agents}
        assert all(member["design_weight"] for member in made["members"])
    ids = [{agent["id"] for agent in made["recruited_agents"]} for made in (first, again)]
    assert not ids[0] & ids[1]


def test_a_request_in_words_is_waited_for(talk: Talk) -> None:
    got = talk(
        "v1.research-group-requests.create",
        request_text="US women aged 30 to 60",
        group_size=15,
        poll_timeout_seconds=60,
    )
    assert got["request"]["status"] == "completed"
    assert got["group"]["agent_count"] == 15
    assert len(got["recruited_agents"]) == 10


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("people who smoke", "needs_clarification", "Which country"),
        ("US children aged 8 to 12", "refused", "18"),
        ("US nurses over 70 who smoke", "awaiting_review", "A person decides this"),
    ],
)
def test_a_request_that_ends_otherwise_says_what_to_do(talk: Talk, text: str, status: str, told: str) -> None:
    asked = {"request_text": text, "group_size": 500, "poll_timeout_seconds": 60}
    assert talk("v1.research-group-requests.create", **asked)["request"]["status"] == status
    said = talk.text("v1.research-group-requests.create", **asked)
    assert status in said
    assert told in said


def test_without_waiting_work_goes_on_and_its_job_can_be_watched(talk: Talk, study: dict[str, Any]) -> None:
    group = talk("v1.research-groups.recruit", group_size=60)["group"]
    other = talk("v1.research-studies.create", title="t", research_group_uuid=group["uuid"])["study"]
    asked = talk("v1.research-studies.ask", study_id=other["uuid"], question="Do you like tea?")
    assert asked["status"] == "queued"
    assert len(asked["job_ids"]) == 25
    job = talk("v1.jobs.get", job_id=asked["job_ids"][-1], poll_timeout_seconds=60)
    assert job["status"] == "finished"
    assert talk("v1.jobs.get", job_id=job["id"])["result"] == job["result"]
    got = talk("v1.research-studies.results", study_id=other["id"], poll_timeout_seconds=60)
    assert got["questions"][0]["answer_count"] == 60


def test_results_count_what_the_answers_say(talk: Talk, study: dict[str, Any], http: httpx.Client) -> None:
    got = talk("v1.research-studies.results", study_id=study["id"], answers_per_question=3)
    full = {
        one["key"]: one["answers"]
        for one in http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    }
    smokes, age, why = got["questions"]
    coded = 20 - smokes["no_value"]
    for one in smokes["distribution"]:
        assert one["count"] == sum(answer["value"] is one["value"] for answer in full["smokes"])
        assert one["share"] == pytest.approx(one["count"] / coded, abs=1e-3)
    ages = [answer["value"] for answer in full["age"]]
    assert (age["numbers"]["min"], age["numbers"]["max"]) == (min(ages), max(ages))
    assert age["numbers"]["mean"] == pytest.approx(sum(ages) / 20, abs=1e-3)
    assert why["distribution"] is None
    for one in got["questions"]:
        shown = [answer["response_text"] for answer in one["answers"]]
        assert shown == [answer["response_text"] for answer in full[one["key"]][:3]]
    assert "not evidence about people" in got["note"]
    assert got["analysis"] is None
    assert "mean" in talk.text("v1.research-studies.results", study_id=study["id"])


def test_results_of_one_question_are_found_by_key_and_id(talk: Talk, study: dict[str, Any]) -> None:
    (by_key,) = talk("v1.research-studies.results", study_id=study["id"], question="age")["questions"]
    (by_id,) = talk("v1.research-studies.results", study_id=study["id"], question=by_key["id"])["questions"]
    assert by_key == by_id
    with pytest.raises(ToolError, match="the study has smokes, age, why"):
        talk("v1.research-studies.results", study_id=study["id"], question="aeg")


def analysed(talk: Talk, http: httpx.Client, question: str) -> dict[str, Any]:
    """Return the analysis of a completed study with one question, as the tool for results has it."""
    study = new_study(http, 40)
    ask(http, study, question, type="yes_no")
    job = http.post(f"/research-studies/{study['id']}/complete", json={}).json()["job_id"]
    finish(http, [job])
    return talk("v1.research-studies.results", study_id=study["id"])["analysis"]["steps"]


def test_results_carry_the_claims_of_a_completed_study(talk: Talk, http: httpx.Client) -> None:
    steps = analysed(talk, http, "Do you own a dog?")
    assert "40 simulated agents" in steps["overall_summary"]["text"]
    claims = [claim for step in steps.values() for claim in step["claims"]]
    assert claims
    assert all(len(claim["answer_ids"]) == min(10, claim["answer_count"]) for claim in claims)


def test_results_carry_no_claims_on_placeholders(talk: Talk, http: httpx.Client) -> None:
    steps = analysed(talk, http, "Would you switch to a lower-sugar snack?")
    assert steps["overall_summary"]["text"] == NOTHING_KNOWN
    assert [step["claims"] for step in steps.values()] == [[]] * len(steps)


NOWHERE = "00000000-0000-0000-0000-000000000000"
ERRORS = [
    ("v1.agents.find", {"gendr": "male"}, ("POST", "/agents/find", {"gendr": "male"})),
    ("v1.agents.find", {"state": " "}, ("POST", "/agents/find", {"state": " "})),
    ("v1.agents.find", {"age": 18, "bmi_min": 90}, ("POST", "/agents/find", {"age": 18, "bmi": {"min": 90}})),
    ("v1.agents.search", {"age_min": 9, "age_max": 5}, ("GET", "/agents/search?age_min=9&age_max=5", None)),
    ("v1.agents.search", {"per_page": 501}, ("GET", "/agents/search?per_page=501", None)),
    ("v1.filters.get", {"country": "Narnia"}, ("GET", "/filters?country=Narnia", None)),
    ("v1.filters.get", {}, ("GET", "/filters", None)),
    ("v1.research-groups.recruit", {}, ("POST", "/research-groups/recruit", {"filters": {}})),
    ("v1.research-group-requests.create", {}, ("POST", "/research-group-requests", {})),
    ("v1.research-studies.create", {"title": "t"}, ("POST", "/research-studies", {"title": "t"})),
    (
        "v1.research-studies.create",
        {"title": "t", "research_group_uuid": NOWHERE},
        ("POST", "/research-studies", {"title": "t", "research_group_uuid": NOWHERE}),
    ),
    (
        "v1.research-studies.ask",
        {"study_id": 99999, "question": "Tea?"},
        ("POST", "/research-studies/99999/questions", {"question": "Tea?"}),
    ),
    ("v1.research-studies.results", {"study_id": 99999}, ("GET", "/research-studies/99999", None)),
    ("v1.jobs.get", {"job_id": "job_x"}, ("GET", "/jobs/job_x", None)),
]


@pytest.mark.parametrize(("tool", "arguments", "same"), ERRORS, ids=[f"{e[0]} {e[1]}" for e in ERRORS])
def test_errors_are_those_of_the_routes(
    talk: Talk, http: httpx.Client, tool: str, arguments: dict[str, Any], same: tuple[str, str, Any]
) -> None:
    method, path, body = same
    answer = http.request(method, path, json=body)
    assert answer.is_error
    with pytest.raises(ToolError) as caught:
        talk(tool, **arguments)
    assert caught.value.error == answer.json()["error"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("v1.research-studies.ask", {"question": "Tea?"}, "study_id: is required"),
        ("v1.research-studies.results", {"study_id": "../x"}, "study_id: must be an id"),
        ("v1.research-groups.recruit", {"size": 5}, "did you mean group_size?"),
        ("v1.jobs.get", {"job_id": "job_x", "poll_timeout_seconds": -1}, "must be 0 seconds or more"),
        ("v1.research-studies.results", {"study_id": 1, "answers_per_question": 501}, "from 0 to 500"),
    ],
)
def test_errors_found_before_any_call_have_the_same_shape(
    talk: Talk, tool: str, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ToolError) as caught:
        talk(tool, **arguments)
    assert caught.value.error["code"] == "invalid_request"
    assert told in caught.value.error["message"]
    assert caught.value.error["details"]["fields"]


def test_an_unknown_tool_is_an_error_of_the_protocol(talk: Talk) -> None:
    from mcp.shared.exceptions import MCPError

    with pytest.raises(ExceptionGroup) as caught:
        talk("v1.agent.find")
    error: BaseException = caught.value
    while isinstance(error, ExceptionGroup):
        (error,) = error.exceptions
    assert isinstance(error, MCPError)
    assert "did you mean v1.agents.find" in str(error)


def test_a_tool_that_changes_something_is_carried_out_once_for_a_key(
    talk: Talk, study: dict[str, Any]
) -> None:
    once = {"idempotency_key": "lunch"}
    asked = {"study_id": study["id"], "question": "What do you have for lunch?"}
    first = talk("v1.research-studies.ask", **asked, **once)
    assert talk("v1.research-studies.ask", **asked, **once)["question_id"] == first["question_id"]
    assert talk("v1.research-studies.ask", **asked)["question_id"] != first["question_id"]
    with pytest.raises(ToolError, match="Idempotency-Key was used before"):
        talk("v1.research-groups.recruit", country="USA", group_size=2, **once)
    with pytest.raises(ToolError, match="idempotency_key: must be 1 to 255"):
        talk("v1.research-groups.recruit", country="USA", group_size=2, idempotency_key="k" * 256)
    recruited = [
        talk("v1.research-groups.recruit", country="USA", group_size=2, idempotency_key="two")["group"]["id"]
        for _ in range(2)
    ]
    assert recruited[0] == recruited[1]


def test_reading_tools_take_no_key(talk: Talk) -> None:
    with pytest.raises(ToolError, match="unknown field"):
        talk("v1.jobs.get", job_id="job_x", idempotency_key="k")


def test_what_is_unknown_is_not_told_as_nobody(talk: Talk) -> None:
    found = talk("v1.research-groups.recruit", country="Japan", veteran=True, group_size=3, name="Veterans")
    assert found["group"]["agent_count"] == 0
    assert [one["field"] for one in found["unknown"]] == ["veteran"]
    said = talk.text("v1.research-groups.recruit", country="Japan", veteran=True, group_size=3, name="V")
    assert "veteran is unknown for agents in Japan" in said
    assert "no agent" not in said.casefold()
