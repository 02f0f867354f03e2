"""Study actions of `AskPanel`: screening, completing the analysis, and the share page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from voxpop.widgets.ask_state import AskState
from voxpop.widgets.controls import button, check
from voxpop.widgets.tree import Node, h


def screening_part(panel: AskState) -> Node | None:
    """Return the choice of agents to keep, by their answers; None if no screening is open."""
    screening = panel._screening
    if screening is None:
        return None
    place = next(
        (at for at, one in enumerate(panel._drafts, 1) if one.question_id == screening.question_id), 0
    )
    leaving = len(screening.leaving())
    staying = sum(map(len, screening.answers.values())) - leaving
    boxes = [
        check(
            f"keep-{at}", answer_label(value), value in screening.keep, "keep", at, aside=f"{len(agents):,}"
        )
        for at, (value, agents) in enumerate(screening.answers.items())
    ]
    agents = "agent" if leaving == 1 else "agents"
    reason = "Nobody would leave." if not leaving else "Nobody would stay." if not staying else None
    return h(
        "div",
        h("h4", f"Agents to keep, by question {place}", id="screening", tabindex="-1"),
        h("fieldset", h("legend", "Keep the agents who answered"), boxes, class_="vxp-stack"),
        h(
            "p",
            f"{staying:,} stay, {leaving:,} leave. Removed agents are not asked again; "
            "their earlier answers stay, and are marked.",
            role="status",
            aria_live="polite",
        ),
        h(
            "div",
            button(
                f"Remove {leaving:,} {agents}",
                "remove_agents",
                look="main",
                why_not=reason or panel._busy or None,
            ),
            button("Remove nobody", "end_screening"),
            class_="vxp-line",
        ),
        _trouble(panel, "screening"),
        class_="vxp-part vxp-stack",
        key="screening",
    )


def answer_label(value: Any) -> str:
    """Format an answer for display.

    Examples
    --------
    >>> answer_label(True), answer_label(None), answer_label(7)
    ('Yes', 'No answer', '7')
    """
    if value is None:
        return "No answer"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def closing_part(panel: AskState) -> Node | None:
    """Return the controls for the analysis and the share page; None before the first answer."""
    if not any(draft.ended and draft.answered for draft in panel._drafts):
        return None
    return h("div", _closing(panel), class_="vxp-part vxp-stack", key="closing")


def _closing(panel: AskState) -> Iterator[Node | None]:
    busy = "Already in progress." if panel._busy or panel._running is not None else None
    yield h("h4", "Analysis and sharing")
    text = "Complete again" if panel._completed else "Complete the analysis"
    shared = panel._shared
    yield h(
        "div",
        button(text, "complete", why_not=busy),
        button("Stop sharing" if shared else "Open a share page", "share", not shared, why_not=busy),
        class_="vxp-line",
    )
    yield _trouble(panel, "complete")
    yield _trouble(panel, "share")
    yield h(
        "div",
        h(
            "label",
            "Share link: anyone with it can read the study. It is only shown here and is not saved.",
            for_="link",
        ),
        h("input", type="text", id="link", readonly=True, slot="link", data_slot="link"),
        button("Copy link", "", look="small", copy="link"),
        class_="vxp-field",
        data_needs="link",
        hidden=True,
        key="link",
    )
    found = panel._findings
    if found is not None:
        claims = sum(
            len(step.get("claims", ())) for step in (found.steps or {}).values() if isinstance(step, dict)
        )
        overall = (found.steps or {}).get("overall_summary", {})
        summary = overall.get("claims", ())
        yield h("h4", "Findings", id="findings", tabindex="-1")
        yield h(
            "p",
            f"{claims:,} claims, each with the answers that it rests on; panel.findings has them.",
            class_="vxp-hint",
            role="status",
        )
        if told := overall.get("placeholders"):
            yield h("p", told, class_="vxp-error", role="note", key="left-out")
        yield h("ul", [h("li", claim.get("text", "")) for claim in summary], class_="vxp-notes")


def _trouble(panel: AskState, name: str) -> Node | None:
    told = panel._trouble.get(name)
    return h("p", told, class_="vxp-error", role="alert", key=f"{name}-trouble") if told else None
