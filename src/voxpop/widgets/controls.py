"""Accessible controls: label, hint and error tied to each input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from voxpop.widgets.tree import Kid, Node, h

CODE = "Code that does the same"
"""Title of the part with equivalent code."""


def button(
    text: str,
    do: str,
    at: Any = None,
    *,
    look: str = "",
    name: str | None = None,
    why_not: str | None = None,
    described: str | None = None,
    **attrs: Any,
) -> Node:
    """Return a button.

    Parameters
    ----------
    text : str
        Text of the button.
    do, at
        The action, and its argument.
    look : {"", "main", "small", "plain"}
        Visual weight.
    name : str, optional
        Accessible name, if ``text`` alone is ambiguous; it must contain ``text``.
    why_not : str, optional
        Reason why the button is disabled. It stays focusable and shows the reason.
    described : str, optional
        Ids of elements that describe it.
    """
    classes = " ".join(f"vxp-{one}" for one in look.split()) or None
    return h(
        "button",
        text,
        type="button",
        on=do,
        at=at,
        class_=classes,
        aria_label=name,
        aria_disabled="true" if why_not else None,
        title=why_not,
        aria_describedby=described,
        **attrs,
    )


def said(id: str, hint: str | None, error: str | None) -> tuple[list[Node], str | None]:
    """Return the hint and the error of a control, and their ids for ``aria-describedby``."""
    told = []
    if error:
        told.append(h("p", error, id=f"{id}-error", class_="vxp-error", key="error"))
    if hint:
        told.append(h("p", hint, id=f"{id}-hint", class_="vxp-hint", key="hint"))
    return told, " ".join(node.attrs["id"] for node in told) or None


def entry(
    id: str,
    label: str | tuple[str, str],
    value: str,
    do: str,
    at: Any = None,
    *,
    kind: str = "text",
    hint: str | None = None,
    error: str | None = None,
    rows: int = 0,
    look: str = "",
    **attrs: Any,
) -> Node:
    """Return a labelled input: one line, several with ``rows``, or a number.

    A label of two parts displays only the first; both form the accessible name.
    """
    told, described = said(id, hint, error)
    shared = {
        "id": id,
        "on": do,
        "at": at,
        "aria_describedby": described,
        "aria_invalid": "true" if error else None,
        "value": value,
        "key": "box",
        **attrs,
    }
    box = (
        h("textarea", rows=str(rows), **shared)
        if rows
        else h("input", type=kind, autocomplete="off", **shared)
    )
    return h("div", _label(id, label), box, told, class_=f"vxp-field {look}".strip(), key=id)


def check(
    id: str, label: Kid, checked: bool, do: str, at: Any = None, *, aside: str | None = None, **attrs: Any
) -> Node:
    """Return a labelled check box; ``aside`` is at the end of its line and part of its name."""
    end = h("span", aside, class_="vxp-count") if aside else None
    box = h("input", type="checkbox", id=id, checked=checked, on=do, at=at, **attrs)
    return h("div", box, h("label", h("span", label), end, for_=id), class_="vxp-check", key=id)


def radios(
    id: str,
    legend: str,
    choices: Iterable[tuple[str, str]],
    chosen: str,
    do: str,
    at: Any = None,
    *,
    hidden_legend: bool = False,
) -> Node:
    """Return a group of radio buttons."""
    lines = [
        h(
            "div",
            h(
                "input",
                type="radio",
                id=f"{id}-{value}",
                name=id,
                value=value,
                checked=value == chosen,
                on=do,
                at=at,
            ),
            h("label", label, for_=f"{id}-{value}"),
            class_="vxp-check",
            key=value,
        )
        for value, label in choices
    ]
    shown = h("legend", legend, class_="vxp-hidden" if hidden_legend else None)
    return h("fieldset", shown, h("div", lines, class_="vxp-line"), key=id)


def choice(
    id: str,
    label: str | tuple[str, str],
    choices: Sequence[tuple[str, str]],
    chosen: str,
    do: str,
    at: Any = None,
    *,
    hint: str | None = None,
    error: str | None = None,
    look: str = "",
) -> Node:
    """Return a labelled drop-down list."""
    told, described = said(id, hint, error)
    options = [h("option", text, value=value, selected=value == chosen, key=value) for value, text in choices]
    box = h(
        "select",
        options,
        id=id,
        on=do,
        at=at,
        value=chosen,
        aria_describedby=described,
        aria_invalid="true" if error else None,
    )
    return h("div", _label(id, label), box, told, class_=f"vxp-field {look}".strip(), key=id)


def _label(id: str, label: str | tuple[str, str]) -> Node:
    seen, heard = (label, "") if isinstance(label, str) else label
    more = h("span", f" {heard}", class_="vxp-hidden") if heard else None
    return h("label", seen, more, for_=id, key="label")


def fold(
    key: str, summary: Kid, *inside: Kid, open: bool, do: str | None = None, look: str = "vxp-fold"
) -> Node:
    """Return a collapsible part."""
    body = h("div", *inside, class_="vxp-body vxp-stack")
    return h("details", h("summary", summary), body, open=open, on=do, at=key, class_=look, key=key)


def status(text: str, id: str = "status", look: str = "") -> Node:
    """Return a polite live region, announced when the reader pauses."""
    return h(
        "p",
        text,
        id=id,
        tabindex="-1",
        role="status",
        aria_live="polite",
        class_=f"vxp-status {look}".strip(),
        key=id,
    )


def alert(text: str, id: str = "alert") -> Node:
    """Return an assertive live region, announced immediately."""
    return h("p", text, id=id, role="alert", class_="vxp-alert", key=id)


def progress_bar(label: str, done: int, failed: int, total: int, words: str) -> Node:
    """Return a progress bar with a text; failed parts are also hatched, not only coloured."""
    good, bad = (f"{100 * part / total if total else 0:.1f}%" for part in (done, failed))
    return h(
        "div",
        h("span", vars={"--w": good}),
        h("span", class_="vxp-failed", vars={"--w": bad}),
        class_="vxp-bar",
        role="progressbar",
        aria_label=label,
        aria_valuemin="0",
        aria_valuemax=str(total),
        aria_valuenow=str(done + failed),
        aria_valuetext=words,
    )


def code_part(
    code: str, key: str = "code", *, title: str = CODE, open: bool = False, do: str | None = None
) -> Node:
    """Return the part with the equivalent code and a copy button."""
    return fold(
        key,
        h("b", title),
        h("pre", h("code", code, id=f"{key}-text"), tabindex="0", aria_label=title),
        h("div", button("Copy code", "", look="small", copy=f"{key}-text"), class_="vxp-line"),
        open=open,
        do=do,
        look="vxp-fold",
    )
