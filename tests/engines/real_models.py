"""The language models that may be called for real: those whose key is in the environment."""

from __future__ import annotations

import os

_MODELS = {"OPENAI_API_KEY": "openai:gpt-4o-mini", "ANTHROPIC_API_KEY": "anthropic:claude-haiku-4-5"}

REAL_ENGINES = [name for variable, name in _MODELS.items() if os.environ.get(variable)]
"""None on most machines, and in continuous integration: to call them costs money."""
