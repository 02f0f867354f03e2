"""Which tales a topic has."""

from __future__ import annotations

from voxpop.respondents import (
    tales_food,
    tales_home,
    tales_leisure,
    tales_money,
    tales_more,
    tales_tech,
    tales_world,
)
from voxpop.respondents.tales import KINDS

_FIRST: dict[str, dict[str, tuple[str, ...]]] = {
    **tales_food.TALES,
    **tales_money.TALES,
    **tales_tech.TALES,
    **tales_home.TALES,
    **tales_world.TALES,
    **tales_leisure.TALES,
}
TALES: dict[str, dict[str, tuple[str, ...]]] = {
    topic: {kind: found.get(kind, ()) + tales_more.TALES.get(topic, {}).get(kind, ()) for kind in KINDS}
    for topic, found in _FIRST.items()
}
"""Topic -> kind -> authored lines."""
