"""Escaping of texts of users and agents for other languages, with one function per context.

- HTML content, as shown in notebooks: :func:`escaped`
- an HTML attribute in double quotes, and pages without formula rendering: ``html.escape``
- a page of the service: Jinja escapes every value
- JSON inside a script of a page: :func:`script_json`
- Markdown: :func:`markdown`
- a cell of an Excel sheet: :func:`sheet_text`
- text or an attribute of an XML file: :func:`xml_text`
"""

from __future__ import annotations

import re
from html import escape

_DOLLAR = "<span>$</span>"
_IN_SCRIPT = {mark: f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LIKE_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
LONGEST_CELL = 32_767
_BLOCK = re.compile(r"^([#+\->=]|\d+(?=[.)]))")


def escaped(text: object) -> str:
    """Return a text escaped for HTML.

    Notebooks typeset text between two dollar signs as a formula, so prices and incomes would be garbled. Each
    dollar sign is therefore wrapped in its own element.

    Parameters
    ----------
    text : object
        The text, or an object to convert with ``str``.

    Examples
    --------
    >>> escaped("<b> costs $5")
    '&lt;b&gt; costs <span>$</span>5'
    """
    return escape(str(text)).replace("$", _DOLLAR)


def script_json(text: str) -> str:
    """Return JSON for use inside a ``<script>``: no string in it can end the script or start a comment.

    JSON has the replaced characters only inside strings, so its meaning does not change.

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
    """Return a text for a sheet cell, and whether the cell must be marked as text.

    The mark (Excel's ``quotePrefix``) keeps a text that starts like a formula from becoming one, even when a
    user edits the cell. The caller must also set the cell type to text. Characters that a sheet cannot hold
    are encoded as in Excel, and long texts are cut.

    Examples
    --------
    >>> sheet_text("=HYPERLINK(1)"), sheet_text("yes")
    (('=HYPERLINK(1)', True), ('yes', False))
    """
    plain = _CONTROL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    short = plain if len(plain) <= LONGEST_CELL else f"{plain[: LONGEST_CELL - 1]}…"
    return short, text.startswith(_LIKE_A_FORMULA)


def xml_text(text: object) -> str:
    """Return a text on one line for an element or a quoted attribute of an XML 1.0 file.

    Characters that XML cannot hold become the replacement character.

    Examples
    --------
    >>> print(xml_text('a "b" <c> & d'))
    a &quot;b&quot; &lt;c&gt; &amp; d
    """
    return escape(" ".join(_NOT_XML.sub("\ufffd", str(text)).split()))


def markdown(text: object) -> str:
    """Return a text as one line of literal Markdown, without headings, links, formulas or HTML.

    Parameters
    ----------
    text : object
        The text, or an object to convert with ``str``.

    Examples
    --------
    >>> print(markdown("# [Snacks](javascript:alert(1)) <b>"))
    \\# \\[Snacks\\](javascript:alert(1)) &lt;b&gt;
    """
    line = _MARKDOWN.sub(lambda found: f"\\{found[0]}", " ".join(str(text).split()))
    line = _BLOCK.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)
    return escape(line, quote=False).replace("\\&gt;", "&gt;")
