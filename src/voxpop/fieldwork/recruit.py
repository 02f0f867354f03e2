"""Recruiting: an audience and a size in, a group out."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.requesting import recruit_by_request
from voxpop.vocabulary import Filter, parse
from voxpop.wire.groups import Group, SampleMethod

if TYPE_CHECKING:
    from voxpop.client import Client

_LONGEST_NAME = 300


def recruit(
    client: Client,
    audience: Filter | dict[str, Any] | str,
    size: int,
    *,
    name: str | None = None,
    seed: int | None = None,
    sample_method: SampleMethod = "random",
    dedupe: bool = True,
    description: str = "",
) -> Group:
    """Recruit a group from an audience.

    Parameters
    ----------
    client : Client
        The service to recruit from.
    audience : Filter, dict or str
        Who may be in the group: a filter made with ``vp.where``, the interface's JSON, or plain words such
        as ``"US adults 25 to 64 on a GLP-1 medicine"``. Words go with ``size`` alone.
    size : int
        Number of agents, 1 to 10,000.
    name : str, optional
        A name for the group; the filter in plain words without it.
    seed : int, optional
        Same seed, filter and population: same agents in the same order. Drawn by the service without.
    sample_method : {"random", "stratified", "balanced"}
        A simple random sample; one in proportion to age band, gender and state; or one with equal numbers
        of each age band and gender.
    dedupe : bool
        Whether an agent may be in the group once only; voxpop's own service never draws one twice.
    description : str
        Who is wanted, in words: agents whose profile has these words are likelier, nobody is excluded. The
        group is then an unequal-probability sample, whose shares are not those of the agents that match.

    Returns
    -------
    Group
        The group; ``shortfall`` says how many agents are missing.

    Raises
    ------
    FilterError
        An unknown field or value; the message names the nearest.
    UsageError
        Another argument is out of its bounds.
    NeedsClarification, AwaitingReview, Refused
        The words are not clear, the group needs an approval, or nobody is recruited by them; the message
        says what to do.

    Warns
    -----
    FieldworkWarning
        Fewer agents match than were asked for: the group is smaller.
    """
    if isinstance(audience, str):
        given = {"name": name, "seed": seed, "sample_method": sample_method, "dedupe": dedupe}
        _check_text_alone(given | {"description": description})
        return recruit_by_request(client, audience, size)
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


def _check_text_alone(given: dict[str, Any]) -> None:
    """Refuse what a request cannot take."""
    plain = {"name": None, "seed": None, "sample_method": "random", "dedupe": True, "description": ""}
    for name, value in given.items():
        if value != plain[name]:
            raise UsageError(f"{name} goes with a filter; an audience in words takes size alone.")
