"""Answers drawn from token probabilities: what is asked, drawn and stored, and servers that give none."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import odd_servers
import pytest
from model_server import Answer, Call, ModelServer

import voxpop as vp
from voxpop.engines.model_probabilities import ballot_of
from voxpop.engines.question import Question, Scale

Character = Callable[[Call, int], Answer]
ENGINE = "openai:house-model"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    made = ModelServer()
    monkeypatch.setenv("VOXPOP_ENGINE_KEY", "none")
    monkeypatch.setenv("VOXPOP_ENGINE_CACHE", "off")
    monkeypatch.setenv("VOXPOP_ENGINE_ATTEMPTS", "1")
    monkeypatch.setenv("VOXPOP_ENGINE_PROBABILITIES", "1")
    yield made
    made.close()


def test_answers_are_drawn_from_the_probabilities_of_letters(server: ModelServer) -> None:
    server.character = odd_servers.gives_probabilities
    with vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=200, seed=3)
        values = {}
        for title in ("First", "Second"):
            study = vp.Study.create(client, group, title=title)
            estimate = study.estimate("Would you switch to oat milk?", type="yes_no")
            asked = study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
            answers = list(study.answers())
            values[title] = {one.agent_id: one.value for one in answers}
        found = {one.agent_id: one for one in client.questions.probabilities(study, asked)}
        usage = client.billing.usage()
    assert values["First"] == values["Second"]
    assert len(server.calls) == 400
    assert {call.body["top_logprobs"] for call in server.calls} == {20}
    assert {call.form for call in server.calls} == {"plain"}
    assert (estimate.calls, estimate.output_tokens) == (200, 200)
    assert usage.models.calls == 400
    for answer in answers:
        drawn = found[answer.agent_id]
        first, second = drawn.shown[:2]
        assert drawn.shares == {first: 0.75, second: 0.25, "I honestly do not know": 0.0}
        assert (drawn.mass, drawn.engine) == (0.8, ENGINE)
        assert drawn.shown[2] == "I honestly do not know"
        assert answer.response_text == ("Yes." if answer.value else "No.")
        assert (answer.basis_note or "").endswith("Drawn from its token probabilities.")
    as_first = [found[one.agent_id].shown[0] == ("yes" if one.value else "no") for one in answers]
    assert 0.65 <= sum(as_first) / 200 <= 0.85  # they were given 0.75
    assert 70 <= sum(one.shown[0] == "yes" for one in found.values()) <= 130  # half of them see no first


LACKING: list[tuple[Character, str]] = [
    (odd_servers.takes_no_notice_of_probabilities, "has no token probabilities"),
    (odd_servers.refuses_probabilities, "rejected the call"),
    (odd_servers.crashes_at_probabilities, "failed or cannot be reached"),
    (odd_servers.would_rather_say_something_else, "invalid twice"),
]


@pytest.mark.parametrize(("character", "why"), LACKING, ids=[one.__name__ for one, _ in LACKING])
def test_a_server_without_them_is_asked_in_the_usual_way_and_that_is_said_once(
    character: Character, why: str, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "voxpop.engines")
    server.character = character
    lacks = f"The server of {ENGINE} gives no usable token probabilities."
    with vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=4, seed=3)
        study = vp.Study.create(client, group, title="Milk")
        asked = study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        answers = list(study.answers())
        found = client.questions.probabilities(study, asked)
        assert study.preview("Would you buy it?", type="yes_no").question.notice == lacks
        assert study.preview("Why?", type="open").question.notice is None
        usage = client.billing.usage()
    assert len(answers) == 4
    assert found == []
    assert {type(one.value) for one in answers} == {bool}
    assert all((one.basis_note or "").endswith(lacks) for one in answers)
    warned = [record.getMessage() for record in caplog.records if lacks in record.getMessage()]
    assert len(warned) == 1
    assert why in warned[0]
    assert sum(bool(call.body.get("logprobs")) for call in server.calls) <= 2
    assert usage.models.calls <= len(server.calls) <= usage.models.calls + 1  # a refused call costs nothing


def test_without_the_setting_nothing_is_weighed(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOXPOP_ENGINE_PROBABILITIES")
    server.character = odd_servers.gives_probabilities
    with vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=2)
        study = vp.Study.create(client, group, title="Milk")
        study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
    assert not any("logprobs" in call.body for call in server.calls)


def test_questions_with_other_answers_have_no_ballot() -> None:
    options = tuple(f"Brand {number}" for number in range(20))
    assert ballot_of(Question("Why?", "open"), None) is None
    assert ballot_of(Question("Which?", "multi_choice", options[:3]), None) is None
    assert ballot_of(Question("Which?", "single_choice", options), None) is None
    assert ballot_of(Question("How likely?", "scale", scale=Scale(0, 100)), None) is None
    scale = ballot_of(Question("How likely?", "scale", scale=Scale(0, 10)), None)
    assert scale is not None
    assert scale.values == (*range(11), None)
    unsure = ballot_of(Question("Which?", "single_choice", ("Tea", "Don't know")), None)
    assert unsure is not None
    assert unsure.values == ("Tea", "Don't know")
