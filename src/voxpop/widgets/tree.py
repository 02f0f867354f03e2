"""View trees: elements that are sent to the browser, or written as HTML and plain text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from voxpop.vocabulary.markup import escaped

_RENAMED = {"class_": "class", "for_": "for"}
_STILL = {tag: " style='text-align:left'" for tag in ("th", "td", "caption")}
_STILL["pre"] = " style='font-family:monospace'"
_BLOCKS = {"h2", "h3", "h4", "p", "li", "pre", "caption", "summary"}


@dataclass(frozen=True, slots=True)
class Node:
    """An element.

    Attributes
    ----------
    tag : str
        HTML name.
    attrs : dict
        HTML attributes, and attributes of the view: ``on`` (action), ``at`` (argument of the action),
        ``key``, ``value``, ``checked``, ``open``, ``vars``, ``ticks``.
    children : tuple of Node and str
        Child elements and texts.
    """

    tag: str
    attrs: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[Node | str, ...] = ()

    def to_json(self) -> list[Any]:
        """Return the element in the form of the view: ``[tag, attributes, ...children]``."""
        inside = [kid if isinstance(kid, str) else kid.to_json() for kid in self.children]
        return [self.tag, dict(self.attrs), *inside]

    def walk(self) -> Iterator[Node]:
        """Yield the element and all its descendants, in reading order."""
        yield self
        for kid in self.children:
            if isinstance(kid, Node):
                yield from kid.walk()

    def words(self) -> str:
        """Return the text content in one line."""
        parts = [kid if isinstance(kid, str) else kid.words() for kid in self.children]
        return " ".join(" ".join(parts).split())


Kid = Node | str | None | Iterable[Any]


def h(tag: str, *children: Kid, **attrs: Any) -> Node:
    """Return an element; None and False are omitted, ``class_`` means class, ``aria_live`` aria-live.

    Examples
    --------
    >>> h("p", "Ready", None, role="status", hidden=False).to_json()
    ['p', {'role': 'status'}, 'Ready']
    """
    kept: dict[str, Any] = {}
    for name, value in attrs.items():
        if value is None or (value is False and name not in ("checked", "open", "at")):
            continue
        plain = name in ("on", "at", "checked", "open", "vars", "ticks", "live", "key")
        kept[_RENAMED.get(name, name.replace("_", "-"))] = (
            value if plain else "" if value is True else str(value)
        )
    return Node(tag, kept, tuple(_flat(children)))


def _flat(children: Iterable[Kid]) -> Iterator[Node | str]:
    for kid in children:
        if isinstance(kid, str | Node):
            yield kid
        elif kid is not None:
            yield from _flat(kid)


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[Any]], numbers: int = 0) -> Node:
    """Return a table with a caption; the first cell of each row is its header.

    Parameters
    ----------
    caption : str
        Caption of the table.
    heads : list of str
        Column names.
    rows : list of lists
        Cells: texts, numbers or elements.
    numbers : int
        Number of columns, from the right, that hold numbers.
    """
    named = list(heads)
    right = len(named) - numbers

    def cell(place: int, value: Any) -> Node:
        shown = value if isinstance(value, Node) else f"{value:,}" if isinstance(value, int) else str(value)
        look = "vxp-number" if place >= right else None
        return h("td", shown, class_=look) if place else h("th", shown, scope="row")

    head = [
        h("th", name, scope="col", class_="vxp-number" if at >= right else None)
        for at, name in enumerate(named)
    ]
    body = [h("tr", [cell(at, value) for at, value in enumerate(row)]) for row in rows]
    return h("table", h("caption", caption), h("thead", h("tr", head)), h("tbody", body))


def html_of(node: Node | str) -> str:
    """Return a tree as HTML that needs no styles or scripts.

    Examples
    --------
    >>> html_of(h("p", "a < b ", h("b", "bold"), key="x"))
    '<p>a &lt; b <b>bold</b></p>'
    """
    if isinstance(node, str):
        return escaped(node)
    style = _STILL.get(node.tag, "")
    scope = f" scope='{node.attrs['scope']}'" if "scope" in node.attrs else ""
    return f"<{node.tag}{scope}{style}>{''.join(map(html_of, node.children))}</{node.tag}>"


def text_of(node: Node | str) -> str:
    """Return a tree as plain text: one line per block, tables in columns.

    Examples
    --------
    >>> print(text_of(h("div", h("h3", "Group"), table("Who", ["state", "agents"], [["CA", 12]], 1))))
    Group
    Who
    state  agents
    CA         12
    """
    return "\n".join(_lines(node))


def _lines(node: Node | str) -> Iterator[str]:
    if isinstance(node, str):
        if node.strip():
            yield node
    elif node.tag == "table":
        yield from _columns(node)
    elif node.tag == "pre":
        yield from "".join(kid for kid in node.children if isinstance(kid, str)).splitlines()
    elif node.tag in _BLOCKS:
        bullet = "- " if node.tag == "li" else ""
        yield f"{bullet}{node.words()}"
    else:
        for kid in node.children:
            yield from _lines(kid)


def _columns(node: Node) -> Iterator[str]:
    rows = [
        [
            (cell.words(), "vxp-number" in cell.attrs.get("class", ""))
            for cell in row.children
            if isinstance(cell, Node)
        ]
        for row in node.walk()
        if row.tag == "tr"
    ]
    widths = [max(_width(row[at][0]) for row in rows) for at in range(len(rows[0]))]
    yield from (kid.words() for kid in node.walk() if kid.tag == "caption")
    for row in rows:
        padded = [
            " " * (width - _width(text)) + text if right else text + " " * (width - _width(text))
            for (text, right), width in zip(row, widths, strict=True)
        ]
        yield "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)
