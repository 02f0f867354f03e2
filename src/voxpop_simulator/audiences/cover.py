"""The cover of an audience text: which of its words are understood, as what, and which are not.

The text is cut into segments at punctuation, conjunctions and relative pronouns. Every word of a segment must
be inside a phrase of the lexicon, be glue, or be a frame word next to a phrase of its kind. Any other word
makes a foreign phrase. A foreign phrase with a verb or preposition takes the rest of its segment with it
("prescribe GLP-1s"), because it changes the meaning of what it governs; a modifier takes the phrase that it
modifies ("gestational diabetes").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from voxpop_simulator.audiences.frame_words import (
    AFTER,
    ARTICLES,
    BE,
    BEFORE,
    GLUE,
    JOINTS,
    NEGATIONS,
    PERSONS,
    RELATIVES,
    kinds_of,
)
from voxpop_simulator.audiences.mentions import Mention
from voxpop_simulator.audiences.screens import is_verb
from voxpop_simulator.questions.wordlists import word_set

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[<>$€£%=+@#*&/|]")
_CUT = re.compile(r"[,;:.!?()\[\]\"—–]|\s-\s|\n")
_STRONG = re.compile(r"[;:.!?()\[\]—–]|\s-\s")
_PREPOSITIONS = word_set(
    "of for to with by about from at in on into onto over under near outside around between against "
    "toward like "
    "through via per after before during since until among amid within"
)
_PEELS = word_set(
    "in from across within throughout living live lives based residing located aged ages age and the"
)
_MOVING = word_set(
    "visited visit travel traveled travelled moved move moving born vacation flew fly been invest go "
    "went visiting "
    "work works working worked commute retire relocate relocated"
)
_GOVERNED = frozenset(("illness", "medicine", "cover", "work", "body", "asked", "habit"))
_ADJECTIVES = re.compile(r"(?:ic|ed|obese|overweight|underweight|ive|insured|uninsured)$", re.I)
_OF_CHILDREN = re.compile(r"(?:child|children|kids?|toddlers?|bab(?:y|ies)|infants?|newborns?)\W*$", re.I)
_TREATED = frozenset(("illness", "asked"))
_ALONE = word_set("only just strictly exclusively")
_HEADS = frozenset(("work", "labour", "gender"))
_TO_OTHERS = word_set("with have has having living live lives on of take use using w")
"""Words that before people speak of somebody else ("living with diabetics")."""
_NOUNLIKE = frozenset(("illness", "medicine", "cover"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the text outside of phrases."""

    start: int
    end: int
    text: str


Item = Word | Mention
_JOINED = {
    "&": "and",
    "+": "and",
    "plus": "and",
    "nor": "or",
    "/": "or",
    "vs": "or",
    "versus": "or",
    "despite": "but",
}


@dataclass(slots=True)
class Segment:
    """A part of the text between two cuts, with what cuts it from the part before."""

    joint: str
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Foreign:
    """A phrase that the lexicon does not cover.

    Attributes
    ----------
    start, end : int
        Its place.
    verbal : bool
        Whether it governs what follows, unlike a modifier.
    negated : bool
        Whether a negation before it belongs to it.
    taken : list of Mention
        Known phrases inside it, which lose their own meaning.
    head : Mention or None
        The known phrase that it modifies and that keeps its meaning.
    others : bool
        Whether it speaks of the children of the people described.
    """

    start: int
    end: int
    verbal: bool
    negated: bool = False
    taken: list[Mention] = field(default_factory=list)
    head: Mention | None = None
    others: bool = False


@dataclass(slots=True)
class Cover:
    """The phrases that keep their meaning, negated or not, and the foreign ones."""

    mentions: list[Mention] = field(default_factory=list)
    foreign: list[Foreign] = field(default_factory=list)


def covered(text: str, chosen: Sequence[Mention]) -> Cover:
    """Return the cover of a text by the phrases chosen for it.

    Examples
    --------
    >>> from voxpop_simulator.audiences.mentions import sense
    >>> text = "women who prescribe statins"
    >>> chosen = [Mention(0, 5, "women", sense(gender="female")),
    ...           Mention(20, 27, "statins", sense(health_drug_classes="statin"))]
    >>> found = covered(text, chosen)
    >>> [m.words for m in found.mentions], [text[f.start : f.end] for f in found.foreign]
    (['women'], ['prescribe statins'])
    """
    made = Cover()
    before: Segment | None = None
    for segment in segments_of(text, chosen):
        if not _absorbed(text, before, segment, made):
            _read(text, segment, made)
        before = segment
    made.mentions.sort(key=lambda mention: mention.start)
    made.foreign.sort(key=lambda phrase: phrase.start)
    return made


def segments_of(text: str, chosen: Sequence[Mention]) -> list[Segment]:
    """Return the segments of a text."""
    items: list[Item] = list(chosen)
    for token in _TOKEN.finditer(text):
        if not any(m.start <= token.start() < m.end for m in chosen):
            items.append(Word(token.start(), token.end(), token[0].replace("’", "'").lower()))
    items.sort(key=lambda item: item.start)
    found = [Segment("")]
    end, joint = 0, ""
    for item in items:
        gap = text[end : item.start]
        cut = _CUT.search(gap)
        end = item.end
        if cut is not None:
            joint = ";" if _STRONG.search(gap) else ","
        if isinstance(item, Word) and (item.text in JOINTS or _is_plus(text, item)):
            joint = _JOINED.get(item.text, item.text)
            continue
        if isinstance(item, Word) and item.text in RELATIVES:
            found.append(Segment(f"{joint}rel" if joint in (",", ";", "and", "or", "but") else "rel"))
            joint = ""
            if item.text not in ("who", "who've", "that", "which"):
                found[-1].items.append(item)
            continue
        if joint:
            found.append(Segment(joint))
            joint = ""
        found[-1].items.append(item)
    return [segment for segment in found if segment.items]


def _is_plus(text: str, item: Word) -> bool:
    """Return whether a plus sign stands between two phrases ("metformin + insulin")."""
    return item.text == "+" and text[item.start - 1].isspace() and text[item.end : item.end + 1].isspace()


def _absorbed(text: str, before: Segment | None, segment: Segment, made: Cover) -> bool:
    """Return whether a segment continues the foreign phrase before it ("prescribe metformin | or insulin").

    If it does, the phrase takes its words.
    """
    if before is None:
        return False
    if segment.joint == "rel" and _of_children(before.items[-1]):
        made.foreign.append(Foreign(segment.items[0].start, segment.items[0].end, True, others=True))
        _extend(made.foreign[-1], segment.items)
        return True
    if not made.foreign:
        return False
    last, first = made.foreign[-1], segment.items[0]
    if isinstance(first, Word) and first.text in ARTICLES and len(segment.items) > 1:
        first = segment.items[1]
    if last.end != before.items[-1].end or last.head is not None:
        return False
    if segment.joint == "rel" and last.verbal:
        _extend(last, segment.items)
        return True
    if segment.joint not in ("and", "or", ",") or not last.verbal:
        return False
    if isinstance(first, Mention):
        shared = any(kinds_of(first) & kinds_of(taken) for taken in last.taken)
        bare = (
            bool(kinds_of(first) & (_GOVERNED - {"asked"}))
            and segment.joint != ","
            and not first.sense.person
        )
        if not (shared or bare) or kinds_of(first) == {"age"}:
            return False
        _extend(last, segment.items)
        return True
    if segment.joint == "," or _kind(first) != "foreign" or is_verb(first.text) or first.text.endswith("ing"):
        return False
    upto = _nominal_end(segment.items)
    _extend(last, segment.items[:upto])
    rest = segment.items[upto:]
    if rest:
        _read(text, Segment("", rest), made)
    return True


def _of_children(item: Item) -> bool:
    if not isinstance(item, Mention):
        return False
    return "child" in kinds_of(item) and _OF_CHILDREN.search(item.words) is not None


def _nominal_end(items: Sequence[Item]) -> int:
    for at, item in enumerate(items):
        if isinstance(item, Mention) or item.text in _PEELS - {"and", "the"}:
            return at
    return len(items)


def _extend(phrase: Foreign, items: Sequence[Item]) -> None:
    phrase.end = items[-1].end
    phrase.taken += [item for item in items if isinstance(item, Mention)]


def _read(text: str, segment: Segment, made: Cover) -> None:
    """Read one segment: keep its phrases, or find the foreign ones."""
    items = segment.items
    at = begin = 0
    last: Mention | None = None
    while at <= len(items):
        item = items[at] if at < len(items) else None
        if isinstance(item, Word):
            at += 1
            continue
        words = [one for one in items[begin:at] if isinstance(one, Word)]
        odd, negated = _judged(words, item, last, segment, text)
        if odd is None:
            if item is not None:
                if (
                    last is not None
                    and _compound(text, last, item)
                    and made.mentions
                    and made.mentions[-1] is last
                ):
                    made.mentions.pop()
                    made.foreign.append(Foreign(last.start, item.end, False, taken=[last, item]))
                else:
                    made.mentions.append(replace(item, negated=True) if negated else item)
                    item = made.mentions[-1]
            last, begin, at = item, at + 1, at + 1
            continue
        beside = last is not None and _of_children(last)
        phrase, at = _foreign(_At(text, segment, begin, at, last), odd, made)
        phrase.others = beside
        made.foreign.append(phrase)
        last, begin = phrase.head, at
        if phrase.head is not None:
            made.mentions.append(phrase.head)
        if at >= len(items):
            return


def _judged(
    words: Sequence[Word], mention: Mention | None, last: Mention | None, segment: Segment, text: str
) -> tuple[int | None, bool]:
    """Return the first word that nothing explains, and whether the words negate what follows."""
    negations, pending = 0, False
    theirs = last is not None and _of_children(last)
    others = mention is not None and mention.sense.person
    kinds = kinds_of(mention) if mention is not None else frozenset[str]()
    said = [word.text for word in words]
    for at, word in enumerate(said):
        kind = _kind(words[at])
        ended = last is not None and bool(AFTER.get(word, frozenset()) & kinds_of(last))
        alone = word in _ALONE and _alone(kinds, last)
        if not alone and (kind == "glue" or (ended and not pending)):
            continue
        if kind == "person":
            if pending:
                return at, False
        elif kind == "negation":
            negations += 1
            if negations > 1 or mention is None:
                return at, False
        elif (
            alone
            or kind != "frame"
            or (theirs and "place" not in kinds)
            or (others and word in _TO_OTHERS)
            or not _licensed(word, said[:at], kinds, last, segment)
        ):
            return at, False
        else:
            pending = True
    return None, negations == 1


def _alone(kinds: frozenset[str], last: Mention | None) -> bool:
    """Return whether "only" would exclude others of its kind ("on insulin only", "Medicare only")."""
    named = kinds_of(last) if last is not None else frozenset()
    return bool((kinds | named) & {"illness", "medicine", "cover"})


def _licensed(
    word: str, before: Sequence[str], kinds: frozenset[str], last: Mention | None, segment: Segment
) -> bool:
    if word == "from":
        origin = last is not None and "birth" in kinds_of(last)
        return ("place" in kinds and not origin) or (
            bool(kinds & {"illness", "asked", "habit"}) and any(one.startswith("suffer") for one in before)
        )
    if word == "of" and any(one in ("history", "symptoms") for one in before):
        return bool(kinds & {"illness", "asked"})
    if word in ("for", "with") and any(one in ("treated", "medicated") for one in before):
        if word == "for" and any(one in NEGATIONS for one in before):
            return False
        return bool(kinds & (_TREATED if word == "for" else {"medicine"}))
    if word == "prescribed" and segment.joint.endswith("rel"):
        return bool(kinds & BEFORE[word]) and any(one in BE for one in before)
    return bool(kinds & BEFORE[word])


def _kind(word: Word) -> str:
    text = word.text
    if text in NEGATIONS:
        return "negation"
    if text in PERSONS:
        return "person"
    if text in GLUE:
        return "glue"
    return "frame" if text in BEFORE else "foreign"


def _compound(text: str, last: Mention, item: Mention) -> bool:
    """Return whether two phrases are a compound noun with a meaning of its own ("asthma nurses")."""
    if text[last.end : item.start].strip("- ") or not item.sense.person:
        return False
    if "work" not in kinds_of(item) and item.fields != ("labour_status",):
        return False
    if kinds_of(last) == {"labour"}:
        return ("student" in last.words.lower()) and "work" in kinds_of(item)
    return bool(kinds_of(last) & _NOUNLIKE) and not last.sense.person and not _ADJECTIVES.search(last.words)


@dataclass(frozen=True, slots=True)
class _At:
    """Where the reading of a segment is."""

    text: str
    segment: Segment
    begin: int
    at: int
    last: Mention | None


def _foreign(where: _At, odd: int, made: Cover) -> tuple[Foreign, int]:
    """Return the foreign phrase around an unexplained word, and the place of the next item to read."""
    text, segment, begin, at, last = where.text, where.segment, where.begin, where.at, where.last
    items = segment.items
    first = begin + odd
    while first > begin and _opens(items[first - 1]):
        first -= 1
    while first < begin + odd and isinstance(items[first], Word) and items[first].text in ARTICLES:  # type: ignore[union-attr]
        first += 1
    words = [one for one in items[first:at] if isinstance(one, Word)]
    head = items[at] if at < len(items) else None
    upto = _apart(words, begin + odd - first, head, segment, text)
    if upto < len(words):
        words, head, at = words[:upto], None, first + upto
    if _is_verbal(text, words, begin == 0 and segment.joint.endswith("rel") and first == begin):
        stop = _peeled(text, items, first, len(items))
        phrase = Foreign(items[first].start, items[stop - 1].end, True, negated=_negates(words))
        phrase.taken = [one for one in items[first:stop] if isinstance(one, Mention)]
        return phrase, stop
    while len(words) > 1 and _kind(words[-1]) in ("person", "glue") and not isinstance(head, Mention):
        words = words[:-1]
    phrase = Foreign(words[0].start, words[-1].end, False, negated=_negates(words))
    if isinstance(head, Mention) and kinds_of(head) == {"age"}:
        return phrase, at
    if isinstance(head, Mention) and not text[words[-1].end : head.start].strip(" -'"):
        if kinds_of(head) <= _HEADS or (head.sense.person and not kinds_of(head) & _GOVERNED):
            phrase.head = head
        else:
            phrase.end = head.end
            phrase.taken = [head]
        return phrase, at + 1
    beside = last is not None and not text[last.end : words[0].start].strip(" -")
    named = last is not None and kinds_of(last) == {"place"} and text[words[0].start].isupper()
    governed = last is not None and (named or bool(kinds_of(last) & _GOVERNED))
    if last is not None and beside and governed and made.mentions and made.mentions[-1] == last:
        made.mentions.pop()  # a compound noun, or a name such as "Kansas City"
        phrase.start, phrase.taken = last.start, [last]
    return phrase, at


def _apart(words: Sequence[Word], odd: int, head: Item | None, segment: Segment, text: str) -> int:
    """Return where words begin that introduce the next phrase, and are no part of the foreign one."""
    for at in range(odd + 1, len(words)):
        if _kind(words[at]) not in ("frame", "negation", "person"):
            continue
        if isinstance(head, Mention) and _judged(words[at:], head, None, segment, text)[0] is None:
            return at
    return len(words)


def _opens(item: Item) -> bool:
    return isinstance(item, Word) and (
        _kind(item) in ("frame", "negation") or item.text in ARTICLES or item.text in _PREPOSITIONS
    )


def _negates(words: Sequence[Word]) -> bool:
    return bool(words) and words[0].text in NEGATIONS


def _is_verbal(text: str, words: Sequence[Word], leads: bool) -> bool:
    first = words[0].text
    if leads or first in BEFORE or first in _PREPOSITIONS or first in NEGATIONS or first in RELATIVES:
        return True
    if text[words[0].end : words[0].end + 1] == "-" and len(words) > 1:
        return False
    if is_verb(first) or (first.endswith("ing") and len(words) > 1):
        return True
    return any(word.text in _PREPOSITIONS or word.text in BEFORE for word in words[1:])


def _peeled(text: str, items: Sequence[Item], first: int, stop: int) -> int:
    """Return the end of a foreign phrase without a place or an age at the end of its segment."""
    words = {item.text for item in items[first:stop] if isinstance(item, Word)}
    while stop - first > 2:
        tail = items[stop - 1]
        if not isinstance(tail, Mention) or not kinds_of(tail) <= {"place", "age"}:
            break
        begin = stop - 1
        while begin > first + 1 and isinstance(items[begin - 1], Word) and items[begin - 1].text in _PEELS:  # type: ignore[union-attr]
            begin -= 1
        placed = begin < stop - 1 and (begin - first > 2 or not (words & _MOVING))
        if not placed and "age" not in kinds_of(tail):
            break
        stop = begin
    return stop
