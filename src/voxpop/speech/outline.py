"""What answers to one question are made of, worked out once: frames compiled, slots tied to their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from voxpop.questions.asking import Asked
from voxpop.questions.patterns import Pattern
from voxpop.speech.grammar import Parts, parse
from voxpop.speech.tales import Lines, lines_of
from voxpop.speech.texts import sections, topics

SIDES = "+-~"
GENERAL = "assent"
"""The topic of what fits no other."""
_SLOT = re.compile(r"\{(\w+)\}")
_TIMES = re.compile(r"(\d+)\* ")
_BURDENS = {"price": -0.5, "price_rise": -0.9, "money_worry": -0.4, "strain": -0.2}
_DARK = {"politics": -0.4, "tobacco": -0.4, "telehealth": 0.1, "ad": -0.1, "banking": 0.1}
# topics without reasons of their own -> the topic whose reasons fit; the others are told about only
_NEAR = {
    "ai": "technology",
    "restaurants": "service",
    "doctor": "health_worry",
    "medicine": "health_worry",
    "clothes": "shoes",
    "flying": "travel",
}
_CLEAR = 0.2  # a stance this far from the middle is spoken as one for or against
_NAMED_TOPICS = (GENERAL, "notion", "tv", "books", "apps", "music", "games", "brand", "shopping", "service")
_APART = ("who", "when", "where", "sources", "instead")
"""Frames whose answers have nothing to add about the topic itself."""
_DOING = Pattern(
    r"^what (?:do|did) you (?:usually |normally |mostly |like to )?(?:do|eat|drink|watch|read|play|wear)\b",
    re.I,
)
_CHOSEN = Pattern(
    r"^why (?:did|do|have|are) you (?:choose|chosen|buy|bought|use|used|using|like|love|prefer|pick"
    r"|watch|drink|eat|stay|shop|go|trust|recommend|enjoy|want)",
    re.I,
)
_ABOUT = ("would", "think", "why", "wants")
_BY_SIDE = {"t": "+-~", "r": "gbm"}
_NAMED_SLOTS = {
    "g": "g",
    "b": "b",
    "c": "c",
    "k": "k",
    "x": "x",
    "w": "w",
    "v": "w",
    "p": "p",
    "q": "q",
    "o": "o",
    "u": "u",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a frame to be filled from a bank; a capital begins a sentence."""

    bank: str
    capital: bool


@dataclass(frozen=True, slots=True)
class Shell:
    """One sentence frame: spoken parts and slots in turn."""

    parts: tuple[Parts | Slot, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """What answers to one question are made of; tuples of three are good, bad and mixed."""

    shells: tuple[tuple[Shell, ...], ...]
    more: tuple[tuple[Shell, ...], ...]
    banks: Mapping[str, tuple[Lines, ...]]


def shells_of(lines: tuple[str, ...], subject: str, action: str) -> tuple[Shell, ...]:
    """Return frames; one that begins with ``3*`` comes three times."""
    made: list[Shell] = []
    for line in lines:
        many = _TIMES.match(line)
        text = line[many.end() :] if many else line
        text = text.replace("{s}", subject).replace("{do}", action)
        parts: list[Parts | Slot] = []
        for at, part in enumerate(_SLOT.split(text)):
            if at % 2:
                parts.append(Slot(part.lower(), part[0].isupper()))
            elif part:
                parts.append(parse(part))
        made += [Shell(tuple(parts))] * (int(many[1]) if many else 1)
    return tuple(made)


@lru_cache(maxsize=512)
def outline_of(found: Asked) -> Outline:
    """Return the outline of a question."""
    subject, action = found.subject or "", found.action or ""
    if found.name and found.kind and (found.topic in _NAMED_TOPICS):
        unknown = tuple(line.replace("{n}", found.name) for line in sections("names")[found.kind])
        frames: tuple[tuple[Shell, ...], ...] = (shells_of(unknown, subject, action),) * 3
    else:
        frames = tuple(
            shells_of(_usable(_frame_lines(found.frame, side), found), subject, action) for side in SIDES
        )
    banks = {slot: tuple(_bank(found, kind) for kind in kinds) for slot, kinds in _BY_SIDE.items()}
    for slot, kind in _NAMED_SLOTS.items():
        banks[slot] = (_bank(found, kind),) * 3
    for slot in "pq":
        banks[f"{slot}s"] = (_bank(found, slot, singular=True),) * 3
    if found.turned and found.frame in _ABOUT:
        moving = sections("frames")
        banks["r"] = tuple(lines_of(moving[name]) for name in ("going", "staying", "staying"))
        banks["g"], banks["b"] = banks["r"][:1] * 3, banks["r"][1:2] * 3
        bodily = "food" in found.families or "body" in found.families
        leaving = tuple(line for line in moving["leaving"] if bodily or "doctor" not in line)
        banks["c"] = (lines_of(leaving),) * 3
        banks["t"] = (lines_of(()),) * 3
    for slot in ("z", "a"):
        banks[slot] = (_own_lines(slot),) * 3
    apart = frames[0] is frames[1] or found.frame in _APART
    more = tuple(
        shells_of(("{L}.", "{A}.") if apart else _frame_lines("another", side), subject, action)
        for side in SIDES
    )
    return Outline(frames, more, banks)


def _usable(lines: tuple[str, ...], found: Asked) -> tuple[str, ...]:
    """Return the frames whose subject and action a question has."""
    return tuple(
        line
        for line in lines
        if (found.subject or "{s}" not in line) and (found.action or "{do}" not in line)
    )


@cache
def _frame_lines(frame: str, side: str) -> tuple[str, ...]:
    """Return the frames of a kind of question; ``@side`` stands for those of another section."""
    known = sections("frames")
    lines = known.get(f"{frame} {side}") or known[f"think {side}"]
    made: list[str] = []
    for line in lines:
        made += _frame_lines(line[1:], side) if line.startswith("@") else [line]
    return tuple(made)


@lru_cache(maxsize=64)
def lacking_shells(what: str) -> tuple[Shell, ...]:
    """Return what an agent says that is asked about something it does not have: kids, a dog, a cigarette."""
    return shells_of(sections("frames")[f"lacking {what}"], "", "")


@cache
def _own_lines(slot: str) -> Lines:
    return lines_of(sections("self")[{"z": "circumstance", "a": "attitude"}[slot]])


def _bank(found: Asked, kind: str, *, singular: bool = False) -> Lines:
    known = topics()
    told = known.get(found.topic) or known[GENERAL]
    lines = told.get(kind, ())
    if not lines and kind in "gbm":
        lines = known.get(_NEAR.get(found.topic, ""), {}).get(kind, ())
    if not lines and kind in "wckxou" and not told.get("w" if kind == "c" else kind):
        lines = known[GENERAL].get(kind, ())
    if singular:
        lines = tuple(
            way for line in lines for way in _ways(line) if not _PLURAL.search(_AFTER.split(way)[0])
        )
    it, that = "they" if found.plural else "it", found.subject or "that"
    return _compiled(tuple(text.replace("{it}", it).replace("{s}", that) for text in lines))


# where the noun of a phrase ends, and how a noun of many ends
_AFTER = Pattern(
    r" (?:of|on|at|in|with|for|to|that|who|when|from|after|before|by|over|since|left|up|down|about|where|I"
    r"|and|under|without|nobody) "
)
_PLURAL = Pattern(r"^(?!\w+ing\b).*[a-z](?<!ss)(?<!us)(?<!is)(?<!news)(?<!gas)s$")


def _ways(line: str) -> list[str]:
    return line[1:-1].split("/") if line.startswith("[") and line.find("]") == len(line) - 1 else [line]


@lru_cache(maxsize=2048)
def _compiled(texts: tuple[str, ...]) -> Lines:
    return lines_of(texts)


def side_of(found: Asked, stance: float, axis: str, topics: tuple[tuple[str, float], ...], glad: bool) -> int:
    """Return 0 for an answer that speaks well of the subject, 1 for a bad one, 2 for a mixed one."""
    if _DOING.search(found.source) or (found.frame == "why" and _CHOSEN.search(found.source)):
        return 0
    attitude = -stance if axis == "worry" and found.frame != "would" else stance
    if found.topic in _BURDENS and found.frame not in ("would", "why"):
        weight = dict(topics).get("price" if found.topic == "price_rise" else found.topic, 0.0)
        if weight > 0 and axis != "worry" and (found.topic.startswith("price") or not glad):
            attitude = -attitude
        attitude += _BURDENS[found.topic]
    elif found.frame != "would":
        attitude += _DARK.get(found.topic, 0.0)
    if found.turned and found.frame not in _ABOUT:
        attitude = -attitude
    return 0 if attitude > _CLEAR else 1 if attitude < -_CLEAR else 2
