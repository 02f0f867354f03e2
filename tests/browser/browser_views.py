"""What the browser is shown, and what is remembered of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

ADDRESS = "http://pages.test/page"
HOSTILE = "<script>document.title='broken'</script>\"'><img src=x onerror=document.title='broken'>{{ 7*7 }}"
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"question": "Would you switch to a lower-sugar snack?", "type": "yes_no"},
    {"question": f"What would make you switch? {HOSTILE}", "type": "open"},
    {
        "question": "What counts most?",
        "type": "single_choice",
        "options": ["Price", f"Taste {HOSTILE}", "A short list of ingredients that I can read and pronounce"],
    },
    {"question": "Where do you buy?", "type": "multi_choice", "options": ["Store", "Online", "Market"]},
    {"question": "How likely are you to recommend it?", "type": "scale", "scale": {"min": 0, "max": 10}},
    {"question": "How much would you pay for a box, in dollars?", "type": "number"},
    {"question": "Rank them.", "type": "ranking", "options": ["Price", "Taste", "Ingredients"]},
)


@dataclass
class Seen:
    """A page in the browser, with what it asked for and what it complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
