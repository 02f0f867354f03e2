"""Words of answers: removal of markup, tokens, stems, stop words and counts per answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from voxpop.analysis.extras import load
from voxpop.errors import UsageError

WORD = re.compile(r"\w+(?:'\w+)?")
_WORD_OR_END = re.compile(r"\w+(?:'\w+)?|\x1e")
_INLINE = re.compile(r"</?[bi]\s*/?>", re.IGNORECASE)
_POINT = re.compile(r"<li\s*>", re.IGNORECASE)
_BREAK = re.compile(r"</?(?:ul|li|br)\s*/?>", re.IGNORECASE)
_END = "\x1e"
_AT_ONCE = 20_000

_FUNCTION_WORDS = """
a about above after again all also although always am among an and another any anyway are aren't around as
at away back be because been before being below between both but by can can't cannot could couldn't did
didn't do does doesn't doing don't down during each either else even ever every few for from further get
gets getting got had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself
him himself his how however i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let
let's like may maybe me might mine more most much must my myself neither no nor not now of off often on
once one only onto or other others our ours ourselves out over own per perhaps quite rather really same
shan't she she'd she'll she's should shouldn't since so some still such than that that'd that'll that's
the their theirs them themselves then there there's these they they'd they'll they're they've this those
though through to too toward towards under until up upon us very was wasn't we we'd we'll we're we've well
were weren't what what's whatever when whenever where whether which while who who's whom whose why will
with within without won't would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
"""English function words. Longer lists also contain "great", "value" and "small"."""

Codes = npt.NDArray[np.intp]


def plain(text: str) -> str:
    """Remove the markup of an answer for display: b, i, ul, li, br and entities.

    Examples
    --------
    >>> plain("<b>Price</b> &amp; taste:<ul><li>too dear</li><li>too sweet</li></ul>")
    'Price & taste: • too dear • too sweet'
    >>> plain("3 < 4, and <3")
    '3 < 4, and <3'
    """
    if "<" in text:
        text = _BREAK.sub(" ", _POINT.sub(" • ", _INLINE.sub("", text)))
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())


def fold(text: str) -> str:
    """Normalize a text for comparing words: one Unicode form, lower case, one apostrophe.

    Examples
    --------
    >>> fold("It’S ﬁne")
    "it's fine"
    """
    if not unicodedata.is_normalized("NFKC", text):  # checking first is faster
        text = unicodedata.normalize("NFKC", text)
    return text.casefold().replace("’", "'")


def words_of(text: str) -> list[str]:
    """Split a text into words.

    Examples
    --------
    >>> words_of("It’s TOO sweet, isn't it?")
    ["it's", 'too', 'sweet', "isn't", 'it']
    """
    return WORD.findall(fold(text))


def stop_words(chosen: bool | Iterable[str]) -> frozenset[str]:
    """Return the stop words: the English ones (True), none (False), or those given.

    Examples
    --------
    >>> sorted(stop_words(["The", "it's"])), "great" in stop_words(True), "the" in stop_words(True)
    (["it's", 'the'], False, True)
    """
    if chosen is True:
        return STOP_WORDS
    return frozenset(word for given in chosen for word in words_of(given)) if chosen else frozenset()


@dataclass(frozen=True, slots=True)
class Words:
    """Rules for counting words.

    Attributes
    ----------
    stem : bool, default True
        Whether inflected English forms ("price", "prices") count as one; needs the extra ``text``.
    stops : bool or tuple of str, default True
        Words left out of lists, but not of counts: English function words, none, or your own.
    min_answers : int, default 3
        Minimum number of answers with a word, so that one talkative agent does not create a keyword.
    cap : int, optional
        Maximum number of uses counted within one answer.
    """

    stem: bool = True
    stops: bool | tuple[str, ...] = True
    min_answers: int = 3
    cap: int | None = None

    def __post_init__(self) -> None:
        for name in ("min_answers", "cap"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and value >= 1):
                raise UsageError(f"{name} must be a whole number of 1 or more, not {value!r}.")

    def to_json(self) -> dict[str, Any]:
        """Return the rules as data."""
        stops = self.stops if isinstance(self.stops, bool) else list(self.stops)
        return {"stem": self.stem, "stops": stops, "min_answers": self.min_answers, "cap": self.cap}

    def count(self, texts: Sequence[str]) -> WordCounts:
        """Count the words of texts with these rules."""
        made = count_words(texts, stem=self.stem)
        if self.cap is not None:
            made.counts.data = np.minimum(made.counts.data, self.cap)
        return made


@dataclass(frozen=True, eq=False, slots=True)
class WordCounts:
    """Number of uses of each term in each answer.

    Attributes
    ----------
    terms : tuple of str
        Terms in alphabetical order; a stem is shown as its most frequent form.
    forms : tuple of tuples of str
        Words counted as each term, the most frequent first.
    counts : scipy.sparse.csr_array (answers, terms)
        Number of uses.
    """

    terms: tuple[str, ...]
    forms: tuple[tuple[str, ...], ...]
    counts: Any

    def content(self, stops: bool | Iterable[str]) -> Codes:
        """Return the positions of content terms: no stop words, bare numbers or single letters."""
        out = stop_words(stops)
        kept = [
            place
            for place, (term, forms) in enumerate(zip(self.terms, self.forms, strict=True))
            if len(term) > 1 and not term[0].isdigit() and out.isdisjoint(forms)
        ]
        return np.array(kept, dtype=np.intp)

    def place(self, word: str) -> int | None:
        """Return the position of the term that a word is counted as; None if it does not occur."""
        wanted = fold(word).strip()
        if wanted in self.terms:
            return self.terms.index(wanted)
        return next((place for place, forms in enumerate(self.forms) if wanted in forms), None)


def count_words(texts: Sequence[str], *, stem: bool) -> WordCounts:
    """Count the words of texts.

    Parameters
    ----------
    texts : sequence of str
        Texts without markup.
    stem : bool
        Whether inflected English forms ("price", "prices") count as one term (Snowball stemmer).

    Raises
    ------
    UsageError
        If stems are requested and the extra ``text`` is not installed.

    Examples
    --------
    >>> found = count_words(["Too sweet, too dear", "Sweet"], stem=False)
    >>> found.terms, found.counts.toarray().tolist()
    (('dear', 'sweet', 'too'), [[1, 1, 2], [0, 1, 0]])
    """
    from scipy.sparse import coo_array  # imported where used

    words, documents, places = _tokens(texts)
    used = np.bincount(places, minlength=len(words))
    stems = _stems(words) if stem else words
    forms: dict[str, list[int]] = {}
    for place, key in enumerate(stems):
        forms.setdefault(key, []).append(place)
    # the most frequent form stands for its stem; ties are resolved alphabetically
    ranked = [sorted(held, key=lambda place: (-used[place], words[place])) for held in forms.values()]
    ranked.sort(key=lambda held: words[held[0]])
    term_of = np.zeros(len(words), dtype=np.intp)
    for term, held in enumerate(ranked):
        term_of[held] = term
    shape = (len(texts), len(ranked))
    counts = coo_array((np.ones(places.size, dtype=np.int64), (documents, term_of[places])), shape=shape)
    return WordCounts(
        tuple(words[held[0]] for held in ranked),
        tuple(tuple(words[place] for place in held) for held in ranked),
        counts.tocsr(),
    )


def _stems(words: Sequence[str]) -> list[str]:
    stemmer = load("snowballstemmer", "text", "Stems need").stemmer("english")
    return list(stemmer.stemWords(list(words)))


def _tokens(texts: Sequence[str]) -> tuple[list[str], Codes, Codes]:
    """Return the distinct words, and per use the positions of its text and word.

    Texts are tokenized in batches with a separator between them, which is several times faster.
    """
    parts = []
    for start in range(0, len(texts), _AT_ONCE):
        joined = _END.join(text.replace(_END, " ") for text in texts[start : start + _AT_ONCE])
        parts.append(pa.array([*_WORD_OR_END.findall(fold(joined)), _END], pa.string()))
    column = pa.chunked_array(parts, pa.string()).combine_chunks().dictionary_encode()
    words = column.dictionary.to_pylist()
    places = column.indices.to_numpy().astype(np.intp)
    if _END not in words:
        return [], places[:0], places[:0]
    end = words.index(_END)
    documents = np.cumsum(places == end)
    inside = places != end
    places = places[inside]
    return [*words[:end], *words[end + 1 :]], documents[inside], places - (places > end)
