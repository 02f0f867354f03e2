"""The service's operations as tools for language models, over any httpx transport.

Importing this package loads no MCP library; ``server`` alone does.
"""

from __future__ import annotations
