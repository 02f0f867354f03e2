"""Quotas that name only sizes: for each of the parts that the rest of the text names ("30 each", "40/40")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop.vocabulary import AnyOf, Between, Filter
from voxpop_simulator.audiences.mentions import Mention, Part
from voxpop_simulator.audiences.quota_frames import EVEN, RATIO, SHARED

Shares = tuple[tuple[Filter, int], ...]
_FIELDS = (
    ("countr", ("country",)),
    ("state", ("state",)),
    ("provinc", ("state",)),
    ("gender", ("gender",)),
    ("sex", ("gender",)),
    ("part", ("party_id",)),
    ("ethnic", ("ethnicity",)),
    ("race", ("ethnicity",)),
    ("religion", ("religion",)),
    ("condition", ("health_conditions",)),
    ("type", ("health_conditions",)),
    ("trade", ("occupation", "occupation_major_group")),
    ("title", ("occupation", "occupation_major_group")),
    ("specialt", ("occupation", "occupation_major_group")),
    ("job", ("occupation", "occupation_major_group")),
    ("role", ("occupation", "occupation_major_group")),
    ("occupation", ("occupation", "occupation_major_group")),
    ("profession", ("occupation", "occupation_major_group")),
)
"""Start of the word for the parts -> the fields whose values they are."""
_BEYOND = frozenset(("country",))
_BETWEEN = re.compile(
    r"(?:[\s,;/&+()–-]|and\b|or\b|both\b|the\b|in\b|from\b|vs\b|versus\b|\w+\s+(?=$))*", re.I
)


def shared_cells(words: str, text: str, mentions: Sequence[Mention]) -> Shares | None:
    """Return the parts that a quota without names means, with their sizes, or None if that is not certain.

    Parameters
    ----------
    words : str
        The words of the quota.
    text : str
        The text that contains the mentions.
    mentions : sequence of Mention
        The phrases of the text.
    """
    found = SHARED.fullmatch(words) or EVEN.fullmatch(words) or RATIO.fullmatch(words)
    if found is None:
        return None
    said = found.groupdict()
    unit = said.get("unit") or said.get("per")
    parts = _parts(unit, text, mentions)
    if unit is not None and _fields_of(unit) == ("gender",) and not parts:
        parts = [(("gender", AnyOf((one,))),) for one in ("male", "female")]
    if not parts:
        return None
    numbers = [1] * len(parts)
    if said.get("number"):
        numbers = [int(said["number"])] * len(parts)
    if said.get("numbers"):
        numbers = [int(one) for one in re.findall(r"\d+", said["numbers"])]
    if len(numbers) != len(parts) or min(numbers) < 1:
        return None
    return tuple((Filter("all", part), number) for part, number in zip(parts, numbers, strict=True))


def _fields_of(unit: str) -> tuple[str, ...] | None:
    return next((fields for start, fields in _FIELDS if unit.lower().startswith(start)), None)


def _parts(unit: str | None, text: str, mentions: Sequence[Mention]) -> list[tuple[Part, ...]]:
    """Return the one list of two or more alternatives in a text that a quota can be about."""
    wanted = _fields_of(unit) if unit else None
    lists = [
        one
        for one in _lists(text, mentions)
        if wanted is None or all(set(part_names(p)) & set(wanted) for p in one)
    ]
    if not lists and wanted == ("state",):
        return _states(mentions)
    return lists[0] if len(lists) == 1 else []


def part_names(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the fields of some conditions."""
    return tuple(name for name, _ in parts)


def _lists(text: str, mentions: Sequence[Mention]) -> list[list[tuple[Part, ...]]]:
    """Return the lists of alternatives on the same field, each with the conditions of its parts."""
    found: list[list[tuple[Part, ...]]] = []
    last: Mention | None = None
    for mention in mentions:
        plain = _plain(mention)
        follows = last is not None and _BETWEEN.fullmatch(text[last.end : mention.start]) is not None
        if plain and found and follows and part_names(found[-1][0]) == part_names(plain):
            found[-1].append(plain)
        else:
            found.append([plain] if plain else [()])
        last = mention
    return [one for one in found if len(one) > 1 and all(one) and are_apart(one)]


def _plain(mention: Mention) -> tuple[Part, ...]:
    """Return the conditions of a phrase without the country that its place implies."""
    if mention.negated or mention.sense.questions or mention.sense.options:
        return ()
    own = tuple(part for part in mention.sense.parts if part[0] not in _BEYOND)
    return own or mention.sense.parts


def are_apart(parts: Sequence[tuple[Part, ...]]) -> bool:
    """Return whether nobody can be in two of the parts, as far as the values tell."""
    seen: set[str] = set()
    for conditions in parts:
        if len(conditions) != 1:
            return len({repr(one) for one in parts}) == len(parts)
        values = {repr(conditions[0][1])}
        if isinstance(conditions[0][1], Between):
            low, high = conditions[0][1].min or 0, conditions[0][1].max
            values = {str(value) for value in range(int(low), int(high if high is not None else 130) + 1)}
        if isinstance(conditions[0][1], AnyOf):
            values = {str(value) for value in conditions[0][1].values}
        if values & seen:
            return False
        seen |= values
    return True


def _states(mentions: Sequence[Mention]) -> list[tuple[Part, ...]]:
    """Return the states of a single region as parts."""
    regions = [m.sense.parts for m in mentions if set(m.fields) == {"state"} and not m.negated]
    if len(regions) != 1 or not isinstance(regions[0][0][1], AnyOf) or len(regions[0][0][1].values) < 2:
        return []
    return [(("state", AnyOf((code,))),) for code in regions[0][0][1].values]
