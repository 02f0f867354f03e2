"""A server with the batch APIs of OpenAI (files and batches of responses) and Anthropic (message batches).

A batch ends after ``looks`` looks at it, or never while ``looks`` is None. What a line is answered with is
made from its schema; ``fault`` gives the n-th line, counted from 0 over all batches, ``expired``, ``busy``
or ``wrong`` (a value that does not fit) instead.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from model_server import KEY

CREATED = 1_795_000_000
_MESSAGE = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
WHEN = "2026-11-22T00:00:00Z"


def _suiting(schema: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, one in schema["properties"].items():
        kind = one.get("anyOf", [one])[0]
        told[name] = (
            kind["enum"][0] if "enum" in kind else 3 if kind["type"] != "string" else "I would say so."
        )
    return told


class BatchServer:
    """The server.

    Attributes
    ----------
    batches : dict of str to list
        The lines of each batch that was sent.
    looks : int or None
        Looks after which a batch ends.
    """

    def __init__(self) -> None:
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.looks: int | None = 1
        self.fault: Callable[[int], str | None] = lambda number: None
        self.refuses = False
        self._looked: dict[str, int] = {}
        self._files: dict[str, str] = {}
        self._lines = 0
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                owner.handle(self)

            do_GET = do_DELETE = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.root}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        keys = (handler.headers.get("Authorization") or "") + (handler.headers.get("x-api-key") or "")
        with self._lock:
            path = handler.path.partition("?")[0]
            status, told = (200, self._answer(handler.command, path, body)) if KEY in keys else (401, {})
            if self.refuses:
                status, told = 403, {"error": {"message": "No batches for you.", "type": "forbidden"}}
        content = told.encode() if isinstance(told, str) else json.dumps(told).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        kind = "application/octet-stream" if isinstance(told, str) else "application/json"
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        handler.wfile.write(content)

    def _answer(self, method: str, path: str, body: bytes) -> dict[str, Any] | str:
        if path == "/v1/files":
            return self._upload(body)
        if path == "/v1/batches":
            sent = json.loads(body)
            assert (sent["endpoint"], sent["completion_window"]) == ("/v1/responses", "24h")
            lines = [json.loads(line) for line in self._files[sent["input_file_id"]].splitlines()]
            return self._openai(self._new("batch", lines), sent["input_file_id"])
        if path == "/v1/messages/batches":
            return self._anthropic(self._new("msgbatch", json.loads(body)["requests"]))
        found = re.fullmatch(r"/v1/(batches|messages/batches|files)/([\w-]+)(/results|/content)?", path)
        assert found is not None, path
        kind, name, part = found.groups()
        if kind == "files":
            return (
                self._files[name] if part else {"id": name, "object": "file", "deleted": method == "DELETE"}
            )
        if part:
            return "\n".join(json.dumps(self._message(line)) for line in self.batches[name])
        self._looked[name] += 1
        return self._openai(name, f"file-in-{name}") if kind == "batches" else self._anthropic(name)

    def _upload(self, body: bytes) -> dict[str, Any]:
        text = body.decode()
        name = f"file-{len(self._files)}"
        self._files[name] = "\n".join(re.findall(r'^\{"custom_id".*$', text.replace("\r", ""), re.M))
        assert 'name="purpose"\n\nbatch' in text.replace("\r", "")
        return {
            "id": name,
            "object": "file",
            "bytes": len(body),
            "created_at": CREATED,
            "filename": "batch.jsonl",
            "purpose": "batch",
            "status": "processed",
        }

    def _new(self, kind: str, lines: list[dict[str, Any]]) -> str:
        name = f"{kind}_{len(self.batches)}"
        self.batches[name], self._looked[name] = lines, 0
        assert len({line["custom_id"] for line in lines}) == len(lines)
        return name

    def _ended(self, name: str) -> bool:
        return self.looks is not None and self._looked[name] >= self.looks

    def _openai(self, name: str, file: str) -> dict[str, Any]:
        ended, lines = self._ended(name), self.batches[name]
        files: dict[str, str] = {}
        if ended and f"out-{name}" not in self._files:
            answered = [self._line(line) for line in lines]
            for kind, some in (
                ("out", [one for one in answered if one["error"] is None]),
                ("err", [one for one in answered if one["error"] is not None]),
            ):
                self._files[f"{kind}-{name}"] = "\n".join(json.dumps(one) for one in some)
        if ended:
            files = {"output_file_id": f"out-{name}", "error_file_id": f"err-{name}"}
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/responses",
            "errors": None,
            "input_file_id": file,
            "completion_window": "24h",
            "status": "completed" if ended else "in_progress",
            "created_at": CREATED,
            "request_counts": {"total": len(lines), "completed": len(lines) if ended else 0, "failed": 0},
            **files,
        }

    def _next_fault(self) -> str | None:
        self._lines += 1
        return self.fault(self._lines - 1)

    def _line(self, line: dict[str, Any]) -> dict[str, Any]:
        fault = self._next_fault()
        made = {"id": "batch_req_1", "custom_id": line["custom_id"], "response": None, "error": None}
        if fault == "expired":
            return made | {"error": {"code": "batch_expired", "message": "It could not be executed in time."}}
        if fault == "busy":
            error = {"error": {"message": "Slow down.", "type": "rate_limit_exceeded"}}
            return made | {"response": {"status_code": 429, "request_id": "r", "body": error}}
        told = {"answer": 7} if fault == "wrong" else _suiting(line["body"]["text"]["format"]["schema"])
        content = {"type": "output_text", "text": json.dumps(told), "annotations": []}
        body = {
            "id": "resp_1",
            "object": "response",
            "created_at": CREATED,
            "status": "completed",
            "model": line["body"]["model"],
            "output": [
                {
                    "type": "message",
                    "id": "m",
                    "role": "assistant",
                    "status": "completed",
                    "content": [content],
                }
            ],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 400,
                "output_tokens": 50,
                "total_tokens": 450,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
        return made | {"response": {"status_code": 200, "request_id": "r", "body": body}}

    def _anthropic(self, name: str) -> dict[str, Any]:
        ended, count = self._ended(name), len(self.batches[name])
        zero = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": zero | {"succeeded" if ended else "processing": count},
            "created_at": WHEN,
            "expires_at": WHEN,
            "ended_at": WHEN if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.root}/v1/messages/batches/{name}/results" if ended else None,
        }

    def _message(self, line: dict[str, Any]) -> dict[str, Any]:
        if self._next_fault() == "expired":
            return {"custom_id": line["custom_id"], "result": {"type": "expired"}}
        params = line["params"]
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": params["model"],
            "content": [
                {"type": "text", "text": json.dumps(_suiting(params["output_config"]["format"]["schema"]))}
            ],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 400, "output_tokens": 50},
        }
        return {"custom_id": line["custom_id"], "result": {"type": "succeeded", "message": message}}
