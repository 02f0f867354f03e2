"""The result of recruitment: a group, a clarification, a review or a refusal, with actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from voxpop.widgets.controls import button, entry
from voxpop.widgets.tree import Node, h, table

if TYPE_CHECKING:
    from voxpop.widgets.recruit_state import RecruitState
    from voxpop.wire.agents import Agent


def result_part(builder: RecruitState) -> Node | None:
    """Return the card for the latest response of the service; None before the first."""
    requested = builder._requested
    if requested is not None and requested.seen is not None and requested.status != "completed":
        asked = requested.seen.request
        if asked.status == "needs_clarification" and asked.clarification is not None:
            return _card("Clarification needed", _clarification(builder))
        if asked.status == "awaiting_review" and asked.review is not None:
            return _card("Review needed", _review(builder))
        if asked.status == "refused":
            return _card("Not recruited", _refusal(builder), look="vxp-bad")
        return None
    if builder.group is None or builder._look.busy:
        return None
    return _card("Group recruited", _group(builder), look="vxp-good")


def _card(heading: str, inside: Iterable[Node | None], look: str = "") -> Node:
    title = h("h4", heading, id="result", tabindex="-1")
    return h(
        "div",
        title,
        inside,
        class_=f"vxp-card vxp-stack {look}".strip(),
        role="group",
        aria_labelledby="result",
        key="result",
    )


def _clarification(builder: RecruitState) -> Iterator[Node | None]:
    assert builder._requested is not None
    assert builder._requested.seen is not None
    asked = builder._requested.seen.request.clarification
    assert asked is not None
    yield h("p", asked.question, role="status")
    yield from _understood(builder)
    busy = builder._look.busy or None
    if asked.options:
        yield h(
            "div",
            [button(option, "answer", option, why_not=busy, key=option) for option in asked.options],
            class_="vxp-line",
            role="group",
            aria_label="Answers that are certainly understood",
        )
    box = entry(
        "answer",
        "Your answer",
        builder._look.answer,
        "answer_text",
        enter="answer_now",
        error=builder._trouble.get("answer"),
        look="vxp-grow",
    )
    yield h("div", box, button("Answer", "answer", look="main", why_not=busy), class_="vxp-row")


def _review(builder: RecruitState) -> Iterator[Node | None]:
    assert builder._requested is not None
    assert builder._requested.seen is not None
    review = builder._requested.seen.request.review
    assert review is not None
    busy = builder._look.busy or None
    yield h("p", review.reason, role="status")
    yield from _understood(builder)
    some = (
        f"Go on with {review.available:,}" if (review.available or 0) < (review.requested or 0) else "Go on"
    )
    yield h(
        "div",
        button(some, "approve", True, look="main", why_not=busy) if review.available else None,
        button("Do not recruit", "approve", False, why_not=busy),
        button("Change my words", "again", look="plain", why_not=busy),
        class_="vxp-line",
    )
    if "answer" in builder._trouble:
        yield h("p", builder._trouble["answer"], class_="vxp-error", role="alert")


def _refusal(builder: RecruitState) -> Iterator[Node | None]:
    assert builder._requested is not None
    assert builder._requested.seen is not None
    refusal = builder._requested.seen.request.refusal
    reason = refusal.reason if refusal is not None else None
    yield h("p", reason or "The request ended without a group.", role="status")
    if refusal is not None and refusal.hint:
        yield h("p", refusal.hint)
    yield h("div", button("Change my words", "again"), class_="vxp-line")


def _group(builder: RecruitState) -> Iterator[Node | None]:
    group = builder.group
    count = group.agent_count or 0
    told = f"{count:,} {'agent is' if count == 1 else 'agents are'} in it."
    if group.shortfall:
        told += f" {group.shortfall:,} fewer than requested, because no more match."
    yield h("p", told, role="status")
    yield h("p", group.name or "", class_="vxp-hint")
    yield from _understood(builder)
    yield h(
        "p",
        "Go on in the next cell: ",
        h("code", 'study = vp.Study.create(client, builder.group, title="…")'),
        class_="vxp-hint",
    )


def _understood(builder: RecruitState) -> Iterator[Node]:
    told = builder._requested.understood() if builder._requested is not None else []
    if told:
        yield h("ul", [h("li", line) for line in told], class_="vxp-notes")


def agents_table(agents: Iterable[Agent]) -> Node:
    """Return a few agents as a table."""
    rows = [
        (
            agent.name or "",
            str(agent.age or ""),
            (agent.gender or "").replace("_", " "),
            ", ".join(part for part in (agent.state, agent.country) if part),
            agent.occupation or (agent.labour_status or "").replace("_", " "),
        )
        for agent in agents
    ]
    shown = table("Some matching agents", ["name", "age", "gender", "lives in", "work"], rows)
    return h(
        "div",
        shown,
        class_="vxp-scroll",
        tabindex="0",
        role="region",
        aria_label="Some matching agents",
        key="agents",
    )
