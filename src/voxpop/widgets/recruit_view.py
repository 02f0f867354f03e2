"""The view of `RecruitBuilder`: lists or a description on one side, audience and group on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxpop.client.groups import LARGEST
from voxpop.widgets.controls import (
    alert,
    button,
    choice,
    code_part,
    entry,
    fold,
    radios,
    status,
)
from voxpop.widgets.picking_view import audience_part, count_words, fields_part, lacking
from voxpop.widgets.quota import cost_words
from voxpop.widgets.recruit_result import agents_table, result_part
from voxpop.widgets.recruit_state import RecruitState
from voxpop.widgets.tree import Node, h, table

NOTE = "Agents are simulated. What they answer is not evidence about people."
METHODS = (
    ("random", "At random"),
    ("stratified", "In proportion to age, gender and state"),
    ("balanced", "Evenly over age and gender"),
)


def live(builder: RecruitState) -> Node:
    """Return the complete widget."""
    left = _words_part(builder) if builder.mode == "words" else fields_part(builder)
    ways = (("fields", "Pick from lists"), ("words", "Describe in words"))
    head = h(
        "div",
        h("h3", "Recruit a group"),
        h("p", NOTE),
        class_="vxp-head",
        key="head",
    )
    main = h(
        "div",
        radios("mode", "How do you want to define the audience?", ways, builder.mode, "mode"),
        left,
        class_="vxp-part vxp-stack",
        key="main",
    )
    side = h("div", _side(builder), class_="vxp-part vxp-side vxp-stack", key="side")
    shown = builder._look.agents if builder.mode == "fields" else ()
    agents = h("div", agents_table(shown), class_="vxp-part vxp-under", key="some") if shown else None
    code = h(
        "div",
        code_part(builder.code, open=builder._look.code, do="code"),
        class_="vxp-part vxp-under",
        key="code-part",
    )
    return h(
        "section",
        head,
        h("div", main, side, class_="vxp-two", key="two"),
        agents,
        code,
        aria_label="Recruit a group",
    )


def _words_part(builder: RecruitState) -> Node:
    box = entry(
        "words",
        "Who should take part?",
        builder.words,
        "words",
        rows=3,
        hint="In plain words, for example: US adults 25 to 64 who own a dog and shop online. "
        "Criteria that no field covers are asked of the agents.",
        error=builder._trouble.get("words"),
    )
    return h("div", box, class_="vxp-stack", key="described")


def _side(builder: RecruitState) -> Iterator[Node | None]:
    yield h("h4", "Your audience", id="audience", tabindex="-1", key="audience")
    if builder.mode == "fields":
        yield from audience_part(builder)
    else:
        told = builder.words.strip() or "Nothing is described yet."
        yield h("p", told, class_="vxp-sentence", key="sentence")
    yield alert(builder._trouble.get("counts", ""), id="counts-alert")
    yield from _group_part(builder)
    yield _actions(builder)
    yield status(builder._look.busy, id="busy")
    yield alert(
        builder._trouble.get("recruit") or builder._trouble.get("preview") or builder._trouble.get("", "")
    )
    yield result_part(builder)


def _group_part(builder: RecruitState) -> Iterator[Node]:
    trouble, look = builder._trouble, builder._look
    cost = cost_words(builder.size, builder._left) if builder._cost_known else None
    size = look.raw.get("size", str(builder.size))
    yield entry(
        "size",
        "Group size",
        size,
        "size",
        kind="number",
        live=True,
        min="1",
        max=str(LARGEST),
        step="1",
        hint=cost,
        error=trouble.get("size"),
    )
    if builder.mode == "words":
        return
    yield fold("more", "Name and sampling", _sampling(builder), open=look.more, do="more")


def _sampling(builder: RecruitState) -> tuple[Node, ...]:
    trouble, look = builder._trouble, builder._look
    return (
        entry(
            "name",
            "Name of the group",
            builder.name or "",
            "name",
            placeholder="The sentence above",
            error=trouble.get("name"),
        ),
        choice("method", "How agents are drawn", METHODS, builder.sample_method, "method"),
        entry(
            "description",
            "Further description",
            builder.description,
            "description",
            rows=2,
            hint="Agents with a similar profile are more likely to be drawn; none is excluded.",
        ),
        entry(
            "seed",
            "Seed",
            look.raw.get("seed", "" if builder.seed is None else str(builder.seed)),
            "seed",
            kind="number",
            live=True,
            min="0",
            step="1",
            hint="The same seed draws the same agents. If empty, a seed is chosen.",
            error=trouble.get("seed"),
        ),
    )


def why_not(builder: RecruitState) -> str | None:
    """Return why a group cannot be recruited now; None if it can."""
    if builder._look.busy:
        return "Already in progress."
    if "size" in builder._trouble or "seed" in builder._trouble:
        return "Correct the number above first."
    if builder.mode == "words":
        return None if builder.words.strip() else "Describe who should take part first."
    if builder.available is not None and builder.available < builder.size:
        number = builder.available
        if unknown := lacking(builder):
            return unknown[0]
        match = (
            "nobody matches"
            if not number
            else "1 agent matches"
            if number == 1
            else f"only {number:,} agents match"
        )
        return f"You want {builder.size:,}, and {match}. Ask for fewer, or widen the audience."
    return None


def _actions(builder: RecruitState) -> Node:
    reason = why_not(builder)
    agents = "agent" if builder.size == 1 else "agents"
    recruit = button(
        f"Recruit {builder.size:,} {agents}",
        "recruit",
        look="main",
        why_not=reason,
        described="why-not" if reason else None,
        key="recruit",
    )
    parts: list[Node | None] = [recruit]
    if builder.mode == "fields":
        parts.append(
            button(
                "Show five agents",
                "preview",
                key="preview",
                why_not=None if builder.available else next(iter(lacking(builder)), "Nobody matches."),
            )
        )
        if builder.available is not None and 0 < builder.available < builder.size:
            parts.append(button(f"Take all {builder.available:,}", "take_all", key="take-all"))
    told = reason if reason and not builder._look.busy else ""
    return h(
        "div",
        h("div", parts, class_="vxp-line"),
        h("p", told, id="why-not", class_="vxp-hint", aria_live="polite"),
        class_="vxp-stack",
        key="actions",
    )


def still(builder: RecruitState) -> Node:
    """Return the static view for a saved notebook."""
    lines: list[Node] = [h("h3", "Recruit a group")]
    if builder.mode == "words":
        lines += [h("p", builder.words or "Nothing is described yet.")]
        lines += [h("p", line) for line in (builder._requested.understood() if builder._requested else ())]
    else:
        sentence = builder.filters.sentence()
        counted = f": {count_words(builder)}." if builder.available is not None else "."
        lines.append(h("p", f"{sentence[:1].upper()}{sentence[1:]}{counted}"))
    group = builder.group
    if group is not None:
        rows = _group_rows(builder)
        lines.append(table("The group", ["what", "value"], rows))
    lines.append(h("pre", builder.code))
    return h("div", lines)


def _group_rows(builder: RecruitState) -> Iterable[tuple[str, str]]:
    group = builder.group
    yield "name", group.name or ""
    yield "agents", f"{group.agent_count or 0:,}"
    if group.shortfall:
        yield "missing", f"{group.shortfall:,}, because no more match"
