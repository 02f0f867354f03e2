"""The banks of one question, worked out once: frames compiled, slots tied to the lines that fill them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.respondents.answer_frames import GOING, LEAVING, SHELLS, STAYING
from voxpop.respondents.asking import Asked
from voxpop.respondents.aspect_frames import BOTH, COMPLAINT, PRAISE
from voxpop.respondents.aspects import ASPECTS
from voxpop.respondents.banks import Bank
from voxpop.respondents.grammar import Parts, parse
from voxpop.respondents.reasons_general import BANKS, GENERAL
from voxpop.respondents.tales import Lines, lines_of
from voxpop.respondents.tales_general import TALES

_SLOT = re.compile(r"\{(\w+)\}")
_OPEN = ("think", "why")  # the frames where reasons that fit any subject fit too
_BURDENS = {"price": -0.5, "price_rise": -0.9, "money_worry": -0.4, "strain": -0.2}
_DARK = {"politics": -0.4, "tobacco": -0.4, "telehealth": 0.1, "ad": -0.1, "banking": 0.1}
# topics without reasons of their own -> the topic whose reasons fit; the others are told about only
_NEAR = {
    "ai": "technology",
    "internet": "technology",
    "restaurants": "service",
    "doctor": "health_worry",
    "medicine": "health_worry",
    "selfcare": "brand",
    "clothes": "shoes",
    "flying": "travel",
}
_CLEAR = 0.2  # a stance this far from the middle is spoken as one for or against
_ABOUT = ("would", "think", "why", "wants")


_NOTHING = Bank((), (), ())


@dataclass(frozen=True, slots=True)
class Shell:
    """One sentence frame, split at its slots: even places are spoken parts, odd places are slot names."""

    parts: tuple[Parts | str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """What answers to one question are made of; tuples of three are good, bad and mixed."""

    shells: tuple[tuple[Shell, ...], ...]
    banks: dict[str, tuple[Lines, ...]]
    tales: tuple[Lines, ...] | None
    sides: tuple[tuple[Shell, ...], ...]


def _shells(bank: tuple[str, ...], subject: str, action: str) -> tuple[Shell, ...]:
    made = []
    for line in bank:
        text = line.replace("{s}", subject).replace("{do}", action)
        made.append(
            Shell(tuple(part if at % 2 else parse(part) for at, part in enumerate(_SLOT.split(text))))
        )
    return tuple(made)


_SIDES = tuple(_shells(bank, "it", "do it") for bank in (PRAISE, COMPLAINT, BOTH))


@lru_cache(maxsize=512)
def outline_of(found: Asked) -> Outline:
    """Return the outline of a question."""
    told = TALES.get(found.topic, {})
    known = BANKS.get(_NEAR.get(found.topic, found.topic))
    own = known or (_NOTHING if told else GENERAL)
    it = "they" if found.plural else "it"

    def spoken(*texts: tuple[str, ...]) -> Lines:
        return lines_of([text.replace("{it}", it) for bank in texts for text in bank])

    sides = {name: getattr(own, name) for name in ("good", "bad", "mixed")}
    turned = found.turned and found.frame in _ABOUT
    if turned:
        sides = {"good": GOING, "bad": STAYING, "mixed": STAYING}
    good, bad, mixed = (spoken(sides[name]) for name in ("good", "bad", "mixed"))
    banks = {"r": (good, bad, mixed), "g": (good,) * 3, "b": (bad,) * 3}
    for slot, name in (("c", "ifs"), ("k", "risks"), ("x", "fixes"), ("w", "wants")):
        named = getattr(own, name) + told.get(slot, ())
        if not named:
            named = getattr(GENERAL, name)
        if slot == "c" and found.turned:
            bodily = "food" in found.families or "body" in found.families
            named = tuple(line for line in LEAVING if bodily or "doctor" not in line)
        banks[slot] = (spoken(named),) * 3
    banks["v"] = banks["w"]
    named_sides = ASPECTS.get(found.topic, ASPECTS["assent"])
    praised, blamed = lines_of(named_sides["p"]), lines_of(named_sides["q"])
    banks["p"], banks["q"] = (praised, blamed, praised), (blamed,) * 3
    stories = tuple(spoken(told.get(kind, ())) for kind in "+-~") if told and not turned else None
    frames = tuple(_shells(bank, found.subject or "it", found.action or "do it") for bank in _frames(found))
    if not good.lines:
        frames = tuple(tuple(shell for shell in bank if not _reasoned(shell)) for bank in frames)
    return Outline(
        shells=frames,
        banks=banks,
        tales=stories,
        sides=() if turned else _SIDES,
    )


def _reasoned(shell: Shell) -> bool:
    return any(part in ("r", "R", "g", "G", "b", "B") for part in shell.parts[1::2])


def _frames(found: Asked) -> tuple[tuple[str, ...], ...]:
    return SHELLS[found.frame if found.frame in SHELLS else "think"]


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
    if found.turned and found.frame not in _ABOUT:
        attitude = -attitude
    return 0 if attitude > _CLEAR else 1 if attitude < -_CLEAR else 2
