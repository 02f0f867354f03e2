"""What deserves a look but stops nothing."""

from __future__ import annotations

from voxpop.errors import FieldworkWarning

__all__ = ["FieldworkWarning"]
