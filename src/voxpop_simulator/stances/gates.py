"""Preconditions of behaviour: nondrinkers do not drink, and only dog owners brush a dog."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import Frame
from voxpop_simulator.stances.choices import used_fact
from voxpop_simulator.stances.leanings import TRAITS
from voxpop_simulator.stances.life_facts import FACTS, Fact

_DRINKER, _SMOKER = TRAITS.index("drinker"), TRAITS.index("smoker")
_SERVICES = "facebook|instagram|tiktok|youtube|pinterest|linkedin|whatsapp|snapchat|reddit"
_SERVICE = Pattern(rf"\b(?:{_SERVICES})\b", re.I)
_ALCOHOL = Pattern(r"alcohol|\bbeers?\b|\bwine\b|cocktail", re.I)
_TOBACCO = Pattern(r"cigarette|\bsmoke\b", re.I)
_OWNED = Pattern(
    r"\byour (dog|cat|car|electric car)s?\b|\b(dog|cat)(?:'s)? (?:food|treats?|litter|toys?|grooming)\b", re.I
)
_SPENT = Pattern(r"\b(?:how much|what) do you (?:usually |typically |normally )?(?:spend|pay)\b", re.I)


@dataclass(frozen=True, slots=True)
class Gate:
    """Condition for an answer above zero to "how often" or "how much"."""

    fact: Fact | None = None
    trait: int | None = None
    above: float = 0.0

    @property
    def label(self) -> str:
        """Return the name of the attribute that decides, for readers; "" if a fact decides."""
        if self.trait is None:
            return ""
        return "alcohol use" if self.trait == _DRINKER else "smoking"

    def shut(self, person: tuple[float, ...], uuid: bytes) -> bool:
        """Return whether the agent does not have or do it."""
        if self.fact is not None:
            return not self.fact.holds(person, uuid)
        return self.trait is not None and person[self.trait] <= self.above


@lru_cache(maxsize=1024)
def gate_of(sentence: str, frame: Frame) -> Gate | None:
    """Return the presupposition of a question about use, or None."""
    if frame.axis != "use" and not _SPENT.search(sentence):
        return None
    named = {name.lower() for name in _SERVICE.findall(sentence)}
    if len(named) == 1:
        return Gate(fact=FACTS[named.pop()])
    if _ALCOHOL.search(sentence):
        return Gate(trait=_DRINKER, above=-0.99)
    if _TOBACCO.search(sentence):
        return Gate(trait=_SMOKER, above=0.5)
    owned = _OWNED.search(sentence)
    if owned:
        name = (owned[1] or owned[2]).lower()
        return Gate(fact=FACTS["ev" if "electric" in name else name])
    used = used_fact(sentence, alone=False)
    return Gate(fact=used) if used is not None else None
