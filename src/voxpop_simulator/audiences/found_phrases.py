"""Phrases of an audience text that rules find: state codes, and people by what they do or own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from voxpop.vocabulary.places import CANADIAN_PROVINCES, STATES
from voxpop_simulator.audiences import screens as screens
from voxpop_simulator.audiences.frame_words import AFTER, BEFORE, GLUE, NEGATIONS, PERSONS
from voxpop_simulator.audiences.mentions import Mention, Sense, sense
from voxpop_simulator.questions.wordlists import word_set

TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORDLIKE = word_set("IN OR ME HI OK OH ON MS MD PA VA AL LA DE CO MA ID DC MO PE NS AB NU NL")
_CODE = re.compile(r"\b[A-Z]{2}\b")
_CODES = re.compile(r"\b[A-Z]{2}(?:(?:\s*[,/&+]\s*|\s+(?:and|or)\s+|,\s*(?:and|or)\s+|\s+)[A-Z]{2}\b)+")
_LONE_CODE = re.compile(r"[\d+],\s*$")
_SEX = re.compile(r"(?:(?<=^)|(?<=[,;(] )|(?<=[,;(]))(?P<sex>[FM])(?=\s*(?:[,;)]|\s\d\d|$))")
_BEFORE_CODE = re.compile(
    r"(?:\b(?:in|from|near|outside|across|except)\s+|[a-z],\s*|\b[A-Z]{2}\s*(?:,|/|and|or|,\s*and|"
    r",\s*or)\s*)$"
)
_LINKS = word_set("and or")
_SLASHES = ("/", "&", ",")
_NO_MODIFIERS = GLUE | PERSONS | NEGATIONS | set(BEFORE) | set(AFTER)
_CULTURE = word_set("food restaurant music movie car football beer wine art tv")
_WORKERS = {
    "workers": "Do you work in {}?",
    "employees": "Do you work for {}?",
    "professionals": "Do you work in {}?",
    "students": "Do you study {}?",
}


def alone(phrase: str) -> Sense:
    """Return the sense of people who are described by one word ("gamers")."""
    screen = screens.agent_screen(phrase)
    return Sense(person=True, questions=((screen.question, screen.keep),) if screen else ())


def sexes(text: str) -> Iterator[Mention]:
    """Yield "F" and "M" where they stand alone, as in "F 25-34"."""
    for found in _SEX.finditer(text):
        yield Mention(*found.span(), found[0], sense(gender="female" if found[0] == "F" else "male"))


def codes(text: str) -> Iterator[Mention]:
    """Yield the two-letter codes of states that stand for states."""
    shouting = text.isupper()
    listed = [] if shouting else [run.span() for run in _CODES.finditer(text) if _all_states(run[0])]
    for found in _CODE.finditer(text):
        code = found[0]
        placed = _BEFORE_CODE.search(text[: found.start()]) is not None or _LONE_CODE.search(
            text[: found.start()]
        )
        among = any(start <= found.start() < end for start, end in listed)
        if (
            code in STATES
            and (among or placed or (not shouting and code not in _WORDLIKE))
            and (among or code != "LA" or text[: found.start()].rstrip()[-1:] == ",")
        ):
            canadian: dict[str, Any] = {"country": "Canada"} if code in CANADIAN_PROVINCES else {}
            meaning = sense(state=code, american=not canadian, **canadian)
            yield Mention(found.start(), found.end(), code, meaning)


def shared(text: str, tokens: Sequence[re.Match[str]], senses: dict[str, Sense]) -> Iterator[Mention]:
    """Yield phrases that share a word with a neighbour ("in retail or banking", "IT / sales managers")."""
    words = [token[0].lower() for token in tokens]
    for at in range(1, len(tokens) - 1):
        gap = text[tokens[at - 1].end() : tokens[at].start()]
        slash = gap.strip() in _SLASHES
        if words[at] in _LINKS or slash:
            after = at if slash else at + 1
            yield from _with_preposition(text, tokens, words, after, senses)
            yield from _with_head(text, tokens, words, (at, after), senses)


def _with_preposition(
    text: str, tokens: Sequence[re.Match[str]], words: Sequence[str], after: int, senses: dict[str, Sense]
) -> Iterator[Mention]:
    """Yield the phrase after a link as if the preposition before the first part stood there again."""
    begin = max((at for at in range(max(0, after - 6), after) if words[at] == "in"), default=None)
    if (
        begin is None
        or f"in {words[begin + 1]}" not in senses
        or "industry" not in _fields(senses, f"in {words[begin + 1]}")
    ):
        return
    for last in range(min(after + 2, len(tokens) - 1), after - 1, -1):
        phrase = "in " + " ".join(words[after : last + 1])
        if "industry" in _fields(senses, phrase):
            yield Mention(
                tokens[after].start(),
                tokens[last].end(),
                text[tokens[after].start() : tokens[last].end()],
                senses[phrase],
            )
            return


def _with_head(
    text: str,
    tokens: Sequence[re.Match[str]],
    words: Sequence[str],
    place: tuple[int, int],
    senses: dict[str, Sense],
) -> Iterator[Mention]:
    """Yield the words before a link with the last noun of the phrase after it."""
    link, after = place
    for last in range(min(after + 3, len(tokens) - 1), after, -1):
        if "occupation" not in _fields(senses, " ".join(words[after : last + 1])):
            continue
        for first in range(max(0, link - 2), link):
            phrase = " ".join((*words[first:link], words[last]))
            own = " ".join(words[first:link])
            if "occupation" in _fields(senses, phrase) and own not in senses:
                start, end = tokens[first].start(), tokens[link - 1].end()
                yield Mention(start, end, text[start:end], senses[phrase])
                return
        return


def _fields(senses: dict[str, Sense], phrase: str) -> tuple[str, ...]:
    meaning = senses.get(phrase)
    return tuple(name for name, _ in meaning.parts) if meaning is not None else ()


def _all_states(codes: str) -> bool:
    return all(code in STATES for code in _CODE.findall(codes))


def agents(text: str, found: Sequence[Mention], senses: dict[str, Sense]) -> Iterator[Mention]:
    """Yield people described by an activity and its object ("dog owners")."""
    tokens = list(TOKEN.finditer(text))
    for at, token in enumerate(tokens):
        noun = token[0].lower()
        if noun not in screens.AGENT_NOUNS and noun not in _WORKERS:
            continue
        covering = [m for m in found if m.start < token.start() < m.end and m.end >= token.end()]
        first = at
        while first > 0 and at - first < 3 and _modifies(text, tokens, first, found):
            first -= 1
        if first == at or covering or "school" in text[tokens[first].start() : token.end()].lower():
            continue
        start, end = tokens[first].start(), token.end()
        mention = _agent(start, end, text[start:end], noun, senses.get(noun))
        if mention is not None:
            yield mention


def _modifies(text: str, tokens: Sequence[re.Match[str]], first: int, found: Sequence[Mention]) -> bool:
    before, after = tokens[first - 1], tokens[first]
    if text[before.end() : after.start()].strip(" -'&"):
        return False
    word = before[0].lower()
    culture = after[0].lower() in _CULTURE
    covered = any(m.start <= before.start() < m.end for m in found)
    return (culture or not covered) and word not in _NO_MODIFIERS and not word[0].isdigit()


def _agent(start: int, end: int, words: str, noun: str, base: Sense | None) -> Mention | None:
    if noun in _WORKERS:
        question = _WORKERS[noun].format(words[: -len(noun)].strip(" -"))
        parts = base.parts if base is not None else ()
        return Mention(start, end, words, Sense(parts, person=True, questions=((question, "yes"),)))
    screen = screens.agent_screen(words)
    if screen is None:
        return None
    return Mention(start, end, words, Sense(person=True, questions=((screen.question, screen.keep),)))
