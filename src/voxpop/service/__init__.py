"""The HTTP service: FastAPI over the records, one thin router per family."""

from __future__ import annotations
