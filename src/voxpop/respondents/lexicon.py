"""Safe other wordings of common phrases, money abroad, and words that only people of one country would say."""

from __future__ import annotations

import re
from functools import cache

from voxpop.respondents.patterns import Pattern

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
}
"""Country -> currency sign and a rough rate to the US dollar, for amounts that are said in passing."""

# words as they are written in the speech files -> wordings that fit in the same place
_GROUPS: tuple[tuple[str, str], ...] = (
    (r"\btoo expensive\b", "[too expensive/too pricey/priced too high/more than I'd spend]"),
    (r"\ba lot more\b", "[a lot more/way more/a good deal more/far more]"),
    (r"\ba lot of\b", "[a lot of/plenty of/lots of/so much]"),
    (r"\bmost of the time\b", "[most of the time/nine times out of ten/usually/more often than not]"),
    (r"\bpeople I know\b", "[people I know/my friends/folks I know/people around me]"),
    (r"\bI'd rather\b", "[I'd rather/I would rather/I'd sooner/I'd much rather]"),
    (r"\bevery year\b", "[every year/year after year/every single year]"),
    (r"\bthese days\b", "[these days/nowadays/right now/lately]"),
    (r"\ball the time\b", "[all the time/constantly/every time I look/day in, day out]"),
    (r"(?<![\w/\[] )\bexpensive\b(?!/|\])", "[expensive/pricey/costly]"),
    (r"\bhonestly\b", "[honestly/to be honest/frankly]"),
)

_AMERICAN = Pattern(
    r"\b(?:Thanksgiving|Labor Day|Memorial Day|Fourth of July|Super Bowl|Medicare|Medicaid|Social Security"
    r"|401\W?k|IRA|Congress|Washington|senator|governor|county(?: line)?|dollars?|cents|ZIP|DMV|HOA|copays?"
    r"|deductible|GED|diner|feed store|Hawaii|Alaska|Maine|Grand Canyon|Yellowstone|Savannah|New Orleans"
    r"|Oregon|the states?|state line|interstate|ball games?|basketball|baseball|football|Walmart|Costco"
    r"|Target|Kroger|Aldi|yard sale|gumbo|jambalaya|shrimp and grits|American|America|U\.S\.|USA|Texas"
    r"|Florida|California|Ohio|gallons?|miles?|pounds|inches|feet|fifty states|pickup truck|PTA"
    r"|Republicans?|Democrats?|IRS|FDA|EPA|the school board|network \(|out of network|in network)\b"
)
_CHOICE = re.compile(r"\[[^\[\]]*\]")


def thesaurus(text: str) -> str:
    """Return an authored text with other wordings of common phrases written in.

    Examples
    --------
    >>> thesaurus("I see it all the time")
    'I see it [all the time/constantly/every time I look/day in, day out]'
    """
    for pattern, wordings in _groups():
        text = pattern.sub(wordings, text)
    return text


@cache
def _groups() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), wordings) for pattern, wordings in _GROUPS)


def american(text: str) -> bool:
    """Return whether a text has words that only somebody in the USA would say.

    Examples
    --------
    >>> american("after [Thanksgiving/Easter]"), american("after Easter")
    (True, False)
    """
    return _AMERICAN.search(text) is not None


def elsewhere(text: str) -> str | None:
    """Return a text without its American wordings; None when nothing is left of it.

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
