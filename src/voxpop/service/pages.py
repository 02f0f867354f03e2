"""The share page: a study as one HTML page without scripts, readable on a phone and on paper."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.service.share_view import NOTE, TYPES, SharedStudy, share_json

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["NOTE", "SharedStudy", "render_share_page", "share_headers", "share_json"]

MOST_COLUMNS = 11
_TEMPLATES = Path(__file__).parent / "templates"


def render_share_page(data: SharedStudy) -> str:
    """Return the share page of a study as a whole HTML document.

    It loads nothing: the style stands inside the page and is allowed by :func:`share_headers` through its
    hash. All words of researchers and agents are escaped, and cut where they are too long to show.
    """
    page = share_json(data)
    return _environment().get_template("share.html").render(page=page, style=_style(), types=TYPES)


def share_headers() -> dict[str, str]:
    """Return the response headers that go with a share page, its content security policy among them.

    Examples
    --------
    >>> share_headers()["Content-Security-Policy"].split("; ")[0]
    "default-src 'none'"
    """
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{digest}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
        "X-Content-Type-Options": "nosniff",
    }


@cache
def _style() -> str:
    return (_TEMPLATES / "share.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # imported where used: no page, no cost

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": _percent,
        "whole": _whole,
        "number": _number,
        "day": _day,
        "shape": _shape,
        "plural": _plural,
    }
    return environment


def _percent(share: float | None) -> str:
    """Write a share with one decimal, half up."""
    return "–" if share is None else f"{_half_up(share * 1000) / 10:.1f}%"


def _whole(share: float | None) -> str:
    """Write a share as whole percent, half up."""
    return "–" if share is None else f"{_half_up(share * 100)}%"


def _half_up(value: float) -> int:
    return int(value + 0.5 + 1e-9)


def _number(value: float, unit: str | None = None) -> str:
    short = f"{value:,.2f}".rstrip("0").rstrip(".")
    if unit == "USD":
        return f"${short}" if value == int(value) else f"${value:,.2f}"
    return f"{short} {unit}" if unit else short


def _day(moment: str) -> str:
    date = datetime.fromisoformat(moment)
    return f"{date.day} {date:%B %Y}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _shape(question: dict[str, Any]) -> str:
    """Say how a question is drawn: ``columns`` for a short scale, ``bars`` for other codes, ``none``."""
    if not question["distribution"] or not question["base"]:
        return "none"
    short = question["type"] == "scale" and len(question["distribution"]) <= MOST_COLUMNS
    return "columns" if short else "bars"
