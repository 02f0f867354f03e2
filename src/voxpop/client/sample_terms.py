"""Arguments of draws: quotas, boosts and excluded groups, in the forms that read well in a cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voxpop.client.checks import HasId, HasUuid, checked_filter, whole_number
from voxpop.errors import UsageError
from voxpop.vocabulary import Filter

Parts = Sequence[Any] | Mapping[str, Any]
"""``(filter, size)`` pairs, or ``{"filters": ..., "size": ...}``."""


def sample_terms(quotas: Any, boost: Any, exclude: Any) -> dict[str, Any]:
    """Return the fields of a request for quotas, boosts and exclusions; only those given.

    Parameters
    ----------
    quotas : list or dict, optional
        ``(filter, size)`` pairs, or shares by field: ``{"gender": {"female": 0.5, "male": 0.5}}``.
    boost : pair or list of pairs, optional
        ``(filter, size)``.
    exclude : group, id, or list of them, optional

    Examples
    --------
    >>> sample_terms({"gender": {"female": 0.5, "male": 0.5}}, None, [12])
    {'quotas': {'margins': {'gender': {'female': 0.5, 'male': 0.5}}}, 'exclude_group_ids': [12]}
    """
    told: dict[str, Any] = {}
    if quotas is not None:
        told["quotas"] = _quotas(quotas)
    if boost is not None:
        told["boosts"] = _parts("boost", boost)
    if exclude is not None:
        single = isinstance(exclude, int | str | HasId | HasUuid)
        told["exclude_group_ids"] = [_reference(one) for one in ([exclude] if single else exclude)]
    return told


def _quotas(given: Any) -> Any:
    if isinstance(given, Mapping) and "filters" not in given:
        margins = given["margins"] if set(given) == {"margins"} else given
        if not isinstance(margins, Mapping) or not all(isinstance(one, Mapping) for one in margins.values()):
            raise UsageError(
                'quotas by margins are shares by field, as {"gender": {"female": 0.5, "male": 0.5}}.'
            )
        return {"margins": {str(name): dict(shares) for name, shares in margins.items()}}
    return _parts("quotas", given)


def _parts(name: str, given: Any) -> list[dict[str, Any]]:
    pair = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int)
    single = pair or (isinstance(given, Mapping) and "filters" in given)
    parts: Iterable[Any] = [given] if single else given
    if isinstance(parts, str | Mapping | Filter) or not isinstance(parts, Iterable):
        raise UsageError(f'{name} takes pairs such as (vp.where(gender="female"), 100), not {given!r}.')
    return [_part(name, one) for one in parts]


def _part(name: str, one: Any) -> dict[str, Any]:
    if isinstance(one, Mapping) and set(one) == {"filters", "size"}:
        one = (one["filters"], one["size"])
    if not isinstance(one, tuple | list) or len(one) != 2:
        raise UsageError(f'{name} takes pairs such as (vp.where(gender="female"), 100), not {one!r}.')
    filters, size = one
    size = whole_number(f"size in {name}", size, 1, 10_000)
    return {"filters": checked_filter(filters).to_json(), "size": size}


def _reference(group: Any) -> int | str:
    value = group.id if isinstance(group, HasId) and not isinstance(group, int | str) else group
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UsageError(f"exclude takes groups, their ids or UUIDs, not {group!r}.")
    return value
