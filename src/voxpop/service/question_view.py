"""Page of a direct question: targets and answers, or a form that asks for a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import Counted, counted, placeholder_notice
from voxpop.service.pages import clip, render_page

__all__ = ["render_direct_question_page", "render_key_page"]

MOST_SHOWN = 500
_STATES = {
    "completed": "All answers are in",
    "finished": "All answers are in",
    "failed": "No answer could be made",
    "running": "Answers are still coming in; load the page again to see more",
    "waiting": "The question waits to be answered; load the page again to see more",
}


def render_direct_question_page(record: Mapping[str, Any]) -> str:
    """Return the page of a direct question as a complete HTML document.

    Parameters
    ----------
    record
        The record as served: ``question, status, targets, artifacts, attachments, created_at``. Its ids and
        URLs are not shown.

    Examples
    --------
    >>> page = render_direct_question_page({"question": "Why?", "status": "waiting", "targets": [],
    ...     "artifacts": [], "attachments": [], "created_at": "2026-11-20T09:30:00Z"})
    >>> "<h1>Why?</h1>" in page
    True
    """
    targets = list(record["targets"])
    answered = [target for target in targets if target.get("answer")]
    status = str(record["status"])
    page = {
        "question": clip(record["question"], 800) or "A question",
        "notice": record.get("notice"),
        "state": _STATES.get(status, _STATES["running"]),
        "date": str(record["created_at"]),
        "asked": len(targets),
        "answered": len(answered),
        "failed": sum(target.get("status") == "failed" for target in targets),
        "placeholders": _placeholders(clip(record["question"], 80), answered),
        "bases": _bases(answered),
        "summaries": [
            _summary(artifact) for artifact in record["artifacts"] if artifact["kind"] == "summary"
        ],
        "answers": [_answer(target) for target in answered[:MOST_SHOWN]],
        "waiting": [_who(target["agent"]) for target in targets if not target.get("answer")][:MOST_SHOWN],
        "attachments": [clip(_name(attachment), 200) for attachment in record["attachments"]],
    }
    return render_page("question.html", page=page)


def render_key_page(*, gone: bool = False, refused: str | None = None) -> str:
    """Return a page with a form that posts a key to the page's own URL.

    Parameters
    ----------
    gone
        Whether to show that the link is invalid instead of the form.
    refused
        Reason why the submitted key was refused, as one sentence.
    """
    return render_page("key.html", page={"gone": gone, "refused": clip(refused, 300)})


def _summary(artifact: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": clip(artifact["text"], 4_000), "answers": len(artifact["answer_ids"])}


def _bases(answered: Sequence[Mapping[str, Any]]) -> Counted:
    """Return what the answers rest on, counted by kind."""
    given = Counter(
        (target["answer"].get("basis"), target["answer"].get("basis_note")) for target in answered
    )
    return [
        one | {"notes": [clip(note, 600) for note in one["notes"]]}
        for one in counted((kind, note, count) for (kind, note), count in given.items())
    ]


def _placeholders(name: str, answered: Sequence[Mapping[str, Any]]) -> str | None:
    lost = sum(target["answer"].get("basis") == NONE for target in answered)
    return placeholder_notice(name, lost, len(answered))


def _answer(target: Mapping[str, Any]) -> dict[str, Any]:
    answer = target["answer"]
    return _who(target["agent"]) | {
        "text": clip(answer["response_text"], 2_000),
        "value": _value(answer["value"]),
    }


def _who(agent: Mapping[str, Any]) -> dict[str, Any]:
    work = agent.get("occupation") or str(agent.get("labour_status") or "").replace("_", " ")
    return {
        "name": clip(str(agent.get("name") or "An agent").split(" ")[0], 40),
        "age": agent.get("age"),
        "state": clip(agent.get("state"), 80),
        "occupation": clip(work, 80),
    }


def _value(value: object) -> str:
    """Format the coded answer; empty for an open answer."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return clip(", ".join(str(each) for each in value), 200)
    return clip(f"{value:,}" if isinstance(value, int | float) else str(value), 200)


def _name(attachment: object) -> str:
    if isinstance(attachment, Mapping):
        return str(attachment.get("filename") or "An attachment")
    return "An attachment"
