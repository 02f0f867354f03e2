"""Wire models, the JSON between toolkit and service: one module per family."""

from __future__ import annotations
