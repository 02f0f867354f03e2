"""Tables of people in parts that fit into a request body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from voxpop.errors import UsageError
from voxpop.wire.people import BringResponse, Unread

MOST_VALUES = 40_000
"""Values in a part; a body takes 50,000 commas and brackets."""

MOST_BYTES = 1_500_000
"""Size of a part; a body takes 2 MB."""


def parts_of(profiles: Mapping[str, Sequence[Any]]) -> list[dict[str, list[Any]]]:
    """Return the values by field in parts of consecutive people.

    Raises
    ------
    UsageError
        The columns differ in length, or are empty.

    Examples
    --------
    >>> [len(part["age"]) for part in parts_of({"age": [30] * 50_000})]
    [40000, 10000]
    """
    columns = {name: list(values) for name, values in profiles.items()}
    sizes = {len(values) for values in columns.values()}
    if len(sizes) != 1 or sizes == {0}:
        raise UsageError(f"people must have columns of one length, not {', '.join(map(str, sorted(sizes)))}.")
    size = sizes.pop()
    values, weight = [0] * size, [0] * size
    for held in columns.values():
        for row, value in enumerate(held):
            text = msgspec.json.encode(value)
            values[row] += 1 + text.count(b",") + text.count(b"[") + text.count(b"{")
            weight[row] += len(text) + 1
    starts, many, long = [0], 0, 0
    for row in range(size):
        if row > starts[-1] and (many + values[row] > MOST_VALUES or long + weight[row] > MOST_BYTES):
            starts.append(row)
            many = long = 0
        many, long = many + values[row], long + weight[row]
    ends = [*starts[1:], size]
    return [
        {name: held[start:end] for name, held in columns.items()}
        for start, end in zip(starts, ends, strict=True)
    ]


def joined(before: BringResponse, more: BringResponse) -> BringResponse:
    """Return the responses of two parts as one."""
    filled = Counter(before.filled) + Counter(more.filled)
    unread = Counter[tuple[str, str]]()
    for one in (*before.unread, *more.unread):
        unread[one.field, one.value] += one.people
    return more.model_copy(
        update={
            "recruited_agents": [*before.recruited_agents, *more.recruited_agents],
            "filled": dict(filled),
            "unread": [
                Unread(field=field, value=value, people=many) for (field, value), many in unread.items()
            ],
        }
    )
