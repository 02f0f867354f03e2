"""An open question read whole: the sentence that asks, what is said before it, and what it is like."""

from __future__ import annotations

from voxpop.questions.asking import Asked, asked
from voxpop.questions.context import in_context
from voxpop.questions.likeness import likened


def understood(text: str, sentence: str, turned: bool) -> Asked:
    """Return what an open question asks for.

    Parameters
    ----------
    text : str
        The whole question.
    sentence : str
        Its sentence that asks.
    turned : bool
        Whether a yes would speak against what it is about.

    Examples
    --------
    >>> text = "Imagine a sparkling tea made from old bread. What do you think of it?"
    >>> found = understood(text, "What do you think of it?", False)
    >>> found.form, found.topic
    ('think', 'a new drink')
    """
    found = asked(sentence, turned)
    before = text.partition(sentence)[0].strip()
    return likened(in_context(found, before) if before else found, text)
