"""Text as HTML that a notebook shows as it is: tags are no tags, and a dollar sign begins no formula."""

from __future__ import annotations

from html import escape

_DOLLAR = "<span>$</span>"


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
