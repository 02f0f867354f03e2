"""Texts of users and agents put into other languages: one function per context, and nothing goes in without.

- HTML between tags, as notebooks show it: :func:`escaped`
- an HTML attribute in double quotes, and a page that loads no formulas: ``html.escape``
- a page of the service: Jinja escapes every value by itself
- JSON inside a script of a page: :func:`script_json`
- Markdown: :func:`markdown`
- a cell of an Excel sheet: :func:`sheet_text`
"""

from __future__ import annotations

import re
from html import escape

_DOLLAR = "<span>$</span>"
_IN_SCRIPT = {mark: f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LIKE_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
LONGEST_CELL = 32_767
_BLOCK = re.compile(r"^([#+\->=]|\d+(?=[.)]))")


def escaped(text: object) -> str:
    """Return a text as HTML.

    Notebooks typeset what stands between two dollar signs as a formula, prices and incomes too, unless each
    sign is an element of its own.

    Parameters
    ----------
    text : object
        The text, or something that is shown as its text.

    Examples
    --------
    >>> escaped("<b> costs $5")
    '&lt;b&gt; costs <span>$</span>5'
    """
    return escape(str(text)).replace("$", _DOLLAR)


def script_json(text: str) -> str:
    """Return JSON as it may stand inside a ``<script>``: no text in it can end the script or begin a comment.

    Outside of its texts JSON has none of the characters that are written otherwise, so it means the same.

    Parameters
    ----------
    text : str
        JSON.

    Examples
    --------
    >>> print(script_json('{"label": "</script>"}'))
    {"label": "\\u003c/script\\u003e"}
    """
    return "".join(_IN_SCRIPT.get(mark, mark) for mark in text)


def sheet_text(text: str) -> tuple[str, bool]:
    """Return a text as a cell of a sheet holds it, and whether the cell must be marked as a text.

    The mark (Excel's ``quotePrefix``) keeps what begins like a formula a text even when somebody edits the
    cell. Whoever writes the cell gives it the type of a text as well. Characters that a sheet has no place
    for are written as Excel does, and what is too long is cut.

    Examples
    --------
    >>> sheet_text("=HYPERLINK(1)"), sheet_text("yes")
    (('=HYPERLINK(1)', True), ('yes', False))
    """
    plain = _CONTROL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    short = plain if len(plain) <= LONGEST_CELL else f"{plain[: LONGEST_CELL - 1]}…"
    return short, text.startswith(_LIKE_A_FORMULA)


def markdown(text: object) -> str:
    """Return a text as one line of Markdown that shows just this text: no heading, link, formula or HTML.

    Parameters
    ----------
    text : object
        The text, or something that is shown as its text.

    Examples
    --------
    >>> print(markdown("# [Snacks](javascript:alert(1)) <b>"))
    \\# \\[Snacks\\](javascript:alert(1)) &lt;b&gt;
    """
    line = _MARKDOWN.sub(lambda found: f"\\{found[0]}", " ".join(str(text).split()))
    line = _BLOCK.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)
    return escape(line, quote=False).replace("\\&gt;", "&gt;")
