"""Words and quotes of open answers: recurring words, and a few answers that show the range."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.engines.respondent import without_unseen
from voxpop.jobs.evidence import Column, Mask

WORD = re.compile(r"\w+(?:['’]\w+)?")
CANDIDATES = 300
READ = 4_000  # characters of an answer
QUOTE_WORDS = (8, 60)
MINORITY = (0.03, 0.2)

_STOP_WORDS = """
a able about above after again age aged all almost already also although always am among an and another
answered any anything appear are around as ask at away back basically be because become been before being
believe below best better between both bring but by call came can cannot care certainly choose chose
clearly come could decide definitely depend did didn't do does doesn't doing don't done down each either
else enough even ever every everything far feel feels few find fine first for frankly from generally get
gets getting give given go goes going good got had happen hard has have haven't having he hear help her
here hers herself him himself his honestly how however i i'd i'll i'm i've if in into is isn't it it's
its itself just keep keeps kept kind know last least leave less let like likely little live lives living
long look looks lot lots made main mainly make makes making many matter matters may maybe me mean means
might mind mine more most mostly much must my myself need needs never no nor not nothing now of off often
old older on once one only onto or other others our ours ourselves out over overall own part people
perhaps personally pick picked plus point prefer pretty probably put quite ranked rather real really
remain right said same say says see seem seems she should simply since so some someone something
sometimes somewhat soon sort sound stand stands start stay still stop such sure take takes tell than that
that's the their theirs them themselves then there there's these they thing things think this those
though through to today together too toward truly try trying turn two under until up upon us use used
usually very wait want wants was wasn't way we well were what what's whatever when whenever where whether
which while who whole whom whose why will with within without won't would wouldn't year years yes yet you
you'd you'll you're young younger your yours yourself
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word, with the answers to an open question that use it."""

    text: str
    used: Mask

    @property
    def count(self) -> int:
        """Number of answers that use the word."""
        return int(np.count_nonzero(self.used))


def tokens(text: str) -> list[str]:
    """Split a text into words: Unicode-normalised, lower case, apostrophes kept.

    Examples
    --------
    >>> tokens("It’s TOO sweet, isn't it?")
    ["it's", 'too', 'sweet', "isn't", 'it']
    """
    return [word.replace("’", "'") for word in WORD.findall(unicodedata.normalize("NFKC", text).casefold())]


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    return (
        word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )


def content_words(text: str) -> dict[str, str]:
    """Return the words that carry meaning, as a crude stem (plural as singular) with the form used."""
    return {
        _stem(word): word
        for word in tokens(text[:READ])
        if len(word) > 3 and not {word, _stem(word)} & STOP_WORDS and not word[0].isdigit()
    }


def recurring_words(column: Column) -> list[Word]:
    """Return the words used by at least two answers, most common first.

    Words of the question are excluded. A word counts once per answer, so one talkative agent makes no theme.
    """
    echoed = set(content_words(column.question.text))
    forms: dict[str, Counter[str]] = {}
    places: dict[str, list[int]] = {}
    for place, answer in enumerate(column.answers):
        for stem, form in content_words(without_unseen(answer.text)).items() if answer else ():
            if stem not in echoed:
                forms.setdefault(stem, Counter())[form] += 1
                places.setdefault(stem, []).append(place)
    found = []
    for stem in sorted(places, key=lambda stem: (-len(places[stem]), stem)):
        if len(places[stem]) < 2:
            break
        used = np.zeros(len(column.answers), dtype=np.bool_)
        used[places[stem]] = True
        shown = min(forms[stem], key=lambda form: (-forms[stem][form], form))
        found.append(Word(shown, used))
    return found


def minority_words(column: Column, most: int = 2) -> tuple[Word | None, list[Word]]:
    """Return the most common word of an open question, and words of a minority with another topic.

    A minority is 3-20 % of the answers. Words in that range are ordered by how rarely their users also use
    the most common word; a second word used by the same answers is left out.
    """
    recurring = recurring_words(column)
    if not recurring:
        return None, []
    common = recurring[0]
    low, high = (share * column.size for share in MINORITY)
    rare = [word for word in recurring[1:] if low <= word.count <= high]

    def apart(word: Word) -> float:
        return float(np.count_nonzero(word.used & ~common.used)) / word.count

    chosen: list[Word] = []
    for word in sorted(rare, key=lambda word: (-round(apart(word), 1), -word.count, word.text)):
        if all(np.count_nonzero(word.used & other.used) * 2 < word.count for other in chosen):
            chosen.append(word)
        if len(chosen) == most:
            break
    return common, chosen


def pick_quotes(texts: Sequence[str], size: int) -> list[int]:
    """Choose a few texts that show the range: the most typical first, then each as different as possible.

    Parameters
    ----------
    texts : sequence of str
        Answers in a fixed order, by id.
    size : int
        Number of texts to choose.

    Returns
    -------
    list of int
        Indices into ``texts`` in the order chosen; fewer than ``size`` if too few texts differ.

    Examples
    --------
    >>> pick_quotes(["Too sweet for me.", "Too sweet for us.", "The price is what counts."], 2)
    [0, 2]
    """
    seen: dict[str, int] = {}
    for place, text in enumerate(texts):
        seen.setdefault(" ".join(tokens(text)), place)
    distinct = [place for words, place in seen.items() if words]
    shortest, longest = QUOTE_WORDS
    fitting = [place for place in distinct if shortest <= len(texts[place].split()) <= longest]
    pool = fitting if len(fitting) >= size else distinct
    pool = (
        [pool[step * len(pool) // CANDIDATES] for step in range(CANDIDATES)]
        if len(pool) > CANDIDATES
        else pool
    )
    if not pool:
        return []
    near = _similarities([set(tokens(texts[place])) for place in pool])
    chosen = [int(np.argmax(near.mean(axis=1).round(9)))]
    while len(chosen) < min(size, len(pool)):
        nearest = near[:, chosen].max(axis=1)
        nearest[chosen] = np.inf
        chosen.append(int(np.argmin(nearest)))
    return [pool[place] for place in chosen]


def _similarities(bags: Sequence[set[str]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the Jaccard similarity of every pair of word sets."""
    columns = {word: place for place, word in enumerate(sorted(set().union(*bags)))}
    holds = np.zeros((len(bags), len(columns)))
    for row, bag in enumerate(bags):
        holds[row, [columns[word] for word in sorted(bag)]] = 1.0
    shared = holds @ holds.T
    sizes = holds.sum(axis=1)
    return np.asarray(shared / (sizes[:, None] + sizes[None, :] - shared))
