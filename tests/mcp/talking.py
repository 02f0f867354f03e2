"""The official client as the tests use it: one call, its outcome as plain data."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from mcp import Client, StdioServerParameters

T = TypeVar("T")
Errors = dict[str, Any]


class ToolError(Exception):
    """The error text of a tool call."""

    def __init__(self, error: Errors) -> None:
        super().__init__(error["message"])
        self.error = error


def outcome(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content; the first text says the same, word for word."""
    assert json.loads(result.content[0].text) == result.structured_content
    if result.is_error:
        assert set(result.structured_content) == {"error"}
        raise ToolError(result.structured_content["error"])
    assert result.content[1].text
    return result.structured_content


@dataclass(frozen=True)
class Talk:
    """A caller of `/mcp` at a service."""

    root_url: str
    key: str
    mode: str = "auto"

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its outcome, or raise its error."""
        return outcome(self.with_client(lambda client: client.call_tool(tool, arguments)))

    def text(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return what it says in words."""
        return self.with_client(lambda client: client.call_tool(tool, arguments)).content[1].text

    def with_client(self, do: Callable[[Client], Awaitable[T]]) -> T:
        """Do something with a connected client."""

        async def run() -> T:
            headers = {"Authorization": f"Bearer {self.key}"}
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                over = streamable_http_client(f"{self.root_url}/mcp", http_client=http)
                async with Client(over, mode=self.mode) as client:
                    return await do(client)

        return asyncio.run(run())


def over_stdio(do: Callable[[Client], Awaitable[T]], *arguments: str, **environment: str) -> T:
    """Do something with a client of `voxpop mcp` as a process of its own."""

    async def run() -> T:
        kept = {name: value for name, value in os.environ.items() if name.startswith("VOXPOP_")}
        process = StdioServerParameters(
            command=sys.executable, args=["-m", "voxpop", "mcp", *arguments], env=kept | environment
        )
        async with Client(process) as client:
            return await do(client)

    return asyncio.run(run())
