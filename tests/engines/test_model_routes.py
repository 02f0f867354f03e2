"""Named routes: each provider's library calls a server on loopback; a missing library is a one-line error.

The routes whose library is an extra of its own are tested where that is installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import Answer, Call, ModelServer, answered, openai_body, suiting

from voxpop.engines import Reply, registry
from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop.engines.registry import open_engine
from voxpop.errors import ServiceStartError, UsageError
from voxpop.settings import PROVIDERS, EngineSettings

YES_NO = Question("Would you try it?", "yes_no")
TEXT = json.dumps({"answer": "I would.", "value": "yes"})


def as_openai(call: Call, number: int) -> Answer:
    return answered(200, openai_body(call, json.dumps(suiting(call))))


def as_google(call: Call, number: int) -> Answer:
    content = {"role": "model", "parts": [{"text": TEXT}]}
    usage = {"promptTokenCount": 400, "candidatesTokenCount": 50, "totalTokenCount": 450}
    made = {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}
    return answered(200, {**made, "modelVersion": "gemini-2.5-flash", "responseId": "r"})


def as_bedrock(call: Call, number: int) -> Answer:
    message = {"role": "assistant", "content": [{"text": TEXT}]}
    usage = {"inputTokens": 400, "outputTokens": 50, "totalTokens": 450}
    made = {"output": {"message": message}, "stopReason": "end_turn", "usage": usage}
    return answered(200, {**made, "metrics": {"latencyMs": 5}})


def as_mistral(call: Call, number: int) -> Answer:
    return answered(200, openai_body(call, TEXT))


def as_openrouter(call: Call, number: int) -> Answer:
    made = openai_body(call, json.dumps(suiting(call)))
    made["choices"][0]["native_finish_reason"] = "stop"
    return answered(200, {**made, "provider": "House"})


Route = tuple[str, str, Callable[[Call, int], Answer], str]
ALL_ROUTES: list[Route] = [
    ("google:gemini-2.5-flash", "", as_google, "generateContent"),
    ("mistral:mistral-small-latest", "", as_mistral, "/v1/chat/completions"),
    ("groq:llama-3.3-70b-versatile", "", as_openai, "/openai/v1/chat/completions"),
    ("openrouter:qwen/qwen3-32b", "/api/v1", as_openrouter, "/api/v1/chat/completions"),
    ("ollama:llama3.2", "/v1", as_openai, "/v1/chat/completions"),
    ("bedrock:amazon.nova-lite-v1:0", "", as_bedrock, "/converse"),
]
ROUTES = [one for one in ALL_ROUTES if registry.is_there(PROVIDERS[one[0].partition(":")[0]].library)]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer()
    yield made
    made.close()


@pytest.mark.parametrize("route", ROUTES, ids=[one[0] for one in ROUTES])
def test_a_route_answers(
    route: Route,
    server: ModelServer,
    agents: list[Agent],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, path, character, called = route
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret")
    server.character = character
    key = None if name.startswith("bedrock") else "a-key"  # its keys go over https only
    settings = EngineSettings(name=name, url=f"{server.root}{path}", key=key, attempts=1)
    engine = open_engine(settings, home=tmp_path)
    (said,) = engine.respondent.answer(agents[:1], YES_NO, {}, seed=7)
    engine.close()
    assert isinstance(said, Reply), said
    assert isinstance(said.value, bool)
    assert said.engine == name
    assert said.spent is not None
    assert (said.spent.calls, said.spent.input_tokens, said.spent.output_tokens) == (1, 400, 50)
    (call,) = server.calls
    assert called in call.path
    assert "a-key" in json.dumps(dict(call.headers))
    assert f"Name: {agents[0].name}" in json.dumps(call.body)


@pytest.mark.parametrize("provider", sorted(PROVIDERS))
def test_a_missing_library_is_named_with_its_extra(
    provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name != "pydantic_ai" else object())
    row = PROVIDERS[provider]
    with pytest.raises(ServiceStartError) as caught:
        open_engine(EngineSettings(name=f"{provider}:m", key="k"), home=tmp_path)
    assert str(caught.value) == (
        f"The engine {provider}:m needs the library {row.library}: pip install 'voxpop[{row.extra}]'."
    )


@pytest.mark.parametrize(
    ("name", "environ", "expected"),
    [
        ("google:gemini-2.5-flash", {"GOOGLE_API_KEY": "k"}, (None, "k")),
        ("ollama:llama3.2", {}, (None, None)),
        ("bedrock:amazon.nova-lite-v1:0", {}, (None, None)),
        ("openrouter:qwen/qwen3-32b", {"OPENROUTER_API_KEY": "k"}, (None, "k")),
    ],
)
def test_keys_are_read_from_the_usual_variables(
    name: str, environ: dict[str, str], expected: tuple[Any, Any]
) -> None:
    read = EngineSettings.from_environment(environ, name=name)
    assert (read.name, read.url, read.key) == (name, *expected)


@pytest.mark.parametrize("provider", ["google", "groq", "mistral", "openrouter"])
def test_a_missing_key_is_named(provider: str) -> None:
    with pytest.raises(UsageError, match=f"set {PROVIDERS[provider].key_name}"):
        EngineSettings.from_environment({}, name=f"{provider}:m")
