"""HTML pages without scripts, with one base template, stylesheet and set of headers."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.vocabulary.question_types import QUESTION_TYPES, shape_of

if TYPE_CHECKING:
    from jinja2 import Environment

NOTE = "Simulated agents: not evidence about people"

MOST_COLUMNS = 11
# Control characters, and characters that override the text direction.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")
_TEMPLATES = Path(__file__).parent / "templates"
_FORM_TARGET = re.compile(
    r"'self'|https?://[A-Za-z0-9.\-]+(:[0-9]{1,5})?|https?://\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?"
)


def render_page(template: str, **values: Any) -> str:
    """Return a page as a complete HTML document.

    The page loads nothing; its inline style is allowed by the hash in :func:`page_headers`. Every value is
    escaped. Callers shorten long values with :func:`clip`.

    Parameters
    ----------
    template
        The file name of a template that extends ``base.html``.
    values
        Values of the template; a missing name is an error.
    """
    return _environment().get_template(template).render(style=_style(), note=NOTE, **values)


def page_headers(*, forms_to: Sequence[str] = ()) -> dict[str, str]:
    """Return the response headers of a page, including its content security policy.

    Parameters
    ----------
    forms_to
        Allowed targets and redirect targets of forms: ``'self'`` (in quotes) and origins such as
        ``https://shop.example``.

    Examples
    --------
    >>> page_headers()["Content-Security-Policy"].split("; ")[0]
    "default-src 'none'"
    >>> page_headers(forms_to=["'self'"])["Content-Security-Policy"].split("; ")[4]
    "form-action 'self'"
    """
    for target in forms_to:
        if not _FORM_TARGET.fullmatch(target):
            raise ValueError(f"{target!r} is not an origin that a form can be sent to.")
    allowed = " ".join(forms_to) or "'none'"
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{digest}'",
            "img-src data:",
            "base-uri 'none'",
            f"form-action {allowed}",
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


def clip(text: str | None, width: int) -> str:
    """Return a text as one line without control characters, cut at a word boundary.

    Examples
    --------
    >>> clip("one\\x00 two  three", 9)
    'one two…'
    """
    line = " ".join(_UNPRINTABLE.sub(" ", (text or "")[: 4 * width]).split())
    if len(line) <= width:
        return line
    return (line[: width - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") or line[: width - 1]) + "…"


@cache
def _style() -> str:
    return (_TEMPLATES / "page.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # imported where used

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
        "several": _several,
        "plural": _plural,
    }
    return environment


def _percent(share: float | None) -> str:
    """Format a share with one decimal, rounding half up."""
    return "–" if share is None else f"{_half_up(share * 1000) / 10:.1f}%"


def _whole(share: float | None) -> str:
    """Format a share as whole percent, rounding half up."""
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


def _several(question: dict[str, Any]) -> bool:
    """Return whether each agent can give several answers."""
    shape = shape_of(question["type"])
    return shape is not None and shape.several


def _shape(question: dict[str, Any]) -> str:
    """Return the chart kind of a question: ``columns`` for short scales, ``bars`` for codes, or ``none``."""
    if not question["distribution"] or not question["base"]:
        return "none"
    row = QUESTION_TYPES.get(question["type"])
    chart = "bars" if row is None else row.chart
    short = len(question["distribution"]) <= MOST_COLUMNS
    return chart if chart != "columns" or short else "bars"
