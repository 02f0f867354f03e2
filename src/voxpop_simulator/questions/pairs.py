"""The two alternatives of a question: "books on paper or e-books"."""

from __future__ import annotations

import re

from voxpop_simulator.questions.patterns import Pattern

_THING = r"[\w'&-]+(?: [\w'&-]+){0,4}?"
_END = r"(?=\s*(?:$|[?.,;:!(]| and (?:why|what|how)\b| (?:for|when|if|in general)\b))"
_CHOICE = Pattern(
    r"\b(?:prefer(?:red)?|rather(?: have)?|(?:like|enjoy|love) (?:more|better|most)|(?:is|are) better"
    rf"|choose)\b[:,]?\s+(?:to )?({_THING}),? (?:or|over|versus|vs\.?|rather than) (?:to )?({_THING}){_END}"
    r"|\b(?:choos\w+|compar\w+|differen\w+|decid\w+|prefer\w*|choice|trade-?off)(?: you see)? between"
    rf" ({_THING}) (?:and|or) ({_THING}){_END}"
    r"|^(?!(?:what|which|who|how|why|when|where|tell|describe)\b)"
    rf"({_THING}) (?:or|vs\.?|versus) ({_THING})\?",
    re.I,
)
_CHOOSES = Pattern(
    r"\bor\b|\bvs\b|\bversus\b|\bcompar|\bdiffer|\bapart\b|\bbetter\b|\bprefer|\bthan\b|\bbetween\b"
    r"|\bchoose\b|\binstead\b|\bover\b|\bboth\b|\beach\b",
    re.I,
)
_NEITHER = Pattern(
    r"\b(?:you|it|not|why|more|less|worse|better|bad|good|none|neither|they|we|us|one|first|second|former)\b"
    r"|\bcurrent (?:most recent|previous|last|former)\b",
    re.I,
)


def pair_in(sentence: str) -> tuple[str, str] | None:
    """Return the two alternatives of a question, or None.

    Examples
    --------
    >>> pair_in("Do you prefer paper books or e-books, and why?")
    ('paper books', 'e-books')
    >>> pair_in("Would you buy it or not?") is None
    True
    """
    found = _CHOICE.search(sentence.strip())
    if not found:
        return None
    one, other = (part for part in found.groups() if part)
    return None if _NEITHER.search(f"{one} {other}") else (one, other)


def chooses(sentence: str) -> bool:
    """Return whether a question with several things contrasts them.

    Examples
    --------
    >>> chooses("Netflix or Hulu?"), chooses("What did Nike and Adidas teach you?")
    (True, False)
    """
    return bool(_CHOOSES.search(sentence))
