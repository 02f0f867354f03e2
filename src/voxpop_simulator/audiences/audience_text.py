"""The reading of an audience text: its phrases with their meanings, and what is not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from voxpop.engines.audience import Screen
from voxpop.vocabulary import Between, Condition
from voxpop_simulator.audiences import screens as screens
from voxpop_simulator.audiences.answerable import is_figured, rests_on_profile, stray_words
from voxpop_simulator.audiences.audience_children import parents
from voxpop_simulator.audiences.audience_health import HEALTH, medical_mentions
from voxpop_simulator.audiences.audience_numbers import number_mentions
from voxpop_simulator.audiences.audience_places import PLACES, UNKNOWN_COUNTRIES
from voxpop_simulator.audiences.audience_spelling import Speller, spelled
from voxpop_simulator.audiences.audience_words import WORDS
from voxpop_simulator.audiences.audience_work import WORK
from voxpop_simulator.audiences.cover import Foreign, covered
from voxpop_simulator.audiences.fitting import fits
from voxpop_simulator.audiences.found_phrases import TOKEN, agents, alone, codes, sexes, shared
from voxpop_simulator.audiences.frame_words import AFTER, BEFORE, GLUE, NEGATIONS, PERSONS, RELATIVES
from voxpop_simulator.audiences.framing import Frame, blanked, frames_of
from voxpop_simulator.audiences.mentions import Mention, Sense
from voxpop_simulator.audiences.occupation_names import fold_phrase, occupations
from voxpop_simulator.audiences.profile_words import PROFILE
from voxpop_simulator.audiences.some_of import some_of

_LONGEST = 9
_OTHER_NEGATIONS = re.compile(
    r"\b(?:other than|any(?:one|body|thing) but|every(?:one|body) but|except for|apart from|outside of|"
    r"outside(?= (?:the |of )?(?-i:[A-Z])))\b",
    re.I,
)
_GROUPS = ("occupation_major_group", "industry")
_SAYING = frozenset(("purpose", "topic", "quota"))
_WHOSE = frozenset(("age", "state", "country", "gender", "is_parent"))
"""Fields that describe people, and no subject of a study."""
_PLACING = GLUE | PERSONS | {"in", "from", "living", "live", "based", "residing", "across", "located"}
_IS = re.compile(r"\b(?:are|is|be)\s+(?:also |currently |all )?$", re.I)
_CARRIED = re.compile(r"\s*,?\s*(?:(?:or|nor|and|any|a|an|the|on|in|with)\s+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """An audience text as read.

    Attributes
    ----------
    text : str
        The text with corrected spelling.
    mentions : tuple of Mention
        The phrases that keep their meaning, in order; one without fields is asked as a screening question.
    unclear : tuple of Mention
        The phrases that are not understood.
    frames : tuple of Frame
        The parts that describe no people.
    doubt : (str, tuple of str) or None
        A misspelt word and its possible corrections.
    abroad : str or None
        A place outside the known countries.
    governed : tuple of (int, int)
        Places whose words belong to somebody else than the people described ("whose kids have asthma").
    phrases : tuple of Mention
        All phrases of the lexicon, whether they keep their meaning or not.
    """

    text: str
    mentions: tuple[Mention, ...]
    unclear: tuple[Mention, ...] = ()
    frames: tuple[Frame, ...] = ()
    doubt: tuple[str, tuple[str, ...]] | None = None
    abroad: str | None = None
    governed: tuple[tuple[int, int], ...] = ()
    phrases: tuple[Mention, ...] = ()

    @property
    def plain(self) -> str:
        """The text without its frame, at the same places."""
        return blanked(self.text, list(self.frames))


class Reader:
    """Parser with the lexicon and the jobs of one population."""

    def __init__(self, labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> None:
        jobs = occupations(labels, titles)
        by_one_word = {phrase: alone(phrase) for phrase in screens.ALONE}
        self._senses: dict[str, Sense] = {
            **jobs,
            **by_one_word,
            **HEALTH,
            **WORDS,
            **WORK,
            **PLACES,
            **PROFILE,
        }
        known = frozenset((*BEFORE, *AFTER)) | GLUE | NEGATIONS | PERSONS | RELATIVES
        self._speller = Speller(self._senses, known | screens.AGENT_NOUNS | UNKNOWN_COUNTRIES)

    def read(self, text: str) -> Reading:
        """Return the reading of a text; never raises, whatever the text."""
        tidy, doubt = self._speller.correct(spelled(text))
        frames = self._settled(tidy, frames_of(tidy))
        if doubt is not None and _in_purpose(tidy, doubt[0], frames):
            doubt = None
        blank = blanked(tidy, frames)
        plain = _OTHER_NEGATIONS.sub(lambda found: "not".ljust(len(found[0])), blank)
        phrases = self.chosen(plain)
        cover = covered(plain, phrases)
        kept = _with_stated_ages(_negated(plain, cover.mentions))
        unclear = [m for m in kept if not m.sense.parts and any(stray_words(q) for q, _ in m.sense.questions)]
        kept = [m for m in kept if m not in unclear]
        for phrase in cover.foreign:
            made = _question(plain, phrase)  # a phrase without a question is unclear
            (kept if made.sense.questions else unclear).append(made)
        unclear += [_whole(tidy, frame) for frame in frames if frame.role == "wish"]
        foreign = [m for m in (*unclear, *kept) if not m.sense.parts and _place_abroad(m.words) is not None]
        abroad = _place_abroad(foreign[0].words) if foreign else None
        unclear = [m for m in unclear if m not in foreign]
        kept = [m for m in kept if m not in foreign]
        verbal = tuple((f.start, f.end) for f in cover.foreign if f.verbal and not _adding(plain, f))
        return Reading(
            tidy,
            tuple(sorted(kept, key=lambda m: m.start)),
            tuple(sorted(unclear, key=lambda m: m.start)),
            tuple(frames),
            doubt,
            abroad,
            verbal,
            tuple(phrases if plain == tidy else self.chosen(tidy)),
        )

    def _settled(self, text: str, frames: list[Frame]) -> list[Frame]:
        """Return a frame whose topics are purposes, without topics and sentences that name the people."""
        if not any(frame.role in ("topic", "purpose") for frame in frames):
            return frames
        named = [m for m in self.chosen(text) if m.sense.person or set(m.fields) & _WHOSE]
        people = [m for m in named if m.sense.person]
        elsewhere = any(
            not any(f.start <= m.start < f.end for f in frames if f.role in _SAYING) for m in people
        )
        found: list[Frame] = []
        for frame in frames:
            inside = [m for m in named if m.start < frame.end and frame.start < m.end]
            if frame.role == "topic":
                found += [] if inside else [replace(frame, role="purpose")]
            elif frame.role == "purpose" and not elsewhere and any(m in people for m in inside):
                first = min(m.start for m in inside)
                start = (
                    frame.start + len(text[frame.start : first].rstrip()) if first > frame.start else first
                )
                found += [replace(frame, end=start)] if start > frame.start else []
            else:
                found.append(frame)
        return found

    def spotted(self, text: str) -> tuple[list[Mention], str | None]:
        """Return the phrases of the lexicon in a text that is more than an audience, and a place abroad."""
        tidy, _ = self._speller.correct(spelled(text))
        found = sorted(self.chosen(tidy), key=lambda mention: mention.start)
        others = (word for word in TOKEN.finditer(tidy) if word[0].lower() in UNKNOWN_COUNTRIES)
        abroad = (w[0] for w in others if not any(m.start <= w.start() < m.end for m in found))
        return found, next(abroad, None)

    def chosen(self, text: str) -> list[Mention]:
        """Return the phrases of the lexicon in a text, the longest where they overlap."""
        found = self._candidates(text)
        fixed = [*parents(text)]
        fixed += [m for m in agents(text, found, self._senses) if not _overlaps(m, fixed)]
        return some_of(text, _choose(fixed, found))

    def _candidates(self, text: str) -> list[Mention]:
        tokens = list(TOKEN.finditer(text))
        folded = [fold_phrase(token[0]) for token in tokens]
        found = [*number_mentions(text), *medical_mentions(text), *codes(text), *sexes(text)]
        for first in range(len(tokens)):
            phrase = ""
            for last in range(first, min(first + _LONGEST, len(tokens))):
                gap = text[tokens[last - 1].end() : tokens[last].start()] if last > first else ""
                if gap.strip(" -/.&") and not (
                    gap.strip() == "," and folded[last] in ("dc", "oregon", "maine")
                ):
                    break
                phrase = f"{phrase} {folded[last]}".strip()
                meaning = self._senses.get(phrase) or self._senses.get(phrase.removesuffix("'s"))
                start, end = tokens[first].start(), tokens[last].end()
                if meaning is not None and fits(text, start, end, phrase):
                    found.append(Mention(start, end, text[start:end], meaning))
        found += shared(text, tokens, self._senses)
        return found


def _overlaps(mention: Mention, others: Iterable[Mention]) -> bool:
    return any(mention.start < other.end and other.start < mention.end for other in others)


def _choose(fixed: Sequence[Mention], found: Sequence[Mention]) -> list[Mention]:
    chosen = list(fixed)
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if (mention.sense.parts or mention.sense.questions) and not _overlaps(mention, chosen):
            chosen.append(mention)
    return chosen


def _negated(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with negations extended over "or" and "and"."""
    found: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: m.start):
        last = found[-1] if found else None
        if (last is not None and last.negated and re.search(r"\bnor\b", text[last.end : mention.start])) or (
            last is not None
            and last.negated
            and _CARRIED.fullmatch(text[last.end : mention.start])
            and re.search(r"\b(?:or|nor|and)\b", text[last.end : mention.start])
            and not re.search(r"\bnon[\s-]+$", text[: last.start], re.I)
            and (set(last.fields) == set(mention.fields) or not mention.fields or not last.fields)
        ):
            mention = replace(mention, negated=True)
        found.append(mention)
    return found


def _place_abroad(words: str) -> str | None:
    """Return the place outside the known countries that a phrase names, if it says nothing else."""
    said = [word for word in re.findall(r"[^\W_]+", words) if word.lower() not in _PLACING]
    return said[0] if len(said) == 1 and said[0].lower() in UNKNOWN_COUNTRIES else None


def _with_stated_ages(mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with the ages of "young" and the like as the text states them in numbers."""
    ages = [m for m in mentions if m.fields == ("age",) and not m.negated]
    stated = [m for m in ages if re.search(r"\d", m.words)]
    if len(stated) != 1:
        return [*mentions]
    bounds = stated[0].sense.parts
    return [
        replace(m, sense=replace(m.sense, parts=bounds))
        if m in ages
        and m not in stated
        and not m.sense.options
        and _overlapping(m.sense.parts[0][1], bounds[0][1])
        else m
        for m in mentions
    ]


def _overlapping(one: Condition, other: Condition) -> bool:
    if not isinstance(one, Between) or not isinstance(other, Between):
        return False
    highest = min(float("inf") if b.max is None else b.max for b in (one, other))
    return max(b.min or 0 for b in (one, other)) <= highest


def _in_purpose(text: str, word: str, frames: Sequence[Frame]) -> bool:
    at = text.find(word)
    return any(frame.role == "purpose" and frame.start <= at < frame.end for frame in frames)


def _adding(text: str, phrase: Foreign) -> bool:
    return re.match(r"(?:includ\w+|like|such|and|my|our)\b", text[phrase.start :], re.I) is not None


def _whole(text: str, frame: Frame) -> Mention:
    return Mention(frame.start, frame.end, text[frame.start : frame.end].strip(), Sense())


def _question(text: str, phrase: Foreign) -> Mention:
    """Return a foreign phrase as a screening question, or without one if no question says what it says.

    A question around a known phrase that the profile would answer says what that phrase says alone.
    """
    words = " ".join(text[phrase.start : phrase.end].split()).strip(" -")
    screen = _screen(words, phrase)
    if screen is None and _IS.search(text[: phrase.start]) and _describes(words):
        screen = Screen(words, f"Are you {words}?", "yes")
    known = screen is not None and bool(phrase.taken) and rests_on_profile(screen.question)
    if screen is None or phrase.others or known or stray_words(screen.question):
        return Mention(phrase.start, phrase.end, words, Sense())
    return Mention(phrase.start, phrase.end, words, Sense(questions=((screen.question, screen.keep),)))


def _screen(words: str, phrase: Foreign) -> Screen | None:
    if phrase.head is not None and not set(phrase.head.fields) & {"occupation", "labour_status", *_GROUPS}:
        return screens.noun_screen(words, keep="no" if phrase.negated else "yes")
    if phrase.head is not None:
        return screens.noun_screen(f"{words} {phrase.head.words}", keep="no" if phrase.negated else "yes")
    denied = re.match(r"not\s+(?:an?\s+)?(?=\w)", words, re.I)
    if denied is not None and phrase.verbal and not phrase.taken:
        rest = words[denied.end() :]
        found = screens.agent_screen(rest) or (screens.noun_screen(rest) if _describes(rest) else None)
        if found is not None and not stray_words(found.question) and is_figured(found.question):
            return Screen(words, found.question, "no" if found.keep == "yes" else "yes")
    without = re.match(r"(?:without|no)\s+(?:an?\s+|any\s+)?", words, re.I)
    if without is not None:
        article = "a " if re.match(r"without an? ", words, re.I) else ""
        return screens.phrase_screen(f"with {article}{words[without.end() :]}", negated=True)
    if phrase.verbal:
        return screens.phrase_screen(of_phrase(words))
    return screens.agent_screen(words) or (screens.noun_screen(words) if _describes(words) else None)


def _describes(words: str) -> bool:
    """Return whether words may describe a person by themselves ("left-handed", "introverts")."""
    return not re.search(r"[\d$%<>@&/]", words) and len(words.split()) <= 3


def of_phrase(words: str) -> str:
    """Return "fans of X" and the like with their verb."""
    found = re.match(
        r"(fans|users|owners|customers|members|employees|subscribers) (of|at|to) (.+)", words, re.IGNORECASE
    )
    if found is None:
        return words
    verbs = {"fans": "are a fan of", "users": "use", "owners": "own", "customers": "are a customer of"}
    verbs |= {"members": "are a member of", "employees": "work for", "subscribers": "subscribe to"}
    return f"{verbs[found[1].lower()]} {found[3]}"
