"""The language-model respondent: prompts, valid answers, and the cost of failures."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import KEY, Call, ModelServer

from voxpop.engines import Basis, Failure, Reply, Respondent
from voxpop.engines.agents import Agent
from voxpop.engines.model_answers import objects_in, read_answer
from voxpop.engines.question import Attachment, Exchange, Question, Scale
from voxpop.engines.registry import Engine, open_engine
from voxpop.errors import UsageError
from voxpop.settings import PROVIDERS, EngineSettings, Provider

YES_NO = Question("Would you try it?", "yes_no")
PNG = b"\x89PNG\r\n\x1a\n"
Open = Callable[..., Respondent]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer()
    yield made
    made.close()


@pytest.fixture
def engine(server: ModelServer, tmp_path: Path) -> Iterator[Open]:
    """Open an engine on the server; settings differ by keyword."""
    opened: list[Engine] = []

    def open_(name: str = "openai:gpt-4o-mini", *, taken: int = 0, **changes: Any) -> Respondent:
        url = server.root if name.startswith("anthropic") else server.url
        values: dict[str, Any] = {"url": url, "key": KEY, "first_wait_s": 0.02, "timeout_s": 5.0}
        settings = EngineSettings(name=name, **(values | changes))
        opened.append(open_engine(settings, home=tmp_path, taken_microdollars=taken, taken_tokens=taken))
        return opened[-1].respondent

    yield open_
    for one in opened:
        one.close()


def ask(
    respondent: Respondent, agents: list[Agent], question: Question = YES_NO, **history: Any
) -> list[Reply | Failure]:
    return list(respondent.answer(agents, question, history.get("history", {}), seed=7))


def reply(respondent: Respondent, agent: Agent, question: Question) -> Reply:
    (said,) = ask(respondent, [agent], question)
    assert isinstance(said, Reply), said
    return said


def failure(respondent: Respondent, agent: Agent, question: Question = YES_NO) -> Failure:
    (said,) = ask(respondent, [agent], question)
    assert isinstance(said, Failure), said
    return said


def answering(value: Any, answer: str = "So it is.") -> Callable[[Call], Any]:
    return lambda call: {"answer": answer, "value": value}


# ---- what the model is told


def test_an_answer_of_a_model_says_that_it_is_modelled_and_by_which_model(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.says = answering("yes")
    respondent = engine()
    told = Basis("modelled", "Answered by the language model openai:gpt-4o-mini; not checked against people.")
    assert reply(respondent, agents[0], YES_NO).basis == told
    before = len(server.calls)
    assert list(respondent.basis(YES_NO, agents)) == [told] * len(agents)  # type: ignore[attr-defined]
    assert len(server.calls) == before


def test_an_answer_names_its_engine_and_what_it_took(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.says = answering("yes", "I would give it a try.")
    said = reply(engine(), agents[0], YES_NO)
    assert (said.agent_id, said.text, said.value) == (agents[0].id, "I would give it a try.", True)
    assert said.engine == "openai:gpt-4o-mini"
    assert said.spent is not None
    assert (said.spent.calls, said.spent.input_tokens, said.spent.output_tokens) == (1, 400, 50)
    assert said.spent.cost_microdollars == 90  # 400 at 0.15 and 50 at 0.60 dollars a million
    assert (said.spent.temperature, said.spent.cached) == (1.0, False)
    (call,) = server.calls
    assert call.body["seed"] == said.spent.seed
    assert (call.body["temperature"], call.body["model"]) == (1.0, "gpt-4o-mini")


def test_the_persona_holds_what_the_profile_holds_and_nothing_else(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    well = next(agent for agent in agents if agent.health_profile is not None and agent.occupation)
    unknown = next(agent for agent in agents if agent.health_profile is None)
    ask(engine(), [well, unknown])
    told = {call.persona.split("Name: ")[1].split("\n")[0]: call.persona for call in server.calls}
    assert well.health_profile is not None
    assert f"Age: {well.age}" in told[well.name]
    assert str(well.title_variant) in told[well.name]
    assert f"Body mass index: {well.health_profile.bmi:g}" in told[well.name]
    assert "None" not in told[well.name] + told[unknown.name]
    for word in ("Health conditions", "medicines", "Body mass index", "Smoking", "Depressive"):
        assert word in told[well.name]
        assert word not in told[unknown.name]


def test_who_has_no_child_at_home_is_not_told_to_have_none(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    without, parent = (next(agent for agent in agents if agent.is_parent is way) for way in (False, True))
    ask(engine(concurrency=1), [without, parent])
    told = [call.persona for call in server.calls]
    assert "- No child under 18 at home\n" in told[0]
    assert "- Lives with a child of their own under 18\n" in told[1]
    assert not any("no children" in one for one in told)


def test_earlier_answers_are_told_as_a_conversation(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    first = Exchange(Question("Rate it.", "scale", scale=Scale(0, 10)), "Two of ten.", 2)
    ask(engine(), agents[:1], history={agents[0].id: [first]})
    (call,) = server.calls
    assert [turn["role"] for turn in call.turns] == ["user", "assistant", "user"]
    assert "Rate it." in str(call.turns[0]["content"])
    assert json.loads(str(call.turns[1]["content"])) == {"answer": "Two of ten.", "value": 2}
    assert str(call.turns[2]["content"]).startswith("Would you try it?")


def test_pictures_and_documents_go_along_as_such(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    read: list[str] = []

    def file(name: str, mime: str, data: bytes) -> Attachment:
        return Attachment(name, mime, len(data), lambda: read.append(name) or data)  # type: ignore[func-returns-value]

    files = file("pack.png", "image/png", PNG), file("plan.pdf", "application/pdf", b"%PDF-1.7")
    ask(engine(), agents[:3], Question("Do you like it?", "yes_no", attachments=files))
    assert read == ["pack.png", "plan.pdf"]  # once for all agents
    for call in server.calls:
        assert [part["type"] for part in call.turns[-1]["content"]] == ["text", "image_url", "file"]


def test_the_model_is_given_no_tools_and_a_bound_on_its_words(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    reply(engine(), agents[0], YES_NO)
    (call,) = server.calls
    assert "tools" not in call.body
    assert call.body["response_format"]["json_schema"]["strict"] is True
    assert call.body["max_completion_tokens"] == 1_000


# ---- what counts as an answer

LIKES = Question("Which do you like?", "multi_choice", ("Tea", "Coffee", "Milk"))
FITTING = [
    (YES_NO, "no", False),
    (YES_NO, "Yes.", True),
    (YES_NO, None, None),
    (Question("Tea or coffee?", "single_choice", ("Tea", "Coffee")), " coffee", "Coffee"),
    (Question("Do you?", "single_choice", ("I don’t know", "5–9 times")), "I don't know", "I don’t know"),
    (Question("Do you?", "single_choice", ("I don’t know", "5–9 times")), "5-9 times", "5–9 times"),
    (LIKES, ["Milk", "tea", "Milk"], ["Milk", "Tea"]),
    (Question("Rank.", "ranking", ("Tea", "Coffee")), ["Coffee", "Tea"], ["Coffee", "Tea"]),
    (Question("Rate.", "scale", scale=Scale(1, 5)), 4.0, 4),
    (Question("How much?", "number", unit="USD"), "$1,250.50", 1250.5),
    (Question("How many?", "number"), 3.0, 3),
    (Question("How many?", "number"), "1,234,567", 1_234_567),
]
UNFIT = [
    (YES_NO, "perhaps"),
    (YES_NO, 1),
    (Question("Tea or coffee?", "single_choice", ("Tea", "Coffee")), "Water"),
    (LIKES, "Tea"),
    (LIKES, []),
    (LIKES, ["Tea", {"Milk": 1}]),
    (Question("Rank.", "ranking", ("Tea", "Coffee")), ["Coffee"]),
    (Question("Rank.", "ranking", ("Tea", "Coffee")), ["Coffee", "Coffee", "Tea"]),
    (Question("Rate.", "scale", scale=Scale(1, 5)), 6),
    (Question("Rate.", "scale", scale=Scale(1, 5)), 2.5),
    (Question("Rate.", "scale", scale=Scale(1, 5)), True),
    (Question("How much?", "number"), "a lot"),
    (Question("How much?", "number"), 10**400),
    (Question("How much?", "number"), "1,5"),
    (Question("Rate.", "scale", scale=Scale(0, 10)), "1,0"),
]


@pytest.mark.parametrize(("question", "value", "expected"), FITTING)
def test_what_fits_the_question_is_coded(
    question: Question, value: Any, expected: Any, server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.says = answering(value)
    said = reply(engine(), agents[0], question)
    assert (said.value, type(said.value)) == (expected, type(expected))
    assert len(server.calls) == 1


@pytest.mark.parametrize(("question", "value"), UNFIT)
def test_what_does_not_fit_is_repaired_once_and_then_fails_the_agent_alone(
    question: Question, value: Any, server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.says = answering(value)
    said = failure(engine(), agents[0], question)
    assert said.code == "invalid_answer"
    assert "value" in said.message
    assert said.spent is not None
    assert (said.spent.calls, said.spent.input_tokens) == (2, 800)
    assert [call.repairs for call in server.calls] == [False, True]


def test_a_repaired_answer_counts(server: ModelServer, engine: Open, agents: list[Agent]) -> None:
    server.says = lambda call: {"answer": "Well.", "value": "no" if call.repairs else "nope"}
    said = reply(engine(), agents[0], YES_NO)
    assert said.value is False
    assert said.spent is not None
    assert said.spent.calls == 2
    assert 'must be \\"yes\\", \\"no\\"' in json.dumps(server.calls[1].turns[-1])


@pytest.mark.parametrize("fault", ["broken", "wrong"])
def test_broken_json_is_repaired(fault: str, server: ModelServer, engine: Open, agents: list[Agent]) -> None:
    respondent = engine()
    reply(respondent, agents[1], YES_NO)
    server.fault = lambda number, call: fault if number == 1 else None
    assert isinstance(reply(respondent, agents[0], YES_NO).value, bool)
    assert len(server.calls) == 3


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "I do.\nEvery day.", "value": "yes"}',
        '```json\n{"answer": "I do.\tEvery day.", "value": "yes"}\n```',
    ],
)
def test_lines_may_break_within_the_words(text: str) -> None:
    assert read_answer(YES_NO, objects_in(text)[-1]) == ("I do. Every day.", True)


def test_a_long_or_dirty_text_is_cut_and_cleaned(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.says = lambda call: {"answer": "I\x00 like\ud800 it.\n" + "And so on and on. " * 500}
    said = reply(engine(), agents[0], Question("Why?", "open"))
    assert said.text.startswith("I like it. And so on")
    assert said.text.endswith("on.")
    assert len(said.text) <= 1_200


def test_a_hundred_options_and_a_very_long_question_go_through(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    options = tuple(f"Option {number}" for number in range(100))
    question = Question("Which of them? " * 1_300, "single_choice", options)
    assert reply(engine(), agents[0], question).value in options


def test_shuffled_options_are_shown_and_recorded_in_their_order(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    options = ("Red", "Green", "Blue", "Yellow")
    question = Question("Which colour?", "single_choice", options, shuffle_options=True)
    said = [one for one in ask(engine(), agents[:40], question) if isinstance(one, Reply)]
    orders = {one.option_order for one in said}
    assert len(orders) > 5
    shown = {
        tuple(
            options.index(line[2:])
            for line in str(call.turns[-1]["content"]).splitlines()
            if line[:2] == "- "
        )
        for call in server.calls
    }
    assert shown == orders


# ---- trouble


@pytest.mark.parametrize("fault", ["busy", "down", "garbled", "drop"])
def test_trouble_that_passes_is_waited_out(
    fault: str, server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.retry_after = 0
    server.fault = lambda number, call: fault if number < 2 else None
    said = reply(engine(), agents[0], YES_NO)
    assert len(server.calls) == 3
    assert said.spent is not None
    assert said.spent.calls == 1  # nobody pays for an error


@pytest.mark.parametrize(
    ("fault", "code", "calls"),
    [
        ("busy", "rate_limited", 3),
        ("down", "engine_unavailable", 6),  # each time also in words alone: a schema may be the reason
        ("garbled", "engine_unavailable", 3),
        ("none", "engine_unavailable", 3),
        ("hang", "engine_timeout", 3),
        ("broke", "engine_refused", 1),
    ],
)
def test_trouble_that_stays_fails_with_its_reason(
    fault: str, code: str, calls: int, server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.retry_after = 0
    server.fault = lambda number, call: fault
    said = failure(engine(attempts=3, timeout_s=0.4), agents[0])
    assert (said.code, len(server.calls), said.spent) == (code, calls, None)


def test_a_call_may_take_as_long_as_the_settings_say(
    server: ModelServer, engine: Open, agents: list[Agent], monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds: list[float] = []
    timeout = asyncio.timeout

    def noting(seconds: float) -> asyncio.Timeout:
        bounds.append(seconds)
        return timeout(seconds)

    monkeypatch.setattr(asyncio, "timeout", noting)
    ask(engine(timeout_s=900.0), agents[:1])
    assert len(bounds) >= 2
    assert min(bounds) == 900.0


def test_everybody_waits_as_long_as_the_provider_asks(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "busy" if number == 0 else None
    assert all(isinstance(said, Reply) for said in ask(engine(concurrency=1), agents[:3]))
    first, *later = [call.at for call in server.calls]
    assert len(later) == 3
    assert min(later) - first >= 1.0


def test_a_slow_server_is_given_more_time_and_fewer_calls_at_once(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.takes_s = 0.5
    said = ask(engine(timeout_s=0.2, concurrency=4), agents[:6])
    assert [one.agent_id for one in said if isinstance(one, Reply)] == [agent.id for agent in agents[:6]]


def test_a_wait_that_is_too_long_is_not_waited(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.retry_after = 7_200
    server.fault = lambda number, call: "busy"
    assert failure(engine(), agents[0]).code == "rate_limited"
    assert len(server.calls) == 1


def test_a_refused_key_stops_the_others_and_is_not_quoted(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    said = ask(engine(key="sk-wrong", concurrency=2), agents[:50])
    assert {one.code for one in said if isinstance(one, Failure)} == {"engine_refused"}
    assert all("sk-" not in one.message for one in said if isinstance(one, Failure))
    assert len(server.calls) <= 4


def test_a_text_that_is_flagged_fails_its_agent_alone(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    flagged = agents[0].name
    server.fault = lambda number, call: "flagged" if f"Name: {flagged}\n" in call.persona else None
    said = ask(engine(concurrency=1), agents[:20])
    assert [one.message for one in said if isinstance(one, Failure)] == [
        "The provider does not permit the call (403)."
    ]


def test_an_address_that_is_wrong_is_not_called_a_wrong_key(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "lost"
    said = failure(engine(), agents[0])
    assert said.code == "engine_refused"
    assert said.message == "The provider does not know the model, or its address is wrong (404)."


def test_a_provider_that_serves_so_many_a_second_serves_everybody(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    served: Counter[int] = Counter()

    def fault(number: int, call: Call) -> str | None:
        second = int(call.at * 5)
        served[second] += 1
        return "busy" if served[second] > 8 else None

    server.fault, server.retry_after = fault, 0.2
    said = ask(engine(), agents[:100])
    assert [one.agent_id for one in said if isinstance(one, Reply)] == [agent.id for agent in agents[:100]]
    assert len(server.calls) < 2 * 100


def test_a_provider_that_is_down_is_not_asked_for_everybody(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "down"
    respondent = engine(attempts=3, concurrency=8)
    said = ask(respondent, agents)
    assert [one.code for one in said if isinstance(one, Failure)] == ["engine_unavailable"] * 400
    assert len(server.calls) <= 3 * 8 * 3
    server.fault = lambda number, call: None
    assert all(isinstance(one, Reply) for one in ask(respondent, agents[:20]))


def test_two_agents_that_break_the_provider_do_not_fail_a_third(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    names = [f"Name: {agent.name}\n" for agent in agents[:2]]
    server.fault = lambda number, call: "down" if any(name in call.persona for name in names) else None
    respondent = engine(attempts=2, concurrency=1)
    for agent in agents[:2]:
        assert failure(respondent, agent).code == "engine_unavailable"
    assert reply(respondent, agents[2], YES_NO).value is not None


def test_one_hanging_agent_does_not_hold_up_the_others(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "hang" if f"Name: {agents[0].name}\n" in call.persona else None
    said = ask(engine(attempts=1, timeout_s=1.0), agents[:30])
    assert [one.agent_id for one in said] == [agent.id for agent in agents[:30]]
    assert [one.agent_id for one in said if isinstance(one, Failure)] == [agents[0].id]


def test_a_thousand_agents_with_faults_all_end_once(
    server: ModelServer, engine: Open, crowd: list[Agent]
) -> None:
    faults = ("slow", "wrong", "broken", "busy", "down", "garbled", "drop", "hang")
    server.fault = lambda number, call: faults[number // 20 % len(faults)] if number % 20 == 0 else None
    server.retry_after, server.takes_s = 0, 0.05
    said = ask(engine(concurrency=24, timeout_s=2.5), crowd[:1_000], LIKES)
    assert [one.agent_id for one in said] == [agent.id for agent in crowd[:1_000]]
    failed = [one for one in said if isinstance(one, Failure)]
    assert len(failed) <= 20
    assert {one.code for one in failed} <= {"invalid_answer"}
    assert server.most_at_once <= 24
    assert server.most_at_once > 12
    assert len(server.calls) < 1_100


# ---- money


def test_the_same_again_is_replayed_at_no_cost(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.takes_s = 0.02
    began = time.perf_counter()
    first = ask(engine(), agents[:100])
    took = time.perf_counter() - began
    calls = len(server.calls)
    again = engine()
    began = time.perf_counter()
    replayed = ask(again, agents[:100])
    assert time.perf_counter() - began < took / 2
    assert len(server.calls) == calls == 100
    for one, other in zip(first, replayed, strict=True):
        assert isinstance(one, Reply)
        assert isinstance(other, Reply)
        assert (one.text, one.value) == (other.text, other.value)
        assert other.spent is not None
        assert (other.spent.cached, other.spent.calls, other.spent.cost_microdollars) == (True, 0, 0)


@pytest.mark.parametrize(
    "changes", [{"temperature": 0.5}, {"replicate": 1}, {"name": "openai:gpt-4o"}, {"cache": False}]
)
def test_another_model_temperature_or_replicate_is_asked_anew(
    changes: dict[str, Any], server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    ask(engine(), agents[:2])
    ask(engine(**changes), agents[:2])
    assert len(server.calls) == 4
    before, after = ({call.body["seed"] for call in part} for part in (server.calls[:2], server.calls[2:]))
    assert (before != after) == ("replicate" in changes)


def test_another_question_history_or_file_is_asked_anew(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    respondent, one = engine(), agents[:1]
    past = Exchange(YES_NO, "No.", False)
    for data in (PNG, PNG + b"x"):
        file = Attachment("a.png", "image/png", len(data), lambda data=data: data)  # type: ignore[misc]
        ask(respondent, one, Question("Would you try it?", "yes_no", attachments=(file,)))
    ask(respondent, one, history={one[0].id: [past]})
    ask(respondent, one)
    ask(respondent, one, Question("Would you try it?", "open"))
    ask(respondent, agents[1:2])
    assert len(server.calls) == 6


def test_a_spoilt_file_of_the_cache_is_asked_anew(
    server: ModelServer, engine: Open, agents: list[Agent], tmp_path: Path
) -> None:
    ask(engine(), agents[:3])
    for path, content in zip(
        sorted((tmp_path / "answers").rglob("*.json")), ["", "[]", '{"value": "maybe"}'], strict=True
    ):
        path.write_text(content)
    assert all(isinstance(said, Reply) for said in ask(engine(), agents[:3]))
    assert len(server.calls) == 6


@pytest.mark.parametrize(
    ("budget", "taken", "answers"),
    [
        ({"budget_tokens": 20_000}, 0, range(30, 45)),  # 450 each; the last ones do not fit for certain
        ({"budget_tokens": 20_000}, 15_500, range(1, 11)),
        ({"budget_dollars": 0.005}, 0, range(35, 56)),  # 90 millionths each
        ({"budget_tokens": 10}, 0, range(1)),
    ],
)
def test_the_budget_stops_before_it_is_exceeded(
    budget: dict[str, Any],
    taken: int,
    answers: range,
    server: ModelServer,
    engine: Open,
    agents: list[Agent],
) -> None:
    server.says = answering("yes")
    said = ask(engine(**budget, taken=taken), agents[:100])
    done = [one for one in said if isinstance(one, Reply)]
    assert len(done) in answers
    assert len(server.calls) == len(done)
    refused = [one for one in said if isinstance(one, Failure)]
    assert {one.code for one in refused} == {"quota_exceeded"}
    assert "VOXPOP_ENGINE_BUDGET" in refused[0].message
    spent = [one.spent for one in done if one.spent is not None]
    if "budget_tokens" in budget:
        assert taken + sum(one.input_tokens + one.output_tokens for one in spent) <= budget["budget_tokens"]
    else:
        assert sum(one.cost_microdollars or 0 for one in spent) <= budget["budget_dollars"] * 1e6


def test_a_server_that_does_not_count_takes_the_most_of_the_budget(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "uncounted"
    said = ask(engine(budget_tokens=20_000), agents[:100])
    done = [one.spent for one in said if isinstance(one, Reply) and one.spent is not None]
    assert 1 <= len(done) <= 10
    assert {one.code for one in said if isinstance(one, Failure)} == {"quota_exceeded"}
    assert {one.cost_microdollars for one in done} == {None}  # it is not known, which is not nothing


@pytest.mark.parametrize(
    "document",
    [
        b"%PDF-1.4" + b"<</Type /Page>>" * 40,
        b"%PDF-1.7 1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\n"
        + zlib.compress(b"<</Type/Page>>" * 40)
        + b"\nendstream",
        b"%PDF-1.7 <</Type/ObjStm/Filter/FlateDecode>> stream\n" + b"encrypted" * 2_500 + b"\nendstream",
    ],
)
def test_the_budget_knows_how_many_pages_a_document_can_have(
    document: bytes, server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    shown = Attachment("plan.pdf", "application/pdf", len(document), lambda: document)
    question = Question("Do you like it?", "yes_no", attachments=(shown,))
    respondents = [engine(budget_tokens=most) for most in (195_000, 300_000)]
    for respondent, answers in zip(respondents, (False, True), strict=True):
        assert isinstance(ask(respondent, agents[:1], question)[0], Reply) == answers
    assert len(server.calls) == 1


def test_a_reply_that_cannot_be_read_may_have_been_paid_for(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "none"
    assert failure(engine(budget_tokens=20_000, attempts=20), agents[0]).code == "quota_exceeded"
    assert 1 < len(server.calls) < 20


# ---- what the model was called with

KNOBS = [
    ("openai:gpt-4o-mini", {}, {"temperature": 1.0}, True),
    ("openai:gpt-4o-mini", {"temperature": 0.3}, {"temperature": 0.3}, True),
    ("openai:gpt-5.1", {"temperature": 0.3}, {"temperature": 0.3, "reasoning_effort": "none"}, True),
    ("openai:gpt-5-mini", {}, {"reasoning_effort": "minimal"}, True),
    ("anthropic:claude-haiku-4-5", {"temperature": 0.3}, {"temperature": 0.3}, False),
    ("anthropic:claude-opus-4-7", {}, {}, False),
]


@pytest.mark.parametrize("knobs", KNOBS)
def test_what_is_recorded_is_what_was_sent(
    knobs: tuple[str, dict[str, Any], dict[str, Any], bool],
    server: ModelServer,
    engine: Open,
    agents: list[Agent],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, changes, sent, seeded = knobs
    provider, url = name.partition(":")[0], server.root if name.startswith("anthropic") else server.url
    monkeypatch.setitem(PROVIDERS, provider, Provider("", url, provider))
    said = reply(engine(name, url=None, **changes), agents[0], YES_NO)
    body = server.calls[0].body
    assert {knob: body[knob] for knob in ("temperature", "reasoning_effort") if knob in body} == sent
    assert said.spent is not None
    assert said.spent.temperature == body.get("temperature")
    assert said.spent.seed == body.get("seed")
    assert (said.spent.seed is not None) == seeded


def test_a_temperature_that_the_model_takes_no_notice_of_is_refused_at_the_start(tmp_path: Path) -> None:
    for name in ("openai:gpt-5-mini", "anthropic:claude-opus-4-7"):
        with pytest.raises(UsageError, match=f"{name} takes no temperature"):
            open_engine(EngineSettings(name=name, key=KEY, temperature=0.5), home=tmp_path)


# ---- the other wire format


def test_anthropic_answers_too(server: ModelServer, engine: Open, agents: list[Agent]) -> None:
    picture = Attachment("pack.png", "image/png", len(PNG), lambda: PNG)
    document = Attachment("plan.pdf", "application/pdf", 8, lambda: b"%PDF-1.7")
    question = Question("Do you like it?", "yes_no", attachments=(picture, document))
    said = reply(engine("anthropic:claude-haiku-4-5"), agents[0], question)
    assert isinstance(said.value, bool)
    assert said.engine == "anthropic:claude-haiku-4-5"
    assert said.spent is not None
    assert said.spent.cost_microdollars == 650  # 400 at 1 and 50 at 5 dollars a million
    (call,) = server.calls
    assert call.path == "/v1/messages"
    assert f"Name: {agents[0].name}" in call.persona
    assert [part["type"] for part in call.turns[-1]["content"]] == ["text", "image", "document"]


def test_content_of_an_unknown_kind_fails_its_agent_alone(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "strange"
    said = failure(engine("anthropic:claude-haiku-4-5", attempts=2), agents[0])
    assert (said.code, len(server.calls)) == ("engine_unavailable", 2)


def test_a_model_without_schemas_is_held_to_one_by_its_output_tool(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    said = reply(engine("anthropic:claude-of-tomorrow"), agents[0], LIKES)
    assert said.value == list(LIKES.options)
    assert [tool["name"] for tool in server.calls[0].body["tools"]] == ["answer"]


def test_a_server_that_takes_no_schemas_is_called_in_another_way(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.plain = True
    respondent = engine("openai:llama-3", concurrency=1)
    said = ask(respondent, agents[:3], LIKES)
    assert [one.value for one in said if isinstance(one, Reply)] == [list(LIKES.options)] * 3
    assert [call.form for call in server.calls[:2]] == ["schema", "plain"]
    assert {call.form for call in server.calls[-2:]} == {"tools"}
    assert server.calls[-1].body["max_tokens"] == 1_000


def test_a_call_that_is_refused_for_another_reason_fails(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.fault = lambda number, call: "odd"
    assert failure(engine(), agents[0]).code == "engine_refused"
    assert sorted(call.form for call in server.calls) == ["json", "plain", "schema", "tools"]


def test_what_was_found_of_a_server_is_remembered(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    server.plain = True
    first = engine("openai:llama-3")
    ask(first, agents[:1])
    first.close()  # type: ignore[attr-defined]
    calls = len(server.calls)
    assert calls > 3
    ask(engine("openai:llama-3"), agents[1:3])
    assert [call.form for call in server.calls[calls:]] == ["tools", "tools"]


def test_a_schema_that_is_refused_for_one_question_is_told_in_words(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    respondent = engine()
    reply(respondent, agents[0], YES_NO)
    server.fault = lambda number, call: "odd" if number and call.form != "plain" else None
    assert reply(respondent, agents[0], LIKES).value == list(LIKES.options)
    assert [call.form for call in server.calls] == ["schema", "schema", "plain"]


def test_what_agents_share_comes_before_their_profiles(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    ask(engine(), agents[:2])
    one, other = (call.persona for call in server.calls)
    first_fact = one.index("Name: ")
    assert first_fact > len(one) / 2
    assert one[:first_fact] == other[:first_fact]


def test_scales_and_lists_have_bounds_in_the_schema(
    server: ModelServer, engine: Open, agents: list[Agent]
) -> None:
    respondent = engine()
    reply(respondent, agents[0], Question("Rate.", "scale", scale=Scale(1, 5)))
    reply(respondent, agents[0], LIKES)
    scale, several = (call.schema["properties"]["value"]["anyOf"][0] for call in server.calls)
    assert scale == {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    assert several["maxItems"] == 3
