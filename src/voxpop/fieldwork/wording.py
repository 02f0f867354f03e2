"""Questions as `Study.ask` accepts them: plain words, or a draft from a guide or an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voxpop.errors import UsageError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.wire.groups import GuideQuestion
from voxpop.wire.questions import Question

Drafted = GuideQuestion | Question | Mapping[str, Any]
"""A question of an interview guide, an earlier question, or a mapping with ``question`` and other parts."""

_PARTS = ("key", "type", "options", "scale", "shuffle_options", "engine")


def spelled_out(question: str | Drafted, **given: Any) -> tuple[Any, dict[str, Any]]:
    """Return the words of a question and its other parts; explicit arguments override the draft.

    Raises
    ------
    UsageError
        The mapping has an unknown key.

    Examples
    --------
    >>> spelled_out({"question": "Why?", "type": "open", "key": "why"}, key="reason", type=None)
    ('Why?', {'key': 'reason', 'type': 'open'})
    """
    if isinstance(question, GuideQuestion | Question):
        drafted: dict[str, Any] = {name: getattr(question, name, None) for name in ("question", *_PARTS)}
    elif isinstance(question, Mapping):
        drafted = dict(question)
        for name in drafted:
            if name not in ("question", *_PARTS):
                near = did_you_mean(nearest(str(name), _PARTS)) or f"; use question, {', '.join(_PARTS)}"
                raise UsageError(f"question: unknown part {name!r}{near}.")
    else:
        return question, given
    return drafted.get("question"), {name: value or drafted.get(name) for name, value in given.items()}
