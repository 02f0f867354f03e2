"""Things people own or do: the published US share says how many, each agent says yes or no for good."""

from __future__ import annotations

import re
from dataclasses import dataclass

from voxpop.respondents.draws import draws, key, normal
from voxpop.respondents.leanings import weights_of
from voxpop.respondents.wordlists import word_set


@dataclass(frozen=True, slots=True)
class Fact:
    """A yes/no fact of an agent's life that its profile does not hold."""

    name: str
    threshold: float
    weights: tuple[tuple[int, float], ...]
    salt: bytes

    def holds(self, person: tuple[float, ...], uuid: bytes) -> bool:
        """Return whether the fact is true of an agent; it never depends on the study."""
        return self.latent(person, uuid) > 0

    def latent(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return how far an agent is from the line between yes and no."""
        total = normal(draws(self.salt, uuid)) - self.threshold
        for at, weight in self.weights:
            total += weight * person[at]
        return total


_OWN = r"(?:own|have|keep|use|got)"
# pattern, threshold in deviations (0 is half the people), trait weights, published share and source
_FACTS: tuple[tuple[str, str, float, dict[str, float], str], ...] = (
    (
        "dog",
        rf"\b{_OWN}\b.{{0,20}}\bdogs?\b",
        0.08,
        {"urban": -0.2, "age": -0.12, "parent": 0.15, "income": 0.05},
        "45 %, AVMA 2024",
    ),
    ("cat", rf"\b{_OWN}\b.{{0,20}}\bcats?\b", 0.40, {"urban": -0.1, "age": -0.08}, "32 %, AVMA 2024"),
    (
        "pet",
        rf"\b{_OWN}\b.{{0,14}}\bpets?\b",
        -0.45,
        {"urban": -0.15, "age": -0.12},
        "62 %, Pew Research Center 2023",
    ),
    (
        "smartphone",
        rf"\b{_OWN}\b.{{0,20}}\bsmart "
        rf"?phones?\b",
        -1.45,
        {"age": -0.4, "income": 0.15},
        "91 %, Pew Research Center 2024",
    ),
    (
        "home",
        r"\bown\b.{0,12}\b(?:home|house)\b"
        r"|\bhomeowner",
        -0.40,
        {"age": 0.35, "income": 0.4},
        "66 %, Census Bureau HVS 2024",
    ),
    (
        "insurance",
        r"\bhave\b.{0,20}\bhealth "
        r"insurance\b",
        -1.55,
        {"income": 0.25, "age": 0.2},
        "92 %, Census Bureau P60-284",
    ),
    (
        "car",
        rf"\b(?:{_OWN}|drive)\b.{{0,16}}\b(?:car"
        rf"|vehicle)s?\b(?!.*electric)",
        -1.50,
        {"income": 0.3, "urban": -0.25},
        "92 % of households, ACS 2023",
    ),
    (
        "ev",
        rf"\b{_OWN}\b.{{0,16}}\b(?:electric (?:car|vehicle)"
        rf"|ev)s?\b",
        1.60,
        {"income": 0.3, "education": 0.15},
        "7 %, Gallup 2024",
    ),
    (
        "passport",
        rf"\b{_OWN}\b.{{0,24}}\bpassport\b",
        0.05,
        {"income": 0.35, "education": 0.35},
        "48 %, Department of State 2023",
    ),
    (
        "gun",
        rf"\b{_OWN}\b.{{0,16}}\b(?:guns?"
        rf"|firearms?)\b",
        0.42,
        {"female": -0.35, "urban": -0.35},
        "32 %, Pew Research Center 2023",
    ),
    (
        "married",
        r"\b(?:are|get) "
        r"you (?:currently "
        r")?married\b",
        0.02,
        {"income": 0.3, "parent": 0.35},
        "about half, Census Bureau CPS 2023",
    ),
    (
        "registered",
        r"\bregistered (?:to vote"
        r"|voter)\b",
        -0.70,
        {"age": 0.2, "education": 0.3},
        "74 %, Census Bureau CPS 2024",
    ),
    (
        "facebook",
        r"\b(?:use|on|have"
        r"|visit)\b.{0,16}\bfacebook\b",
        -0.50,
        {"female": 0.2, "age": -0.05},
        "68 %, Pew Research Center 2024",
    ),
    (
        "instagram",
        r"\b(?:use|on|have"
        r"|visit)\b.{0,16}\binstagram\b",
        0.10,
        {"age": -0.6, "female": 0.2},
        "47 %, Pew Research Center 2024",
    ),
    (
        "tiktok",
        r"\b(?:use|on|have"
        r"|watch)\b.{0,16}\btik ?tok\b",
        0.50,
        {"age": -0.55, "female": 0.2},
        "33 %, Pew Research Center 2024",
    ),
    (
        "youtube",
        r"\b(?:use|on"
        r"|watch)\b.{0,16}\byou ?tube\b",
        -1.0,
        {"age": -0.35},
        "83 %, Pew Research Center 2024",
    ),
    (
        "tattoo",
        rf"\b{_OWN}\b.{{0,12}}\btattoos?\b",
        0.55,
        {"age": -0.3, "female": 0.2, "education": -0.15},
        "32 %, Pew Research Center 2023",
    ),
    (
        "vegetarian",
        r"\bare you (?:an? )?(?:vegetarian"
        r"|vegan)\b",
        1.75,
        {"female": 0.15, "age": -0.12},
        "5 %, Gallup 2023",
    ),
    (
        "coffee",
        r"\bdrink\b.{0,12}\bcoffee\b",
        -0.55,
        {"age": 0.25, "income": 0.08},
        "67 % on a day, National Coffee Association 2024",
    ),
    (
        "gym",
        r"\b(?:gym|health club|fitness club)\b.{0,12}\bmember"
        r"|\bbelong to a gym\b",
        0.75,
        {"age": -0.2, "income": 0.25, "active": 0.4},
        "24 %, HFA 2024",
    ),
    (
        "flu",
        r"\b(?:got|get|had|have|received?)\b.{0,24}\bflu (?:shot"
        r"|vaccine|jab)\b",
        0.10,
        {"age": 0.35, "education": 0.2},
        "47 %, CDC FluVaxView 2022-23",
    ),
    ("glasses", r"\bwear\b.{0,16}\bglasses\b", -0.35, {"age": 0.35}, "64 %, The Vision Council 2023"),
    (
        "left",
        r"\bleft[- ]handed\b",
        1.25,
        {},
        "10 %, Papadatou-Pastou et al. 2020, Psychological Bulletin 146:481",
    ),
)
_COMPILED = tuple(
    (re.compile(pattern, re.I), Fact(name, threshold, weights_of(table), key("fact", name)))
    for name, pattern, threshold, table, _ in _FACTS
)
SOURCES: dict[str, str] = {name: source for name, _, _, _, source in _FACTS}
_ASKS = re.compile(r"^(?:.*[,:] )?(?:do|does|are|have|did|is)(?:n't)? (?:you|your)\b", re.I)
_OPINION = re.compile(
    r"\b(?:want|like|plan|prefer|think|worr|consider|trust|hope|often|enough|love|enjoy|interested|need)",
    re.I,
)
_HOUSEHOLD = word_set(
    """
    do does are have has did is you your own keep use got get drive a an any the at home currently now
    personally or one more in household pet family registered to vote valid us u.s health insurance
    coverage member of gym ever on drink wear regularly this last season year past 12 months belong
    vehicle voter electric every day smart phone visit watch still also account shot vaccine
    """
)


def fact_asked(sentence: str) -> Fact | None:
    """Return the fact that a yes/no question asks for, or None.

    Examples
    --------
    >>> fact_asked("Do you own a dog?").name, fact_asked("Do you want a dog?")
    ('dog', None)
    """
    if not _ASKS.match(sentence) or _OPINION.search(sentence):
        return None
    for pattern, fact in _COMPILED:
        found = pattern.search(sentence)
        if found:
            rest = (sentence[: found.start()] + sentence[found.end() :]).lower()
            return fact if all(word in _HOUSEHOLD for word in _words(rest)) else None
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9.]+", text.rstrip("?. "))
