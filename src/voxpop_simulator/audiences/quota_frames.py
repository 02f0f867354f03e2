"""Quotas in an audience text: the places where parts of the group and their sizes are named."""

from __future__ import annotations

import re
from collections.abc import Iterator

COUNTED = (
    r"(?!\s*(?:\+|plus\b|or\b|to\b|and (?:over|older|up|above|under)|-|–|%|k\b|years?|yrs?|y/?o\b|"
    r"months?|weeks?"
    r"|days?|hours?|minutes?|times?|miles?|or more|(?:or more |different |daily |prescription )*"
    r"(?:medications?|medicines?|meds|drugs|pills|prescriptions?|conditions?|kids?|child(?:ren)?|pets?|dogs?|cats?"
    r"|cars?|employees|jobs?|states|somethings?)\b))"
)
"""What may not follow a number of people: it would be a number of something else."""
_BY = (
    r"(?:\s+(?:by|on|for|across|in terms of|with respect to)\s+(?:(?:age|gender|sex|region|race|"
    r"ethnicity|income|education|state|urbanicity|party|geography|census)(?: (?:group|region|band|"
    r"level)s?)?(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*/\s*)?)+)?"
)
_REPRESENTATIVE = re.compile(
    r"\b(?:(?:a )?(?:nationally |census[- ])?representative(?: sample)?(?: of (?:the )?(?:population|"
    r"country|us|usa)\b)?|"
    r"nat(?:ional)?[- ]?rep)\b" + _BY + r"(?: of\b)?",
    re.I,
)
_QUOTAS = (
    re.compile(
        r"\b(?:\d{1,3}\s*%|half)\s+[^,.;!?]*?(?:(?:,\s*(?:and\s+)?|\s+and\s+)(?:\d{1,3}\s*%|half)\s+[^,.;!?]*?)+"
        r"(?=\s*(?:[,.;!?)]|$))",
        re.I,
    ),
    re.compile(
        r"(?<!with )(?<!over )(?<!under )(?<!least )(?<!most )(?<!than )(?<!between )(?<!have )(?<!has )"
        rf"\b\d{{1,5}}{COUNTED}\s+(?:[a-z-]+\s+){{1,5}}?and\s+\d{{1,5}}{COUNTED}\s+[a-z-]+"
        r"(?:\s+(?!(?:in|for|from|who|with|aged?)\b)[a-z-]+){0,4}"
        r"(?=\s*(?:[,.;)]|$|\b(?:in|for|from|who|with|aged?)\b))",
        re.I,
    ),
    re.compile(r"\b\d{1,3}\s*/\s*\d{1,3}(?:\s*/\s*\d{1,3})*\s+[a-z/ -]+?(?=[,.;)]|$)", re.I),
    re.compile(
        r"(?<!below )(?<!under )(?<!over )(?<!above )(?<!least )(?<!than )(?<!to )(?<!-)\b(?:an? "
        r")?(?:\d{1,3}\s*%(?! (?:of )?(?:the )?(?:federal )?(?:poverty|fpl))|half|a third|a quarter|"
        r"two thirds|one third)\s+[^,.;!?]*",
        re.I,
    ),
    re.compile(
        r"\b(?:split|spread|balanced?|equally|evenly|an? (?:even|equal|good|balanced)|equal (?:numbers?|"
        r"parts?)|"
        r"even|50[/-]50)\b[^,.;!?]*\b(?:split|mix|spread|balance|numbers?|parts?|evenly|equally|across|between|by)"
        r"\b[^,.;!?]*",
        re.I,
    ),
    re.compile(
        r"\b(?:a )?(?:good |broad )?(?:mix|range|variety|spread) (?:of|between|across)\b[^,.;!?]*", re.I
    ),
    re.compile(r"\b\d+ (?:extra|additional|more)\b[^,.;!?]*|\b(?:boost|oversample)\w*\b[^,.;!?]*", re.I),
    re.compile(r"\b(?:\d+|half) (?:each|of each)\b|\bat least \d+ of (?:them|each|whom)\b[^,.;!?]*", re.I),
)
_CELL = re.compile(
    r"\b\d{1,5}\s+(?:[a-z-]+\s+){0,2}?(?:women|men|females?|males?|girls|boys|people|adults)\b"
    r"(?:\s+(?:aged\s+)?\d{2}\s*(?:-|–|to)\s*\d{2})?",
    re.I,
)
_N = r"\d{1,5}"
_ABOUT = r"(?:(?:roughly|about|around|approx(?:imately)?\.?|ca\.?|~|some)\s*)?"
_UNIT = (
    r"(?:countr(?:y|ies)|states?|provinces?|genders?|sex(?:es)?|cells?|groups?|part(?:y|ies)|ethnicit(?:y|ies)|races?|"
    r"religions?|regions?|segments?|conditions?|types?|jobs?|roles?|occupations?|professions?|side|kind|market|audience|trades?|title|specialt(?:y|ies)|function|role|one)"
)
SHARED = re.compile(
    rf"\(?{_ABOUT}(?P<number>{_N})\s+(?:people |adults |respondents |completes |interviews )?"
    rf"(?:(?:of |from |in |for |per )?each(?: of (?:them|these|those|the (?:two|three|four|"
    rf"five)))?(?: (?P<unit>{_UNIT}))?|"
    rf"(?:per|a) (?P<per>{_UNIT}))\b(?:\s+would (?:be )?(?:plenty|enough|fine|ideal|do|good|great))?\)?",
    re.I,
)
"""The same number for each of the parts that the text names ("30 each", "12 per state")."""
EVEN = re.compile(
    r"\(?(?:(?:an? )?(?:even|equal|50[/-]50) (?:split|mix|numbers?|parts?|balance|shares?)|"
    r"(?:split|balanced|divided|spread) (?:evenly|equally|50[/-]50)|(?:evenly|equally) (?:split|"
    r"balanced|divided|spread)|"
    r"half (?:and|&|/) half|half-half|half (?:of |from |in )?each|50[/-]50(?: split)?|equal numbers)"
    rf"(?: (?:by|on|between|across|of|for|among) (?:the |both |all )*(?P<unit>{_UNIT})(?: of them)?)?"
    r"(?=\s*(?:[.,;!?)]|$))\)?",
    re.I,
)
"""Equal parts ("half and half", "evenly split by gender")."""
RATIO = re.compile(r"(?!24/7\b|9/11\b)(?P<numbers>\d{1,4}(?:\s*[/:+]\s*\d{1,4})+)(?: (?:split|ratio|mix))?")
"""The sizes of the parts in the order of the text ("40/40", "2:1")."""
_RATIO_PLACE = re.compile(
    rf"(?:(?<=[,;(.:] )|(?<=[(])|(?<=– )|(?<=- )){RATIO.pattern}(?=\s*(?:[.,;!?)]|$))",
)
_LABEL = (
    r"(?!(?:of|people|adults|in|per|each|or|and|to|for|from|who|with|aged?|living|on|at|that|are|years?|yrs?|please)\b)"
    r"[A-Za-z][\w'-]*"
)
_LABELS = rf"{_LABEL}(?:\s+{_LABEL}){{0,3}}"
_PARTS = re.compile(
    rf"(?<![\w$£€.,/-])(?<!with )(?<!over )(?<!under )(?<!least )(?<!most )(?<!than )(?<!have )(?<!has )"
    rf"{_N}(?!\s*%){COUNTED}\s+{_LABELS}"
    rf"(?:(?:\s*[,;/+&]\s*|\s+)(?:and\s+)?{_N}(?!\s*%){COUNTED}\s+{_LABELS})+"
    r"(?=\s*(?:please|pls|[.,;!?)]|$|(?:in|for|from|who|with|aged?|living)\b))",
    re.I,
)
"""Numbered parts without "and" ("20 UK 20 US 20 Germany")."""
_AGES = r"(?:(?:aged?|ages)\s+)?\d\d\s*(?:(?:-|–|to)\s*\d\d\b|\+|and (?:over|older|up)|or (?:over|older))"
_AGE_PARTS = re.compile(
    rf"(?:quotas?\s*:\s*)?(?<![\w$£€.,/-]){_N}\s+{_AGES}(?:\s*[,;/&]\s*(?:and\s+)?{_N}\s+{_AGES})+", re.I
)
"""Numbered ages ("100 18-34, 100 35-54")."""
_LEAST = re.compile(
    rf"\b(?:at least|min(?:imum)?\.?(?: of)?|no (?:more|fewer|less) than|at most|up to|"
    rf"max(?:imum)?\.?(?: of)?)\s+{_N}\s+(?:of (?:them|each|whom|those)|"
    rf"(?:of |from |in |for )?each|(?:per|a) (?:\w+ )?{_UNIT})\b[^,.;!?)]*",
    re.I,
)


def quota_places(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the places of quotas in a text, from a place on.

    Examples
    --------
    >>> text = "nurses and teachers in Texas, 30 each"
    >>> sorted({text[first:last] for first, last in quota_places(text, 0)})
    ['30 each']
    """
    yield from (found.span() for found in _AGE_PARTS.finditer(text, start))
    cells = list(_CELL.finditer(text, start))
    for pattern in (_LEAST, SHARED):
        yield from (found.span() for found in pattern.finditer(text, start))
    parts = [found.span() for found in _PARTS.finditer(text, start)]
    if len(cells) > 1 and not any(a < cells[-1].end() and cells[0].start() < b for a, b in parts):
        yield cells[0].start(), cells[-1].end()
    yield from parts
    for pattern in (EVEN, _RATIO_PLACE, *_QUOTAS, _REPRESENTATIVE):
        yield from (found.span() for found in pattern.finditer(text, start))
