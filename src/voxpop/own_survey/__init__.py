"""A user's own survey of people, from which agents answer: reading, saving, and honest intervals."""

from __future__ import annotations

from voxpop.own_survey.knowledge import Knowledge, knowledge
from voxpop.own_survey.share_table import Shares

__all__ = ["Knowledge", "Shares", "knowledge"]
