"""Other plain ways to say the same words, so that a thousand people do not all sound alike."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.respondents.banks import variants

_MOST = 10
# words as they are written in the banks -> wordings that fit in the same place
_GROUPS: tuple[tuple[str, str], ...] = (
    (r"\btoo expensive\b", "too expensive/too pricey/priced too high"),
    (r"\bcosts (?=(?:too much|more|a lot|a fortune))", "costs /ends up costing /runs "),
    (r"\ba lot of (?=people)", "a lot of /plenty of /many "),
    (r"\bmost of the time\b", "most of the time/nine times out of ten/usually"),
    (r"\bpeople I know\b", "people I know/my friends/folks I know"),
    (r"\bI'd rather (?=\w)", "I'd rather /I would rather /I'd much rather "),
    (r"\bI don't (?=(?:see|trust|need|want|like|know|have|think|care|mind))",
     "I don't /I really don't /I just don't "),
    (r"\bI like (?=(?:seeing|knowing|having|trying|being|that))", "I like /I really like /I do like "),
    (r"\bI've (?=(?:heard|had|seen|tried|been|used|never|learned|always))", "I've /I have "),
    (r"\bI'm (?=(?:already|trying|tired|used|just|not))", "I'm /I am "),
    (r"\bthey (?=(?:charge|add|change|push|keep|raise|collect|sell)\b)",
     "they /they always /these companies "),
    (r"\bis too\b", "is too/is way too/is just too"),
    (r"\bkids\b", "kids/children"),
    (r"\bthe price\b", "the price/the cost"),
    (r"\bgoes up\b", "goes up/climbs/keeps rising"),
    (r"\bgood\b(?= (?:quality|deal|deals|job|start|service))", "good/decent/pretty good"),
    (r"\beasy to (?!get along|talk|on)(?=\w)", "easy to /simple to /pretty easy to "),
    (r"\bhard to (?=\w)", "hard to /tough to /not easy to "),
    (r"\bevery year\b", "every year/year after year/every single year"),
    (r"\bthese days\b", "these days/nowadays/right now"),
    (r"\bworks (?=(?:well|fine|better))", "works /works out "),
    (r"\bI have to (?=\w)", "I have to /I've got to /I need to "),
    (r"\bhonestly\b", "honestly/to be honest/if I'm honest"),
    (r"\bHonestly,", "Honestly,/To be honest,/Truthfully,/To tell the truth,"),
    (r"\b[Mm]ostly\b(?= because)", "Mostly/Mainly/Largely"),
    (r", mainly because\b", ", mainly because/, mostly since/, and that's because/, because"),
    (r"\bsince\b(?= (?:I|it|the|they|there|you))", "since/because/as"),
    (r"\bIf anything,", "If anything,/If I had to say,/Maybe just"),
    (r"\bthe biggest\b", "the biggest/the main/the number one"),
    (r"\bI guess\b", "I guess/I suppose/I'd say"),
    (r"^Maybe\b", "Maybe/Perhaps/Possibly"),
    (r"^It depends\b", "It depends/Depends/That depends/It kind of depends/It really depends"),
    (r"^Also,|^Plus,", "Also,/Plus,/And/Besides,/What's more,"),
    (r"\bI'd think about it\b", "I'd think about it/I would think about it/I'd look into it"),
    (r"\bI'd want\b", "I'd want/I would want/I'd like"),
    (r"\ball the time\b", "all the time/constantly/left and right"),
    (r"\bright away\b", "right away/on the spot/quickly"),
    (r"\bin person\b", "in person/face to face"),
    (r"\bmoney\b(?= (?:doesn't|is|right now))", "money/cash"),
    (r"\bcan't (?=(?:see|tell|stop|get|trust|afford|examine))", "can't /cannot /just can't "),
    (r"\bwon't (?=\w)", "won't /will not /probably won't "),
    (r"\ba little (?=(?:something|extra|more|less|guilty|musty))", "a little /a bit of /kind of "),
    (r"\bwhat I (?=(?:buy|use) now)", "what I /what I already /the one I "),
)  # fmt: skip
_UNSAFE = re.compile(
    r"a bit of (?:extra|more|less|guilty|musty)|kind of (?:something|extra|more|less)"
    r"|not easy to (?:say|pick)|runs (?:too much|more)|the cost (?:was right|of|was fair)"
    r"|(?:it's|there's|that's|is) (?:ends|runs)",
    re.I,
)
_COMPILED = tuple((re.compile(pattern), other) for pattern, other in _GROUPS)


@lru_cache(maxsize=16384)
def reworded(text: str) -> tuple[str, ...]:
    """Return a text and other wordings of it, at most ten.

    Examples
    --------
    >>> reworded("it's too expensive")
    ("it's too expensive", "it's too pricey", "it's priced too high")
    """
    marked, changes = text, 0
    for pattern, other in _COMPILED:
        if changes < 3 and pattern.search(marked):
            marked = pattern.sub(f"[{other}]", marked, count=1)
            changes += 1
    if not changes or marked.count("[") != changes:
        return (text,)
    found = tuple(wording for wording in variants(marked) if not _UNSAFE.search(wording))
    if len(found) <= _MOST:
        return found or (text,)
    step = len(found) / _MOST
    return tuple(found[int(at * step)] for at in range(_MOST))
