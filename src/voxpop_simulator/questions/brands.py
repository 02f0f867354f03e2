"""Well-known brand names in questions, with the trade of each brand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from voxpop_simulator.questions.wordlists import table_sections


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand name, the bank of lines on brands of its trade, and its topic."""

    name: str
    trade: str
    topic: str


@cache
def _brands() -> dict[str, Brand]:
    rows = (
        (trade, *(part.strip() for part in line.split("|")))
        for trade, lines in table_sections("brands").items()
        for line in lines
    )
    return {name: Brand(name, trade, topic) for trade, name, topic in rows}


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_brands(), key=len, reverse=True)
    return re.compile(rf"(?<![\w&'-])(?:{'|'.join(map(re.escape, names))})(?!\w)")


def begins_with_brand(text: str) -> bool:
    """Return whether a text starts with a well-known brand.

    Examples
    --------
    >>> begins_with_brand("Coke for me."), begins_with_brand("Cola for me.")
    (True, False)
    """
    return bool(_pattern().match(text))


@cache
def trades() -> frozenset[str]:
    """Return the banks of lines on brands, one for each trade."""
    return frozenset(brand.trade for brand in _brands().values())


def brands_in(text: str) -> tuple[Brand, ...]:
    """Return the well-known brands in a text, in order and without duplicates.

    Examples
    --------
    >>> [brand.name for brand in brands_in("Is McDonald's better than Burger King or Wendy's?")]
    ["McDonald's", 'Burger King', "Wendy's"]
    >>> brands_in("What is your target?")
    ()
    """
    found = dict.fromkeys(match[0] for match in _pattern().finditer(text.replace("’", "'")))
    return tuple(_brands()[name] for name in found)


def without_brands(text: str) -> str:
    """Return a text without its brand names."""
    return _pattern().sub(" ", text.replace("’", "'"))
