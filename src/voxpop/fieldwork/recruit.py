"""Recruitment of a group from an audience and a size."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.requesting import recruit_by_request
from voxpop.vocabulary import Filter, parse
from voxpop.vocabulary.unknown_fields import unknown_fields, unknown_in_words
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
        Who may be in the group: a filter made with ``vp.where``, the JSON form of a filter, or plain words
        such as ``"US adults 25 to 64 on a GLP-1 medicine"``. Plain words accept no other argument than
        ``size``.
    size : int
        Number of agents, 1 to 10,000.
    name : str, optional
        Name of the group; defaults to the filter in plain words.
    seed : int, optional
        The same seed, filter and population give the same agents in the same order. By default the service
        draws a seed.
    sample_method : {"random", "stratified", "balanced"}
        A simple random sample; a sample proportional to age band, gender and state; or one with equal numbers
        per age band and gender.
    dedupe : bool
        Whether to exclude duplicate agents from the group; voxpop's own service never draws an agent twice.
    description : str
        Desired agents in words: agents whose profile contains these words are more likely to be drawn, but
        none are excluded. The group is then an unequal-probability sample, whose shares differ from those of
        all matching agents.

    Returns
    -------
    Group
        The group; ``shortfall`` says how many agents are missing.

    Raises
    ------
    FilterError
        A field or value is unknown; the message names the nearest.
    UsageError
        Another argument is out of bounds.
    NeedsClarification, AwaitingReview, Refused
        The words are ambiguous, the request needs your approval, or it was refused; the message says what to
        do.

    Warns
    -----
    FieldworkWarning
        Fewer agents match than requested, so the group is smaller.
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
            f"{group.agent_count:,} of {size:,} agents recruited: no more "
            f"{'are known to match' if unknown_in_words(unknown_fields(asked), asked) else 'match'} "
            f"{asked.sentence()!r}. Widen the filter or ask for fewer.",
            FieldworkWarning,
            stacklevel=2,
        )
    return group


def _check_text_alone(given: dict[str, Any]) -> None:
    """Refuse arguments that a request in plain words does not accept."""
    plain = {"name": None, "seed": None, "sample_method": "random", "dedupe": True, "description": ""}
    for name, value in given.items():
        if value != plain[name]:
            raise UsageError(f"{name} goes with a filter; an audience in words takes size alone.")
