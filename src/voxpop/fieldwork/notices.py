"""Warnings of the fieldwork functions."""

from __future__ import annotations

from voxpop.errors import FieldworkWarning

__all__ = ["FieldworkWarning"]
