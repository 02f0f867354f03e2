"""The language-model restater: added or reversed claims are never composed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from model_server import KEY, Call, ModelServer

from running_service import Service
from voxpop.engines.model_answers import Misfit
from voxpop.engines.model_restater import held_to
from voxpop.records import model_calls
from voxpop.settings import EngineSettings
from voxpop_simulator.parts import Composer

COMPOSER = Composer()

SLANG = "SBUX is cooked, Gen Z won't pay 7 bucks for a latte"
PLAIN = "Starbucks is losing customers because of price among Gen Z"
ENGINE = "openai:gpt-4o-mini"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer()
    yield made
    made.close()


@pytest.fixture
def service(server: ModelServer, home: Path, tmp_path: Path) -> Iterator[Service]:
    running = Service(
        home, tmp_path / "data", engine=EngineSettings(name=ENGINE, url=server.url, key=KEY, attempts=1)
    )
    yield running
    running.close()


def restating(text: str | None, direction: str | None = "down") -> Any:
    def says(call: Call) -> Any:
        fields = call.schema["properties"]
        if "thesis" in fields:
            return {"thesis": text, "direction": direction}
        value = fields.get("value", {}).get("anyOf", [{}])[0]
        return {"answer": "Less often.", "value": value.get("enum", [2])[0]}

    return says


def submit(http: httpx.Client, text: str) -> dict[str, Any]:
    body = {"raw_input": text, "panel_size": 5, "wait_seconds": 60}
    answer = http.post("/thesis:compose-and-recruit", json=body, headers={"Idempotency-Key": uuid4().hex})
    assert answer.status_code == 202, answer.text
    return detail(http, answer.json()["thesis"]["id"])


def detail(http: httpx.Client, number: int) -> dict[str, Any]:
    return http.get(f"/thesis/{number}/detail").json()


def theses(server: ModelServer) -> list[Call]:
    return [call for call in server.calls if "thesis" in call.schema["properties"]]


@pytest.mark.parametrize(
    ("material", "sentence", "direction"),
    [
        (SLANG, PLAIN, "down"),
        ("nobody i know buys an EV any more", "Demand for electric cars is falling", "down"),
        ("gyms are packed again", "Gyms are gaining customers", "up"),
        (
            "small makers hold back on capex, rates bite",
            "Small makers are delaying capital spending because of rates",
            "down",
        ),
        ("restaurants: flat", "Restaurants are holding steady", "same"),
    ],
)
def test_what_the_thesis_says_is_taken(material: str, sentence: str, direction: str) -> None:
    assert held_to(material, {"thesis": sentence, "direction": direction}, COMPOSER) == sentence


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "one sentence"),
        ({"thesis": 7, "direction": "up"}, "one sentence"),
        ({"thesis": "Starbucks.", "direction": "down"}, "which way"),
        ({"thesis": PLAIN, "direction": "up"}, "something else"),
        ({"thesis": PLAIN, "direction": None}, "something else"),
        ({"thesis": "Walmart is losing customers because of price", "direction": "down"}, "walmart"),
        ({"thesis": f"{PLAIN} in Texas", "direction": "down"}, "texas"),
        ({"thesis": "Starbucks is losing 20% of customers", "direction": "down"}, "20"),
    ],
)
def test_what_it_does_not_say_is_sent_back(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(Misfit, match=problem):
        held_to(SLANG, data, COMPOSER)


def test_panels_are_composed_out_of_the_models_sentence(server: ModelServer, service: Service) -> None:
    server.says = restating(PLAIN)
    with service.client(service.key()) as http:
        found = submit(http, SLANG)
    assert (found["status"], found["read_as"]) == ("completed", PLAIN)
    assert (found["subjects"][0]["name"], found["stance"], found["primary_driver"]) == (
        "Starbucks",
        "bearish",
        "price",
    )
    assert found["panels"][0]["filters"]["filters"]["age"] == {"min": 18, "max": 29}
    with service.state.database.read() as c:
        assert model_calls.total(c, 1).calls == len(server.calls)
    assert len(theses(server)) == 1


@pytest.mark.parametrize("how", ["adds", "nothing", "down"])
def test_a_thesis_is_read_in_its_own_words_where_the_model_is_no_help(
    how: str, server: ModelServer, service: Service
) -> None:
    server.says = restating(None if how == "nothing" else "Walmart is losing customers", "down")
    server.fault = lambda number, call: (
        "down" if how == "down" and "thesis" in call.schema["properties"] else None
    )
    with service.client(service.key()) as http:
        found = submit(http, "Starbucks is losing customers because of price")
    assert (found["status"], found["read_as"], found["subjects"][0]["name"]) == (
        "completed",
        None,
        "Starbucks",
    )
    assert len(theses(server)) == (1 if how == "nothing" else 2)


def test_an_answer_to_a_question_goes_along(server: ModelServer, service: Service) -> None:
    server.says = restating(None)
    with service.client(service.key()) as http:
        found = submit(http, "Something will change soon")
        assert found["status"] == "needs_clarification"
        server.says = restating("Sales of oat milk are growing", "up")
        answer = {"answer": "oat milk, it is booming"}
        told = http.post(f"/thesis/{found['thesis_id']}/respond", json=answer)
        assert told.status_code == 202, told.text
        found = detail(http, found["thesis_id"])
    assert found["read_as"] == "Sales of oat milk are growing"
    assert found["subjects"][0]["name"] == "oat milk"
    assert "it is booming" in str(theses(server)[-1].turns[-1]["content"])


def test_who_is_never_asked_is_no_question_for_the_model(server: ModelServer, service: Service) -> None:
    server.says = restating("Instagram is losing users")
    with service.client(service.key()) as http:
        found = submit(http, "Teens are leaving Instagram")
    assert (found["status"], found["refusal"]["reason"][:15]) == ("failed", "People under 18")
    assert server.calls == []
