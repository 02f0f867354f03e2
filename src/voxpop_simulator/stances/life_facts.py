"""Possessions and behaviours of agents: yes/no facts drawn with published US shares."""

from __future__ import annotations

import re
from dataclasses import dataclass

from voxpop.engines.draws import draws, key
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.stances.leanings import weights_of
from voxpop_simulator.stances.normals import normal


@dataclass(frozen=True, slots=True)
class Fact:
    """A yes/no fact of an agent's life that is not in its profile.

    It is true if a normal draw of its own, plus weighted traits, is above a threshold, or if a fact that
    implies it is true.
    """

    name: str
    threshold: float
    weights: tuple[tuple[int, float], ...]
    salt: bytes
    implied_by: tuple[Fact, ...] = ()

    def holds(self, person: tuple[float, ...], uuid: bytes) -> bool:
        """Return whether the fact is true of an agent; independent of the study."""
        return self.latent(person, uuid) > 0

    def latent(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return the distance of an agent from the border between yes and no."""
        total = self.own(uuid) - self.threshold + self.shift(person)
        for fact in self.implied_by:
            total = max(total, fact.latent(person, uuid))
        return total

    def own(self, uuid: bytes) -> float:
        """Return the agent's own draw, a normal deviate."""
        return normal(draws(self.salt, uuid))

    def shift(self, person: tuple[float, ...]) -> float:
        """Return the shift by the agent's traits."""
        total = 0.0
        for at, weight in self.weights:
            total += weight * person[at]
        return total


@dataclass(frozen=True, slots=True)
class Screen:
    """A screening question with its published share.

    Attributes
    ----------
    share : float
        Published share of US adults (or households, if the source says so) who say yes.
    threshold : float
        Calibrated so that the population reproduces the share; 0 is half of the people.
    weights : mapping
        Trait weights in deviations, from the source's own breakdown if it has one.
    source : str
        Publisher and date of the share.
    checked : bool
        Whether the share was checked in the source or in a report on it; otherwise it is from memory.
    among : str
        Agents that the share is of; the profile of all others says no.
    """

    name: str
    pattern: str
    share: float
    threshold: float
    weights: dict[str, float]
    source: str
    checked: bool = True
    among: str = "US adults"


_OWN = r"(?:own|have|keep|use|got)"
_USE = r"\b(?:use|on|have|visit|watch)\b.{0,16}"
_SOCIAL = "Pew Research Center, Americans' Social Media Use, 2024"
SCREENS: tuple[Screen, ...] = (
    Screen(
        "dog",
        rf"\b{_OWN}\b.{{0,20}}\bdogs?\b",
        0.455,
        -0.05,
        {"urban": -0.3, "age": -0.08, "parent": 0.15, "income": 0.05},
        "AVMA 2024, Pet Ownership and Demographics Sourcebook (households)",
    ),
    Screen(
        "cat",
        rf"\b{_OWN}\b.{{0,20}}\bcats?\b",
        0.321,
        0.39,
        {"urban": -0.15, "age": -0.08},
        "AVMA 2024, Pet Ownership and Demographics Sourcebook (households)",
    ),
    Screen(
        "smartphone",
        rf"\b{_OWN}\b.{{0,20}}\bsmart ?phones?\b",
        0.91,
        -1.62,
        {"age": -0.5, "education": 0.25, "income": 0.15},
        "Pew Research Center, Mobile Fact Sheet, 2024",
    ),
    Screen(
        "ev",
        rf"\b(?:{_OWN}|drive)\b.{{0,16}}\b(?:electric (?:car|vehicle)|ev)s?\b",
        0.07,
        1.62,
        {"income": 0.33, "education": 0.1},
        "Gallup, March 2024",
    ),
    Screen(
        "car",
        rf"\b(?:{_OWN}|drive)\b.{{0,16}}\b(?:car|vehicle)s?\b(?!.*electric)",
        0.92,
        -1.64,
        {"income": 0.3, "urban": -0.25},
        "American Community Survey, as reported in 2025 (91.7 % of households)",
    ),
    Screen(
        "passport",
        rf"\b{_OWN}\b.{{0,24}}\bpassport\b",
        0.48,
        0.15,
        {"income": 0.35, "education": 0.35},
        "Department of State, valid passports per person, September 2023",
    ),
    Screen(
        "gun",
        rf"\b{_OWN}\b.{{0,16}}\b(?:guns?|firearms?)\b",
        0.32,
        -0.15,
        {"female": -0.42, "urban": -0.55},
        "Pew Research Center, June 2023",
    ),
    Screen(
        "registered",
        r"\bregistered (?:to vote|voter)\b",
        0.736,
        -0.66,
        {"age": 0.2, "education": 0.3},
        "Census Bureau, CPS Voting Supplement 2024",
    ),
    Screen("facebook", rf"{_USE}\bfacebook\b", 0.68, -0.39, {"female": 0.2, "age": -0.05}, _SOCIAL),
    Screen("instagram", rf"{_USE}\binstagram\b", 0.47, 0.21, {"age": -0.65, "female": 0.2}, _SOCIAL),
    Screen("tiktok", rf"{_USE}\btik ?tok\b", 0.33, 0.71, {"age": -0.55, "female": 0.3}, _SOCIAL),
    Screen("youtube", rf"{_USE}\byou ?tube\b", 0.83, -1.05, {"age": -0.42}, _SOCIAL),
    Screen("pinterest", rf"{_USE}\bpinterest\b", 0.35, 0.79, {"female": 0.75, "age": -0.15}, _SOCIAL),
    Screen(
        "linkedin",
        rf"{_USE}\blinked ?in\b",
        0.3,
        0.67,
        {"education": 0.5, "income": 0.2, "age": -0.1},
        _SOCIAL,
    ),
    Screen(
        "whatsapp",
        rf"{_USE}\bwhats ?app\b",
        0.29,
        0.82,
        {"hispanic": 0.7, "urban": 0.15, "age": -0.1},
        _SOCIAL,
    ),
    Screen("snapchat", rf"{_USE}\bsnap ?chat\b", 0.27, 0.85, {"age": -0.8}, _SOCIAL),
    Screen(
        "reddit", rf"{_USE}\breddit\b", 0.22, 0.81, {"age": -0.55, "female": -0.3, "education": 0.15}, _SOCIAL
    ),
    Screen(
        "tattoo",
        rf"\b{_OWN}\b.{{0,12}}\btattoos?\b",
        0.32,
        0.64,
        {"age": -0.42, "female": 0.3, "income": -0.2, "education": -0.12},
        "Pew Research Center, July 2023",
    ),
    Screen(
        "vegetarian",
        r"\bare you (?:an? )?(?:vegetarian|vegan)\b",
        0.05,
        1.88,
        {"female": 0.4, "income": -0.18},
        "Gallup, July 2023 (4 % vegetarian, 1 % vegan)",
    ),
    Screen(
        "coffee",
        r"\bdrink\b.{0,12}\bcoffee\b",
        0.66,
        -0.45,
        {"age": 0.25, "income": 0.08},
        "National Coffee Association, 2025 (had coffee in the past day)",
    ),
    Screen(
        "gym",
        r"\b(?:gym|health club|fitness club)\b.{0,12}\bmember(?:ship)?|\bmember of a (?:gym|health club)\b"
        r"|\bbelong to a gym\b",
        0.24,
        0.89,
        {"age": -0.2, "income": 0.25, "active": 0.4},
        "Health & Fitness Association 2024 (23.7 % of ages six and over, in 2023)",
    ),
    Screen(
        "flu",
        r"\b(?:got|get|had|have|received?)\b.{0,24}\bflu (?:shot|vaccine|jab)\b",
        0.469,
        0.11,
        {"age": 0.35, "education": 0.2},
        "CDC, FluVaxView, season 2022-23 (adults)",
    ),
    Screen(
        "glasses",
        r"\bwear\b.{0,16}\bglasses\b",
        0.637,
        -0.39,
        {"age": 0.35},
        "The Vision Council (63.7 % of adults), reported 2023",
    ),
    Screen(
        "left",
        r"\bleft[- ]handed\b",
        0.106,
        1.29,
        {},
        "Papadatou-Pastou et al. 2020, Psychological Bulletin 146:481",
    ),
    Screen(
        "pregnant",
        r"\bare you (?:currently )?(?:pregnant|expecting (?:a baby|a child))\b",
        0.041,
        1.74,
        {},
        "NCHS, Births: Final Data for 2023 (54.5 births per 1,000 women aged 15 to 44, after "
        "nine months each)",
        among="women aged 18 to 44",
    ),
    Screen("pet", rf"\b{_OWN}\b.{{0,14}}\bpets?\b", 0.62, 9.0, {}, "Pew Research Center, April 2023"),
)
_IMPLIED = {"pet": ("dog", "cat"), "car": ("ev",)}


def _made() -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for screen in SCREENS:
        implied = tuple(facts[name] for name in _IMPLIED.get(screen.name, ()))
        weights = weights_of(screen.weights)
        facts[screen.name] = Fact(screen.name, screen.threshold, weights, key("fact", screen.name), implied)
    return facts


FACTS: dict[str, Fact] = _made()
"""Name -> fact."""
_COMPILED = tuple((Pattern(screen.pattern, re.I), FACTS[screen.name]) for screen in SCREENS)
SOURCES: dict[str, str] = {screen.name: screen.source for screen in SCREENS}
_ASKS = Pattern(r"^(?:.*[,:] )?(?:do|does|are|have|did|is)(?:n't)? (?:you|your)\b", re.I)
_OPINION = Pattern(
    r"\b(?:want|like|plan|prefer|think|worr|consider|trust|hope|often|enough|love|enjoy|interested|need)",
    re.I,
)
_HOUSEHOLD = word_set(
    """
    do does are have has did is you your own keep use got get drive a an any the at home currently now
    personally or one more in household pet family registered to vote valid us u.s
    member of gym ever on drink wear regularly this last season year past 12 months belong
    vehicle voter electric every day smart phone visit watch still also account shot vaccine
    """
)


_ALL_OF_US = Pattern(r" or (?:anyone|someone|anybody)(?: else)? in your (?:household|family|home)\b", re.I)
_OF_HOUSEHOLDS = ("dog", "cat", "pet", "car", "ev")
"""Facts that are, or nearly are, facts of the household."""


def fact_asked(sentence: str) -> Fact | None:
    """Return the fact asked for by a yes/no question, or None.

    Examples
    --------
    >>> fact_asked("Do you own a dog?").name, fact_asked("Do you want a dog?")
    ('dog', None)
    """
    if not _ASKS.match(sentence) or _OPINION.search(sentence):
        return None
    asked = _ALL_OF_US.sub("", sentence)
    for pattern, fact in _COMPILED:
        found = pattern.search(asked)
        if found and (asked == sentence or fact.name in _OF_HOUSEHOLDS):
            sentence = asked
            rest = (sentence[: found.start()] + sentence[found.end() :]).lower()
            return fact if all(word in _HOUSEHOLD for word in _words(rest)) else None
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9.]+", text.rstrip("?. "))
