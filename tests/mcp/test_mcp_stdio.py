"""`voxpop mcp` as a process: for a served service, for the embedded one, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from talking import outcome, over_stdio

from mcp import Client
from served_service import Served
from voxpop.cli import main

ENDINGS = [(None, 0), (signal.SIGTERM, 0), (signal.SIGINT, 130)]
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("mcp-served"))
    yield running
    running.close()


async def session(client: Client) -> dict[str, Any]:
    """Recruit, ask and read the results, as a model would."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        return outcome(await client.call_tool(tool, arguments))

    group = (await call("v1.research-groups.recruit", country="USA", drug_class="statin", group_size=12))[
        "group"
    ]
    study = (await call("v1.research-studies.create", title="Pills", research_group_uuid=group["uuid"]))[
        "study"
    ]
    await call(
        "v1.research-studies.ask",
        study_id=study["id"],
        question="Do you take a statin?",
        poll_timeout_seconds=60,
    )
    return await call("v1.research-studies.results", study_id=study["id"])


def test_a_session_with_a_service_elsewhere(served: Served) -> None:
    key = served.key()
    results = over_stdio(session, "--base-url", served.root_url, VOXPOP_API_KEY=key)
    assert results["questions"][0]["distribution"] == [{"value": True, "count": 12, "share": 1.0}]
    assert results["study"]["url"].startswith(served.base_url)
    assert key not in served.log.read_text()


def test_a_session_with_the_service_of_the_environment(served: Served) -> None:
    environment = {"VOXPOP_BASE_URL": served.base_url, "VOXPOP_API_KEY": served.key("studies:read")}

    async def denied(client: Client) -> Any:
        return (await client.call_tool("v1.research-groups.recruit", {"group_size": 3})).structured_content

    assert over_stdio(denied, **environment)["error"]["details"] == {"required_scope": "studies:write"}


def test_a_key_that_nobody_knows_and_a_service_that_is_not_there_are_tool_errors(served: Served) -> None:
    async def found(client: Client) -> Any:
        return (await client.call_tool("v1.agents.find", {"country": "USA"})).structured_content["error"]

    key = "vp_live_" + "0" * 43
    unknown = over_stdio(found, "--base-url", served.root_url, "--api-key", key)
    assert unknown == {"code": "unauthorized", "message": "The key is unknown or revoked."}
    nobody = over_stdio(found, "--base-url", "http://127.0.0.1:9", "--api-key", key)
    assert nobody["code"] == "connection_failed"
    assert "127.0.0.1:9" in nobody["message"]


def test_a_session_with_the_embedded_service_leaves_nothing(tmp_path: Path) -> None:
    results = over_stdio(session, TMPDIR=str(tmp_path))
    assert results["questions"][0]["distribution"] == [{"value": True, "count": 12, "share": 1.0}]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("number", "code"), ENDINGS, ids=["end of input", "SIGTERM", "SIGINT"])
def test_it_ends_soon_and_leaves_nothing(number: signal.Signals | None, code: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "voxpop", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(DISCOVER) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["jsonrpc"] == "2.0"
    if number is not None:
        process.send_signal(number)
        process.wait(10)
    out, told = process.communicate(timeout=10)
    assert (process.returncode, out, told) == (code, "", "")
    assert list(tmp_path.iterdir()) == []


def wrong(*arguments: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--base-url", "http://127.0.0.1:9"], "VOXPOP_API_KEY"),
        (["--api-key", "vp_live_x"], "--base-url"),
        (["--base-url", "127.0.0.1:9", "--api-key", "vp_live_x"], "must be an address"),
        (["--port", "9"], "--port"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", *arguments]) == 2
    out, line = capsys.readouterr()
    assert out == ""
    assert told in line
    assert len(line.splitlines()) == 1


def test_without_the_extra_it_is_one_line() -> None:
    code = "import sys; sys.modules['mcp'] = sys.modules['mcp_types'] = None\n"
    code += "from voxpop.cli import main; sys.exit(main(['mcp']))"
    assert wrong("-c", code) == (2, "voxpop: The MCP tools need an extra: pip install 'voxpop[mcp]'.\n")
