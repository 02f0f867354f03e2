"""Widget controls found by label and operated as a browser would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from voxpop.widgets.panel import Panel
from voxpop.widgets.tree import Node

CONTROLS = {"button", "input", "select", "textarea", "summary"}


class Hands:
    """Uses a widget through the tree that the browser is shown, and nothing else."""

    def __init__(self, widget: Panel) -> None:
        self.widget = widget
        self._seq = 0

    @property
    def tree(self) -> list[Any]:
        return self.widget._view["tree"]

    @property
    def text(self) -> str:
        """The visible text, in one line."""
        return words(self.tree)

    def controls(self) -> Iterator[tuple[str, list[Any]]]:
        """Give each control with its name."""
        labels = {node[1]["for"]: words(node) for node in walk(self.tree) if node[0] == "label"}
        for node in walk(self.tree):
            if node[0] in CONTROLS:
                attrs = node[1]
                own = words(node) if node[0] in ("button", "summary") else ""
                yield attrs.get("aria-label") or labels.get(attrs.get("id"), "") or own, node

    def find(self, name: str, *tags: str) -> list[Any]:
        """Return the control whose name is, or else begins with, or else holds these words."""
        found = [(called, node) for called, node in self.controls() if not tags or node[0] in tags]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            matching = [node for called, node in found if fits(called, name)]
            if matching:
                assert len(matching) == 1, f"{len(matching)} controls are called {name!r}"
                return matching[0]
        raise AssertionError(f"No control is called {name!r}; there are {[called for called, _ in found]}")

    def has(self, name: str) -> bool:
        return any(name in called for called, _ in self.controls())

    def press(self, name: str) -> None:
        """Press a button that can be pressed."""
        node = self.find(name, "button")
        assert node[1].get("aria-disabled") != "true", f"{name!r}: {node[1].get('title')}"
        self.send(node, None)

    def fill(self, name: str, value: str) -> None:
        self.send(self.find(name, "input", "textarea"), value)

    def choose(self, name: str, value: str) -> None:
        node = self.find(name, "select")
        assert value in [option[1]["value"] for option in node[2:]]
        self.send(node, value)

    def check(self, name: str, wanted: bool = True) -> None:
        node = self.find(name, "input")
        assert node[1]["type"] in ("checkbox", "radio")
        self.send(node, node[1]["value"] if node[1]["type"] == "radio" else wanted)

    def open(self, name: str) -> None:
        """Fold a part out."""
        summary = self.find(name, "summary")
        (details,) = [node for node in walk(self.tree) if node[0] == "details" and node[2] is summary]
        self.send(details, True)

    def pick(self, row: str, place: int) -> None:
        """Press the button of a figure inside a table."""
        (node,) = [node for node in walk(self.tree) if f'data-row="{row}"' in node[1].get("html", "")]
        assert f'data-row="{row}" data-place="{place}"' in node[1]["html"]
        self.send([node[0], {**node[1], "at": [row, place]}], None)

    def error_of(self, name: str) -> str:
        """Return the error tied to a control; it must say of itself that it is invalid."""
        node = self.find(name)
        assert node[1].get("aria-invalid") == "true"
        ids = node[1]["aria-describedby"].split()
        (told,) = [
            words(one) for one in walk(self.tree) if one[1].get("id") in ids and "error" in one[1]["id"]
        ]
        return told

    def region(self, role: str) -> list[str]:
        """Return what the places with a role say."""
        return [words(node) for node in walk(self.tree) if node[1].get("role") == role]

    def settle(self) -> None:
        """Let the widget's thread do what it has to."""
        self.widget._worker.hurry()
        assert self.widget._worker.idle(30)

    def send(self, node: list[Any], value: Any, buffers: list[bytes] | None = None) -> None:
        self._seq += 1
        content = {"do": node[1].get("on"), "at": node[1].get("at"), "value": value, "seq": self._seq}
        self.widget._handle_custom_msg(content, buffers or [])
        assert self.widget._view["seq"] == self._seq
        self.settle()


def walk(node: Any) -> Iterator[list[Any]]:
    if isinstance(node, list):
        yield node
        for kid in node[2:]:
            yield from walk(kid)


def words(node: Any) -> str:
    if isinstance(node, str):
        return node
    return " ".join(" ".join(words(kid) for kid in node[2:]).split())


def nodes(node: Node) -> Iterator[Node]:
    yield from node.walk()


def faults(tree: list[Any]) -> list[str]:
    """Return what a reader without a mouse or without eyes would stumble over."""
    found = []
    every = list(walk(tree))
    ids = [node[1]["id"] for node in every if "id" in node[1]]
    found += [f"id {one} is there twice" for one in set(ids) if ids.count(one) > 1]
    labelled = {node[1]["for"] for node in every if node[0] == "label"}
    for tag, attrs, *kids in every:
        if (
            tag in ("input", "select", "textarea")
            and attrs.get("id") not in labelled
            and "aria-label" not in attrs
        ):
            found.append(f"{tag} {attrs} has no label")
        if tag == "button" and not words([tag, attrs, *kids]):
            found.append(f"button {attrs} has no text")
        if (
            tag == "button"
            and "aria-label" in attrs
            and words([tag, attrs, *kids]) not in attrs["aria-label"]
        ):
            found.append(f"the name of {attrs['aria-label']!r} does not hold its text")
        for name in ("aria-describedby", "aria-labelledby", "for"):
            found += [f"{name} {one} leads nowhere" for one in attrs.get(name, "").split() if one not in ids]
        if tag == "table" and not any(kid[0] == "caption" and words(kid) for kid in kids):
            found.append("a table has no caption")
        if tag == "fieldset" and not any(kid[0] == "legend" and words(kid) for kid in kids):
            found.append("a group of controls has no legend")
    if not any(
        attrs.get("role") == "status" and attrs.get("aria-live") == "polite" for _, attrs, *_ in every
    ):
        found.append("nothing is read out")
    return found
