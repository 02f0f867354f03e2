"""Classification of questions by similarity to examples, when words and patterns decide little.

The examples are in ``tables/examples_*.txt``. Similarity is the cosine of tf-idf weights over words and word
pairs (Salton & Buckley 1988, Information Processing & Management 24:513), times the share of the question's
subject words that the examples and patterns of the bank know. "What role does coffee play in your day?" is
therefore not matched to a question on money that shares only "what role does ... play".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import log, sqrt

from voxpop_simulator.questions.forms import DOMAINS, replies
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject, names_nothing
from voxpop_simulator.questions.subjects import FAMILIES, topic_patterns
from voxpop_simulator.questions.things import ANYTHING, CLASSES, IDEA, MATTER, UNKNOWN
from voxpop_simulator.questions.topics import stem
from voxpop_simulator.questions.wordlists import rows_of, word_set

_LITTLE = word_set(
    """
    a an the and or of in on at to for from by with about is are was were be been am as that this these
    those it its any some please if you your do did does have has had
    """
)
"""Words excluded from the similarity."""
_ANY_QUESTION = word_set(
    """
    what how why when where who whom which tell us me describe walk through would could should can will
    yourself think feel feeling like most best worst last first time thing things way ways make makes made
    get go going come comes one else role play plays life day days people person people's someone something
    kind kinds type tend usually often today words word mind hear experience recent recently say explain own
    imagine happened happen need want use using used part change changed changes different work works really
    much many more less than there them they i my we our not no so now new other others another all every
    before after let's answer answers give gave
    """
)
"""Words of any question, which do not identify its subject."""
_PAIR, _FIRST = 0.2, 0.5
"""Weight of a word pair relative to its words, and extra weight of the first word."""
_ENOUGH = 0.18
"""Threshold for an example if only the topic of a question was understood."""
_VAGUE = 0.45
"""Threshold if nothing was understood; without a match, the answer must fit any question."""
_PLAIN = 0.5
"""Threshold to override a bank found by a pattern that knows fewer of the words."""
_SURE = 0.65
"""Threshold to override a form and a topic that were found."""
_THE_SAME = 1.3
"""Similarity of a question that is nearly the same as an example."""
_NEVER = 2.0
_OPINIONS = ("think", "like", "dislike", "mind")
"""Forms that evaluate a thing; a match in a single word may be about a different thing of that name."""
_KNOWN_LESS = 0.7
_LONGEST = 400  # characters; a longer question starts with a description


@dataclass(frozen=True, slots=True)
class Likeness:
    """Classification by similarity: a bank or ``form/topic``, and a score from 0 to 1.7.

    The score is the similarity to the nearest example, times the root of its ratio to the best example of
    another bank. Two equally similar examples of different banks thus give a low score.
    """

    name: str
    score: float

    @property
    def form(self) -> str:
        """The form; "reply" for questions with their own bank."""
        return self.name.rpartition("/")[0] or "reply"

    @property
    def topic(self) -> str:
        """The bank or the topic."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class _Examples:
    names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    rarity: Mapping[str, float]
    places: Mapping[str, list[int]]  # word -> examples with the word
    known: Mapping[str, frozenset[str]]  # bank or topic -> words in its examples and patterns
    telling: Mapping[str, float]  # word -> weight as an indicator of the subject


def likened(found: AskedSubject, text: str) -> AskedSubject:
    """Return a question as classified by its examples, if they are clearer than the earlier reading.

    Examples
    --------
    >>> from voxpop_simulator.questions.subject_asked import asked
    >>> text = "We noticed you canceled your subscription. What led to that decision?"
    >>> likened(asked("What led to that decision?", False), text).topic
    'cancelled'
    """
    if found.form in ("versus", "more") or len(text) > _LONGEST or (names_nothing(found) and _bare(text)):
        return found
    other = nearest(text)
    if other is None or other.score < _needed(found, other, text):
        return found
    topic = other.topic
    return replace(found, form=other.form, topic=topic, families=FAMILIES.get(topic, ()), name=None)


def _bare(text: str) -> bool:
    """Return whether a question has at most one subject word, as in "What would make you switch?"."""
    return len({each for each in _words(text) if each in _examples().telling}) < 2


def _needed(found: AskedSubject, other: Likeness, text: str) -> float:
    """Return the score that an example needs to override the earlier reading."""
    if found.topic in CLASSES or found.topic.startswith("brand of "):
        return _NEVER
    if other.score >= _THE_SAME or (found.form in _OPINIONS and _bare(text)):
        return _THE_SAME
    if found.topic == other.topic and found.form != "else":
        return _SURE if other.form == "reply" else _NEVER
    if found.topic in (ANYTHING, MATTER) or (found.topic in (UNKNOWN, IDEA) and not found.subject):
        return _VAGUE
    if found.form == "else":
        return _ENOUGH
    if known_share(text, found.topic) > _KNOWN_LESS * known_share(text, other.topic):
        return _NEVER
    return _PLAIN if found.form == "reply" else _SURE


@lru_cache(maxsize=2048)
def nearest(text: str) -> Likeness | None:
    """Return the bank, or the form and topic, of the most similar examples.

    Examples
    --------
    >>> nearest("Your account shows that you ended your membership last month. What was behind that?").name
    'left us'
    """
    known = _examples()
    words = tuple(_words(text))
    own = _weights(words, known.rarity)
    shared: dict[int, float] = defaultdict(float)
    for each in set(words):
        for at in known.places.get(each, ()):
            shared[at] += own[each] * own[each]
    best: dict[str, tuple[float, str]] = {}
    for at in sorted(shared, key=lambda at: -shared[at])[:_LOOKED_AT]:
        name = known.names[at]
        topic = name.rpartition("/")[2]
        score = _cosine(own, _weights(known.words[at], known.rarity)) * known_share(text, topic)
        best[topic] = max(best.get(topic, (0.0, "")), (score, name))
    first, second = sorted([*best.values(), (0.0, ""), (0.0, "")], reverse=True)[:2]
    if not first[0]:
        return None
    return Likeness(first[1], first[0] * sqrt(min(first[0] / second[0], _FAR) if second[0] else _FAR))


_LOOKED_AT = 80
_FAR = 3.0  # maximum ratio to the second best that counts


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = sum(weight * other[each] for each, weight in one.items() if each in other)
    return shared / sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))


def known_share(text: str, topic: str) -> float:
    """Return the share of a question's subject words that a bank or topic knows."""
    known = _examples()
    words = {each for each in _words(text) if each in known.telling}
    every = sum(known.telling[each] for each in words)
    own = known.known.get(topic, frozenset())
    return sum(known.telling[each] for each in words & own) / every if every else 0.0


def spoken_of(text: str) -> dict[str, float]:
    """Return the stems of a question's subject words with their weights.

    Unknown words have the highest weight, unless they are names.

    Examples
    --------
    >>> sorted(spoken_of("What do you think about the subtitles of films?"))
    ['film', 'subtitl']
    """
    known, unheard = _examples(), log(len(_examples().known))
    told = {each: known.telling.get(each, unheard) for each in _words(text) if each not in _plain_stems()}
    names = {each for name in _NAMES.findall(text) for each in _words(name)}
    return {each: weight for each, weight in told.items() if each in known.telling or each not in names}


def knows_of(topic: str, words: Iterable[str]) -> frozenset[str]:
    """Return the stems that the examples and patterns of a bank or topic know.

    A bank named after a form of a topic, such as ``coffee habit``, also knows the words of the topic.
    """
    known = _examples().known
    own = known.get(topic, frozenset()) | known.get(topic.rpartition(" ")[0], frozenset())
    begun = tuple(each for each in own if len(each) >= _LONG_STEM)
    return frozenset(each for each in words if each in own or each.startswith(begun))


_NAMES = Pattern(r"(?<=[\w,;] )[\"“]?[A-Z][a-zA-Z]+|[\"“][A-Z][a-zA-Z]+(?=[\"”])")
_LONG_STEM = 4  # letters from which a pattern word stands for all words with this prefix


@cache
def _examples() -> _Examples:
    rows = [
        (name, text)
        for domain in DOMAINS
        for name, texts in rows_of(f"examples_{domain}")
        for text in texts.split(" | ")
    ]
    words = tuple(tuple(_words(text)) for _, text in rows)
    places: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(words):
        for word in set(each):
            places[word].append(at)
    known = _known_words(rows, words)
    rarity = {word: log((len(rows) + 1) / (len(found) + 0.5)) for word, found in places.items()}
    return _Examples(
        names=tuple(name for name, _ in rows),
        words=words,
        rarity={**rarity, "": log(len(rows) + 1)},
        places=places,
        known=known,
        telling=_telling(known.values()),
    )


def _known_words(
    rows: Iterable[tuple[str, str]], words: Iterable[tuple[str, ...]]
) -> dict[str, frozenset[str]]:
    """Return the words in the examples and patterns of each bank and topic."""
    known: dict[str, set[str]] = defaultdict(set)
    for name, pattern in (*replies(), *topic_patterns()):
        known[name].update(_words(_CODE.sub(" ", pattern.pattern)))
    for (name, _), each in zip(rows, words, strict=True):
        known[name.rpartition("/")[2]].update(each)
    return {name: frozenset(found) for name, found in known.items()}


_CODE = re.compile(r"\\[a-zA-Z]|\(\?[:!=<]+|[^a-zA-Z'-]+")  # parts of a pattern that are not words


def _telling(known: Iterable[frozenset[str]]) -> dict[str, float]:
    count: dict[str, int] = defaultdict(int)
    banks = 0
    for words in known:
        banks += 1
        for each in words:
            count[each] += 1
    return {each: log(banks / times) for each, times in count.items() if each not in _plain_stems()}


@cache
def _plain_stems() -> frozenset[str]:
    return frozenset(stem(each) for each in _ANY_QUESTION)


@cache
def _stem(word: str) -> str:
    return stem(word)


def _words(text: str) -> list[str]:
    """Return the stems of a text's words, in order, without function words."""
    words = re.findall(r"[a-z]+", text.lower().replace("’", "'").replace("'", ""))
    return [_stem(each) for each in words if each not in _LITTLE]


def _weights(words: Sequence[str], rarity: Mapping[str, float]) -> dict[str, float]:
    """Return the words of a text, their pairs and the first word, with weights."""
    unheard = rarity[""]
    made = {
        f"{one} {two}": _PAIR * (rarity.get(one, unheard) + rarity.get(two, unheard))
        for one, two in pairwise(words)
    }
    made.update((each, rarity.get(each, unheard)) for each in words)
    if words:
        made[f"^{words[0]}"] = _FIRST * rarity.get(words[0], unheard)
    return made
