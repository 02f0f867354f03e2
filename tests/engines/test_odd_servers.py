"""A study on servers that deviate from the wire format: it completes, or the error says why not."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator

import odd_servers
import pytest
from model_server import Answer, Call, ModelServer

import voxpop as vp
from voxpop.engines.model_pacing import pause
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.wire.questions import Answer as Given
from voxpop.wire.questions import Unanswered

Character = Callable[[Call, int], Answer]
ENGINE = "openai:house-model"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    made = ModelServer()
    monkeypatch.setenv("VOXPOP_ENGINE_KEY", "none")
    monkeypatch.setenv("VOXPOP_ENGINE_CACHE", "off")
    monkeypatch.setenv("VOXPOP_ENGINE_TIMEOUT", "2")
    monkeypatch.setattr("voxpop.engines.model_caller.pause", lambda seconds: pause(min(seconds, 0.05)))
    yield made
    made.close()


def run(server: ModelServer) -> tuple[list[Given], list[Unanswered], list[str]]:
    """Run a study of four questions and three agents; return answers, failures and warnings."""
    with (
        vp.local(agents=1_000, engine=ENGINE, engine_url=server.url) as client,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        group = vp.recruit(client, vp.where(country="USA"), size=3, seed=3)
        study = vp.Study.create(client, group, title="Snacks")
        study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        study.ask("How much do you like it?", key="like", type="scale", scale=(1, 5))
        study.ask("Which one?", key="which", options=["Oat", "Soy", "Almond"], type="single_choice")
        study.ask("Why?", key="why", type="open")
        given, failed = list(study.answers()), list(client.questions.unanswered(study.id))
    return given, failed, [str(one.message) for one in caught if one.category is FieldworkWarning]


WORKS: list[tuple[Character, str]] = [
    (odd_servers.schema_is_not_found, "json"),
    (odd_servers.schema_crashes_it, "json"),
    (odd_servers.refuses_seeds, "schema"),
    (odd_servers.refuses_seeds_without_saying_so, "schema"),
    (odd_servers.refuses_temperatures, "schema"),
    (odd_servers.wants_the_newer_limit, "schema"),
    (odd_servers.talks_around_its_json, "json"),
    (odd_servers.fences_its_json, "schema"),
    (odd_servers.drafts_before_it_answers, "schema"),
    (odd_servers.answers_in_its_reasoning, "schema"),
    (odd_servers.reasons_at_length, "schema"),
    (odd_servers.limits_its_rate, "schema"),
    (odd_servers.hangs_at_first, "schema"),
    (odd_servers.breaks_off, "schema"),
    (odd_servers.is_empty_at_times, "schema"),
    (odd_servers.errs_within_a_success, "schema"),
    (odd_servers.knows_no_json_mode_and_no_tools, "plain"),
    (odd_servers.knows_json_mode_only, "json"),
    (odd_servers.knows_tools_only, "tools"),
]


@pytest.mark.parametrize(("character", "form"), WORKS, ids=[one.__name__ for one, _ in WORKS])
def test_a_study_is_answered(
    character: Character, form: str, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "voxpop.engines")
    server.character = character
    given, failed, warned = run(server)
    assert [one.error.message for one in failed if one.error] == []
    assert len(given) == 12
    assert {one.engine for one in given} == {ENGINE}
    values = {type(one.value) for one in given}
    assert values == {bool, int, str, type(None)}
    assert {call.form for call in server.calls[-6:]} == {form}
    assert len(server.calls) <= 12 * 2 + 6
    assert f"{ENGINE} is called with " in caplog.text
    assert any("takes no schema" in one for one in warned) == (form == "plain")


FAILS: list[tuple[Character, str]] = [
    (odd_servers.never_comes_to_an_end, "reached its limit of 16,000 tokens before it had answered"),
    (odd_servers.never_ends_and_allows_no_more, "reached its limit of 4,000 tokens before it had answered"),
    (odd_servers.always_hangs, "did not answer in time (0.1 to 0.8 seconds)"),
    (odd_servers.is_always_empty, "The language model's answer was empty"),
    (odd_servers.always_errs_within_a_success, "says that the account has nothing left (402"),
    (odd_servers.never_writes_json, "was not one JSON object"),
    (odd_servers.is_no_api, "does not speak the wire format of openai"),
]


@pytest.mark.parametrize(("character", "message"), FAILS, ids=[one.__name__ for one, _ in FAILS])
def test_a_study_says_once_why_it_cannot_be_answered(
    character: Character, message: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXPOP_ENGINE_ATTEMPTS", "2")
    monkeypatch.setenv("VOXPOP_ENGINE_CONCURRENCY", "3")
    monkeypatch.setenv("VOXPOP_ENGINE_TIMEOUT", "0.1" if character is odd_servers.always_hangs else "5")
    server.character = character
    given, failed, warned = run(server)
    assert given == []
    told = {one.error.message for one in failed if one.error}
    assert len(failed) == 12
    assert len(told) == 1, told
    assert message in told.pop()
    assert all(message in one for one in warned)
    assert "sk-test" not in str(warned)
