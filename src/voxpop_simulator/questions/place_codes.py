"""Names of states and regions as used in questions and answers."""

from __future__ import annotations

from voxpop.vocabulary.places import CANADIAN_PROVINCES, US_STATES
from voxpop.vocabulary.regions import REGION_ALIASES, REGION_NAMES, region_in_words

STATES: dict[str, str] = dict(US_STATES)
_OTHER_MEANINGS = frozenset({"acre", "saga", "para", "north east", "north west", "south east", "south west"})
_named = (
    *((name, name) for name in REGION_NAMES),
    *((other, name) for other, name in REGION_ALIASES.items() if len(other) > 4 and other[2] != "-"),
)
CODES: dict[str, str] = {
    **{name.lower(): region for name, region in _named if name.lower() not in _OTHER_MEANINGS},
    **{name.lower(): code for code, name in (*CANADIAN_PROVINCES.items(), *STATES.items())},
}
"""Name in lower case -> ``state`` of agents: a code in the USA and Canada, a name elsewhere."""
REGIONS: dict[str, frozenset[str]] = {
    "northeast": frozenset(("CT", "ME", "MA", "NH", "RI", "VT", "NJ", "NY", "PA")),
    "midwest": frozenset(("IL", "IN", "MI", "OH", "WI", "IA", "KS", "MN", "MO", "NE", "ND", "SD")),
    "south": frozenset(
        ("DE", "DC", "FL", "GA", "MD", "NC", "SC", "VA", "WV", "AL", "KY", "MS", "TN", "AR", "LA", "OK", "TX")
    ),
    "west": frozenset(("AZ", "CO", "ID", "MT", "NV", "NM", "UT", "WY", "AK", "CA", "HI", "OR", "WA")),
}


def place(code: str | None) -> str:
    """Return a state as it follows "in" in a sentence.

    Examples
    --------
    >>> place("TX"), place("DC"), place("QC"), place("East Midlands")
    ('Texas', 'the District of Columbia', 'Quebec', 'the East Midlands')
    """
    if code is None:
        return "a place I'd rather not name"
    if code == "DC":
        return "the District of Columbia"
    return STATES.get(code) or CANADIAN_PROVINCES.get(code) or region_in_words(code)
