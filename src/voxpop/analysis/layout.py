"""How a table looks: as text with box lines, stacked where it is too wide, and as HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise
from typing import Literal

from voxpop.vocabulary.markup import escaped

WIDTH = 80
"""Characters of a printed table; groups of columns that do not fit beside each other stand below."""

_HEAD = 15
_LABEL = 30


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: its group, its words, and a mark for a small base."""

    group: str
    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its label and the figures as they are printed."""

    label: str
    cells: Sequence[str]
    kind: Literal["base", "code", "part", "stat", "missing"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table laid out for print."""

    title: str
    terms: str
    heads: Sequence[Head]
    groups: Mapping[str, str]
    lines: Sequence[Line]
    notes: Sequence[str]


def text_of(grid: Grid) -> str:
    """Draw a grid with box lines."""
    labels = [line.label for line in grid.lines]
    label_width = min(_LABEL, max(len(label) for label in labels))
    widths = [_width(grid, place) for place in range(len(grid.heads))]
    title = textwrap.wrap(grid.title, WIDTH) or [""]
    parts = [*title, *textwrap.wrap(grid.terms, WIDTH)]
    for block in _blocks(grid, label_width, widths):
        parts += ["", *_draw(grid, block, label_width, widths)]
    return "\n".join([*parts, "", *_wrapped(grid.notes)])


def _wrapped(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        yield from textwrap.wrap(note, WIDTH, subsequent_indent="  ")


def _words(head: Head) -> list[str]:
    label = f"{head.label} {head.mark}".strip()
    return textwrap.wrap(label, max(_HEAD, len(head.mark))) or [""]


def _width(grid: Grid, place: int) -> int:
    cells = (len(line.cells[place]) for line in grid.lines)
    return max(*map(len, _words(grid.heads[place])), *cells, 5)


def _group_widths(places: Sequence[int], name: str, widths: Sequence[int]) -> int:
    return max(sum(widths[place] + 2 for place in places), len(name) + 2)


def _runs(grid: Grid) -> list[tuple[str, list[int]]]:
    """Return the groups of columns in order, each with its places."""
    numbered = groupby(enumerate(grid.heads), key=lambda pair: pair[1].group)
    return [(name, [place for place, _ in run]) for name, run in numbered]


def _blocks(grid: Grid, label_width: int, widths: Sequence[int]) -> list[list[tuple[str, list[int]]]]:
    """Pack groups beside each other while they fit; a group wider than the page is cut between columns."""
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
    """Cut a group into the fewest pieces that fit, as equal as they come."""
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


def html_of(grid: Grid) -> str:
    """Write a grid as one HTML table; its colours are those of the page around it."""
    runs = _runs(grid)
    parts = [
        '<table class="voxpop-table" style="border-collapse: collapse">',
        f'<caption style="text-align: left"><strong>{escaped(grid.title)}</strong><br>'
        f"{escaped(grid.terms)}</caption>",
        *_html_heads(grid, runs),
    ]
    for kind, lines in groupby(grid.lines, key=lambda line: line.kind):
        parts.append(f'<tbody class="{kind}" style="border-top: 1px solid">')
        for line in lines:
            cells = "".join(f'<td style="{_RIGHT}">{_kept(cell)}</td>' for cell in line.cells)
            parts.append(f'<tr><th scope="row" style="{_LEFT}">{escaped(line.label)}</th>{cells}</tr>')
        parts.append("</tbody>")
    notes = "<br>".join(escaped(note) for note in grid.notes)
    foot = (
        f'<tr><td colspan="{len(grid.heads) + 1}" style="text-align: left"><small>{notes}</small></td></tr>'
    )
    return "\n".join([*parts, f'<tfoot style="border-top: 1px solid">{foot}</tfoot>', "</table>"])


def _kept(cell: str) -> str:
    """Escape a cell; blanks behind it stay, as wide as digits, so that figures stand below each other."""
    return escaped(cell.rstrip()) + "&#8199;" * (len(cell) - len(cell.rstrip()))


_LEFT = "text-align: left; font-weight: normal"
_RIGHT = "text-align: right; white-space: nowrap"


def _html_heads(grid: Grid, runs: Sequence[tuple[str, list[int]]]) -> Iterator[str]:
    yield "<thead>"
    if any(name != "Total" for name, _ in runs):
        groups = "".join(
            f'<th scope="colgroup" colspan="{len(places)}" style="text-align: left" '
            f'title="{escape(grid.groups.get(name, name))}">{"" if name == "Total" else escaped(name)}</th>'
            for name, places in runs
        )
        yield f"<tr><td></td>{groups}</tr>"
    heads = "".join(
        f'<th scope="col" style="text-align: right">{escaped(f"{head.label} {head.mark}".strip())}</th>'
        for head in grid.heads
    )
    yield f"<tr><td></td>{heads}</tr>"
    yield "</thead>"
