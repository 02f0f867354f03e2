"""Recruiting: a filter and a size in, a group out."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.vocabulary import Filter, parse
from voxpop.wire.groups import Group

if TYPE_CHECKING:
    from voxpop.client import Client

_LONGEST_NAME = 300


def recruit(
    client: Client,
    audience: Filter | dict[str, Any],
    size: int,
    *,
    name: str | None = None,
    seed: int | None = None,
    sample_method: str = "random",
    dedupe: bool = True,
    description: str = "",
) -> Group:
    """Recruit a group from an audience.

    Parameters
    ----------
    client : Client
        The service to recruit from.
    audience : Filter or dict
        Who may be in the group: a filter made with ``vp.where``, or the interface's JSON.
    size : int
        How many agents, 1 to 10,000.
    name : str, optional
        A name for the group; the filter in plain words without it.
    seed : int, optional
        Same seed, filter and population: same agents in the same order. Drawn by the service without.
    sample_method : {"random", "stratified", "balanced"}
        How the agents are drawn.
    dedupe : bool
        Whether to avoid agents of the same age, gender, state and occupation while others match.
    description : str
        Who is wanted, in words; agents whose profile is nearer are likelier, none is excluded.

    Returns
    -------
    Group
        The group; ``shortfall`` says how many agents are missing.

    Raises
    ------
    FilterError
        An unknown field or value; the message names the nearest.
    UsageError
        The audience is text, or another argument is out of its bounds.

    Warns
    -----
    FieldworkWarning
        Fewer agents match than were asked for: the group is smaller.
    """
    given: Any = audience
    if isinstance(given, str):
        raise UsageError(
            f"audience must be a filter, not the text {audience!r}: make one with vp.where, for example "
            'vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="glp1_agonist").'
        )
    asked = parse(audience)
    group = client.groups.recruit(
        asked.sentence()[:_LONGEST_NAME] if name is None else name,
        filters=asked,
        size=size,
        seed=seed,
        sample_method=sample_method,
        dedupe=dedupe,
        description=description or None,
    )
    if group.shortfall:
        warnings.warn(
            f"{group.agent_count:,} of {size:,} agents recruited: no more match "
            f"{asked.sentence()!r}. Widen the filter or ask for fewer.",
            FieldworkWarning,
            stacklevel=2,
        )
    return group
