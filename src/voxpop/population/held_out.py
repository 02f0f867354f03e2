"""The joint figures that have no part in building a population, so that they can test it.

A fifth of the figures is set aside by a digest of their names, before anything is fitted. A figure that is
set aside is never a target of a fit or of a tilt.
"""

from __future__ import annotations

import hashlib

_DRAWN = "voxpop 2026-11-23/"
_ONE_IN = 5


def held_out(key: str) -> bool:
    """Return whether a figure is set aside.

    Parameters
    ----------
    key : str
        Table and row: ``table/outcome/grouping`` in the tables of shares by group, ``table/soc code`` in the
        tables of occupations, ``table/state/measure`` or ``table/state`` in the tables of states.

    Examples
    --------
    >>> sum(held_out(f"us_state_ses/{number}") for number in range(1000))
    204
    """
    digest = hashlib.sha256((_DRAWN + key).encode()).digest()
    return int.from_bytes(digest[:8], "big") % _ONE_IN == 0
