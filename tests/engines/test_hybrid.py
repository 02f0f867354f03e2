"""Answers of one engine in the words of a language model: what each decides, and what the record says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import KEY, Call, ModelServer
from third_party.toplines_engine import Toplines

import voxpop as vp
from running_service import Service, ask, new_study
from voxpop.engines import Respondent
from voxpop.engines.contradictions import contradiction
from voxpop.engines.question import Attachment, Question, Scale
from voxpop.engines.registry import check, open_engine
from voxpop.engines.respondent import Failure, Reply
from voxpop.engines.sample_agents import AGENTS
from voxpop.engines.testing import CHECKS
from voxpop.errors import UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.records import model_calls
from voxpop.settings import EngineSettings
from voxpop.settings.engines import engine_settings

MODEL = "openai:gpt-4o-mini"
HYBRID = f"simulator+{MODEL}"
SETTLED = "This person's answer, which is settled: "
REPLACED = "Its words contradicted the answer twice and were replaced by those of simulator."
SWITCH = Question("Would you switch to oat milk?", "yes_no")


def last_words(call: Call) -> str:
    content = call.turns[-1]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def faithful(call: Call) -> dict[str, Any]:
    """Words that name the settled answer, or anything for a question without one."""
    settled = last_words(call).partition(SETTLED)[2]
    return {"answer": f"Speaking for myself: {settled}" if settled else "It is what I grew up with."}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    made = ModelServer()
    made.says = faithful
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("VOXPOP_ENGINE_CACHE", "off")
    yield made
    made.close()


@pytest.fixture
def opened(server: ModelServer, tmp_path: Path) -> Iterator[Callable[..., Respondent]]:
    """Opens the hybrid with changed settings, and closes it."""
    engines = []

    def open_(**settings: Any) -> Respondent:
        chosen = EngineSettings(
            **{"name": HYBRID, "values_by": "simulator", "url": server.url, "key": KEY, "cache": False}
            | {"attempts": 1}
            | settings
        )
        engines.append(open_engine(chosen, home=tmp_path))
        return engines[-1].respondent

    yield open_
    for one in engines:
        one.close()


def said(engine: Respondent, question: Question) -> list[Reply]:
    found = list(engine.answer(AGENTS, question, {}, seed=7))
    assert all(isinstance(one, Reply) for one in found)
    return [one for one in found if isinstance(one, Reply)]


def test_the_first_engine_decides_and_the_model_words(server: ModelServer) -> None:
    with vp.local(agents=1_000, engine=["simulator", f"{HYBRID}@{server.url}"]) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=5, seed=3)
        answers = {}
        for engine in ("simulator", HYBRID):
            study = vp.Study.create(client, group, title=engine)
            if engine == HYBRID:
                preview = study.preview("Would you switch to oat milk?", engine=HYBRID)
                estimate = study.estimate(["Would you switch to oat milk?", "Why?"], engine=HYBRID)
                assert server.calls == []
            study.ask("Would you switch to oat milk?", key="switch", type="yes_no", engine=engine)
            options = ["Oat", "Soy", "Almond"]
            study.ask("Which one?", options=options, key="which", shuffle_options=True, engine=engine)
            study.ask("Why?", key="why", type="open", engine=engine)
            study.ask("How old are you?", key="age", engine=engine)
            study.ask("Where do you live?", key="home", type="open", engine=engine)
            answers[engine] = list(study.answers())
    own, worded = answers["simulator"], answers[HYBRID]
    assert {one.engine for one in worded} == {HYBRID}
    assert [(one.value, one.option_order) for one in worded] == [(o.value, o.option_order) for o in own]
    assert not {one.response_text for one in own} & {one.response_text for one in worded}
    is_why = [one.response_text == "It is what I grew up with." for one in worded]
    assert is_why.count(True) == 5
    for before, after, why in zip(own, worded, is_why, strict=True):
        kind, note = (
            ("modelled", f"Answered by the language model {MODEL}")
            if why
            else (
                before.basis,
                f"{before.basis_note} Worded by {MODEL}.",
            )
        )
        assert after.basis == kind
        assert (after.basis_note or "").startswith(note)
    assert len(server.calls) == 25
    assert [(one.basis, one.agents) for one in preview.bases] == [("none", 5)]
    assert preview.bases[0].notes[0].endswith(f"Worded by {MODEL}.")
    assert (estimate.calls, estimate.cost_dollars is not None) == (10, True)


def test_the_model_is_told_the_answer_the_profile_and_what_was_said_before(server: ModelServer) -> None:
    with vp.local(agents=1_000, engine=f"{HYBRID}@{server.url}") as client:
        group = vp.recruit(client, vp.where(country="USA"), size=1)
        study = vp.Study.create(client, group, title="Milk")
        study.ask("How likely are you to switch, 0-10?", key="likely")
        study.ask("Why?", key="why", type="open")
        answer = next(iter(study.answers()))
    first, second = server.calls
    assert last_words(first).endswith(f"{SETTLED}{answer.value}")
    assert "This is everything that is known about the person:\n- Name: " in first.persona
    assert [turn["content"] for turn in second.turns] == [
        last_words(first),
        json.dumps(faithful(first)),
        "Why?",
    ]


def test_words_that_contradict_the_answer_are_asked_for_once_more(
    server: ModelServer, opened: Callable[..., Respondent]
) -> None:
    def at_first_the_opposite(call: Call) -> dict[str, Any]:
        if call.repairs:
            assert "contradict the settled answer" in last_words(call)
            return {"answer": "I have thought about it."}
        return {"answer": "No, never." if f"{SETTLED}Yes" in last_words(call) else "Yes, gladly."}

    server.says = at_first_the_opposite
    found = said(opened(), SWITCH)
    assert {one.text for one in found} == {"I have thought about it."}
    assert {one.spent.calls for one in found if one.spent} == {2}
    assert not any(REPLACED in one.basis.note for one in found)


def test_words_that_contradict_it_twice_are_replaced_and_the_basis_says_so(
    server: ModelServer, opened: Callable[..., Respondent]
) -> None:
    server.says = lambda call: {"answer": "No, never."}
    own = said(open_engine(EngineSettings(), home=Path("none")).respondent, SWITCH)
    found = said(opened(), SWITCH)
    assert [one.value for one in found] == [one.value for one in own]
    assert {one.value for one in found} == {True, False, None}
    for before, after in zip(own, found, strict=True):
        assert after.engine == HYBRID
        contradicts = after.value is not False
        assert after.text == (before.text if contradicts else "No, never.")
        assert after.basis.note.endswith(REPLACED) == contradicts
        assert after.basis.kind == before.basis.kind
        assert after.spent is not None
        assert (after.spent.calls, after.spent.input_tokens) == ((2, 800) if contradicts else (1, 400))


def test_an_answer_without_words_fails_and_is_the_same_when_asked_again(server: ModelServer) -> None:
    server.fault = lambda number, call: "flagged"
    with vp.local(agents=1_000, engine=["simulator", f"{HYBRID}@{server.url}"]) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=3)
        plain = vp.Study.create(client, group, title="Plain")
        plain.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        study = vp.Study.create(client, group, title="Milk")
        with pytest.warns(FieldworkWarning, match="could not be put into words"):
            study.ask("Would you switch to oat milk?", key="switch", type="yes_no", engine=HYBRID)
        assert list(study.answers()) == []
        server.fault = lambda number, call: None
        study.retry()
        assert [one.value for one in study.answers()] == [one.value for one in plain.answers()]


def test_every_call_counts_against_the_budget(server: ModelServer, home: Path, tmp_path: Path) -> None:
    engine = EngineSettings(
        name=HYBRID, values_by="simulator", url=server.url, key=KEY, budget_tokens=9_000, cache=False
    )
    for time_ in (1, 2):
        service = Service(home, tmp_path / "data", engine=engine)
        with service.client(service.key()) as http:
            study = new_study(http, 60, title=f"Study {time_}")
            ask(http, study, "Would you switch to oat milk?", type="yes_no")
            (row,) = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
        with service.state.database.read() as c:
            total = model_calls.total(c, engine=HYBRID)
        service.close()
        assert row["answer_count"] + row["failed_count"] == 60
        assert row["failed_count"] > 0
    assert 0 < total.input_tokens + total.output_tokens <= 9_000
    assert total.calls == len(server.calls)


def test_screening_asks_the_first_engine_alone(server: ModelServer) -> None:
    with vp.local(agents=1_000, engine=f"{HYBRID}@{server.url}") as client:
        vp.recruit(client, "20 adults in the USA who own a dog", size=20)
    assert server.calls == []


def test_a_picture_that_the_value_does_not_follow_is_not_sent(
    server: ModelServer, opened: Callable[..., Respondent]
) -> None:
    picture = Attachment("pack.png", "image/png", 32, lambda: b"\x89PNG\r\n\x1a\n" + bytes(24))
    engine = opened()
    coded = said(engine, Question("Would you buy it?", "yes_no", attachments=(picture,)))
    assert all(isinstance(call.turns[-1]["content"], str) for call in server.calls)
    assert all(one.text.endswith("embedded-1 does not look at attachments.)") for one in coded)
    server.calls.clear()
    words = said(engine, Question("What do you think of it?", "open", attachments=(picture,)))
    assert all("image_url" in str(call.turns[-1]["content"]) for call in server.calls)
    assert {one.text for one in words} == {"It is what I grew up with."}


@pytest.fixture(scope="module")
def conforming(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Respondent]:
    server = ModelServer()  # whose usual words state numbers, some of which contradict
    settings = EngineSettings(name=HYBRID, values_by="simulator", url=server.url, key=KEY)
    engine = open_engine(settings, home=tmp_path_factory.mktemp("answers"))
    yield engine.respondent
    engine.close()
    server.close()


@pytest.mark.parametrize("check_", CHECKS, ids=lambda one: one.__name__)
def test_it_conforms(check_: Callable[[Respondent], None], conforming: Respondent) -> None:
    check_(conforming)


def test_an_engine_object_can_decide_too(server: ModelServer) -> None:
    name = f"toplines-1+{MODEL}"
    with vp.local(agents=1_000, engine=[f"{name}@{server.url}", Toplines()]) as client:
        group = vp.recruit(client, vp.where(country="USA", age=vp.between(25, 64)), size=4)
        study = vp.Study.create(client, group, title="Milk")
        study.ask("Have you heard of Oatly?", key="heard", type="yes_no")
        study.ask("Have you heard of Oatly?", key="again", type="yes_no", engine="toplines-1")
        worded, own = list(study.answers())[:4], list(study.answers())[4:]
    assert [one.value for one in worded] == [one.value for one in own]
    assert {one.engine for one in worded} == {name}
    assert {one.basis_note for one in worded} == {f"{own[0].basis_note} Worded by {MODEL}."}


def test_settings_name_both_engines() -> None:
    (one,) = engine_settings({"OPENAI_API_KEY": "k"}, engine=HYBRID)
    assert (one.name, one.values_by, one.provider, one.model) == (
        HYBRID,
        "simulator",
        "openai",
        "gpt-4o-mini",
    )
    (plain,) = engine_settings({"OPENROUTER_API_KEY": "k"}, engine="openrouter:command-r+")
    assert (plain.values_by, plain.model) == (None, "command-r+")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("simulator+opnai:gpt-x", "Did you mean simulator[+]openai:gpt-x[?]"),
        ("simulator+openai:", "names no model; write simulator[+]openai:MODEL"),
        ("+openai:gpt-x", "names no engine before the [+]; write simulator[+]openai:gpt-x"),
        ("openai:gpt-x+anthropic:claude-x", "joins two models"),
        ("simulater+openai:gpt-x", "'simulater' is not installed. Did you mean simulator[?]"),
        (f"simulator+openai:{'x' * 50}", "at most 64 characters"),
    ],
)
def test_a_name_that_joins_no_engine_and_model_is_refused(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        check(*engine_settings({"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, engine=name))


# ---- contradictions

MILKS = Question("Which?", "single_choice", ("Agree", "Strongly agree", "Don't know"))
SEVERAL = Question("Which?", "multi_choice", ("Oat", "Soy", "Almond"))
RANKED = Question("Rank them.", "ranking", ("Oat", "Soy", "Almond"))
RATED = Question("How likely?", "scale", scale=Scale(0, 10))
PRICE = Question("How much?", "number", unit="dollars")

CONTRADICTORY = [
    (SWITCH, True, "Nope."),
    (SWITCH, False, "Yes, I would."),
    (SWITCH, None, "Yes!"),
    (MILKS, "Agree", "I strongly agree."),
    (MILKS, "Strongly agree", "I don’t know."),
    (MILKS, None, "Agree, I suppose."),
    (SEVERAL, ["Oat"], "Soy and almond."),
    (RANKED, ["Soy", "Oat", "Almond"], "Oat comes first."),
    (RATED, 10, "A 7 out of 10."),
    (RATED, 7, "6."),
    (PRICE, 4_000, "Some 5k a month."),
]
AGREEING = [
    (SWITCH, True, "No doubt about it, I would."),
    (SWITCH, False, "Yesterday I might have, but no."),
    (SWITCH, None, "I cannot say yes or no."),
    (MILKS, "Strongly agree", "Agree? I strongly agree."),
    (MILKS, "Agree", "That sounds right to me."),
    (MILKS, None, "Don't know."),
    (SEVERAL, ["Oat", "Soy"], "Oat, but not almond."),
    (RANKED, ["Soy", "Oat", "Almond"], "I rank soy first and oat last."),
    (RATED, 7, "On a scale from 0 to 10, seven."),
    (RATED, 7, "7/10, and I am 45."),
    (PRICE, 4_000, "$4,000 at most."),
    (PRICE, None, "I never bought any of the 3."),
]


@pytest.mark.parametrize(("question", "value", "words"), CONTRADICTORY)
def test_words_that_contradict_a_value(question: Question, value: Any, words: str) -> None:
    assert contradiction(question, value, words) is not None


@pytest.mark.parametrize(("question", "value", "words"), AGREEING)
def test_words_that_do_not(question: Question, value: Any, words: str) -> None:
    assert contradiction(question, value, words) is None


def test_a_failure_of_the_first_engine_is_not_put_into_words(
    server: ModelServer, opened: Callable[..., Respondent]
) -> None:
    engine = opened(name=f"toplines-1+{MODEL}", values_by="toplines-1", given=Toplines())
    found = list(engine.answer(AGENTS, Question("Why?", "open"), {}, seed=7))
    assert {type(one) for one in found} == {Failure}
    assert server.calls == []
