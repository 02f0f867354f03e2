"""Numbers of conditions out of a list in an audience text: "two or more of: gout, asthma, COPD"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from voxpop.vocabulary import AllOf, AnyOf, Filter
from voxpop_simulator.audiences.audience_numbers import number
from voxpop_simulator.audiences.mentions import Mention, Sense

_NUMBER = r"(?P<number>\d|one|two|three|four|five)"
_OPENING = re.compile(
    rf"(?:\b(?:with|have|has|having|living with|diagnosed with|suffering from|on|"
    rf"taking)\s+)?\b(?:(?:at least|any|minimum(?: of)?)\s+{_NUMBER}|(?P<any>any|either)|"
    rf"{_NUMBER.replace('number', 'more')}\s*(?:\+|or more|and more|plus))\s+of\s*(?:the following|"
    rf"these|those)?"
    r"(?:\s+(?:chronic |health |medical )?(?:conditions|illnesses|diseases|medicines|medications|"
    r"drugs))?\s*[:(–-]?\s*$",
    re.I,
)
_LINK = re.compile(r"\s*(?:,\s*(?:and|or|and/or)?|/|;|&|and/or|and|or)\s*", re.I)
_LISTS = ("health_conditions", "health_drug_classes")
_LONGEST = 8


def some_of(text: str, chosen: Sequence[Mention]) -> list[Mention]:
    """Return the phrases of a text with every "at least two of" and its list as one phrase.

    Parameters
    ----------
    text : str
        The text.
    chosen : sequence of Mention
        Its phrases.
    """
    ordered = sorted(chosen, key=lambda mention: mention.start)
    found: list[Mention] = []
    at = 0
    while at < len(ordered):
        listed = _list_from(text, ordered, at)
        opening = _OPENING.search(text[: ordered[at].start]) if len(listed) > 1 else None
        if opening is None:
            found.append(ordered[at])
            at += 1
            continue
        least = 1 if opening["any"] else number((opening["number"] or opening["more"]).lower())
        group = _group(listed, least)
        if group is None:
            found.append(ordered[at])
            at += 1
            continue
        start, end = opening.start(), listed[-1].end
        found = [one for one in found if one.end <= start]
        found.append(Mention(start, end, text[start:end], Sense(group=group)))
        at += len(listed)
    return found


def _list_from(text: str, ordered: Sequence[Mention], first: int) -> list[Mention]:
    listed = [ordered[first]]
    for mention in ordered[first + 1 : first + _LONGEST]:
        if mention.fields != listed[0].fields or not _LINK.fullmatch(text[listed[-1].end : mention.start]):
            break
        listed.append(mention)
    return listed if len(listed[0].fields) == 1 and listed[0].fields[0] in _LISTS else []


def _group(listed: Sequence[Mention], least: int) -> Filter | None:
    """Return the filter for at least some of the listed values, or None if a phrase has several values."""
    name = listed[0].fields[0]
    values = []
    for mention in listed:
        condition = mention.sense.parts[0][1]
        if not isinstance(condition, AnyOf) or len(condition.values) != 1 or mention.sense.questions:
            return None
        values.append(condition.values[0])
    if not 1 <= least <= len(values) or len(set(values)) < len(values):
        return None
    if least == 1:
        return Filter("all", ((name, AnyOf(tuple(values))),))
    parts = [Filter("all", ((name, AllOf(chosen)),)) for chosen in combinations(values, least)]
    return reduce(or_, parts)
