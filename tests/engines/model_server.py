"""A server that speaks the wire formats of OpenAI and Anthropic, and can be told to misbehave.

What it answers is made from the schema that it is sent. A fault is given out per call by ``fault``; it is
one of ``slow``, ``wrong`` (a value that does not fit), ``broken`` (half a JSON object as the text),
``garbled`` (a body that is no JSON), ``none`` (no choice among the choices), ``strange`` (content of a kind
that nobody knows), ``uncounted`` (an answer without its tokens), ``busy`` (429 with Retry-After), ``down``
(500), ``broke`` (no credit left), ``odd`` (400), ``flagged`` (403), ``lost`` (404), ``hang`` or ``drop``.
"""

from __future__ import annotations

import hashlib
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes, Mapping[str, str]]

_REFUSALS: Mapping[str, tuple[int, Mapping[str, str]]] = {
    "down": (500, {"message": "An error.", "type": "server_error"}),
    "odd": (400, {"message": "Too odd.", "type": "invalid_request_error"}),
    "broke": (429, {"message": "You exceeded your current quota.", "code": "insufficient_quota"}),
    "flagged": (403, {"message": "Your input was flagged.", "type": "moderation"}),
    "lost": (404, {"message": "Not found.", "type": "invalid_request_error"}),
}
_ODDITIES: Mapping[str, Mapping[str, Any]] = {
    "uncounted": {"usage": None},
    "none": {"choices": []},
    "strange": {"content": [{"type": "hologram"}]},
}

HANGS = 0
"""A status that stands for no answer at all."""

KEY = "sk-test-4Nq8VeryMuchASecretKey"


@dataclass
class Call:
    """A received request."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    at: float

    @property
    def persona(self) -> str:
        """The instructions."""
        system = self.body.get("system")
        if system is not None:
            return system if isinstance(system, str) else "".join(part["text"] for part in system)
        return str(self.body["messages"][0]["content"])

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The user's messages, without the instructions."""
        return [one for one in self.body["messages"] if one["role"] != "system"]

    @property
    def schema(self) -> dict[str, Any]:
        told = self.persona.partition("follows this schema: ")[2]
        if told:
            return dict(json.JSONDecoder().raw_decode(told)[0])
        if "response_format" in self.body:
            return dict(self.body["response_format"]["json_schema"]["schema"])
        if "output_config" in self.body:
            return dict(self.body["output_config"]["format"]["schema"])
        tool = self.body["tools"][0]
        return dict(tool["input_schema"] if "input_schema" in tool else tool["function"]["parameters"])

    @property
    def form(self) -> str:
        """The output mode of the request: ``schema``, ``json``, ``tools`` or ``plain``."""
        if "tools" in self.body:
            return "tools"
        wanted = self.body.get("response_format")
        return "plain" if wanted is None else "schema" if wanted["type"] == "json_schema" else "json"

    @property
    def repairs(self) -> bool:
        """Whether the model is asked to repair its previous answer."""
        last = self.turns[-1]["content"]
        text = last if isinstance(last, str) else "".join(part.get("text", "") for part in last)
        return "Send the whole JSON object again" in text


def suiting(call: Call) -> dict[str, Any]:
    """Return an answer that fits the schema; the same call gets the same."""
    digest = hashlib.sha256((call.persona + json.dumps(call.turns[-1])).encode()).digest()
    told: dict[str, Any] = {}
    for name, schema in call.schema["properties"].items():
        told[name] = _value(schema, digest[0], call)
    return told


def _value(schema: Mapping[str, Any], draw: int, call: Call) -> Any:
    schema = schema.get("anyOf", [schema])[0]
    if "enum" in schema:
        return schema["enum"][draw % len(schema["enum"])]
    if schema["type"] == "array":
        return list(schema["items"]["enum"])
    if schema["type"] in ("integer", "number"):
        return 1 + draw % 5
    return f"I would say number {draw}, as I see it."


class ModelServer:
    """The server; it counts what is under way, and remembers what it was sent.

    Attributes
    ----------
    says : callable
        Gives the object that a call is answered with.
    fault : callable
        Gives the fault of the n-th call, counted from 0, or None.
    takes_s, retry_after : float
        How long an answer takes, and how long a busy server wants to be left alone, in seconds.
    plain : bool
        Whether it takes no schemas, as some servers do.
    character : callable or None
        Answers the n-th call instead, counted from 0, without looking at keys; see ``odd_servers``.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.says: Callable[[Call], Any] = suiting
        self.fault: Callable[[int, Call], str | None] = lambda number, call: None
        self.takes_s = 0.0
        self.retry_after: float = 1
        self.plain = False
        self.character: Callable[[Call, int], Answer] | None = None
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._ending = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                owner.handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_: Any) -> None:
                """The other side has gone; that is its right."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.root}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        call = Call(handler.path, dict(handler.headers.items()), body, time.monotonic())
        with self._lock:
            number = len(self.calls)
            self.calls.append(call)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            answer = self._answer(handler, call, number, self.fault(number, call))
        finally:
            with self._lock:  # before it is sent: then the next call may come
                self._at_once -= 1
        if answer is None:
            handler.close_connection = True
        else:
            _send(handler, *answer)

    def _until_gone(self, handler: BaseHTTPRequestHandler) -> None:
        """Say nothing until the other side hangs up."""
        while not self._ending.is_set():
            readable, _, _ = select.select([handler.connection], [], [], 0.05)
            if readable and not handler.connection.recv(1, socket.MSG_PEEK):
                return

    def _answer(
        self, handler: BaseHTTPRequestHandler, call: Call, number: int, fault: str | None
    ) -> Answer | None:
        self._ending.wait(self.takes_s)
        if self.character is not None:
            status, content, headers = self.character(call, number)
            if status == HANGS:
                self._until_gone(handler)
                return None
            return status, content, headers
        if fault == "hang":
            self._until_gone(handler)
        if fault in ("hang", "drop"):
            return None
        if fault == "slow":
            self._ending.wait(0.3)
        if KEY not in (handler.headers.get("Authorization") or "") + (handler.headers.get("x-api-key") or ""):
            said = {"message": f"Incorrect API key provided: {KEY[:8]}***.", "code": "invalid_api_key"}
            return answered(401, {"error": said})
        if self.plain and "response_format" in call.body:
            said = {
                "message": "response_format json_schema is not supported",
                "type": "invalid_request_error",
            }
            return answered(400, {"error": said})
        if fault == "busy":
            error = {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}
            return answered(429, {"error": error}, {"Retry-After": str(self.retry_after)})
        if fault in _REFUSALS:
            status, error = _REFUSALS[fault]
            return answered(status, {"error": error})
        if fault == "garbled":
            return answered(200, b'{"id": "chatcmpl-1", "choi')
        text = json.dumps({"answer": 7} if fault == "wrong" else self.says(call))
        text = text[: len(text) // 2] if fault == "broken" else text
        made = _anthropic(call, text) if call.path.endswith("/messages") else openai_body(call, text)
        return answered(200, made | _ODDITIES.get(fault or "", {}))


def answered(
    status: int, body: Mapping[str, Any] | bytes, headers: Mapping[str, str] | None = None
) -> Answer:
    return status, body if isinstance(body, bytes) else json.dumps(body).encode(), headers or {}


def openai_body(call: Call, text: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if "tools" in call.body:
        asked = {"name": call.body["tools"][0]["function"]["name"], "arguments": text}
        message = {"role": "assistant", "content": None}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": asked}]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_795_000_000,
        "model": call.body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 400, "completion_tokens": 50, "total_tokens": 450},
    }


def _anthropic(call: Call, text: str) -> dict[str, Any]:
    content: dict[str, Any] = {"type": "text", "text": text}
    if "tools" in call.body:
        name = call.body["tools"][0]["name"]
        content = {"type": "tool_use", "id": "toolu_1", "name": name, "input": json.loads(text)}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": call.body["model"],
        "content": [content],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 400, "output_tokens": 50},
    }


def _send(handler: BaseHTTPRequestHandler, status: int, content: bytes, headers: Mapping[str, str]) -> None:
    handler.send_response(status)
    given = {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}
    for name, value in given.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)
    if int(given["Content-Length"]) > len(content):
        handler.close_connection = True
