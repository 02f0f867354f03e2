"""The banks of one question, worked out once: frames compiled, wordings spread out, slots filled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.respondents.answer_frames import GOING, LEAVING, MORE, SHELLS, STAYING, TERSE
from voxpop.respondents.asking import Asked
from voxpop.respondents.banks import variants
from voxpop.respondents.reasons_general import BANKS, GENERAL
from voxpop.respondents.synonyms import reworded

_SLOT = re.compile(r"\{(\w+)\}")
_OPEN = ("think", "why")  # the frames where reasons that fit any subject fit too
_BURDENS = {"price": -0.5, "price_rise": -0.9, "money_worry": -0.4, "strain": -0.2}
_DARK = {"politics": -0.4, "tobacco": -0.4, "telehealth": 0.1, "ad": -0.1, "banking": 0.1}
_PARTICULAR = frozenset(
    [
        "job",
        "school",
        "hotel",
        "ad",
        "news",
        "trust",
        "politics",
        "sustainability",
        "privacy",
        "social_media",
        "safety",
        "family",
        "faith",
        "price",
        "price_rise",
        "money_worry",
        "strain",
        "life",
        "health_worry",
        "pets",
        "tobacco",
    ]
)
_BOUGHT = ("healthy_living", "indulgence", "convenience", "novelty", "brand", "shoes")
_CLEAR = 0.3  # a stance this far from the middle is spoken as one for or against
_TRIED = re.compile(
    r"worked out|solves|lot of people|we had before|overdue|affected me|my life|did|this before"
)

Lines = tuple[tuple[str, ...], ...]  # one entry per authored line, with all its wordings


@dataclass(frozen=True, slots=True)
class Shell:
    """One sentence frame, split at its slots: even places are text, odd places are slot names."""

    parts: tuple[str, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """What answers to one question are made of; tuples of three are good, bad and mixed."""

    shells: tuple[tuple[Shell, ...], ...]
    terse: tuple[Shell, ...]
    more: tuple[Shell, ...]
    banks: dict[str, tuple[Lines, ...]]


def _spread(text_lines: tuple[str, ...], it: str) -> Lines:
    return tuple(
        tuple(other for wording in variants(line.replace("{it}", it)) for other in reworded(wording))
        for line in text_lines
    )


def _shells(bank: tuple[str, ...], subject: str, action: str) -> tuple[Shell, ...]:
    made = []
    for line in bank:
        for wording in (other for each in variants(line) for other in reworded(each)):
            text = wording.replace("{s}", subject).replace("{do}", action)
            parts = tuple(_SLOT.split(text))
            made.append(Shell(parts, ". " not in text))
    return tuple(made)


@lru_cache(maxsize=512)
def outline_of(found: Asked) -> Outline:
    """Return the outline of a question."""
    own = BANKS[found.topic]
    near = BANKS[found.related] if found.related else None
    general = found.frame in _OPEN and found.topic not in _PARTICULAR
    it = "they" if found.plural else "it"
    banks: dict[str, tuple[Lines, ...]] = {}
    sides = []
    for name in ("good", "bad", "mixed"):
        reasons = _spread(getattr(own, name), it)
        if near is not None:
            reasons += _spread(getattr(near, name), it)
        if name == "bad" and found.topic in _BOUGHT:
            reasons += _spread(BANKS["price"].bad, it)
        if general and own is not GENERAL:
            safe = tuple(line for line in getattr(GENERAL, name) if not _TRIED.search(line))
            reasons = reasons * 3 + _spread(safe, it)
        sides.append(reasons)
    if found.turned and found.frame in ("would", "think", "why", "wants"):
        sides = [_spread(GOING, it), _spread(STAYING, it), _spread(STAYING, it)]
    good, bad, mixed = sides
    banks["r"] = (good, bad, mixed)
    banks["g"], banks["b"] = (good,) * 3, (bad,) * 3
    for slot, name in (("c", "ifs"), ("k", "risks"), ("x", "fixes"), ("w", "wants")):
        named = tuple(getattr(own, name)) or getattr(GENERAL, name)
        if slot == "c" and found.turned:
            bodily = "food" in found.families or "body" in found.families
            named = tuple(line for line in LEAVING if bodily or "doctor" not in line)
        elif slot == "c" and own is not GENERAL:
            named = named + GENERAL.ifs[:2] if len(named) < 6 else named
        elif slot in "kxw" and len(named) < 4 and own is not GENERAL:
            named = named + getattr(GENERAL, name)
        banks[slot] = (_spread(named, it),) * 3
    subject = found.subject or "it"
    action = found.action or "do it"
    return Outline(
        shells=tuple(_shells(bank, subject, action) for bank in SHELLS[_frame(found)]),
        terse=_shells(TERSE.get(_frame(found), ()), subject, action),
        more=_shells(MORE, subject, action),
        banks=banks,
    )


def _frame(found: Asked) -> str:
    return found.frame if found.frame in SHELLS else "think"


def side_of(found: Asked, stance: float, axis: str, topics: tuple[tuple[str, float], ...], glad: bool) -> int:
    """Return 0 for an answer that speaks well of the subject, 1 for a bad one, 2 for a mixed one."""
    attitude = -stance if axis == "worry" and found.frame != "would" else stance
    if found.topic in _BURDENS and found.frame not in ("would", "why"):
        weight = dict(topics).get("price" if found.topic == "price_rise" else found.topic, 0.0)
        if weight > 0 and axis != "worry" and (found.topic.startswith("price") or not glad):
            attitude = -attitude
        attitude += _BURDENS[found.topic]
    elif found.frame != "would":
        attitude += _DARK.get(found.topic, 0.0)
    if found.turned and found.frame not in ("would", "why", "wants", "think"):
        attitude = -attitude
    return 0 if attitude > _CLEAR else 1 if attitude < -_CLEAR else 2
