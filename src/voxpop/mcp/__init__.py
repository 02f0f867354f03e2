"""MCP tools for the operations of the service, over any httpx transport.

Only the module ``server`` imports the MCP library.
"""

from __future__ import annotations
