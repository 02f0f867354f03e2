"""What `Explorer` looks like: the cohort on one side; its table, its base and its own words on the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from voxpop.vocabulary import parse
from voxpop.widgets.controls import alert, button, choice, code_part, entry, status
from voxpop.widgets.picking_view import audience_part, fields_part
from voxpop.widgets.recruit_view import NOTE
from voxpop.widgets.tree import Node, h, table

if TYPE_CHECKING:
    from voxpop.widgets.explorer import Explorer

SMALL, TINY = 100, 30
"""Below these bases a figure is marked, and not to be read."""


def live(explorer: Explorer) -> Node:
    """Return the whole widget."""
    head = h("div", h("h3", "Explore the answers"), h("p", NOTE), class_="vxp-head", key="head")
    cohort = h("div", _cohort(explorer), class_="vxp-part vxp-stack", key="cohort")
    answers = h("div", _answers(explorer), class_="vxp-part vxp-side vxp-stack", key="answers")
    code = h("div", _keep(explorer), class_="vxp-part vxp-under vxp-stack", key="keep")
    two = h("div", cohort, answers, class_="vxp-two vxp-wide-side", key="two")
    return h("section", head, two, code, aria_label="Explore the answers")


def _cohort(explorer: Explorer) -> Iterator[Node]:
    yield h("h4", "Who", id="audience", tabindex="-1")
    yield from audience_part(explorer)
    yield h("p", base_words(explorer), class_="vxp-hint", role="status", aria_live="polite", key="base")
    yield fields_part(explorer)


def base_words(explorer: Explorer) -> str:
    """Return how large the cohort is, and what that means for reading it."""
    total = explorer.available
    if total is None:
        return ""
    whole = explorer._people.table.num_rows
    told = f"{total:,} of {whole:,} agents."
    if total < TINY:
        return f"{told} Below {TINY}: too small to read."
    return f"{told} Below {SMALL}: read with care." if total < SMALL else told


def _answers(explorer: Explorer) -> Iterator[Node | None]:
    people = explorer._people
    if people.questions:
        questions = tuple((name, _short(words)) for name, words in people.questions.items())
        by = (("", "Nobody: all together"), *explorer.comparable().items())
        yield h(
            "div",
            choice("question", "Question", questions, explorer.question or "", "question", look="vxp-grow"),
            choice("by", "Compare by", by, explorer.by or "", "by"),
            class_="vxp-row vxp-top",
            key="choose",
        )
        yield alert(next(iter(explorer._trouble.values()), ""))
        shown = explorer._table
        if shown is not None:
            inside = h("div", html=shown.to_html(), key="html")
            yield h(
                "div",
                inside,
                class_="vxp-scroll",
                tabindex="0",
                role="region",
                aria_label="Table",
                key="table",
            )
        elif explorer.available == 0:
            yield h("p", "Nobody is in this cohort.", key="nobody")
    else:
        yield h("p", "There is no question with answers to count.", key="none")
    if people.open:
        yield from _quotes(explorer)


def _quotes(explorer: Explorer) -> Iterator[Node]:
    total, found = explorer._quoted
    questions = tuple((name, _short(words)) for name, words in explorer._people.open.items())
    yield h("h4", "In their words", key="words-head")
    yield h(
        "div",
        choice(
            "open", "Open question", questions, explorer.open_question or "", "open_question", look="vxp-grow"
        ),
        entry("quote", "Search in the answers", explorer._typed_quote, "quote", kind="search"),
        class_="vxp-row vxp-top",
        key="open-choose",
    )
    more = f"{total:,} {'answer' if total == 1 else 'answers'}" + (
        f"; the first {len(found)}:" if total > len(found) else ""
    )
    yield status(more, id="quotes-count", look="vxp-hint")
    lines = [h("li", h("q", one["answer"]), " ", h("span", _who(one), class_="vxp-hint")) for one in found]
    yield h("ul", lines, class_="vxp-quotes", key="quotes")


def _who(one: dict[str, Any]) -> str:
    place = one.get("state") or one.get("country")
    parts = [one.get("age"), str(one.get("gender") or "").replace("_", " "), place, one.get("occupation")]
    return ", ".join(str(part) for part in parts if part not in (None, ""))


def _keep(explorer: Explorer) -> Iterator[Node | None]:
    known = explorer._asked() in explorer.report
    why = (
        None
        if explorer._table is not None and not known
        else "It is in the report."
        if known
        else "There is no table yet."
    )
    number = len(explorer.report)
    yield h(
        "div",
        button("Add this table to the report", "report", why_not=why),
        h("span", f"{number} in the report", role="status", aria_live="polite"),
        class_="vxp-line",
        key="report",
    )
    if number:
        lines = [
            h(
                "li",
                f"{told_of(explorer, asked)} ",
                button("Take out", "unreport", at, look="small", name=f"Take out {told_of(explorer, asked)}"),
            )
            for at, asked in enumerate(explorer.report)
        ]
        yield h("ol", lines, key="reported")
    yield code_part(explorer.code, open=explorer._look.code, do="code")


def told_of(explorer: Explorer, asked: dict[str, Any]) -> str:
    """Return what a table of the report holds, in words."""
    by = f" by {explorer.comparable()[asked['by']].lower()}" if asked.get("by") else ""
    who = f", {parse(asked['where']).sentence()}" if asked.get("where") else ""
    return f"{_short(explorer._people.words(asked['rows']))}{by}{who}"


def still(explorer: Explorer) -> Node:
    """Return what a saved notebook shows."""
    sentence = explorer.filters.sentence()
    lines: list[Node] = [
        h("h3", "Explore the answers"),
        h("p", f"{sentence[:1].upper()}{sentence[1:]}: {base_words(explorer)}"),
    ]
    shown = explorer._table
    if shown is not None:
        cells = [row for row in shown.long().to_dict("records") if row["row_kind"] == "code"]
        rows = [
            (
                f"{row['column']} {row['flag']}".strip(),
                str(row["row"]),
                _percent(row["percent"]),
                f"{row['base']:,.0f}",
            )
            for row in cells
        ]
        lines.append(
            table(
                explorer._people.words(explorer.question or ""),
                ["who", "answer", "%", "base"],
                rows,
                numbers=2,
            )
        )
        marks = {row["flag"]: row["footnote"] for row in cells if row["flag"]}
        lines += [h("p", f"{flag} {told}") for flag, told in sorted(marks.items())]
    lines += [h("p", NOTE), h("pre", explorer.code)]
    return h("div", lines)


def _percent(value: Any) -> str:
    return "-" if value is None or value != value else f"{value:.1f}"


def _short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
