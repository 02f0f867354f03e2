"""The view of `Explorer`: the cohort on one side; its table, chart and quotes on the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from voxpop.analysis import Table
from voxpop.analysis.cautions import grounds_told
from voxpop.analysis.layout import html_of
from voxpop.analysis.printing import grid_of
from voxpop.engines.basis_counts import PLACEHOLDERS
from voxpop.vocabulary import parse
from voxpop.widgets.controls import alert, button, choice, code_part, entry, fold, status
from voxpop.widgets.explorer_chart import chart, text_bar
from voxpop.widgets.explorer_state import QUOTES, ExplorerState
from voxpop.widgets.picking_view import audience_part, fields_part
from voxpop.widgets.recruit_view import NOTE
from voxpop.widgets.tree import Node, h, table

SMALL, TINY = 100, 30
"""Bases below which a figure is marked as small, or as too small to read."""


def live(explorer: ExplorerState) -> Node:
    """Return the complete widget."""
    head = h("div", h("h3", "Explore the answers"), h("p", NOTE), class_="vxp-head", key="head")
    cohort = h("div", _cohort(explorer), class_="vxp-part vxp-stack", key="cohort")
    answers = h("div", _answers(explorer), class_="vxp-part vxp-side vxp-stack", key="answers")
    code = h("div", _keep(explorer), class_="vxp-part vxp-under vxp-stack", key="keep")
    two = h("div", cohort, answers, class_="vxp-two vxp-wide-side", key="two")
    return h("section", head, two, code, aria_label="Explore the answers")


def _cohort(explorer: ExplorerState) -> Iterator[Node]:
    yield h("h4", "Who", id="audience", tabindex="-1")
    yield from audience_part(explorer)
    warned = "vxp-hint vxp-warning" if (explorer.available or SMALL) < SMALL else "vxp-hint"
    yield h("p", base_words(explorer), class_=warned, role="status", aria_live="polite", key="base")
    yield fields_part(explorer)


def base_words(explorer: ExplorerState) -> str:
    """Return the size of the cohort, with a caution if it is small."""
    total = explorer.available
    if total is None:
        return "\u00a0"
    told = f"{total:,} of {explorer._people.size:,} agents."
    if total < TINY:
        return f"{told} Below {TINY}: too small to read."
    return f"{told} Below {SMALL}: read with care." if total < SMALL else told


def _answers(explorer: ExplorerState) -> Iterator[Node | None]:
    people = explorer._people
    if people.questions:
        questions = tuple((name, _short(words)) for name, words in people.questions.items())
        by = (("", "No attribute: all together"), *explorer.comparable().items())
        yield h(
            "div",
            choice("question", "Question", questions, explorer.question or "", "question", look="vxp-grow"),
            choice("by", "Compare by", by, explorer.by or "", "by"),
            class_="vxp-row vxp-top",
            key="choose",
        )
        yield alert(next(iter(explorer._trouble.values()), ""))
        yield from _shown(explorer)
    else:
        yield h("p", "There is no question with answers to count.", key="none")
        yield alert(next(iter(explorer._trouble.values()), ""))
    if people.open:
        yield from _quotes(explorer)


def _shown(explorer: ExplorerState) -> Iterator[Node]:
    made = explorer._table
    if made is None:
        if explorer.available == 0:
            yield h("p", "Nobody is in this cohort.", key="nobody")
        return
    if isinstance(made, Table):
        pickable = html_of(grid_of(made), pick=True)
        inside = h("div", html=pickable, on="cell", at=explorer._cell_at, key="html")
    else:
        inside = h("div", html=made.to_html(), key="html")
    yield h("div", inside, class_="vxp-scroll", tabindex="0", role="region", aria_label="Table", key="table")
    yield from _cell(explorer)
    drawn = chart(explorer._bars) if explorer._chart_open else None
    framed = h("div", drawn, class_="vxp-scroll vxp-tall", tabindex="0", role="region", aria_label="Chart")
    yield fold("chart", h("b", "Chart"), framed, open=explorer._chart_open, do="chart")
    yield h("div", _acts(explorer), class_="vxp-line", key="acts")


def _cell(explorer: ExplorerState) -> Iterator[Node]:
    """Yield the respondents behind the chosen figure, or how to choose one."""
    cell, members = explorer._cell, explorer._cell_members
    if cell is None or members is None:
        if isinstance(explorer._table, Table):
            yield h("p", "Press a figure to see who is behind it.", class_="vxp-hint", key="cell-how")
        return
    known = [_who_is(one) for one in explorer._people.told(members, QUOTES)]
    more = f"{cell!r}" + (f"; the first {len(known)}:" if cell.count > len(known) else "")
    yield h(
        "div",
        h("h5", "Behind the figure", id="cell"),
        status(more, id="cell-count", look="vxp-hint"),
        h("ul", [h("li", one) for one in known]),
        h("div", button("Show everybody", "everybody", look="small")),
        class_="vxp-stack",
        key="cell",
    )


def _who_is(one: dict[str, Any]) -> str:
    place = one.get("state") or one.get("country")
    parts = [one.get("age"), str(one.get("gender") or "").replace("_", " "), place, one.get("occupation")]
    named = f"agent {one['agent_id']}: " if one.get("agent_id") is not None else ""
    return named + ", ".join(str(part) for part in parts if part not in (None, ""))


def _acts(explorer: ExplorerState) -> Iterator[Node]:
    known = explorer._asked() in explorer.report
    yield button("Copy as code", "", look="small", copy="code-text", key="copy")
    yield button(
        "Add this table to the report",
        "report",
        look="small",
        why_not="It is in the report." if known else None,
        key="add",
    )
    yield h("span", f"{len(explorer.report)} in the report", role="status", aria_live="polite", key="number")


def _quotes(explorer: ExplorerState) -> Iterator[Node | None]:
    total, found = explorer._quoted
    questions = tuple((name, _short(words)) for name, words in explorer._people.open.items())
    whose = "In their words" if explorer._cell is None else "In the words of those behind the figure"
    yield h("h4", whose, id="words", tabindex="-1", key="words-head")
    yield h(
        "div",
        choice(
            "open", "Open question", questions, explorer.open_question or "", "open_question", look="vxp-grow"
        ),
        entry("quote", "Search in the answers", explorer._typed_quote, "quote", kind="search"),
        class_="vxp-row vxp-top",
        key="open-choose",
    )
    for at, told in enumerate(grounds_told(explorer._people.about, [explorer.open_question or ""])):
        look = "vxp-error" if told.startswith(PLACEHOLDERS) else "vxp-hint"
        yield h("p", told, class_=look, role="note", key=f"open-grounds-{at}")
    more = f"{total:,} {'answer' if total == 1 else 'answers'}" + (
        f"; the first {len(found)}:" if total > len(found) else ""
    )
    yield status(more, id="quotes-count", look="vxp-hint")
    lines = [
        h(
            "li",
            h("q", marked(one["answer"], explorer._typed_quote)),
            h("div", _who(explorer, one), class_="vxp-line"),
        )
        for one in found
    ]
    yield h("ul", lines, class_="vxp-quotes", key="quotes")
    if total > len(found):
        yield h("div", button("Show more answers", "more_quotes", look="small"), key="more-quotes")


def marked(text: str, typed: str) -> list[Node | str]:
    """Return a text with the search term highlighted.

    Examples
    --------
    >>> [one if isinstance(one, str) else one.tag for one in marked("Too sweet, far too sweet.", "too")]
    ['mark', ' sweet, far ', 'mark', ' sweet.']
    """
    if not typed.strip():
        return [text]
    parts = re.split(f"({re.escape(typed.strip())})", text, flags=re.IGNORECASE)
    return [h("mark", part) if place % 2 else part for place, part in enumerate(parts) if part]


def _who(explorer: ExplorerState, one: dict[str, Any]) -> Iterator[Node]:
    yield h("span", _who_is(one), class_="vxp-hint")
    given = one.get(explorer.question or "")
    if given is not None:
        yield h("span", f"{explorer.question}: {_told(given)}", class_="vxp-tag")


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _keep(explorer: ExplorerState) -> Iterator[Node | None]:
    if explorer.report:
        lines = [
            h(
                "li",
                f"{told_of(explorer, asked)} ",
                button("Take out", "unreport", at, look="small", name=f"Take out {told_of(explorer, asked)}"),
            )
            for at, asked in enumerate(explorer.report)
        ]
        yield h("h4", "The report", id="report", tabindex="-1", key="report-head")
        yield h("ol", lines, key="reported")
        yield code_part(
            explorer.report_code(),
            "report-code",
            title="Code of the whole report",
            open=explorer._report_open,
            do="report_code",
        )
    yield code_part(explorer.code, open=explorer._look.code, do="code")


def told_of(explorer: ExplorerState, asked: dict[str, Any]) -> str:
    """Return a description of a table of the report."""
    by = f" by {explorer.comparable()[asked['by']].lower()}" if asked.get("by") else ""
    who = f", {parse(asked['where']).sentence()}" if asked.get("where") else ""
    return f"{_short(explorer._people.words(asked['rows']))}{by}{who}"


def still(explorer: ExplorerState) -> Node:
    """Return the static view for a saved notebook."""
    sentence = explorer.filters.sentence()
    lines: list[Node] = [
        h("h3", "Explore the answers"),
        h("p", f"{sentence[:1].upper()}{sentence[1:]}: {base_words(explorer).strip()}"),
    ]
    bars = explorer._bars
    if explorer._table is not None:
        most = 100.0 if bars and bars[0].unit else max((bar.value for bar in bars), default=0.0)
        rows = [
            (
                " · ".join(part for part in (bar.level, bar.cohort) if part),
                text_bar(bar.value, most, pale=bar.flag == "**"),
                bar.words,
            )
            for bar in bars
        ]
        caption = explorer._people.words(explorer.question or "")
        lines.append(table(caption, ["answer · who", "", "figure"], rows, numbers=1))
        lines += [h("p", told) for told in explorer._table.grounds]
        lines += [h("p", note) for note in explorer._table.notes() if note.startswith("*")]
    lines += [h("p", NOTE), h("pre", explorer.code)]
    return h("div", lines)


def _short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
