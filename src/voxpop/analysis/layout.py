"""Layout of tables: text with box lines, stacked if too wide, and HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise
from typing import Literal

from voxpop.analysis.page import caption, foot, framed
from voxpop.vocabulary.markup import escaped

WIDTH = 80
"""Width of a printed table in characters; groups of columns that do not fit are printed below."""

_HEAD = 15
_LABEL = 30


@dataclass(frozen=True, slots=True)
class Head:
    """The heading of a column: its group, its label, and the mark of a small base."""

    group: str
    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its label and its formatted figures."""

    label: str
    cells: Sequence[str]
    kind: Literal["base", "code", "part", "stat", "missing", "heading"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table laid out for display."""

    title: str
    terms: str
    heads: Sequence[Head]
    groups: Mapping[str, str]
    lines: Sequence[Line]
    notes: Sequence[str]


def text_of(grid: Grid) -> str:
    """Draw a grid with box lines."""
    labels = [line.label for line in grid.lines]
    label_width = min(_LABEL, max((len(label) for label in labels), default=1))
    widths = [_width(grid, place) for place in range(len(grid.heads))]
    title = textwrap.wrap(grid.title, WIDTH) or [""]
    parts = [*title, *textwrap.wrap(grid.terms, WIDTH)]
    for block in _blocks(grid, label_width, widths):
        parts += ["", *_draw(grid, block, label_width, widths)]
    return "\n".join([*parts, "", *_wrapped(grid.notes)])


def _wrapped(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        yield from textwrap.wrap(note, WIDTH, subsequent_indent="  ")


def _told(head: Head) -> str:
    return f"{head.label} {head.mark}".strip()


def _words(head: Head) -> list[str]:
    return textwrap.wrap(_told(head), max(_HEAD, len(head.mark))) or [""]


def _width(grid: Grid, place: int) -> int:
    cells = (len(line.cells[place]) for line in grid.lines)
    return max(*map(len, _words(grid.heads[place])), *cells, 5)


def _group_widths(places: Sequence[int], name: str, widths: Sequence[int]) -> int:
    return max(sum(widths[place] + 2 for place in places), len(name) + 2)


def _runs(grid: Grid) -> list[tuple[str, list[int]]]:
    """Return the groups of columns in order, each with the positions of its columns."""
    numbered = groupby(enumerate(grid.heads), key=lambda pair: pair[1].group)
    return [(name, [place for place, _ in run]) for name, run in numbered]


def _blocks(grid: Grid, label_width: int, widths: Sequence[int]) -> list[list[tuple[str, list[int]]]]:
    """Pack groups side by side while they fit; split a group that is wider than the page."""
    room = WIDTH - label_width - 5
    pieces = [(name, piece) for name, places in _runs(grid) for piece in _cut(places, name, widths, room)]
    blocks: list[list[tuple[str, list[int]]]] = [[]]
    used = 0
    for name, places in pieces:
        size = _group_widths(places, name, widths) + 1
        if blocks[-1] and used + size > room:
            blocks.append([])
            used = 0
        blocks[-1].append((name, places))
        used += size
    return blocks


def _cut(places: Sequence[int], name: str, widths: Sequence[int], room: int) -> list[list[int]]:
    """Split a group into the fewest, nearly equal pieces that fit."""
    for many in range(1, len(places) + 1):
        ends = [round(len(places) * part / many) for part in range(many + 1)]
        pieces = [list(places[start:end]) for start, end in pairwise(ends)]
        if all(_group_widths(piece, name, widths) <= room for piece in pieces):
            return pieces
    return [[place] for place in places]


def _draw(
    grid: Grid, block: Sequence[tuple[str, list[int]]], label_width: int, widths: Sequence[int]
) -> Iterator[str]:
    sizes = [_group_widths(places, name, widths) for name, places in block]

    def rule(left: str, cross: str, right: str) -> str:
        return left + cross.join("─" * size for size in (label_width + 2, *sizes)) + right

    def row(label: str, groups: Sequence[str]) -> str:
        return "│" + "│".join((f" {label:<{label_width}} ", *groups)) + "│"

    def cells(places: Sequence[int], texts: Sequence[str], size: int) -> str:
        return "".join(f" {texts[place]:>{widths[place]}} " for place in places).rjust(size)

    yield rule("┌", "┬", "┐")
    if any(name != "Total" for name, _ in block):
        names = ["" if name == "Total" else name for name, _ in block]
        yield row("", [f" {name:<{size - 1}}" for name, size in zip(names, sizes, strict=True)])
    words = [_words(head) for head in grid.heads]
    height = max(len(words[place]) for _, places in block for place in places)
    for depth in range(height):
        texts = [([""] * (height - len(word)) + word)[depth] for word in words]
        yield row("", [cells(places, texts, size) for (_, places), size in zip(block, sizes, strict=True)])
    kind = None
    for line in grid.lines:
        if line.kind != kind:
            yield rule("├", "┼", "┤")
            kind = line.kind
        drawn = [cells(places, line.cells, size) for (_, places), size in zip(block, sizes, strict=True)]
        first, *rest = textwrap.wrap(line.label, label_width) or [""]
        yield row(first, drawn)
        for more in rest:
            yield row(f"  {more}"[:label_width], [" " * size for size in sizes])
    yield rule("└", "┴", "┘")


def html_of(grid: Grid, *, pick: bool = False) -> str:
    """Render a grid as one HTML table with caption and scopes, in its own frame.

    With ``pick`` each figure that counts respondents is a button, for a page that handles clicks. It names
    its row in ``data-row`` and the position of its column in ``data-place``.
    """
    runs = _runs(grid)
    starts = {places[0] for _, places in runs[1:]}
    parts = ['<table class="voxpop-table">', caption(grid.title, grid.terms), *_html_heads(grid, runs)]
    for kind, lines in groupby(grid.lines, key=lambda line: line.kind):
        parts.append(f'<tbody class="{kind}">')
        for line in lines:
            if line.kind == "heading":
                label = escaped(line.label)
                parts.append(f'<tr><th scope="rowgroup" colspan="{len(grid.heads) + 1}">{label}</th></tr>')
                continue
            cells = "".join(
                f"<td{_classes(grid.heads[place], place in starts)}>"
                f"{_button(grid, line, place) if pick and line.kind in _COUNTED else _figure(cell)}</td>"
                for place, cell in enumerate(line.cells)
            )
            parts.append(f'<tr><th scope="row">{escaped(line.label)}</th>{cells}</tr>')
        parts.append("</tbody>")
    return framed("\n".join([*parts, foot(grid.notes, len(grid.heads) + 1), "</table>"]))


_COUNTED = ("code", "part", "missing")
"""Kinds of lines whose figures count respondents."""


def _button(grid: Grid, line: Line, place: int) -> str:
    """Render a cell as a button that is named by its row, column and figure."""
    cell, head = line.cells[place], grid.heads[place]
    if not cell.strip():
        return ""
    named = escape(f"Show who: {line.label}, {_told(head)}, {cell}")
    at = f'data-row="{escape(line.label)}" data-place="{place}"'
    return f'<button type="button" {at} aria-label="{named}">{_figure(cell)}</button>'


def _figure(cell: str) -> str:
    """Render a cell; letters get a fixed width, so that figures align."""
    figure, _, rest = cell.partition(" ")
    if not rest:
        return escaped(cell)
    room = f'class="letters" style="width: {0.8 * len(rest):.1f}em"'
    return f"{escaped(figure)}<span {room}> {escaped(rest.strip())}</span>"


def _html_head(head: Head) -> str:
    """Render the heading of a column, with its letter and mark on a separate line."""
    label, opened, letter = head.label.rpartition(" (")
    if not (opened and letter.rstrip(")").isupper() and letter.endswith(")")):
        return escaped(_told(head))
    return f'{escaped(label)} <span class="letter">({escaped(f"{letter} {head.mark}".strip())}</span>'


_NO_HEAD = Head("", "", "")


def _classes(head: Head, first: bool) -> str:
    names = [*(["first"] if first else []), *(["unsure"] if head.mark == "**" else [])]
    return f' class="{" ".join(names)}"' if names else ""


def _html_heads(grid: Grid, runs: Sequence[tuple[str, list[int]]]) -> Iterator[str]:
    starts = {places[0] for _, places in runs[1:]}
    yield "<thead>"
    if any(name != "Total" for name, _ in runs):
        groups = "".join(
            f'<th scope="colgroup" colspan="{len(places)}" title="{escape(name)}"'
            f"{_classes(_NO_HEAD, places[0] in starts)}>"
            f"<span>{'' if name == 'Total' else escaped(grid.groups.get(name) or name)}</span></th>"
            for name, places in runs
        )
        yield f"<tr><td></td>{groups}</tr>"
    heads = "".join(
        f'<th scope="col"{_classes(head, place in starts)}>{_html_head(head)}</th>'
        for place, head in enumerate(grid.heads)
    )
    yield f"<tr><td></td>{heads}</tr>"
    yield "</thead>"
