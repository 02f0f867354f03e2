"""The names of the US states, as questions and answers use them."""

from __future__ import annotations

from voxpop.vocabulary.places import US_STATES

STATES: dict[str, str] = dict(US_STATES)
CODES: dict[str, str] = {name.lower(): code for code, name in STATES.items()}
REGIONS: dict[str, frozenset[str]] = {
    "northeast": frozenset(("CT", "ME", "MA", "NH", "RI", "VT", "NJ", "NY", "PA")),
    "midwest": frozenset(("IL", "IN", "MI", "OH", "WI", "IA", "KS", "MN", "MO", "NE", "ND", "SD")),
    "south": frozenset(
        ("DE", "DC", "FL", "GA", "MD", "NC", "SC", "VA", "WV", "AL", "KY", "MS", "TN", "AR", "LA", "OK", "TX")
    ),
    "west": frozenset(("AZ", "CO", "ID", "MT", "NV", "NM", "UT", "WY", "AK", "CA", "HI", "OR", "WA")),
}


def place(code: str | None) -> str:
    """Return a state as it is said after "in".

    Examples
    --------
    >>> place("TX"), place("DC")
    ('Texas', 'the District of Columbia')
    """
    if code is None:
        return "a place I'd rather not name"
    return "the District of Columbia" if code == "DC" else STATES.get(code, code)
