"""The output of `voxpop population report`, shared by the tests of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Reported:
    """The report on 5,000 agents: its text, its JSON and its page."""

    text: str
    record: dict[str, Any]
    page: Path
