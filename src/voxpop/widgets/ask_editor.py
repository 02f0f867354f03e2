"""The editor of a question: text, type, options, scale, key and files, with validation messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from voxpop.widgets.ask_state import AskState
from voxpop.widgets.controls import button, check, choice, entry, said
from voxpop.widgets.drafts import Draft, offered_types
from voxpop.widgets.tree import Node, h

_FILES = "image/png,image/jpeg,image/gif,image/webp,application/pdf"


def editor(panel: AskState, place: int, draft: Draft, problems: Mapping[str, str]) -> Iterator[Node]:
    """Yield the parts of the form."""
    number, called = draft.number, f"question {place}"
    empty = not draft.text.strip()
    yield entry(
        f"q{number}-text",
        ("Words", f"of {called}"),
        draft.text,
        "write",
        [number, "text"],
        rows=2,
        error=None if empty else problems.get("text"),
        hint="One thing at a time, evenly worded." if empty else None,
    )
    notes = draft.notes()
    yield h(
        "ul",
        [h("li", h("b", "Wording: "), note) for note in notes],
        class_="vxp-notes",
        aria_label=f"Notes on the wording of {called}",
        aria_live="polite",
        key="notes",
        hidden=not notes,
    )
    yield h("div", _kind_and_key(draft, called, problems), class_="vxp-row vxp-top", key="kind")
    if draft.takes("options") or (not draft.type and draft.options):
        yield from _options(panel, draft, called, problems)
    if draft.takes("scale"):
        yield from _scale(draft, called, problems)
    yield from _files(panel, draft, called)
    yield _moves(panel, draft, called)


def _kind_and_key(draft: Draft, called: str, problems: Mapping[str, str]) -> Iterator[Node]:
    number, types = draft.number, offered_types()
    yield choice(
        f"q{number}-type", ("Answer type", f"of {called}"), types, draft.type, "write", [number, "type"]
    )
    yield entry(
        f"q{number}-key",
        ("Key", f"of {called}"),
        draft.key,
        "write",
        [number, "key"],
        placeholder="for example price",
        hint="The column's name in tables.",
        error=problems.get("key"),
        spellcheck="false",
    )


def _options(panel: AskState, draft: Draft, called: str, problems: Mapping[str, str]) -> Iterator[Node]:
    number = draft.number
    typed = panel._typed_options.get(number, "\n".join(draft.options))
    yield entry(
        f"q{number}-options",
        ("Options", f"of {called}"),
        typed,
        "options",
        number,
        rows=4,
        hint="One option per line, at least two.",
        error=problems.get("options") if typed.strip() else None,
    )
    yield check(
        f"q{number}-shuffle",
        f"Show each agent its own order ({called})",
        draft.shuffle,
        "shuffle",
        number,
    )


def _scale(draft: Draft, called: str, problems: Mapping[str, str]) -> Iterator[Node]:
    number = draft.number
    told, described = said(f"q{number}-scale", "If empty, read from the wording.", problems.get("scale"))
    wrong = "true" if "scale" in problems else None
    ends = [
        entry(
            f"q{number}-{part}",
            (label, f"of {called}"),
            value,
            "write",
            [number, part],
            kind=box,
            live=True,
            aria_invalid=wrong if box == "number" else None,
            aria_describedby=described,
        )
        for part, label, value, box in (
            ("low", "Lowest point", draft.low, "number"),
            ("low_label", "What it means", draft.low_label, "text"),
            ("high", "Highest point", draft.high, "number"),
            ("high_label", "What that means", draft.high_label, "text"),
        )
    ]
    yield h("div", h("div", ends, class_="vxp-row"), told, class_="vxp-stack", key="scale")


def _files(panel: AskState, draft: Draft, called: str) -> Iterator[Node]:
    number = draft.number
    held = [
        h(
            "li",
            name,
            " ",
            button("Remove", "detach", [number, asset], look="small", name=f"Remove {name}"),
            key=str(asset),
        )
        for asset, name in draft.attachments
    ]
    told, described = said(
        f"q{number}-file",
        "PNG, JPEG, GIF, WEBP or PDF, up to 20 MB each.",
        panel._trouble.get(f"{number}-file"),
    )
    box = h(
        "input",
        type="file",
        multiple=True,
        accept=_FILES,
        id=f"q{number}-file",
        on="attach",
        at=number,
        aria_describedby=described,
    )
    label = h("label", f"Pictures or documents for {called}", for_=f"q{number}-file")
    yield h(
        "div",
        label,
        h("ul", held, class_="vxp-list") if held else None,
        box,
        told,
        class_="vxp-field",
        key="files",
    )


def _moves(panel: AskState, draft: Draft, called: str) -> Node:
    number = draft.number
    waiting = [one.number for one in panel._drafts if not one.sent]
    first, last = waiting[0] == number, waiting[-1] == number
    return h(
        "div",
        button(
            "Move up",
            "move",
            [number, -1],
            look="small",
            name=f"Move up {called}",
            why_not="It is the first." if first else None,
        ),
        button(
            "Move down",
            "move",
            [number, 1],
            look="small",
            name=f"Move down {called}",
            why_not="It is the last." if last else None,
        ),
        button("Duplicate", "duplicate", number, look="small", name=f"Duplicate {called}"),
        button("Remove", "remove", number, look="small", name=f"Remove {called}"),
        class_="vxp-line",
        key="moves",
    )
