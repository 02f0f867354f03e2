"""Nearest known words to an unknown word, for "did you mean" suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

_LONGEST = 80


def nearest(word: str, options: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return the options most similar to a word, nearest first.

    Parameters
    ----------
    word : str
        The unknown word. Case is ignored.
    options : iterable of str
        The known words.
    n : int, default 3
        Maximum number of results.
    cutoff : float, default 0.6
        Minimum similarity, from 0 (nothing in common) to 1 (equal).

    Returns
    -------
    list of str
        Empty if nothing is near, or if the word is too long to be a misspelling.

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
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)
    scored = []
    for position, option in enumerate(dict.fromkeys(options)):
        ratio = _similarity(matcher, wanted, option.casefold(), cutoff)
        if ratio >= cutoff:
            scored.append((-ratio, position, option))
    return [option for _, _, option in sorted(scored)[:n]]


def within_one_typo(one: str, other: str) -> bool:
    """Return whether two words differ by one omitted, added, replaced or transposed letter.

    Examples
    --------
    >>> [within_one_typo("asthma", word) for word in ("ashtma", "astma", "asthmma", "ashma", "azthna")]
    [True, True, True, True, False]
    """
    if abs(len(one) - len(other)) > 1:
        return False
    same = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        len(min(one, other, key=len)),
    )
    one, other = one[same:], other[same:]
    if len(one) == len(other):
        return one[1:] == other[1:] or (one[1::-1] == other[:2] and one[2:] == other[2:])
    return one[1:] == other or one == other[1:]


def did_you_mean(suggestions: Sequence[str]) -> str:
    """Return the "did you mean" part of an error message, or an empty string without suggestions.

    Examples
    --------
    >>> did_you_mean(["age"]), did_you_mean(["CA", "GA", "VA"]), did_you_mean([])
    ('; did you mean age?', '; did you mean CA, GA or VA?', '')
    """
    if not suggestions:
        return ""
    *first, last = suggestions
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"


def _similarity(matcher: SequenceMatcher[str], wanted: str, other: str, cutoff: float) -> float:
    """Return the similarity of two texts; ``matcher`` holds the preprocessed target."""
    matcher.set_seq1(other)
    if matcher.real_quick_ratio() < cutoff or matcher.quick_ratio() < cutoff:
        return 0.0
    # The ratio depends slightly on the order of the two words, so try both.
    return max(matcher.ratio(), SequenceMatcher(None, wanted, other, autojunk=False).ratio())
