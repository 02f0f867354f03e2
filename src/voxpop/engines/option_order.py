"""The order in which each agent sees the options of a question."""

from __future__ import annotations

import re

from voxpop.engines.draws import draws
from voxpop.engines.question import Question

ESCAPE = re.compile(
    r"^(?:i )?(?:don'?t know|do not know|not sure|unsure|prefer not|rather not|can'?t say|no answer"
    r"|not applicable|n/a|no opinion|undecided|decline)",
    re.I,
)
NONE = re.compile(
    r"^(?:none|neither|nothing|no one|nobody)\b|^i (?:don'?t|do not) (?:use|have|take|buy|like) any"
    r"|^not any\b",
    re.I,
)
OTHER = re.compile(r"^(?:other|something else|somewhere else|someone else|another)\b", re.I)

_DRAWS = 31  # draws per block of 32; the first option needs none


def shown_order(question: Question, uuid: bytes, salt: bytes) -> tuple[int, ...] | None:
    """Return the option order for an agent; "other", "none" and "don't know" stay last.

    Parameters
    ----------
    question : Question
        Any question.
    uuid : bytes
        The agent.
    salt : bytes
        Further input of the order, such as the seed and the question text.

    Returns
    -------
    tuple of int or None
        Indices of the options; None if they are shown as listed.

    Examples
    --------
    >>> question = Question("Which?", "single_choice", ("Tea", "Milk", "Other"), shuffle_options=True)
    >>> sorted(shown_order(question, b"agent", b"7")), shown_order(question, b"agent", b"7")[-1]
    ([0, 1, 2], 2)
    """
    if not question.shuffle_options or not question.row.has_options:
        return None
    last = [any(kind.match(option) for kind in (ESCAPE, NONE, OTHER)) for option in question.options]
    movable = [at for at, stays in enumerate(last) if not stays]
    fixed = [at for at, stays in enumerate(last) if stays]
    block = draws(salt, uuid, b"order")
    if len(movable) > _DRAWS:
        block += draws(salt, uuid, b"order 2")
    for at in range(len(movable) - 1, 0, -1):
        other = block[at % len(block)] % (at + 1)
        movable[at], movable[other] = movable[other], movable[at]
    return (*movable, *fixed)
