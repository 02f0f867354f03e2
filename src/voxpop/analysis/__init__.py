"""Frames and relations in, tables with their bases out."""

from __future__ import annotations

from voxpop.analysis.crosstab import crosstab
from voxpop.analysis.table import Table

__all__ = ["Table", "crosstab"]
