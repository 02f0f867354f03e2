"""The reading of a recruitment request in lines: what each part of the text was understood as."""

from __future__ import annotations

from typing import Any

from voxpop.errors import FilterError
from voxpop.vocabulary import parse
from voxpop.wire.requests import GroupRequest, Understood

_LONGEST = 160


def reading_lines(request: GroupRequest) -> list[str]:
    """Return one line per part of the text that means something, in order.

    Examples
    --------
    >>> from voxpop.wire.requests import GroupRequest
    >>> moms = {"gender": "female", "is_parent": True}
    >>> spans = [{"span": "moms", "start": 0, "as": "filter", "value": moms},
    ...          {"span": "for a taste test", "start": 5, "as": "purpose", "value": None}]
    >>> for line in reading_lines(GroupRequest(id="rgr_1", status="running", understood=spans)):
    ...     print(line)
    “moms”: women with a child under 18 at home
    “for a taste test”: a purpose, without effect
    """
    incidence = {one.question: one for one in request.screening or ()}
    lines = []
    for span in request.understood or ():
        if span.as_ == "screen" and isinstance(span.value, str):
            screen = incidence.get(span.value)
            share = screen.incidence if screen is not None else None
            known = f" (about {share:.1%} stay)" if share is not None else ""
            lines.append(f"“{span.span}”: asked, {span.value}{known}")
        elif span.as_ != "glue":
            lines.append(f"“{span.span}”: {_meaning(span)}")
    return lines


def _meaning(span: Understood) -> str:
    if span.as_ == "filter" and isinstance(span.value, dict):
        inner = span.value.get("not")
        return f"not {_sentence(inner)}" if isinstance(inner, dict) else _sentence(span.value)
    if span.as_ == "size":
        return f"a size of {span.value:,}; the size of the request counts"
    if span.as_ == "purpose":
        return "a purpose, without effect"
    if span.as_ == "left_out":
        return "left out"
    if span.as_ == "quota":
        cells = span.value if isinstance(span.value, list) else []
        told = ", ".join(f"{one['size']} {parse(one['filters']).sentence()}" for one in cells)
        return f"a quota ({told}), in proportion to the group" if told else "any sample is"
    return "not understood"


def _sentence(filters: dict[str, Any]) -> str:
    try:
        told = parse({"match": "all", "filters": filters}).sentence()
        return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1].rstrip()}…"
    except FilterError:
        return ", ".join(f"{name} {value}" for name, value in filters.items())
