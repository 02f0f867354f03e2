"""Layout of lists of words, quotes and figures, as text and HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxpop.analysis.layout import WIDTH
from voxpop.analysis.page import caption, foot, framed
from voxpop.vocabulary.markup import escaped


@dataclass(frozen=True, slots=True)
class Heading:
    """A column heading; text is left-aligned and wrapped to its width, figures are right-aligned."""

    label: str
    width: int
    text: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Rows with an optional title above them."""

    title: str
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list laid out for display."""

    title: str
    terms: str
    headings: Sequence[Heading]
    sections: Sequence[Section]
    notes: Sequence[str]


def text_of(listing: Listing) -> str:
    """Draw a list with box lines."""
    widths = [heading.width for heading in listing.headings]
    inner = sum(width + 2 for width in widths)

    def rule(left: str, right: str) -> str:
        return f"{left}{'─' * inner}{right}"

    parts = [*(textwrap.wrap(listing.title, WIDTH) or [""]), *textwrap.wrap(listing.terms, WIDTH), ""]
    parts += [rule("┌", "┐"), *_row(listing.headings, [heading.label for heading in listing.headings])]
    for section in listing.sections:
        parts.append(rule("├", "┤"))
        if section.title:
            parts += [f"│ {line:<{inner - 2}} │" for line in textwrap.wrap(section.title, inner - 2)]
        for row in section.rows:
            parts += _row(listing.headings, row)
    parts += [rule("└", "┘"), ""]
    for note in listing.notes:
        parts += textwrap.wrap(note, WIDTH, subsequent_indent="  ")
    return "\n".join(parts)


def _row(headings: Sequence[Heading], cells: Sequence[str]) -> Iterator[str]:
    wrapped = [
        textwrap.wrap(cell, heading.width) or [""] for heading, cell in zip(headings, cells, strict=True)
    ]
    for depth in range(max(map(len, wrapped))):
        line = []
        for heading, lines in zip(headings, wrapped, strict=True):
            cell = lines[depth] if depth < len(lines) else ""
            line.append(f" {cell:<{heading.width}} " if heading.text else f" {cell:>{heading.width}} ")
        yield f"│{''.join(line)}│"


def html_of(listing: Listing) -> str:
    """Render a list as one HTML table with caption and scopes, in its own frame."""
    wide = len(listing.headings)
    heads = "".join(
        f'<th scope="col"{_TEXT if heading.text or not place else ""}>{escaped(heading.label)}</th>'
        for place, heading in enumerate(listing.headings)
    )
    parts = [
        '<table class="voxpop-table voxpop-list">',
        caption(listing.title, listing.terms),
        f"<thead><tr>{heads}</tr></thead>",
    ]
    for section in listing.sections:
        parts.append("<tbody>")
        if section.title:
            parts.append(f'<tr><th scope="rowgroup" colspan="{wide}">{escaped(section.title)}</th></tr>')
        parts += [_html_row(listing.headings, row) for row in section.rows]
        parts.append("</tbody>")
    return framed("\n".join([*parts, foot(listing.notes, wide), "</table>"]))


_TEXT = ' class="text"'


def _html_row(headings: Sequence[Heading], cells: Sequence[str]) -> str:
    first, *rest = cells
    made = f'<th scope="row">{escaped(first)}</th>'
    for heading, cell in zip(headings[1:], rest, strict=True):
        kind = f'{_TEXT} style="min-width: {heading.width // 2}ch"' if heading.text else ""
        made += f"<td{kind}>{escaped(cell)}</td>"
    return f"<tr>{made}</tr>"
