"""Answers of agents to a set of items, with what they rest on; and the answers of two baselines."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from voxpop.engines.agents import Agent
from voxpop.engines.basis import KINDS, NONE
from voxpop.engines.respondent import Failure, Respondent
from voxpop.errors import UsageError, VoxpopError
from voxpop.validation.item_set import Flags, Floats, ItemSet

Codes = npt.NDArray[np.int16]

NOT_ASKED, FAILED, NO_ANSWER = -3, -2, -1
"""Codes below the first option: not asked, no reply, and a reply without a coded answer."""


@dataclass(frozen=True, eq=False, slots=True)
class ItemAnswers:
    """Answers of agents to items.

    Attributes
    ----------
    engine : str
        Name of the engine.
    codes : array (agents, items)
        Index of the option; negative: :data:`NOT_ASKED`, :data:`FAILED`, :data:`NO_ANSWER`.
    basis : array (agents, items)
        Index of the basis in :data:`voxpop.engines.basis.KINDS`; -1 without an answer.
    members : array (agents, groups)
        Whether an agent belongs to a group.
    reasons : mapping
        Why agents did not reply, with the number of replies.
    """

    engine: str
    codes: Codes
    basis: npt.NDArray[np.int8]
    members: Flags
    reasons: dict[str, int] = field(default_factory=dict)

    def scored(self) -> Flags:
        """Return the answers that rest on something: a profile, published figures or a model."""
        return np.asarray((self.codes >= 0) & (self.basis != KINDS.index(NONE)))

    def placeholders(self) -> Flags:
        """Return the answers that rest on nothing that is known."""
        return np.asarray((self.codes >= 0) & (self.basis == KINDS.index(NONE)))


def members(agents: Sequence[Agent], held: ItemSet) -> Flags:
    """Return which agents (rows) stand for which groups (columns)."""
    return np.array([[group.holds(agent) for group in held.groups] for agent in agents], dtype=bool).reshape(
        len(agents), len(held.groups)
    )


def put_to(agents: Sequence[Agent], asked_of: str) -> list[int]:
    """Return the places of the agents that an item is put to.

    Raises
    ------
    UsageError
        The item is meant for other people than all, or the employed.
    """
    if asked_of == "all":
        return list(range(len(agents)))
    if asked_of == "employed":
        return [at for at, agent in enumerate(agents) if agent.labour_status == "employed"]
    raise UsageError(f"An item is asked of all or of the employed, not of {asked_of!r}.")


def ask_items(
    engine: Respondent,
    agents: Sequence[Agent],
    held: ItemSet,
    *,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> ItemAnswers:
    """Put every item to the agents, each on its own and without a history.

    Parameters
    ----------
    engine : Respondent
        Answers through the engine contract.
    agents : sequence of Agent
        A sample of the population that the people stand for.
    held : ItemSet
        The items.
    seed : int
        Seed of the answers.
    progress : callable, optional
        Called with the number of items asked so far.

    Raises
    ------
    UsageError
        The engine answers for more or fewer agents than it was asked about.
    VoxpopError
        A remote engine fails for all agents at the first item; no other item is asked.
    """
    codes = np.full((len(agents), len(held.items)), NOT_ASKED, dtype=np.int16)
    basis = np.full(codes.shape, -1, dtype=np.int8)
    reasons: dict[str, int] = {}
    for at, item in enumerate(held.items):
        places = put_to(agents, item.asked_of)
        replies = list(engine.answer([agents[place] for place in places], item.asked(), {}, seed=seed))
        if len(replies) != len(places):
            raise UsageError(
                f"The engine {engine.name} gave {len(replies)} replies to {item.key}, "
                f"not {len(places)} as asked."
            )
        for place, reply in zip(places, replies, strict=True):
            if isinstance(reply, Failure):
                codes[place, at] = FAILED
                reasons[reply.message] = reasons.get(reply.message, 0) + 1
                continue
            codes[place, at] = item.place(reply.value)
            if codes[place, at] >= 0:
                basis[place, at] = KINDS.index(reply.basis.kind)
        if at == 0 and getattr(engine, "remote", False) and (codes[places, at] == FAILED).all():
            raise VoxpopError(
                f"The engine {engine.name} failed for all {len(places):,} agents at the first item: "
                f"{next(iter(reasons), 'there are no agents to put it to')}"
            )
        if progress is not None:
            progress(at + 1)
    return ItemAnswers(engine.name, codes, basis, members(agents, held), reasons)


def uniform(like: ItemAnswers, held: ItemSet, *, seed: int) -> ItemAnswers:
    """Return answers drawn from the options with equal chances, for the same agents and items."""
    return _drawn(
        "uniform", like, held, [np.full(len(i.options), 1 / len(i.options)) for i in held.items], seed
    )


def margins(like: ItemAnswers, held: ItemSet, *, seed: int) -> ItemAnswers:
    """Return answers drawn from people's shares overall, alike for all groups."""
    return _drawn("margins", like, held, [item.shares for item in held.items], seed)


def _drawn(name: str, like: ItemAnswers, held: ItemSet, shares: Sequence[Floats], seed: int) -> ItemAnswers:
    """Draw answers from shares; those to an item do not depend on the other items."""
    codes = like.codes.copy()
    for at, (item, own) in enumerate(zip(held.items, shares, strict=True)):
        rng = np.random.default_rng([seed, zlib.crc32(f"{name} {item.key}".encode())])
        drawn = np.searchsorted(np.cumsum(own)[:-1], rng.random(len(codes)), side="right")
        codes[:, at] = np.where(like.codes[:, at] >= 0, drawn, like.codes[:, at])
    return replace(like, engine=name, codes=codes, reasons={})
