"""The words of the library's items, as questions are compared with them.

Reading them takes a third of a second, so those of the library are in a table, which
``python data/index_library.py`` writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from voxpop_simulator.library.files import rows
from voxpop_simulator.library.items import SOME, Item, items
from voxpop_simulator.library.wording import Wording, read, stems, subject

_LONG = 25
_SHORT = 5
_WORDS = ("core", "title", "listed", "full")
_KINDS = {kind[0]: kind for kind in ("wish", "past", "hence", "now")}


@dataclass(frozen=True, slots=True)
class Entry:
    """An item, with its words.

    Attributes
    ----------
    item : Item
    ways : tuple of frozenset of str
        The words that a question must have most of, in each of the ways to ask for the item.
    known, near : frozenset of str
        All words of the item, and those without its introduction.
    wording : Wording
    kinds : frozenset of str
        The kinds of its own words and of the whole wording.
    subject : str or None
        Word after the first auxiliary.
    """

    item: Item
    ways: tuple[frozenset[str], ...]
    known: frozenset[str]
    near: frozenset[str]
    wording: Wording
    kinds: frozenset[str]
    subject: str | None


def entry_of(item: Item) -> Entry:
    """Return an item with its words, those of the library from their table.

    Examples
    --------
    >>> from voxpop_simulator.library.items import items
    >>> sorted(entry_of(next(item for item in items() if item.name == "grass")).near)
    ['legal', 'marijuana', 'use']
    """
    row = _table().get(item) or written(item)
    core, title, listed, beyond = (frozenset(row[name].split()) for name in _WORDS)
    full, near = core ^ beyond, core | title | listed
    tried = [core - listed or core, title - listed or title, *([full - listed] if len(full) <= _LONG else [])]
    denials, opposed, own, simple, kind, whole = tuple(row["told"])
    wording = Wording(core, int(denials), opposed == "1", _KINDS[kind], own == "1", simple == "1")
    ways = tuple(way for way in tried if way)
    return Entry(
        item,
        ways,
        near | full,
        near,
        wording,
        frozenset((_KINDS[kind], _KINDS[whole])),
        row["subject"] or None,
    )


def written(item: Item) -> Mapping[str, str]:
    """Return the row of an item in the table, computed from its wording.

    Examples
    --------
    >>> from voxpop_simulator.library.items import items
    >>> written(next(item for item in items() if item.name == "grass"))["core"]
    'legal marijuana use'
    """
    core, whole = read(item.core), read(item.bare)
    own = core.own or (len(stems(item.core)) < _SHORT and read(_beginning(item)).own)
    words = {
        "core": stems(item.core),
        "title": stems(item.title.split(":")[-1]),
        "listed": [word for option in item.options for word in stems(option)],
        "full": {*stems(item.bare)} ^ {*stems(item.core)},  # the table has what differs from the core
    }
    return {
        **{name: " ".join(sorted(set(told))) for name, told in words.items()},
        "told": f"{min(core.denials, 9)}{core.opposed:d}{own:d}{core.simple:d}{core.kind[0]}{whole.kind[0]}",
        "subject": subject(item.core) or "",
    }


def told() -> list[Item]:
    """Return the items in the table, in its order: those that somebody may be asked."""
    return [item for item in items() if item.asked != SOME]


@cache
def _table() -> Mapping[Item, Mapping[str, str]]:
    """Return the rows of the table; an item is equal to itself alone."""
    return dict(zip(told(), rows("entries"), strict=True))


def _beginning(item: Item) -> str:
    """Return the last sentence of a battery before the item's own words."""
    before = item.noted.partition(item.core)[0] or item.noted
    return re.split(r"(?<=[.?!])\s", re.sub(r"[\s.:…]*(?:\b[A-Z])?[\s.:…]*$", "", before))[-1]
