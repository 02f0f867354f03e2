"""The view of `AskPanel`: questions in order, their progress, and actions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from voxpop.engines.basis import NONE
from voxpop.widgets.ask_editor import editor
from voxpop.widgets.ask_state import AskState
from voxpop.widgets.ask_study import closing_part, screening_part
from voxpop.widgets.controls import alert, button, code_part, fold, progress_bar, status
from voxpop.widgets.drafts import Draft
from voxpop.widgets.recruit_view import NOTE
from voxpop.widgets.tree import Node, h, table


def live(panel: AskState) -> Node:
    """Return the complete widget."""
    record = panel._record
    title = (record.title if record is not None else panel.study.title) or f"Study {panel.study.id}"
    head = h(
        "div",
        h("h3", f"Ask: {title}"),
        h("p", record.objective) if record is not None and record.objective else None,
        h("p", NOTE),
        class_="vxp-head",
        key="head",
    )
    items = [_item(panel, place, draft) for place, draft in enumerate(panel._drafts, 1)]
    questions = h(
        "div",
        h("h4", "Questions", id="questions", tabindex="-1"),
        h("p", _begin(panel), class_="vxp-hint", key="begin")
        if not panel._drafts or panel._resumed
        else None,
        h("ol", items, class_="vxp-list", key="list"),
        h("div", button("Add a question", "add"), class_="vxp-line"),
        class_="vxp-part vxp-stack",
        key="questions",
    )
    return h(
        "section",
        head,
        questions,
        screening_part(panel),
        h("div", _acting(panel), class_="vxp-part vxp-stack vxp-side", key="acting"),
        closing_part(panel),
        h("div", code_part(panel.code, open=panel._code_open, do="code"), class_="vxp-part", key="code-part"),
        aria_label="Ask questions",
    )


def _begin(panel: AskState) -> str:
    if panel._resumed and any(not draft.sent for draft in panel._drafts):
        return "Unsent questions were restored."
    return (
        ""
        if panel._drafts
        else "Write the first question. Questions are asked one after the other, each to all agents."
    )


def _item(panel: AskState, place: int, draft: Draft) -> Node:
    now = draft.number == panel._running
    look = "vxp-item vxp-stack vxp-now" if now else "vxp-item vxp-stack"
    inside = _asked(panel, place, draft) if draft.sent else _unasked(panel, place, draft)
    return h("li", inside, class_=look, key=str(draft.number))


def _unasked(panel: AskState, place: int, draft: Draft) -> Iterator[Node]:
    text = draft.text.strip() or "New question"
    told = f"{place}. {text if len(text) < 90 else text[:89] + '…'}"
    problems = panel._problems().get(draft.number, {})
    is_open = draft.number in panel._open
    extra: list[Node] = []
    if problems and not is_open and draft.text:
        extra = [h("span", " · needs a look", class_="vxp-error")]
    elif not is_open and draft.notes():
        extra = [h("span", " · wording note", class_="vxp-hint")]
    aside = h("span", f"  {_kind(draft)}", class_="vxp-hint")
    if panel._busy == "asking" and draft.number != panel._running and not panel._stopping:
        extra = [h("span", "queued", class_="vxp-tag")]
    inside = editor(panel, place, draft, problems) if is_open else ()
    yield fold(
        f"q{draft.number}", [h("b", told), aside, extra], inside, open=is_open, do="fold", look="vxp-question"
    )
    if trouble := panel._trouble.get(f"{draft.number}-send"):
        yield h("p", trouble, class_="vxp-error", role="alert", key="send")


def _kind(draft: Draft) -> str:
    return draft.row.offer if draft.row is not None else ""


def _asked(panel: AskState, place: int, draft: Draft) -> Iterator[Node | None]:
    tags = [h("span", text, class_="vxp-tag") for text in (draft.key, _kind(draft)) if text]
    yield h("div", h("b", f"{place}. {draft.text}"), tags, class_="vxp-line", key="head")
    words = count_words(draft)
    if draft.number == panel._running:
        yield progress_bar(f"Question {place}", draft.answered, draft.failed, draft.asked, words)
    yield h("p", words, _clocks(panel, draft), class_="vxp-hint", key="counts")
    if draft.notice:
        yield h("p", draft.notice, class_="vxp-error", role="note", key="notice")
    yield from _rests(draft)
    if draft.reasons:
        told = [f"{number:,} × {reason}" for reason, number in draft.reasons.items()]
        yield h(
            "ul",
            [h("li", line) for line in told],
            class_="vxp-notes",
            key="reasons",
            aria_label="Why agents failed",
        )
    if draft.ended and not panel._busy:
        called = f"question {place}"
        screen = draft.row is not None and draft.row.shape.single and draft.answered
        agents = "the agent" if draft.failed == 1 else f"the {draft.failed:,} agents"
        again = button(
            f"Ask {agents} again",
            "retry",
            draft.number,
            look="small",
            name=f"Ask {agents} again that failed: {called}",
        )
        yield h(
            "div",
            again if draft.failed else None,
            button(
                "Screen by this question",
                "screen",
                draft.question_id,
                look="small",
                name=f"Screen by this question: {called}",
            )
            if screen
            else None,
            button("Duplicate", "duplicate", draft.number, look="small", name=f"Duplicate {called}"),
            class_="vxp-line",
            key="acts",
        )
    if trouble := panel._trouble.get(f"{draft.number}-send"):
        yield h("p", trouble, class_="vxp-error", role="alert", key="send")


def _rests(draft: Draft) -> Iterator[Node]:
    """Show what the answers rest on, placeholders first and in red."""
    kinds = {kind for kind, _ in draft.bases}
    if NONE in kinds:
        some = "the answers" if len(kinds) == 1 else "some of the answers"
        told = f"Placeholders: no figure is known for {some}. They are not findings."
        yield h("p", told, class_="vxp-error", role="note", key="placeholders")
    if draft.bases:
        lines = [h("li", f"{kind}: {note}") for kind, note in draft.bases]
        yield h("ul", lines, class_="vxp-notes", key="bases", aria_label="What the answers rest on")


def count_words(draft: Draft) -> str:
    """Return the progress of a question as text."""
    if not draft.asked:
        return "Asked."
    failed = f", {draft.failed:,} failed" if draft.failed else ""
    if draft.ended:
        return f"{draft.answered:,} of {draft.asked:,} agents answered{failed}."
    return f"{draft.answered:,} of {draft.asked:,} agents have answered{failed}."


def _clocks(panel: AskState, draft: Draft) -> list[Any]:
    """Return the elapsed and maximum time of a question, and the time of the next poll."""
    began = panel._began.get(draft.number)
    if draft.number != panel._running or began is None:
        return []
    now = time.monotonic()
    parts: list[Any] = [" · ", h("time", ticks={"seconds": now - began, "step": 1}), " so far"]
    done = draft.answered + draft.failed
    if done and now > began:
        left = (draft.asked - done) * (now - began) / done
        parts += [" · about ", h("time", ticks={"seconds": left, "step": -1}), " left"]
    if panel._next_look is not None and panel._next_look - now > 1:
        parts += [" · next look in ", h("time", ticks={"seconds": panel._next_look - now, "step": -1})]
    return parts


def _acting(panel: AskState) -> Iterator[Node | None]:
    waiting = [draft for draft in panel._drafts if not draft.sent]
    asking = panel._busy == "asking"
    number = len(waiting)
    noun = "question" if number == 1 else "questions"
    reason = why_not(panel)
    ask = button(
        f"Ask {number} {noun}" if number else "Ask",
        "ask",
        look="main",
        why_not=reason,
        described="why-not" if reason and not asking else None,
        key="ask",
    )
    stop = None
    if asking and number:
        stop = button(
            "Stop after this question",
            "stop",
            why_not="It will stop." if panel._stopping else None,
            key="stop",
        )
    yield h("div", ask, stop, class_="vxp-line", key="buttons")
    yield h("p", "" if asking or not reason else reason, id="why-not", class_="vxp-hint", key="why-not")
    if cost := _cost(panel, number):
        yield h("p", cost, class_="vxp-hint", key="cost")
    yield status(status_words(panel))
    if panel._held_until is not None:
        left = h("time", ticks={"seconds": panel._held_until - time.monotonic(), "step": -1})
        yield h(
            "p", "The service is busy or unreachable. Next try in ", left, ".", class_="vxp-hint", key="held"
        )
    yield alert(
        next((panel._trouble[name] for name in ("load", "ask", "", "keep") if name in panel._trouble), "")
    )
    if "load" in panel._trouble or "ask" in panel._trouble:
        yield h("div", button("Try again", "again"), class_="vxp-line", key="again")


def why_not(panel: AskState) -> str | None:
    """Return why no question can be asked; None if one can."""
    if panel._busy:
        return "Already in progress."
    if not any(not draft.sent for draft in panel._drafts):
        return "Every question is asked." if panel._drafts else "Add a question first."
    if panel._running is not None:
        return "A question is being answered; the next one can be asked after it."
    wrong = [number for number, found in panel._problems().items() if found]
    if wrong:
        places = ", ".join(str(panel._place(number)) for number in wrong)
        return (
            f"Question {places} needs a correction first."
            if len(wrong) == 1
            else f"Correct questions {places} first."
        )
    return None


def _cost(panel: AskState, questions: int) -> str:
    agents = panel._record.agent_count if panel._record is not None else None
    if not questions or not agents or not panel._cost_known:
        return ""
    wanted = questions * agents
    noun = "question" if questions == 1 else "questions"
    told = f"{agents:,} agents × {questions} {noun} = {wanted:,} answers"
    if panel._left is None:
        return f"{told}; this service sets no limit."
    if wanted > panel._left:
        return f"{told}, and {panel._left:,} are left this month: that is not enough for all of them."
    return f"{told} of the {panel._left:,} left this month."


def status_words(panel: AskState) -> str:
    """Return the current activity as one sentence, which screen readers announce."""
    running = next((draft for draft in panel._drafts if draft.number == panel._running), None)
    if running is not None:
        place = panel._place(running.number)
        after = " It stops after this question." if panel._stopping else ""
        if not running.sent:
            return f"Asking question {place}.{after}"
        return f"Question {place} of {len(panel._drafts)}: {count_words(running)}{after}"
    if panel._busy:
        return "Asking …" if panel._busy == "asking" else panel._busy
    asked = [draft for draft in panel._drafts if draft.sent]
    if not asked:
        return ""
    failed = sum(draft.failed for draft in asked)
    lost = f" {failed:,} answers failed." if failed else ""
    return f"{len(asked)} of {len(panel._drafts)} questions asked.{lost}"


def still(panel: AskState) -> Node:
    """Return the static view for a saved notebook."""
    record = panel._record
    title = (record.title if record is not None else panel.study.title) or f"Study {panel.study.id}"
    rows = [
        (str(place), draft.text, draft.key or "", (draft.type or "").replace("_", " "), *_figures(draft))
        for place, draft in enumerate(panel._drafts, 1)
    ]
    heads = ["", "question", "key", "type", "asked", "answered", "failed"]
    shown = table("Questions", heads, rows, numbers=3) if rows else h("p", "No question is written yet.")
    removed = sum(one.removed for one in panel._removals)
    told = h("p", f"{removed:,} agents were removed by screening.") if removed else None
    done = h("p", "The analysis is complete.") if panel._completed else None
    return h("div", h("h3", f"Ask: {title}"), shown, told, done)


def _figures(draft: Draft) -> tuple[str, str, str]:
    if not draft.sent:
        return ("not yet", "", "")
    return (f"{draft.asked:,}", f"{draft.answered:,}", f"{draft.failed:,}")
