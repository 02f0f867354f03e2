"""Texts of users and agents put into other languages: one function per context, and nothing goes in without.

- HTML between tags, as notebooks show it: :func:`escaped`
- an HTML attribute in double quotes, and a page that loads no formulas: ``html.escape``
- a page of the service: Jinja escapes every value by itself
- JSON inside a script of a page: :func:`script_json`
- Markdown: :func:`markdown`
- a cell of an Excel sheet: ``voxpop.tables.excel.text_cell``
"""

from __future__ import annotations

import re
from html import escape

_DOLLAR = "<span>$</span>"
_IN_SCRIPT = {mark: f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]")
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
