"""Idempotent asking: running a cell again does not ask the same question twice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from voxpop.client.questions import Asked, scale_body
from voxpop.errors import InvalidRequest
from voxpop.wire.questions import Question
from voxpop.wire.studies import Study

if TYPE_CHECKING:
    from voxpop.client import Client


def ask_once(
    client: Client,
    study: Study,
    words: str,
    *,
    attachments: Sequence[int | str] | None = None,
    **parts: Any,
) -> Asked:
    """Ask the agents of a study a question, or return the existing question if it was asked before.

    The call carries an idempotency key derived from the study, the question's key, its words and its other
    parts. If the connection breaks, asking again within a day returns the same question, even if the first
    call was still running. After that day, or at a service without idempotency keys, the question is looked
    up among those of the study.

    Parameters
    ----------
    client, study
        The service and the study.
    words, parts
        The question, and its ``key, type, options, scale, shuffle_options`` and ``engine``.
    attachments
        Ids of the attached files.

    Returns
    -------
    Asked
        ``replayed`` is true if the question was asked before; ``job_ids`` is empty if it was found in the
        study.

    Raises
    ------
    InvalidRequest
        Another question of the study has this key; nothing was asked.
    """
    key = parts.get("key")
    if key is None and study.question_count != 0:
        found = _asked_before(client, study, words, attachments, parts)
        if found is not None:
            return found
    number = asking_key(study, words, attachments=attachments, **parts)
    try:
        return client.questions.ask(study, words, **parts, attachments=attachments, idempotency_key=number)
    except InvalidRequest as error:
        if key is None or "key" not in (error.details.get("fields") or {}):
            raise
        found = _asked_before(client, study, words, attachments, parts)
        if found is None:
            raise
        return found


def asking_key(
    study: Study, words: str, *, attachments: Sequence[int | str] | None = None, **parts: Any
) -> str:
    """Return an idempotency key that depends on the study, the words and the other parts."""
    scale = parts.get("scale")
    told = {
        **{name: parts.get(name) for name in ("key", "type", "shuffle_options")},
        "options": list(parts.get("options") or ()),
        "scale": None if scale is None else scale_body(scale),
        "attachments": [str(one) for one in attachments or ()],
    }
    if parts.get("engine") is not None:
        told["engine"] = parts["engine"]
    text = msgspec.json.encode([str(study.uuid), words, told], order="sorted")
    return f"ask-{hashlib.sha256(text).hexdigest()}"


def _asked_before(
    client: Client,
    study: Study,
    words: str,
    attachments: Sequence[int | str] | None,
    parts: Mapping[str, Any],
) -> Asked | None:
    """Return the existing question with this key, or the same words if neither has a key; else None."""
    key = parts.get("key")
    for question in client.questions.list(study, answers=False):
        differs = _difference(question, words, attachments, parts)
        if key is not None and question.key == key:
            if differs:
                told = (
                    f"{key!r} is the key of an earlier question of this study with {differs}, "
                    f"{_short(question.question)!r}; choose another"
                )
                raise InvalidRequest(f"key: {told}.", details={"fields": {"key": [told]}})
            return _taken_up(question)
        if key is None and question.key is None and not differs:
            return _taken_up(question)
    return None


def _taken_up(question: Question) -> Asked:
    return Asked(
        job_ids=[],
        question_id=question.id,
        question=question.model_copy(update={"answers": []}),
        notice=question.notice,
        replayed=True,
    )


def _difference(
    question: Question,
    words: str,
    attachments: Sequence[int | str] | None,
    parts: Mapping[str, Any],
) -> str | None:
    """Return what differs from an existing question, or None; omitted type, options or scale match any."""
    if (question.question or "").strip() != words.strip():
        return "other words"
    for name in ("type", "options"):
        given = parts.get(name)
        held = getattr(question, name)
        if given is not None and (list(given) if name == "options" else given) != held:
            return f"another {name}" if name == "type" else "other options"
    scale = parts.get("scale")
    if scale is not None and not _same_scale(scale, question.scale):
        return "another scale"
    if bool(parts.get("shuffle_options")) != bool(question.shuffle_options):
        return "another shuffle_options"
    if parts.get("engine") != question.engine:
        return "another engine"
    names = [{str(one.id), str(one.uuid)} for one in question.attachments or ()]
    given_names = [str(one) for one in attachments or ()]
    same = len(names) == len(given_names) and all(
        one in known for one, known in zip(given_names, names, strict=True)
    )
    return None if same else "other attachments"


def _same_scale(given: Any, held: Any) -> bool:
    if held is None:
        return False
    wanted = scale_body(given)
    return all(value is None or getattr(held, name) == value for name, value in wanted.items())


def _short(text: str | None, most: int = 60) -> str:
    text = text or ""
    return text if len(text) <= most else f"{text[: most - 1]}…"
