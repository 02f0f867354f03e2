"""Limits of nested filters, and their Python code."""

from __future__ import annotations

from collections.abc import Sequence

MOST_DEPTH = 8
"""Maximum number of levels of nested filters."""

MOST_PARTS = 200
"""Maximum number of conditions and groups in a filter, nested ones included."""


def group_code(head: Sequence[str], groups: Sequence[tuple[str, Sequence[str]]], *, every: bool) -> str:
    """Return the Python code of a filter with groups.

    Parameters
    ----------
    head : sequence of str
        Code of the conditions outside the groups, if any.
    groups : sequence of (kind, codes)
        Code of the filters of each group.
    every : bool
        Whether all parts must hold; otherwise one of them.

    Examples
    --------
    >>> group_code(["a"], [("any", ["b", "c"]), ("not", ["d"])], every=True)
    'a & (b | c) & ~d'
    """
    sign = "&" if every else "|"
    parts = list(head)
    for kind, codes in groups:
        own = "|" if kind == "any" else "&"
        codes = [f"~{code}" for code in codes] if kind == "not" else codes
        flat = own == sign or len(codes) == 1 or (len(groups) == 1 and not head)
        parts += codes if own == sign else [f" {own} ".join(codes) if flat else f"({f' {own} '.join(codes)})"]
    return f" {sign} ".join(parts)
