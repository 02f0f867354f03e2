"""What travels as JSON between toolkit and service: one module of models per family."""

from __future__ import annotations
