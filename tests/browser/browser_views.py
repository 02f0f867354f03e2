"""Data shown in the browser, and the record of what a window loads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
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
    scripts: bool = True
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def overflow(page: Page) -> int:
    """Return by how many CSS pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def findings(page: Page, *rules: str) -> list[str]:
    """Return what axe finds that is serious or critical, with its places; by all its rules, or by some."""
    options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else None
    told = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in told
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
