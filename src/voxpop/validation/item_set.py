"""Sets of survey items: wordings, and the answers of people, overall and by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.engines.agents import Agent
from voxpop.engines.question import Question

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

FAMILY_LENGTH = 40
"""Items whose wordings begin with the same letters, this many of them, are one family."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of people, and the agents that stand for it.

    Attributes
    ----------
    by, cohort : str
        The attribute, and the name of the group: ``age`` and ``18-29``.
    field : str
        The field of an agent.
    values : tuple of str
        Values of the field that belong to the group; empty for a number.
    low, high : float
        First and last number that belong to it, for a field that is a number.
    """

    by: str
    cohort: str
    field: str
    values: tuple[str, ...] = ()
    low: float = -np.inf
    high: float = np.inf

    def holds(self, agent: Agent) -> bool:
        """Return whether an agent belongs to the group; an agent whose field is unknown does not."""
        value: Any = getattr(agent, self.field, None)
        if value is None:
            return False
        if self.values:
            named = ("yes" if value else "no") if isinstance(value, bool) else str(value)
            return named in self.values
        return bool(self.low <= value <= self.high)


@dataclass(frozen=True, eq=False, slots=True)
class Item:
    """A question with the answers of people.

    Attributes
    ----------
    key : str
        Name of the set and of the item: ``gss:grass``.
    question : str
        The wording.
    options : tuple of str
        The answers, in order.
    ordered : bool
        Whether the options go from one end to the other, as any two do.
    year : int or None
        Year of the figures.
    asked_of : str
        ``all``, or ``employed``.
    n, effective_n : float
        People who answered; and as many as a simple random sample needs for the same standard errors.
    shares : array (options)
        Shares of the options, 0 to 1.
    group_shares : array (groups, options)
        Shares in the groups of the set; NaN where too few people answered.
    group_n : array (groups)
        People who answered, by group.
    """

    key: str
    question: str
    options: tuple[str, ...]
    ordered: bool
    year: int | None
    asked_of: str
    n: float
    effective_n: float
    shares: Floats
    group_shares: Floats
    group_n: Floats

    @property
    def family(self) -> str:
        """Return the first letters of the wording, which the items of a battery have in common."""
        return self.question[:FAMILY_LENGTH].casefold()

    def asked(self) -> Question:
        """Return the question as engines receive it."""
        if self.options == ("yes", "no"):
            return Question(self.question, "yes_no")
        return Question(self.question, "single_choice", self.options)

    def place(self, value: object) -> int:
        """Return the index of the option that a coded answer names, or -1."""
        if isinstance(value, bool):
            return int(not value) if self.options == ("yes", "no") else -1
        return self.options.index(value) if isinstance(value, str) and value in self.options else -1


@dataclass(frozen=True, eq=False, slots=True)
class Correlations:
    """Correlations of items among people, over the pairs of items that enough of them answered.

    ``first`` and ``second`` are keys of items, ``r`` the correlations of the places of the answers on their
    scales, ``n`` the people who answered both.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    r: Floats
    n: Floats


_NO_CORRELATIONS = Correlations((), (), np.empty(0), np.empty(0))


@dataclass(frozen=True, eq=False, slots=True)
class ItemSet:
    """Items that an engine is held against.

    Attributes
    ----------
    name : str
        Name of the set.
    items : tuple of Item
        The items.
    groups : tuple of Group
        Groups of people, in the order of ``Item.group_shares``.
    contrasts : tuple of (str, str, str)
        Attribute and two cohorts whose difference is compared.
    correlations : Correlations
        Correlations of the items among people; empty if they are not known.
    source, url, people : str
        Citation, address, and the population that the people stand for.
    left_out : mapping
        Items left out of the set, by reason.
    halves : mapping
        What two random halves of the people score against each other, by measure; empty if not known.
    """

    name: str
    items: tuple[Item, ...]
    groups: tuple[Group, ...] = ()
    contrasts: tuple[tuple[str, str, str], ...] = ()
    correlations: Correlations = _NO_CORRELATIONS
    source: str = "given with the call"
    url: str = ""
    people: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)
    halves: Mapping[str, float] = field(default_factory=dict)

    def places(self) -> dict[tuple[str, str], int]:
        """Return the index of each group by attribute and cohort."""
        return {(group.by, group.cohort): at for at, group in enumerate(self.groups)}

    def first(self, number: int) -> ItemSet:
        """Return a set of a number of the items: a fixed random choice, in the order of the set.

        The choice depends on the keys alone, and a larger one contains a smaller one.
        """
        by_hash = sorted(self.items, key=lambda item: sha256(item.key.encode()).digest())
        chosen = {item.key for item in by_hash[:number]}
        part = self.only([item.key for item in self.items if item.key in chosen])
        rest = len(self.items) - len(part.items)
        return replace(part, left_out={**self.left_out, "not drawn": rest} if rest else self.left_out)

    def only(self, keys: Sequence[str]) -> ItemSet:
        """Return a set of some of the items, with the correlations among them."""
        wanted = set(keys)
        held = self.correlations
        both = np.array(
            [a in wanted and b in wanted for a, b in zip(held.first, held.second, strict=True)], dtype=bool
        )
        kept = np.flatnonzero(both)
        correlations = Correlations(
            tuple(held.first[at] for at in kept),
            tuple(held.second[at] for at in kept),
            held.r[kept],
            held.n[kept],
        )
        items = tuple(item for item in self.items if item.key in wanted)
        halves = self.halves if len(items) == len(self.items) else {}
        return replace(self, items=items, correlations=correlations, halves=halves)
