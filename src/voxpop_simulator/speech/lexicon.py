"""Synonyms of common phrases, currencies, and words used only in the USA."""

from __future__ import annotations

import re
from functools import cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.speech.texts import sections

RATES: dict[str, tuple[str, float]] = {
    "USA": ("$", 1.0),
    "Canada": ("$", 1.35),
    "Australia": ("$", 1.5),
    "UK": ("£", 0.8),
    "Germany": ("€", 0.92),
    "France": ("€", 0.92),
    "Japan": ("¥", 150.0),
    "Brazil": ("R$", 5.5),
    "India": ("₹", 85.0),
    "Mexico": ("$", 18.0),
    "Italy": ("€", 0.92),
    "Spain": ("€", 0.92),
    "Netherlands": ("€", 0.92),
    "South Korea": ("₩", 1350.0),
}
"""Country -> currency sign and approximate rate to the US dollar, for incidental amounts."""

_AMERICAN = Pattern(
    r"\b(?:Thanksgiving|Labor Day|Memorial Day|Fourth of July|Super Bowl|Medicare|Medicaid"
    r"|[Ss]ocial [Ss]ecurity"
    r"|401\W?k|IRA|Congress|Washington|senator|governor|county(?: line)?|dollars?|cents|ZIP|DMV|HOA"
    r"|[Cc]opays?"
    r"|[Dd]eductibles?|mileage|baggers?|presidents|GED|diner|feed store|Hawaii|Alaska"
    r"|Maine|Grand Canyon|Yellowstone|Savannah|New Orleans"
    r"|Oregon|the states?|state line|interstate|ball games?|basketball|baseball|football|Walmart|Costco"
    r"|Target|Kroger|Aldi|yard sale|gumbo|jambalaya|shrimp and grits|American|America|U\.S\.|USA|Texas"
    r"|Florida|California|Ohio|[Gg]allons?|[Mm]iles?|pounds|inches|<#[^>]*> feet|fifty states|pickup truck"
    r"|PTA"
    r"|Republicans?|Democrats?|IRS|FDA|EPA|the school board|condos?|dorms?|drive-through"
    r"|drive-thru|gas stations?|[Ss]pring break|potlucks?|network \(|out of network|in network)\b"
)
_CHOICE = re.compile(r"\[[^\[\]]*\]")


def thesaurus(text: str) -> str:
    """Return an authored text with synonyms of common phrases added as choices.

    Examples
    --------
    >>> thesaurus("Kids these days")
    '[Kids/Children] [these days/nowadays/lately]'
    """
    pattern, wordings = _phrases()

    def other(found: re.Match[str]) -> str:
        known = wordings[found[0].lower()]
        if _AFTER_ARTICLE.search(text[: found.start()]):  # "an" stays before a vowel
            vowel = found[0][0].lower() in _VOWELS
            known = tuple(each for each in known if (each[0].lower() in _VOWELS) is vowel)
        if len(known) < 2:
            return found[0]
        ways = (
            (known[0], *known[1:]) if found[0][0].islower() or known[0][0].isupper() else map(_capital, known)
        )
        return f"[{'/'.join(ways)}]"

    return pattern.sub(other, text)


_VOWELS = "aeiou"
_AFTER_ARTICLE = re.compile(r"(?:\ban? |[\[/])$", re.I)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Return a pattern of all known phrases, longest first, and the synonyms of each."""
    known = {
        ways[0].lower(): ways for ways in (tuple(line.split("/")) for line in sections("synonyms")["phrases"])
    }
    longest = sorted(known, key=len, reverse=True)
    words = "|".join(re.escape(phrase) for phrase in longest)
    return re.compile(rf"(?<![\w'<{{-])(?:{words})(?![\w'>}}-])", re.I), known


def american(text: str) -> bool:
    """Return whether a text has words used only in the USA.

    Examples
    --------
    >>> american("after [Thanksgiving/Easter]"), american("after Easter")
    (True, False)
    """
    return _AMERICAN.search(text) is not None


def elsewhere(text: str) -> str | None:
    """Return a text without its American wordings, or None if nothing remains.

    Examples
    --------
    >>> elsewhere("after [Thanksgiving/Easter]"), elsewhere("on Thanksgiving")
    ('after [Easter]', None)
    """

    def kept(found: re.Match[str]) -> str:
        ways = [way for way in found[0][1:-1].split("/") if not american(way)]
        return f"[{'/'.join(ways)}]" if ways else found[0]

    stripped = _CHOICE.sub(kept, text)
    return None if american(stripped) else stripped
