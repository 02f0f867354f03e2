"""Each family sends what the interface says, checks it before, and returns the model of the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from scripted_service import Script, refuse

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import FieldworkWarning, FilterError, NotFound, UsageError
from voxpop.wire.agents import Agent
from voxpop.wire.groups import Group
from voxpop.wire.studies import Study


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"
GROUP = {"id": 7, "uuid": UUID, "name": "g", "agent_count": 2, "shortfall": 0}
STUDY = {"id": 3, "uuid": UUID, "title": "t", "stage": "active"}
AGENT = {"id": 5, "uuid": UUID, "name": "Ann", "age": 40, "gender": "female", "country": "USA"}
US = vp.where(country="USA")


def test_recruit_sends_the_documented_body_and_header(client: Client, script: Script) -> None:
    script.on("POST", "/research-groups/recruit", {"group": GROUP, "raw_dsl_mode": "explicit_opt_in"})
    group = client.groups.recruit("GLP-1", filters={"country": "us"}, size=np.int64(200), seed=4)
    assert isinstance(group, Group)
    assert script.calls[0].headers["X-Filter-Raw-DSL"] == "true"
    assert script.body() == {
        "name": "GLP-1",
        "filters": {"match": "all", "filters": {"country": "USA"}},
        "group_size": 200,
        "sample_method": "random",
        "dedupe": True,
        "seed": 4,
    }


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"size": 0}, "size must be a whole number from 1 to 10,000, not 0"),
        ({"size": 10_001}, "10,000"),
        ({"size": "200"}, "size"),
        ({"size": True}, "size"),
        ({"size": 20.5}, "size"),
        ({"sample_method": "stratifed"}, "did you mean stratified"),
        ({"sample_method": "??"}, "random, stratified, balanced"),
        ({"seed": -1}, "seed"),
        ({"name": ""}, "name"),
        ({"filters": "US adults"}, "vp.where"),
        ({"filters": {"gendr": "male"}}, "did you mean gender"),
        ({"filters": {"gender": "femal"}}, "did you mean female"),
        ({"filters": {"smoking_status": "formr"}}, "former"),
    ],
)
def test_recruit_finds_mistakes_before_the_call(
    client: Client, script: Script, wrong: Any, words: str
) -> None:
    given = {"name": "g", "filters": US, "size": 10} | wrong
    with pytest.raises(UsageError, match=words):
        client.groups.recruit(given.pop("name"), **given)
    assert script.calls == []


MISTAKES = [
    ({"ethnicity": "White", "country": "USA"}, "White, non-Hispanic"),
    ({"drug_class": "Lipitor"}, "statin"),
    ({"industry": "tech"}, "Information"),
    ({"state": "Californa"}, "CA"),
    ({"match": "any", "filters": {"gender": {"any": ["female", "mail"]}, "bmi": {"min": 30}}}, "male"),
]


@pytest.mark.parametrize("method", ["recruit", "interview", "append", "search", "find", "count", "counts"])
@pytest.mark.parametrize(("filters", "words"), MISTAKES)
def test_no_misspelt_value_is_sent_by_any_method(
    client: Client, script: Script, method: str, filters: dict[str, Any], words: str
) -> None:
    send = {
        "recruit": lambda: client.groups.recruit("g", filters=filters, size=5),
        "interview": lambda: client.groups.interview("Why?", filters=filters, size=5),
        "append": lambda: client.groups.append(UUID, filters=filters, size=5),
        "search": lambda: client.agents.search(filters),
        "find": lambda: client.agents.find(filters),
        "count": lambda: client.filters.count(filters),
        "counts": lambda: client.filters.counts(filters, "gender"),
    }
    with pytest.raises(FilterError, match=f"did you mean .*{words}"):
        send[method]()
    assert {call.url.path for call in script.calls} <= {"/v1/filters"}  # the values in use were looked at


def test_a_value_that_only_this_service_has_is_sent(client: Client, script: Script) -> None:
    levels = {"filters": {"industry": [{"value": "Software", "count": 3}]}, "recruitable_agent_count": 9}
    script.on("GET", "/filters", levels | {"country": "Canada"})
    script.on("POST", "/filters/count", {"count": 3, "filters": {}})
    assert client.filters.count({"country": "Canada", "industry": "Software"}) == 3
    assert dict(script.calls[0].url.params) == {"country": "Canada", "fields": "industry"}
    with pytest.raises(FilterError, match="'Softwear' is not a known value of industry; did you mean"):
        client.filters.count({"country": "Canada", "industry": "Softwear"})


def test_what_the_service_finds_unknown_is_warned_of(client: Client, script: Script) -> None:
    told = {"field": "occupation", "value": "nurze", "message": "'nurze' is unknown; did you mean Nurses?"}
    unknown = {"unknown_values": [told | {"suggestions": ["Nurses"]}]}
    script.on("POST", "/research-groups/recruit", {"group": GROUP, **unknown})
    script.on("POST", "/research-groups/interview", {"group": GROUP, **unknown})
    script.on("POST", f"/research-groups/{UUID}/append", {"group": GROUP, "added_agent_ids": [], **unknown})
    script.on("POST", "/filters/count", {"count": 0, "filters": {}, **unknown})
    script.on("POST", "/agents/find", {"agent": AGENT, **unknown})
    page = {"agents": [], "total": 0, "page": 1, "per_page": 5, "pages": 0}
    script.on("GET", "/agents/search", page | unknown)
    asked = {"occupation": "nurze"}
    for send in (
        lambda: client.groups.recruit("g", filters=asked, size=5),
        lambda: client.groups.interview("Why?", filters=asked, size=5),
        lambda: client.groups.append(UUID, filters=asked, size=5),
        lambda: list(client.agents.search(asked)),
        lambda: client.agents.find(asked),
        lambda: client.filters.count(asked),
        lambda: client.filters.counts(asked),
    ):
        with pytest.warns(
            FieldworkWarning, match=r"occupation: 'nurze' .* Nurses\? It matches nobody\."
        ) as heard:
            send()
        assert len(heard) == 1


def test_lists_run_over_all_pages(client: Client, script: Script) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        limit, offset = int(request.url.params["limit"]), int(request.url.params["offset"])
        ids = range(offset, min(offset + limit, 450))
        return httpx.Response(200, json={"studies": [STUDY | {"id": one} for one in ids], "total": 450})

    script.on("GET", "/research-studies", page)
    assert [study.id for study in client.studies.list()] == list(range(450))
    assert len(script.calls) == 3


def test_search_takes_pages_only_as_they_are_needed(client: Client, script: Script) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        number, per = int(request.url.params["page"]), int(request.url.params["per_page"])
        agents = [AGENT | {"id": one} for one in range((number - 1) * per, number * per)]
        return httpx.Response(200, json={"agents": agents, "total": 999, "page": number, "pages": 5})

    script.on("GET", "/agents/search", page)
    found = client.agents.search({"state": ["CA", "TX"], "age": {"min": 25}})
    assert script.calls == []
    assert next(found).id == 0
    assert len(script.calls) == 1
    assert script.calls[0].url.params.get_list("state") == ["CA", "TX"]
    assert script.calls[0].url.params["age_min"] == "25"
    assert [agent.id for agent in client.agents.search(US, limit=3)] == [0, 1, 2]
    assert script.calls[-1].url.params["per_page"] == "3"


def test_find_posts_the_filter_and_returns_an_agent_or_says_that_there_is_none(
    client: Client, script: Script
) -> None:
    script.on("POST", "/agents/find", {"agent": AGENT}, refuse(404, "not_found", "No agent matches."))
    found = client.agents.find(US)
    assert isinstance(found, Agent)
    assert (found.name, script.body()) == ("Ann", {"match": "all", "filters": {"country": "USA"}})
    with pytest.raises(NotFound, match="No agent matches"):
        client.agents.find(US)


def test_counts_of_a_country_read_well(client: Client, script: Script) -> None:
    counted = {
        "country": "USA",
        "recruitable_agent_count": 1000,
        "filters": {"bmi_class": [{"value": "normal", "count": 300}, {"value": "<b>", "count": 2}]},
        "ranges": {"bmi": {"min": 14.0, "max": 60.5, "mean": 29.123}},
    }
    script.on("GET", "/filters", counted)
    counts = client.filters.counts("us", "health_bmi_class", "bmi")
    assert dict(script.calls[0].url.params) == {"country": "USA", "fields": "bmi_class,bmi"}
    assert repr(counts).splitlines() == [
        "USA: 1,000 agents",
        "bmi_class",
        "  normal        300",
        "  <b>             2",
        "bmi: 14 to 60.5, mean 29.12",
    ]
    assert "&lt;b&gt;" in counts._repr_html_()
    assert counts.frame().to_dict("records")[0] == {
        "field": "bmi_class",
        "value": "normal",
        "count": 300,
        "share": 0.3,
    }


@pytest.mark.parametrize(
    ("arguments", "words"), [(("Atlantis",), "country"), (("USA", "bmi_clas"), "did you mean bmi_class")]
)
def test_counts_name_what_is_not_known(client: Client, script: Script, arguments: Any, words: str) -> None:
    with pytest.raises(FilterError, match=words):
        client.filters.counts(*arguments)
    assert script.calls == []


def test_count_under_a_filter(client: Client, script: Script) -> None:
    script.on("POST", "/filters/count", {"count": 12, "filters": {}})
    assert client.filters.count({"age": {"min": 25}}) == 12
    assert client.filters.counts(US, "gender").recruitable_agent_count == 12
    assert script.body()["fields"] == ["gender"]


@pytest.mark.parametrize("group", [Group(**GROUP), UUID, UUID.replace("-", ""), UUID.upper()])
def test_a_study_is_created_with_the_groups_uuid(client: Client, script: Script, group: Any) -> None:
    script.on("POST", "/research-studies", {"study": STUDY})
    assert isinstance(client.studies.create("t", "why", group=group), Study)
    assert script.body() == {"title": "t", "objective": "why", "research_group_uuid": UUID}


@pytest.mark.parametrize("group", [7, "7", None, "the group"])
def test_a_groups_number_is_not_enough(client: Client, script: Script, group: Any) -> None:
    with pytest.raises(UsageError, match=r"UUID"):
        client.studies.create("t", group=group)
    assert script.calls == []


@pytest.mark.parametrize("study", [3, "3", UUID, Study(**STUDY)])
def test_a_study_is_named_by_number_uuid_or_model(client: Client, script: Script, study: Any) -> None:
    for name in ("3", UUID):
        script.on("GET", f"/research-studies/{name}", {"study": STUDY})
    assert client.studies.get(study).title == "t"


def test_agents_are_removed_by_their_numbers(client: Client, script: Script) -> None:
    script.on("DELETE", "/research-studies/3/agents", {"removed": [17], "not_found": [42], "agent_count": 9})
    assert client.studies.remove_agents(3, [17, np.int64(42)]).removed == [17]
    assert script.body() == {"agent_ids": [17, 42]}


@pytest.mark.parametrize("wrong", [["17"], [UUID], "17", [1.5], [], [True]])
def test_anything_but_numbers_is_refused_with_an_example(client: Client, script: Script, wrong: Any) -> None:
    with pytest.raises(UsageError, match=r"\[17"):
        client.studies.remove_agents(3, wrong)
    assert script.calls == []


def test_share_links_are_secrets(client: Client, script: Script) -> None:
    link = "http://service.test/shared/" + "s" * 43
    script.on("POST", "/research-studies/3/share", {"enabled": True, "url": link, "share_link": link})
    state = client.studies.share(3)
    assert script.body() == {"enabled": True}
    assert (str(state.link), f"{state.link}", state.link == link) == (link, link, True)
    assert "sss" not in repr(state) + str(state) + state._repr_html_() + repr(state.link)
    script.on("POST", "/research-studies/3/share", {"enabled": False, "url": None, "share_link": None})
    assert client.studies.unshare(3).link is None


def test_completion_steps_are_checked(client: Client, script: Script) -> None:
    script.on("POST", "/research-studies/3/complete", {"job_id": "job_1", "queued_steps": ["stats"]})
    assert client.studies.complete(3, steps=["stats"]).job_id == "job_1"
    assert script.body() == {"force": False, "steps": ["stats"]}
    client.studies.complete(3)
    assert script.body() == {"force": False}
    with pytest.raises(UsageError, match="did you mean key_segments"):
        client.studies.complete(3, steps=["key_segment"])


def test_an_analysis_shows_its_counts_and_its_summary(client: Client, script: Script) -> None:
    steps = {
        "stats": {"claims": [{"text": f"Claim <{number}>.", "answer_ids": [1]} for number in range(10)]},
        "key_segments": {"claims": [], "notes": ["Simulated."]},
        "odd": "text",
        "overall_summary": {"text": "Half <say> yes.", "claims": [{"text": "Half <say> yes."}]},
    }
    script.on("GET", "/research-studies/3/analysis", {"study_id": 3, "stage": "completed", "steps": steps})
    found = client.studies.analysis(3)
    assert repr(found).splitlines() == [
        "Analysis of study 3 (completed)",
        "stats: 10 claims",
        "key_segments: nothing to report, 1 note",
        "odd: nothing to report",
        "overall_summary: 1 claim",
        "",
        "Half <say> yes.",
    ]
    assert "Half &lt;say&gt; yes." in found._repr_html_()
    assert found.steps == steps


def test_models_look_well_and_show_no_links(client: Client, script: Script) -> None:
    secret = "http://service.test/groups/secret"
    script.on(
        "GET", "/research-groups/7", {"group": GROUP | {"url": secret, "note": "<b>"}, "agents": [AGENT]}
    )
    group = client.groups.get(7)
    assert repr(group).startswith(f"Group(id=7, uuid='{UUID}', name='g', agent_count=2")
    assert "&lt;b&gt;" in group._repr_html_()  # type: ignore[operator]
    assert secret not in repr(group) + str(group) + group._repr_html_()  # type: ignore[operator]
    assert group.url == secret
    assert [agent.name for agent in client.groups.agents(group)] == ["Ann"]


UNKNOWN = {"field": "veteran", "country": "Japan", "reason": "There are no figures for Japan."}
IN_JAPAN = vp.where(country="Japan", veteran=True)


def test_a_count_of_something_unknown_warns_that_it_is_not_none(client: Client, script: Script) -> None:
    script.on("POST", "/filters/count", {"count": 0, "filters": {}, "unknown": [UNKNOWN]})
    with pytest.warns(FieldworkWarning, match="veteran is unknown for agents in Japan, which does not mean"):
        assert client.filters.count(IN_JAPAN) == 0
    script.on("POST", "/research-groups/recruit", {"group": GROUP, "unknown": [UNKNOWN]})
    with pytest.warns(FieldworkWarning, match="veteran is unknown"):
        client.groups.recruit("Veterans", filters=IN_JAPAN, size=3)


def test_counts_show_what_is_unknown(client: Client, script: Script) -> None:
    told = {"country": "Japan", "recruitable_agent_count": 90, "filters": {}, "unknown": [UNKNOWN]}
    script.on("GET", "/filters", told)
    found = client.filters.counts("Japan")
    assert found.unknown[0].country == "Japan"
    assert "veteran: not known for all agents in Japan. There are no figures for Japan." in repr(found)
    assert "not known for all agents in Japan" in found._repr_html_()


def test_an_unknown_field_of_a_newer_service_is_kept_and_not_told(client: Client, script: Script) -> None:
    other = {"field": "shoe_size", "country": "Japan", "reason": "There are no figures for Japan."}
    script.on("POST", "/filters/count", {"count": 3, "filters": {}, "unknown": [other]})
    assert client.filters.count(vp.where(country="Japan")) == 3
