"""The MCP server: over stdio, or for one HTTP call at a time.

The only module that needs the extra ``mcp``; import it where it is used.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import httpx
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.types import Receive, Scope, Send

from voxpop.errors import ConnectionFailed, ServiceError
from voxpop.mcp.calls import Calls
from voxpop.mcp.tools import BY_NAME, INSTRUCTIONS, TOOLS
from voxpop.version import __version__
from voxpop.vocabulary.nearest import did_you_mean, nearest

TIMEOUT_S = 90.0
"""Timeout of one HTTP call in seconds; the service holds a call for up to a minute."""


async def serve_stdio(base_url: str, api_key: str) -> None:
    """Serve the tools over stdio until the input ends.

    Parameters
    ----------
    base_url
        Address of the service, ending in ``/v1``.
    api_key
        Key for it.
    """
    headers = {"Authorization": f"Bearer {api_key}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=TIMEOUT_S) as http:
        server = make_server(Calls(http))
        async with stdio_server() as (receive, send):
            await server.run(receive, send, server.create_initialization_options())


async def answer_http(
    calls: Calls, scope: Scope, receive: Receive, send: Send, *, max_body_bytes: int
) -> None:
    """Answer one HTTP call of the streamable transport as JSON, without a session.

    The caller of this function has already checked key, origin and limits.
    """
    manager = StreamableHTTPSessionManager(
        make_server(calls),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=max_body_bytes,
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)


def make_server(calls: Calls) -> Server[dict[str, Any]]:
    """Return an MCP server whose tools use the given calls."""

    async def list_tools(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed_tools())

    async def call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
        return await _called(calls, params.name, params.arguments or {})

    return Server(
        "voxpop",
        version=__version__,
        title="voxpop: audience research with synthetic participants",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


@cache
def listed_tools() -> list[Tool]:
    """Return the tools in the protocol's form."""
    return [
        Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.arguments(),
            output_schema=tool.output.model_json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                title=tool.title,
                read_only_hint=tool.reads,
                destructive_hint=False,
                idempotent_hint=tool.reads,
                open_world_hint=False,
            ),
        )
        for tool in TOOLS
    ]


async def _called(calls: Calls, name: str, arguments: dict[str, Any]) -> CallToolResult:
    tool = BY_NAME.get(name)
    if tool is None:
        hint = did_you_mean(nearest(name, BY_NAME)) or f"; the tools are {', '.join(BY_NAME)}"
        raise MCPError(INVALID_PARAMS, f"unknown tool {name[:60]!r}{hint}")
    try:
        outcome = await tool.call(calls, arguments)
    except ServiceError as error:
        return _failed(error.code, error.message, error.details)
    except ConnectionFailed as error:
        return _failed("connection_failed", str(error), {})
    return CallToolResult(
        content=[_text(json.dumps(outcome.content, ensure_ascii=False)), _text(outcome.told)],
        structured_content=outcome.content,
    )


def _failed(code: str, message: str, details: dict[str, Any]) -> CallToolResult:
    """Return a tool error with the body of the HTTP error."""
    error = {"code": code, "message": message} | ({"details": details} if details else {})
    told = {"error": error}
    return CallToolResult(
        content=[_text(json.dumps(told, ensure_ascii=False))], structured_content=told, is_error=True
    )


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
