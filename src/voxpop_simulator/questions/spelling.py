"""Expansion of informal spellings, so that hastily typed questions are understood."""

from __future__ import annotations

import re

from voxpop_simulator.questions.wordlists import word_set

_NAMES = word_set(
    """
    Walmart Amazon Costco Starbucks Nike Adidas Netflix Hulu Spotify Uber Lyft Airbnb Toyota Honda Tesla Ikea
    Sephora Chipotle Coke Pepsi Doritos Oreo Gatorade Samsung Microsoft Google Verizon Comcast Facebook
    Instagram Heineken Budweiser Colgate Lego Disney Kroger Publix Aldi Walgreens Subaru Hyundai Nintendo
    """
)
"""Unambiguous brand names, sometimes typed without their capitals."""
_WRITTEN = (
    *("McDonald's", "Wendy's", "Domino's", "Kohl's", "Macy's", "Trader Joe's", "Lay's", "Kellogg's"),
    *("Burger King", "Taco Bell", "Pizza Hut", "Home Depot", "Coca-Cola", "Chick-fil-A", "Whole Foods"),
)
_SHORT = {
    **{name.lower(): name for name in (*_NAMES, *_WRITTEN)},
    **{name.lower().replace("'", ""): name for name in _WRITTEN},
    **{name.lower().replace("-", " "): name for name in _WRITTEN},
    **{"u": "you", "ur": "your", "urself": "yourself", "abt": "about", "bc": "because", "cuz": "because"},
    **{"pls": "please", "plz": "please", "thru": "through", "fav": "favorite", "fave": "favorite"},
    **{"bfast": "breakfast", "appt": "appointment", "ppl": "people", "govt": "government"},
    **{"wk": "week", "wks": "weeks", "yr": "year", "yrs": "years", "w/o": "without", "w/": "with"},
    **{"wanna": "want to", "gonna": "going to", "r u": "are you", "dr": "doctor"},
    **{f"{word}s": f"{word}'s" for word in ("what", "where", "who", "how", "that")},
    **{
        f"{word}nt": f"{word}n't" for word in ("do", "does", "did", "is", "are", "was", "were", "have", "has")
    },
    **{f"{word}nt": f"{word}n't" for word in ("could", "would", "should", "ca", "wo")},
    **{f"you{end}": f"you'{end}" for end in ("re", "ve", "d", "ll")},
    **{f"{word}'d": f"{word} did" for word in ("why", "how", "what", "where")},
}
_TYPED = re.compile(
    rf"(?<![\w'@.-])(?:{'|'.join(map(re.escape, sorted(_SHORT, key=len, reverse=True)))})(?![\w'.@-])"
    r"(?! (?:pepper|who)\b)",
    re.I,
)


def spelled_out(text: str) -> str:
    """Return a text with abbreviations, missing apostrophes and missing capitals corrected.

    Examples
    --------
    >>> spelled_out("Whats ur favorite snack, and why dont u buy it?")
    "What's your favorite snack, and why don't you buy it?"
    >>> spelled_out("Dr Pepper or Dr. Smith?")
    'Dr Pepper or Dr. Smith?'
    """

    def whole(found: re.Match[str]) -> str:
        word = _SHORT[found[0].lower()]
        return word[0].upper() + word[1:] if found[0][0].isupper() else word

    return _TYPED.sub(whole, text)
