"""Find the known words nearest to a word nobody knows, for every "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

_LONGEST = 80


def nearest(word: str, options: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return the options most like a word, the nearest first.

    Parameters
    ----------
    word : str
        The word that was not found. Upper and lower case count as equal.
    options : iterable of str
        The words that would have been found.
    n : int, default 3
        At most this many are returned.
    cutoff : float, default 0.6
        The least similarity, from 0 (nothing in common) to 1 (equal).

    Returns
    -------
    list of str
        Empty when nothing is near, or when the word is too long to be a misspelling.

    Examples
    --------
    >>> nearest("gendr", ["age", "gender", "state"])
    ['gender']
    >>> nearest("zzz", ["age", "gender"])
    []
    """
    if len(word) > _LONGEST:
        return []
    wanted = word.casefold()
    scored = []
    for position, option in enumerate(dict.fromkeys(options)):
        ratio = _similarity(wanted, option.casefold(), cutoff)
        if ratio >= cutoff:
            scored.append((-ratio, position, option))
    return [option for _, _, option in sorted(scored)[:n]]


def did_you_mean(suggestions: Sequence[str]) -> str:
    """Return the end of an error sentence, or nothing when there is no suggestion.

    Examples
    --------
    >>> did_you_mean(["age"]), did_you_mean(["CA", "GA", "VA"]), did_you_mean([])
    ('; did you mean age?', '; did you mean CA, GA or VA?', '')
    """
    if not suggestions:
        return ""
    *first, last = suggestions
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"


def _similarity(one: str, other: str, cutoff: float) -> float:
    matcher = SequenceMatcher(None, other, one, autojunk=False)
    if matcher.real_quick_ratio() < cutoff or matcher.quick_ratio() < cutoff:
        return 0.0
    # The ratio depends a little on the order of the two words; near in either order is near.
    return max(matcher.ratio(), SequenceMatcher(None, one, other, autojunk=False).ratio())
