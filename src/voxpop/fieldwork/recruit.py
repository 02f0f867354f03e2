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


def recruit(  # noqa: PLR0913 (options by keyword)
    client: Client,
    audience: Filter | dict[str, Any] | str,
    size: int,
    *,
    name: str | None = None,
    seed: int | None = None,
    sample_method: SampleMethod = "random",
    dedupe: bool = True,
    description: str = "",
    quotas: Any = None,
    boost: Any = None,
    exclude: Any = None,
) -> Group:
    """Recruit a group from an audience.

    Parameters
    ----------
    client : Client
        The service to recruit from.
    audience : Filter, dict or str
        Who may be in the group: a filter made with ``vp.where``, the JSON form of a filter, or plain words
        such as ``"US adults 25 to 64 on a GLP-1 medicine"``. Plain words accept no other arguments than
        ``size``, ``quotas``, ``boost`` and ``exclude``.
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
        all matching agents unless they are weighted with ``design_weight``.
    quotas : list or dict, optional
        Fixed numbers: ``(filter, size)`` pairs that exclude each other and sum to ``size``, or shares by
        field, as ``{"gender": {"female": 0.5, "male": 0.5}, "age": {"18-34": 0.4, "35+": 0.6}}``.
    boost : pair or list of pairs, optional
        Agents beyond ``size`` from a part of the audience, as ``(vp.where(condition="diabetes"), 200)``. The
        design weights account for the overlap.
    exclude : group, id, or list of them, optional
        Groups whose members are not drawn.

    Returns
    -------
    Group
        The group; ``shortfall`` says how many agents are missing, and ``sampling.cells`` how each quota was
        met.

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
        terms = {"quotas": quotas, "boost": boost, "exclude": exclude}
        return recruit_by_request(
            client, audience, size, **{name: value for name, value in terms.items() if value is not None}
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
        quotas=quotas,
        boost=boost,
        exclude=exclude,
    )
    if short := _unfilled(group):
        warnings.warn(
            f"{group.agent_count:,} agents recruited, {group.shortfall:,} fewer than asked for: "
            f"{'; '.join(short)}. Lower these quotas, or widen the filter.",
            FieldworkWarning,
            stacklevel=2,
        )
    elif group.shortfall:
        warnings.warn(
            f"{group.agent_count:,} of {size:,} agents recruited: no more "
            f"{'are known to match' if unknown_in_words(unknown_fields(asked), asked) else 'match'} "
            f"{asked.sentence()!r}. Widen the filter or ask for fewer.",
            FieldworkWarning,
            stacklevel=2,
        )
    return group


def _unfilled(group: Group) -> list[str]:
    """Return, for each quota that could not be filled, what was asked and what is there."""
    cells = group.sampling.cells if group.sampling is not None and group.shortfall else ()
    told = []
    for cell in cells:
        if cell.available < cell.size or cell.drawn < cell.size:
            named = f"{cell.field} {cell.level}" if cell.filters is None else parse(cell.filters).sentence()
            told.append(f"{named}: {cell.size:,} asked, {cell.available:,} there, {cell.drawn:,} drawn")
    return told


def _check_text_alone(given: dict[str, Any]) -> None:
    """Refuse arguments that a request in plain words does not accept."""
    plain = {"name": None, "seed": None, "sample_method": "random", "dedupe": True, "description": ""}
    for name, value in given.items():
        if value != plain[name]:
            told = "an audience in words takes size, quotas, boost and exclude"
            raise UsageError(f"{name} goes with a filter; {told}.")
