"""Any JSON at every place that takes a filter: an answer or a documented refusal, never a failure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from running_service import Service
from voxpop.vocabulary.fields import FIELDS
from voxpop.wire.agents import AgentPage, AgentResponse
from voxpop.wire.filters import CountResponse, Discovery
from voxpop.wire.groups import RecruitResponse

EXAMPLES = 100
NAMES = [name for known in FIELDS.values() for name in (known.name, *known.aliases)]

ODD_TEXTS = (
    *("", " ", "\x00", "\ud800", "%00", "' OR 1=1 --", "nan", "1e999", "é" * 300, "\u0130", "\u202ex"),
    *("USA", "CA", "Texas", "female", "GLP-1", "obese", "nurse", "Nobody", "all", "true", "25"),
)
TEXTS = st.text(max_size=12) | st.sampled_from(ODD_TEXTS)
NUMBERS = st.one_of(
    st.integers(-5, 120),
    st.sampled_from((10**400, -(10**20), 2**63, 2**64, 1e308, 5e-324, float("inf"), float("nan"), -0.0)),
    st.floats(),
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
LEVELS = st.sampled_from([level for known in FIELDS.values() for level in known.levels])
SHAPES = st.one_of(
    JSON,
    LEVELS,
    st.lists(LEVELS | TEXTS, max_size=3),
    st.dictionaries(
        st.sampled_from(("any", "all", "or", "and", "AND", "min", "max", "none")), JSON, max_size=2
    ),
    st.fixed_dictionaries({}, optional={"min": NUMBERS, "max": NUMBERS}),
)
SOUND = st.sampled_from(
    (
        ("country", "us"),
        ("age", {"min": 18, "max": 64}),
        ("age_min", 30),
        ("condition", {"all": ["diabetes", "hypertension"]}),
        ("drug_class", "Ozempic"),
        ("bmi_class", ["obese"]),
        ("is_parent", True),
        ("occupation", "nurse"),
        ("match", "or"),
        ("gender", "femail"),
        ("sleep_quality", ["pooor", "good"]),
        ("industry", {"or": ["Piracy"]}),
    )
)
NEARLY = st.lists(
    SOUND | st.tuples(st.sampled_from([*NAMES, "age_min", "age_max", "match", "filters"]), SHAPES), max_size=4
).map(dict)
FILTERS = st.one_of(
    NEARLY,
    st.dictionaries(TEXTS, SHAPES, max_size=3),
    st.fixed_dictionaries(
        {"filters": NEARLY | JSON}, optional={"match": JSON | st.sampled_from(("any", "or"))}
    ),
    JSON,
)
QUERIES = st.lists(
    st.tuples(
        st.sampled_from([*NAMES, "age_min", "age_max", "match", "filters", "page", "per_page", "fields"])
        | TEXTS,
        TEXTS | LEVELS | NUMBERS.map(str) | JSON.map(json.dumps),
    ),
    max_size=4,
)

Caller = httpx.Client


@pytest.fixture(scope="module")
def callers(
    embedded: Service, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Caller]]:
    """A caller of a lenient and one of a strict service."""
    strict = Service(home, tmp_path_factory.mktemp("strict-filters"), strict_filters=True)
    yield {"lenient": embedded.client(embedded.key()), "strict": strict.client(strict.key())}
    strict.close()


def sent(http: Caller, path: str, body: Any) -> httpx.Response:
    """Send JSON as it is, with NaN, lone surrogates and whatever else it holds."""
    return http.post(path, content=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def asked(http: Caller, path: str, pairs: Any) -> httpx.Response:
    """Send names and values in the URL; what no URL can hold is sent as its bytes."""
    known = [(_bytes(name), _bytes(value)) for name, value in pairs]
    query = "&".join(f"{name}={value}" for name, value in known)
    return http.get(f"{path}?{query}")


def _bytes(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


DOORS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Caller, Any], httpx.Response], Any]] = {
    "recruit": (
        FILTERS,
        lambda http, data: sent(http, "/research-groups/recruit", {"filters": data, "group_size": 2}),
        RecruitResponse,
    ),
    "find by body": (FILTERS, lambda http, data: sent(http, "/agents/find", data), AgentResponse),
    "find by URL": (QUERIES, lambda http, data: asked(http, "/agents/find", data), AgentResponse),
    "search": (
        FILTERS,
        lambda http, data: asked(http, "/agents/search", [("filters", json.dumps(data)), ("per_page", "2")]),
        AgentPage,
    ),
    "search by URL": (QUERIES, lambda http, data: asked(http, "/agents/search", data), AgentPage),
    "count": (
        st.fixed_dictionaries(
            {"filters": FILTERS}, optional={"fields": JSON | st.lists(st.sampled_from(NAMES))}
        ),
        lambda http, data: sent(http, "/filters/count", data),
        CountResponse,
    ),
    "discovery": (
        st.builds(lambda first, more: [*first, *more], st.sampled_from(([], [("country", "us")])), QUERIES),
        lambda http, data: asked(http, "/filters", data),
        Discovery,
    ),
}


def check(door: str, mode: str, answer: httpx.Response, shape: Any) -> None:
    """Check the status and the shape of an answer at one of the doors."""
    told = f"{door}, {mode}: {answer.status_code} {answer.text[:500]}"
    if answer.status_code == (201 if door == "recruit" else 200):
        shape.model_validate(answer.json())
        return
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"}, told
    assert error["message"].strip(), told
    if answer.status_code == 404:
        assert (door[:4], error["code"]) == ("find", "not_found"), told
        return
    assert error["code"] == "invalid_request", told
    details = error["details"]
    if answer.status_code == 422:
        assert mode == "strict", told
        assert door != "discovery", told
        assert details["filters"], told
        for entry in details["filters"]:
            assert set(entry) == {"field", "value", "message", "suggestions"}, told
            assert entry["field"] in FIELDS, told
            assert entry["message"].strip(), told
            assert len(entry["suggestions"]) <= 3, told
        return
    assert answer.status_code == 400, told
    ((_, problems),) = [item for item in details.items() if item[0] in ("filters", "fields")]
    assert problems, told
    for messages in problems.values():
        assert [message for message in messages if message.strip()] == messages != [], told


@pytest.mark.parametrize("mode", ["lenient", "strict"])
@pytest.mark.parametrize("door", DOORS)
def test_whatever_is_sent_as_a_filter_gets_a_documented_answer(
    callers: dict[str, Caller], door: str, mode: str
) -> None:
    strategy, send, shape = DOORS[door]
    statuses: Counter[int] = Counter()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=strategy)
    def call(data: Any) -> None:
        answer = send(callers[mode], data)
        check(door, mode, answer, shape)
        statuses[answer.status_code] += 1

    call()
    sound = 201 if door == "recruit" else 200
    reached = {sound, 400} if mode == "lenient" or door == "discovery" else {sound, 400, 422}
    assert reached <= set(statuses), statuses


DEEP = '{"filters":' * 400 + "{}" + "}" * 400


@pytest.mark.parametrize("mode", ["lenient", "strict"])
@pytest.mark.parametrize(
    "text", [DEEP, '{"age":' + "[" * 5_000, '{"country":"USA","country":"UK"}', "0", '""']
)
def test_odd_texts_are_answered_at_every_body(callers: dict[str, Caller], mode: str, text: str) -> None:
    http = callers[mode]
    for door, path, body in (
        ("find by body", "/agents/find", text),
        ("count", "/filters/count", f'{{"filters":{text}}}'),
        ("recruit", "/research-groups/recruit", f'{{"filters":{text},"group_size":1}}'),
    ):
        answer = http.post(path, content=body.encode(), headers={"Content-Type": "application/json"})
        check(door, mode, answer, DOORS[door][2])
    answer = asked(http, "/agents/search", [("filters", text)])
    check("search", mode, answer, AgentPage)


UNKNOWN = {
    "country": ("Germny", "Germany"),
    "state": ("CAA", "CA"),
    "gender": ("femail", "female"),
    "ethnicity": ("Asiann", "Asian"),
    "education": ("Some colege or AA degree", "Some college or AA degree"),
    "household_income": ("$15,000-$24,99", "$15,000-$24,999"),
    "urban_rural": ("urbann", "urban"),
    "occupation_major_group": ("Leegal", "Legal"),
    "industry": ("Retail Trad", "Retail Trade"),
    "labour_status": ("retird", "retired"),
    "health_conditions": ("hypertensoin", "hypertension"),
    "health_drug_classes": ("ozempik", "glp1_agonist"),
    "smoking_status": ("formr", "former"),
    "alcohol_use": ("modrate", "moderate"),
    "physical_activity_level": ("hihg", "high"),
    "sleep_quality": ("pooor", "poor"),
    "diet_quality": ("helthy", "healthy"),
    "bmi_class": ("obees", "obese"),
    "phq9_severity": ("minimall", "minimal"),
}


def doors_of(filters: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every call that takes this filter."""
    return [
        ("POST", "/research-groups/recruit", {"json": {"filters": filters, "group_size": 2}}),
        ("GET", "/agents/search", {"params": {"filters": json.dumps(filters)}}),
        ("GET", "/agents/find", {"params": {"filters": json.dumps(filters)}}),
        ("POST", "/agents/find", {"json": filters}),
        ("POST", "/filters/count", {"json": {"filters": filters}}),
    ]


@pytest.mark.parametrize("name", UNKNOWN)
def test_strict_mode_lists_an_unknown_value_of_each_finite_field(
    callers: dict[str, Caller], name: str
) -> None:
    typed, meant = UNKNOWN[name]
    for method, path, call in doors_of({"match": "any", name: [typed], "age": {"min": 30}}):
        answer = callers["strict"].request(method, path, **call)
        assert answer.status_code == 422, (path, answer.text)
        error = answer.json()["error"]
        assert error["code"] == "invalid_request"
        (entry,) = error["details"]["filters"]
        assert (entry["field"], entry["value"]) == (name, typed)
        assert meant in entry["suggestions"]
        assert typed in entry["message"]
        assert typed in error["message"]


def test_strict_mode_lists_every_unknown_value_at_every_door(callers: dict[str, Caller]) -> None:
    filters = {
        "match": "all",
        "filters": {"gender": ["femail", "male"], "sleep_quality": {"all": ["xyzzyq"]}},
    }
    for method, path, call in doors_of(filters):
        answer = callers["strict"].request(method, path, **call)
        assert answer.status_code == 422, (path, answer.text)
        listed = answer.json()["error"]["details"]["filters"]
        assert [(entry["field"], entry["value"]) for entry in listed] == [
            ("gender", "femail"),
            ("sleep_quality", "xyzzyq"),
        ]
        assert listed[1]["suggestions"] == []


def test_what_is_malformed_is_a_400_in_strict_mode_too(callers: dict[str, Caller]) -> None:
    for method, path, call in doors_of({"gendr": "femail", "sleep_quality": "pooor"}):
        answer = callers["strict"].request(method, path, **call)
        assert answer.status_code == 400, (path, answer.text)
        problems = answer.json()["error"]["details"]["filters"]
        assert problems == {"gendr": ["unknown field; did you mean gender?"]}


def test_open_fields_are_never_judged_in_strict_mode(callers: dict[str, Caller]) -> None:
    for name in ("occupation", "title_variant"):
        for method, path, call in doors_of({name: "Xyzzy Maker"}):
            answer = callers["strict"].request(method, path, **call)
            assert answer.status_code in (200, 201, 404), (path, answer.text)


@pytest.mark.parametrize("name", UNKNOWN)
def test_lenient_mode_finds_nobody_for_an_unknown_value(callers: dict[str, Caller], name: str) -> None:
    http, filters = callers["lenient"], {name: UNKNOWN[name][0]}
    assert http.post("/filters/count", json={"filters": filters}).json()["count"] == 0
    assert http.post("/agents/find", json=filters).status_code == 404
    assert http.get("/agents/search", params={"filters": json.dumps(filters)}).json()["total"] == 0
    answer = http.post("/research-groups/recruit", json={"filters": filters, "group_size": 2})
    assert (answer.status_code, answer.json()["group"]["agent_count"]) == (201, 0)
