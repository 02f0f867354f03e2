"""HTML tables with one style sheet that adopts the fonts and colours of the surrounding page."""

from __future__ import annotations

from collections.abc import Sequence

from voxpop.vocabulary.markup import escaped

_RULES = (
    # wide tables scroll in their own frame, not with the page
    (".voxpop", "overflow-x: auto; max-width: 100%"),
    (
        ".voxpop table.voxpop-table",
        "border-collapse: collapse; border: 0; margin: 0; width: auto; table-layout: auto; "
        "font-variant-numeric: tabular-nums lining-nums; line-height: 1.35",
    ),
    (
        ".voxpop table.voxpop-table caption",
        "caption-side: top; text-align: left; color: inherit; padding: 0 0 .6em 0",
    ),
    (".voxpop caption strong", "display: block; font-size: 1.15em; padding-bottom: .15em"),
    (".voxpop caption span.terms", "display: block; opacity: .75; max-width: min(64em, 80vw)"),
    # the surrounding page may stripe tables or highlight rows on hover
    (".voxpop table.voxpop-table tr:nth-child(n)", "background: none; border: 0"),
    (
        ".voxpop table.voxpop-table th, .voxpop table.voxpop-table td",
        "border: 0; background: none; color: inherit; padding: .15em .6em; text-align: right; "
        "vertical-align: baseline; white-space: nowrap; font-weight: normal; max-width: none",
    ),
    (
        ".voxpop table.voxpop-table th[scope^=row]",
        "text-align: left; white-space: normal; min-width: 9em; max-width: 24em; padding-left: 0",
    ),
    (
        ".voxpop table.voxpop-table th[scope=col]",
        "vertical-align: bottom; white-space: normal; min-width: 2.5em; max-width: 9em",
    ),
    (".voxpop table.voxpop-table :is(th, td).first", "padding-left: 1.6em"),
    (".voxpop th[scope=colgroup] span", "display: block; text-align: center; font-weight: bold"),
    (".voxpop th[scope=colgroup] span:not(:empty)", "border-bottom: 1px solid; padding-bottom: .2em"),
    (".voxpop table.voxpop-table thead", "border-top: 2px solid; border-bottom: 1px solid"),
    (".voxpop table.voxpop-table tbody + tbody > tr:first-child > *", "border-top: 1px solid #8886"),
    (".voxpop tbody.base, .voxpop tbody.missing", "font-size: .92em; opacity: .8"),
    (".voxpop table.voxpop-table tbody.heading th", "font-weight: bold; padding-top: .5em"),
    (".voxpop table.voxpop-table tbody.heading + tbody > tr:first-child > *", "border-top: 0"),
    (".voxpop table.voxpop-table tbody.heading + tbody th", "padding-left: 1em"),
    (".voxpop table.voxpop-table tbody.part th", "font-style: italic"),
    (".voxpop .letters", "display: inline-block; text-align: left; padding-left: .35em; font-weight: bold"),
    (".voxpop thead .letter", "display: block; white-space: nowrap"),
    (".voxpop td.unsure", "opacity: .6"),
    (".voxpop table.voxpop-table tfoot", "border-top: 2px solid"),
    (
        ".voxpop table.voxpop-table tfoot td",
        "text-align: left; white-space: normal; padding: .5em 0 0 0; font-size: .92em",
    ),
    (
        ".voxpop tfoot span",
        "display: block; opacity: .75; max-width: min(64em, 80vw); padding-left: 1em; text-indent: -1em",
    ),
    # lists of words and quotes
    (".voxpop table.voxpop-list tbody :is(th, td)", "vertical-align: top; padding: .3em .6em"),
    (".voxpop table.voxpop-list :is(th, td).text", "text-align: left; white-space: normal"),
    (".voxpop table.voxpop-list th[scope=rowgroup]", "font-weight: bold; max-width: none"),
)
STYLE = "\n".join(("<style>", *(f"{where} {{ {what} }}" for where, what in _RULES), "</style>"))
"""CSS of the tables. Without styles, tables stay readable: caption, scopes and letters are plain text."""


def framed(table: str) -> str:
    """Wrap a table in a frame with the style sheet.

    Examples
    --------
    >>> framed("<table></table>").endswith("<table></table></div>")
    True
    """
    return f'<div class="voxpop">\n{STYLE}\n{table}</div>'


def caption(title: str, terms: str) -> str:
    """Return the caption of a table: its question, and below it the terms of the figures.

    Examples
    --------
    >>> caption("Why?", "n=3")
    '<caption><strong>Why?</strong> <span class="terms">n=3</span></caption>'
    """
    return f'<caption><strong>{escaped(title)}</strong> <span class="terms">{escaped(terms)}</span></caption>'


def foot(notes: Sequence[str], columns: int) -> str:
    """Return the footer of a table with this number of columns, one line per note.

    Examples
    --------
    >>> foot(["Simulated."], 2)
    '<tfoot><tr><td colspan="2"><span>Simulated.</span></td></tr></tfoot>'
    """
    lines = "".join(f"<span>{escaped(note)}</span>" for note in notes)
    return f'<tfoot><tr><td colspan="{columns}">{lines}</td></tr></tfoot>'
