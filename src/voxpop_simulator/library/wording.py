"""The words of a question that carry its meaning: stems of one spelling, negations, the kind of question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from voxpop_simulator.library.files import rows
from voxpop_simulator.questions.patterns import Pattern

_WORD = Pattern(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|\d+(?:\.\d+)?")
_NUMBERS = {
    name: str(number)
    for number, name in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"), 0
    )
    if number > 1
} | {"twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "half": "half"}
_NOT = Pattern(r"\b(?:not(?! (?:very|too|at all|much|so)\b)|no|never|cannot|without|\w+n't)\b")
_EITHER_WAY = Pattern(
    r",? (?:or|and) (?:should |would |is |are |do |does )?(?:not|no)\b(?= ?(?:\?|,|$| to | for | be |\.))"
    r"|\b(?:agree or disagree|favor or oppose|support or oppose|for or against|approve or disapprove"
    r"|in favor(?: of)? or (?:against|opposed(?: to)?)"
    r"|(\w{3,}) or (?:dis|il|im|in|un)\1|(?:dis|il|im|in|un)(\w{3,}) or \2"
    r"|should or should not|whether or not|wrong or not wrong|too .{3,9} or not .{3,9} enough)\b"
    r"|\bhow (?:much|often|likely|interested|happy or unhappy)\b"
)
_ANSWERS = Pattern(r"[(\[]? ?\byes(?: ?/ ?| or |, )no\b ?[)\]]?[:,]?|\((?:agree|true|favor)/\w+\)")
_HEDGED = Pattern(r"\bnot (?:very|too|at all|much|so|really|quite)\b")
_AGAINST = Pattern(
    r"\b(?:do|would|are) you (?:be |\w+ly )?(?:oppose|opposed to|against|disagree|disapprove)\b"
)
_BOTH = Pattern(r"\b(should|might|may|does|do|would|is|are)\b([^.?!]*?),? (?:or|and)\b[^.?!]*?\b\1 not\b")
_SECOND = Pattern(r"[.?!:]\s+\w")
_SURELY = Pattern(r"^(do|does|did|is|are|was|were|has|have|should|would|will|ca|can)n't\b")
_UNLAWFUL = Pattern(r"\b(?:illegal|unlawful|against the law)\b")
_OWN = Pattern(r"\b(?:you|your|yourself|i|my|me)\b")
_ATTITUDE = Pattern(
    r"\b(?:do |would |are |whether )?you (?:would be |would |personally |strongly |very much |are )*"
    r"(?:think|favor|oppose|support|agree|disagree|approve of|consider|say|feel that|believe that|in favor of"
    r"|opposed to|against|for or against|expect|like to see)\b"
)
_SUBORDINATE = Pattern(r"\b(?:if|when|because|who|unless|while|whose|(?:do|did|are|have|would) you not)\b")
_ENDINGS = (
    *("ization", "ational", "fulness", "ousness", "iveness"),
    *("ations", "ation", "ments", "ities", "ings", "ments", "ants", "ness", "ment", "ists"),
    *(
        "ential",
        "ences",
        "ence",
        "ions",
        "ity",
        "ies",
        "ing",
        "ers",
        "ist",
        "ion",
        "ive",
        "ous",
        "ful",
        "ant",
        "ely",
        "ily",
    ),
    *("ed", "es", "er", "ly", "al", "s", "e", "y"),
)
_KINDS = (
    (
        "wish",
        Pattern(r"\b(?:should|ought|favor|oppose|support|approve|allowed|right to|in favor|against)\b"),
    ),
    ("wish", Pattern(r"\b(?:responsib\w+|would like to see|would you want)\b")),
    (
        "past",
        Pattern(r"\b(?:have you (?:ever|seen|been)|has .{0,40}ever|did you|did your|were you|was your)\b"),
    ),
    ("past", Pattern(r"\b(?:past|last) (?:\w+ )?(?:\d+ )?(?:days?|weeks?|months?|years?|year)\b")),
    (
        "past",
        Pattern(r"\bever told|\bhave you (?:felt|used|tried|worked)|\b\d+ years ago\b|^did \b|\bwas\b"),
    ),
    ("hence", Pattern(r"\b(?:will|expect|going to|next (?:\d+|year|month))\b")),
)
_ASKED = Pattern(
    r"^(?:(?:how|what|which|when|where|about|to what extent|at any time) ?(?:\w+ ){0,4}?)?"
    r"(?:do|did|have|are|were|would|will|can|could|should|has|does|is|was) (\w+)"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """The features of a text that its words reveal.

    Attributes
    ----------
    words : frozenset of str
        Stems of the words that carry meaning, numbers among them.
    denials : int
        Negations in the text, those of a pair of answers ("or not") left out.
    opposed : bool
        Whether it asks for opposition alone: "Do you oppose ...?".
    kind : str
        ``wish``, ``past``, ``hence`` or ``now``: what should be, was, will be, or is.
    own : bool
        Whether it is on the one who answers, beyond that one's opinion.
    simple : bool
        Whether it is one clause of one sentence, so that a negation denies all of it.
    """

    words: frozenset[str]
    denials: int
    opposed: bool
    kind: str
    own: bool
    simple: bool


@cache
def fillers(kind: str) -> frozenset[str]:
    """Return a list of general words or phrases.

    Examples
    --------
    >>> "not sure" in fillers("unsure")
    True
    """
    return frozenset(
        word for row in rows("fillers") if row["kind"] == kind for word in row["words"].split("|")
    )


def plain(text: str) -> str:
    """Return a text in lower case with plain apostrophes and single spaces.

    Examples
    --------
    >>> plain("Don’t  KNOW")
    "don't know"
    """
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("''", "'").lower()).strip()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without its endings.

    Examples
    --------
    >>> stem("immigrants") == stem("immigration"), stem("dogs"), stem("agrees") == stem("agree")
    (True, 'dog', True)
    """
    before = None
    while before != word:
        before = word
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
                word = word.removesuffix(ending)
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word


@cache
def _canonical() -> tuple[re.Pattern[str], dict[str, str]]:
    also = {form: row["word"] for row in rows("synonyms") for form in (row["word"], *row["also"].split("|"))}
    longest = sorted(also, key=len, reverse=True)
    return re.compile(r"(?<![\w'])(?:" + "|".join(map(re.escape, longest)) + r")(?![\w'])"), also


def spelled(text: str) -> str:
    """Return a plain text with one word for each set of synonyms.

    Examples
    --------
    >>> spelled("does the u.s. spend too much?")
    'does the america spend too much?'
    """
    pattern, also = _canonical()
    return pattern.sub(lambda found: also[found[0]], text)


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words that carry meaning, in their order.

    Examples
    --------
    >>> stems("Do you think the use of cannabis should be legal?")
    ('use', 'marijuana', 'legal')
    """
    light = fillers("light")
    found = []
    for word in _WORD.findall(spelled(plain(text))):
        word = _NUMBERS.get(word, word.removesuffix("'s"))
        if word not in light and not word.endswith("n't"):
            found.append(stem(word) if word not in _kept() else word)
    return tuple(found)


@cache
def _kept() -> frozenset[str]:
    return frozenset(row["word"] for row in rows("synonyms"))


@cache
def people() -> frozenset[str]:
    """Return the stems of words for other people and places than those of the one who answers."""
    return frozenset(part for word in fillers("person") for part in stems(word))


@cache
def _frame() -> re.Pattern[str]:
    longest = sorted(fillers("frame"), key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, longest)) + r")\b[ :,]*")


def hedged(text: str) -> bool:
    """Return whether a text denies a degree, so that yes to it may mean much or little.

    Examples
    --------
    >>> hedged("Are the differences not too large?"), hedged("Are the differences not large?")
    (True, False)
    """
    return bool(_HEDGED.search(plain(text)))


@lru_cache(maxsize=8192)
def read(text: str) -> Wording:
    """Return what a question or a statement says.

    Examples
    --------
    >>> read("Do you think marijuana should not be legal?").denials
    1
    >>> read("Have you ever used marijuana?").kind, read("Should marijuana be legal?").kind
    ('past', 'wish')
    """
    told = _SURELY.sub(r"\1", _ANSWERS.sub(" ", plain(text)).strip())
    bare = _frame().sub("", _EITHER_WAY.sub(" ", _BOTH.sub(r"\1\2", told))).strip(" ,:")
    kind = next((name for name, pattern in _KINDS if pattern.search(told)), "now")
    denials = len(_NOT.findall(spelled(bare))) + bool(_UNLAWFUL.search(bare))
    opposed = bool(_AGAINST.search(_EITHER_WAY.sub(" ", told)))
    own = bool(_OWN.search(_frame().sub(" ", _ATTITUDE.sub(" ", told))))
    return Wording(
        frozenset(stems(bare)),
        denials,
        opposed,
        kind,
        own,
        not _SUBORDINATE.search(bare) and not _SECOND.search(bare),
    )


def subject(text: str) -> str | None:
    """Return the word after the first auxiliary of a question, or None.

    Examples
    --------
    >>> subject("Have you ever told a doctor?"), subject("Has a doctor ever told you?")
    ('you', 'a')
    >>> subject("My job is secure.") is None
    True
    """
    found = _ASKED.match(_frame().sub("", plain(text)).strip(" ,:"))
    return found[1] if found else None
